#!/bin/bash
# Each form of file, in each state: whole, in pieces, cut, with a bit changed, with something behind its end;
# as a dump and as NDJSON; by load and by match --stdin. All posts come out, or it is refused: exit code 3, the
# posts before the damage, how many, and the byte. Never some posts and exit code 0.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 gzip bzip2 xz zstd 7z python3

"$PPMINE" -q -d empty.db init
cat >matrix.py <<'PY'
import json, os, random, re, shutil, sqlite3, subprocess, sys

N = 100
PPMINE = os.environ["PPMINE"]
random.seed(37)
BODIES = ["".join(random.choice("abcdefghij klmnop") for _ in range(60)) for _ in range(N)]
ALL = list(range(1, N + 1))

def dump():
    rows = "".join(f'  <row Id="{i}" PostTypeId="1" CreationDate="2018-01-02T03:04:05.678" Title="very slow {i}" '
                   f'Body="{BODIES[i - 1]}" Tags="|keras|" />\r\n' for i in ALL)
    return f'<?xml version="1.0" encoding="utf-8"?>\r\n<posts>\r\n{rows}</posts>'.encode()

def ndjson():
    return "".join(json.dumps({"post_id": i, "title": f"very slow {i}", "body_html": BODIES[i - 1],
                               "tags": ["keras"], "created_at": "2018-01-02T03:04:05Z"}) + "\n" for i in ALL).encode()

def pack(form, data):
    if form == "plain":
        return data
    if form != "7z":
        return subprocess.run([form, "-c", "-q"], input=data, stdout=subprocess.PIPE, check=True).stdout
    shutil.rmtree("pack", ignore_errors=True)
    os.mkdir("pack")
    with open("pack/Posts.xml", "wb") as file:
        file.write(data)
    subprocess.run(["7z", "a", "-bd", "p.7z", "Posts.xml"], cwd="pack", stdout=subprocess.DEVNULL, check=True)
    with open("pack/p.7z", "rb") as file:
        return file.read()

def flipped(data, bit):
    return data[:bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1:]

def record_cut(text, at):
    """Within a record: what is cut between two is whole to match --stdin, which takes pieces of a dump."""
    return text[:max(text.rindex(word, 0, at) + 10 for word in (b'Body', b'body_html') if word in text)]

# What may come out: all posts; a refusal; either, of a bit that may say nothing of the text.
def cases(form, text):
    half = text.index(b"\n", len(text) // 2) + 1
    packed = pack(form, text)
    size = len(packed)
    yield "whole", packed, "all"
    if form == "plain":
        for at in (size // 4, size // 2, size * 3 // 4, size):
            yield f"cut before {at}", record_cut(text, at), "refused"
        yield "its last bytes cut", text[:-2], "either"
        yield "zeros behind it", text + bytes(512), "all"
        yield "garbage behind it", text + b"garbage\n", "all"
        return
    for at in (size // 4, size // 2, size * 3 // 4, size - 9, size - 1):
        yield f"cut at {at}", packed[:at], "refused"
    for bit in [*range(0, 8 * size, max(1, 8 * size // 7)), 8 * size - 1, 8 * size - 20]:
        yield f"bit {bit} changed", flipped(packed, bit), "either"
    for name, tail in (("garbage", b"garbage\n"), ("a byte", b"x"), ("its own first bytes", packed[:6]),
                       ("a NUL", b"\0"), ("a line end", b"\n")):
        yield name + " behind it", packed + tail, "refused"
    yield "zeros behind it", packed + bytes(512), "all" if form == "xz" else "refused"
    if form == "7z":
        yield "two archives", packed + packed, "refused"
        return
    first, second, nothing = pack(form, text[:half]), pack(form, text[half:]), pack(form, b"")
    assert packed != first + second
    yield "two streams", first + second, "all"
    yield "an empty stream first", nothing + packed, "all"
    yield "an empty stream last", packed + nothing, "all"
    yield "an empty stream between", first + nothing + second, "all"
    for name, end in (("cut in its first bytes", second[:3]), ("cut in its middle", second[:len(second) // 2]),
                      ("cut at its last byte", second[:-1]), ("that is zeros", bytes(len(second) | 1)),
                      ("of another form", pack("gzip" if form != "gzip" else "bzip2", text[half:]))):
        yield "a second stream " + name, first + end, "refused"
    for bit in range(0, 8 * len(second), max(1, 8 * len(second) // 7)):
        yield f"a second stream, its bit {bit} changed", first + flipped(second, bit), "either"

def load(name, is_json):
    shutil.copy("empty.db", "some.db")
    run = subprocess.run([PPMINE, "-d", "some.db", "load", "--all-tags", *(["--ndjson"] if is_json else []), name],
                         stderr=subprocess.PIPE, text=True)
    with sqlite3.connect("some.db") as db:
        return run, [row[0] for row in db.execute("SELECT post_id FROM post ORDER BY post_id")]

def match(name, _):
    with open(name, "rb") as file:
        run = subprocess.run([PPMINE, "match", "--stdin"], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    return run, [json.loads(line)["id"] for line in run.stdout.splitlines()]

def why_wrong(run, ids, expected):
    if run.returncode == 0 and ids == ALL and expected != "refused":
        return None
    if run.returncode != 3 or expected == "all":
        return f"exit code {run.returncode}, {len(ids)} posts, expected {expected}"
    told = re.search(r"not read to its end: (\d+) ", run.stderr)
    read = int(told[1]) if told else 0
    if read != len(ids) and (expected == "refused" or read < len(ids)):
        return f"{len(ids)} posts came out"
    # A changed bit may change texts and ids, which the checksum at the end of the stream shows.
    if ids != ALL[:len(ids)] and expected == "refused":
        return f"other posts than the first: {ids}"
    if not re.search(r"byte \d+|not a data dump|no NDJSON", run.stderr):
        return "the place is not named"
    return None

failed = n = n_refused = n_kept = 0
for kind, text in (("xml", dump()), ("json", ndjson())):
    for form in ("plain", "gzip", "bzip2", "xz", "zstd", "7z"):
        for name, data, expected in cases(form, text):
            for read in (load, match):
                with open("file", "wb") as file:
                    file.write(data)
                run, ids = read("file", kind == "json")
                n += 1
                n_refused += run.returncode == 3
                n_kept += run.returncode == 3 and len(ids) > 0
                why = why_wrong(run, ids, expected)
                if why:
                    failed += 1
                    print(f"{kind}, {form}, {name}, {read.__name__}: {why}: {run.stderr}")
# Nothing, packed or not, is no dump; as NDJSON it is a file without posts.
for form in ("plain", "gzip", "bzip2", "xz", "zstd"):
    with open("file", "wb") as file:
        file.write(pack(form, b""))
    for is_json, wanted in ((False, 3), (True, 0)):
        run, ids = load("file", is_json)
        if run.returncode != wanted or ids:
            failed += 1
            print(f"nothing, {form}: exit code {run.returncode}: {run.stderr}")
print(f"{n} files, {n_refused} refused, {n_kept} of them after some posts")
sys.exit(failed > 0 or n_refused < 300 or n_kept < 200)
PY
python3 matrix.py
