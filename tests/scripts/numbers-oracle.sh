#!/bin/bash
# Agreement and statistics of a number, sets of codes and yes/no: against krippendorff, pingouin, NumPy and
# SciPy, and against plain loops for MASI and Jaccard. The packages are fetched from PyPI once.
set -eu
. "$ROOT/tests/lib/python.sh"
python_with krippendorff==0.9.0 pingouin==0.7.0 ||
    { echo "krippendorff and pingouin cannot be had: $(tail -1 said)" && exit 77; }
exec "$venv/bin/python" -B "$ROOT/tests/reference/numbers_oracle.py" "${SEEDS:-6}"
