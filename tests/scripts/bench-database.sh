#!/bin/bash
# Results of bench run go to the folder and to the database, each when its case is done: a program that is
# killed loses none, and what the database could not take is brought in later. Figures are computed again in Python.
set -eu
. "$ROOT/tests/lib/bench.sh"
python=$(command -v python3)

sql() {
    sqlite3 "${2-x.db}" "$1"
}

# same WHAT WANTED GOT
same() {
    [ "$2" = "$3" ] || complain "$1: $3, expected: $2"
}

# --- into both ---

ppmine -q -d x.db init
run -d x.db --runs 3 --jobs 2 --machine laptop --quiet slow near peak gpu >out
same 'results' 'gpu near peak slow' "$(sql 'SELECT problem_id FROM bench_last ORDER BY 1' | xargs)"
same 'machine' laptop "$(sql 'SELECT machine FROM bench_machine')"
same 'runs' '3|24' "$(sql 'SELECT count(DISTINCT result_id), count(*) FROM bench_run')"
for id in slow near peak gpu; do
    for key in verdict why metric unit ratio ratio_low ratio_high seed limit_seconds limit_memory_mb; do
        wanted=$(jq -r "if .$key == null then \"\" else .$key end" "results/$id.json")
        same "$id, $key" "$wanted" "$(sql "SELECT $key FROM bench_result WHERE problem_id = '$id'" |
            sed 's/\.0$//')"
    done
done
# Every run, with its samples: what the folder has.
python3 - <<'PY'
import json, sqlite3
db = sqlite3.connect("x.db")
db.row_factory = sqlite3.Row
names = {"ended": "end", "computed": "values"}
for row in db.execute("SELECT problem_id, r.* FROM bench_run AS r JOIN bench_result USING (result_id)"):
    run = json.load(open(f"results/{row['problem_id']}.json"))[row["side"]]["runs"][row["place"] - 1]
    for column in row.keys()[4:]:
        value = row[column]
        if column == "samples":
            wanted = list(zip(run["sample_seconds"], run["sample_kb"]))
            value = json.loads(value)
            assert len(value) == len(wanted) > 0
            assert all(abs(a - c) < 1e-4 and b == d for (a, b), (c, d) in zip(value, wanted))
            continue
        wanted = run[names.get(column, column)]
        if column in ("computed", "step_seconds", "step_rss_kb"):
            value = json.loads(value)
        assert value == wanted, (row["problem_id"], row["side"], row["place"], column, value, wanted)
PY
# Medians are those of Python; the interval is that of all resamples, which with three runs are 27 times 27.
python3 - <<'PY' || complain 'figures are not those of the runs'
import itertools, math, sqlite3, statistics
db = sqlite3.connect("x.db")
checked = 0
for result, buggy, fixed, ratio, low, high in db.execute(
        "SELECT result_id, buggy, fixed, ratio, ratio_low, ratio_high FROM bench_result"
        " WHERE ratio IS NOT NULL").fetchall():
    over, under = ([v for (v,) in db.execute(
        "SELECT metric FROM bench_run WHERE result_id = ? AND side = ? AND NOT warm_up",
        (result, side))] for side in ("buggy", "fixed"))
    assert len(over) == len(under) == 3
    medians = [[statistics.median(drawn) for drawn in itertools.product(v, repeat=3)]
               for v in (over, under)]
    ratios = sorted(a / b for a in medians[0] for b in medians[1])
    wanted = (statistics.median(over), statistics.median(under),
              statistics.median(over) / statistics.median(under),
              ratios[math.ceil(0.025 * len(ratios)) - 1], ratios[math.ceil(0.975 * len(ratios)) - 1])
    for a, b in zip((buggy, fixed, ratio, low, high), wanted):
        assert math.isclose(a, b, rel_tol=1e-7), (result, (buggy, fixed, ratio, low, high), wanted)
    checked += 1
assert checked == 3
PY
# They are there already.
same 'import of the folder' 'laptop,0,4' "$(ppmine -d x.db bench import results -f csv | tail -1)"

