"""Every command of the program: whether it writes, what, and whether all at once; for the tests that cut
the power and that let calls fail. A command of --help that is not here makes them fail.

Works in the current folder. prepare() makes a study in `base`; each command gets a copy of it.
"""

import atexit
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

ROOT = os.environ["ROOT"]
PPMINE = os.environ["PPMINE"]
# The program itself: $PPMINE is a script that starts it.
PROGRAM = os.path.join(os.environ["TEST_BUILD"], "ppmine")
CODE = 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n'
CASES = ("--cases", f"{ROOT}/tests/data/bench-cases/cases")
COCODER = ("--by", "ann", "--why", "clearer")


class Command:
    """`line`: what follows ppmine -q -d p.db.
    `before`: command lines first. `files`: the names that it writes besides the database, each whole or
    not there. `parts`: it commits in parts, and the next run goes on. `answers`: what it says, or sends,
    tells that what was done until then is kept. `server`: of the API. `refuses`: the next run says that
    it is done already, or does the next thing."""

    def __init__(self, name, line, before=(), files=(), database="p.db", parts=False, answers=False, stdin=b"",
                 server=False, slow=False):
        self.name, self.line, self.before, self.files = name, line, before, files
        self.database, self.parts, self.answers, self.stdin = database, parts, answers, stdin
        self.server, self.slow = server, slow

    def arguments(self):
        return [PROGRAM, "-q", *(["-d", self.database] if self.database else []), *self.line]

    def title(self):
        return " ".join(self.line)[:60]


POST, OTHER, THIRD, FINDING = "{post}", "{other}", "{third}", "{finding}"


def w(name, *line, **more):
    return Command(name, [*name.split(), *line], **more)


WRITING = [
    w("init", database="new.db"),
    w("init", "--skeleton", "study", files=["study"], database=None),
    w("init", "--from", "--study", "guessed", "labels.csv", files=["guessed"], database=None),
    w("init", "--change", "--study", "theirs", *COCODER),
    w("fetch", "--api-url", "{api}", "--tag", "keras", "--from", "2018-01-02", "--to", "2020-12-31", "--max-wait", "0",
      parts=True, server=True),
    w("fetch", "--api-url", "{github}", "--github", "big/repo", "--rate", "0", database="forge.db", parts=True, server=True,
      before=[["-d", "forge.db", "init", "--study", "forge"]]),
    w("fetch", "--api-url", "{github}", "--urls", "links.txt", "--rate", "0", database="forge.db", parts=True, server=True,
      before=[["-d", "forge.db", "init", "--study", "forge"]]),
    w("load", "dump.xml", before=[["-d", "empty.db", "init"]], database="empty.db", parts=True),
    w("load", "more.xml", parts=True),
    w("rebuild", database="fetched.db", parts=True,
      before=[["-d", "fetched.db", "init"],
              ["-d", "fetched.db", "fetch", "--api-url", "{api}", "--tag", "keras", "--from", "2018-01-02", "--to",
               "2020-12-31", "--max-wait", "0"]], server=True),
    w("match"),
    w("serve", "--coder", "ann", "--port", "0", "--no-browser", parts=True, answers=True),
    w("label code", POST, "--coder", "eve", stdin=b"note one\nnote two\nn\nq\n", parts=True, answers=True),
    w("label set", POST, "--coder", "eve", "--problem", "yes", "--symptom", "program hang", "--note", "a note"),
    w("label undo", "--coder", "ann"),
    w("label export", "--all-coders", "-o", "sheet.csv", files=["sheet.csv"]),
    w("label export", "--all-coders", "--force", "-o", "old.xlsx", files=["old.xlsx"]),
    w("label import", "eve.csv", "--coder", "eve"),
    w("label import", "bad.csv", "--coder", "eve", "--keep-going", "rest.csv", files=["rest.csv"]),
    w("label merge", "bob.db"),
    w("label resolve", POST, "--take", "ann", "--by", "cam"),
    w("label resolve", "--agreed", "--by", "cam"),
    w("label resolve", "--single", "--take", "ann", "--by", "cam"),
    w("label discuss", POST, "--coder", "ann", "--say", "it ends after an hour"),
    w("label model", "fake", "--api-url", "{model}", "--model", "small", "--posts", "ids.txt", "--yes", parts=True,
      server=True),
    w("label discuss", "--open", "--coder", "ann"),
    w("codebook add", "waits for a lock", "--facet", "root cause", "--category", "API", "--definition", "somebody has it",
      *COCODER),
    w("codebook load", "words.csv", *COCODER),
    w("codebook define", "out of memory", "--definition", "none is left", *COCODER),
    w("codebook rename", "program hang", "endless run", *COCODER),
    w("codebook merge", "not using batch API", "--into", "not using efficient API", *COCODER),
    w("codebook split", "training", "--into", "data preparation", "--into", "evaluation", *COCODER),
    w("codebook memo", "out of memory", "of the GPU too?", "--by", "ann"),
    w("codebook memo", "--study", "--by", "cam", "-", stdin=b"two rounds,\nthen we talk\n"),
    w("screen", "--coder", "ann", "--answer", "no", THIRD, answers=True),
    w("export", "--table", "problems", "-o", "table.csv", files=["table.csv"]),
    w("export", "--qdpx", "study.qdpx", "--with-notes", "--with-memos", files=["study.qdpx"]),
    w("export", "--package", "package", "--open", "--no-plots", files=["package"]),
    w("check", "--no-config", "--project", "p", "--commit", "2", "--date", "2021-02-02", "code"),
    w("check", "--no-config", "--write-baseline", "found.csv", "code", files=["found.csv"], database=None),
    w("check", "--no-config", "--fix", "code/fix.py", files=["code"], database=None),
    w("campaign set", "reported", FINDING, "--by", "ann", "--url", "https://example.org/1"),
    w("campaign undo", FINDING, "--by", "ann", "--reason", "another",
      before=[["campaign", "set", "reported", FINDING, "--by", "ann", "--url", "https://example.org/1"]]),
    w("bench checkout", "same", "pair/of", *CASES, files=["pair"], database=None),
    w("bench run", "same", *CASES, "--python", sys.executable, "--results", "results", "--runs", "1", "--anyway",
      "--machine", "m", files=["results"], parts=True, slow=True),
    w("bench import", f"{ROOT}/tests/data/bench-results", parts=True),
    w("bench import-original", "originals", "--out", "cases/of/them", *CASES, files=["cases"], database=None),
]

