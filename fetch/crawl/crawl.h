/*
 * crawl: posts into the database, from dumps and APIs, and where a crawl continues. Joins fetch and db; may include
 * base, post, study, stem, fetch and db.
 *
 * Whatever ends a run (a signal, a kill, a used-up quota), committed work is kept, and the same run again continues. A
 * bad input is ST_INPUT, a signal 128 + its number, with words in *e.
 */
#pragma once

#include "db/posts.h"
#include "fetch/fetch.h"
#include "base/study/study.h"

/* --- files --- */

struct crawl_load_how {
    bool ndjson;       /* posts as docs/posts.md has them, or items of Perceval; else data dumps */
    bool all_tags;     /* every post, whatever its tags, date and type */
    bool strict;       /* a row that cannot be used is an error */
    unsigned threads;  /* that read; 0: one for each processor */
    uint64_t batch;    /* posts in a transaction */
    struct span site;  /* of posts that do not name theirs; ptr NULL: the study's, if it has one */
    FILE *temporary;   /* an empty file for what waits; NULL: one is made when it is needed */
    struct span text;  /* what is read in place of a file, of which the path is then the name; ptr NULL: none */
    struct span as_of; /* of what date the dumps are; ptr NULL: of the last activity in each */
};

/* Loads the posts of files in turn, for the database's study. Calls `done` after each, with counts, a JSON object. */
enum status MUST_USE crawl_load(struct db *db, char *const *paths, size_t n, const struct crawl_load_how *how,
                                void (*done)(void *ctx, struct span counts), void *ctx, struct err *e);

/* --- the API --- */

/* What is asked for: questions of tags in a window, or by ids, or all that are stored. */
struct crawl_plan {
    struct study study;
    struct api_options options;
    int64_t from, to;   /* of creation, in Unix seconds */
    const int64_t *ids; /* sorted */
    size_t n_ids;
    bool refresh;
    const char *const *tags; /* none: the study's */
    size_t n_tags;
};

/* Fetches the plan into the database at `path`. Does nothing, and says so, when another process fetches into it. A
 * used-up quota is not an error. `counts` gets a JSON object, and stays empty when nothing was done. */
enum status MUST_USE crawl_fetch(struct db *db, const char *path, const struct crawl_plan *plan, struct buf *counts,
                                 struct err *e);

/* --- GitHub and Discourse --- */

/* The whole of repositories, or what a list of links names. */
struct crawl_forge_plan {
    struct study study;              /* whose sites they are */
    struct api_options options;      /* of GitHub; the URL is not NULL */
    const char *const *repositories; /* "owner/name" */
    size_t n_repositories;
    const char *urls; /* a file with links; NULL: none */
};

/* As crawl_fetch. ST_INPUT when a repository, or all links, are not to be had; each is named. */
enum status MUST_USE crawl_forge(struct db *db, const char *path, const struct crawl_forge_plan *plan,
                                 struct buf *counts, struct err *e);

/* --- images --- */

struct crawl_image_plan {
    bool again;              /* also those that could not be had */
    double rate;             /* images in a second; 0: no limit */
    int64_t max_wait;        /* seconds, that a server may ask for; of one that asks for more, nothing is asked */
    int64_t bytes_max;       /* of all that are kept; then it ends */
    const char *test_server; /* see image_client_open */
};

/* Keeps the images of threads that coders may see: of candidates and judged posts. Stores the reason of a failure, and
 * tries again in two more runs if it may pass. ST_NETWORK when no server is reached. Otherwise as crawl_fetch. */
enum status MUST_USE crawl_images(struct db *db, const char *path, const struct crawl_image_plan *plan,
                                  struct buf *counts, struct err *e);

/* How far it got, the quota, and posts by year: for people, or as a line of JSON. */
enum status MUST_USE crawl_status(struct db *db, bool as_json, struct buf *out, struct err *e);

/* Stores the kept answers of `source`, which may be `db` itself, again, in one transaction. `from` names it in
 * provenance, NULL: the same database. `counts` gets a JSON object. */
enum status MUST_USE crawl_rebuild(struct db *db, struct db *source, const char *from, struct buf *counts,
                                   struct err *e);
