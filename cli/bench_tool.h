/* bench_tool: how a checker of others does on the cases. For cli only. */
#pragma once

#include "cli/options.h"
#include "base/table/table.h"

/* Runs the tool that the file describes on the cases and prints its scores. ST_NO when it was
 * interrupted. */
enum status MUST_USE bench_tool_assess(const char *path, const struct bench_chosen *chosen, const char *cases_dir,
                                       const struct table_output *out, struct err *e);
