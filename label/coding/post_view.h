/* post_view: a post as a coder reads it, for people or for programs: with its answers and comments, the keywords that
 * found it, hints unless coding is blind, what the coder said before, the codes to give. Never what others say. */
#pragma once

#include "label/coding/stored_codebook.h"
#include "db/db.h"
#include "label/post_hints.h"
#include "base/post/relations.h"

struct post_view {
    struct db *db;
    struct stored_codebook *book;
    struct post_hints *hints; /* NULL: coding is blind */
    size_t width;             /* of lines, in characters */
    bool with_answers;
    struct span coder;                    /* whose labels and notes are shown; ptr NULL: nobody's */
    const char *before_mark, *after_mark; /* around keywords in the text; NULL: they are only listed */
    bool without_codes;
    const struct post_relations *related; /* NULL: other posts are not named */
};

/* Appends what there is about a post. ST_INPUT when it is not held. */
enum status MUST_USE post_view_text(const struct post_view *v, int64_t post_id, struct buf *out, struct err *e);
/* The same as members of a JSON object, without its braces: "post_id":…,"codes":{…} */
enum status MUST_USE post_view_json(const struct post_view *v, int64_t post_id, struct buf *out, struct err *e);
