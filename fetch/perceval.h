/*
 * perceval: items as Perceval (GrimoireLab) fetches them, with their answers and comments; private
 * to fetch. https://perceval.readthedocs.io has the envelope; what is in it is what the site's own
 * API says.
 */
#ifndef FETCH_PERCEVAL_H
#define FETCH_PERCEVAL_H

#include "fetch/fetch.h"

#include <jansson.h>

/* Whether the object is Perceval's envelope of an item. */
bool perceval_is_item(const json_t *object);

/* As ndjson_read. What an item says that cannot be used is refused, and the rest of it is read. */
enum status MUST_USE perceval_read(json_t *item, struct arena *arena,
                                   const struct api_reader *reader, struct err *e);

#endif
