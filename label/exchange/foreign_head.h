/* foreign_head: how mapping.ini calls a column and cuts a cell; a row as a post. Internal to label/exchange. */
#pragma once

#include "label/exchange/foreign.h"

#include <archive.h>
#include <jansson.h>

/* Appends a zip file's entry, called `name` in messages. *unpacked counts the bytes of all entries. ST_INPUT for a
 * damaged one, and beyond FOREIGN_BYTES_MAX. */
enum status MUST_USE foreign_unpack(struct archive *zip, const char *name, size_t *unpacked, struct buf *out,
                                    struct err *e);

/* The table of that name; a new row of a table with heads; a cell of its last row. Makes missing tables and columns. */
struct foreign_table *foreign_table_named(struct foreign *f, struct span name);
enum status MUST_USE foreign_row(struct foreign_table *t, struct err *e);
enum status MUST_USE foreign_put(struct foreign *f, struct foreign_table *t, struct span head, struct span value,
                                 struct err *e);

/* A document of INCEpTION or WebAnno as one annotator leaves it, in UIMA CAS JSON 0.4.0, UIMA CAS XMI, WebAnno TSV 3: a row
 * of the table "documents" with the codes of each feature. `name` is its path, which says the document and who. */
enum status MUST_USE foreign_cas_json(struct foreign *f, json_t *document, const char *name, struct err *e);
enum status MUST_USE foreign_cas_xmi(struct foreign *f, struct span content, const char *name, struct err *e);
enum status MUST_USE foreign_webanno_tsv(struct foreign *f, struct span content, const char *name, struct err *e);

/* The head, appended; of two rows of heads, "upper / lower"; without heads "column 3". */
void foreign_head(const struct foreign_table *t, size_t heads, size_t column, struct buf *out);

/* The values of a cell, cut by `split` of mapping.ini: "comma", "line", "list" (Python's), a character; else whole. */
struct foreign_parts {
    struct span rest;
    char by; /* '\0': the cell is one value */
    bool is_list;
};

struct foreign_parts foreign_parts(struct span cell, struct span split);
/* The next value that is not blank, without blanks and, in a list, quotes around it; false after the last. */
bool MUST_USE foreign_part(struct foreign_parts *p, struct span *value);

/* A row of CSV, not guarded. */
void foreign_add_cells(struct buf *csv, const struct span *cells, size_t n);

/* "Root Causes" as a facet is called: "root causes". */
struct span foreign_facet_name(struct arena *arena, struct span head);

/* Cells of a row that are a post; empty ones are not known. */
enum { FOREIGN_TEXTS_MAX = 8 };
struct foreign_post {
    struct span site, link, title, tags, author, date, texts[FOREIGN_TEXTS_MAX];
    size_t n_texts;
    int64_t number;
    const struct foreign_table *table;
};

/* The posts of tables. Rows of one number in one table are about one post: the texts that they do not share follow each
 * other. Texts of another table, a second rater's, are left out. Spans live until the posts are written. */
struct foreign_posts {
    struct ARRAY_OF(struct foreign_kept) kept;
    struct ARRAY_OF(struct foreign_part) parts;
    size_t n_rows, n_textless, n_joined, n_same, n_other, n_undated;
};

/* `at` is the place of the post, kept.n for one that is new; false: the row has no text. */
bool foreign_posts_add(struct foreign_posts *p, const struct foreign_post *post, size_t at);
/* Appends the posts as NDJSON, and says what was left out. */
void foreign_posts_write(struct foreign_posts *p, struct buf *out);
void foreign_posts_clear(struct foreign_posts *p);
