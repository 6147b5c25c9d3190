/*
 * hits: where keywords are in a post, as match/corpus stored them.
 */
#pragma once

#include "db/db.h"

/* A keyword's place in a post: bytes start to end (the end is exclusive) of the text of the field. */
struct db_hit_text {
    struct span field, keyword, text;
    size_t start, end;
};

/* Those of a post: title, then body, in the order of their places. */
enum status MUST_USE db_hit_each(struct db *db, int64_t post_id, void (*each)(void *ctx, const struct db_hit_text *hit),
                                 void *ctx, struct err *e);
