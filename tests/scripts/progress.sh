#!/bin/sh
# On a terminal, load draws a line that moves and wipes it at the end; into a file it draws none.
set -eu
command -v script > /dev/null || { echo 'the command script is not there'; exit 77; }

SAMPLE=$ROOT/studies/dlperf/sample/Posts.xml
export SAMPLE
ppmine -q init
cat > terminal.sh <<'EOF'
{ head -c 30000 "$SAMPLE"; sleep 0.3; tail -c +30001 "$SAMPLE"; sleep 0.3; } | ppmine load -
EOF
script -qec 'sh terminal.sh' /dev/null > terminal < /dev/null
wiped=$(printf '\r\033[K')
grep -q "standard input .* posts kept" terminal || { echo 'no progress on a terminal:'; cat -v terminal; exit 1; }
grep -qF "$wiped" terminal || { echo 'the progress line stays:'; cat -v terminal; exit 1; }

sh terminal.sh 2> file
if grep -q "$(printf '\r')" file; then
    echo 'a progress line in a file:'
    cat -v file
    exit 1
fi
