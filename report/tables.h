/* tables: what computes the study's tables. Of report only. */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report/tally.h"

struct tables {
    struct table_list *report;
    const struct report_data *data;
    struct counts *counts;
    const struct report_plan *plan;
    const struct report_wanted *wanted;
};

/* n, share, low, high: columns whose names begin with `prefix`, and their cells. */
void share_columns(struct table *t, const char *prefix, const char *title,
                   double confidence);
void add_share(struct table *t, int64_t n, int64_t of, double confidence);

bool is_unknown(struct span name); /* "unknown", in any case */

void add_cross_tables(const struct tables *s, const struct report_statistic *what);
void add_tests(const struct tables *s, const struct report_statistic *what);
void add_assessment(const struct tables *s, const struct report_statistic *what);

#endif
