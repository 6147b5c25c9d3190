#!/bin/bash
# A package survives git on Windows, file managers and a Python without SQLite; check.py says what it could not check.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3

"$PPMINE" -q -d study.db init --published
"$PPMINE" -q -d study.db export --no-plots --open --package good
# No syntax that Python 3.6 lacks, and nothing of its library that came later.
python3 - good/check.py <<'PYTHON'
import ast, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read(), feature_version=(3, 6))
late = {"NormalDist", "fmean", "multimode", "quantiles", "prod", "dist", "comb", "perm", "isqrt", "removeprefix", "removesuffix",
        "capture_output", "fromisoformat", "pairwise", "batched", "cache", "cached_property", "nullcontext", "missing_ok"}
used = {getattr(n, "attr", None) or getattr(n, "arg", None) or getattr(n, "name", None) for n in ast.walk(tree)} & late
sys.exit(f"check.py needs a younger Python: {sorted(used)}" if used else 0)
PYTHON
cp -R good other
touch other/.DS_Store other/data/Thumbs.db other/data/._problems.csv
mkdir -p other/.git/objects && touch other/.git/HEAD
python3 other/check.py >said || { cat said && fail "what file managers and git leave is a fault"; }
touch other/more.csv
rc=0
python3 other/check.py >said || rc=$?
[ "$rc" = 1 ] && grep -q 'more.csv: not in SHA256SUMS' said || { cat said && fail "a further file: $rc"; }
rm other/more.csv

grep -qx '\* -text' good/.gitattributes || fail "git may change line ends"
sed -i 's/$/\r/' other/data/problems.csv
rc=0
python3 other/check.py >said || rc=$?
[ "$rc" = 1 ] && grep -q 'data/problems.csv: has another SHA-256.*line ends became CRLF' said ||
    { cat said && fail "CRLF is not named: $rc"; }

without='import runpy, sys
sys.modules["sqlite3"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")'
rc=0
python3 -c "$without" good/check.py >said 2>&1 || rc=$?
[ "$rc" = 3 ] && grep -q '^skip .*no module sqlite3' said && grep -q ', 0 failed, [1-9][0-9]* not checked$' said ||
    { cat said && fail "without SQLite: $rc"; }
echo "$(grep -c ^ok said) checks without SQLite"
