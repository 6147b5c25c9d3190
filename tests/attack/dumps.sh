#!/bin/bash
# Dumps made to be counted differently: blanks without end, files that were joined, archives with two
# files of a name. Each post is counted once, or the difference is said; no way of reading disagrees.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 7z python3
skip_when_slow

slow() { rows "$1" "$2" | sed 's/\(Post [0-9]*\)/\1 runs slowly, a memory leak/'; }
slow 1 40 >rows
whole <rows >plain.xml
blanks() { head -c "$1" /dev/zero | tr '\0' ' '; }
"$PPMINE" -q match --stdin --posts <plain.xml >plain.json
[ -s plain.json ] || fail "no candidates: a weak test"

# match --stdin: 30 MB of blanks before, between and after rows change nothing
for where in first between tail; do
    case $where in
    first) { blanks 30000000; cat rows; } ;;
    between) { slow 1 7; blanks 12000000; slow 8 40; } ;;
    tail) { cat rows; blanks 30000000; } ;;
    esac >in
    rc=0
    "$PPMINE" match --stdin --posts --strict <in >out 2>said || rc=$?
    [ "$rc" -eq 0 ] || fail "blanks $where: exit code $rc: $(cat said)"
    same "blanks $where" plain.json out
done

"$PPMINE" -q -d plain.db init
load plain.db 0 plain.xml
content plain.db >plain
for where in first root between; do
    case $where in
    first) { blanks 30000000; cat plain.xml; } ;;
    root) { printf '<posts>\n'; blanks 12000000; cat rows; printf '</posts>'; } ;;
    between) { slow 1 7; blanks 12000000; slow 8 40; } | whole ;;
    esac >in
    rm -f a.db
    "$PPMINE" -q -d a.db init
    load a.db 0 --strict in
    content a.db >out
    same "load, blanks $where" plain out
done

# A comment as long as rows never are does not take the row before it.
{ slow 1 7; printf '<!--'; blanks 12000000; printf -- '-->'; slow 8 40; } | whole >in
rm -f a.db
"$PPMINE" -q -d a.db init
load a.db 0 in
[ "$(count a.db)" -eq "$(count plain.db)" ] || fail "a long comment: $(count a.db) posts: $(cat said)"

# Two documents that were joined
{ cat plain.xml; slow 41 60 | whole; } >joined.xml
rm -f a.db
"$PPMINE" -q -d a.db init
load a.db 0 joined.xml
says 'a second document begins here'
load a.db 0 --strict joined.xml # all rows of both can be used

# Two members of one name: with the program 7z and without it
mkdir two
cp plain.xml two/Posts.xml
slow 41 60 | whole >two/Qosts.xml
(cd two && 7z a -bd -mhc=off ../two.7z Posts.xml Qosts.xml >/dev/null)
python3 - <<'END'
import struct, zlib
data = bytearray(open("two.7z", "rb").read())
at = data.index("Qosts.xml".encode("utf-16-le"))
data[at] = ord("P")
offset, size = struct.unpack("<QQ", data[12:28])
data[28:32] = struct.pack("<I", zlib.crc32(data[32 + offset:32 + offset + size]))
data[8:12] = struct.pack("<I", zlib.crc32(data[12:32]))
open("two.7z", "wb").write(data)
END
mkdir bin
for program in cat sqlite3; do ln -s "$(command -v $program)" bin/; done
for path in "$PATH" "$PWD/bin"; do
    rm -f a.db
    "$PPMINE" -q -d a.db init
    rc=0
    PATH=$path "$PPMINE" -d a.db load two.7z 2>said || rc=$?
    [ "$rc" -eq 3 ] || fail "two members, PATH=$path: exit code $rc: $(cat said)"
    says 'contains 2 files Posts.xml'
    [ "$(count a.db)" -eq 0 ] || fail "two members, PATH=$path: $(count a.db) posts of one of them"
done
