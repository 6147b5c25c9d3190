#!/bin/bash
# Every command has a man page that mandoc likes, with the options and examples of --help, and what
# scripts/man-pages says of a page that has fallen behind.
set -eu

failed=0
complain() {
    echo "$*"
    failed=1
}

mandoc -Tlint -Wwarning "$ROOT"/docs/man/*.1 || complain 'mandoc finds faults'

# Each --help is asked once; recorded/ppmine says it again, and starts in a tenth of the time.
mkdir recorded
commands=$(ppmine --help | tee 'recorded/--help' | sed -n '/^Options:/q;s/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p' | grep -vx help)
while read -r command; do
    # shellcheck disable=SC2086 # a command may be two words
    ppmine $command --help >"recorded/$command --help"
done <<<"$commands"
printf '#!/bin/sh\nexec cat "${0%%/*}/$*"\n' >recorded/ppmine
chmod +x recorded/ppmine

options_in_help() { # COMMAND…
    recorded/ppmine "$@" --help | sed '/^Global options:/,$d' |
        grep -o '^  [-a-z, ]*--[a-z][a-z-]*' | grep -o -- '--[a-z][a-z-]*' | sort -u
}

options_of_ppcheck() {
    ppcheck --help | sed '/^Global options:/,$d' | grep -o '^  [-a-z, ]*--[a-z][a-z-]*' | grep -o -- '--[a-z][a-z-]*' | sort -u
}

options_in_page() { # FILE
    sed -n '/^\.Sh OPTIONS/,/^\.Sh [^O]/p' "$1" | grep -o '^\.It .*' | grep -o 'Fl Fl [a-z-]*' |
        sed 's/Fl Fl /--/' | sort -u
}

options_in_synopsis() { # FILE
    sed -n '/^\.Sh SYNOPSIS/,/^\.Sh [^S]/p' "$1" | grep -o 'Fl Fl [a-z-]*' | sed 's/Fl Fl /--/' | sort -u
}

examples_in_help() {
    recorded/ppmine "$@" --help | sed -n 's/^  \$ //p'
}

examples_in_page() {
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/s/^\.Dl \$ //p' "$1" |
        sed 's/\\(aq/'"'"'/g; s/\\(ga/`/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g'
}

[ "$(wc -l <<<"$commands")" -ge 40 ] || complain "ppmine --help lists few commands: $commands"
while read -r command; do
    page=$ROOT/docs/man/ppmine-${command// /-}.1
    if [ ! -f "$page" ]; then
        complain "$command: no man page ${page##*/}; 'make man' makes one"
        continue
    fi
    # shellcheck disable=SC2086 # a command may be two words
    for where in options_in_page options_in_synopsis; do
        diff --label "$command --help" --label "${page##*/}" -u \
            <(options_in_help $command || :) <($where "$page" || :) ||
            complain "$command: options differ ($where)"
    done
    # shellcheck disable=SC2086
    diff --label "$command --help" --label "${page##*/}" -u \
        <(examples_in_help $command) <(examples_in_page "$page") || complain "$command: examples differ"
    grep -q "Xr ppmine-${command// /-} 1" "$ROOT/docs/man/ppmine.1" || complain "ppmine.1 does not name ${page##*/}"
    grep -q '^\.Sh DESCRIPTION' "$page" || complain "${page##*/}: no description"
done <<<"$commands"

# ppcheck has one too, with options that ppmine check has as well.
diff <(options_of_ppcheck) <(options_in_page "$ROOT/docs/man/ppcheck.1") || complain 'ppcheck: options differ'
[ -z "$(comm -23 <(options_of_ppcheck) <(options_in_help check))" ] || complain 'ppcheck has options that ppmine check lacks'

# Every page is of a command, or of a group of commands; and every reference goes to a page.
for page in "$ROOT"/docs/man/ppmine-*.1; do
    name=${page##*/ppmine-}
    tr ' ' - <<<"$commands" | grep -q -e "^${name%.1}\(-.*\)\{0,1\}$" || complain "${page##*/}: no such command"
done
grep -oh 'Xr ppmine[a-z-]* 1' "$ROOT"/docs/man/*.1 | sort -u | while read -r _ name _; do
    [ -f "$ROOT/docs/man/$name.1" ] || echo "no page $name.1, to which a page refers"
done >dangling
[ ! -s dangling ] || complain "$(cat dangling)"

# The order of ppmine.1 is that of --help.
diff -u <(tr ' ' - <<<"$commands") \
    <(sed -n '/^\.Sh COMMANDS/,/^\.Sh O/s/^\.It Xr ppmine-\([a-z-]*\) 1/\1/p' "$ROOT/docs/man/ppmine.1") ||
    complain 'ppmine.1 lists the commands in another order'

# So is that of the README, in rows of a group each.
recorded/ppmine --help | sed -n '/^Options:/q;/^Help:/q;p' | awk '
    /^[A-Z][^:]*:$/ { if (row) print row " |"; row = "| " substr($0, 1, length($0) - 1) " |"; sep = " "; next }
    /^  [a-z]/ { sub(/^  /, ""); sub(/  .*/, ""); row = row sep "`" $0 "`"; sep = ", " }
    END { print row " |" }' >rows
[ "$(wc -l <rows)" -ge 5 ] || complain 'ppmine --help has few groups'
diff -u --label 'README.md' --label 'ppmine --help' \
    <(sed -n '/^## The commands/,/^## /p' "$ROOT/README.md" | grep '^| [A-Z]') rows ||
    complain 'the README lists other commands'

# What scripts/man-pages --check says, on a copy: of pages as they are nothing; each of these is named.
mkdir -p copy/docs
cp -r "$ROOT/docs/man" copy/docs
cp -r "$ROOT/scripts" copy
copy/scripts/man-pages --check "$PPMINE" || complain 'pages are not what --help says: make man'
check() { copy/scripts/man-pages --check recorded/ppmine; }
spoil() { # WHAT FILE SED-SCRIPT
    sed -i "$3" "copy/docs/man/$2"
    if check 2>said; then
        complain "scripts/man-pages --check is silent about $1"
    elif ! grep -q "$2" said; then
        complain "about $1 it says: $(cat said)"
    fi
    cp "$ROOT/docs/man/$2" "copy/docs/man/$2"
}
spoil 'an option that was renamed' ppmine-stem.1 's/Fl Fl tokens/Fl Fl token/'
spoil 'another text of an option' ppmine-stem.1 's/^Print the names/List the names/'
spoil 'an example less' ppmine-stem.1 '/german/d'
spoil 'words on an option that is gone' ppmine-stem.1 's/^\.It Fl l , Fl Fl list/.It Fl Fl gone\n.\\" more\nGone.\n&/'
spoil 'another word on an option of all' ppmine.1 's/^Print more\./Print a lot./'
spoil 'a command less in the list' ppmine.1 '/^.It Xr ppmine-stem 1/d'
spoil 'an exit code less' ppmine-sample.1 '/^\.Sh EXIT/,/^\.El/{/^\.It 1/d}'
mv copy/docs/man/ppmine-stem.1 stem.1
! check 2>said && grep -q ppmine-stem.1 said || complain 'it is silent about a page less'
# What is written by hand stays, and a new page is whole.
copy/scripts/man-pages recorded/ppmine >written
[ "$(cat written)" = docs/man/ppmine-stem.1 ] || complain "it wrote: $(cat written)"
check || complain 'what it writes is not what it expects'
mandoc -Tlint -Wwarning copy/docs/man/ppmine-stem.1 || complain 'mandoc dislikes a new page'
exit "$failed"
