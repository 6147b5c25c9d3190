#!/bin/bash
# What check keeps: of real clones the commit that git names, from wherever it is started; of two
# processes at a time all; and when the database cannot be used, what was found is printed all the same.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/campaign.sh"
need sqlite3 git python3
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null PPMINE_BUSY_TIMEOUT_MS=60000
ppmine -q -d c.db init

git_() { git -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main "$@" >/dev/null 2>&1; }

# keeps FOLDER OPERAND…: a check in the folder keeps the commit that git names there
keeps() {
    local folder=$1 expected known
    shift
    expected=$(git -C "$folder" rev-parse HEAD)
    known=$PWD/c.db
    (cd "$folder" && ppmine -q -d "$known" check --fail-on never "$@" >/dev/null) ||
        fail "check in $folder: exit code $?"
    [ "$(sqlite3 c.db "SELECT count(*) FROM scan WHERE commit_id = '$expected'")" -ge 1 ] ||
        fail "in $folder git says $expected; kept: $(sqlite3 c.db 'SELECT commit_id FROM scan')"
}

mkdir repo
git_ -C repo init
mkdir repo/lib
program one two >repo/lib/a.py
git_ -C repo add . && git_ -C repo commit -m 1
keeps repo
git_ -C repo commit --allow-empty -m 2
git_ -C repo pack-refs --all
[ ! -e repo/.git/refs/heads/main ] || fail "git did not pack: this test would find nothing"
keeps repo
git_ -C repo checkout -b topic/deep
git_ -C repo commit --allow-empty -m 3
keeps repo
git_ -C repo tag -a v1 -m v1 && git_ -C repo pack-refs --all && git_ -C repo checkout v1
keeps repo
git_ -C repo worktree add ../further main
git_ -C further commit --allow-empty -m 4
keeps further
keeps further/lib
git_ -c protocol.file.allow=always clone --recurse-submodules repo outer
git_ -C outer -c protocol.file.allow=always submodule add ../repo inner
git_ -C outer/inner commit --allow-empty -m 5
keeps outer/inner
[ "$(sqlite3 c.db "SELECT count(DISTINCT project) FROM scan")" = 3 ] || # a folder each: no address
    fail "projects: $(sqlite3 c.db 'SELECT DISTINCT project FROM scan')"
if git_ init --object-format=sha256 long; then
    git_ -C long commit --allow-empty -m 1
    keeps long
fi
if git_ init --ref-format=reftable tables && [ -d tables/.git/reftable ]; then
    git_ -C tables commit --allow-empty -m 1
    rc=0
    ppmine -d c.db check tables 2>said || rc=$?
    [ "$rc" = 3 ] && grep -q 'give --commit' said || fail "of reftables: exit code $rc, $(cat said)"
fi

# From wherever it is started, the same findings: nothing is added.
ppmine -q -d d.db init
ppmine -q -d d.db check --fail-on never repo >/dev/null
cp d.db before.db
(cd repo && ppmine -q -d ../d.db check --fail-on never >/dev/null)
(cd repo/lib && ppmine -q -d ../../d.db check --fail-on never .. >/dev/null)
ppmine -q -d d.db check --fail-on never "$PWD/repo" >/dev/null
ppmine -q -d d.db check --fail-on never ./repo/lib/../ >/dev/null
same "a check from elsewhere added something" <(sqlite3 before.db .dump) <(sqlite3 d.db .dump)
ppmine -q -d d.db check --fail-on never repo/lib >/dev/null
[ "$(sqlite3 d.db 'SELECT count(*), sum(seen = '"'found'"') FROM finding_current')" = '2|2' ] ||
    fail "a check of a folder of the project made other findings, or took some away"

# Ids are what schema.sql says they are.
PPMINE_CODER=ann ppmine -q -d d.db campaign set reported $(ppmine -d d.db campaign list --format csv |
    sed '1d; s/,.*//')
python3 - d.db <<'END'
import hashlib, json, sqlite3, sys

def sha(texts):
    return hashlib.sha256(json.dumps(texts, separators=(",", ":")).encode()).hexdigest()

db = sqlite3.connect(sys.argv[1])
for finding, project, fingerprint in db.execute("SELECT finding_id, project, fingerprint FROM finding"):
    assert finding == sha([project, fingerprint])[:16], finding
rows = db.execute("SELECT state_id, finding_id, state, set_at, set_by FROM finding_state").fetchall()
assert len(rows) == 2
for row in rows:
    assert row[0] == sha(list(row[1:])), row
END

