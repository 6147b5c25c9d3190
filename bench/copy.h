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

/* Makes `to` like `from`: copies what is new or differs in size, kind or modification time, and removes what `from`
 * lacks. Creates `to` when missing. Copies links as links, keeps modification times, skips FIFOs, devices, sockets and
 * `.git`. Neither copies nor removes `__pycache__`: Python decides by modification times what is still valid. ST_INPUT,
 * with advice on --link, when more than spec->most is to be copied; ST_IO. */
enum status MUST_USE copy_folder(const char *from, const char *to, const struct copy_spec *spec, struct err *e);
