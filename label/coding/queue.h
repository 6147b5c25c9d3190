/* queue: which post a coder judges next: of the candidates, by id, or of a list, in its order. */
#pragma once

#include "db/db.h"

struct queue_list ARRAY_OF(int64_t);

struct queue {
    struct db *db;
    struct span coder;
    const struct queue_list *list; /* NULL: the candidates */
};

/* A note that says "unsure", found again by it. */
extern const char queue_unsure[];

/* Adds the posts of a file of ids to *out, each once, in the file's order, which is that of the sample's drawing; of a
 * file that assigns posts to coders, those of this coder (id_list_read_of). array_clear clears *out. */
enum status MUST_USE queue_list_read(struct queue_list *out, const char *path, struct span coder, struct err *e);

/* The lists of a file, read once for several coders. */
struct queue_lists {
    bool any; /* a file was read */
    struct ARRAY_OF(struct queue_of_coder {
        struct span coder; /* ptr NULL: of everybody, as the file assigns nothing */
        struct queue_list list;
    }) of;
    struct arena arena;
};

/* *out needs queue_lists_clear in either case. */
enum status MUST_USE queue_lists_read(struct queue_lists *out, const char *path, struct err *e);
void queue_lists_clear(struct queue_lists *l);
/* The list of a coder, which may be empty; NULL: no file was read. */
const struct queue_list *queue_lists_of(const struct queue_lists *l, struct span coder);

/* The next unjudged post after `after` (0: the first), then those that were passed over, from the beginning, at last
 * those that the coder was unsure about. *post_id is 0 when none is left. */
enum status MUST_USE queue_next(const struct queue *q, int64_t after, int64_t *post_id, struct err *e);
/* How many of the posts the coder has judged. Without a list *judged counts other posts too. */
enum status MUST_USE queue_progress(const struct queue *q, int64_t *judged, int64_t *total, struct err *e);
/* The place of a post in the list, from 1; 0: it is not in it. */
size_t queue_place(const struct queue *q, int64_t post_id);
