/* A source as UTF-8, whatever encoding an XML file declares; private to fetch. */
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

/* --- records.c: rows of tables as records of JSON, and what the beginning of a file says that it is --- */

enum records_kind {
    RECORDS_NONE, /* a dump, or nothing that is known */
    RECORDS_LINES,
    RECORDS_LIST, /* JSON in brackets */
    RECORDS_CSV,
    RECORDS_XML /* Comments.xml */
};

enum records_kind MUST_USE records_kind(struct span head);

/* As ndjson_each. A row is an object of texts, without those that are empty; its offset is that in UTF-8. */
enum status MUST_USE records_csv(struct encoded_source *s, const struct ndjson_handler *handler, uint64_t *bytes,
                                 struct err *e);
enum status MUST_USE records_xml(struct encoded_source *s, const struct ndjson_handler *handler, uint64_t *bytes,
                                 struct err *e);
