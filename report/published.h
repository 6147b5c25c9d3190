/*
 * published: the tables of the study as they are published.
 */
#pragma once

#include "db/db.h"
#include "label/facets.h"

struct sql;

/* Tables of the study as they are published: each a query, its rows in their own order. */
enum db_table {
    DB_TABLE_PROBLEMS,
    DB_TABLE_IDENTIFICATION,
    DB_TABLE_CODING,
    DB_TABLE_DECISIONS,
    DB_TABLE_CANDIDATES,
    DB_TABLE_KEYWORDS,
    DB_TABLE_CODEBOOK,
    DB_TABLE_DISAMBIGUATION,
    DB_TABLE_CODE_CHANGES,
    DB_TABLE_ASSESSMENT,
    DB_TABLE_BENCH_SETUPS,
    DB_TABLE_BENCH_RESULTS,
    DB_TABLE_BENCH_RUNS,
    DB_TABLE_ATTRIBUTION,
    DB_TABLE_RUNS,
    DB_TABLE_SETTINGS,
    DB_TABLE_TEXTS,    /* titles and bodies of posts */
    DB_TABLE_POSTS,    /* whole posts, as docs/posts.md has them */
    DB_TABLE_HITS,     /* where the keywords are */
    DB_TABLE_PROJECTS, /* of the campaign of check, as those below */
    DB_TABLE_SCANS,
    DB_TABLE_FINDINGS,
    DB_TABLE_FINDING_SEEN,
    DB_TABLE_FINDING_STATES,
    DB_TABLE_DISCUSSION, /* what coders said to each other */
    DB_TABLES
};

/* Of the widest one: a problem's post, and all codes of all facets. */
enum { DB_TABLE_COLUMNS_MAX = 32 + FACETS_MAX * FACET_CODES_MAX };

/* The query of a table; sql_each does not list these. */
const struct sql *db_table_statement(enum db_table table);
/* The name of a column of the query, counted from 0; NULL after the last. */
const char *db_table_column(struct db *db, enum db_table table, size_t column);
/* Calls back for each row; a cell that is NULL has ptr NULL. A status other than ST_OK ends the
 * walk and is returned. */
enum status MUST_USE db_table_each(struct db *db, enum db_table table,
                                   enum status (*each)(void *ctx, const struct span *cells, size_t n, struct err *e),
                                   void *ctx, struct err *e);

enum status MUST_USE db_table_is_empty(struct db *db, enum db_table table, bool *empty, struct err *e);
