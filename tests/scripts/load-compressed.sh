#!/bin/bash
# A dump gives the same posts plain, compressed in every form, in several pieces, and from a pipe.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 gzip bzip2 xz zstd 7z python3

rows 1 3000 | whole >Posts.xml
"$PPMINE" -q -d empty.db init
cp empty.db plain.db
load plain.db 0 Posts.xml
content plain.db >plain
[ "$(count plain.db)" -eq 3000 ] || fail "plain: $(count plain.db) posts"

# expect_same NAME ARGUMENT: loads into a new database
expect_same() {
    cp empty.db other.db
    load other.db 0 "$2"
    content other.db >other
    same "$1 gives other posts" plain other
}

gzip -k Posts.xml
bzip2 -k Posts.xml
xz -k Posts.xml
zstd -q Posts.xml
mkdir site alone
cp Posts.xml site
for name in Badges Comments PostHistory PostLinks Tags Users Votes; do
    printf '<%s>\n  <row Id="1" PostId="1" RelatedPostId="2" LinkTypeId="1" Text="x" />\n</%s>' "${name,,}" "${name,,}" >"site/$name.xml"
done
(cd site && 7z a -bd ../site.7z ./*.xml >/dev/null)
7z a -bd folder.7z site >/dev/null
cp Posts.xml alone/stackoverflow.com-Posts
(cd alone && 7z a -bd ../alone.7z stackoverflow.com-Posts >/dev/null)
for file in Posts.xml.gz Posts.xml.bz2 Posts.xml.xz Posts.xml.zst site.7z folder.7z alone.7z; do
    expect_same "$file" "$file"
done
mv Posts.xml.xz "odd name; rm -rf *.7z"
expect_same "a file of any name" "odd name; rm -rf *.7z"

# Several streams one after another, as parallel compressors write them.
for program in gzip bzip2 xz zstd; do
    { head -c 200000 Posts.xml | $program -c; tail -c +200001 Posts.xml | $program -c; } >pieces
    expect_same "two streams of $program" pieces
done

expect_same "standard input from a file" - <Posts.xml
expect_same "a 7z archive as standard input" - <site.7z
cat Posts.xml.gz | expect_same "gz from a pipe" -

# Where the program 7z is not installed, libarchive reads 7z archives.
mkdir bin
for program in cat sh cmp cp diff head sqlite3 rm; do ln -s "$(command -v $program)" bin; done
(PATH=$PWD/bin expect_same "7z without the program 7z" site.7z)

rc=0
cat site.7z | "$PPMINE" -d other.db load - 2>said || rc=$?
[ "$rc" -eq 3 ] || fail "7z from a pipe: exit code $rc"
says "a 7z archive cannot be read from a pipe"

(cd site && rm Posts.xml && 7z a -bd ../without.7z ./*.xml >/dev/null)
load other.db 3 without.7z
says "an archive of 7 files, none of them Posts.xml"

# A header that counts thousands of files is refused: libarchive takes memory for each of them before it reads a name.
mkdir crowd
cp Posts.xml crowd
(cd crowd && for i in $(seq 3000); do : >"a-name-of-sixty-letters-that-makes-the-header-long-$i"; done)
(cd crowd && 7z a -bd ../crowd.7z . >/dev/null)
load other.db 3 crowd.7z
says "crowd.7z: the archive does not say how much memory it needs"
rm -r crowd

# A password on the contents, or on the names too, is no damage.
7z a -bd -psecret contents.7z alone/stackoverflow.com-Posts >/dev/null
7z a -bd -psecret -mhe=on names.7z alone/stackoverflow.com-Posts >/dev/null
for file in contents.7z names.7z; do
    load other.db 3 "$file"
    says "$file: an encrypted archive"
done

# --- found by tests/fuzz/fuzz_archive.c ---

# Of a small gzip the first bytes that are looked at give a few of the text already.
python3 - <<'END'
import zlib
text = b'<?xml version="1.0"?><posts><row Id="7" PostTypeId="1" Body="b" Title="t" Tags="&lt;keras&gt;" ' \
       b'CreationDate="2019-01-02T03:04:05.678" Score="1" /></posts>'
deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED)
with open("small.gz", "wb") as file:
    file.write(b"\x1f\x8b\x08" + bytes(6) + b"\x03" + deflate.compress(text) + deflate.flush() +
               zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little"))
with open("Posts.xml.bz2", "rb") as file:
    packed = bytearray(file.read())
packed[7] ^= 2 # of the mark of a block
with open("marked.bz2", "wb") as file:
    file.write(packed)
END
gzip -t small.gz
"$PPMINE" -q -d small.db init
load small.db 0 small.gz
[ "$(count small.db)" -eq 1 ] || fail "small.gz: $(count small.db) posts"
load small.db 3 marked.bz2
says 'damaged or truncated archive near byte'
# What is packed twice is named, and not read as text.
gzip -c Posts.xml.bz2 >twice.gz
load small.db 3 twice.gz
says 'contains a compressed file again; unpack it once first'
zstd -q -c <Posts.xml | python3 -c 'import sys; d = bytearray(sys.stdin.buffer.read())
assert d[4] & 0x20 == 0
d[5] = (31 - 10) << 3
sys.stdout.buffer.write(d)' >window.zst # which asks for a window of 2 GB
load small.db 3 window.zst
says 'needs more than 128 MB of memory to be decompressed; unpack it with zstd -d'
# Nothing, packed.
for pack in bzip2 xz zstd gzip; do
    : | "$pack" -c >"nothing.$pack"
    load small.db 3 "nothing.$pack"
done

# --- a file that asks for much memory ---

xz -c --lzma2=preset=0,dict=128MiB Posts.xml >large.xz
expect_same "xz with a dictionary of 128 MB" large.xz
xz -c --lzma2=preset=0,dict=512MiB Posts.xml >bomb.xz
load small.db 3 bomb.xz
says 'needs 512 MB of memory to be decompressed, and at most 192 are used'
# Also where the large dictionary is that of a later stream.
cat "odd name; rm -rf *.7z" bomb.xz >second.xz
load small.db 3 second.xz
says 'of memory to be decompressed'
# 7z: what its header says of dictionaries is changed, with the checksums. 7z itself packs with one no larger
# than the file.
changed() { # FROM BYTES AFTER TO: in hexadecimal; what stands once, after these bytes of the header, is changed
    python3 - "$@" <<'END'
import struct, sys, zlib
data = bytearray(open(sys.argv[1], "rb").read())
before, new = bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3])
offset, size = struct.unpack("<QQ", data[12:28])
header = bytes(data[32 + offset:32 + offset + size])
assert header.count(before) == 1, header.hex(" ")
at = header.index(before) + len(before)
data[32 + offset + at:32 + offset + at + len(new)] = new
data[28:32] = struct.pack("<I", zlib.crc32(data[32 + offset:]))
data[8:12] = struct.pack("<I", zlib.crc32(data[12:32]))
open(sys.argv[4], "wb").write(data)
END
}
pack() { rm -f "$1" && (cd site && 7z a -bd -mhc=off "${@:2}" "../$1" Posts.xml >/dev/null); }
cp Posts.xml site/
pack plain.7z -m0=lzma2:d=1m
changed plain.7z 01212101 20 large.7z # 256 MB
changed plain.7z 01212101 22 lzma2.7z
changed plain.7z 01212101 28 most.7z
pack plain.7z -m0=lzma:d=1m
changed plain.7z 23030101055d 00000020 lzma.7z
pack plain.7z -m0=ppmd:mem=1m:o=6
changed plain.7z 230304010506 00000020 ppmd.7z
rm plain.7z && (cd site && 7z a -bd ../plain.7z ./*.xml >/dev/null) # a packed header, as of more than one file
changed plain.7z 23030101055d 00000020 header.7z
for path in "$PATH" "$PWD/bin"; do
    for file in lzma2 lzma ppmd header; do
        PATH=$path load small.db 3 "$file.7z"
        says 'needs 512 MB of memory to be decompressed, and at most 320 are used; unpack it with 7z x'
    done
    PATH=$path load small.db 3 most.7z
    says 'needs 4095 MB of memory'
    PATH=$path expect_same "7z with a dictionary of 256 MB, PATH=$path" large.7z
    # All ways of packing are known, with filters and without.
    for method in bzip2 deflate copy ppmd lzma lzma2; do
        rm -f plain.7z
        (cd site && 7z a -bd -m0="$method" ../plain.7z ./*.xml >/dev/null)
        PATH=$path expect_same "7z with $method" plain.7z
    done
    rm -f plain.7z
    (cd site && 7z a -bd -m0=BCJ2 -m1=LZMA:d=1m -m2=LZMA:d=64k -m3=LZMA:d=64k -mb0:1 -mb0s1:2 -mb0s2:3 ../plain.7z Posts.xml >/dev/null)
    PATH=$path expect_same "7z with four coders" plain.7z
done
: >site/Posts.xml
pack nothing.7z
load small.db 3 nothing.7z
says 'not posts: a data dump begins with <posts>'

# What no header says is bounded by the system.
if [ "$(uname)" = Linux ]; then
    mkdir limited
    cp Posts.xml site/
    pack plain.7z
    for less in 0 1; do # the second time the program expects another limit, and fails
        most=$((1024 * 1024 + 64 * 1024 * $(getconf _NPROCESSORS_ONLN) - less))
        printf '#!/bin/sh\nsleep 0.2\n[ "$(ulimit -d)" = %d ] && exec 7za "$@"\n' "$most" >limited/7z
        chmod +x limited/7z
        [ "$less" -eq 1 ] || PATH=$PWD/limited:$PATH expect_same "7z with a limit of $most KB" plain.7z
    done
    PATH=$PWD/limited:$PATH load small.db 3 plain.7z
    says '7z failed'
fi

xz -c Posts.xml >cut.xz
truncate -s -20 cut.xz
load small.db 3 cut.xz
says 'it ends at byte'
