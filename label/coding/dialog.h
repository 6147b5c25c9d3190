/* dialog: a coder codes post after post, with keys in a terminal or with lines of a file. Each answer is one
 * transaction, stored at once. Shows nothing of other people, and of models what said_shows_models allows. */
#pragma once

#include "label/coding/post_view.h"
#include "label/coding/queue.h"

#include <stdio.h>

struct dialog_how {
    struct post_view view; /* of the coder of the queue; without_codes: the dialog shows them */
    struct queue queue;
    int64_t first;   /* begin with this post; 0: with an unfinished one, else the next */
    bool unfinished; /* only posts that the coder judged a problem and that lack a code */
    FILE *lines;     /* answers; NULL: keys of standard input, a terminal */
    bool suggests;   /* what models say is shown before the post is coded, too */
    bool pages;      /* posts go through the pager */
};

/* Until the coder quits, the lines end, or nothing is left. ST_NO when nothing was left at the start. */
enum status MUST_USE dialog_run(const struct dialog_how *how, struct err *e);
