/* visible: text as people see it, on a terminal or laid out; nothing in it is a command. */
#pragma once

#include "base/base.h"

/* Whether a terminal or a text layout obeys this character: control characters (C0, DEL, C1), those that change the
 * direction of writing, ends of lines and paragraphs. Joiners (U+200C, U+200D) stay: scripts and emoji need them. */
bool MUST_USE is_command_character(uint32_t code_point);
/* Adds the text with '?' for each command character, and U+FFFD for each byte that is not UTF-8.
 * Whatever came from a post, a file or a database is said in this way, and in no other. */
void buf_add_clean(struct buf *b, struct span s);
void buf_add_clean_lines(struct buf *b, struct span s); /* the same, but LF and tab stay */
/* buf_addf, cleaned as a whole: for a line, or a piece of one. */
void buf_addf_clean(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool MUST_USE text_is_clean(struct span s); /* would buf_add_clean change nothing? */
/* Adds a byte of a text, or of an attribute's value, of HTML or XML. */
void buf_add_markup(struct buf *b, char c);

/* The columns of valid UTF-8 on a terminal (UAX #11): two for East Asian wide characters, none for combining ones and
 * controls. */
size_t MUST_USE text_width(struct span s);
/* The part from its start that fits into `width` columns. *taken (may be NULL): how many it takes. */
struct span text_cut(struct span s, size_t width, size_t *taken);
/* Adds words of valid UTF-8 in lines of at most `width` columns (0: one line), each after `indent` blanks; ends the
 * last line. */
void buf_add_wrapped(struct buf *b, struct span text, size_t indent, size_t width);
/* Adds valid UTF-8, and blanks up to `width` columns; `right`: the blanks come first. */
void buf_add_padded(struct buf *b, struct span s, size_t width, bool right);
/* Columns of the terminal that the stream is; 0 when it is not one. */
size_t MUST_USE terminal_width(FILE *stream);
