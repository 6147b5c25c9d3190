/*
 * api_item: an item of the Stack Exchange API that did not come in an answer of it; private to fetch.
 */
#ifndef FETCH_API_ITEM_H
#define FETCH_API_ITEM_H

#include "fetch/fetch.h"

#include <jansson.h>

/* Calls back as api_answer_each for one question of `site`. */
enum status MUST_USE api_question_read(const json_t *question, struct span site,
                                       const struct api_reader *reader, struct err *e);
/* `s` without one layer of the references that a safe filter puts into it; in the arena, or
 * `s` itself. */
struct span api_unescape(struct arena *arena, struct span s);

#endif
