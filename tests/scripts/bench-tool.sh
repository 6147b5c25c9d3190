#!/bin/bash
# bench info, checkout and diff, and the scores of a checker of others: against oracles in Python.
set -eu
. "$ROOT/tests/lib/bench.sh"

# --- without comments: the same program, line by line ---

cp -R "$ROOT/bench/cases" cases
rm -r cases/tensorflow/pp402 # both families have one
mv cases/pytorch/pp* cases/tensorflow/pp* cases # beside the 58
rm -r cases/pytorch cases/tensorflow
mkdir cases/tricky
sed 's/^problem_id = .*/problem_id = tricky/' cases/51228131/case.ini >cases/tricky/case.ini
cat >cases/tricky/buggy.py <<'END'
r'''Doc # no comment'''
x = "a # b"  # a comment
y = ("one"
     "two")
z = 'it''s'

def f():
    """Doc "quoted" \"\"\"
    on two lines"""  # after it
    s = r"\"" + "#" '\\'
    return s

class C:
    "one line"
    def g(self): "a body that is nothing else"

w = f"{x!r:>{10}} # no"
t = x + \
    "tail"
u = {"k": """long # text
 "quote" more""", "l":
    "value"}
"statement"; v = 1
b"bytes"
f"{f()}"
print(x,
      "last")  # prints
END
sed -e 's/"tail"/"tails"/' -e '/^u = /i added = 1' -e '/^b"bytes"/d' cases/tricky/buggy.py >cases/tricky/fixed.py
for id in $(ls cases | grep -v README); do
    ppmine -q bench checkout --cases cases --stripped "$id" "stripped/$id"
    ppmine bench info --cases cases --format json "$id" >"stripped/$id/info.json"
done
python3 - cases stripped <<'END'
import ast, glob, io, json, os, sys, tokenize

cases, stripped = sys.argv[1:]

