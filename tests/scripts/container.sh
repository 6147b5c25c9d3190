#!/bin/bash
# Containerfile: what it installs comes from the project's list of packages and from what the program is linked
# with, what it runs is what docs/install.md says, and the second stage is nobody's root. make test-container
# builds and runs it ($CONTAINER_BUILD).
set -eu
. "$ROOT/tests/lib/dump.sh"

file=$ROOT/scripts/packaging/Containerfile
# One line for each instruction.
sed -e '/^#/d' -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' "$file" >lines

# --- the first stage ---

sed -n '/^FROM/,$p' lines | awk '/^FROM/ { stage++ } { print > ("stage" stage) }'
[ -s stage2 ] && [ ! -e stage3 ] || fail "there are not two stages"
[ "$(head -qn1 stage1 stage2 | cut -d' ' -f2 | sort -u | wc -l)" -eq 1 ] || fail "the stages are of two systems"
! grep apt-get stage1 || fail "the first stage names packages of its own"
for line in 'RUN scripts/deps build container' 'RUN make -j"$(nproc)"'; do
    grep -qxF "$line" stage1 || fail "not there: $line"
done
# The commands of make are those of the page, but for the folder that they install into.
sed -n '/^```sh/,/^```/p' "$ROOT/docs/install.md" "$ROOT/README.md" | sed 's/ *#.*//;s/^sudo //' >page
sed -n 's/^RUN \(make.*\)/\1/p' stage1 | sed -e 's/ -j"$(nproc)"//' -e 's/ DESTDIR=[^ ]*//' >commands
[ "$(wc -l <commands)" -eq 2 ] || fail "commands: $(cat commands)"
while read -r command; do
    grep -qxF "$command" page || fail "no page says to run: $command"
done <commands
# What it copies and calls is there.
for path in $(sed -n 's/^COPY \(scripts.*\) [^ ]*$/\1/p' stage1) scripts/needed-packages; do
    [ -f "$ROOT/$path" ] || fail "$path is not there"
done
grep -qx build "$ROOT/.dockerignore" || fail "what was built elsewhere is copied"

# --- the second stage ---

list=/usr/share/doc/ppmine/packages
grep -qxF "COPY --from=build /packages $list" stage2 || fail "the list of packages is not copied"
[ "$(grep -o 'apt-get install .* && ' stage2 | sed 's/ && .*//')" = \
    "apt-get install -y --no-install-recommends \$(sort -u $list)" ] || fail "it installs other packages"
grep -qE '^USER [1-9][0-9]*:[1-9][0-9]*$' stage2 || fail "it is root's"
[ "$(grep -n '^USER' stage2 | cut -d: -f1)" -gt "$(grep -n '^RUN' stage2 | tail -1 | cut -d: -f1)" ] ||
    fail "what it runs after USER cannot install"
! grep -E '^(EXPOSE|ADD|VOLUME)' stage2 || fail "it asks for more than it needs"

# The list, as the first stage makes it here: all that ldd names has a package, and 7z, gnuplot, sqlite3 and the
# certificates are there.
if command -v dpkg-query >/dev/null; then
    "$ROOT/scripts/needed-packages" "$TEST_BUILD/ppmine" >packages
    "$ROOT/scripts/deps" --list run container >>packages
    for package in libc6 libxml2 libsqlite3-0 libcurl4 ca-certificates sqlite3; do
        grep -qE "^$package(t64)?$" packages || fail "not in the list: $package: $(cat packages)"
    done
    ! grep -e '-dev$' packages || fail "packages for building are in the list"
    # Of another place, as a program that dpkg does not know would be.
    printf '#!/bin/sh\necho "libodd.so.1 => /nonexistent/libodd.so.1 (0x0)"\n' >ldd
    chmod +x ldd
    rc=0
    PATH=$PWD:$PATH "$ROOT/scripts/needed-packages" "$TEST_BUILD/ppmine" >said 2>&1 || rc=$?
    [ "$rc" -ne 0 ] && grep -q 'no package has /nonexistent/libodd.so.1' said || fail "unknown library: $rc: $(cat said)"
fi

# --- for real ---

[ -n "${CONTAINER_BUILD-}" ] || exit 0
for tool in podman docker; do
    if command -v "$tool" >/dev/null && "$tool" info >/dev/null 2>&1; then break; fi
    tool=
done
[ -n "$tool" ] || { echo "neither podman nor docker runs here" && exit 77; }
"$tool" build -t ppmine-test -f "$file" "$ROOT" >said 2>&1 || fail "$(tail -40 said)"
mkdir -m 777 work
run() { "$tool" run --rm --network none --read-only --cap-drop all -v "$PWD/work:/work" ppmine-test "$@"; }
printf 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n' >work/train.py
rc=0
run -q check train.py >said 2>&1 || rc=$?
[ "$rc" -eq 1 ] && grep -q '^train.py:2:[0-9]*: PP301 ' said || fail "check: exit code $rc: $(cat said)"
run -q -d study.db init --published
run -q -d study.db stats --table rq1-category --format csv >table
grep -q '^Time,117,' table || fail "stats: $(cat table)"
run doctor >said || fail "doctor: $(cat said)"
! grep -E '^(7z|gnuplot|sqlite3) +missing' said || fail "programs are missing"
"$tool" image rm ppmine-test >/dev/null
