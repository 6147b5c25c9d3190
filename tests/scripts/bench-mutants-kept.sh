#!/bin/bash
# bench/mutants/results.csv: at least five wrong fixes of every case as it is now were refused, and each that
# was accepted has a reason. Nothing is run.
set -eu

python3 "$ROOT/bench/mutants/run.py" --check
