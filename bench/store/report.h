/* bench_report: the tables of `bench report`. */
#pragma once

#include "bench/store/store.h"
#include "base/table/table.h"

/* Adds bench-cases (each case with its last result), bench-verdicts and bench-approaches. */
void bench_report(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                  const struct bench_results *results);

/* Adds the tables bench-compare (each case) and bench-agreement (how many come to the same). */
void bench_compare(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2]);

/* What was measured of cases that have changed since. All-zero is a valid empty one. */
struct bench_versions {
    size_t n, changed, unknown;
};

void bench_versions_count(struct bench_versions *v, const struct bench_cases *cases, const struct bench_case *c,
                          const char *case_sha256);
/* Adds a note when there is any; `what` are "results" or "assessments". */
void bench_versions_note(struct table *t, const struct bench_versions *v, const char *what);
