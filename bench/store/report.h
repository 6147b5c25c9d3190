/* bench_report: the tables of `bench report`. */
#ifndef BENCH_STORE_REPORT_H
#define BENCH_STORE_REPORT_H

#include "bench/store/store.h"
#include "base/table/table.h"

/* Adds bench-cases (each case with its last result), bench-verdicts and bench-approaches. */
void bench_report(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                  const struct bench_results *results);

#endif
