/* part: what a part of the posts adds to numbers that need all of them, as lines that can be added up. Of mine only. */
#pragma once

#include "match/corpus/mine.h"
#include "label/post_ids.h"
#include "base/post/post.h"

/* Of all threads, read only. */
struct part_lists {
    struct post_ids problems, others;
    bool all_others; /* every question that is not a problem */
};

enum status MUST_USE part_lists_read(struct part_lists *lists, const struct mine_stream_how *how, struct err *e);
void part_lists_clear(struct part_lists *lists);

/* One for each thread; borrows the lists and how. *out needs part_free in either case. */
struct part;

enum status MUST_USE part_new(struct part **out, const struct study *study, const struct mine_stream_how *how,
                              const struct part_lists *lists, struct err *e);
void part_free(struct part *p);
/* Counts the post, and adds lines to *out: of the post, or of many when they take too much memory. */
void part_add(struct part *p, const struct post *post, struct buf *out);
/* Adds what was not added yet. */
void part_end(struct part *p, struct buf *out);
