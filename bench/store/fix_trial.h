/* fix_trial: measures check's fixes and proposals with the user's command, each alone, then together as a patch. */
#pragma once

#include "bench/command_pair.h"
#include "check/check.h"
#include "base/table/table.h"

struct fix_trial {
    const struct command_pair_spec *spec;
    const struct check_run *run; /* that is over */
    struct buf patch;            /* empty when nothing helps */
    size_t n_tried, n_helped;
};

/* Adds to *rows a row for each fix (see fix_trial_columns), and one for all that help when there are several. t->patch,
 * with a message first, is for `git apply`; clear it. Reports progress on stderr. ST_NO when a signal stopped it;
 * ST_INPUT when there is nothing to try. */
enum status MUST_USE fix_trial(struct fix_trial *t, struct table *rows, struct err *e);
void fix_trial_columns(struct table *rows);
