/* post_hints: what the words of a post suggest, by the hints.csv of a study. */
#pragma once

#include "label/label.h"
#include "base/study/study.h"

enum hint_field { HINT_TITLE, HINT_BODY, HINT_CODE, HINT_FIELDS };

/* Works on one post after another. All zero, it hints nothing and needs no clear. */
struct post_hints {
    struct hints *hints; /* NULL: the study has none */
    struct codebook codebook;
    struct buf content[HINT_FIELDS];
    struct hint_text texts[HINT_FIELDS]; /* "title"; "body", as post_text without code; "code", the text in <pre> */
    struct hint_list list;
};

/* Reads hints of the study, or of the file `path`. ST_INPUT with file:line. Needs post_hints_clear in either case. */
enum status MUST_USE post_hints_init(struct post_hints *out, const struct study *study, const char *path,
                                     struct err *e);
void post_hints_clear(struct post_hints *h);
/* Suggestions and facts of a post. They live until the next call; so do the texts, for hints_find. */
const struct hint_list *post_hints_find(struct post_hints *h, enum hint_kinds kinds, struct span title,
                                        struct span body_html);
/* At -v, tells which patterns were given up: *losses of post_hints_find. post_id 0: the text is not a post. */
void post_hints_tell_losses(const struct post_hints *h, const struct hint_losses *losses, int64_t post_id);
