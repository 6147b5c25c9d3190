/*
 * post_shown: a post on standard output, as a coder is to see it. For cli only.
 */
#pragma once

#include "cli/command.h"
#include "label/coding/post_view.h"

struct post_shown {
    struct study study;
    struct stored_codebook book;
    struct post_hints hints;
    struct post_relations related; /* of post_shown_relate */
    struct post_view view;
};

/* With --blind and --no-answers of the command. *p needs post_shown_clear in either case. */
enum status MUST_USE post_shown_init(struct post_shown *p, const struct invocation *in, struct err *e);
/* From now on posts are shown with those that are related to them. */
enum status MUST_USE post_shown_relate(struct post_shown *p, struct err *e);
void post_shown_clear(struct post_shown *p);
