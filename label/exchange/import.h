/*
 * import: what a coder says, from a file that export or a spreadsheet wrote.
 */
#pragma once

#include "label/coding/act.h"
#include "label/exchange/sheet.h"

struct coding_import_how {
    struct span coder;
    bool keep_times;        /* decided when decided_at says, not now */
    bool dry_run;           /* check and count, but import nothing */
    const char *encoding;   /* of a text, as text_decode takes it */
    const char *const *map; /* names of columns, as sheet_rules has them */
    size_t n_map;
    bool only_notes;       /* as sheet_rules has it */
    bool others_are_notes; /* cells of columns with other names are notes; else they are not read */
    bool skip_bad;         /* import the good rows; else bad ones are ST_INPUT */
    /* With skip_bad: gets the bad rows as a file, before the good ones are in the database, so that none
     * is ever in neither. */
    enum status (*keep_bad)(void *ctx, struct span csv, struct err *e);
    void *ctx;
};

struct coding_import {
    struct sheet sheet;
    bool new_coder;
    /* What was done: */
    struct act_count count;
    size_t n_empty, n_no_but_coded, n_unjudged, n_notes;
    int64_t n_absent; /* posts that are not in the database */
};

/*
 * Imports `content`, nothing or all of it. Faults of rows are in out->sheet. ST_INPUT for a file that
 * cannot be read, and for bad rows that are not to be skipped. *out needs coding_import_clear in either
 * case; it borrows `name`.
 */
enum status MUST_USE coding_import(struct coding_import *out, struct db *db, struct span content, const char *name,
                                   const struct coding_import_how *how, struct err *e);
void coding_import_clear(struct coding_import *m);
