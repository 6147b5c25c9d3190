"""Every command and page, with one statement of SQLite that fails: statements.py EACH SEED FAIL_SQL.SO

Of each command EACH of the different statements that it runs, chosen by SEED; EACH 0: a few commands. A statement fails
with a full disk, a fault of reading or a damaged file. After each run
- the command said so, with the exit code of a fault of the database or the disk, or did all that it is to do;
- the database is whole, and as before the command or as after it; the next run ends as without a fault; see torture.py.
A page or an act of serve says so, too, or answers as without the fault; an act is done, and the answer says so, or not, and
sent again it is done.
"""

import os
import random
import struct
import sys

import torture
import writers
from serve import Server

EACH, SEED, PRELOAD = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
RNG = random.Random(SEED)
CODES = {13: b"no space left", 10: b"could not read or write", 11: b"is damaged"}
PLAN = os.path.abspath("plan")
FAULTS = []
COUNT = {"commands": 0, "runs": 0, "failed": 0}


def plan(which, passes=0, code=13):
    with open(PLAN, "r+b" if os.path.exists(PLAN) else "wb") as file:
        file.write(struct.pack("4i", which, passes, code, 0))


def different():
    with open(PLAN, "rb") as file:
        return struct.unpack("4i", file.read())[3]


def failing(command):
    return torture.run(command, env={**os.environ, "LD_PRELOAD": PRELOAD, "FAIL_SQL": PLAN})


def one(command, what, code, known):
    done = failing(command)
    COUNT["runs"] += 1
    found = torture.faults(command, done, *known, False)
    if done.returncode != known[2] and (done.returncode < 5 or CODES[code] not in done.stderr):
        found.append(f"exit code {done.returncode}, and it says: {done.stderr.decode(errors='replace')[-300:]}")
    COUNT["failed"] += done.returncode > 4
    FAULTS.extend(f"{command.title()}: {what}: {fault}" for fault in found)


def statements(command):
    writers.fresh(command, "run")
    before = torture.sizes("run", command)
    plan(-1)
    done = failing(command)
    known, n = (before, torture.sizes("run", command), done.returncode), different()
    COUNT["commands"] += 1
    chosen = range(1, n + 1)
    for which in RNG.sample(chosen, min(EACH or 8, n)):
        passes, code = RNG.choice((0, 0, 0, 1)), RNG.choice(list(CODES))
        writers.fresh(command, "run")
        plan(which, passes, code)
        one(command, f"statement {which} of {n} fails with {code}{' in its second step' if passes else ''}", code, known)


PAGES = ["/code", "/code/{post}", "/code/{third}?problem={third}_2", "/screen?order=ranked", "/screen/{third}", "/search?words=slow",
         "/search?coder=ann&judged=yes&all=yes", "/settle", "/settle?names=hidden", "/overruled", "/agreement",
         "/agreement/confusion.json", "/results", "/results/totals.csv", "/benchmark", "/campaign", "/campaign/findings.csv",
         "/codebook", "/keys", "/api/next", "/api/posts/{post}", "/api/progress", "/api/codebook", "/api/screen?order=random",
         "/api/threads/{post}"]
LABELS = {"symptom": ["memory leak"], "root cause": ["others"]}
# Whether the settling is open, the address, and what is sent.
ACTS = [
    (False, "/api/decide", {"post_id": "#post", "is_problem": True, "codes": LABELS, "note": "a note", "reason": "why"}),
    (False, "/api/decide", {"post_id": "#third", "is_problem": False}),
    (False, "/api/undo", {}),
    (False, "/api/screen", {"post_id": "#third", "answer": "yes"}),
    (False, "/api/quote", {"post_id": "#post", "quote": "slow"}),
    (False, "/api/keys", {"what": "no", "key": "ä"}),
    (False, "/api/threads", {"subject": "{post}", "text": "it ends after an hour"}),
    (False, "/code/{post}", {"problem": "{post}", "go": "stay", "was:symptom": "", "codes:symptom": "memory leak", "note": "n"}),
    (False, "/code/{post}", {"problem": "{post}", "go": "undo"}),
    (False, "/screen", {"post": "{third}", "order": "ranked", "go": "no"}),
    (False, "/settle", {"go": "open", "sure": "yes"}),
    (True, "/settle", {"go": "agreed"}),
    (True, "/settle", {"go": "single", "coder": "ann"}),
    (True, "/settle", {"subject": "{post}", "facet": "symptom", "value": "", "other": "memory leak", "reason": "it grows"}),
    (False, "/codebook", {"go": "add", "facet": "root cause", "name": "waits for a lock", "category": "API", "definition": "held",
                          "why": "seen"}),
    (False, "/codebook", {"go": "rename", "facet": "symptom", "code": "program hang", "name": "endless run", "why": "clearer"}),
    (False, "/codebook", {"go": "merge", "facet": "symptom", "code": "program hang", "into": "memory leak", "why": "one"}),
    (False, "/codebook", {"go": "memo", "facet": "symptom", "code": "memory leak", "memo": "does it grow?"}),
]


