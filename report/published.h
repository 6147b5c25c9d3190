/* published: the tables of the study as they are published. */
#pragma once

#include "db/db.h"
#include "label/facets.h"

struct sql;

/* Tables of the study as they are published: each a query, its rows in their own order. X(its place, its name). */
/* clang-format off */
#define DB_TABLES_ALL(X) \
    X(PROBLEMS, problems) \
    X(IDENTIFICATION, identification) \
    X(CODING, coding) \
    X(DECISIONS, decisions) \
    X(CANDIDATES, candidates) \
    X(KEYWORDS, keywords) \
    X(CODEBOOK, codebook) \
    X(DISAMBIGUATION, disambiguation) \
    X(CODE_CHANGES, code_changes) \
    X(ASSESSMENT, assessment) \
    X(BENCH_SETUPS, bench_setups) \
    X(BENCH_RESULTS, bench_results) \
    X(BENCH_RUNS, bench_runs) \
    X(ATTRIBUTION, attribution) \
    X(RUNS, runs) \
    X(SETTINGS, settings) \
    X(TEXTS, texts) /* titles and bodies of posts */ \
    X(POSTS, posts) /* whole posts, as docs/posts.md has them */ \
    X(HITS, hits) /* where the keywords are */ \
    X(PROJECTS, projects) /* of the campaign of check, as those below */ \
    X(SCANS, scans) \
    X(FINDINGS, findings) \
    X(FINDING_SEEN, finding_seen) \
    X(FINDING_STATES, finding_states) \
    X(DISCUSSION, discussion) /* what coders said to each other */
#define DB_TABLE_PLACE(place, name) DB_TABLE_##place,
enum db_table { DB_TABLES_ALL(DB_TABLE_PLACE) DB_TABLES };
/* clang-format on */

/* Of the widest one: a problem's post, and all codes of all facets. */
enum { DB_TABLE_COLUMNS_MAX = 32 + FACETS_MAX * FACET_CODES_MAX };

/* The query of a table; sql_each does not list these. */
const struct sql *db_table_statement(enum db_table table);
/* The name of a column of the query, counted from 0; NULL after the last. */
const char *db_table_column(struct db *db, enum db_table table, size_t column);
/* Calls back for each row; a NULL cell has ptr NULL. The first status but ST_OK ends the walk and is returned. */
enum status MUST_USE db_table_each(struct db *db, enum db_table table,
                                   enum status (*each)(void *ctx, const struct span *cells, size_t n, struct err *e),
                                   void *ctx, struct err *e);

enum status MUST_USE db_table_is_empty(struct db *db, enum db_table table, bool *empty, struct err *e);
