"""Hostile and odd input for check: check_hostile.py PPMINE [large]

With large, it is files of many megabytes, with errors in all their lines, or deep; without, all others. Writes the files into the current folder, and asks of each what must hold: exit code, the lines with
findings, the bytes after --fix. That a fixed file is still Python is judged by Python itself.
"""
import ast
import hashlib
import json
import os
import resource
import subprocess
import sys

PPMINE = sys.argv[1]
WRAPPER = os.environ.get("TEST_WRAPPER", "").split()
# Under valgrind and the sanitizers the large ones are smaller: they are for speed.
SLOW = bool(WRAPPER) or os.environ.get("TEST_FLAVOUR", "") == "san"
IMPORT = "import tensorflow as tf\n"
MAP = 'ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n'
SECONDS = 600  # of a busy machine
PROCESSOR_SECONDS = 90  # of one start on a large file, which takes ten at most: what grows with the square takes more


def in_time():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))


def check(*arguments, stdin=b"", expect=(0, 1)):
    command = [*WRAPPER, PPMINE, "check", "--no-config", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=SECONDS, check=False,
                          preexec_fn=None if SLOW else in_time)
    if done.returncode not in expect:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}, expected one of {expect}\n"
                 f"{done.stderr.decode(errors='replace')}")
    return done


def lines(path, *options):
    found = json.loads(check("--format", "json", *options, path).stdout)["findings"]
    return sorted((f["rule"], f["line"]) for f in found)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def require(holds, *words):
    if not holds:
        sys.exit(" ".join(str(w) for w in words))


# --- odd, but Python: found in its line, and fixed there alone ---

ODD = {
    "python3.py": IMPORT + "async def f(x: int = 3) -> None:\n    print(f'{x!r:>{x}}', (y := 2))\n"
                  "match ds:\n    case [1, *_]:\n        pass\n" + MAP,
    "tabs.py": IMPORT + "def f():\n\tif True:\n\t\treturn None\n\telse:\n\t\t" +
               MAP.replace("lambda", "\tlambda") + "\t\treturn ds\n",
    "bom.py": b"\xef\xbb\xbf" + (IMPORT + MAP).encode(),
    "latin1.py": ("# -*- coding: latin-1 -*-\n" + IMPORT + "s = 'caf\xe9'  # \xfc\n" +
                  MAP).encode("latin-1"),
    "crlf.py": (IMPORT + "x = '''a\n b'''\n" + MAP).replace("\n", "\r\n"),
    "mixed.py": IMPORT.replace("\n", "\r\n") + "x = 1\n\r\n" + MAP + "y = 2\r\n",
    "names.py": IMPORT + "größe = 3\n変数 = größe\n" + MAP + "été = ds\n",
    "no line end.py": IMPORT + MAP.rstrip("\n"),
    "blanks at ends.py": IMPORT + "x = 1   \n\n\n\x0c\n" + MAP + "   \n",
    "deep/with blank/ü.py": IMPORT + MAP,
}


def python_of(content):
    ast.parse(content)
    return True


def check_odd(name, content):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    path = write(name, content)
    before = read(path)
    python_of(before)
    rows = before.split(b"\n")
    at = next(i for i, row in enumerate(rows) if b"TFRecordDataset" in row)
    require(("PP301", at + 1) in lines(path), name, "PP301 expected in line", at + 1, lines(path))
    check("--fix", "--select", "PP301", path)
    after = read(path)
    fixed = after.split(b"\n")
    require(len(fixed) == len(rows), name, "has other lines after the fix")
    for i, (old, new) in enumerate(zip(rows, fixed)):
        require(i == at or old == new, name, "line", i + 1, "was changed:", old, new)
    require(b"num_parallel_calls" in fixed[at], name, "was not fixed:", fixed[at])
    require(fixed[at].endswith(b"\r") == rows[at].endswith(b"\r"), name, "has another line end")
    python_of(after)
    require(lines(path, "--select", "PP301") == [], name, "still has a finding after the fix")


# --- Python 2, and what is no Python: the rest of the file is checked ---

