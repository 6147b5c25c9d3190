/* log: what the program says on stderr, cleaned as buf_add_clean does. */
#pragma once

#include "base/base.h"

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_program(const char *name); /* how each line begins; it stays the caller's */
void log_set_level(enum log_level level);
enum log_level log_get_level(void);
/* Says it from this level on, with its kind in front: "warning: ". */
void log_say(enum log_level from, const char *kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define log_error(...) log_say(LOG_QUIET, "error: ", __VA_ARGS__)
#define log_warn(...) log_say(LOG_NORMAL, "warning: ", __VA_ARGS__)
#define log_info(...) log_say(LOG_NORMAL, "", __VA_ARGS__)
#define log_debug(...) log_say(LOG_VERBOSE, "", __VA_ARGS__)

/* Logs what another program said, in lines. Leaves bytes of an incomplete character; returns how many it wrote. */
size_t log_output(struct span lines);
