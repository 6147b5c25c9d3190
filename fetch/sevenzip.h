/*
 * sevenzip: a 7z archive decompressed by the program 7z in its own process; private to fetch.
 *
 * The public dumps are 7z archives of bzip2 blocks. 7z decodes the blocks on all processors,
 * libarchive on one, which is half as fast on two; so 7z is used where it is installed.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

struct sevenzip {
    pid_t pid; /* 0: not running */
    int fd;    /* what it writes */
};

/* Starts it on a member of an archive; false when there is no such program. */
bool sevenzip_start(struct sevenzip *z, const char *path, const char *member);
/* At the end of what it wrote: whether it succeeded. */
bool sevenzip_succeeded(struct sevenzip *z);
/* Ends it if it still runs. */
void sevenzip_close(struct sevenzip *z);
