/*
 * resample: the bootstrap of things that are counted by kind. Internal to stat/.
 *
 * A bootstrap draws n items out of n with replacement and then only counts how many of each kind
 * came. Those counts are multinomial, with n and the shares of the kinds, whatever the items are
 * otherwise: each draw is of kind k with probability count[k] / n, independently of the others. So
 * counts are drawn, not items: the same distribution, in a time that grows with the kinds and with
 * the root of n.
 *
 * How: if the kinds get independent Poisson counts with means in proportion to their shares, and
 * the sum of these is T, then given T they are multinomial (Devroye, Non-Uniform Random Variate
 * Generation, 1986, XI.1.4). The means add up to a little less than n: a standard deviation, so that
 * T is above n one time of six. Then all are drawn again, which no kind gains from; else the n - T
 * that are missing are drawn one by one. The Poisson means stay the same from resample to
 * resample, so each mean has a table, and a count takes one random number (alias method: Walker,
 * ACM Trans. Math. Softw. 3(3), 1977; made as Vose, IEEE Trans. Softw. Eng. 17(9), 1991). Chains of
 * binomials (Kachitvichyanukul & Schmeiser, Commun. ACM 31(2), 1988) take 80 ns for a count, this
 * 5 ns; and nothing here calls exp or log, so it is the same on every machine.
 *
 * Tables leave out what is further than 10 standard deviations from the mean, less than 10^-20.
 */
#ifndef STAT_RESAMPLE_H
#define STAT_RESAMPLE_H

#include "base/base.h"

enum {
    RESAMPLE_ITEMS_MAX = 1024, /* up to here drawing items is quick enough */
    /* Kinds of so few items have their sum drawn, and then items. */
    RESAMPLE_RARE_MAX = 4
};

/* Draws first + i with the weight that i was given. */
struct alias {
    struct alias_column {
        uint64_t keep; /* in 2^-64: how often the column stays itself */
        uint64_t other;
    } *columns;
    unsigned bits; /* of the number of columns, 1 or more */
    uint64_t first;
};

struct resample {
    uint64_t n; /* items */
    bool by_item;
    size_t n_kinds;
    const uint64_t *counts; /* of each kind, the caller's */
    uint64_t *drawn; /* of each kind, by resample_draw; one more, for what is drawn again */
    struct frequent {
        size_t kind, table;
    } *frequent; /* in the order of their counts: kinds with the same one share a table */
    size_t n_frequent;
    struct alias *tables;
    size_t n_tables;
    struct alias rare, kinds; /* the sum of rare kinds; which kind an item is of */
    uint32_t *items; /* the kind of each rare item; then n_kinds, up to a power of two */
    size_t n_items;
};

/* `counts` stays the caller's and is read until resample_clear; below 2^32 kinds. Up to `items_max`
 * items are drawn one by one, each as by random_below(n), in the order of their kinds. */
void resample_init(struct resample *s, const uint64_t *counts, size_t n_kinds, uint64_t items_max);
void resample_draw(struct resample *s, struct random *random); /* s->drawn, whose sum is s->n */
void resample_clear(struct resample *s);

#endif
