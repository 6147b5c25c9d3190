"""Every command of the program, on texts that want to steer a terminal: hostile_texts.py PPMINE ROOT [PART…]

Works in the current folder. Makes a study, puts a marker into every text of its database, and into a
dump, a study folder, a project, benchmark cases, results, sheets and answers of a server; then runs
every command that --help lists, in every format that it knows, and looks at each byte of what is
printed. A command or a column of a table that this file does not know makes it fail.
"""

import http.server
import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import tty
import unicodedata

PPMINE, ROOT, *PARTS = sys.argv[1:]
WRAPPER = os.environ.get("TEST_WRAPPER", "").split()
SLOW = bool(WRAPPER)

# In front of a line: what a reader of logs would take for the program's own words.
SPOOF = "SPOOFED: all is well"
# For files that cannot have control characters, such as XML.
MILD = "M\x9b2J\u202egpj\u2066\u200f\u061c\u2028::error::x" + SPOOF
MARK = "\x1b]0;title\x07\x1b[2J\x7f" + MILD + "\r\n" + SPOOF + "\n::error file=a::b\t\x08"
# Python cannot have it in a str, but a file, a database or an argument can.
BYTES = MARK.encode() + b"\xff\xfe\xe2\x80"

FAULTS = []


def fail(where, what, out):
    FAULTS.append(f"{where}: {what}: {out[:300]!r}")


# --- what is allowed ---

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_command(character):
    return unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in BIDI


def examine(where, out, allowed="\n"):
    """`out` is bytes that a person may see."""
    try:
        text = out.decode()
    except UnicodeDecodeError as e:
        fail(where, "no UTF-8", out[max(0, e.start - 40):])
        return
    for at, character in enumerate(text):
        if is_command(character) and character not in allowed:
            fail(where, f"U+{ord(character):04X}", text[max(0, at - 60):])
            return
    for line in text.split("\n"):
        if line.startswith(SPOOF):
            fail(where, "a line that somebody else wrote", line)
        elif line.lstrip().startswith("::") and "github" not in where and "\t" not in allowed:
            fail(where, "a command of a workflow", line)


# --- running it ---

SEEN = set()


def command_of(arguments):
    words = [a for a in arguments if isinstance(a, str)]
    for n in (2, 1):
        if " ".join(words[:n]) in COMMANDS:
            return " ".join(words[:n])
    return None


def start(arguments, stdin, stdout, **options):
    return subprocess.run([*WRAPPER, PPMINE, *arguments], input=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, timeout=600, check=False, **options)


