#!/bin/bash
# Every command has a man page that mandoc likes, with the options and examples of --help.
set -eu

failed=0
complain() {
    echo "$*"
    failed=1
}

mandoc -Tlint -Wwarning "$ROOT"/man/*.1 || complain 'mandoc finds faults'

options_in_help() { # COMMAND…
    ppmine "$@" --help | sed '/^Global options:/,$d' |
        grep -o '^  [-a-z, ]*--[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u
}

# The options of an mdoc page: "Fl Fl name", below one heading when it is given.
options_in_page() { # FILE [HEADING]
    awk -v heading="${2-}" '
        /^\.S[hs] / { on = heading == "" || $0 == "." heading }
        on' "$1" | grep -o '^\.It .*' | grep -o 'Fl Fl [a-z-]*' | sed 's/Fl Fl /--/' | sort -u
}

examples_in_help() {
    ppmine "$@" --help | sed -n 's/^  \$ //p'
}

examples_in_page() {
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/s/^\.Dl \$ //p' "$1" |
        sed 's/\\(aq/'"'"'/g; s/\\&//g; s/\\e/\\/g'
}

commands=$(ppmine --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on' |
    sed 's/^  //; s/   *.*//' | grep -vx help)
while read -r command; do
    page=$ROOT/man/ppmine-${command%% *}.1
    if [ ! -f "$page" ]; then
        complain "$command: no man page ${page##*/}"
        continue
    fi
    # A command of two words has its section in the page of the first: .Ss derive
    heading=
    grep -q '^\.Ss ' "$page" && heading=$([ "$command" = "${command% *}" ] &&
        echo "Sh DESCRIPTION" || echo "Ss ${command#* }")
    # shellcheck disable=SC2086 # a command may be two words
    diff --label "$command --help" --label "${page##*/}" -u \
        <(options_in_help $command || :) <(options_in_page "$page" "$heading" || :) ||
        complain "$command: options differ"
    # shellcheck disable=SC2086
    while read -r line; do
        examples_in_page "$page" | grep -qxF -e "$line" ||
            complain "$command: example not in ${page##*/}: $line"
    done < <(examples_in_help $command)
done <<<"$commands"

for page in "$ROOT"/man/ppmine-*.1; do
    name=${page##*/ppmine-}
    grep -qx -e "${name%.1}\( .*\)\{0,1\}" <<<"$commands" || complain "${page##*/}: no such command"
    grep -q "Xr ppmine-${name%.1} 1" "$ROOT/man/ppmine.1" ||
        complain "ppmine.1 does not name ${page##*/}"
    while read -r line; do
        cat <(while read -r command; do ppmine $command --help; done <<<"$commands") |
            grep -qxF -e "  \$ $line" || complain "${page##*/}: example not in --help: $line"
    done < <(examples_in_page "$page")
done
exit "$failed"
