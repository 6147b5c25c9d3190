#!/bin/bash
# The pictures of README and docs are made by one script, small, and all that the texts name are there.
set -eu

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
"$ROOT/scripts/pictures" made
exec python3 -B - <<'PYTHON'
import os, re
root = os.environ["ROOT"]
made = sorted(os.listdir("made"))
assert made == sorted(os.listdir(root + "/docs/images")), made
named = set()
for page in ["README.md", *(f"docs/{name}" for name in os.listdir(root + "/docs") if name.endswith(".md"))]:
    text = open(f"{root}/{page}", encoding="utf-8").read()
    named |= set(re.findall(r"!\[[^\]]+\]\((?:docs/)?images/([^)]*)\)", text))
assert sorted(named) == made, (named, made)
for name in made:
    for path in (f"made/{name}", f"{root}/docs/images/{name}"):
        content = open(path, "rb").read()
        assert content[:4] == b"RIFF" and 10_000 < len(content) < 150_000, (path, len(content))
PYTHON