def on_terminal(arguments, stdin):
    """Standard output of a run whose standard output is a terminal."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    out = bytearray()

    def read():
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                return
            if not piece:
                return
            out.extend(piece)

    reader = threading.Thread(target=read)
    reader.start()
    done = start(arguments, stdin, theirs)
    os.close(theirs)
    reader.join()
    os.close(ours)
    return bytes(out), done


# Of what is shown as it is, line by line: a page with code, columns parted by tabs, headers.
ALLOWED = {"page": "\n\t", "tabs": "\n\t", "lsp": "\r\n"}


def look(arguments, stdin, where, kind):
    """One run; `kind` says what standard output is."""
    if kind in ("csv", "patch"): # data: as it is, but on a terminal
        done = start(arguments, stdin, subprocess.PIPE)
        if kind == "csv":
            try:
                done.stdout.decode()
            except UnicodeDecodeError:
                fail(where, "CSV that is no UTF-8", done.stdout)
        examine(where + ", on stderr", done.stderr)
        out, done = on_terminal(arguments, stdin)
        examine(where + ", on a terminal", out, "\n\t" if kind == "patch" else "\n")
    else:
        done = start(arguments, stdin, subprocess.PIPE)
        examine(where, done.stdout, ALLOWED.get(kind, "\n"))
    examine(where + ", on stderr", done.stderr)
    if done.returncode < 0 or done.returncode in (99, 134, 139):
        fail(where, f"exit code {done.returncode}", done.stderr)
    return done


def run(*arguments, stdin=b"", expect=None, kind="text", formats=True, name=None):
    """Runs a command in each format that it has; `expect` is its exit code, where that matters."""
    command = name or command_of(arguments)
    SEEN.add(command)
    known = FORMATS.get(command, []) if formats and "--format" not in arguments else []
    shown = b" ".join(a if isinstance(a, bytes) else a.encode() for a in arguments)
    where = shown.decode("utf-8", "backslashreplace").encode("unicode_escape").decode()[:120]
    if SLOW:
        known = [f for f in known if f in ("text", "json", "csv")]
    for form in [f for f in known if f != "xlsx"] or [None]:
        what = "page" if form == "html" and command == "check" else form or kind
        done = look([*arguments, *(["--format", form] if form else [])], stdin,
                    where + (f" as {form}" if form else ""), what)
        if expect is not None and done.returncode != expect:
            sys.exit(f"{where}: exit code {done.returncode}, expected {expect}: "
                     f"{done.stderr.decode(errors='replace')[-600:]}")
    return done


def quiet(*arguments, stdin=None):
    done = subprocess.run([*WRAPPER, PPMINE, "-q", *arguments], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def list_commands():
    """The commands of --help, and the formats of each."""
    listed = quiet("--help").decode().split("\nOptions:\n")[0]
    names = re.findall(r"^  ([a-z][a-z -]*[a-z])  ", listed, re.M)
    formats = {}
    for name in names:
        found = re.search(r"--format FORMAT +(.*)", quiet(*name.split(), "--help").decode()) \
            if name != "help" else None
        words = re.findall(r"\b(?:text|csv|json|ndjson|markdown|latex|html|sarif|github|xlsx)\b",
                           found.group(1)) if found else []
        formats[name] = list(dict.fromkeys(words))
    return [n for n in names if n != "help"], formats


COMMANDS, FORMATS = list_commands()

# --- a database with a marker in every text ---

# Columns that stay as they are: what they hold is checked, or commands go by it.
KEEP = {
    "study": {"key"}, "study_file": {"name", "sha256", "changed_at"},
    "run": {"command", "started_at"}, "post": {"post_type", "body_sha256"},
    "revision": {"body_sha256", "seen_at"}, "api_answer": {"method", "answered_at"},
    "api_window": {"created_from", "created_to", "active_until", "caught_up_at"},
    "api_list": {"name", "started_at"}, "api_due": {"method"}, "api_state": {"key", "value"},
    "facet": {"facet", "about", "kind", "list", "option", "benchmark", "agreement"},
    "code": {"facet"}, "code_change": {"action", "facet", "look_again"},
    "decision": {"decision_id", "decided_at", "facet", "undoes", "subject"},
    "note": {"note_id", "subject"}, "memo": {"memo_id", "written_at", "facet", "undoes"}, "judgement": {"decided_at"},
    "label": {"facet", "subject", "decided_at", "value"}, "problem": {"problem_id", "labels"},
    "problem_date": {"problem_id"}, "assessment": {"problem_id", "approach", "status"},
    "bench_setup": {"versions"}, "bench_result": {"sha256", "verdict", "problem_id", "case_sha256"},
    "bench_run": {"side", "ended", "computed", "step_seconds", "step_rss_kb", "samples",
                  "step_gpu_kb", "gpu_samples"},
    "scan": {"code_at", "options", "found_sha256", "scanned_at"},
    "finding": {"finding_id", "fingerprint"}, "finding_seen": {"finding_id", "how", "severity"},
    "finding_state": {"state_id", "finding_id", "state", "set_at", "undoes"},
    "hit": {"field"}, "post_fact": {"field"},
    "model_request": {"coder", "sent_at", "prompt_sha256"}, "model_answer": {"answered_at", "outcome"},
}
# JSON: the marker becomes a part of it.
JSON_COLUMNS = {
    ("post", "tags"): "array", ("revision", "tags"): "array", ("run", "parameters"): "object",
    ("run", "counts"): "object", ("code_change", "became"): "array", ("decision", "value"): "codes",
    ("decision", "assisted_by"): "array",
}
# What is no UTF-8, or has a control character, is no codebook, and commands say so.
CODEBOOK = {"code", "code_alias", "disambiguation"}
# Tables without a text of others.
PLAIN = {"sqlite_sequence", "sqlite_stat1", "sqlite_stat4"}


def in_json(value, kind, unique):
    """As the program writes it: only what JSON must have escaped is."""
    if value is None or kind == "codes":
        return value # names of codes: label and decision must go on fitting
    parts = json.loads(value)
    if kind == "array":
        parts.append(MARK + unique)
    else:
        parts[MARK] = MARK
    return json.dumps(parts, ensure_ascii=False)


def poison(path):
    db = sqlite3.connect(path)
    db.text_factory = bytes
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("PRAGMA legacy_alter_table = ON")
    tables = [row[0].decode() for row in db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'post_search%'")]
    done = set()
    for table in tables:
        if table in PLAIN:
            continue
        columns = [(row[1].decode(), row[2], row[5]) for row in db.execute(f"PRAGMA table_info({table})")]
        for column, type_, is_key in columns:
            if type_ != b"TEXT" or column in KEEP.get(table, ()):
                continue
            kind = JSON_COLUMNS.get((table, column))
            if kind:
                db.create_function("in_json", 2, lambda v, n, k=kind: in_json(
                    v.decode() if isinstance(v, bytes) else v, k, str(n)))
                db.execute(f"UPDATE {table} SET {column} = in_json({column}, rowid)")
            else:
                # The same text gets the same marker, so that keys still fit.
                db.execute(f"UPDATE {table} SET {column} = CAST(coalesce({column}, '') || ? AS TEXT)"
                           f" WHERE {column} IS NOT NULL OR {int(not is_key)}",
                           (MILD.encode() if table in CODEBOOK else BYTES,))
            if db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0:
                done.add(f"{table}.{column}")
    for key in ("name", "title"):
        db.execute("UPDATE study SET value = CAST(? AS TEXT) WHERE key = ?", (BYTES, key))
    db.commit()
    db.close()
    return done


# In `study` most values are settings: those that are not are above.
KEEP["study"].add("value")
KEEP["study_file"].add("content")
KEEP["coder"] = set()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


HOSTILE_NAME = b"n\x1b[31m\xc2\x9b\xe2\x80\xae\xff\n" + SPOOF.replace("/", "").encode()
CODE = 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n'

XML = MILD.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
DUMP = f"""<posts>
  <row Id="701" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000" Score="1" Title="training hangs {XML}"
   Tags="&lt;keras&gt;&lt;{XML}&gt;" OwnerDisplayName="{XML}" ContentLicense="{XML}"
   Body="&lt;p&gt;it is very slow {XML} &amp;#27;[2J batch size 32&lt;/p&gt;&lt;pre&gt;&lt;code&gt;x {XML}&lt;/code&gt;&lt;/pre&gt;" />
  <row Id="702" PostTypeId="2" ParentId="701" CreationDate="2019-{XML}" Body="{XML} slow" />
  <row Id="{XML}" PostTypeId="1" Title="{XML}" Tags="&lt;keras&gt;" Body="slow" />
  <row Id="703" PostTypeId="1" CreationDate="{XML}" Title="{XML}" Tags="&lt;keras&gt;" Body="slow" />
  <row Id="704" PostTypeId="1" Title="broken &#27; &nosuch;" Tags="&lt;keras&gt;" Body="slow" {XML}="" />
