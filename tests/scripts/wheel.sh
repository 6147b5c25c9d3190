#!/bin/bash
# make wheel: what pip installs runs with the C library of the system and nothing else of it, and is what
# pre-commit runs.
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_when_slow
need python3 patchelf objdump strip ldd

wheels() { "$ROOT/scripts/wheel" "$TEST_BUILD/ppmine" "$1" >said 2>&1 || fail "$(cat said)"; }
wheels one
wheels two
wheel=$(echo one/*.whl)
same "two wheels" "$wheel" "two/${wheel#one/}"

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
if ! venv/bin/pip install -q pre-commit==4.3.0 >said 2>&1; then
    echo "pre-commit cannot be installed: $(tail -1 said)"
    exit 77
fi
git init -q project
cp train.py project
cat >project/.pre-commit-config.yaml <<END
repos:
- repo: local
  hooks:
    - {id: ppmine, name: ppmine check, language: python, entry: ppmine -q check, types: [python],
       additional_dependencies: [$PWD/$wheel]}
END
cd project
git add -A
rc=0
# Not the program that is tested otherwise: it is on the PATH.
PATH=${PATH#*:} ../venv/bin/pre-commit run --all-files >../said 2>&1 || rc=$?
[ "$rc" -eq 1 ] && grep -q '^train.py:2:[0-9]*: PP301 ' ../said || fail "pre-commit: exit code $rc: $(cat ../said)"
echo 'import tensorflow as tf' >train.py
git add -A
PATH=${PATH#*:} ../venv/bin/pre-commit run --all-files >../said 2>&1 || fail "pre-commit on what is fine: $(cat ../said)"
