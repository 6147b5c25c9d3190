#!/bin/bash
# Copies whose codebooks were changed apart, merged in every order: each label keeps its code.
set -eu
if [ -n "${TEST_WRAPPER-}" ]; then rounds=1; else rounds=3; fi
python3 "$ROOT/tests/reference/label_join.py" 2026 "$rounds"
