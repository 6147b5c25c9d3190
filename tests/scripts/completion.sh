#!/bin/bash
# bash completion offers every command, every option of every command, and nothing else.
set -eu

. "$ROOT/scripts/completion/ppmine.bash"

# offered WORD…: what completion offers for the last word
offered() {
    COMP_WORDS=(ppmine "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _ppmine || :
    printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | sed '/^$/d'
}

options_of() {
    ppmine "$@" --help | grep -o '^  [-a-z, ]*--[a-z][a-z-]*' | grep -o -- '--[a-z][a-z-]*' | LC_ALL=C sort -u
}

same() {
    diff <(echo "$2") <(echo "$3") || { echo "in completion of: $1" && exit 1; }
}

commands=$(ppmine --help | sed -n '/^Options:/q;s/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p')
[ -n "$commands" ]
same commands "$(cut -d' ' -f1 <<<"$commands" | LC_ALL=C sort -u)" "$(offered '')"
same 'global options' "$(options_of)" "$(offered --)"
while read -r command; do
    [ "$command" != help ] || continue
    # shellcheck disable=SC2086 # a command may be two words
    same "$command" "$(options_of $command)" "$(offered $command --)"
done <<<"$commands"
same 'the second word of two' "$(sed -n 's/^label //p' <<<"$commands" | LC_ALL=C sort -u)" \
    "$(offered label '')"
same 'beginning of a word' --tokens "$(offered stem --to)"
same 'a value' '' "$(offered stem --algorithm '')"

if command -v zsh >/dev/null 2>&1; then
    zsh -n "$ROOT/scripts/completion/_ppmine"
fi