# Thinned for keeping, times rounded, lists cut: it is the same result.
jq -c '.buggy.runs[] |= (.sample_seconds = [] | .sample_kb = [] | .wall_seconds = 1 | .values = [])' \
    results/slow.json >thinned.json
same 'a thinned one' 'laptop,0,1' "$(ppmine -d x.db bench import thinned.json -f csv | tail -1)"

# Passed over by --resume, since the folder has it: it goes to a database that came later.
ppmine -q -d later.db init
run -d later.db --runs 3 --quiet --resume peak >out
same 'resumed' "$(jq -r '.date + "|" + .case_sha256' results/peak.json)" \
    "$(sql 'SELECT finished_at, case_sha256 FROM bench_result' later.db)"

# --- killed in the middle ---

for how in KILL INT; do
    ppmine -q -d "$how.db" init
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$TEST_BUILD/ppmine" -d "$how.db" bench run --anyway --cases "$CASES" \
        --python "$python" --results "$how" --quiet --runs 1 near forks-hang >out 2>err &
    pid=$!
    tries=0
    until [ "$(sql 'SELECT count(*) FROM bench_result' "$how.db" 2>/dev/null)" = 1 ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || complain "SIG$how: no result after 60 s: $(cat err)"
        sleep 0.1
    done
    kill -s "$how" "$pid"
    wait "$pid" 2>/dev/null || :
    same "SIG$how" 'near|3|ok' "$(sql "SELECT group_concat(problem_id), (SELECT max(place) + 1 FROM bench_run),
        (SELECT * FROM pragma_integrity_check) FROM bench_result" "$how.db")"
    tries=0
    while grep -qlz -e "^HOME=$TMPDIR/ppmine-bench." /proc/[0-9]*/environ 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain "SIG$how: processes are left"
        sleep 0.1
    done
done

# --- a database that cannot take them ---

rc=0
run -d missing.db --runs 1 near >out 2>err || rc=$?
[ "$rc" -eq 5 ] && grep -q 'ppmine init' err && [ ! -e missing.db ] ||
    complain "no such database: exit code $rc, $(cat err)"
rc=0
PPMINE_DB=missing.db run --runs 1 near >out 2>err || rc=$?
[ "$rc" -eq 5 ] || complain "no such \$PPMINE_DB: exit code $rc"

ppmine -q -d locked.db init
# Locked when the case is done, not before.
PPMINE_BUSY_TIMEOUT_MS=50 ppmine -d locked.db bench run --anyway --cases "$CASES" --python "$python" \
    --results kept --runs 1 hang >out 2>err &
pid=$!
tries=0
until grep -qlz -e "^HOME=$TMPDIR/ppmine-bench..*/run" /proc/[0-9]*/environ 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || complain 'the case did not start'
    sleep 0.1
done
sleep 0.5
(echo 'BEGIN IMMEDIATE;'; while [ ! -e unlocked ]; do sleep 0.1; done) | sqlite3 locked.db &
locker=$!
rc=0
wait "$pid" || rc=$?
touch unlocked
wait "$locker" || :
[ "$rc" -eq 5 ] || complain "locked: exit code $rc: $(cat err)"
grep -q "locked by another process.*the result is in kept, from where 'bench import' takes it" err ||
    complain "locked: $(cat err)"
same 'locked: nothing in it' 0 "$(sql 'SELECT count(*) FROM bench_result' locked.db)"
ppmine -q -d locked.db bench import kept >out
same 'brought in later' hang "$(sql 'SELECT problem_id FROM bench_result' locked.db)"

# --- without any ---

rm -f ppmine.db
run --runs 1 --quiet gpu >out
[ ! -e ppmine.db ] || complain 'a database was made that nobody asked for'
ppmine -q init
run --runs 1 --quiet gpu >out
same 'ppmine.db, since it is there' gpu "$(sql 'SELECT problem_id FROM bench_last' ppmine.db)"
