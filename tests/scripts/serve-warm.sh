#!/bin/bash
# What a server keeps of decisions shows nowhere: after acts of all kinds, through any door, each of its pages is that of a
# server that has just been started. ACTS, SEED.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/facets.sh"

facets_database t.db
exec python3 -B - <<'PYTHON'
import itertools, os, random, re, sqlite3, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

PAGES = ["/settle", "/settle?single=ann", "/settle?names=hidden", "/overruled", "/agreement", "/agreement/agreement.csv",
         "/results", "/results?by=year", "/codebook", "/search?judged=yes"]
SEED, ACTS = int(os.environ.get("SEED", "1")), int(os.environ.get("ACTS", "70"))
rng = random.Random(SEED)
made = ["disk", "cpu", "memory", "network", "cause number 06", "cause number 07"]  # codes that may be given
changes = itertools.cycle(("merge", "rename", "add", "split", "merge", "define", "add"))

def ppmine(*words, db="t.db"):
    done = subprocess.run(["ppmine", "-q", "-d", db, *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), (words, done.stderr)
    return done.returncode == 0

def codes():
    said = {"cause": rng.sample(made, rng.choice((1, 1, 2))), "place": [rng.choice(("loop", "start", "end"))],
            "hours": [str(rng.randrange(9))], "regression": [rng.choice(("yes", "no"))], "words": [rng.choice(("a b", "c"))]}
    return {facet: said[facet] for facet in rng.sample(sorted(said), rng.randrange(1, 6))}

def set_label(coder, db="t.db"):
    post = rng.randrange(1, 13)  # few, so that coders meet
    if rng.random() < 0.15:
        return ppmine("label", "set", str(post), "--coder", coder, "--relevance", "no", db=db)
    words = [word for facet, names in codes().items() for name in names for word in ("--" + facet, name)]
    return ppmine("label", "set", rng.choice((f"{post}", f"{post}", f"{post}_1", f"{post}_2")), "--coder", coder, "--relevance", "yes",
                  *words, db=db)

def on_page(server):
    post = rng.randrange(1, 13)
    said = {"post_id": post, "is_problem": False} if rng.random() < 0.2 else {"post_id": post, "is_problem": True, "codes": codes()}
    return server.api("/api/decide", said).status == 200

def settle_one(server):
    page = server.get("/settle").text
    fields = {name: re.findall(r'name="%s" value="([^"]*)"' % name, page) for name in ("subject", "facet", "value", "on")}
    if not all(fields.values()):
        return False
    return server.form("/settle", {name: found[0] for name, found in fields.items()}).status == 303

def merge_copy(_):
    copy_to("copy.db")
    for _ in range(3):
        set_label(rng.choice(("bob", "carl")), db="copy.db")
    set_label("bob")
    return ppmine("label", "merge", "copy.db")

def change_codebook(_):
    why = ("--by", "ann", "--why", "so")
    new = f"made {rng.randrange(10**6)}"
    one, other = rng.sample(made, 2)
    kind = next(changes)
    if kind == "rename":
        done = ppmine("codebook", "rename", one, new, "--facet", "cause", *why)
        made.append(new)
    elif kind == "merge":
        done = ppmine("codebook", "merge", one, "--into", other, "--facet", "cause", *why)
    elif kind == "split":
        done = ppmine("codebook", "split", one, "--into", other, "--into", next(m for m in made if m not in (one, other)), "--facet", "cause", *why)
    elif kind == "add":
        made.append(new)
        return ppmine("codebook", "add", new, "--facet", "cause", "--definition", "x", *why)
    else:
        return ppmine("codebook", "define", one, "--definition", new, "--facet", "cause", *why)
    made.remove(one)
    return done

def copy_to(path, back=False):
    with sqlite3.connect("t.db") as here, sqlite3.connect(path) as there:
        (there if back else here).backup(here if back else there)

def from_backup(server):
    """As many decisions as before, and as many labels, but another one is the last."""
    copy_to("backup.db")
    assert ppmine("label", "set", "20", "--coder", "bob", "--relevance", "yes")
    compare(server, "before the backup")
    copy_to("backup.db", back=True)
    assert ppmine("label", "set", "21", "--coder", "bob", "--relevance", "yes")
    compare(server, "the backup")
    with sqlite3.connect("t.db") as db:
        db.execute("DELETE FROM label WHERE coder = 'ann' AND subject ="
                   " (SELECT subject FROM label GROUP BY subject HAVING count(DISTINCT coder) > 1)")
    compare(server, "a row went")
    return True

def pages(server):
    found = {}
    for page in PAGES:
        answer = server.get(page)
        assert answer.status == 200, (page, answer.status, answer.text)
        found[page] = answer.text
    return found

def compare(server, after):
    warm = pages(server)
    with Server("t.db", "ann") as other:
        fresh = pages(other)
    for page in PAGES:
        if warm[page] != fresh[page]:
            lines = [pair for pair in zip(warm[page].split("\n"), fresh[page].split("\n")) if pair[0] != pair[1]]
            raise SystemExit(f"SEED={SEED}: after {after}, {page}: {lines[:3]}")

acts = {"decide": on_page, "undo": lambda s: s.api("/api/undo", {}).status == 200, "set": lambda _: set_label("bob"),
        "undo of another": lambda _: ppmine("label", "undo", "--coder", "bob"),
        "agreed": lambda s: s.form("/settle", {"go": "agreed"}).status == 303,
        "single": lambda s: s.form("/settle", {"go": "single", "coder": "ann"}).status == 303,
        "settle": settle_one, "merge": merge_copy, "codebook": change_codebook, "backup": from_backup}
often = ["decide", "set", "settle"] * 4 + ["undo", "undo of another"] * 2 + ["codebook", "merge"] * 2 + ["agreed", "single"]
did = dict.fromkeys(acts, 0)
with Server("t.db", "ann") as server:
    for coder in ("ann", "bob"):
        for _ in range(12):
            set_label(coder)
    ppmine("label", "set", "20", "--coder", "ann", "--relevance", "no")
    ppmine("label", "set", "21", "--coder", "ann", "--relevance", "yes")
    assert server.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    compare(server, "opening")
    for n in range(ACTS):
        act = "backup" if n == ACTS // 2 else rng.choice(often)
        did[act] += bool(acts[act](server))
        if act == "codebook" or rng.random() < 0.7:  # else several acts come together
            compare(server, act)
    compare(server, "all")
assert all(did.values()), did
PYTHON
