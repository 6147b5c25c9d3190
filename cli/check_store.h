/*
 * check_store: what `check -d FILE` keeps: the project, its commit, and what was found. Of cli only.
 *
 * First check_store_begin, before anything is read: it says what is wrong with the command line and
 * opens the database. Then the run, with options.root set to the project's top folder; then
 * check_store_end.
 */
#ifndef CLI_CHECK_STORE_H
#define CLI_CHECK_STORE_H

#include "check/check.h"
#include "cli/command.h"

/* All-zero is one that keeps nothing. */
struct check_store {
    bool wanted;
    struct buf root, project, url, commit; /* root: absolute */
    char code_at[TIME_TEXT_SIZE];          /* empty: not said */
};

/* Was a database or a project named? */
bool check_store_wanted(const struct invocation *in);

/* ST_USAGE and ST_INPUT with words on what to give; ST_DATABASE. check_store_clear in any case. */
enum status MUST_USE check_store_begin(struct check_store *s, struct invocation *in,
                                       struct check_options *o, struct err *e);
enum status MUST_USE check_store_end(const struct check_store *s, const struct invocation *in,
                                     const struct check_options *o, const struct check_run *c,
                                     struct err *e);
void check_store_clear(struct check_store *s);

/* For the table of options. */
#define CHECK_STORE_OPTIONS \
    {"project", '\0', "NAME", "keep what is found under this name (default: see below)"}, \
    {"commit", '\0', "VERSION", "the commit or version of the code (default: what .git says)"}, \
    {"date", '\0', "DATE", "when that was made, for the order of scans (default: now)"}

#endif
