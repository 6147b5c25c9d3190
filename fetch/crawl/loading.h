/* loading: a file of any form whose posts go into the database; for crawl only. */
#pragma once

#include "base/files.h"
#include "base/progress.h"
#include "fetch/crawl/crawl.h"

struct loading {
    struct db *db;
    struct study study; /* that of the database */
    struct crawl_load_how how;
    bool is_dump; /* the source is a Posts.xml */
    int64_t code; /* of the site of posts that do not name theirs; -1: not said, and there are several */
    struct source *source;
    unsigned others; /* files of the archive that are read after it: source_others */
    struct refused refused;
    struct progress progress;
    int64_t run_id;
    char as_of[TIME_TEXT_SIZE]; /* of the content: --as-of, or the last activity so far; "" for unknown */

    uint64_t read, bytes, watermarks; /* of the file */
    uint64_t n_put[DB_PUT_KINDS];
    uint64_t n_questions, n_answers, n_others, n_comments, n_links, n_alone, n_deferred, n_orphans;
    uint64_t n_batch;  /* posts in the open transaction */
    struct buf counts; /* a JSON object, when the file is done */
};

/* Why a post that can be used is not kept. */
#define LEFT_TAG "no tag of the study"
#define LEFT_DATE "created outside the dates of the study"
#define LEFT_NO_DATE "no date, and the study has dates"
#define LEFT_TYPE "neither question nor answer"
#define LEFT_ANSWER "an answer to a question that is left out"
#define LEFT_ORPHAN "an answer whose question is not here"
#define LEFT_COMMENT "a comment on a post that is not here"
#define LEFT_LINK "a link of a post that is not here"
/* That of LEFT_DATE and LEFT_NO_DATE that is true; NULL: neither. A study without dates keeps what has none. */
const char *MUST_USE loading_why_date(const struct loading *l, struct span date);

/* Begins the run of the source, in a transaction; its counts are 0. */
enum status MUST_USE loading_begin(struct loading *l, struct err *e);
/* Ends the run. After a failure, keeps what was read before it, unless the database failed. Returns `status`, or a more
 * important one. */
enum status MUST_USE loading_end(struct loading *l, enum status status, struct err *e);

/* A date of the dump: the latest one counts, unless --as-of gave one. */
void loading_saw(struct loading *l, struct span date);
/* Notes the date with the run. */
enum status MUST_USE loading_note_as_of(struct loading *l, struct err *e);

/* Keeps a post as of the file's date or, if not `dated` yet, as new as the file will turn out to be. A transaction is
 * open before and after. Returns the signal's status when one asked to stop. */
enum status MUST_USE loading_put(struct loading *l, const struct post *post, bool dated, struct err *e);
/* To be called regularly where no post may be kept for long: ends when a signal asked to. */
enum status MUST_USE loading_step(struct loading *l, struct err *e);

/* A temporary file for what has to wait for the end of the file. */
struct waiting {
    FILE *file; /* NULL while there is nothing */
    bool borrowed;
};

struct waiting_head {
    uint64_t offset, len; /* of the bytes that follow, in the file that is loaded */
    int64_t id, type, parent_id;
    bool is_wanted; /* it waits for nothing but the date of the file */
};

enum status MUST_USE waiting_add(struct waiting *w, const struct waiting_head *head, struct span bytes, struct err *e);
/* Calls back for each in the order in which they came; a status other than ST_OK ends the walk. */
enum status MUST_USE waiting_each(struct waiting *w,
                                  enum status (*each)(void *ctx, const struct waiting_head *head, struct span bytes,
                                                      struct err *e),
                                  void *ctx, struct err *e);
struct waiting waiting_in(FILE *temporary); /* NULL: one is made when it is needed */
void waiting_clear(struct waiting *w);

/* The forms of a file. */
enum status MUST_USE load_dump(struct loading *l, struct err *e);
enum status MUST_USE load_ndjson(struct loading *l, struct err *e);