# What was found in a file that cannot be read now is taken to be there still.
mkdir pack
program one >pack/a.py
python3 - <<'END'
import json
source = open("pack/a.py").read().replace("one", "two")
cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": 1}
json.dump({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, open("pack/b.ipynb", "w"))
END
pack() { # VERSION
    ppmine -q -d d.db check --project pack --commit "$1" --fail-on never pack >/dev/null 2>said
    sqlite3 d.db "SELECT file, seen FROM finding_current WHERE project = 'pack' ORDER BY file" |
        tr '\n' ' '
}
[ "$(pack 1)" = 'a.py|found b.ipynb|found ' ] || fail "of version 1: $(pack 1)"
cp pack/b.ipynb whole.ipynb && head -c 150 whole.ipynb >pack/b.ipynb
[ "$(pack 2)" = 'a.py|found b.ipynb|unread ' ] || fail "of version 2: $(pack 2)"
[ "$(sqlite3 d.db 'SELECT unread, files FROM scan ORDER BY scan_id DESC LIMIT 1')" = '1|2' ] ||
    fail "the scan does not say that a file could not be read"
rm pack/b.ipynb
[ "$(pack 3)" = 'a.py|found b.ipynb|gone ' ] || fail "of version 3: $(pack 3)"
cp whole.ipynb pack/b.ipynb
[ "$(pack 4)" = 'a.py|found b.ipynb|found ' ] || fail "of version 4: $(pack 4)"

# Two processes, and twenty: nothing is lost, and the same is not added twice.
for n in 1 2 3 4 5 6 7 8 9 10; do
    mkdir "p$n"
    program "f$n" "g$n" >"p$n/a.py"
done
pids=
for n in 1 2 3 4 5 6 7 8 9 10; do
    for _ in 1 2; do
        ppmine -q -d c.db check --project "p$n" --commit 1 --fail-on never "p$n" >/dev/null 2>>errors &
        pids="$pids $!"
    done
done
for pid in $pids; do
    wait "$pid" || fail "one of many at a time: exit code $?: $(cat errors)"
done
[ "$(sqlite3 c.db "SELECT count(*), count(DISTINCT project) FROM scan WHERE project GLOB 'p[0-9]*'")" = \
    '10|10' ] || fail "scans: $(sqlite3 c.db 'SELECT project FROM scan')"
[ "$(sqlite3 c.db "SELECT count(*) FROM finding WHERE project GLOB 'p[0-9]*'")" = 20 ] ||
    fail "findings of many at a time are missing"
[ "$(sqlite3 c.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] || fail "damaged"

# Databases that cannot be used: exit code 5; before the files are read nothing is printed.
expect() { # RC WORDS ARGUMENT…
    local expected=$1 words=$2 rc=0
    shift 2
    ppmine "$@" >out 2>said || rc=$?
    [ "$rc" = "$expected" ] || fail "ppmine $*: exit code $rc, expected $expected: $(cat said)"
    grep -qF -- "$words" said || fail "ppmine $*: it does not say '$words': $(cat said)"
}
expect 5 'ppmine init' -d none.db check --commit 1 p1
[ ! -e none.db ] || fail "a database was made"
echo "no database at all, only some text" >text.db
cp text.db text.copy
expect 5 'text.db: not an SQLite database' -d text.db check --commit 1 p1
same "a text was changed" text.copy text.db
sqlite3 foreign.db 'CREATE TABLE finding (precious)'
cp foreign.db foreign.copy
expect 5 'database of another program' -d foreign.db check --commit 1 p1
same "a foreign database was changed" foreign.copy foreign.db
sqlite3 newer.db 'PRAGMA application_id = 0x70706d31; PRAGMA user_version = 99; CREATE TABLE t (x)'
expect 5 'newer ppmine' -d newer.db check --commit 1 p1
[ ! -s out ] || fail "printed without a database"
cp d.db read-only.db
chmod 444 read-only.db
if [ "$(id -u)" -ne 0 ]; then # root may write all the same
    expect 5 'cannot be written' -d read-only.db check --commit 1 p1
    expect 5 'cannot be written' -d read-only.db campaign set reported 0 --by ann
fi
ppmine -d read-only.db campaign report >/dev/null || fail "what cannot be written cannot be read"
sqlite3 old.db 'PRAGMA application_id = 0x70706d69; PRAGMA user_version = 13; CREATE TABLE t (x)'
cp old.db old.copy
expect 5 'before the first release' -d old.db campaign list
expect 5 'before the first release' -d old.db check --commit 1 p1
same "a database of before the first release was changed" old.copy old.db

python3 - <<'END' &
import sqlite3, time

db = sqlite3.connect("c.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("is-locked", "w").close()
time.sleep(60)
END
locker=$!
trap 'kill $locker 2>/dev/null || :' EXIT
for _ in $(seq 100); do [ -e is-locked ] || sleep 0.1; done
PPMINE_BUSY_TIMEOUT_MS=100 expect 5 'c.db: locked by another process' -d c.db check --commit 2 p1
[ "$(grep -c PP301 out)" = 2 ] || fail "what was found is not printed when it cannot be kept"
[ "$(sqlite3 c.db "SELECT count(*) FROM scan WHERE commit_id = '2'")" = 0 ] || fail "half of it is kept"
