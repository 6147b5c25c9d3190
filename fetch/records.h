/*
 * records: rows of tables as records of JSON, and what the beginning of a file says that it is; private to fetch.
 */
#pragma once

#include "fetch/encoding.h"

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
