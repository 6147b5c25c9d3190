/* marks: places of a text, found again in the HTML that the text was taken from. For stem only. */
#pragma once

#include "stem/stem.h"

#include <libxml/tree.h>

/* A range in bytes that are not white space: the one count that a text and its HTML have in common. */
struct mark_range {
    size_t start, end;
};

struct mark_ranges {
    struct ARRAY_OF(struct mark_range) of; /* in order, without common bytes */
    size_t n_solid;                        /* such bytes of the whole text */
    bool count_code;                       /* text in <pre> is counted too */
};

/* Calls `write` with the tree of the HTML; again, without marks and after what *out had, where it is false: then the tree
 * has other words than the text of the marks. Not at all for HTML that has no tree. */
void marks_write(struct span html, const struct text_marks *marks, struct buf *out,
                 bool (*write)(void *ctx, const xmlNode *root, const struct mark_ranges *ranges), void *ctx);

/* Goes through the texts of the HTML, one after another. */
struct mark_walk {
    const struct mark_ranges *ranges;
    size_t place, n_solid;
};

struct mark_walk mark_walk(const struct mark_ranges *ranges);
bool mark_walk_has_more(const struct mark_walk *w);
/* Cuts off *text what is *inside the next mark, or before it. */
struct span mark_walk_cut(struct mark_walk *w, struct span *text, bool *inside);
/* Counts a text without cutting it. */
void mark_walk_pass(struct mark_walk *w, struct span text);
/* At the end: false when the tree had other words than the text, so that marks are in the wrong places. */
bool mark_walk_is_whole(const struct mark_walk *w);
