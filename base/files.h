/* files: files, folders, programs and the clock. */
#pragma once

#include "base/base.h"

#include <dirent.h>
#include <sys/types.h>

/* Now, as "2026-11-21T01:12:21.000Z"; $PPMINE_NOW, in that form, replaces it for tests and simulations. */
#define TIME_TEXT_SIZE 25
void time_now(char out[TIME_TEXT_SIZE]);
double time_monotonic(void); /* seconds */

/* Reads a whole file of at most `max` bytes into *out (which the caller clears). */
enum status MUST_USE file_read(const char *path, size_t max, struct buf *out, struct err *e);
/* The same of what a user names: "-" is standard input. */
enum status MUST_USE file_read_named(const char *path, size_t max, struct buf *out, struct err *e);
/* The same of a regular file: ST_INPUT for a FIFO, a device or a folder, which is not waited for. For
 * files that are looked for in a folder, not those that somebody names. */
enum status MUST_USE file_read_regular(const char *path, size_t max, struct buf *out, struct err *e);
/* Writes a file, over an old one; `fresh`: ST_IO if there is one. `name`: for messages. After an error a part stays. */
enum status MUST_USE file_write(const char *path, bool fresh, struct span bytes, const char *name, struct err *e);
/* Whether a path, with all links in it followed, is the folder or in it; false, too, for what is not there. */
bool path_is_inside(const char *folder, const char *path);
/* Makes each folder of the path that is missing. */
enum status MUST_USE folders_make(const char *dir, struct err *e);
bool MUST_USE program_is_there(const char *name); /* on the PATH */
/* Starts a program of the PATH, in `folder` (NULL: here), with what it reads and prints; -1: /dev/null. `apart`: its
 * errors are not shown, and a Ctrl-C does not reach it. 0, or why not: an error number. */
int MUST_USE program_start(const char *const *argv, const char *folder, int in, int out, bool apart, pid_t *pid);
/* Waits for its end: its exit code; -1: it was ended by a signal, or there is none. */
int MUST_USE program_end(pid_t pid);
void fd_end(const int *fd); /* for AT_END: closes what was opened; -1 is fine, and errno stays */
void dir_end(DIR *const *dir);
/* What the stream should have got is not all in it; stream_check, in this thread, says why. */
void stream_failed(const FILE *stream, int error);
/* Flushes and checks a stream that was written: a full disk is an error, not a short file. */
enum status MUST_USE stream_check(FILE *stream, const char *name, struct err *e);
/* Writes all of it, and flushes. */
enum status MUST_USE stream_write(FILE *stream, struct span bytes, const char *name, struct err *e);
