/*
 * A source as UTF-8, whatever encoding an XML file declares; private to fetch.
 */
#pragma once

#include "fetch/fetch.h"

#include <iconv.h>

struct encoded_source {
    struct source *source;
    iconv_t converter;
    bool converting;
    struct buf raw;     /* read from the source, not converted yet */
    uint64_t converted; /* bytes of the source before raw */
    struct buf text;    /* UTF-8, handed out up to `used` */
    size_t used;
    bool ended; /* the source did */
};

/* Looks at the first bytes: a byte order mark, or encoding="…" in the XML declaration. */
enum status MUST_USE encoded_open(struct encoded_source *s, struct source *source, struct err *e);
/* As source_read. */
enum status MUST_USE encoded_read(struct encoded_source *s, char *bytes, size_t size, size_t *got, struct err *e);
/* Does not close the source. */
void encoded_close(struct encoded_source *s);
