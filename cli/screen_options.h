/* screen_options: what the commands of screen have in common. For cli only. */
#pragma once

#include "cli/options.h"
#include "screen/screening.h"

/* A screening with what it borrows. */
struct screen_session {
    struct study study;
    struct buf coder, cache;
    struct screening_how how;
    struct screening *screening;
};

/* Reads the options below and --coder, and opens the screening of in->db. *s needs screen_session_close in either case.
 * ST_NO, after a message, when there are no questions. */
enum status MUST_USE screen_session_open(struct screen_session *s, const struct invocation *in, struct err *e);
void screen_session_close(struct screen_session *s);

#define LEARN_FROM_OPTION TEXT("learn-from", learn_from, "FILE", "start from the labelled texts of another study (CSV)")

#define SCREEN_OPTIONS \
    TEXT("recall", recall, "PERCENT", "stop at this recall (default: 95)"), \
        TEXT("confidence", confidence, "PERCENT", "and with this confidence (default: 95)"), \
        NUMBER("seed", seed, "N", 0, INT64_MAX, 1, "seed of the random order (default: 1)"), \
        FLAG("no-cache", no_cache, "do not write the cache, a file DB-screen beside the database"), \
        FLAG("refresh", refresh, "do not use the cache; read the posts again")
