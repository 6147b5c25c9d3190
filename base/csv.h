/* csv: rows of CSV, as RFC 4180 and spreadsheets have them; cells guarded against formulas. */
#pragma once

#include "base/base.h"

/*
 * Whether a spreadsheet would compute a cell with this text: after any blanks and quotes it begins with = + - or @
 * (also full-width ones), a tab or a line end. A plain number is not a formula.
 *
 * In files that others may open, an apostrophe before such a cell guards it. A text with an apostrophe before a formula
 * gets another one, so taking one apostrophe off each guarded cell restores every text.
 *
 * A spreadsheet may take ';' or a tab within the text for the end of the cell. So each of them that = + - or @ follows,
 * after any blanks and quotes, gets an apostrophe too, which is taken off again.
 */
bool MUST_USE csv_is_formula(struct span s);
/* Without the guard of its begin, and that alone, as in a workbook. */
struct span MUST_USE csv_unguarded(struct span field);
/* Adds it without the guards within it; false, and nothing added, where it has none. */
bool MUST_USE buf_add_unguarded_within(struct buf *out, struct span field);
/* One field, guarded, and quoted where RFC 4180 asks for it. */
void buf_add_csv(struct buf *out, struct span s);
void buf_add_csv_with(struct buf *out, struct span s, char delimiter);
/* The same of the name of a column: quoted where it contains any delimiter, so that csv_open, which counts
 * them in the first line, finds the one of the file. */
void buf_add_csv_name(struct buf *out, struct span s, char delimiter);
void buf_add_csv_raw(struct buf *out, struct span s); /* not guarded */

/* Appends a number as programs write it, read in the style of a file with this delimiter: where ';' is between the
 * cells, 2,5 is 2.5. Unambiguous groups are joined: 1 000, 1.000.000 and 1.000,5. Unclear are 1.000 where ',' is the
 * decimal sign, 1,000 where '.' is, and both where a tab is between the cells. */
enum csv_number { CSV_NO_NUMBER, CSV_NUMBER, CSV_NUMBER_UNCLEAR };
enum csv_number MUST_USE csv_number(char delimiter, struct span text, struct buf *out);
/* Is it how programs write that there is nothing: NA, n/a, NaN, null, none, #N/A? */
bool MUST_USE csv_is_na(struct span text);

/* Reads RFC 4180: fields in double quotes may contain delimiters, line ends and doubled quotes; lines end in LF, CRLF
 * or CR. Skips a byte order mark, and removes guards of cells. Borrows the content; fields live until the next row. */
struct csv_reader {
    struct span rest;
    const char *name; /* of the file, for messages */
    char delimiter;
    bool verbatim; /* guards stay */
    size_t line;   /* where the last row began, from 1 */
    size_t lines_seen;
    struct ARRAY_OF(struct span) fields;
    struct span row;   /* the last one, as it is in the content, without its line end */
    size_t *columns;   /* of csv_walk: the place of the field that each name names; NULL before the header */
    size_t n_columns;  /* of the header */
    uint64_t may_lack; /* bits of the columns that it may lack, by place in `names`: set before csv_walk */
    bool no_line_end;  /* the last row ends with the content: it may have been cut off */
    struct buf unquoted;
};

/* The first line gives the delimiter: ',', ';' or a tab, as spreadsheets write them. A first line "sep=;" names it, and
 * is not a row. */
void csv_open(struct csv_reader *r, struct span content, const char *name);
/* The same for files that people write, such as a study's: an apostrophe is meant, and stays. */
void csv_open_verbatim(struct csv_reader *r, struct span content, const char *name);
/* The most fields of a row: 16 MB of spans. */
#define CSV_FIELDS_MAX ((size_t)1 << 20)
/* The next row that has a field that is not empty; ST_NO at the end; ST_INPUT with file:line for a
 * quote that is not closed, bytes after a closing quote, invalid UTF-8, a NUL, or too many fields. */
enum status MUST_USE csv_next(struct csv_reader *r, struct err *e);
/*
 * The next row under a header line that has exactly these `n` columns, in any order:
 *
 *     while (csv_walk(&csv, names, ARRAY_LEN(names), &status, e))
 *         status = add_code(l, csv_cell(&csv, CODE));
 *
 * False at the end, and when *status is not ST_OK, even if the caller set it; then *r is closed. ST_INPUT with
 * file:line for another header, and for a row with more or fewer fields than the header.
 */
bool csv_walk(struct csv_reader *r, const char *const *names, size_t n, enum status *status, struct err *e);
/* Of its row the field that names[i] names, empty where the header lacks it; without blanks around. */
struct span MUST_USE csv_cell(const struct csv_reader *r, size_t i);
void csv_close(struct csv_reader *r); /* what it is called, and where it is, stays */

/* The rows of a small table of a study, whole: the cells in the order of `names`, without blanks around. */
struct csv_row {
    size_t line;
    struct span *cells;
};

struct csv_rows {
    struct ARRAY_OF(struct csv_row) items;
    struct arena arena; /* owns the cells */
};

/* csv_open_verbatim, and csv_walk over all of it; content.ptr NULL: no rows. *out needs csv_rows_clear in either case. */
enum status MUST_USE csv_rows_read(struct csv_rows *out, struct span content, const char *name,
                                   const char *const *names, size_t n, struct err *e);
void csv_rows_clear(struct csv_rows *r);
