/* stages: what the rules of pipelines ask of one stage. For check/rules only. */
#pragma once

#include "check/rules/rule.h"

enum { STAGES_CALLS_DEEP = 3 }; /* of a mapped function */

/* Where its method is named; 0: nowhere. */
uint32_t stage_line(const struct stage *s);
/* What the function does that it is given. */
struct mapper stage_mapper(struct project *p, const struct stage *s);
/* Does that function, or one that it calls, call what the test says? */
bool stage_calls(struct project *p, const struct stage *s,
                 bool (*test)(struct project *, const struct py_file *, uint32_t call));
/* Does that function read files, so that before it there are only their names? */
bool stage_opens_files(struct project *p, const struct stage *s);
/* batch(1), repeat(1): a number of one or less. */
bool stage_counts_one(const struct py_file *f, uint32_t n);
/* What follows `tf` to write AUTOTUNE: ".data.AUTOTUNE" only where 2.4 is sure to be there. */
const char *stage_autotune(struct project *p, const struct py_file *f);
