/* workbook_reader: the rows of one sheet of an xlsx file, as texts. Only workbook_reader.c knows the format. */
#pragma once

#include "base/base.h"

/* Do the bytes begin as a workbook does: xlsx, or the older xls, which is refused with a word? */
bool MUST_USE workbook_is(struct span content);

struct workbook_reader;

/* The visible sheet `sheet`, else the first visible one. `content` and `name` (of the file, for messages) are borrowed.
 * ST_INPUT for what is not such a file, is damaged, is protected by a password, unpacks to more than 256 MiB, has a
 * DTD, or refers to other files. *out needs workbook_reader_free in either case. */
enum status MUST_USE workbook_reader_new(struct workbook_reader **out, struct span content, const char *name,
                                         const char *sheet, struct err *e);
void workbook_reader_free(struct workbook_reader *r);

/* The name of the sheet, and how many visible ones there are. */
struct span MUST_USE workbook_reader_sheet(const struct workbook_reader *r, size_t *n_visible);
/* The name of a visible sheet, by its place from 0; empty: there is none. */
struct span MUST_USE workbook_reader_sheet_at(const struct workbook_reader *r, size_t place);

struct workbook_row {
    size_t number;             /* as the spreadsheet shows it, from 1 */
    const struct span *fields; /* up to the last that is not empty; they live until the next row */
    size_t n_fields;
};

/* The next row with a cell that is not empty; ST_NO at the end. Numbers have no exponent and no ".0"; dates are
 * "2026-11-21" or "2026-11-21T01:12:21.000Z", truth values true and false. A formula is its last result; one that was
 * never computed is its text after '='. The guard of texts that look like formulas (csv_is_formula) is taken off. */
enum status MUST_USE workbook_next(struct workbook_reader *r, struct workbook_row *row, struct err *e);
