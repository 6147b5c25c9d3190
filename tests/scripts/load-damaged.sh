#!/bin/bash
# Truncated and corrupted files: exit code 3, file and byte are named, what stood before is kept,
# and the whole file finishes the job.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 gzip bzip2 xz zstd 7z python3

# Text that does not compress well, so that the damage lies in the middle of the text too.
python3 - >Posts.xml <<'EOF'
import random

random.seed(1)
print("<posts>")
for number in range(1, 4001):
    body = "".join(random.choice("abcdefghij klmnop") for _ in range(300))
    print(f'  <row Id="{number}" PostTypeId="1" CreationDate="2019-01-02T03:04:05.678" '
          f'Body="{body}" Tags="|keras|" />')
print("</posts>")
EOF
gzip -k Posts.xml
bzip2 -k Posts.xml
xz -k Posts.xml
zstd -q Posts.xml
7z a -bd Posts.xml.7z Posts.xml >/dev/null
"$PPMINE" -q -d whole.db init
load whole.db 0 Posts.xml
content whole.db >whole

# expect_damage FILE AT_LEAST WORDS
expect_damage() {
    rm -f some.db
    "$PPMINE" -q -d some.db init
    load some.db 3 "$1"
    says "$1: "
    says "$3"
    grep -q 'byte [0-9]' said || fail "$1: no byte is named: $(cat said)"
    [ "$(count some.db)" -ge "$2" ] || fail "$1: only $(count some.db) posts are kept"
    [ "$(count some.db)" -lt 4000 ] || fail "$1: all posts are there"
}

finish() {
    load some.db 0 Posts.xml
    content some.db >some
    same "$1, then the whole file: other posts than of the whole file alone" whole some
}

for form in .gz .bz2 .xz .zst; do
    file=Posts.xml$form
    size=$(stat -c %s "$file")
    head -c $((size * 3 / 4)) "$file" >"cut$form"
    expect_damage "cut$form" 1000 'damaged or truncated archive'
    finish "cut$form"
done
head -c $(($(stat -c %s Posts.xml.7z) * 3 / 4)) Posts.xml.7z >cut.7z
expect_damage cut.7z 0 'damaged or truncated archive' # its list of files stands at the end
finish cut.7z

size=$(stat -c %s Posts.xml)
head -c $((size / 2)) Posts.xml >cut.xml
expect_damage cut.xml 1900 'the file is truncated'
[ "$(count some.db)" -eq "$(grep -c '/>' cut.xml)" ] || fail "cut.xml: not every whole row is kept"
finish cut.xml

# Bytes in the middle that are other ones.
for form in .gz .bz2 .xz .zst .7z; do
    python3 - "Posts.xml$form" "bad$form" <<'EOF'
import sys

data = bytearray(open(sys.argv[1], "rb").read())
middle = len(data) * 3 // 4
for place in range(middle, middle + 20):
    data[place] ^= 0x55
open(sys.argv[2], "wb").write(data)
EOF
    rm -f some.db
    "$PPMINE" -q -d some.db init
    load some.db 3 "bad$form"
    says 'damaged or truncated archive'
done

# One bit of a gz changes letters, not the form; the sum at the end shows it.
for place in 20 300 5000 100000 700000; do
    python3 - "$place" <<'EOF'
import sys

data = bytearray(open("Posts.xml.gz", "rb").read())
data[int(sys.argv[1])] ^= 1
open("flipped.gz", "wb").write(data)
EOF
    rm -f some.db
    "$PPMINE" -q -d some.db init
    load some.db 3 flipped.gz
    says 'damaged or truncated archive'
done
