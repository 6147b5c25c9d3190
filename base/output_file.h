/* output_file: writes a file whole or not at all, and replaces another only when asked to: what coders filled in is
 * hours of work. The new file is written beside the old one under an unpredictable name, synced and renamed, and its
 * folder is synced. The next write of the same file removes what a killed process left. */
#pragma once

#include "base/base.h"

struct output_file {
    const char *path;
    bool replace;
    int fd;                /* keeps it locked while it is written */
    struct buf target;     /* the file itself, where path is a link */
    struct buf unfinished; /* the name under which it is written */
};

/* PRIVATE: what others of the machine must not read. One that is new gets the mode of file_make_private. */
enum output { OUTPUT_NEW, OUTPUT_REPLACE, OUTPUT_PRIVATE };

/* ST_IO when there is such a file and OUTPUT_NEW is wanted, or none can be made. One that is replaced keeps its mode. */
enum status MUST_USE output_file_begin(struct output_file *f, const char *path, enum output how, struct err *e);
/* Where to write. */
const char *output_file_path(struct output_file *f);
/* With `status` ST_OK gives the file its name, else takes it away and returns `status`. */
enum status MUST_USE output_file_end(struct output_file *f, enum status status, struct err *e);

/* Writes bytes to a file in this way. A file that has just these bytes may be there already. */
enum status MUST_USE output_file_write(const char *path, enum output how, struct span bytes, struct err *e);
/* Gives an open file the mode 0600, or what PPMINE_FILE_MODE says in octal. ST_USAGE for what is not a mode. */
enum status MUST_USE file_make_private(int fd, const char *path, struct err *e);

/* Takes away the files that have no name yet; for a handler of signals. */
void output_files_forsake(void);

/* --- the parts, for what is not one file --- */

enum unfinished { UNFINISHED_FILE, UNFINISHED_PRIVATE /* a file of mode 0600 */, UNFINISHED_FOLDER };

/* Makes an empty file or folder beside `path`, under an unpredictable name, and locks it while the descriptor is open.
 * -1 with errno. */
int MUST_USE unfinished_make(const char *path, enum unfinished kind, struct buf *name);
/* Calls `remove` for each such file or folder of `path` that a killed process left. */
void unfinished_remove_left(const char *path, void (*remove)(const char *name));

/* Makes what was renamed or made at `path` survive a power cut, as far as the file system can. */
void folder_sync(const char *path);
