#!/bin/bash
# A dump gives the same posts plain, compressed in every form, in several pieces, and from a pipe.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 gzip bzip2 xz zstd 7z

rows 1 3000 | whole >Posts.xml
"$PPMINE" -q -d plain.db init
load plain.db 0 Posts.xml
content plain.db >plain
[ "$(count plain.db)" -eq 3000 ] || fail "plain: $(count plain.db) posts"

# expect_same NAME ARGUMENT: loads into a new database
expect_same() {
    rm -f other.db
    "$PPMINE" -q -d other.db init
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
    printf '<%s>\n  <row Id="1" />\n</%s>' "${name,,}" "${name,,}" >"site/$name.xml"
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
for program in cat sh cmp diff head sqlite3 rm; do ln -s "$(command -v $program)" bin; done
(PATH=$PWD/bin expect_same "7z without the program 7z" site.7z)

rc=0
cat site.7z | "$PPMINE" -d other.db load - 2>said || rc=$?
[ "$rc" -eq 3 ] || fail "7z from a pipe: exit code $rc"
says "a 7z archive cannot be read from a pipe"

(cd site && rm Posts.xml && 7z a -bd ../without.7z ./*.xml >/dev/null)
load other.db 3 without.7z
says "an archive of 7 files, none of them Posts.xml"

# A password on the contents, or on the names too, is no damage.
7z a -bd -psecret contents.7z alone/stackoverflow.com-Posts >/dev/null
7z a -bd -psecret -mhe=on names.7z alone/stackoverflow.com-Posts >/dev/null
for file in contents.7z names.7z; do
    load other.db 3 "$file"
    says "$file: an encrypted archive"
done
