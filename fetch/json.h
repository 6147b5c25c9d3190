/*
 * json: a JSON document (RFC 8259) as a tree. Private to fetch.
 *
 * Why not jansson, which reads the rest of the project's JSON: half of all the instructions of a
 * crawl went into its reader, which takes each byte through four functions and allocates each value;
 * this one needs a thirtieth of them. And it does not refuse a whole answer for what it can do
 * without: an integer of more than 64 bits, half a surrogate pair in one post.
 */
#ifndef FETCH_JSON_H
#define FETCH_JSON_H

#include "base/base.h"

enum json_kind { JS_NULL, JS_FALSE, JS_TRUE, JS_INT, JS_REAL, JS_TEXT, JS_LIST, JS_OBJECT };

enum { JSON_DEPTH_MAX = 64 }; /* of lists and objects in each other; answers of the API have 8 */

struct json {
    enum json_kind kind;
    struct span name; /* of a member of an object */
    union {
        int64_t integer;
        double real; /* also an integer that span_i64 refuses */
        struct span text; /* valid UTF-8; may hold NUL */
        struct {
            const struct json *first;
            size_t n;
        } list; /* of JS_LIST and JS_OBJECT */
    } as;
    const struct json *next; /* in the list or object that it stands in; NULL: the last */
};

/* The tree, all of it in the arena; nothing is kept of the bytes. NULL for what is no JSON, is not
 * valid UTF-8, or is nested deeper than JSON_DEPTH_MAX. \ud834 without its other half becomes
 * U+FFFD. */
const struct json *json_read(struct span bytes, struct arena *arena);

/* The first element of a list; NULL for none, and for what is no list. */
const struct json *json_elements(const struct json *value);
/* Elements of a list; 0 for what is none. */
size_t json_length(const struct json *value);
/* The member of that name, of several the first; NULL for none, and for what is no object. */
const struct json *json_member(const struct json *value, const char *name);
/* A string's text, not NULL even when empty; {NULL, 0} for what is none. */
struct span json_text(const struct json *value);

#endif
