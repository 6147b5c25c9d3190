/* bench_compare: the results of two machines side by side. */
#pragma once

#include "bench/store/store.h"

#include "report/report.h"

/* Adds the tables bench-compare (each case) and bench-agreement (how many come to the same). */
void bench_compare(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2]);
