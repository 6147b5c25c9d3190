#!/bin/bash
# Laws of --diff, --fix, baselines and comments, over the cases of the rules in other layouts: CRLF, tabs, a byte order
# mark, no line end, a docstring and an import from __future__, deeper blocks, characters of several bytes.
set -eu

python3 "$ROOT/tests/lib/check_laws.py" "$PPMINE" "$ROOT/tests/check" >said || { cat said; exit 1; }
