/* progress: a bar on a terminal. */
#pragma once

#include "base/base.h"

/* A progress line, cut at the terminal's width; draws only when stderr is a terminal and the level is not LOG_QUIET. */
struct progress {
    const char *label; /* borrowed until progress_end */
    uint64_t total;    /* 0: unknown */
    uint64_t done;
    double started, drawn;
    bool active;
};

void progress_begin(struct progress *p, const char *label, uint64_t total);
/* `note` (may be "") follows the bar. Cheap: draws ten times a second at most. */
void progress_update(struct progress *p, uint64_t done, const char *note);
void progress_end(struct progress *p); /* wipes the line */
