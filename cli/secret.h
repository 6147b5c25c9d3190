/*
 * secret: a key for a server. For cli only.
 */
#pragma once

#include "base/base.h"

/*
 * The key of the file, else (path NULL) of the variable, which is taken out of the environment; nothing where there is
 * neither. ST_INPUT for a file that others can read, and for anything but one word of printable characters.
 */
enum status MUST_USE secret_read(struct buf *out, const char *path, const char *variable, struct err *e);
