/* sheet: the columns and rows of a file of codings, read and checked without regard to the database. */
#pragma once

#include "label/coding/stored_codebook.h"
#include "label/coding/decisions.h"
#include "base/utf8.h"

/* --- columns, as export writes and import reads them; they follow from the facets --- */

/* In the order in which they are exported; of CODING_CODE there are as many as the facets have. */
enum coding_kind {
    CODING_PROBLEM_ID,
    CODING_POST_ID,
    CODING_CODER,
    CODING_JUDGEMENT,
    CODING_CODE,
    CODING_REASON, /* of what the row decides */
    CODING_NOTE,   /* of the coder, private */
    CODING_DECIDED_AT,
    CODING_URL,
    CODING_TITLE,
    CODING_ERROR, /* what import says of a bad row */
    CODING_KINDS
};

struct coding_column {
    const char *name;
    enum coding_kind kind;
    size_t facet, place; /* of CODING_CODE: place in the facet's codes; facet also of the judgement */
    double width;        /* in a workbook, in characters */
};

struct coding_columns {
    const struct facets *facets;
    struct coding_column *items;
    size_t n;
    size_t at[CODING_KINDS]; /* the first column of each kind; SIZE_MAX: none */
    struct arena arena;
};

/* The facets must outlive *out. */
void coding_columns_make(struct coding_columns *out, const struct facets *facets);
void coding_columns_clear(struct coding_columns *c);

/* --- rows --- */

/* Of the sheet in a workbook that is written, and of several the one that is read. */
#define SHEET_NAME "labels"

struct sheet_row {
    size_t line;
    struct span *fields; /* as they are in the file, unquoted */
    size_t n_fields;
    int64_t post_id;
    struct span subject;
    bool is_judged, is_problem;
    bool is_coded;          /* has any code */
    int64_t *codes;         /* see sheet_codes */
    struct span decided_at; /* ptr NULL: not said */
    struct span reason;     /* of its decisions; len 0: none */
    struct span note;       /* len 0: none */
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
    size_t code_at[FACETS_MAX]; /* where the codes of a facet begin in those of a row, which are n_codes */
    size_t n_codes;
    struct span *header;
    size_t n_header;
    struct ARRAY_OF(size_t) others; /* places of columns with a name that import does not know */
    struct span of_several;         /* the sheet that was read, where a workbook has several */
    struct sheet_row *rows;         /* as in the file */
    size_t n_rows, capacity;
    size_t *order; /* places of good and bad rows, by post id and subject, then line */
    size_t n_bad;
    struct arena arena;
};

struct coding_import_how {
    struct span coder;      /* whose rows these must be */
    bool keep_times;        /* decided when decided_at says, not now */
    bool dry_run;           /* check and count, but import nothing */
    const char *encoding;   /* of a text, as text_decode takes it */
    const char *const *map; /* n_map of "theirs=ours": names of columns */
    size_t n_map;
    bool only_notes;       /* of the columns, those of ids and the note alone */
    bool others_are_notes; /* cells of columns with other names are notes; else they are not read */
    bool skip_bad;         /* import the good rows; else bad ones are ST_INPUT */
    /* With skip_bad: gets the bad rows as a file before the good ones are stored, so that none is ever in neither. */
    enum status (*keep_bad)(void *ctx, struct span csv, struct err *e);
    void *ctx;
};

/* Reads `content`, an xlsx workbook or CSV as spreadsheets save it. Faults of rows are kept with them; *book gets the
 * new written values. ST_INPUT with file:line for what makes the whole file unreadable: encoding, header, quotes. *out
 * needs sheet_clear in either case; it borrows `how` and `name`, not `content`. */
enum status MUST_USE sheet_read(struct sheet *out, struct span content, const char *name,
                                const struct coding_import_how *how, struct stored_codebook *book, struct err *e);
void sheet_clear(struct sheet *s);
/* The codes of a facet that the file has columns for, as many as it takes; the first in the first place, 0: none. */
int64_t *sheet_codes(const struct sheet *s, const struct sheet_row *row, size_t facet);
/* Says what is wrong with a row, and makes it a bad one. */
void sheet_fault(struct sheet *s, struct sheet_row *row, const char *column, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* A row that decides nothing: only ids, perhaps a note, and what is not read. */
bool sheet_row_is_empty(const struct sheet_row *row);
/* The bad rows as a file like the one that was read, in UTF-8, with a column error in front. */
void sheet_bad_rows(const struct sheet *s, struct buf *out);
