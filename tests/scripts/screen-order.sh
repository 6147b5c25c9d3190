#!/bin/bash
# The same answers lead to the same posts, however often the program starts in between, whatever others
# answer, and whether a file keeps what was read of the posts.
set -eu
. "$ROOT/tests/lib/sample.sh"

sample_databases ppmine.db
answer() { # POST: the answer of everybody
    case $(($1 % 3)) in 0) echo yes ;; *) echo no ;; esac
}
order() { # CODER
    sqlite3 ppmine.db "SELECT place, post_id, answer, stratum FROM screening_read WHERE coder = '$1' ORDER BY 1"
}
# Each answer in a process of its own.
one_by_one() { # CODER OPTION…
    local coder=$1 id
    shift
    for _ in $(seq 12); do
        id=$(ppmine -q screen --coder "$coder" --next "$@" | sed -n '1s/^post \([0-9]*\).*/\1/p')
        ppmine -q screen --coder "$coder" --answer "$(answer "$id")" "$id" "$@" >/dev/null
    done
}
one_by_one ann
order ann >ann
[ "$(wc -l <ann)" -eq 12 ]
# All in one process; the answers are known by now.
cut -d'|' -f3 ann | ppmine -q screen --coder bob >/dev/null 2>&1
order bob | diff -u ann -
one_by_one cyd --no-cache
order cyd | diff -u ann -
# Other answers lead elsewhere: the ranking learns.
yes n | head -12 | ppmine -q screen --coder dan >/dev/null 2>&1
if order dan | cut -d'|' -f2 | cmp -s - <(cut -d'|' -f2 ann); then
    echo 'the order does not depend on the answers' && exit 1
fi
# The random order is that of sample.
yes n | head -8 | ppmine -q screen --coder eve --order random --seed 5 >/dev/null 2>&1
diff <(order eve | cut -d'|' -f2) \
    <(ppmine -q sample --of questions --n 8 --seed 5 --format csv | sed 1d | cut -d, -f1)