# What these write is made again from what is kept, so that no power cut loses work: environments of Python.
REMADE = ["bench setup"]

# Each with a line that runs: that they write nothing is looked at, too.
READING = [
    w("keywords"), w("keywords derive", "--problems", "ids.txt"), w("sample", "--n", "3"), w("similar", "--min", "60"),
    w("stem", stdin=b"hanging\n"), w("codebook list"), w("label hints", POST), w("label next", "--coder", "eve"),
    w("label history", "--all-coders"), w("codebook history"), w("codebook memo"), w("codebook review", "--all-coders"),
    w("screen status", "--coder", "ann", "--no-cache"), w("screen estimate", "--coder", "ann", "--sample", "2", "--no-cache"),
    w("screen doubtful", "--coder", "ann", "--no-cache"), w("screen simulate", "labelled.csv", "--seeds", "1"),
    w("agree", "--all"), w("stats"), w("verify"), w("campaign list"), w("campaign scans"), w("campaign history"),
    w("campaign report"), w("bench list", *CASES), w("bench info", "same", *CASES), w("bench diff", "same", *CASES), w("bench sources", *CASES),
    w("bench test", "same", *CASES, "--python", sys.executable), w("bench report", *CASES),
    w("bench assess", "--cases", f"{ROOT}/bench/cases"), w("doctor"),
]


def listed_commands():
    """Those of --help."""
    text = quiet(["--help"]).decode().split("\nOptions:\n")[0]
    return {n for n in re.findall(r"^  ([a-z][a-z -]*[a-z])  ", text, re.M) if n != "help"}


def must_be_complete():
    """Ends the test where a command is not listed here, or one that is listed is gone."""
    known = {c.name for c in WRITING + READING} | set(REMADE)
    listed = listed_commands()
    new, gone = ", ".join(sorted(listed - known)), ", ".join(sorted(known - listed))
    if new or gone:
        sys.exit("tests/lib/writers.py: " + "; ".join(
            ([f"say of {new} whether it writes"] if new else []) + ([f"not there any more: {gone}"] if gone else [])))


