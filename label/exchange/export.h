/* export: what coders say, as a table or a sheet in which they go on. */
#pragma once

#include "label/exchange/sheet.h"
#include "label/coding/remarks.h"
#include "label/coding/stored_codebook.h"
#include "base/table/table.h"

struct coding_export_wanted {
    struct span coder; /* ptr NULL: all */
    size_t facet;      /* DB_ALL_FACETS: all */
    bool template;     /* also what the coder has not judged, with url and title */
    struct span posts; /* only these, a JSON array of ids; ptr NULL: all */
};

struct coding_export {
    struct coding_export_wanted wanted;
    struct stored_codebook book; /* empty when the database has none */
    struct coding_columns columns;
    struct remarks remarks; /* of the coder, when it is one */
    size_t *shown;          /* places of the columns of the table */
    struct table table;
};

/* *out needs coding_export_clear in either case. */
enum status MUST_USE coding_export(struct coding_export *out, struct db *db, const struct coding_export_wanted *wanted,
                                   struct err *e);
/* The table as an xlsx file, with lists of the codes to choose from. */
enum status MUST_USE coding_export_workbook(const struct coding_export *x, const char *path, bool raw, struct err *e);
void coding_export_clear(struct coding_export *x);
