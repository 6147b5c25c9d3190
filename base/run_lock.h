/* run_lock: one process at a time. */
#pragma once

#include "base/base.h"

/* Takes the lock `<path>-<name>`, links of path followed. The file stays beside the database; the lock itself belongs
 * to the process and ends with it, however it ends. ST_NO, with words, when another process has it; ST_IO. */
enum status MUST_USE run_lock_take(const char *path, const char *name, int *fd, struct err *e);
/* The same with the lock file `file`, in a folder that is there; `about` is what messages say it is on.
 * Says so when another process has it, and waits. ST_NO, without words, when a signal stopped that. */
enum status MUST_USE run_lock_wait(const char *file, const char *about, int *fd, struct err *e);
void run_lock_release(int fd); /* -1: none */
