/* log: what the program says on stderr, cleaned as buf_add_clean does. */
#pragma once

#include "base/base.h"

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_program(const char *name); /* how each line begins; it stays the caller's */
void log_set_level(enum log_level level);
enum log_level log_get_level(void);
void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2); /* always */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);  /* unless the level is LOG_QUIET */
void log_info(const char *fmt, ...) PRINTF_LIKE(1, 2);  /* unless the level is LOG_QUIET */
void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2); /* with LOG_VERBOSE */

/* What another program said, in lines; bytes of a character that is not complete yet are left: returns
 * how many bytes were written. */
size_t log_output(struct span lines);
