#!/bin/bash
# bench/runner/run.py says whether the targets are reached, from what it is told: a hyperfine that is made
# here says the times, so that the answer is known.
set -eu
. "$ROOT/tests/lib/bench.sh"

[ -x /usr/bin/time ] || { echo 'no /usr/bin/time (package time)' && exit 77; }
[ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ] || { echo 'of build/ppmine only' && exit 77; }

mkdir fake
cat >fake/hyperfine <<'END'
#!/usr/bin/env python3
import json, os, sys
out = sys.argv[sys.argv.index("--export-json") + 1]
runs = int(sys.argv[sys.argv.index("--runs") + 1])
assert os.environ["TF_XLA_FLAGS"] == "" and os.environ["HOME"] == os.getcwd()
assert os.path.exists("buggy.py") and sys.argv[-1].endswith(" buggy.py")
json.dump({"results": [{"times": [float(os.environ["PATH"].split("seconds=")[1])] * runs}]}, open(out, "w"))
END
cat >fake/touch <<'END'
#!/bin/sh
echo ppcase version python 0
echo ppcase digest sha256:0
END
chmod +x fake/*

# measure SECONDS: what hyperfine says that each run took
measure() {
    PATH=$PWD/fake:$PATH:seconds=$1 "$ROOT/bench/runner/run.py" --rounds 2 --runs 1 --touch fake/touch \
        --folder "$PWD/work" --json out.json >out 2>err || complain "exit code $?: $(cat err)"
}
measure 1000
grep -qE '^target: less than 5 ms for a run: not reached; most: [a-z0-9-]+, -9[0-9]{5}\.[0-9]{2} \(-.* to -.*\)$' out ||
    complain "far off: $(cat out)"
[ "$(grep -c '^target: less than [52] M*m*[sB] for a run: ' out)" -eq 2 ] || complain "targets: $(cat out)"
tail -1 out | grep -q '^target: less than 2 MB' || complain "the last line: $(tail -1 out)"
jq -e '.targets.ms.reached == false and (.targets.mb.reached == (.targets.mb.more | fabs < 2))
    and (.commands | length) == 4
    and ([.commands[].rounds | length == 2 and all((.ppmine_seconds | length) == 2
        and (.hyperfine_seconds | length) == 2 and (.time_kb | length) == 2)] | all)' out.json >/dev/null ||
    complain "JSON: $(jq -c .targets out.json)"

# What the table says follows from the rounds, counted by another program.
jq -r '.commands[] | [.rounds[] | ((.ppmine_kb | add / length) - (.time_kb | add / length)) / 1024]
    | add / length | . * 100 | round' out.json >by-jq
jq -r '.commands[].mb_more * 100 | round' out.json >by-it
cmp by-jq by-it || complain "the differences of memory: $(paste by-jq by-it)"

# Either side of the target, and on it.
python3 - <<'END'
import importlib.util, os
spec = importlib.util.spec_from_file_location("run", os.environ["ROOT"] + "/bench/runner/run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)
def judged(*values):
    figures = {str(i): {"ms_more": v, "ms_more_least": v - 1, "ms_more_most": v + 1}
               for i, v in enumerate(values)}
    return run.judge(figures, "ms", 5)
assert judged(1, -4.5, 3) == {"target": 5, "reached": True, "worst": "1", "more": -4.5,
                              "least": -5.5, "most": -3.5}
assert not judged(1, 5)["reached"] and not judged(-5.1, 0)["reached"]
END
