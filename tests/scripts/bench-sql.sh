#!/bin/bash
# The SQL of the man page works in a plain shell, on the study with the results of two machines.
set -eu
. "$ROOT/tests/lib/bench.sh"

ppmine -q -d x.db init --published
mkdir mine theirs
for id in 51228131 53424152_1; do
    jq --arg id "$id" '.problem_id = $id' "$ROOT/tests/data/bench-results/near.json" >"mine/$id.json"
done
# Another machine, and twice as slow in one.
jq '.buggy.runs[].metric *= 2 | .buggy.median *= 2 | .ratio *= 2 | .ratio_low *= 2 | .ratio_high *= 2' \
    mine/51228131.json >theirs/51228131.json
ppmine -q -d x.db bench import mine --machine laptop >out
ppmine -q -d x.db bench import theirs --machine server >out

python3 - "$ROOT/docs/man/ppmine-bench.1" >statements <<'PY'
import re, sys
for block in re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", open(sys.argv[1]).read(), re.M):
    print(" ".join(block.split()))
PY
[ "$(wc -l <statements)" -ge 4 ] || complain "the page has $(wc -l <statements) statements"
while read -r statement; do
    sqlite3 x.db "$statement" >rows 2>err || complain "$statement: $(cat err)"
    [ -s rows ] || complain "$statement: gives nothing"
done <statements
[ "$(sqlite3 x.db "$(sed -n 2p statements)" | cut -d'|' -f1,2,4)" = '51228131|laptop|server' ] ||
    complain "what differs: $(sqlite3 x.db "$(sed -n 2p statements)")"
[ "$(sqlite3 x.db "$(sed -n 1p statements)" | LC_ALL=C sort)" = 'laptop|confusion with computation graph|1|1
laptop|inefficient API usage|1|1
server|confusion with computation graph|1|1' ] || complain "root causes: $(sqlite3 x.db "$(sed -n 1p statements)")"
