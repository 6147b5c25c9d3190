/*
 * unpack: gzip, xz, bzip2 and zstd, by one rule. Private to fetch.
 *
 * A file is a sequence of streams of one form. Each ends with its mark and, where it has one, its checksum. Anything
 * after the last stream is an error: otherwise a file whose second half is missing or zeros would pass as whole. Only
 * xz defines padding. libarchive is not used: it ignores the checksum of gzip, takes all memory that an xz asks for,
 * and ends silently where the second stream of a bzip2 is damaged.
 */
#pragma once

#include "base/base.h"

/* The most memory, in bytes: of xz, enough for twice the dictionary of `xz -9` (64 MB); of zstd, the window of `zstd
 * --long`. The other forms take a few megabytes. */
#define XZ_MEMORY_MAX ((uint64_t)192 << 20)
#define ZSTD_WINDOW_MAX ((uint64_t)128 << 20)

struct unpacker;

/* The forms in the order of unpack_form_of; NULL for want of memory. */
struct unpacker *unpack_new(size_t form);
void unpack_free(struct unpacker *u);
/* Which form begins so, told by the formats' magic numbers; SIZE_MAX: none. */
size_t MUST_USE unpack_form_of(struct span head);
/* Hands in the next compressed bytes; they are borrowed until unpack_read asks for more. */
void unpack_feed(struct unpacker *u, struct span compressed);
/* Decompresses into `bytes`; *got is 0 when all that was fed is used up. False for what cannot be unpacked. */
bool MUST_USE unpack_read(struct unpacker *u, char *bytes, size_t size, size_t *got);
/* Whether the compressed bytes may end here. */
bool MUST_USE unpack_is_complete(const struct unpacker *u);
/* Why unpack_read was false, or why the bytes may not end here: of the file `name`, with the byte. */
enum status unpack_failed(const struct unpacker *u, const char *name, struct err *e);
