/*
 * workbook: one sheet as an xlsx file, with drop-down lists. The one file that knows
 * libxlsxwriter is workbook.c.
 */
#ifndef CODING_WORKBOOK_H
#define CODING_WORKBOOK_H

#include "base/base.h"

struct workbook_column {
    const char *name;
    double width;
    bool number, link;
    const struct span *choices; /* what cells may hold, for a drop-down list; NULL: anything */
    size_t n_choices;
};

struct workbook_sheet {
    const char *name; /* also of the hidden sheet: that of the lists is "lists" */
    const struct workbook_column *columns;
    size_t n_columns;
    const struct span *cells; /* row by row; empty: no cell */
    size_t n_rows;
};

/*
 * Writes the file. All cells but those of numbers and links are texts, whatever they begin with:
 * none becomes a formula. What XML cannot hold becomes U+FFFD; texts end after 1000 characters.
 * ST_INPUT for more rows than a sheet can have, ST_IO for what the system refuses.
 */
enum status MUST_USE workbook_write(const char *path, const struct workbook_sheet *sheet,
                                    struct err *e);

#endif
