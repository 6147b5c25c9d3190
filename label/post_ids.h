/* post_ids: a list of posts from a file, for match/corpus only. */
#pragma once

#include "base/post/post.h"
#include "base/study/study.h"
#include "base/refused.h"
#include "base/maps.h"

struct post_ids {
    struct id_set ids;
    uint64_t wanted, found; /* ids in the file; `found` is the caller's */
    struct refused left;    /* rows that add no id; the caller may add why others are of no use. It borrows the path */
};

/* As id_rows_each reads it; of a problem, its post. */
enum status MUST_USE post_ids_read(struct post_ids *list, const char *path, const char *encoding, struct err *e);
void post_ids_clear(struct post_ids *list);
bool post_ids_have(const struct post_ids *list, int64_t id);

/* What yes and no in a column of such a table say. */
struct post_judgements {
    bool given; /* there is such a column */
    struct post_ids problems, others;
    uint64_t n_open;   /* posts without a judgement, which are left out of the list */
    bool open_between; /* and some of these are before others that were judged */
};

/* The same, with the column of that name, if the file has it. ST_INPUT also for a post with two different judgements.
 * *out needs post_judgements_clear in either case. */
enum status MUST_USE post_ids_read_judged(struct post_ids *list, struct post_judgements *out, const char *column,
                                          const char *path, const char *encoding, struct err *e);
void post_judgements_clear(struct post_judgements *j);
