#!/bin/bash
# Three dumps and two crawls of a site that changed in between are loaded in every order: each time
# the end is the same, and it is what the history says. Loading all of them once more changes
# nothing. SEEDS=n: so many sites.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3 zstd
skip_when_slow

known() { # DATABASE
    sqlite3 -bail "$1" "
        SELECT post_id, post_type, parent_id, accepted_answer_id, title, tags, score, view_count,
               answer_count, favorite_count, created_at, deleted_at, last_edited_at,
               last_activity_at, closed_at, owner_user_id, owner_display_name,
               last_editor_user_id, last_editor_display_name, body_html FROM post ORDER BY post_id;
        SELECT post_id, title, tags, body_html, edited_at FROM revision
        ORDER BY post_id, ifnull(title, ''), ifnull(tags, ''), body_html;
        SELECT comment_id, post_id, score, user_display_name, deleted_at FROM comment ORDER BY 1;"
}

put() { # DATABASE WHAT: one of the five
    case $2 in
    [123]) "$PPMINE" -q -d "$1" load "dump$2.xml" ;;
    4) "$PPMINE" -q -d "$1" rebuild crawl1.db ;;
    5) "$PPMINE" -q -d "$1" rebuild crawl2.db ;;
    esac 2>said || fail "seed $seed: $2: $(cat said)"
}

# all_orders DATABASE WHAT…: puts what is left, in every order; what was put before is in the name
all_orders() {
    local db=$1 what other rest
    shift
    if [ $# -eq 0 ]; then
        known "$db" >known.txt
        same "seed $seed, order $db: another end (< expected)" expected.txt known.txt
        n_orders=$((n_orders + 1))
    fi
    for what; do
        rest=
        for other; do
            [ "$other" = "$what" ] || rest="$rest $other"
        done
        cp "$db" "$db$what"
        put "$db$what" "$what"
        # shellcheck disable=SC2086 # several words
        all_orders "$db$what" $rest
        rm -f "$db$what"*
    done
}

for ((seed = ${SEED-1}; seed < ${SEED-1} + ${SEEDS-1}; seed++)); do
    for name in empty crawl1 crawl2; do
        rm -f $name.db
        "$PPMINE" -q -d $name.db init
    done
    python3 "$ROOT/tests/reference/post_states.py" "$seed" crawl1.db crawl2.db
    cut -d '|' -f 12 expected.txt | grep -q '^20' || fail "seed $seed: nothing is deleted: a weak test"
    n_orders=0
    all_orders empty.db 1 2 3 4 5
    [ "$n_orders" -eq 120 ] || fail "$n_orders orders of five"
    cp empty.db some.db
    for what in 5 1 3 4 2 1 4 3 2 5; do
        put some.db $what
    done
    known some.db >known.txt
    same "seed $seed: loaded twice, another end" expected.txt known.txt
done
