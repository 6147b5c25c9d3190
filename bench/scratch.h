/* scratch: the folders in which runs happen. For bench only. */
#pragma once

#include "bench/bench.h"

/* A new folder below $TMPDIR, else /tmp. It is locked as long as it is open, so that others can
 * tell it from one that was left behind. All-zero is a closed one. */
struct scratch {
    struct buf path;
    int fd; /* of the folder, when path is not empty */
};

enum status MUST_USE scratch_open(struct scratch *s, struct err *e);
/* Removes it with everything in it. */
void scratch_close(struct scratch *s);
/* Removes the folders that runs of this user left behind when they were killed, and ends what still
 * runs there, and says so. */
void scratch_remove_left(void);
/* A folder with everything in it; links are not followed. */
void scratch_remove_tree(const char *path);
