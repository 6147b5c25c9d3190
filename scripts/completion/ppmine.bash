# bash completion for ppmine. Commands and options are read from --help, so they cannot drift.

_ppmine_commands() {
    "$1" --help 2>/dev/null |
        sed -n '/^Options:/q;s/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p'
}

# Options of a command (no word: of the program), one on each line; "takes" after those that take
# a value.
_ppmine_options() {
    "$@" --help 2>/dev/null |
        sed -n -e 's/^  -., --\([a-z-]*\) [^ ].*/--\1 takes/p;t' \
            -e 's/^  --\([a-z-]*\) [^ ].*/--\1 takes/p;t' \
            -e 's/^  -., --\([a-z-]*\)  .*/--\1/p;t' \
            -e 's/^  --\([a-z-]*\)  .*/--\1/p'
}

_ppmine() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} command= word i
    local commands options
    commands=$(_ppmine_commands "$program")
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [ "$word" = help ]; then
            continue
        elif [ -z "$command" ] && grep -qx -e "$word" -e "$word .*" <<<"$commands"; then
            command=$word # or the first word of two
        elif [ -n "$command" ] && grep -qx -e "$command $word" <<<"$commands"; then
            command="$command $word"
        fi
    done
    # shellcheck disable=SC2086 # a command may be two words
    options=$(_ppmine_options "$program" $command)
    if grep -qx -e "${COMP_WORDS[COMP_CWORD - 1]} takes" <<<"$options"; then
        COMPREPLY=() # a value: files, by -o default
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${options// takes/}" -- "$current")
    elif [ -z "$command" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed 's/ .*//' <<<"$commands" | sort -u)" -- "$current")
    else
        word=$(sed -n "s/^$command //p" <<<"$commands")
        mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")
    fi
}

complete -o default -F _ppmine ppmine
