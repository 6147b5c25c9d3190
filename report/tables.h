/* tables: what is counted, in one pass over the problems, and what computes the study's tables of it. For report only. */
#pragma once

#include "report/report.h"

/* --- counts --- */

/* What the lines of a table may be: codes, or their categories. */
struct line {
    size_t list;
    struct span name;
};

static inline size_t lines_of(const struct report_data *d, bool by_code)
{
    return by_code ? d->n_codes : d->n_categories;
}

static inline struct line line_at(const struct report_data *d, bool by_code, size_t i)
{
    return by_code ? (struct line){d->codes[i].list, d->codes[i].name}
                   : (struct line){d->categories[i].list, d->categories[i].name};
}

/* Of a facet. A problem has a first code and perhaps others; "any" counts it for each, a category once. */
struct facet_tally {
    int64_t n_labelled; /* problems with a code */
    int64_t n_several;  /* with more than one */
    struct {
        int64_t *first, *any, *labels;
    } by[2]; /* for each category, for each code */
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

/* A walk over the groups that a problem is counted in. */
struct group_walk {
    const struct report_problem *problem;
    enum report_by by;
    struct span rest; /* of its tags */
    size_t n;         /* that came */
    char year[16];
};
bool group_next(struct group_walk *w, struct span *name);

/* Where a problem is counted in a table of two facets: the place of its first code, or of that code's category. */
size_t line_of(const struct report_data *d, const struct report_codes *codes, bool by_code);
/* Whether another problem is of the same post. */
bool is_one_of_several(const struct report_data *d, size_t problem);

void counts_take(struct counts *c, const struct report_data *d, const struct report_plan *plan, enum report_by by);
void counts_clear(struct counts *c);

/* --- tables --- */

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

/* The numbers of the problems with the code, or category, at place `line`, or of all. `out` has room for all problems.
 * Returns how many. */
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
/* The row that takes the best of each problem, and the problems that its column counts, each once: *out has room for as
 * many as there are assessments. */
bool assessment_is_any(struct span approach);
size_t assessment_any(const struct report_data *d, struct span column, struct span *out);
