/*
 * queue: which post a coder judges next: of the candidates, by id, or of a list, in its order.
 */
#ifndef LABEL_CODING_QUEUE_H
#define LABEL_CODING_QUEUE_H

#include "db/db.h"

struct queue {
    struct db *db;
    struct span coder;
    const int64_t *list; /* n_list 0: the candidates */
    size_t n_list;
};

/* A note that says "unsure", found again by it. */
extern const char queue_unsure[];

struct queue_list ARRAY_OF(int64_t);

/* The posts of a file of ids, each once, in the order of the file, which is that in which a sample was
 * drawn; added to *out, to be cleared with array_clear. */
enum status MUST_USE queue_list_read(struct queue_list *out, const char *path, struct err *e);

/* The next post that is not judged after `after` (0: the first), then from the beginning: those that were
 * passed over; at last those that the coder was unsure about. *post_id is 0 when none is left. */
enum status MUST_USE queue_next(const struct queue *q, int64_t after, int64_t *post_id,
                                struct err *e);
/* How many of the posts the coder has judged. Without a list *judged counts other posts too. */
enum status MUST_USE queue_progress(const struct queue *q, int64_t *judged, int64_t *total,
                                    struct err *e);
/* The place of a post in the list, from 1; 0: it is not in it. */
size_t queue_place(const struct queue *q, int64_t post_id);

#endif
