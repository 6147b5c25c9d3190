/* record: what writing and reading results have in common. For bench only. */
#pragma once

#include <jansson.h>

#include "bench/bench.h"

enum { BENCH_RESULT_FORMAT = 1 };

/* Appends JSON text. */
void bench_dump(const json_t *o, size_t flags, struct buf *out);
/* The name in a result's "machine", or one made of processor and memory. */
const char *bench_machine_name(const json_t *machine, struct arena *arena);
/* Sets verdict, why, medians and ratio from runs that all ended well; or verdict and why from how often
 * each side failed, where the metric is a failure. */
void bench_judge_ratio(struct bench_result *r);
void bench_judge_failure(enum bench_metric metric, struct bench_result *r);
