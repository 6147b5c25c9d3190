#!/bin/bash
# Agreement and statistics of a number, sets of codes and yes/no: against krippendorff, pingouin, NumPy and
# SciPy, and against plain loops for MASI and Jaccard. The packages are fetched from PyPI once.
set -eu
venv=$ROOT/build/numbers-oracle-1
if [ ! -e "$venv/installed" ]; then
    {
        rm -rf "$venv" && python3 -m venv "$venv" &&
            timeout 500 "$venv/bin/pip" install -q krippendorff==0.9.0 pingouin==0.7.0 && touch "$venv/installed"
    } >said 2>&1 || { echo "krippendorff and pingouin cannot be had: $(tail -1 said)" && exit 77; }
fi
exec "$venv/bin/python" -B "$ROOT/tests/reference/numbers_oracle.py" "${SEEDS:-6}"
