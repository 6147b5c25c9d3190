/*
 * sevenzip_memory: how much memory a 7z archive takes to be unpacked. Its header says so; neither libarchive
 * nor the program 7z bounds it. Private to fetch.
 */
#pragma once

#include "base/base.h"

/* The dictionary of `7z -mx=9`, 256 MB, and what is read and written beside it. */
#define SEVENZIP_MEMORY_MAX ((uint64_t)320 << 20)

/* The bytes for the dictionaries of the part of the archive that needs most. False where the header cannot be
 * read; *bytes is then what was read of it. n_of: how many files have each of the names. Reads `fd` by pread, so
 * that its place stays. */
bool MUST_USE sevenzip_memory(int fd, uint64_t *bytes, const char *const *names, size_t n_names, size_t *n_of);
/* Where the archive ends, as its first 32 bytes say; false when these are damaged. */
bool MUST_USE sevenzip_size(int fd, uint64_t *bytes);