def without_docstrings(text):
    """The tree with the line of each node; statements that are a string alone become ""."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            node.value.value = ""
            node.value.end_lineno = node.end_lineno = node.value.end_col_offset = node.end_col_offset = 0
    return ast.dump(tree, include_attributes=True)

def code_lines(text):
    """Numbers and texts of the lines that have code: no comment, no docstring, not blank."""
    lines, kept = text.split("\n"), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            kept |= set(range(node.lineno, node.end_lineno + 1))
    out = []
    comments = {t.start[0]: t.start[1] for t in tokenize.generate_tokens(io.StringIO(text).readline)
                if t.type == tokenize.COMMENT}
    for number, line in enumerate(lines, 1):
        line = line[:comments[number]].rstrip() if number in comments else line
        if line.strip() and number not in kept:
            out.append((number, line))
    return out

def common(a, b):
    """How many lines the longest common subsequence has: a bit for each line of a, as Hyyrö 2004 counts it."""
    places, left = {}, (1 << len(a)) - 1
    for i, line in enumerate(a):
        places[line] = places.get(line, 0) | 1 << i
    for line in b:
        same = left & places.get(line, 0)
        left = (left + same | left - same) & ((1 << len(a)) - 1)
    return len(a) - bin(left).count("1")

bad = 0
for path in sorted(glob.glob(stripped + "/*/*.py")):
    id, name = path.split(os.sep)[-2:]
    was, now = open(f"{cases}/{id}/{name}", encoding="utf-8").read(), open(path, encoding="utf-8").read()
    if without_docstrings(was) != without_docstrings(now):
        print(f"{id}/{name}: stripped, it is another program")
        bad += 1
    if any(t.type == tokenize.COMMENT for t in tokenize.generate_tokens(io.StringIO(now).readline)):
        print(f"{id}/{name}: a comment is left")
        bad += 1
for id in sorted({path.split(os.sep)[-2] for path in glob.glob(stripped + "/*/*.py")}):
    buggy, fixed = (code_lines(open(f"{cases}/{id}/{side}.py", encoding="utf-8").read())
                    for side in ("buggy", "fixed"))
    fixed = [text for _, text in fixed]
    ranges = []
    for part in json.load(open(f"{stripped}/{id}/info.json"))[0]["buggy_lines"].split():
        first, _, last = part.partition("-")
        ranges.append({number for number, _ in buggy if int(first) <= number <= int(last or first)})
    named = set().union(*ranges)

    def lost(without):
        """How many lines of buggy that are not named, but for a range, fixed does not have."""
        kept = [text for number, text in buggy if number not in named - without]
        return len(kept) - common(kept, fixed)

    # A range around lines that fixed.py adds is the line before and the one after them.
    around = [r for r in ranges if lost(r) == 0]
    least = len(buggy) - common([text for _, text in buggy], fixed)
    if not ranges or lost(set()) > 0 or any(len(r) > 2 for r in around) or \
            len(named) - sum(len(r) for r in around) != least:
        print(f"{id}: {sorted(named)} are named; {least} lines are not in fixed.py")
        bad += 1
sys.exit(bad > 0)
END

[ "$(ppmine bench diff --cases "$ROOT/bench/cases" 51228131 | grep -c '^[-+][^-+]')" -eq 2 ] ||
    complain "bench diff: $(ppmine bench diff --cases "$ROOT/bench/cases" 51228131)"
rc=0
ppmine bench checkout --cases "$ROOT/bench/cases" 51228131 stripped/51228131 2>err || rc=$?
[ "$rc" -eq 6 ] && grep -q 'there is such a file already' err || complain "a script was overwritten: $rc $(cat err)"
rc=0
ppmine bench info --cases "$ROOT/bench/cases" none 2>err || rc=$?
[ "$rc" -eq 2 ] && grep -q "there is no case 'none'" err || complain "no such case: $rc $(cat err)"

# --- the scores of a tool ---

pair() { # pair ID FIDELITY: buggy.py and fixed.py from standard input, parted by a line ===
    mkdir -p "mine/$1"
    awk -v dir="mine/$1" 'BEGIN { file = dir "/buggy.py" } /^===$/ { file = dir "/fixed.py"; next } { print >file }'
    printf '[case]\nproblem_id = %s\nsummary = s\nfix = f\n[origin]\nfidelity = %s\nreason = r\n[measure]\nmetric = time\n[limits]\nseconds = 9\nmemory_mb = 9\n[digest]\ntolerance = exact\n' \
        "$1" "$2" >"mine/$1/case.ini"
}
pair place faithful <<'END'
"""SLOW in a docstring."""
a = 1
b = SLOW
c = 3
===
a = 1
b = fast
c = 3
END
pair elsewhere faithful <<'END'
b = bad
c = 3
d = 4
e = 5
f = SLOW  # SLOW
===
b = good
c = 3
d = 4
e = 5
f = SLOW
END
pair both faithful <<'END'
both = bad
c = 3
d = SLOW
===
both = good
c = 3
d = SLOW
END
pair silent faithful <<'END'
a = bad
===
a = good
END
pair standin stand-in <<'END'
a = SLOW
===
a = good
END
cat >tool.py <<'END'
import json, sys
lines = open(sys.argv[2]).readlines()
found = [(n, line) for n, line in enumerate(lines, 1) if "SLOW" in line and "good" not in lines[0]]
found += [(1, "")] * ("both = good\n" in lines)
if sys.argv[1] == "sarif":
    json.dump({"runs": [{"results": [{"ruleId": "P1", "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": sys.argv[2]}, "region": {"startLine": n}}}]} for n, _ in found]}]}, sys.stdout)
elif sys.argv[1] == "json":
    json.dump({"findings": [{"rule": "P1", "line": n, "end_line": n} for n, _ in found]}, sys.stdout)
else:
    print("checking:", sys.argv[2])
    for n, _ in found:
        print(f"{sys.argv[2]}:{n}:1: P1 it is slow: do not")
sys.exit(len(found) > 0)
END
for output in sarif json lines; do
    printf '[tool]\nname = a tool\ncommand = python3 %s/tool.py %s {file}\noutput = %s\n' "$PWD" $output $output >$output.ini
    ppmine bench assess --cases mine --tool $output.ini --format csv >$output.csv
done
cmp sarif.csv json.csv && cmp sarif.csv lines.csv || complain 'three outputs of one tool are scored differently'
cat >wanted <<'END'
problem_id,fidelity,found,at_place,silent_on_fixed,rule,findings_buggy,findings_fixed
both,faithful,no,no,no,,1,1
elsewhere,faithful,yes,no,yes,P1,1,0
place,faithful,yes,yes,yes,P1,1,0
silent,faithful,no,no,yes,,0,0
standin,stand-in,yes,yes,yes,P1,1,0
END
cmp -s wanted sarif.csv || complain "scores: $(diff wanted sarif.csv)"
ppmine bench assess --cases mine --tool lines.ini --format json >out.json
jq -c '.[] | select(.id == "tool-summary") | .rows | map([.n, .of])' out.json >got
[ "$(cat got)" = '[[2,4],[1,4],[3,4],[1,3]]' ] || complain "the summary: $(cat got)"

# --- tools that fail ---

fails() { # fails WANTED PATTERN INI
    local rc=0
    printf '%b' "$3" >bad.ini
    ppmine bench assess --cases mine --tool bad.ini place >out 2>err || rc=$?
    [ "$rc" -eq "$1" ] && grep -qE -e "$2" err || complain "$3: exit code $rc: $(cat err)"
    [ ! -s out ] || complain "$3: a table of a tool that failed"
}
fails 3 "bad.ini: 'command' is missing" '[tool]\nname = x\n'
fails 3 'bad.ini: command has no \{file\}' '[tool]\nname = x\ncommand = true\n'
fails 3 'bad.ini:2: output = xml: expected sarif, json or lines' '[tool]\noutput = xml\n'
fails 3 'bad.ini:1: unknown section \[tools\]' '[tools]\nname = x\n'
fails 6 'place: x failed with exit code 9: no licence' '[tool]\nname = x\ncommand = echo no licence >&2; exit 9 {file}\n'
fails 3 'place: its output is not JSON' '[tool]\nname = x\ncommand = echo hello {file}\n'
fails 3 "place: its output is not SARIF" '[tool]\nname = x\ncommand = echo [] {file} | cut -c1-2\n'
fails 6 'place: x was still running after 1 s' '[tool]\nname = x\ncommand = sleep 60 # {file}\nseconds = 1\n'
