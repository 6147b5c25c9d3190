/*
 * head: whether the head of a request is whole and says one thing. For web only, for http.c.
 */
#pragma once

#include <microhttpd.h>

#include "base/base.h"

enum { HEAD_BLANKS_MAX = 16 }; /* between a colon and the value */

/* The first line as libmicrohttpd has it in its memory. */
struct head_line {
    const char *method, *version;
    uintptr_t target; /* where it was before it was decoded */
    size_t target_size;
};

/* False: a control character or a blank where none may be, a folded line, two lengths, a length and chunks,
 * or another version than HTTP/1.0 and 1.1. To be asked before the body is read. */
bool head_is_right(struct MHD_Connection *connection, const struct head_line *line);
