#!/bin/bash
# Posts in the forms of other programs come in right, or are refused; damaged rows are never stored as false data.
set -eu
export ROOT PPMINE
python3 "$ROOT/tests/lib/forms.py"
