/* import: what a coder says, from a file that export or a spreadsheet wrote. */
#pragma once

#include "label/coding/act.h"
#include "label/exchange/sheet.h"

struct coding_import {
    struct sheet sheet;
    bool new_coder;
    /* What was done: */
    struct act_count count;
    size_t n_empty, n_no_but_coded, n_unjudged, n_notes;
    int64_t n_absent; /* posts that are not in the database */
};

/* Imports all of `content`, or nothing. Faults of rows are in out->sheet. ST_INPUT for a file that cannot be read, and
 * for bad rows that are not to be skipped. *out needs coding_import_clear in either case; it borrows `name`. */
enum status MUST_USE coding_import(struct coding_import *out, struct db *db, struct span content, const char *name,
                                   const struct coding_import_how *how, struct err *e);
void coding_import_clear(struct coding_import *m);
