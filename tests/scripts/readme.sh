#!/bin/sh
# The README's commands work, in the order in which they stand, and print what it says they print.
set -eu

mkdir build
ln -s "$ROOT/build/ppmine" "$ROOT/build/ppmine.so" build/
ln -s "$ROOT/studies" studies
PATH=$PWD/build:$PATH
export PATH

python3 - "$ROOT/README.md" <<'EOF'
import re, subprocess, sys

lines = open(sys.argv[1], encoding="utf-8").read().split("\n")

# "    $ command" and the indented lines below it, up to a blank one.
steps = []
for line in lines:
    if line.startswith("    $ "):
        steps.append((re.sub(r"  +# .*", "", line[6:]), []))
    elif steps and line.startswith("    ") and not line.startswith("    sqlite>"):
        if steps[-1][1] is not None:
            steps[-1][1].append(line[4:])
    elif steps:
        steps.append((None, None))
steps = [(command, shown) for command, shown in steps if command]
assert len(steps) >= 7, "the README shows fewer commands than this test knows of"

script = "set -eu\n" + "".join(f"{command}\necho @@end\n" for command, _ in steps)
run = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
if run.returncode != 0:
    sys.exit(f"a command of the README failed:\n{run.stdout}{run.stderr}")
failed = False
for (command, shown), printed in zip(steps, run.stdout.split("@@end\n")):
    if shown and printed.rstrip("\n") != "\n".join(shown):
        print(f"$ {command}\nREADME:\n" + "\n".join(shown) + f"\nprinted:\n{printed}")
        failed = True

# The sqlite> session, on the same database: each statement gives rows.
session = re.findall(r"^    (?:sqlite>|   \.\.\.>) (.*)$", "\n".join(lines), re.M)
statements = "\n".join(session)
assert ".load build/ppmine" in statements
for statement in [s for s in statements.replace(".load build/ppmine\n", "").split(";") if s.strip()]:
    run = subprocess.run(["sqlite3", "build/sample.db", "-cmd", ".load build/ppmine", statement],
                         capture_output=True, text=True)
    if run.returncode != 0 or not run.stdout.strip():
        print(f"sqlite> {statement}\ngave nothing: {run.stdout}{run.stderr}")
        failed = True
sys.exit(failed)
EOF
