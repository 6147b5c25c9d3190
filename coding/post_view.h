/*
 * post_view: a post as a coder reads it, for people or for programs.
 *
 * A coder's view: the post with its answers, the keywords that found it, hints unless coding is
 * blind, the codes that may be given. Never what another coder says.
 */
#ifndef CODING_POST_VIEW_H
#define CODING_POST_VIEW_H

#include "coding/stored_codebook.h"
#include "db/db.h"
#include "mine/post_hints.h"

struct post_view {
    struct db *db;
    const struct stored_codebook *book;
    struct post_hints *hints; /* NULL: coding is blind */
    size_t width;             /* of lines, in characters */
    struct span base_url;     /* "https://stackoverflow.com" */
    bool with_answers;
};

/* Appends what there is about a post. ST_INPUT when it is not held. */
enum status MUST_USE post_view_text(const struct post_view *v, int64_t post_id, struct buf *out,
                                    struct err *e);
/* The same as members of a JSON object, without its braces: "post_id":…,"codes":{…} */
enum status MUST_USE post_view_json(const struct post_view *v, int64_t post_id, struct buf *out,
                                    struct err *e);

#endif
