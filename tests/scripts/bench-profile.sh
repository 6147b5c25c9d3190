#!/bin/bash
# ppprofile sums up a trace: types, stages, time of their own. The trace is made by hand, and so are
# the figures; no TensorFlow is needed.
set -eu

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/bench/lib python3 - <<'END'
from types import SimpleNamespace as Thing

import ppprofile

for event, wanted in {
    "sequential/dense/MatMul:MatMul": ("MatMul", False),
    "map/while/add#id=3,x=a:b#": (None, False),
    "a/b:_FusedConv2D#shape=1:2#": ("_FusedConv2D", False),
    "EagerLocalExecute: Sum": ("Sum", True),
    "EagerLocalExecute: __inference_train_12": (None, False),
    "EagerLocalExecute: StatefulPartitionedCall": (None, False),
    "x/PartitionedCall:PartitionedCall": (None, False),
    "Iterator::Root::MapAndBatch": ("Iterator::MapAndBatch", False),
    "Iterator::Root::Prefetch#id=1#": ("Iterator::Prefetch", False),
    "Iterator::Root::Zip[0]::Range": ("Iterator::Range", False),
    "tf.function-graph_building": ("tf.function-graph_building", False),
    "ExecutorState::Process": (None, False),
    "SessionRun": (None, False),
    "IteratorGetNextOp::DoCompute": (None, False),
}.items():
    assert ppprofile.entry_of(event) == wanted, (event, ppprofile.entry_of(event))


def plane(*lines):
    """Lines of (begin, duration, name)."""
    names = sorted({name for line in lines for _, _, name in line})
    return Thing(
        event_metadata={n: Thing(name=name) for n, name in enumerate(names)},
        lines=[Thing(events=[Thing(offset_ps=b, duration_ps=d, metadata_id=names.index(name))
                             for b, d, name in line]) for line in lines])


# One thread: a Map of 100 that holds a Cast of 20 (which holds a frame that counts for nothing, and
# in it a Mul of 5) and a Range of 10; then an eager Sum of 7. Another thread: a Sum of 3, not eager,
# and an eager op that reaches out of the Sum in which it begins by 1, as clocks do.
trace = plane(
    [(0, 100, "Iterator::Root::Map"), (10, 20, "x:Cast"), (11, 15, "FunctionRun"), (12, 5, "y:Mul"),
     (50, 10, "Iterator::Root::Map::Range"), (100, 7, "EagerLocalExecute: Sum")],
    [(0, 3, "z:Sum"), (2, 2, "EagerLocalExecute: Neg")])
wanted = {"Iterator::Map": [70, 1], "Cast": [15, 1], "Mul": [5, 1], "Iterator::Range": [10, 1],
          "Sum": [7 + 2, 2], "Neg": [2, 1], "eager execution": [9, 2]}
got = dict(ppprofile.entries_of([trace, plane()]))
assert got == wanted, got
END

# gains takes what a rule sees, whatever was measured.
mkdir -p cases results
for id in seen unseen far failure missing; do
    cp -r "$ROOT/tests/data/bench-cases/cases/slow" "cases/$id"
    sed -i "s/^problem_id = .*/problem_id = $id/" "cases/$id/case.ini"
    printf 'import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nx = tf.placeholder(tf.float32)\nwith tf.Session() as s:\n    for n in data():\n        s.run(tf.square(x), {x: n})\n' >"cases/$id/buggy.py"
    printf 'import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nx = tf.placeholder(tf.float32)\ny = tf.square(x)\nwith tf.Session() as s:\n    for n in data():\n        s.run(y, {x: n})\n' >"cases/$id/fixed.py"
done
cp cases/unseen/fixed.py cases/unseen/buggy.py
# result ID VERDICT RATIO
result() {
    cat >"results/$1.json" <<END
{"format": 1, "problem_id": "$1", "verdict": "$2", "metric": "work_time", "unit": "s", "ratio": $3, "ratio_low": 11.5,
 "ratio_high": 13, "date": "2026-01-02T03:04:05.678Z", "buggy": {"median": 24.69}, "fixed": {"median": 2},
 "others": {"mean_processors": 0.125}, "machine": {"processor": "a b", "processors": 2}, "versions": {"tensorflow-cpu": "2.15.1"}}
END
}
result seen reproduced 12.345678
result unseen reproduced 2
result far 'not reproduced here' 1.1
result failure reproduced null
mkdir bench
mv cases bench
PPMINE=$PPMINE "$ROOT/scripts/gains" results >out 2>err
diff -u - out <<'END'
rule,problem_id,verdict,metric,buggy,fixed,unit,ratio,low,high,date,machine,processors,others,framework,changes
PP103,failure,reproduced,work_time,24.69,2,s,,11.5,13,2026-01-02,a b,2,0.12,TensorFlow 2.15.1,TensorFlow 1 behaviour
PP103,far,not reproduced here,work_time,24.69,2,s,1.1,11.5,13,2026-01-02,a b,2,0.12,TensorFlow 2.15.1,TensorFlow 1 behaviour
PP103,seen,reproduced,work_time,24.69,2,s,12.35,11.5,13,2026-01-02,a b,2,0.12,TensorFlow 2.15.1,TensorFlow 1 behaviour
END
[ ! -s err ] || { cat err && exit 1; }
