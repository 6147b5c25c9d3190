#!/bin/bash
# Archives around posts are read; parts of archives, archives in archives and pointers are named, never read as posts.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3

load() { # FILE
    rm -f x.db*
    "$PPMINE" -q -d x.db init
    rc=0
    "$PPMINE" -d x.db load --all-tags "$1" >out 2>err || rc=$?
}

is_read() { # FILE POSTS
    load "$1"
    [ "$rc" = 0 ] || fail "$1: exit code $rc: $(cat err)"
    [ "$(sqlite3 x.db 'SELECT count(*) FROM post')" = "$2" ] || fail "$1: other posts than $2: $(cat err)"
}

is_named() { # FILE WORDS
    load "$1"
    [ "$rc" = 3 ] || fail "$1: exit code $rc, not 3: $(cat err)"
    grep -q "$2" err || fail "$1: '$2' is not said: $(cat err)"
}

mkdir a b
echo '<posts><row Id="1" PostTypeId="1" Title="slow" Tags="|keras|" /></posts>' >a/Posts.xml
cp a/Posts.xml b/Posts.xml
echo '<users><row Id="1" /></users>' >a/Users.xml
echo '{"post_id":1,"title":"slow"}' >one.ndjson
echo '{"post_id":2,"title":"slow"}' >two.ndjson
python3 - <<'END'
import tarfile, zipfile
def tar(name, *members):
    with tarfile.open(name, "w:" + (name.split(".")[2] if name.count(".") == 2 else "")) as t:
        for m in members:
            t.add(m)
def pack(name, *members):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        for m in members:
            z.write(m)
for end in ("tar", "tar.gz", "tar.xz", "tar.bz2"):
    tar("dump." + end, "a/Users.xml", "a/Posts.xml")
tar("one.tar.gz", "one.ndjson")
tar("twice.tar", "a/Posts.xml", "b/Posts.xml")
tar("several.tar.gz", "one.ndjson", "two.ndjson")
tar("users.tar", "a/Users.xml")
pack("dump.zip", "a/Users.xml", "a/Posts.xml")
pack("twice.zip", "a/Posts.xml", "b/Posts.xml")
pack("outer.zip", "dump.zip")
tar("outer.tar.gz", "dump.zip")
for whole in ("dump.tar.gz", "dump.zip", "dump.tar"):
    data = open(whole, "rb").read()
    open("cut-" + whole, "wb").write(data[:data.index(b"PK\x01\x02") if whole.endswith("zip") else len(data) * 5 // 100 + 600
                                          if whole == "dump.tar" else len(data) // 2])
    if not whole.endswith("zip"):
        open("two-" + whole, "wb").write(data + data)
        open("more-" + whole, "wb").write(data + b"more")
packed = open("dump.tar.gz", "rb").read()
open("sum-dump.tar.gz", "wb").write(packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:])  # of all bytes, after the last one
open("end-dump.tar.gz", "wb").write(packed[:-5])
END
for file in dump.tar dump.tar.gz dump.tar.xz dump.tar.bz2 dump.zip one.tar.gz; do is_read "$file" 1; done
for file in twice.tar twice.zip several.tar.gz; do is_named "$file" 'more than one file'; done
# The end of a tar is not the end of the file.
for file in two-dump.tar two-dump.tar.gz; do is_named "$file" 'more than one file'; done
for file in more-dump.tar more-dump.tar.gz sum-dump.tar.gz end-dump.tar.gz; do is_named "$file" 'damaged or truncated archive'; done
is_named users.tar 'none of them with posts'
for file in outer.zip outer.tar.gz; do is_named "$file" 'contains an archive again'; done
for file in cut-dump.tar.gz cut-dump.tar; do is_named "$file" 'truncated'; done

printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n' >Posts.7z
is_named Posts.7z 'git lfs pull'
printf 'rest of it' >Posts.7z.002
is_named Posts.7z.002 'join all parts'
printf 'PAR1xxxx' >posts.parquet
is_named posts.parquet 'Parquet'
if program=$(command -v 7z || command -v 7za || command -v 7zr); then
    "$program" a -bd twice.7z a/Posts.xml b/Posts.xml >log 2>&1 || fail "$(cat log)"
    is_named twice.7z '2 files Posts.xml'
    "$program" a -bd whole.7z a/Posts.xml >log 2>&1 || fail "$(cat log)"
    is_read whole.7z 1
    head -c 100 whole.7z >whole.7z.001
    is_named whole.7z.001 'first part'
fi
