/* tables: what computes the study's tables. For report only. */
#pragma once

#include "report/tally.h"

struct tables {
    struct table_list *report;
    const struct report_data *data;
    struct counts *counts;
    const struct report_plan *plan;
    const struct report_wanted *wanted;
};

/* n, share, low, high: columns whose names begin with `prefix`, and their cells. */
void share_columns(struct table *t, const char *prefix, const char *title, double confidence);
void add_share(struct table *t, int64_t n, int64_t of, double confidence);

bool is_unknown(struct span name); /* "unknown", in any case */
/* A test has a second row where a code or category of the table is called unknown. */
bool tests_without_unknown(const struct report_data *d, const struct report_statistic *what);

/* The numbers of the problems that have the code, or category, at place `line`, or of all; `out` has room
 * for all problems. Returns how many. */
#define NUMBERS_OF_ALL SIZE_MAX
size_t numbers_of(const struct report_data *d, const struct report_statistic *what, size_t line, double *out);
/* The name of the code or category at a place; false: it is not of the statistic's rows. */
bool numbers_line(const struct report_data *d, const struct report_statistic *what, size_t line, struct span *name);

void add_numbers(const struct tables *s, const struct report_statistic *what);
void add_cross_tables(const struct tables *s, const struct report_statistic *what);
void add_tests(const struct tables *s, const struct report_statistic *what);
void add_assessment(const struct tables *s, const struct report_statistic *what);

/* Whether the column of the table of approaches counts it. */
bool assessment_is_in(const struct report_assessment *a, struct span column);
/* The row that takes the best of each problem, and the problems that its column counts, each once. */
bool assessment_is_any(struct span approach);
void assessment_any_each(const struct report_data *d, struct span column,
                         void (*each)(void *ctx, struct span problem_id), void *ctx);
