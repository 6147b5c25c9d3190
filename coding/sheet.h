/*
 * sheet: the rows of a file of codings, read and checked; nothing here knows what the
 * database says of them.
 */
#ifndef CODING_SHEET_H
#define CODING_SHEET_H

#include "coding/columns.h"
#include "coding/stored_codebook.h"
#include "db/decisions.h"

struct sheet_row {
    size_t line;
    struct span *fields; /* as they are in the file, unquoted */
    size_t n_fields;
    int64_t post_id;
    struct span subject;
    bool is_judged, is_problem;
    bool is_coded; /* has any code */
    int64_t (*codes)[FACET_CODES_MAX]; /* of each facet, the first in the first place; 0: none */
    struct span decided_at; /* ptr NULL: not said */
    struct span faults;     /* what is wrong with the row; ptr NULL: nothing */
};

struct sheet {
    const char *name; /* of the file, for messages */
    enum text_encoding encoding;
    bool crlf;
    char delimiter;
    struct coding_columns columns;
    size_t *places;             /* of the columns in a row; SIZE_MAX: not in the file */
    bool has_facet[FACETS_MAX]; /* the file has columns for it */
    struct span *header;
    size_t n_header;
    struct sheet_row *rows; /* as in the file */
    size_t n_rows, capacity;
    size_t *order; /* places of good and bad rows, by post id and subject, then line */
    size_t n_bad;
    struct arena arena;
};

struct sheet_rules {
    struct span coder;                   /* whose rows these must be */
    const struct stored_codebook *codebook;
    bool keep_times;                     /* decided_at is read */
};

/*
 * Reads `content`, CSV as spreadsheets save it. Faults of rows are kept with them. ST_INPUT with
 * file:line for what makes the whole file unreadable: encoding, header, quotes. *out needs
 * sheet_clear in either case; it borrows `rules` and `name`, not `content`.
 */
enum status MUST_USE sheet_read(struct sheet *out, struct span content, const char *name,
                                const struct sheet_rules *rules, struct err *e);
void sheet_clear(struct sheet *s);
/* A row that says nothing: only ids, and what is not read. */
bool sheet_row_is_empty(const struct sheet_row *row);
/* The bad rows as a file like the one that was read, in UTF-8, with a column error in front. */
void sheet_bad_rows(const struct sheet *s, struct buf *out);

#endif
