/* sevenzip: a 7z archive decompressed by the program 7z, if installed, in its own process; private to fetch. The public
 * dumps are 7z archives of bzip2 blocks. 7z decodes them on all processors, libarchive on one: half as fast on two. */
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

/* --- how much memory an archive takes; neither libarchive nor the program 7z bounds it --- */

/* The dictionary of `7z -mx=9`, 256 MB, and what is read and written beside it. */
#define SEVENZIP_MEMORY_MAX ((uint64_t)320 << 20)

/* *bytes: for the dictionaries of the part of the archive that needs most. False for a header that cannot be read;
 * *bytes is then what was read of it. n_of: how many files have each name. Uses pread, so the offset of `fd` stays. */
bool MUST_USE sevenzip_memory(int fd, uint64_t *bytes, const char *const *names, size_t n_names, size_t *n_of);
/* Where the archive ends, as its first 32 bytes say; false when these are damaged. */
bool MUST_USE sevenzip_size(int fd, uint64_t *bytes);
