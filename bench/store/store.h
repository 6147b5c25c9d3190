/* bench: the benchmark's results in the database, a machine's last results, and the study's labels of the problems. */
#pragma once

#include "base/table/table.h"
#include "bench/bench.h"
#include "db/db.h"
#include "label/facets.h"

/* --- the study --- */

enum bench_approach { BENCH_PROFILER, BENCH_XLA, BENCH_DOCUMENTATION, BENCH_APPROACHES };

/* Of a problem of the study that is built in; texts are "" where the study has none. */
struct bench_problem {
    struct span id;
    struct span group, shown;                 /* the first codes of the facets below */
    struct span approaches[BENCH_APPROACHES]; /* as published: "not solved", …; of documentation
                                               * "applied" or "not applied" */
};

#define MAP_NAME bench_problem_map
#define MAP_KEY struct span /* its id */
#define MAP_VALUE struct bench_problem
#include "base/map.h"

/* A facet of that study which the benchmark shows; facets.csv says which. */
struct bench_facet {
    const struct facet *facet;
    const char *column; /* its name in tables: "root_cause" */
};

struct bench_study {
    struct bench_problem_map problems;
    struct facets facets;
    struct bench_facet group, shown; /* cases are put together by `group` */
    struct arena arena;
};

enum status MUST_USE bench_study_load(struct bench_study *out, struct err *e);
void bench_study_clear(struct bench_study *s);
/* The one of that id; one without anything when there is none. */
struct bench_problem bench_study_find(const struct bench_study *s, const char *id);
/* Calls back for each column of the problem in the study's problems.csv; not for a problem that it lacks. */
enum status MUST_USE bench_study_labels(const char *id, void (*each)(void *ctx, struct span column, struct span value),
                                        void *ctx, struct err *e);

/* --- into the database --- */

/* Puts a result into the database; *known: it is there already. `machine` NULL: as it says. */
enum status MUST_USE bench_store_put(struct db *db, const struct bench_record *record, const char *machine, bool *known,
                                     struct err *e);

/* Where a run keeps its results. */
struct bench_store {
    const char *path, *results_dir; /* path NULL: no database */
};

/* Opens the database once, so that what is wrong with it is said before anything runs; it is brought up to date. */
enum status MUST_USE bench_store_check(const struct bench_store *s, struct err *e);
/* For bench_setting.keep, with a struct bench_store. */
enum status MUST_USE bench_store_keep(void *ctx, struct span json, struct err *e);

/* Puts the result of a case that is in the folder into the database, if it is not there. */
enum status MUST_USE bench_store_add(const struct bench_store *s, const char *id, struct err *e);

/* --- the last results --- */

/* Of one machine, or one folder. */
struct bench_results {
    struct bench_summary *items; /* of each case, in their order; metric "": none */
    const char *name;            /* of the machine; of a folder without any, its path */
    size_t n_others;             /* machines in the database besides */
    struct arena arena;
};

/* Which results are wanted. */
struct bench_results_wanted {
    const char *dir;     /* a folder; NULL: those of the database */
    const char *db_path; /* NULL: there is no database */
    const char *machine; /* a part of its name; NULL: the one that was measured last */
};

/* Reads the folder BENCH_RESULTS_DIR when there is no database or it has no result. *db is the database, opened when
 * NULL and needed; the caller closes it. ST_USAGE, with a message to follow the command's name, when no machine
 * matches, or several do. *out needs bench_results_clear in any case. */
enum status MUST_USE bench_results_load(struct bench_results *out, const struct bench_cases *cases,
                                        const struct bench_results_wanted *wanted, struct db **db, struct err *e);
void bench_results_clear(struct bench_results *r);

/* --- the tables of `bench report` --- */

/* Adds bench-cases (each case with its last result), bench-verdicts and bench-approaches. */
void bench_report(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                  const struct bench_results *results);

/* Adds the tables bench-compare (each case) and bench-agreement (how many come to the same). */
void bench_compare(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2]);

/* What was measured of cases that have changed since. All-zero is a valid empty one. */
struct bench_versions {
    size_t n, changed, unknown;
};

void bench_versions_count(struct bench_versions *v, const struct bench_cases *cases, const struct bench_case *c,
                          const char *case_sha256);
/* Adds a note when there is any; `what` are "results" or "assessments". */
void bench_versions_note(struct table *t, const struct bench_versions *v, const char *what);
