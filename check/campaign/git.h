/* git: a working tree's commit and origin. Reads the files of .git and starts nothing. They may be a stranger's: names
 * are not followed out of .git's own folders, and sizes are limited. */
#pragma once

#include "base/base.h"

/* The folder at `folder` or above it that has a .git; both absolute. False when there is none. */
bool git_top(const char *folder, struct buf *top);

/* The current commit, as 40 or 64 hexadecimal digits. ST_INPUT when .git has none, as before the first commit. */
enum status MUST_USE git_commit(const char *top, struct buf *commit, struct err *e);

/* The web address that the tree was cloned from, without name or password: of the remote origin, else of the first
 * remote. Empty when there is none, or it is a path on this machine. */
void git_url(const char *top, struct buf *url);
/* "owner/repository": the last two parts of such an address, without ".git". */
struct span git_url_name(struct span url);