BROKEN = {
    "python2.py": IMPORT + "print 'x', y\nexec 'x' in d\ntry:\n    raise E, 'x'\n"
                  "except E, e:\n    print >>f, `e`, 0777, u'x', 1L, a <> b\n" + MAP,
    "error.py": IMPORT + "def f(:\n    return ]\n\nx = = 3\n" + MAP,
    "half.py": IMPORT + MAP + "def f(x:\n  for y in (1, 2",
    "merge.py": IMPORT + "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n" + MAP,
    "string.py": IMPORT + MAP + "x = 'no end\ny = 1\n",
    "nul.py": (IMPORT + "x = 1\n").encode() + b"\0\0\n" + MAP.encode(),
    "bytes.py": (IMPORT + "x = '").encode() + bytes(range(128, 256)) + b"'\n" + MAP.encode(),
}


def check_broken(name, content):
    path = write(name, content)
    rows = read(path).split(b"\n")
    at = next(i for i, row in enumerate(rows) if b"TFRecordDataset" in row)
    require(("PP301", at + 1) in lines(path), name, "PP301 expected in line", at + 1, lines(path))
    check("--fix", path)
    for i, (old, new) in enumerate(zip(rows, read(path).split(b"\n"))):
        require(i == at or old == new, name, "line", i + 1, "was changed:", old, new)


# --- what once broke it: seeds of the fuzzer, with every rule ---

def check_seeds():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "corpus",
                          "fuzz_check")
    names = sorted(os.listdir(folder))
    require(names, folder, "is empty")
    for name in names:
        check("--select", "PP", write("seed.py", read(os.path.join(folder, name))))


# --- large and deep: done in time, and what stands before or behind is found ---

