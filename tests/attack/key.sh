#!/bin/bash
# The key of the API reaches no program that ppmine starts.
set -eu
. "$ROOT/tests/lib/dump.sh"

mkdir bin
for name in 7z 7zz 7za 7zr gnuplot; do
    printf '#!/bin/sh\nenv >>"%s/inherited"\nexit 2\n' "$PWD" >"bin/$name"
    chmod +x "bin/$name"
done
export PPMINE_API_KEY=secretkeyofsomebody PPMINE_API_TOKEN=secrettokenofsomebody
"$PPMINE" -q -d a.db init --published
printf '7z\274\257\047\034\0\4aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' >a.7z
PATH=$PWD/bin:$PATH "$PPMINE" -q -d a.db load a.7z 2>said || :
PATH=$PWD/bin:$PATH "$PPMINE" -q -d a.db stats --plot plots 2>>said || :
[ -s inherited ] || fail "no program was started: a weak test: $(cat said)"
! grep -e secretkey -e secrettoken inherited || fail "the key was inherited"
