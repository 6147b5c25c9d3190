/* tally: what is counted, in one pass over the problems. For report only. */
#pragma once

#include "report/report.h"

/* Of a facet. A problem has a first code and perhaps others; "any" counts it for each, a category
 * once. */
struct facet_tally {
    int64_t n_labelled;                                       /* problems with a code */
    int64_t n_several;                                        /* with more than one */
    int64_t *first, *any;                                     /* for each code */
    int64_t *category_first, *category_any, *category_labels; /* for each category */
};

/* Of a group of problems. */
struct tally {
    int64_t n_problems;
    int64_t n_posts, last_post; /* problems of a post stand together */
    struct facet_tally *of;     /* each facet */
};

#define MAP_NAME group_map
#define MAP_KEY struct span
#define MAP_VALUE struct tally
#include "base/map.h"

struct groups {
    struct group_map of; /* by name */
    struct arena arena;  /* texts and counts */
};

/* How often each row comes with each column, by first codes: categories or codes of two facets. */
struct pairs {
    uint64_t *counts;         /* row after row; NULL: no such statistic */
    size_t n_rows, n_columns; /* up to the last ones of the facets' lists */
};

/* 0 for codes and categories of other lists, too. */
uint64_t pairs_at(const struct pairs *pairs, size_t row, size_t column);

/* Everything that the tables need. */
struct counts {
    struct tally all;
    int64_t n_posts, n_posts_with_several;
    struct pairs *pairs; /* of each statistic of the plan */
    struct groups by;    /* tags or years */
    struct groups years;
    struct arena arena;
};

/* The places of all groups by name, or largest first; in the arena. */
size_t *groups_order(struct groups *g, bool by_name);

/* Calls back for each group that a problem is counted in. */
void groups_of(const struct report_problem *p, enum report_by by, void (*each)(void *ctx, struct span name), void *ctx);

/* Where a problem is counted in a table of two facets: the place of its first code, or of that code's
 * category. */
size_t line_of(const struct report_data *d, const struct report_codes *codes, bool by_code);
/* Whether another problem is of the same post. */
bool is_one_of_several(const struct report_data *d, size_t problem);

void counts_take(struct counts *c, const struct report_data *d, const struct report_plan *plan, enum report_by by);
void counts_clear(struct counts *c);
