/*
 * campaign: what `check -d FILE` keeps in the database (project, commit, findings), and the later states of findings.
 *
 * First check_store_begin, before anything is read, which reports errors of the command line. Then the run, with
 * options.root set to the project's top folder. Then check_store_end.
 */
#pragma once

#include "check/check.h"
#include "check/campaign/findings.h"
#include "base/files.h"

/* What is checked, as the command line has it; NULL: not said. */
struct check_place {
    char *const *paths;
    size_t n_paths;
    const char *project, *commit, *date;
};

/* All-zero is a valid empty one. */
struct check_store {
    struct buf root, project, url, commit; /* root: absolute */
    char code_at[TIME_TEXT_SIZE];          /* empty: not said */
};

/* ST_USAGE and ST_INPUT with words on what to give. check_store_clear in any case. */
enum status MUST_USE check_store_begin(struct check_store *s, const struct check_place *p, struct check_options *o,
                                       struct err *e);
enum status MUST_USE check_store_end(const struct check_store *s, struct db *db, const struct check_place *p,
                                     const struct check_options *o, const struct check_run *c, struct db_scanned *done,
                                     struct err *e);
void check_store_clear(struct check_store *s);

/* Calls `act` with the whole id of each finding, which `findings` may abbreviate, in one transaction: all or
 * nothing. */
enum status MUST_USE campaign_each(struct db *db, char *const *findings, size_t n,
                                   enum status (*act)(void *ctx, struct db *db, const char *finding_id, struct err *e),
                                   void *ctx, struct err *e);