def large():
    size = 1 << 20 if SLOW else 4 << 20
    depth = 10000 if SLOW else 100000
    calls = "x = tf.add(f(a, b=[1, 2, 3]), {'k': a.b.c(d)[3:4]})\n"
    body = "    y = g(x, i)  # and a few words besides\n"
    arguments = "tf.add(1, 2), "
    return {
        "many.py": IMPORT + calls * (size // len(calls)) + MAP,
        "loop.py": IMPORT + "for i in range(n):\n" + body * (size // len(body)) + MAP,
        "one_line.py": IMPORT + "x = [" + arguments * (size // len(arguments)) + "]\n" + MAP,
        "string.py": IMPORT + "x = '''" + "word " * (size // 5) + "'''\n" + MAP,
        "parentheses.py": IMPORT + MAP + "x = " + "(" * depth + ")" * depth + "\n",
        "open.py": IMPORT + MAP + "x = " + "[(" * (depth // 5) + "\n",
        "chain.py": IMPORT + MAP + "x = a" + ".b()" * depth + "\n",
        "sum.py": IMPORT + MAP + "x = " + "1 + " * depth + "1\n",
        "ifs.py": IMPORT + MAP + "".join(" " * i + "if x:\n" for i in range(depth // 10)) +
                  " " * (depth // 10) + "pass\n",
        "elifs.py": IMPORT + MAP + "if x == 0:\n    y = 0\n" +
                    "".join(f"elif x == {i}:\n    y = tf.add(y, {i})\n"
                            for i in range(depth // 10)),
        "names.py": IMPORT + MAP + "".join(f"a{i} = a{i - 1}\n" for i in range(depth)),
        "functions.py": IMPORT + MAP + "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n"
                                               for i in range(depth // 4)),
        "classes.py": IMPORT + MAP + "".join(f"class A{i + 1}(A{i}):\n    pass\n"
                                             for i in range(depth // 4)),
        "commas.py": IMPORT + MAP + "f(" + "," * depth + ")\n",
        "rebound.py": IMPORT + MAP + MAP.replace('tf.data.TFRecordDataset("x")', "ds") *
                      (depth // 12),
        "backslashes.py": IMPORT + MAP + "x = 1 " + "\\\n" * (depth // 10) + "+ 1\n",
    }


def check_large(folder, name, content):
    path = write(os.path.join(folder, name), content)
    row = content.split("\n").index(MAP.rstrip("\n")) + 1
    found = lines(path)
    require(("PP301", row) in found, path, "PP301 expected in line", row)
    os.remove(path)


# --- files over a megabyte are read in parts, whose seams nobody may see ---

UNITS = (
    "def f{n}(x):\n    {map}    return ds, x\n\n\n",
    "class A{n}(B):\n    y = [1,\n2]\n\n    def f(self):\n        {map}        return ds\n",
    "if x{n}:\n    pass\nelif y:\n    {map}else:\n    pass\n",
    "text{n} = \'\'\'def g():\n    ds = 1\n\'\'\'\n{map}",
    "@wraps(g)\n@other\ndef g{n}():\n    {map}\n",
    "try:\n    {map}except E:\n    pass\nfinally:\n    pass\n",
    "x{n} = 1 + \\\n    2; y = (3,\n4)\n{map}",
    "# a comment\nwith open(n) as f, \\\n        open(m):\n    {map}",
    "for i{n} in y:\n    {map}    break\nelse:\n    z = 1\n",
)


def check_parts():
    """The map() of every statement is found, wherever in the file it stands."""
    n, parts = 0, [IMPORT]
    while sum(map(len, parts[-200:])) * len(parts) / 200 < (3 << 20):
        parts.append(UNITS[n % len(UNITS)].format(n=n, map=MAP.replace('"x"', f'"{n}"')))
        n += 1
    content = "".join(parts)
    ast.parse(content)
    rows = [i + 1 for i, row in enumerate(content.split("\n")) if "TFRecordDataset" in row]
    found = [line for _, line in lines(write("parts.py", content), "--select", "PP301")]
    os.remove("parts.py")
    require(found == rows, f"of {len(rows)} calls of map() {len(found)} are found; first missing:",
            sorted(set(rows) - set(found))[:3])


# --- more open brackets than the parser can count: the lines before and behind are checked ---

# Above 65,536, what the parser library loses count of; words that open something do as well.
OPEN = 100000
LEFT_OUT = {
    "brackets.py": (IMPORT + MAP, "x = " + "(" * OPEN + "\n", MAP),
    "calls.py": (IMPORT + "def f():\n    " + MAP + "    return ds\n", "f(" * OPEN + "\n",
                 "def g():\n    " + MAP),
    "stars.py": (IMPORT + MAP, "assert " + "*" * OPEN + "x\n", MAP),
    "words.py": (IMPORT + MAP, "x = " + "not " * OPEN + "\n", ""),
    "first.py": (IMPORT, "x = " + "{" * OPEN + "\n", MAP),
    "at_once.py": ("", "[" * OPEN + "\n", IMPORT + MAP),
    "twice.py": (IMPORT + MAP, "[" * OPEN + "\n" + MAP + "(" * OPEN + "\n", MAP),
}


def check_left_out(name, parts):
    content = "".join(parts)
    path = write(name, content)
    rows = [i + 1 for i, row in enumerate(content.split("\n")) if "TFRecordDataset" in row]
    done = check("--format", "json", "--select", "PP301", path)
    found = sorted(f["line"] for f in json.loads(done.stdout)["findings"])
    require(found == rows, name, "PP301 expected in lines", rows, "not", found)
    bad = parts[0].count("\n") + 1
    require(f"left out, from line {bad} on".encode() in done.stderr, name, "does not say that line",
            bad, "was left out:", done.stderr)
    source = json.dumps(content)
    book = write("left_out.ipynb", '{"nbformat": 4, "cells": [{"cell_type": "code", "source": %s}]}'
                 % source)
    done = check("--format", "json", "--select", "PP301", book)
    found = sorted(f["line"] for f in json.loads(done.stdout)["findings"])
    require(found == rows, "a notebook with", name, "has findings in lines", found, "not", rows)
    require(f"from line {bad} of cell 1 on".encode() in done.stderr, done.stderr)
    os.remove(path)
    os.remove(book)


# --- errors in every line of a large file, and strings that only look like that ---

WRONG = "x = (1 +\ndef f(:\nimport tensorflow as tf\ny = tf.zeros([3\n"


def check_errors():
    found = lines(write("wrong.py", IMPORT + MAP + WRONG * (1200000 // len(WRONG))))
    require(("PP301", 2) in found, "wrong.py: PP301 expected in line 2, not", found)
    text = "x = '''\n" + WRONG * (1200000 // len(WRONG)) + "'''\n"
    rows = [2, 3 + text.count("\n")]
    found = lines(write("quoted.py", IMPORT + MAP + text + MAP), "--select", "PP301")
    require(found == [("PP301", row) for row in rows], "quoted.py: PP301 expected in lines", rows,
            "not", found)


# --- what is no file, or none that can be read ---

def check_unreadable():
    os.makedirs("odd/empty", exist_ok=True)
    write("odd/good.py", IMPORT + MAP)
    os.symlink("nowhere", "odd/dangling.py")
    os.symlink("..", "odd/empty/up")
    os.symlink(".", "odd/self")
    os.symlink("a.py", "odd/b.py")
    os.symlink("b.py", "odd/a.py")
    os.mkdir("odd/folder.py")
    os.mkfifo("odd/pipe.py")
    write("odd/closed.py", IMPORT + MAP)
    os.chmod("odd/closed.py", 0)
    write("odd/broken.ipynb", '{"cells": [{"cell_type": "code", "source": ["import tensorflow')
    write("odd/list.ipynb", '["tensorflow"]')
    write("odd/deep.ipynb", '{"cells": "tensorflow", "x":' + "[" * 100000)
    write("odd/empty.py", "")
    done = check("--format", "csv", "--select", "PP301", "odd", expect=(1,))
    require(b"odd/good.py" in done.stdout, "one good file among odd ones was not looked at")
    said = done.stderr.decode()
    require("odd/broken.ipynb" in said, "nothing was said of the broken notebook:", said)
    require("odd/deep.ipynb" in said, "nothing was said of the deep notebook:", said)
    require("dangling.py" in said, "nothing was said of the dangling link:", said)


# --- nothing is written ---

def state():
    found = {}
    for root, folders, names in os.walk("."):
        folders.sort()
        for name in [*names, *folders]:
            path = os.path.join(root, name)
            status = os.lstat(path)
            content = b""
            if os.path.isfile(path) and not os.path.islink(path):
                content = read(path)
            found[path] = (status.st_mode, status.st_mtime_ns, hashlib.sha256(content).hexdigest())
    return found


def message(method, params, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    text = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def check_writes_nothing():
    # The large files are gone: they would be read nine times.
    for name, content in {**ODD, **BROKEN}.items():
        write(name, content)
    before = state()
    large_ones = [path for path in before if os.path.isfile(path) and os.path.getsize(path) > 100000]
    require(large_ones == ["./odd/deep.ipynb"], "left by earlier checks:", large_ones)
    for mode in ("text", "json", "sarif", "github", "csv", "html"):
        check("--format", mode, "--select", "PP", ".")
    check("--diff", ".")
    check("--statistics", ".")
    check("--stdin-name", "tabs.py", "-", stdin=read("tabs.py"))
    uri = {"textDocument": {"uri": "file://" + os.path.abspath("tabs.py")}}
    opened = {"textDocument": {**uri["textDocument"], "text": read("tabs.py").decode()}}
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    check("--lsp", stdin=message("initialize", {}, 1) + message("textDocument/didOpen", opened) +
          message("textDocument/codeAction", {**uri, "range": place}, 2) +
          message("shutdown", {}, 3) + message("exit", {}), expect=(0,))
    after = state()
    for path in sorted(before.keys() | after.keys()):
        require(before.get(path) == after.get(path), path, "was written without --fix")


if sys.argv[2:] == ["large"]:
    os.makedirs("large", exist_ok=True)
    for big, text in large().items():
        check_large("large", big, text)
    if not SLOW:
        check_errors()
else:
    for odd, text in ODD.items():
        check_odd(odd, text)
    for broken, text in BROKEN.items():
        check_broken(broken, text)
    check_seeds()
    check_parts()
    for left_out, texts in LEFT_OUT.items():
        check_left_out(left_out, texts)
    check_unreadable()
    check_writes_nothing()
