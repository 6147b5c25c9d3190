/* json: members of JSON objects that strangers wrote; private to fetch, for files that use jansson. */
#pragma once

#include "base/base.h"

#include <jansson.h>

/* Reads a document; NULL when it is not one. An unpaired surrogate becomes U+FFFD. If one number fits no integer, all
 * are real. *invalid_utf8 (may be NULL): the reason was bad UTF-8. */
json_t *json_read(struct span bytes, bool *invalid_utf8);
/* The first object or list of several; *rest: what follows it. NULL, and the same rest, where none begins. */
json_t *json_read_first(struct span *rest);

/* The same of what programs write; NULL for what is out of the ordinary, also where it is right. */
json_t *json_read_plain(struct span bytes);

/* A value, of an object in memory or of a text that was only looked through. */
struct json_value {
    json_type type; /* JSON_NULL: none, too */
    struct span
        text; /* of a string; of a list of json_read_flat, what is between its brackets: strings without escapes */
    int64_t integer;
    double real;
    const json_t *json; /* of an object or list; NULL: of json_read_flat */
};
struct json_value json_value_of(const json_t *value); /* of NULL: JSON_NULL */

struct json_member {
    struct span name;
    struct json_value value;
};
/* The members of an object, one after the other. All-zero is a valid empty one. */
struct json_flat {
    struct ARRAY_OF(struct json_member) members;
    struct buf names; /* one after the other, each with a NUL after it */
    struct buf plain; /* strings that were written with escapes */
};
/* Reads what json_read_plain reads, if no value has parts, except lists of strings; else false. What is read points
 * into the bytes and into `out`. A name may occur twice. */
bool MUST_USE json_read_flat(struct json_flat *out, struct span bytes);
void json_flat_clear(struct json_flat *f);

/* `s` without one layer of the references that a safe filter of the API adds; in the arena, or `s` itself. */
struct span api_unescape(struct arena *arena, struct span s);

/* Whether the bytes are the beginning of an object, of which the end is missing. */
bool MUST_USE json_is_cut(struct span bytes);

/* POST_ABSENT for what is not a number; a real one is rounded up. */
int64_t json_number(const json_t *object, const char *field);
/* ptr NULL for what is not a string; lives as long as the object. */
struct span json_text(const json_t *object, const char *field);
/* Replaces each NUL, valid in JSON but the end of a text for many readers of SQLite, with U+FFFD; then in the arena. */
struct span json_without_nul(struct arena *arena, struct span s);
