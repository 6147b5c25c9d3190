/* terminal: what a dialog needs: keys as they are pressed, lines, and a pager. */
#pragma once

#include "base/base.h"

/* Besides ASCII. */
enum {
    TERMINAL_END = -1,  /* of the input, or Ctrl-D */
    TERMINAL_OTHER = -2 /* a key that is not a character of ASCII, such as an arrow */
};

/* The next key on standard input, which must be a terminal: without Enter, and not shown. A return is '\n', Escape is
 * 27. The terminal is as before after each call, and when SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the program during
 * it. */
int terminal_key(void);

/* Drops the keys that were pressed and not read yet: they were meant for what was shown before. */
void terminal_drop_keys(void);

/* The next line, without its end; false at the end of the input. A line of more than LINE_BYTES_MAX bytes is skipped
 * with a message, and comes as empty. */
enum { LINE_BYTES_MAX = 4096 };
bool line_read(FILE *in, struct buf *line);

/* Shows a text on standard output. One that is longer than the terminal goes through $PAGER (else less or more, where
 * they are; LESS is FRX unless it is set); `pages` false, or standard output is not a terminal: it is just written. */
void terminal_show(struct span text, bool pages);