</posts>
"""


def make_study():
    """Everything that a study can hold, made by the program itself where it can."""
    quiet("-d", "study.db", "init", "--published")
    write("Posts.xml", DUMP)
    quiet("-d", "study.db", "load", f"{ROOT}/studies/dlperf/sample/Posts.xml")
    subprocess.run([PPMINE, "-q", "-d", "study.db", "load", "Posts.xml"], check=False,
                   stderr=subprocess.DEVNULL)
    quiet("-d", "study.db", "match")
    posts = [str(row[0]) for row in sqlite3.connect("study.db").execute(
        "SELECT post_id FROM candidate_post ORDER BY post_id LIMIT 4")]
    for coder, code in (("ann", "program hang"), ("bob", "out of memory")):
        for post in posts:
            quiet("-d", "study.db", "label", "set", post, "--coder", coder, "--problem", "yes",
                  "--symptom", code, "--root-cause", "others", "--introducing-stage", "training",
                  "--exposing-stage", "training", "--note", "a note", "--reason", "why")
    quiet("-d", "study.db", "label", "set", posts[0], "--coder", "cy", "--problem", "no")
    quiet("-d", "study.db", "codebook", "rename", "program hang", "hangs for ever", "--by", "ann",
          "--why", "clearer")
    quiet("-d", "study.db", "codebook", "define", "out of memory", "--definition", "none is left",
          "--by", "ann", "--why", "clearer")
    quiet("-d", "study.db", "codebook", "memo", "training", "a memo", "--by", "ann")
    quiet("-d", "study.db", "codebook", "memo", "--study", "a memo", "--by", "bob")
    quiet("-d", "study.db", "bench", "import", f"{ROOT}/tests/data/bench-results")
    os.makedirs("project")
    write("project/a.py", CODE)
    for commit in ("1", "2"):
        subprocess.run([PPMINE, "-q", "-d", "study.db", "check", "--no-config", "--project", "p",
                        "--commit", commit, "--date", f"2021-01-0{commit}", "project"], check=False,
                       stdout=subprocess.DEVNULL)
    finding = sqlite3.connect("study.db").execute("SELECT finding_id FROM finding").fetchone()[0]
    quiet("-d", "study.db", "campaign", "set", "reported", finding, "--by", "ann", "--reason", "why",
          "--url", "https://example.org/1")
    shutil.copy("study.db", "clean.db")
    shutil.copy("study.db", "other.db")
    poisoned = poison("study.db")
    for column in ("post.title", "post.tags", "coder.coder", "code.name", "decision.reason",
                   "code_change.reason", "bench_setup.machine", "finding.file", "keyword.keyword",
                   "candidate_post.keywords", "post_fact.value", "note.text", "memo.text", "project.project",
                   "finding_seen.message", "finding_state.reason", "run.source"):
        if column not in poisoned:
            sys.exit(f"{column}: no marker was put there; the study has no row, or the column is gone")
    return posts, finding


# --- the commands ---


def database_commands(posts, finding):
    """Those that read the database."""
    db = ("-d", "study.db")
    coder = b"ann" + BYTES

    def on(*arguments, **options):
        words = [a for a in arguments if isinstance(a, str)]
        name = next(n for n in (" ".join(words[:2]), words[0]) if n in COMMANDS)
        return run(*db, *arguments, name=name, **options)

    on("keywords", expect=0)
    on("similar", "--min", "50", expect=None)
    on("similar", "--of", MARK)
    on("similar", "--related", expect=None)
    on("keywords", "--keywords", write("keywords.txt", "slow\nrun " + MARK), expect=None)
    write("problems.txt", "\n".join(posts))
    on("keywords", "derive", "--problems", "problems.txt", expect=0)
    on("keywords", "derive", "--problems", write("wrong.txt", "1\n" + MARK))
    on("sample", "--n", "3", "--of", "problems", expect=0)
    on("sample", "--n", "3", "--stratify", "tag", expect=0)
    on("sample", "--n", "3", "--assign", b"ann," + BYTES.replace(b",", b" "), expect=None)
    on("sample", "--n", "3", "--assign", "ann,bob", "--overlap", MARK)
    on("sample", "--n", "1", "--of", "outside", expect=None)
    on("keywords", "derive", "--problems", "problems.txt", "--outside",
       write("judged.csv", "post_id,is_problem\n1," + MARK + "\n"))
    on("sample", "--n", "3", "--exclude", write("exclude.txt", MARK + "\n"))
    on("codebook", "list", expect=0)
    on("codebook", "list", "--code", b"out of memory" + BYTES)
    on("codebook", "history", expect=0)
    on("label", "history", "--all-coders", expect=0)
    on("label", "history", "--coder", coder)
    on("label", "hints", "701", expect=0)
    on("label", "hints", "--text", "Posts.xml")
    on("label", "hints", "--all", expect=0)
    on("label", "hints", "701", "--hints", write("hints.csv", "facet,code,pattern\nx," + MARK + ",(\n"))
    on("codebook", "review", "--all-coders")
    on("codebook", "review", "--coder", coder)
    on("label", "next", "--coder", "eve", expect=0)
    on("label", "next", "--coder", "eve", "701", expect=0)
    on("label", "next", "--coder", coder)
    on("label", "code", "--coder", "eve", stdin=BYTES.replace(b"\n", b" ") + b"\n?\ni\n\xff\nk\n", formats=False,
       expect=0)
    on("label", "code", "701", "--coder", coder, stdin=b"note " + BYTES.replace(b"\n", b" ") + b"\n.\n", formats=False)
    on("label", "export", "--all-coders", expect=0)
    on("label", "export", "--coder", "eve", "--template", expect=0)
    on("label", "export", "--all-coders", "-o", "sheet.xlsx", "--format", "xlsx", expect=None)
    on("label", "discuss", posts[0], "--coder", "eve", "--say", MARK, formats=False, expect=0)
    on("label", "discuss", "--coder", "eve", expect=0)
    on("label", "model", "qwen", "--api-url", MARK, "--model", MARK, "--yes")
    on("label", "model", MARK, "--api-url", "http://127.0.0.1:1/v1", "--model", "small")
    on("label", "model", "qwen", "--api-url", "http://127.0.0.1:1/v1", "--model", MARK, "--show-prompt", "701", expect=None)
    on("label", "model", "qwen", "--api-url", "http://127.0.0.1:1/v1", "--model", MARK, stdin=b"")
    on("label", "model", "qwen", "--api-url", "http://127.0.0.1:1/v1", "--model", "small", "--max-cost", MARK, "--prices", "1,1")
    on("screen", "simulate", "two.csv", "--model", MARK)
    on("agree", "--all", "--runs-of", MARK)
    on("label", "resolve", "--all", expect=0)
    on("label", "resolve", "--single")
    on("label", "resolve", "--single", "--take", coder, "--by", "eve", "--dry-run")
    on("label", "resolve", "--by", "eve", formats=False)
    on("label", "resolve", "--interactive", "--by", "eve", stdin=BYTES.replace(b"\n", b" ") + b"\n?\ns\nq\n",
       formats=False)
    on("label", "resolve", posts[0], "--take", coder, "--by", "eve", formats=False)
    on("agree", "--all", "--confusion", "--per-code", "--disagreements", expect=0)
    on("agree", "symptom", "--coders", b"ann" + BYTES + b",bob" + BYTES)
    write("two.csv", f'id,"a{MARK}",b\n1,"x{MARK}",y\n2,"x{MARK}","x{MARK}"\n3,y,y\n')
    on("agree", "--csv", "two.csv", "--columns", f"a{MARK},b", "--confusion", "--per-code",
       "--disagreements", expect=0)
    on("agree", "--csv", write("bad.csv", b'id,a,b\n1,"' + BYTES), "--columns", "a,b")
    write("claims.csv", "where,statistic,arguments,value,tolerance\n" + "".join(
        f'"{MARK}",{what},"{of}",1,\n' for what, of in (("problems", f"symptom = {MARK}"), ("posts", f"by {MARK}"),
                                                        ("posts", ""), ("cell", f"{MARK}; {MARK}; n"))))
    on("verify", "claims.csv", expect=None)
    on("verify", write("bad-claims.csv", f"where,statistic,arguments,value,tolerance\n{MARK},{MARK},,1,\n"))
    on("stats", expect=0)
    on("stats", "--rq", "1", "--by", "tag", expect=0)
    on("match", "--limit", "5", expect=0)
    on("export", "--list", expect=0)
    for table in re.findall(r"(?m)^(\w+),", quiet("export", "--list", "--format", "csv").decode())[1:]:
        on("export", "--table", table, expect=0)
    on("export", "--qdpx", b"q" + HOSTILE_NAME, "--with-notes", "--with-memos", expect=0, formats=False)
    on("export", "--qdc", "study.qdc", expect=0, formats=False)
    run("-d", "q.db", "init", "--from", "--study", "q", b"q" + HOSTILE_NAME, name="init")
    run("-d", "q.db", "init", "--study", "q", "--published", b"q" + HOSTILE_NAME, name="init")
    run("init", "--from", "--study", "q2", write(b"bad" + HOSTILE_NAME, '<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes>'
        f'<Code guid="{MARK}" name="x" isCodable="true"/></Codes></CodeBook>'), name="init")
    on("export", "--package", "package", "--open", "--no-plots", formats=False)
    for page in ("README.md", "DATA_DICTIONARY.md", "statistics/stats.txt", "statistics/agreement.txt"):
        if os.path.exists("package/" + page):
            examine("package/" + page, open("package/" + page, "rb").read())
    def screen(*arguments, **options):
        # A question whose site has a marker is none of this site, so the database is as it was loaded.
        words = [w for w in arguments[:1] if w in ("status", "estimate", "doubtful")]
        run("-d", "clean.db", "screen", *arguments, name=" ".join(["screen", *words]), **options)

    screen("--coder", "eve", "--next", expect=0)
    screen("--coder", "eve", "701", "--answer", "no", expect=0)
    screen("--coder", coder, "--next")
    screen("--coder", "eve", "--posts", write("posts.txt", "701\n" + MARK), "--next")
    screen("status", "--coder", "eve")
    screen("status", "--coder", coder)
    screen("status", "--coder", coder, "--from")
    screen("estimate", "--coder", "eve", "--sample", "1")
    screen("estimate", "--coder", "eve", "--from")
    screen("doubtful", "--coder", "eve")
    on("serve", "--coder", "eve", "--no-browser", "--port", MARK, formats=False)
    on("serve", "--coder", coder, "--no-browser", "--posts", "posts.txt", "--host", MARK, formats=False)
    on("campaign", "list", expect=0)
    on("campaign", "scans", expect=0)
    on("campaign", "history", expect=0)
    on("campaign", "report", expect=0)
    on("campaign", "set", "confirmed", finding, "--by", BYTES.replace(b"\0", b""), formats=False)
    on("campaign", "set", "confirmed", finding, "--by", "eve", "--reason", MARK, "--url", MARK)
    on("campaign", "undo", finding, "--by", "eve", "--reason", MARK)
    on("campaign", "undo", MARK, "--by", MARK)
    cases = ("--cases", f"{ROOT}/tests/data/bench-cases/cases")
    on("bench", "list", *cases, expect=0)
    on("bench", "report", *cases, expect=0)
    on("bench", "sources", *cases)
    shutil.copytree(f"{ROOT}/tests/data/bench-cases/cases/same", f"of-posts/{posts[1]}")
    ini = open(f"of-posts/{posts[1]}/case.ini", encoding="utf-8").read()
    with open(f"of-posts/{posts[1]}/case.ini", "w", encoding="utf-8") as file:
        file.write(ini.replace("problem_id = same", f"problem_id = {posts[1]}"))
    on("bench", "sources", "--cases", "of-posts", expect=0)
    on("bench", "sources", MARK, *cases)
    on("bench", "report", "--compare", MARK, "x", *cases)
    on("fetch", "--status", expect=0)
    on("fetch", "--images", "--tag", MARK, expect=2)
    on("label", "set", posts[1], "--coder", "eve", "--problem", "yes", "--symptom", MARK)
    on("label", "set", posts[1], "--coder", "eve", "--problem", "no", "--note", MARK, expect=0)
    on("label", "undo", "--coder", "eve", expect=0)
    on("label", "undo", "--coder", coder)
    on("label", "set", MARK, "--coder", MARK, "--problem", "no")
    on("codebook", "add", MARK, "--facet", "symptom", "--category", MARK, "--by", "eve", "--why", MARK)
    on("codebook", "add", "x" + MILD, "--facet", "symptom", "--category", MARK, "--by", "eve",
       "--why", MARK, "--definition", MARK)
    on("codebook", "rename", MARK, MARK, "--by", "eve", "--why", MARK)
    on("codebook", "rename", b"training" + BYTES, "x", "--by", "eve", "--why", MARK)
    marked = write("marked.csv", f'facet,code,definition\nsymptom,"memory leak{MILD}","{MARK}"\nsymptom,"{MARK}",x\n"{MARK}",x,x\n')
    on("codebook", "load", marked, "--by", "eve", "--why", MARK, expect=0)
    on("codebook", "define", MARK, "--definition", MARK, "--by", "eve", "--why", MARK)
    on("codebook", "memo", MARK, MARK, "--by", "eve")
    on("codebook", "memo", "--study", MILD, "--by", "eve", expect=0)
    on("codebook", "memo", "--study", "-", "--by", "eve", stdin=BYTES, expect=3, formats=False)
    on("codebook", "memo", expect=0)
    on("codebook", "merge", MARK, "--into", MARK, "--by", "eve", "--why", MARK)
    on("codebook", "split", MARK, "--into", MARK, "--into", MARK, "--by", "eve", "--why", MARK)


def file_commands(posts):
    """Those that read files of others."""
    new = iter(range(1000))

    def fresh(*how):
        path = f"fresh{next(new)}.db"
        quiet("-d", path, "init", *how)
        return path

    dump = write(b"dump" + HOSTILE_NAME + b".xml", DUMP)
    run("-d", fresh(), "load", dump, name="load", expect=0)
    run("-d", fresh(), "load", b"missing" + HOSTILE_NAME, name="load")
    run("-d", fresh(), "load", write("broken.xml", DUMP[:-300].encode() + BYTES), name="load")
    run("-d", fresh(), "load", "-", stdin=BYTES, name="load")
    os.makedirs("packed", exist_ok=True)
    write(b"packed/" + HOSTILE_NAME + b".xml", DUMP)
    if shutil.which("7z"):
        subprocess.run(["7z", "a", "-bd", "x.7z", b"packed/" + HOSTILE_NAME + b".xml"], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if os.path.exists("x.7z"):
            run("-d", fresh(), "load", "x.7z", name="load")
    run("match", "--stdin", stdin=DUMP.encode(), formats=False)
    rows = [{"id": 1, "title": "hangs " + MARK, "body": "<p>very slow " + MARK}, {"id": MARK}, MARK]
    run("match", "--stdin", stdin="\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(),
        formats=False)
    run("match", "--stdin", "--keywords", write(b"k" + HOSTILE_NAME, "slow\n" + MILD + "\n"),
        stdin=DUMP.encode(), formats=False)
    run("stem", stdin=BYTES)
    run("stem", "--tokens", stdin=BYTES, kind="tabs")

    # A study of somebody else.
    study = b"study" + HOSTILE_NAME
    os.makedirs(study)
    write(study + b"/study.ini", f"name = s{MILD}\ntitle = {MILD}\nsite = stackoverflow\ntags = keras\n")
    write(study + b"/keywords.txt", f"slow\nhang {MILD}\n")
    write(study + b"/codebook.csv", "facet,category,code,short_name,definition,aliases\n"
          f'symptom,"T{MILD}","slow {MILD}",,"{MARK}",\nsymptom,"T{MILD}",hang,,,\nstage,,training,,,\n'
          f'root cause,"A{MILD}",bug,,,\n')
    write(study + b"/disambiguation.csv", "facet,code,versus,rule\n"
          f'symptom,hang,"slow {MILD}","{MARK}"\n')
    write(study + b"/categories.csv", f'facet,category,definition\n"{MARK}",x,\nsymptom,"{MARK}","{MARK}"\n')
    write(study + b"/campaign.csv", f'what,n,checker,project,url\nfixed,1,,,\nfixed,1,"{MARK}","{MARK}","{MARK}"\n')
    run("-d", "s.db", "init", "--study", study, name="init")
    if os.path.exists("s.db"):
        run("-d", "s.db", "keywords", name="keywords")
        run("-d", "s.db", "codebook", "list", name="codebook list")
        run("-d", "s.db", "codebook", "list", "--code", "hang", name="codebook list")
        run("-d", "s.db", "codebook", "list", "--report", name="codebook list")
        run("-d", "s.db", "codebook", "list", "--categories", name="codebook list")
        run("-d", "s.db", "campaign", "report", "--table", "campaign-listed", name="campaign report")
        run("-d", "s.db", "campaign", "report", "--table", "campaign-published", name="campaign report")
    for file, content in (("study.ini", f"name = x\ntags = keras\n{MARK} = 1\n"),
                          ("study.ini", f"name = x\ntags = keras\nstemmer = {MARK}\n"),
                          ("study.ini", BYTES), ("keywords.txt", BYTES),
                          ("codebook.csv", f'facet,category,code,short_name,"d{MARK}",aliases\n'),
                          ("categories.csv", f'facet,category,"{MARK}"\n'), ("categories.csv", BYTES),
                          ("campaign.csv", f'what,n,checker,project,url\n"{MARK}",1,,,\n'), ("campaign.csv", BYTES),
                          ("codebook.csv", f'facet,category,code,short_name,definition,aliases\n"{MARK}",,x,,,\n'),
                          ("hints.csv", f'facet,code,pattern,weight\nsymptom,"{MARK}",(,1\n'),
                          ("disambiguation.csv", f'facet,code,versus,rule\nsymptom,"{MARK}",hang,x\n')):
        shutil.rmtree("wrong", ignore_errors=True)
        shutil.copytree(study, b"wrong")
        write("wrong/" + file, content)
        if os.path.exists("w.db"):
            os.remove("w.db")
        run("-d", "w.db", "init", "--study", "wrong", name="init")
    for file in ("problems", "identification", "coding", "assessment"):
        shutil.rmtree("wrong", ignore_errors=True)
        shutil.copytree(f"{ROOT}/studies/dlperf", "wrong")
        rows = open(f"{ROOT}/studies/dlperf/{file}.csv", encoding="utf-8").read().split("\n")
        write(f"wrong/{file}.csv", "\n".join([rows[0], ",".join(f'"{MARK}"' for _ in rows[0].split(","))]))
        if os.path.exists("w.db"):
            os.remove("w.db")
        run("-d", "w.db", "init", "--study", "wrong", "--published", name="init")
    write("theirs.csv", f'link,"{MARK}",kind by\n' + "".join(
        f'https://github.com/a/b/issues/{n},"{MARK}{n % 3}","{MARK}"\n' for n in range(1, 9)))
    shutil.rmtree("theirs", ignore_errors=True)
    run("init", "--from", "--study", "theirs", "theirs.csv", name="init")
    run("init", "--library", MARK, "theirs.csv", name="init")
    run("-d", "library.db", "init", "--library", "green-gpt", "theirs.csv", name="init")
    run("-d", "theirs.db", "init", "--study", "theirs", "--published", "theirs.csv", name="init")
    run("-d", b"no/folder" + HOSTILE_NAME, "init", name="init")

    # Sheets of coders.
    sheet = f'problem_id,is_problem,symptom1,decided_at\n{posts[0]},yes,"{MARK}","{MARK}"\n"{MARK}",no,,\n'
    run("-d", "other.db", "label", "import", write(b"sheet" + HOSTILE_NAME, sheet), "--coder", "eve",
        name="label import")
    run("-d", "other.db", "label", "import", write("sheet.csv", sheet), "--coder", "eve", "--keep-going",
        b"bad" + HOSTILE_NAME, name="label import")
    run("-d", "other.db", "label", "import", write("head.csv", f'problem_id,"{MARK}"\n'), "--coder", "eve",
        name="label import")
    run("-d", "other.db", "label", "import", write("bytes.csv", b"problem_id,is_problem\n" + BYTES),
        "--coder", MARK, name="label import")
    run("-d", "other.db", "label", "import", "bytes.csv", "--coder", "eve", "--encoding", MARK, name="label import")
    run("-d", "other.db", "label", "import", write("notes.csv", f'problem_id,note\n{posts[0]},"{MARK}"\n"{MARK}",x\n'),
        "--coder", "eve", "--only-notes", name="label import")
    run("-d", "other.db", "label", "import", "sheet.csv", "--coder", "eve", "--only-notes", name="label import")
    run("-d", "other.db", "label", "import", "sheet.csv", "--coder", "eve", "--map", f"{MARK}=post_id",
        name="label import")
    # A copy of the study that says other things.
    run("-d", "other.db", "label", "merge", "study.db", name="label merge")
    run("-d", "other.db", "label", "merge", write(b"db" + HOSTILE_NAME, BYTES), name="label merge")
    run("-d", "clean.db", "label", "merge", "--dry-run", "other.db", name="label merge", expect=0)
    run("-d", write("none.db", BYTES * 100), "stats", name="stats")


def check_commands():
    project = b"project" + HOSTILE_NAME
    os.makedirs(project)
    write(project + b"/" + HOSTILE_NAME + b".py", CODE + f"# {MARK}\n")
    write(project + b"/::error file=a::b.py", CODE.encode() + b"# \x1b[31m\xc2\x9b\xe2\x80\xae\n")
    write(project + b"/broken" + HOSTILE_NAME + b".py", CODE.encode() + b"x = '" + BYTES)
    cells = [{"cell_type": "code", "source": [CODE + "# " + MARK], "metadata": {}, "outputs": []}]
    write(project + b"/nb" + HOSTILE_NAME + b".ipynb", json.dumps({"cells": cells, "nbformat": 4,
          "nbformat_minor": 5, "metadata": {"language_info": {"name": "python" }}}, ensure_ascii=False))
    write(project + b"/bad" + HOSTILE_NAME + b".ipynb", b"{" + BYTES)
    os.symlink(b"/nowhere", project + b"/link" + HOSTILE_NAME + b".py")
    run("check", "--no-config", project, expect=1)
    run("check", "--no-config", "--diff", project, kind="patch", formats=False)
    run("check", "--no-config", "--diff", "--format", "html", project, kind="page")
    run("check", "--no-config", "--statistics", project, formats=False)
    run("check", "--no-config", "--write-baseline", b"base" + HOSTILE_NAME, project, formats=False)
    run("check", "--no-config", "--baseline", b"base" + HOSTILE_NAME, project)
    examine("a baseline", open(b"base" + HOSTILE_NAME, "rb").read())
    run("check", "--no-config", "--baseline", write("wrong.base", "fingerprint,rule,file,message\n" + MARK),
        project, formats=False)
    run("check", "--no-config", "--profile", write("profile.json", json.dumps(
        {"elapsed_time_sec": 1, "files": {"x/::error file=a::b.py": {"lines": [{"lineno": 3, "n_cpu_percent_c": 50}]},
                                          MARK: {"lines": [{"lineno": 1, "line": MARK, "n_cpu_percent_c": 50}]}}})),
        project, expect=1)
    run("check", "--no-config", "--profile", write("wrong.json", '{"' + MILD + '": 1'), project, formats=False)
    for place in ("PP301", MARK, "PP301:" + MARK + ":1", MARK + ":2"):
        run("check", "--no-config", "--why-not", place, project, formats=False)
    run("check", "--no-config", "--why-not", b"PP604:" + project + b"/::error file=a::b.py:2", project, formats=False)
    run("check", "--select", MARK, "project", formats=False)
    run("check", "--explain", MARK, formats=False)
    run("check", "--rules", formats=False)
    run("check", "-", "--stdin-name", MARK, stdin=CODE.encode() + BYTES)
    run("check", b"missing" + HOSTILE_NAME, formats=False)
    for config in (f"[tool.ppmine]\n\"{MARK}\" = 1\n", "[tool.ppmine]\nselect = [\"" + MILD + "\"]\n",
                   b"[tool.ppmine]\nselect = " + BYTES, f"[tool.ppmine]\nimpact = \"{MILD}\"\n"):
        write(project + b"/pyproject.toml", config)
        run("check", b".", formats=False) if False else None
        done = subprocess.run([*WRAPPER, PPMINE, "check", "."], cwd=project, capture_output=True,
                              check=False, timeout=600)
        examine("check with pyproject.toml", done.stderr)
        examine("check with pyproject.toml", done.stdout)
    os.remove(project + b"/pyproject.toml")
    run("-d", "clean.db", "check", "--no-config", "--project", MARK, "--commit", MARK, project,
        name="check", formats=False)
    run("-d", "clean.db", "check", "--no-config", "--project", "q", "--commit", "1", "--date", "2021-01-01",
        project, name="check")
    run("check", "--no-config", "--fix", project, formats=False)
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    opened = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": "file:///x/" + MARK, "languageId": "python", "version": 1, "text": CODE + "# " + MARK}}},
        ensure_ascii=False)
    ended = [json.dumps({"jsonrpc": "2.0", "id": 2, "method": MARK}),
             json.dumps({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
             json.dumps({"jsonrpc": "2.0", "method": "exit"})]
    talk = "".join(f"Content-Length: {len(m.encode())}\r\n\r\n{m}" for m in [message, opened, *ended])
    run("check", "--lsp", stdin=talk.encode(), kind="lsp", formats=False)


def bench_commands():
    ini = open(f"{ROOT}/tests/data/bench-cases/cases/same/case.ini", encoding="utf-8").read()
    os.makedirs("cases/same")
    write("cases/same/case.ini", re.sub(r"(?m)^(summary|fix|reason) =.*", r"\1 = " + MILD, ini))
    for side in ("buggy", "fixed"):
        write(f"cases/same/{side}.py", "import sys\nsys.stderr.buffer.write(" + repr(BYTES) +
              ")\nsys.stdout.buffer.write(" + repr(b"ppcase " + BYTES) + ")\nsys.exit(3)\n")
    os.makedirs("cases/wrong")
    write("cases/wrong/case.ini", ini.replace("metric = ", "metric = " + MILD))
    run("bench", "list", "--cases", "cases")
    shutil.rmtree("cases/wrong")
    run("bench", "list", "--cases", "cases", expect=0)
    run("bench", "list", "--cases", b"no" + HOSTILE_NAME)
    run("bench", "run", "same", "--cases", "cases", "--python", sys.executable, "--results", "results",
        "--runs", "1", "--anyway", "--machine", "m", formats=not SLOW)
    run("bench", "run", MARK, "--cases", "cases", formats=False)
    run("bench", "run", "--cases", "cases", "--python", b"python" + HOSTILE_NAME, "--machine", MARK,
        formats=False)
    run("bench", "report", "--cases", "cases", "--results", "results")
    write("cases/same/buggy.py", CODE + "# " + MARK)
    write("cases/same/fixed.py", CODE + "# fixed\n" + MARK)
    run("bench", "info", "same", "--cases", "cases", expect=0)
    run("bench", "info", MARK, "--cases", "cases")
    run("bench", "test", "same", "--cases", "cases", "--python", sys.executable, expect=None)
    run("bench", "test", "same", b"no" + HOSTILE_NAME, "--cases", "cases", "--python", sys.executable)
    os.makedirs(b"original" + HOSTILE_NAME, exist_ok=True)
    run("bench", "import-original", b"original" + HOSTILE_NAME, "--cases", "cases", expect=None)
    run("bench", "diff", "same", "--cases", "cases", kind="patch", expect=0)
    run("bench", "checkout", "same", b"out" + HOSTILE_NAME, "--cases", "cases", expect=0)
    run("bench", "checkout", "same", b"out" + HOSTILE_NAME, "--cases", "cases")
    for output, command in (("lines", "cat {file} tool.txt"), ("json", "cat {file}"), ("sarif", "cat tool.json; : {file}")):
        write("tool.txt", f"a:1: P1{MARK}\n{MARK}:2:3: {MARK}\n")
        write("tool.json", json.dumps({"runs": [{"results": [{"ruleId": MARK, "locations": [
            {"physicalLocation": {"region": {"startLine": 1}}}]}]}]}, ensure_ascii=False))
        write("tool.ini", f"[tool]\nname = {MILD}\ncommand = cd {os.getcwd()} && {command.replace('{file}', '$OLDPWD/{file}')}\noutput = {output}\n")
        run("bench", "assess", "--tool", "tool.ini", "--cases", "cases")
    os.makedirs("results/assessment", exist_ok=True)
    write("results/assessment/same.json", json.dumps({"format": 1, "xla": {"status": MARK}}))
    run("bench", "assess", "--cases", "cases", "--results", "results")
    os.remove("results/assessment/same.json")
    run("bench", "assess", "--cases", "cases", "--results", "results")

    near = json.load(open(f"{ROOT}/tests/data/bench-results/near.json", encoding="utf-8"))

    def marked(value, key=None):
        if isinstance(value, dict):
            return {k: marked(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [marked(v, key) for v in value]
        fixed = ("verdict", "metric", "unit", "date", "ended", "digest", "problem_id")
        return value + MARK if isinstance(value, str) and key not in fixed else value

    strange = b"theirs" + HOSTILE_NAME
    os.makedirs(strange)
    write(strange + b"/near" + HOSTILE_NAME + b".json", json.dumps(marked(near), ensure_ascii=False))
    write(strange + b"/near.json", json.dumps({**near, "problem_id": "near" + MARK, "why": MARK}))
    write(strange + b"/broken.json", b"{" + BYTES)
    write(strange + b"/verdict.json", json.dumps({**near, "verdict": MARK}))
    run("-d", "clean.db", "bench", "import", strange, name="bench import")
    run("-d", "clean.db", "bench", "import", strange, "--machine", MARK, name="bench import")
    run("-d", "clean.db", "bench", "report", "--cases", "cases", name="bench report")
    run("-d", "clean.db", "doctor", name="doctor")
    run("bench", "report", "--cases", "cases", "--results", strange)
    run("bench", "setup", "--dir", b"env" + HOSTILE_NAME, "--python", b"python" + HOSTILE_NAME)
    script = write(b"py" + HOSTILE_NAME, b"#!/bin/sh\nprintf '\\033[2J\\302\\233\\342\\200\\256\\377\\n' >&2\nexit 1\n")
    os.chmod(script, 0o755)
    run("bench", "setup", "--dir", b"env" + HOSTILE_NAME, "--python", os.path.abspath(os.fsdecode(script)).encode(
        "utf-8", "surrogateescape"), "--requirements", write("req.txt", MARK))


class Server(http.server.BaseHTTPRequestHandler):
    """An API whose every text is hostile."""

    answers = 0

    def do_GET(self):
        Server.answers += 1
        question = {"question_id": 900, "title": "hangs " + MARK, "body": f"<p>very slow {MARK}</p>",
                    "tags": ["keras", MARK], "creation_date": 1546300800, "last_activity_date": 1546300800,
                    "content_license": MARK, "link": MARK, "score": 1,
                    "owner": {"display_name": MARK, "user_type": MARK, "user_id": 5, "link": MARK}}
        body = {"items": [question], "has_more": False, "quota_max": 300, "quota_remaining": 200}
        status = 200
        if Server.answers % 4 == 0:
            status, body = 400, {"error_id": 405, "error_name": MARK, "error_message": MARK}
        if Server.answers % 7 == 0:
            body = [MARK]
        if "/repos/" in self.path:
            status, body = self.forge()
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status, MILD.encode("latin-1", "replace").decode("latin-1"))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Marker", "\x1b[2J")
        self.end_headers()
        self.wfile.write(data)

    def forge(self):
        """What GitHub says of a repository, and of an issue."""
        issue = {"number": 5, "node_id": MARK, "title": "hangs " + MARK, "body": MARK, "labels": [{"name": MARK}],
                 "html_url": f"https://github.com/a/b/issues/5{MARK}", "created_at": MARK, "comments": 0,
                 "user": {"login": MARK, "id": 7, "html_url": MARK}}
        if "/issues/" in self.path:
            return 451, {"message": MARK}
        return 200, [issue, {**issue, "created_at": "2019-01-01T00:00:00Z"}, MARK]

    def log_message(self, *_):
        pass


def api_commands():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/2.3"
    quiet("-d", "api.db", "init")
    for tag in ("keras", "python"):
        run("-v", "-d", "api.db", "fetch", "--api-url", url, "--tag", tag, "--from", "2019-01-01", "--to",
            "2019-01-02", "--max-wait", "0", name="fetch")
    run("-d", "api.db", "fetch", "--api-url", url, "--tag", MARK, "--max-wait", "0", name="fetch")
    run("-d", "api.db", "fetch", "--api-url", "http://" + MILD, name="fetch", formats=False)
    run("-d", "api.db", "fetch", "--api-url", url, "--ids", write("ids.txt", "900\n" + MARK), name="fetch")
    run("-d", "api.db", "fetch", "--status", name="fetch", expect=0)
    shutil.copytree(f"{ROOT}/studies/skeleton", "forge")
    with open("forge/study.ini", "w", encoding="utf-8") as ini:
        ini.write("name = forge\ntags = *\nsites = a1 github.com/a/b\n")
    quiet("-d", "forge.db", "init", "--study", "forge")
    run("-d", "forge.db", "fetch", "--api-url", url, "--github", "a/b", name="fetch", expect=3)
    run("-d", "forge.db", "fetch", "--github", "a/" + MARK, name="fetch", expect=2)
    links = f"https://github.com/a/b/issues/6\nhttps://github.com/a/b/{MARK}\nhttps://x{MARK}/t/5\n"
    run("-d", "forge.db", "fetch", "--api-url", url, "--urls", write(b"links" + HOSTILE_NAME, links), name="fetch", expect=3)
    run("-d", "again.db", "rebuild", "api.db", name="rebuild")
    run("-d", "again.db", "rebuild", b"none" + HOSTILE_NAME, name="rebuild")
    server.shutdown()


def words_of_the_command_line():
    run(MARK, name="help")
    run("label", MARK, name="help")
    run("stats", "--" + MARK)
    run("stats", "-" + MILD)
    run("stats", MARK)
    run("stats", "--format", MARK)
    run("sample", "--n", MARK)
    for command in COMMANDS:
        run(*command.split(), "--db", b"no" + HOSTILE_NAME, MARK, MARK, MARK, MARK, formats=False)


def screen_commands():
    rows = [["id", "title", "body", "included"]] + [
        [f"{n}{MILD}", f"slow {MARK} {n}", f"it is slow {MARK}", str(n % 2)] for n in range(6)]
    text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    run("screen", "simulate", write("labelled.csv", text), "--seeds", "1")
    run("screen", "simulate", write("bad.csv", b"id,title,body,included\n1,a,b," + BYTES))
    run("screen", "simulate", b"none" + HOSTILE_NAME)


def main():
    posts, finding = make_study()
    parts = {"words": words_of_the_command_line, "database": lambda: database_commands(posts, finding),
             "files": lambda: file_commands(posts), "check": check_commands, "bench": bench_commands,
             "api": api_commands, "screen": screen_commands}
    for part in PARTS or parts:
        parts[part]()
        if part == "words":
            SEEN.clear() # that was no use of a command
    missing = set(COMMANDS) - SEEN if not PARTS else None
    if missing:
        FAULTS.append(f"no line here runs: {', '.join(sorted(missing))}")
    if FAULTS:
        print("\n".join(FAULTS[:20]))
        sys.exit(f"{len(FAULTS)} faults")


main()
