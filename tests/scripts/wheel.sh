#!/bin/bash
# make wheel: what pip installs runs with the C library of the system and nothing else of it, and is what
# pre-commit runs.
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_unless_as_it_is
need python3 patchelf objdump strip ldd

wheels() {
    "$ROOT/scripts/wheel" "$TEST_BUILD/ppmine" "$1" >said 2>&1 || fail "$(cat said)"
    "$ROOT/scripts/wheel" "$TEST_BUILD/ppcheck" "$1" >said 2>&1 || fail "$(cat said)"
}
wheels one
wheels two
wheel=$(echo one/ppmine-*.whl)
small=$(echo one/ppcheck-*.whl)
same "two wheels" "$wheel" "two/${wheel#one/}"
same "two wheels" "$small" "two/${small#one/}"
[ "$(wc -c <"$small")" -lt 4000000 ] || fail "the wheel of ppcheck has $(wc -c <"$small") bytes"

# What RECORD says of each file, and the tag: no file asks for a newer glibc.
python3 - "$wheel" <<'END'
import base64, csv, hashlib, io, re, subprocess, sys, tempfile, zipfile
archive = zipfile.ZipFile(sys.argv[1])
record = next(n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
assert sorted(r[0] for r in rows) == sorted(archive.namelist()), "RECORD lists other files"
for name, digest, size in rows:
    if name != record:
        content = archive.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert (digest, size) == ("sha256=" + found, str(len(content))), name
tag = tuple(map(int, re.search(r"-manylinux_(\d+)_(\d+)_", sys.argv[1]).groups()))
with tempfile.TemporaryDirectory() as folder:
    archive.extractall(folder)
    binaries = [n for n in archive.namelist() if n.startswith(("ppmine/bin/", "ppmine/lib/"))]
    needed = set()
    for name in binaries:
        said = subprocess.run(["readelf", "-VW", f"{folder}/{name}"], capture_output=True, check=True).stdout.decode()
        needed |= {tuple(map(int, v)) for v in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", said)}
assert max(needed) == tag, (max(needed), tag)
licences = [n for n in archive.namelist() if ".dist-info/licenses/" in n]
assert len(licences) > 10, "licences of the libraries are missing"
END

# --- pip, and where its libraries come from ---

python3 -m venv venv >said 2>&1 || fail "$(cat said)"
venv/bin/pip install -q --no-index --no-deps "$wheel" >said 2>&1 || fail "$(cat said)"
printf 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n' >train.py
found() { # COMMAND…: the finding of train.py and exit code 1
    local rc=0
    "$@" >found 2>&1 || rc=$?
    [ "$rc" -eq 1 ] && grep -q '^train.py:2:[0-9]*: PP301 ' found || fail "$*: exit code $rc: $(cat found)"
}
found venv/bin/ppmine -q check train.py
venv/bin/pip install -q --no-index --no-deps "$small" >said 2>&1 || fail "$(cat said)"
found venv/bin/ppcheck -q train.py
[ "$(venv/bin/ppmine bench list --format csv | wc -l)" -gt 10 ] || fail 'the cases of the benchmark are not in the wheel'
package=$(echo "$PWD"/venv/lib/python3*/site-packages/ppmine)
LD_DEBUG=libs LD_DEBUG_OUTPUT=loaded "$package/bin/ppmine" --version >said
grep -hoE 'calling init: .*' loaded.* | cut -d' ' -f3 | sort -u >loaded
[ "$(grep -c "^$package/" loaded)" -gt 20 ] || fail "few libraries are those of the wheel: $(cat loaded)"
# glibc, and what comes with the compiler: all that PEP 600 promises and we use.
! grep -v "^$package/" loaded | grep -vE '/(ld-linux-[^/]*|lib(c|m|dl|pthread|resolv|gcc_s|stdc\+\+)\.so[^/]*)$' ||
    fail "libraries from outside"

# --- a system in which there is nothing else ---

mkdir -p bare
cp -r "$package" bare/ppmine
cp train.py bare
ldd "$package/bin/ppmine" | grep -oE '/[^ ]+' | grep -v "^$package/" | sort -u | while read -r file; do
    mkdir -p "bare$(dirname "$file")"
    cp -L "$file" "bare$file"
done
if [ "$(id -u)" -eq 0 ]; then enter=(chroot bare); else enter=(unshare -r chroot bare); fi
# Without /proc there is no $ORIGIN, so the loader is told where the libraries are.
enter+=("$(readelf -l "$package/bin/ppmine" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')" --library-path /ppmine/lib
    /ppmine/bin/ppmine)
if "${enter[@]}" --version >said 2>&1 || [ "$(id -u)" -eq 0 ]; then
    found "${enter[@]}" -q check train.py
    "${enter[@]}" -q -d study.db init --published 2>said || fail "init: $(cat said)"
    "${enter[@]}" -q -d study.db stats --table rq1-category --format csv >table
    grep -q '^Time,117,' table || fail "stats: $(cat table)"
fi

# --- pre-commit ---

need git
. "$ROOT/tests/lib/python.sh"
if ! python_with pre-commit==4.3.0; then
    echo "pre-commit cannot be installed: $(tail -1 said)"
    exit 77
fi
git init -q project
cp train.py project
cat >project/.pre-commit-config.yaml <<END
repos:
- repo: local
  hooks:
    - {id: ppcheck, name: ppcheck, language: python, entry: ppcheck -q, types: [python],
       additional_dependencies: [$PWD/$small]}
END
# Not the program that is tested otherwise: it is on the PATH.
pre_commit() { (cd project && git add -A && PATH=${PATH#*:} "$venv/bin/pre-commit" "$@" >../said 2>&1); }
finds() { # WHAT: the hook finds what is in train.py
    local rc=0
    pre_commit run --all-files || rc=$?
    [ "$rc" -eq 1 ] && grep -q '^train.py:2:[0-9]*: PP301 ' said || fail "$1: exit code $rc: $(cat said)"
}
finds "a hook that names the wheel"
echo 'import tensorflow as tf' >project/train.py
pre_commit run --all-files || fail "a hook that names the wheel, on what is fine: $(cat said)"

# --- the hooks of this project: pre-commit clones it, and pip asks scripts/pip for the wheel ---

git init -q source
(cd "$ROOT" && tar -cf - .pre-commit-hooks.yaml pyproject.toml Makefile README.md LICENSE base scripts) | tar -xf - -C source
git -C source add -A
git -C source -c user.name=x -c user.email=x@localhost commit -qm all
revision=$(git -C source rev-parse HEAD)
hook() { # ID
    printf 'repos:\n- {repo: "%s", rev: %s, hooks: [{id: %s}]}\n' "$PWD/source" "$revision" "$1" \
        >project/.pre-commit-config.yaml
}
cp train.py project
hook ppmine-check
export PPMINE_WHEEL=$PWD/one
finds ppmine-check
! grep -q 'num_parallel_calls' project/train.py || fail "ppmine-check writes"
hook ppmine-check-fix
rc=0
pre_commit run --all-files || rc=$?
[ "$rc" -eq 1 ] && grep -q 'files were modified by this hook' said || fail "ppmine-check-fix: exit code $rc: $(cat said)"
grep -q 'num_parallel_calls' project/train.py || fail "ppmine-check-fix writes nothing: $(cat said)"
[ "$(grep -c '^- id: ' "$ROOT/.pre-commit-hooks.yaml")" -eq 2 ] || fail "a hook is not tried here"

# What else the place may be, and a place where no wheel of this version is.
install() { # PLACE: by pip, from the source
    venv/bin/pip uninstall -qy ppcheck >said 2>&1
    PPMINE_WHEEL=$1 PATH=${PATH#*:} venv/bin/pip install --no-index ./source >said 2>&1
}
install "$PWD/$small" || fail "PPMINE_WHEEL=$small: $(cat said)"
found venv/bin/ppcheck -q train.py
mkdir empty
cp "$small" "empty/ppcheck-9.9.9-${small#*/ppcheck-*-}"
! install "$PWD/empty" || fail "the wheel of another version is installed"
grep -q 'PPMINE_WHEEL=.*/empty: 0 files there are called ppcheck-' said || fail "another version: $(cat said)"
! install "$PWD/nowhere" || fail "a wheel that is not there is installed"

# Without a place it is compiled: here make finds the program made.
mkdir bin
printf '#!/bin/sh\necho "$*" >"%s"\nmkdir -p "$4/build" && cp "%s" "$4/build/ppcheck"\n' "$PWD/asked" "$TEST_BUILD/ppcheck" >bin/make
chmod +x bin/make
PATH=x:$PWD/bin:$PATH install '' || fail "compiled: $(cat said)"
grep -q '^-s -j[0-9]* -C .* DEPS=: build/ppcheck$' asked || fail "make is asked for something else: $(cat asked)"
found venv/bin/ppcheck -q train.py
printf '#!/bin/sh\nexit 2\n' >bin/make
! PATH=x:$PWD/bin:$PATH install '' || fail "what could not be compiled is installed"
grep -q 'it cannot be compiled here; set PPMINE_WHEEL' said || fail "not compiled: $(cat said)"
