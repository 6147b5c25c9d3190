/*
 * trial_tables: another keyword set beside the candidates that there are. Of cmd_match only.
 */
#pragma once

#include "match/corpus/mine.h"
#include "base/table/table.h"

/* Prints what the set would change; `limit` posts at most (0: all). */
void mine_trial_print(const struct mine_trial *trial, size_t limit, const struct table_output *out);
/* Says what replacing the candidates did to posts that are judged. */
void mine_trial_say(const struct mine_trial *trial);
