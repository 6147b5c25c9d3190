/* Rows out of a piece of a dump; private to fetch. One scan per block; no threads here. */
#pragma once

#include "fetch/fetch.h"

/* Where in the document a piece begins or ends. */
struct scan_place {
    enum scan_part {
        PLACE_HEAD, /* before the root element's start tag */
        PLACE_ROWS, /* between rows */
        PLACE_TAIL  /* after an end tag; of the root element, unless rows follow */
    } part;
    const char *inside; /* a comment or the like: the text that ends it; NULL: none */
};

/* Why a row longer than DUMP_ROW_MAX is left out. */
#define ROW_TOO_LONG "longer than 8 MiB"

struct scan_note {
    uint64_t offset;
    int64_t id;      /* 0: unknown */
    const char *why; /* static text */
};

/* All-zero but for the first four fields is a scan that has not begun. */
struct dump_scan {
    struct span bytes;
    uint64_t offset;         /* of bytes in the stream */
    struct scan_place place; /* at the beginning, then where the scan is */
    bool last;               /* the stream ends with these bytes */
    bool fragment, is_piece; /* as in struct dump_options */
    bool foreign;            /* the root element is not <posts> */
    size_t at;
    struct ARRAY_OF(struct scan_note) notes;
    uint64_t rows, watermarks;
    const char *fatal; /* what ends the reading here; static text */
    uint64_t fatal_offset;
};

/* Back to the beginning, at `place`, with nothing noted. */
void scan_begin(struct dump_scan *s, struct scan_place place);
void scan_note(struct dump_scan *s, uint64_t offset, int64_t id, const char *why);
/* The next usable row. Rewritten rows are in the arena. */
bool scan_next(struct dump_scan *s, struct arena *arena, struct row *row);
void scan_clear(struct dump_scan *s);
