/* workbook: one sheet as an xlsx file, with drop-down lists. Only workbook.c knows libxlsxwriter. */
#pragma once

#include "base/table/table.h"

enum { WORKBOOK_TEXT_MAX = 32766 }; /* units of UTF-16: one more, the guard of a formula, fills a cell */

struct workbook_column {
    double width;
    bool link;
    const struct span *choices; /* what cells may contain, for a drop-down list; NULL: anything */
    size_t n_choices;
};

struct workbook_sheet {
    const char *name;                      /* also of the hidden sheet: that of the lists is "lists" */
    const struct table *table;             /* columns of integers and texts */
    const struct workbook_column *columns; /* of the table */
    bool raw;                              /* texts without the guard of formulas (csv_is_formula) */
};

/* Writes the file. All cells but those of numbers and links are texts: none becomes a formula. They and the choices are
 * guarded all the same, since what comes back is the CSV file that a spreadsheet saves. What XML cannot contain becomes
 * U+FFFD; texts end at WORKBOOK_TEXT_MAX. ST_INPUT for more rows than a sheet can have, ST_IO when the system fails. */
enum status MUST_USE workbook_write(const char *path, const struct workbook_sheet *sheet, struct err *e);
