/*
 * door: the page that brings a browser to a link which is a secret. For cli only.
 */
#pragma once

#include "base/base.h"

/* Writes a page that only its owner can read and that leads to the link, into $XDG_RUNTIME_DIR or else /tmp:
 * command lines are for all to see. *path: where. Removes the pages of processes that were killed before they
 * could. */
enum status MUST_USE door_write(struct span link, struct buf *path, struct err *e);
void door_remove(struct buf *path); /* "" does nothing; and it is "" then */
