/* tally: what is counted, in one pass over the problems. Of report only. */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "report/report.h"

/* Of a group of problems. A problem has a first symptom and perhaps a second; "any" counts it for
 * both, a category once. */
struct tally {
    int64_t n_problems;
    int64_t n_posts, last_post; /* problems of a post stand together */
    int64_t n_labelled[REPORT_FACETS]; /* problems with a code; of stages: introducing */
    int64_t *first, *any;              /* for each code; of a stage: introducing, exposing */
    int64_t *category_first, *category_any, *category_labels; /* for each category */
};

struct groups {
    struct span *names;
    struct tally *tallies;
    size_t n, names_capacity, tallies_capacity;
    size_t *slots; /* a hash table of places in names, from 1 */
    size_t n_slots;
    struct arena arena; /* texts and counts */
};

/* Everything that the tables need. */
struct counts {
    struct tally all;
    int64_t n_exposing; /* problems with an exposing stage */
    int64_t n_posts, n_posts_with_several, n_two_symptoms;
    uint64_t *stages;        /* code x code: introducing, exposing */
    uint64_t *symptom_cause; /* category x category */
    uint64_t *cause_stage;   /* category x code: introducing */
    struct groups by;        /* tags or years */
    struct groups years;
    struct arena arena;
};

/* The place of a name, made when it is new. */
size_t groups_find(struct groups *g, const struct report_data *d, struct span name);
/* The places of all groups by name, or largest first; in the arena. */
size_t *groups_order(struct groups *g, bool by_name);

void counts_take(struct counts *c, const struct report_data *d, enum report_by by);
void counts_clear(struct counts *c);

#endif
