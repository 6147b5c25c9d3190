/* rows: the rows of a table that people made, from an xlsx workbook or from CSV as spreadsheets save it. */
#pragma once

#include "base/csv.h"
#include "base/utf8.h"
#include "label/workbook_reader.h"

struct row_reader {
    struct csv_reader csv;
    struct workbook_reader *workbook; /* NULL: the rows come from csv */
    const char *name;                 /* of the file, for messages */
    struct buf content, room;         /* the file, where the reader read it, and what became of it in UTF-8 */
    struct span text;                 /* what csv reads */
    struct workbook_row row;          /* the last one, of either */
    struct arena arena;               /* of rows_cell */
    enum text_encoding encoding;      /* of a workbook: the one in which a spreadsheet sees UTF-8 */
    bool crlf;
    bool no_line_end; /* the last row may have been cut off */
};

/* Bytes of a file that people made. */
#define ROWS_FILE_MAX ((size_t)256 << 20)

/* A table, or JSON: objects on lines or in a list, whose members are columns. Of a workbook, the visible sheet `sheet`
 * (may be NULL), else the first visible one. `encoding`: of a text, as text_decode takes it. ST_INPUT for what cannot
 * be read. *r needs rows_close in either case; it borrows `content` and `name`. */
enum status MUST_USE rows_open(struct row_reader *r, struct span content, const char *name, const char *sheet,
                               const char *encoding, struct err *e);
/* The same of a file of at most `max` bytes, without JSON; "-" is standard input. */
enum status MUST_USE rows_open_file(struct row_reader *r, const char *path, size_t max, const char *sheet,
                                    const char *encoding, struct err *e);
/* r->row becomes the next row; ST_NO at the end. */
enum status MUST_USE rows_next(struct row_reader *r, struct err *e);
void rows_close(struct row_reader *r);
/* All of a workbook, or of a text, as CSV with as many fields in each row as in the first. */
enum status MUST_USE rows_as_csv(struct span content, const char *name, struct buf *out, struct err *e);
/* row_plain of a cell of the last row, in Unicode's composed form; empty where it has none. It lives until rows_close. */
struct span rows_cell(struct row_reader *r, size_t place);

/* Has it only blanks? */
bool row_is_blank(const struct workbook_row *row);

/* Is it the name of the column, as people write it: "Post ID" is post_id? */
bool row_name_is(struct span text, const char *name);
/* The cell, with no-break spaces as blanks, and none around it. A span of `text`, or a copy in the arena. */
struct span row_plain(struct arena *a, struct span text);
/* The same of an id, which tables of numbers write as 105.0. */
struct span row_id(struct arena *a, struct span text);
