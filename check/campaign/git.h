/*
 * git: what a working tree says of itself: its commit and where it came from. Reads the files of .git and starts
 * nothing.
 *
 * Whatever is in these files may be anybody's: names are not followed out of .git's own folders, and sizes are limited.
 */
#pragma once

#include "base/base.h"

/* The folder at `folder` or above it that has a .git; both absolute. False when there is none. */
bool git_top(const char *folder, struct buf *top);

/* The commit that is checked out, as 40 or 64 hexadecimal digits. ST_INPUT when .git does not say,
 * as before the first commit. */
enum status MUST_USE git_commit(const char *top, struct buf *commit, struct err *e);

/* Where the tree was cloned from, on the web, without a name or password in it: of the remote origin,
 * else of the first one. Empty when there is none, or it is a path on this machine. */
void git_url(const char *top, struct buf *url);
/* "owner/repository": the last two parts of such an address, without ".git". */
struct span git_url_name(struct span url);
