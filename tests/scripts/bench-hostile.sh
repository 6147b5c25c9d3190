#!/bin/bash
# Results from strangers: whatever stands in place of a value, the file is a result or is named as none,
# and the database stays whole.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir many
python3 - "$ROOT/tests/data/bench-results/near.json" <<'PY'
import copy, json, random, sys

def paths(o, at=()):
    yield at
    for key in o if isinstance(o, dict) else range(len(o)) if isinstance(o, list) else []:
        yield from paths(o[key], at + (key,))

result = json.load(open(sys.argv[1]))
for side in ("buggy", "fixed"):
    for run in result[side]["runs"]:
        del run["sample_seconds"][2:], run["sample_kb"][2:]
values = [None, True, -1, 1e308, 2**63 - 1, "", "x" * 100000, "\u0001\u202e\ud7ff", [], {}, [[]], [None],
          [1] * 300, {"a": {"b": []}}]
n = 0
for path in paths(result):
    if len(path) > 2 and path[1] == "runs" and path[2] > 1:
        continue  # the warm-up and one run are enough
    for value in [...] + values:
        changed = copy.deepcopy(result)
        if path:
            o = changed
            for key in path[:-1]:
                o = o[key]
            if value is ...:
                del o[path[-1]]
            else:
                o[path[-1]] = value
        elif value is ...:
            continue
        else:
            changed = value
        json.dump(changed, open(f"many/{n:05}.json", "w"))
        n += 1
text = open(sys.argv[1], "rb").read()
draw = random.Random(5)
for i in range(150):
    cut = bytearray(text[:draw.randrange(len(text))] if i % 3 == 0 else text)
    for _ in range(i % 5):
        if cut:
            cut[draw.randrange(len(cut))] = draw.randrange(256)
    open(f"many/b{i:05}.json", "wb").write(cut)
open("many/deep.json", "w").write("[" * 100000)
open("many/number.json", "w").write('{"format": 1e999999}')
open("many/zero.json", "w").write(json.dumps(result).replace("laptop", "\\u0000"))
PY
ppmine -q -d x.db init
rc=0
ppmine -d x.db bench import many -f csv >out 2>err || rc=$?
[ "$rc" -eq 3 ] || complain "exit code $rc: $(tail -3 err)"
refused=$(grep -c 'warning: many/' err)
taken=$(awk -F, 'NR > 1 { n += $(NF - 1) + $NF } END { print n }' out)
[ $((refused + taken)) -eq "$(ls many | wc -l)" ] || complain "$refused refused and $taken taken of $(ls many | wc -l)"
[ "$refused" -gt 500 ] && [ "$taken" -gt 100 ] || complain "$refused refused, $taken taken: not what was meant"
[ "$(sqlite3 x.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] || complain 'the database is damaged'
# Nothing that is there breaks a view, a list or a report.
sqlite3 x.db 'SELECT count(*) FROM bench_memory' 'SELECT count(*) FROM bench_compare' >/dev/null
ppmine -d x.db bench report --cases "$CASES" >out
ppmine -d x.db bench import many -f csv 2>err >again || [ $? -eq 3 ]
[ "$(awk -F, 'NR > 1 { n += $(NF - 1) } END { print n }' again)" -eq 0 ] || complain 'the same again is new'
