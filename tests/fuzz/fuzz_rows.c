/* The dump reader on any bytes, as a whole dump and as a piece of one; each row goes all the way to
 * hits, and the prefilter must not have hidden any. */
#include "fetch/scan.h"
#include "match/match.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static size_t count_hits(struct matcher *m, struct buf *text)
{
    const struct hit *hits;
    size_t n = matcher_find(m, buf_span(text), &hits);

    for (size_t i = 0; i < n; i++)
        require(hits[i].start < hits[i].end && hits[i].end <= text->len);
    return n;
}

static void check_row(const struct match_set *set, struct matcher *m, const struct row *row)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct span title, body;
    struct post post;
    const char *why;

    require(row->id > 0);
    bool usable = row_texts(row, &arena, &title, &body, &why);
    require(usable || why != NULL);
    if (row_post(row, &arena, &post, &why))
        require(usable && post.post_id == row->id);
    if (usable) {
        text_from_title(&text, title);
        size_t n = count_hits(m, &text);
        buf_reset(&text);
        text_from_html(&text, body, TEXT_INCLUDE_CODE);
        n += count_hits(m, &text);
        require(n == 0 || match_possible(set, row->raw));
    }
    buf_clear(&text);
    arena_clear(&arena);
}

static void scan(const struct match_set *set, struct matcher *m, struct span bytes, bool fragment)
{
    struct dump_scan s = {.bytes = bytes, .last = true, .fragment = fragment};
    struct arena arena = {0};
    struct row row;
    size_t before = 0;

    scan_begin(&s, (struct scan_place){.part = PLACE_HEAD});
    while (scan_next(&s, &arena, &row)) {
        require(s.at > before && s.at <= bytes.len); /* it moves on */
        before = s.at;
        check_row(set, m, &row);
    }
    scan_clear(&s);
    arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct match_set *set;
    static struct matcher *matcher;
    struct err e;

    if (set == NULL) {
        if (match_set_load(&set, SPAN("slow\nkeras run\nx y\nmemory leak\n"), "k.txt", SPAN("nltk"), MATCH_STEMMED,
                           &e) != ST_OK)
            abort();
        matcher = matcher_new(set);
    }
    scan(set, matcher, (struct span){(const char *)data, size}, false);
    scan(set, matcher, (struct span){(const char *)data, size}, true);
    return 0;
}
