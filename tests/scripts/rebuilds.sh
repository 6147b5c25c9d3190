#!/bin/bash
# After a change of a file, make compiles what includes it, itself or through other headers, and nothing else.
set -eu
unset MFLAGS MAKELEVEL
# Without -j, but with the variables of the command line: other flags would make everything again.
case ${MAKEFLAGS-} in
    *' -- '*) MAKEFLAGS=" -- ${MAKEFLAGS#* -- }" ;;
    *) MAKEFLAGS= ;;
esac
export MAKEFLAGS

cd "$ROOT"
python3 - <<'PYTHON'
import os, re, subprocess, sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
COMPILED = re.compile(r" -c -o build/release/(\S+)\.o (\S+)")


def made(*options):
    """The files that make would compile for the program."""
    said = subprocess.run(["make", "-n", "V=1", "DEPS=:", *options, "build/ppmine"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout.decode()
    return {source for _, source in COMPILED.findall(said)}


included = {}


def includes(path):
    """All headers that a file reads, by itself or through others."""
    if path not in included:
        included[path] = found = set()
        text = open(path, encoding="utf-8").read()
        for name in INCLUDE.findall(text):
            if os.path.exists(name):
                found |= {name} | includes(name)
    return included[path]


if made():
    print("build/ppmine is not up to date")
    sys.exit(77)
everything = {path for path in made("-B") if path.endswith(".c") and not path.startswith("build/")}
assert len(everything) > 300, len(everything)
numbers = {}
for changed in ("base/base.h", "base/table/table.h", "check/rules/rule.h", "web/site.h", "check/rules/PP303_pipeline_order.c",
                "cli/cmd_stem.c", "check/rules/PP303.md", "schema.sql"):
    expected = {path for path in everything if changed == path or changed in includes(path)}
    got = {path for path in made("-W", changed) if path.endswith(".c")}
    if got != expected:
        sys.exit("%s: not made: %s; made for nothing: %s" % (changed, sorted(expected - got), sorted(got - expected)))
    numbers[changed] = len(got)
print(*("%s: %d" % pair for pair in numbers.items()), sep="\n")
assert numbers["check/rules/PP303_pipeline_order.c"] == numbers["cli/cmd_stem.c"] == 1, numbers
assert numbers["check/rules/PP303.md"] == 0 < numbers["check/rules/rule.h"] < len(everything) / 2, numbers
PYTHON
