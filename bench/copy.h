/* copy: a folder made like another one, again and again. For bench only. */
#pragma once

#include "base/base.h"

enum { COPY_DEPTH_MAX = 64 };

/* What is not copied. */
struct copy_spec {
    const char *const *linked; /* paths below the folder, "data": a link to them is made instead */
    size_t n_linked;
    uint64_t most; /* bytes that may be copied at all */
};

/* Makes `to` like `from`: copies what is new or differs in size, kind or time of change, and removes what `from` does
 * not have. Links are copied as links, times of change are kept; a FIFO, a device or a socket is left out. `.git` is
 * not copied; `__pycache__` is neither copied nor removed, as Python knows by the times of change what it may use of
 * it. `to` is made when it is missing. ST_INPUT when there is more than spec->most to copy, with words on --link;
 * ST_IO. */
enum status MUST_USE copy_folder(const char *from, const char *to, const struct copy_spec *spec, struct err *e);
