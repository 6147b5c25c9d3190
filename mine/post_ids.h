/*
 * post_ids: a list of posts, out of a file. Of mine only.
 */
#ifndef MINE_POST_IDS_H
#define MINE_POST_IDS_H

#include "post/post.h"
#include "study/study.h"

#define MAP_NAME id_set
#define MAP_KEY int64_t
#include "base/map.h"

struct post_ids {
    struct id_set ids;
    uint64_t wanted, found; /* ids in the file; `found` is the caller's */
};

/* ST_INPUT for a line that begins with no id, and for a file without one. */
enum status MUST_USE post_ids_read(struct post_ids *list, const char *path, struct err *e);
void post_ids_clear(struct post_ids *list);
bool post_ids_have(const struct post_ids *list, int64_t id);

#endif
