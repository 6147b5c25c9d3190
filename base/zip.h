/* zip: writes a zip archive of uncompressed files, as the checker has no library that packs. All have the first date
 * that an archive can express, so the same content gives the same archive. */
#pragma once

#include "base/base.h"

/* Is it a zip, or what is one inside, such as xlsx? An empty one has no first file, and is not seen. */
static inline bool MUST_USE zip_begins(struct span content)
{
    return span_starts(content, SPAN("PK\x03\x04"));
}

/* All-zero is an empty archive. */
struct zip {
    struct buf directory;
    size_t n_files;
    uint64_t written; /* bytes before the next file, wherever they are by now */
    bool too_large;   /* a file was left out: sizes in an archive have 32 bits */
};

/* Appends a file to *out, which may be emptied between calls. */
void zip_add(struct zip *z, struct buf *out, const char *name, struct span content);
/* Appends the directory. zip_clear in any case. */
void zip_end(struct zip *z, struct buf *out);
void zip_clear(struct zip *z);
