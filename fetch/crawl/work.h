/* work: the chains of requests that a crawl sends, each with where it is in the database. */
#pragma once

#include "fetch/crawl/crawl.h"
#include "fetch/crawl/store.h"
#include "fetch/crawl/answers.h"
#include "fetch/fetch.h"
#include "base/progress.h"

/* A run of fetch. */
struct crawl {
    struct db *db;
    const struct crawl_plan *plan;
    struct api *api;
    struct crawl_store store;
    struct progress progress;
    uint64_t n_windows, n_done; /* for progress; ids count as one window */
    uint64_t n_stuck;           /* windows that the API gives no way through */
    uint64_t n_ids;             /* that were asked for and answered */
    struct buf tag_list;        /* with '|' before each; "a;b": questions that have both */
};

/* The statuses are those of api_run. Between two of them no transaction is open. */
enum status MUST_USE crawl_window(struct crawl *f, struct db_window *window, struct err *e);
/* Requests questions by id: `ids` (sorted), or with NULL all stored ones. Continues an unfinished list of this name. */
enum status MUST_USE crawl_ids(struct crawl *f, const char *name, const int64_t *ids, size_t n, struct err *e);
/* Answers and comments that did not fit into what was asked for. */
enum status MUST_USE crawl_due(struct crawl *f, struct err *e);
/* The names of the tags that fit a pattern ("keras*"), added to *tags with ';' before each. */
enum status MUST_USE crawl_tags(struct crawl *f, struct span pattern, struct buf *tags, struct err *e);
enum status MUST_USE crawl_filter(struct crawl *f, struct err *e);

/* "done", or why it ends and when the next run can continue. */
void crawl_describe_end(struct buf *out, enum status status, int64_t until, const char *why);
/* Ends the run, which had `status`. ST_OK also for a used-up quota (ST_NO): nobody needs to act. */
enum status MUST_USE crawl_run_end(struct db *db, int64_t run_id, enum status status, struct span counts,
                                   struct err *e);
