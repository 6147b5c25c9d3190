/* ini: files of sections with lines `key = value`. Pure: no I/O, no state. */
#pragma once

#include "base/base.h"

/* A line `key = value`, trimmed, or a line `[section]`: then key.ptr is NULL. */
struct ini_line {
    const char *path; /* of the file, for messages */
    size_t line;      /* from 1 */
    struct span section, key, value;
};

/* Calls back for each section and each setting, and skips blank lines and lines that begin with '#'. The first status
 * but ST_OK ends it and is returned. ST_INPUT with path:line for any other line, for a setting above the first section,
 * and for what is not UTF-8 or has a NUL. */
enum status MUST_USE ini_each(struct span content, const char *path,
                              enum status (*each)(void *ctx, const struct ini_line *line, struct err *e), void *ctx,
                              struct err *e);
