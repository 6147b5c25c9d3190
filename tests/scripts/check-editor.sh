#!/bin/bash
# What an editor shows is what the command line finds in the same text, through random edits, saves, closes and renames, also of
# files that .gitignore and pyproject.toml leave out.
set -eu

for seed in 1 4; do
    python3 "$ROOT/tests/lib/check_editor.py" "$PPMINE" "$ROOT/tests/check" $seed 60 >said || { cat said; exit 1; }
done