def quiet(arguments, folder=".", ok=(0,)):
    done = subprocess.run([PPMINE, "-q", *arguments], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL,
                          check=False, timeout=600)
    if done.returncode not in ok:
        sys.exit(f"{arguments}: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def rows(first, last, kind="is very slow and hangs"):
    return "<posts>\n" + "".join(
        f'  <row Id="{i}" PostTypeId="1" CreationDate="2019-01-02T03:04:05.678" Score="{i}"'
        f' Body="&lt;p&gt;Post {i} {kind} on a GPU&lt;/p&gt;" Title="Title {i}" Tags="&lt;keras&gt;" />\n'
        for i in range(first, last)) + "</posts>\n"


WORDS = {}


def prepare():
    """The folder base, and what {post} and the like are."""
    os.mkdir("base")
    write("base/dump.xml", rows(1000, 1300))
    write("base/more.xml", rows(1200, 1500, "has a memory leak"))
    quiet(["-d", "p.db", "init", "--published"], "base")
    quiet(["-d", "p.db", "load", "dump.xml"], "base")
    quiet(["-d", "p.db", "match"], "base")
    with sqlite3.connect("base/p.db") as db:
        posts = [str(row[0]) for row in db.execute("SELECT post_id FROM candidate_post ORDER BY 1 LIMIT 6")]
    db.close()
    WORDS.update(post=posts[0], other=posts[1], third=posts[5])
    for coder, code in (("ann", "program hang"), ("bob", "out of memory")):
        for post in posts[:3]:
            quiet(["-d", "p.db", "label", "set", post, "--coder", coder, "--problem", "yes", "--symptom", code,
                   "--root-cause", "others", "--introducing-stage", "training", "--exposing-stage", "training"], "base")
    shutil.copy("base/p.db", "base/bob.db")
    quiet(["-d", "bob.db", "label", "set", posts[3], "--coder", "bob", "--problem", "no"], "base")
    os.mkdir("base/code")
    write("base/code/a.py", CODE)
    write("base/code/fix.py", CODE.replace("lambda r: tf.io.decode_png(r)", "tf.io.decode_png"))
    quiet(["-d", "p.db", "check", "--no-config", "--project", "p", "--commit", "1", "--date", "2021-01-01", "code"],
          "base", ok=(1,))
    with sqlite3.connect("base/p.db") as db:
        WORDS["finding"] = db.execute("SELECT finding_id FROM finding").fetchone()[0]
    db.close()
    shutil.copytree(f"{ROOT}/studies/dlperf", "base/theirs", ignore=shutil.ignore_patterns("sample"))
    with open("base/theirs/keywords.txt", "a", encoding="utf-8") as file:
        file.write("sluggish\n")
    shutil.copytree(f"{ROOT}/studies/skeleton", "base/forge")
    write("base/forge/study.ini", "name = forge\ntags = *\nsites = b1 github.com/big/repo\n")
    write("base/links.txt", "".join(f"https://github.com/big/repo/issues/{i}\n" for i in range(2, 9)))
    write("base/eve.csv", f"problem_id,is_problem,root_cause\n{posts[0]},yes,others\n{posts[1]},no,\n")
    write("base/bad.csv", f"problem_id,is_problem,root_cause\n{posts[0]},yes,others\n{posts[1]},yes,no such\n")
    write("base/ids.txt", "\n".join(posts) + "\n")
    write("base/words.csv", "facet,code,definition\nsymptom,memory leak,it grows\n")
    write("base/old.xlsx", "the sheet of before")
    write("base/labelled.csv", "id,title,body,included\n" +
          "".join(f"{i},slow {i},it is slow {i},{i % 2}\n" for i in range(8)))
    write("base/labels.csv", "link,kind\n" + "".join(f"https://github.com/a/b/issues/{i},{'xy'[i % 2]}\n" for i in range(1, 9)))
    for side in ("buggy", "fixed"):
        os.makedirs("base/originals/64246466", exist_ok=True)
        write(f"base/originals/64246466/{side}.py", "pass\n")


def start_model():
    """The server of a language model, which says no to everything; its address in {model}."""
    write("plan.json", '{"": ["no"]}')
    server = subprocess.Popen([sys.executable, f"{ROOT}/tests/lib/model_server.py", "plan.json", "model-port", os.devnull])
    atexit.register(server.kill)
    for _ in range(600):
        if os.path.exists("model-port"):
            break
        time.sleep(0.05)
    with open("model-port", encoding="ascii") as file:
        WORDS["model"] = f"http://127.0.0.1:{file.read().strip()}/v1"


def start_github():
    """A server as GitHub's; its address in {github}. It has no clock: that of {api} is used."""
    server = subprocess.Popen([sys.executable, f"{ROOT}/tests/lib/github_server.py", "--port-file", "github-port", "--issues",
                               "150"])
    atexit.register(server.kill)
    for _ in range(600):
        if os.path.exists("github-port"):
            break
        time.sleep(0.05)
    with open("github-port", encoding="ascii") as file:
        WORDS["github"] = f"http://127.0.0.1:{file.read().strip()}"


def start_server(questions=120):
    """The server of the API; its address in {api}. And those of a model and of GitHub."""
    start_model()
    start_github()
    server = subprocess.Popen([sys.executable, f"{ROOT}/tests/api/server.py", "--port-file", "port", "--generate",
                               str(questions), "--virtual-clock", "--quota", "100000000", "--nasty", ""])
    for _ in range(600):
        if os.path.exists("port"):
            break
        time.sleep(0.05)
    with open("port", encoding="ascii") as file:
        address = f"http://127.0.0.1:{file.read().strip()}"
    WORDS["api"] = address + "/2.3"
    os.environ["PPMINE_API_CLOCK"] = address + "/_clock"
    return server


def filled(command):
    """The command with the words of the study."""
    def fill(line):
        return [re.sub(r"\{(post|other|third|finding|api|github|model)\}", lambda m: WORDS[m.group(1)], word) for word in line]
    made = Command(**{**command.__dict__, "line": fill(command.line)})
    made.before = [fill(line) for line in command.before]
    return made


def fresh(command, folder):
    """The folder in which the command runs."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree("base", folder)
    for line in command.before:
        quiet([*(["-d", "p.db"] if line[0] != "-d" else []), *line], folder)


# --- what is in a database ---


def tables(db):
    return [row[0].decode() for row in db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1")]


def content(path):
    """{table: rows}, of a database that is whole; None when there is none; else ValueError."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return None
    try:
        db = sqlite3.connect(path)
        try:
            db.text_factory = bytes
            said = [row[0] for row in db.execute("PRAGMA integrity_check(3)")]
            if said != [b"ok"]:
                raise ValueError(f"integrity_check: {said}")
            if (lost := db.execute("PRAGMA foreign_key_check").fetchone()) is not None:
                raise ValueError(f"foreign_key_check: {lost}")
            return {t: sorted(map(repr, db.execute(f'SELECT * FROM "{t}"'))) for t in tables(db)}
        finally:
            db.close()
    except sqlite3.DatabaseError as e:
        raise ValueError(str(e)) from e


def difference(a, b):
    """In words, where two contents differ."""
    if a is None or b is None:
        return f"{'no database' if a is None else 'a database'} and {'none' if b is None else 'one'}"
    return ", ".join(f"{t}: {len(a.get(t, []))} and {len(b.get(t, []))} rows" for t in sorted({**a, **b})
                     if a.get(t) != b.get(t))


def lost_rows(before, after):
    """Tables of people's work of which rows of `before` are not in `after`."""
    kept = ("decision", "note", "memo", "study_change", "code_change", "api_answer", "screening", "finding_state", "bench_result")
    return [t for t in kept if not set((before or {}).get(t, [])) <= set((after or {}).get(t, []))]


LEFT = re.compile(r"-unfinished$|-journal$|-wal$")


def left_in(folder):
    return sorted(os.path.join(os.path.relpath(at, folder), name) for at, folders, names in os.walk(folder)
                  for name in folders + names if LEFT.search(name))
