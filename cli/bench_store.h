/*
 * bench_store: results of the benchmark in the database, and which results a command looks at. Of
 * cli only.
 */
#ifndef CLI_BENCH_STORE_H
#define CLI_BENCH_STORE_H

#include "cli/bench_cases.h"

/* The database that results go to, and are read from: that of -d or $PPMINE_DB, else ppmine.db where
 * there is one; NULL for none. */
const char *bench_store_path(const struct invocation *in);

/* Puts a result into the database; *known: it is there already. `machine` NULL: as it says. */
enum status MUST_USE bench_store_put(struct db *db, const struct bench_record *record,
                                     const char *machine, bool *known, struct err *e);

/* Where a run keeps its results. */
struct bench_store {
    const char *path, *results_dir; /* path NULL: no database */
};

/* Opens the database once, so that what is wrong with it is said before anything runs; it is brought
 * up to date. */
enum status MUST_USE bench_store_check(const struct bench_store *s, struct err *e);
/* For bench_setting.keep, with a struct bench_store. */
enum status MUST_USE bench_store_keep(void *ctx, struct span json, struct err *e);

/* Puts the result of a case that stands in the folder into the database, if it is not there. */
enum status MUST_USE bench_store_add(const struct bench_store *s, const char *id, struct err *e);

/* --- the last results --- */

/* Of one machine, or one folder. */
struct bench_results {
    struct bench_summary *items; /* of each case, in their order; metric "": none */
    const char *name;            /* of the machine; of a folder without any, its path */
    size_t n_others;             /* machines in the database besides */
    struct arena arena;
};

/*
 * Those of the folder `dir`, or, with NULL, those that the database `in` names holds of the machine
 * that a part of its name names (NULL: that was measured last). ST_USAGE for a machine that is not
 * there, or a part that several have. Where the database holds no result, or there is none, the
 * folder BENCH_RESULTS_DIR is looked at. *out needs bench_results_clear in any case.
 */
enum status MUST_USE bench_results_load(struct bench_results *out, const struct bench_cases *cases,
                                        struct invocation *in, const char *dir,
                                        const char *machine, struct err *e);
void bench_results_clear(struct bench_results *r);

#endif
