#!/bin/bash
# What is no use of the containers does not compile; what is one does, without a warning.
set -eu

# compile CODE: as the body of a function that has these.
compile() {
    cat >use.c <<END
#include "base/base.h"
struct point { int x, y; };
struct point_list ARRAY_OF(struct point);
#define MAP_NAME word_map
#define MAP_KEY struct span
#define MAP_VALUE uint64_t
#include "base/map.h"
#define MAP_NAME id_set
#define MAP_KEY int64_t
#include "base/map.h"
#define MEMO_NAME answer_memo
#define MEMO_KEY uint64_t
#define MEMO_ANSWER bool
#include "base/memo.h"
void use(struct point_list *points, const struct point_list *fixed, struct point p,
         struct buf *buf, struct word_map *words, struct id_set *ids, struct answer_memo *memo);
void use(struct point_list *points, const struct point_list *fixed, struct point p,
         struct buf *buf, struct word_map *words, struct id_set *ids, struct answer_memo *memo)
{
    (void)points, (void)fixed, (void)p, (void)buf, (void)words, (void)ids, (void)memo;
    $1
}
END
    "$compiler" -std=c17 -I"$ROOT" -Wall -Wextra -Wshadow -Wpedantic -Werror -c -o /dev/null use.c
}

is_fine() {
    compile "$1" >said 2>&1 || { echo "$compiler refuses: $1"; cat said; exit 1; }
}

is_refused() {
    if compile "$1" >said 2>&1; then echo "$compiler takes: $1" && exit 1; fi
}

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    is_fine 'array_add(points, p);'
    is_fine 'array_add(points, {1, 2})->x = 3;'
    is_fine 'array_add(points, points->at[fixed->n - 1]);'
    is_fine 'word_map_add(words, SPAN("a"), NULL);'
    is_fine 'bool yes; if (!answer_memo_known(memo, 1, &yes)) answer_memo_keep(memo, 1, true);'

    is_refused 'array_add(points, 1.5);'              # of another type
    is_refused 'array_add(points, &p);'
    is_refused 'array_add(fixed, p);'                 # may not be changed
    is_refused 'array_add(*points, p);'               # not its address
    is_refused 'array_add(buf, p);'                   # no array
    is_refused 'array_add(words->at, p);'
    is_refused 'array_reserve(points, "many");'
    is_refused 'array_clear(buf);'
    is_refused 'word_map_add(words, "a", NULL);'      # a text is no span
    is_refused 'word_map_add(ids, SPAN("a"), NULL);'  # another map
    is_refused 'id_set_add(ids, SPAN("a"), NULL);'    # another key
    is_refused 'id_set_add(ids, 1, NULL)->value = 1;'
    is_refused 'ids->at[0].value = 1;'                # a set has none
    is_refused 'word_map_find((struct word_map *)words, SPAN("a")) = 1;'
    is_refused 'bool yes; answer_memo_known(memo, 1, &yes);' # is it known?
    is_refused 'struct span s; return (void)(answer_memo_known(memo, 1, &s) ? 1 : 0);'
done

# A key whose hash nobody knows.
cat >use.c <<'END'
struct point { int x, y; };
#define MAP_NAME point_set
#define MAP_KEY struct point
#include "base/map.h"
END
if gcc -std=c17 -I"$ROOT" -fsyntax-only use.c >said 2>&1; then
    echo "a set of points needs MAP_HASH" && exit 1
fi