def words(what):
    """With the posts of the study."""
    if isinstance(what, dict):
        return {key: words(value) for key, value in what.items()}
    if not isinstance(what, str):
        return what
    for name in ("post", "third"):
        if what == "#" + name:
            return int(writers.WORDS[name])
        what = what.replace("{" + name + "}", writers.WORDS[name])
    return what


def serving(is_open):
    plan(0)
    writers.fresh(writers.w("stats"), "run")
    os.environ.update(LD_PRELOAD=PRELOAD, FAIL_SQL=PLAN)
    server = Server("run/p.db", "ann")
    del os.environ["LD_PRELOAD"], os.environ["FAIL_SQL"]
    if is_open:
        assert server.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    return server


def rows():
    found = writers.content("run/p.db")
    return {table: len(found[table]) for table in found if table not in ("run", "sqlite_stat1", "sqlite_stat4")}


def arm(which, code):
    """The statements that differ are counted anew."""
    COUNT["armed"] = COUNT.get("armed", 0) + 1
    plan(-COUNT["armed"], 0, code)
    return which and plan(which, 0, code)


def said(answer, code):
    """Whether it says what failed."""
    COUNT["runs"] += 1
    COUNT["failed"] += answer.status >= 500
    return answer.status in (500, 503) and CODES[code].decode() in answer.text


def pages():
    for is_open in (False, True):
        with serving(is_open) as server:
            for path in PAGES if EACH else RNG.sample(PAGES, 2):
                path = words(path)
                good = [server.get(path) for _ in range(2)][1]
                arm(0, 0)
                same = server.get(path).text == good.text
                n = different()
                for which in RNG.sample(range(1, n + 1), min(EACH or 3, n)):
                    code = RNG.choice(list(CODES))
                    what = f"{path}, open {is_open}: statement {which} of {n} fails with {code}"
                    arm(which, code)
                    answer = server.get(path)
                    arm(0, 0)
                    if not said(answer, code) and (answer.status != good.status or same and answer.text != good.text):
                        FAULTS.append(f"{what}: status {answer.status}: {answer.text[-200:]}")
                    again = server.get(path)
                    if again.status != good.status or same and again.text != good.text:
                        FAULTS.append(f"{what}, then again: status {again.status}: {again.text[-200:]}")


def acts():
    for is_open, path, body in ACTS if EACH else RNG.sample(ACTS, 2):
        path, body = words(path), words(body)
        known = []
        for which in (0, *RNG.sample(range(1, 400), 399)):
            if known and (which > known[2] or len(known) - 3 >= (EACH or 3)):
                continue
            with serving(is_open) as server:
                send = server.api if path.startswith("/api") else server.form
                if not known:
                    known = [rows()]
                    arm(0, 0)
                    good = send(path, body)
                    known += [rows(), different()]
                    assert good.status in (200, 303), (path, body, good.status, good.text)
                    continue
                code = RNG.choice(list(CODES))
                what = f"{path} {body}: statement {which} of {known[2]} fails with {code}"
                known.append(which)
                arm(which, code)
                answer = send(path, body)
                arm(0, 0)
                now = rows()
                if not said(answer, code) and answer.status != good.status:
                    FAULTS.append(f"{what}: status {answer.status}: {answer.text[-200:]}")
                done = answer.status == good.status or "saved, but" in answer.text
                if now != known[done]:
                    FAULTS.append(f"{what}: status {answer.status}, {torture.difference(now, known[done])}")
                again = answer if done else send(path, body)
                if again.status != good.status and not done or rows() != known[1]:
                    FAULTS.append(f"{what}, then again: status {again.status}, {torture.difference(rows(), known[1])}: "
                                  f"{again.text[-200:]}")


def main():
    writers.prepare()
    server = writers.start_server()
    try:
        commands = [writers.filled(c) for c in writers.WRITING + writers.READING if c.database and not c.slow and
                    c.name not in ("serve", "bench test", "bench assess", "stem")]
        if not EACH:
            commands = RNG.sample(commands, 6)
        only = os.environ.get("ONLY", "")
        for command in [c for c in commands if c.title().startswith(only)]:
            statements(command)
        if "serve".startswith(only):
            pages()
            acts()
    finally:
        server.kill()
        print("\n".join(FAULTS[:200]))
    print(f"{COUNT['commands']} commands, {COUNT['runs']} runs, {COUNT['failed']} of them with an error, "
          f"{len(FAULTS)} faults; seed {SEED}")
    sys.exit(1 if FAULTS or not COUNT["failed"] else 0)


if __name__ == "__main__":
    main()
