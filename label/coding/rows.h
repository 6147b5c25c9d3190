/*
 * rows: the rows of a table that people made, from an xlsx workbook or from CSV as spreadsheets save it.
 */
#ifndef CODING_ROWS_H
#define CODING_ROWS_H

#include "label/coding/workbook_reader.h"

struct row_reader {
    struct csv_reader csv;
    struct workbook_reader *workbook; /* NULL: the rows come from csv */
    struct buf text;                  /* what csv reads, in UTF-8 */
    struct workbook_row row;          /* the last one, of either */
    enum text_encoding encoding;      /* of a workbook: the one in which a spreadsheet sees UTF-8 */
    bool crlf;
    bool no_line_end; /* the last row may have been cut off */
};

/* Of a workbook, the visible sheet that is called `sheet`, else the first visible one. ST_INPUT for what
 * cannot be read. *r needs rows_close in either case; it borrows `content` and `name`. */
enum status MUST_USE rows_open(struct row_reader *r, struct span content, const char *name,
                               const char *sheet, struct err *e);
/* r->row becomes the next row; ST_NO at the end. */
enum status MUST_USE rows_next(struct row_reader *r, struct err *e);
void rows_close(struct row_reader *r);

/* Has it only blanks? */
bool row_is_blank(const struct workbook_row *row);

#endif
