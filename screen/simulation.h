/* simulation: screenings of labelled texts, seed by seed. */
#pragma once

#include "screen/labelled.h"
#include "base/study/study.h"

struct simulation_how {
    const struct study *study;
    bool warm_start;               /* from what the study says it looks for; else only from what was read */
    const char *learn_from;        /* labelled texts of another study; NULL: none */
    bool pair;                     /* a text that is included and another are known at the start */
    double sensitivity, precision; /* of a language model whose yes or no is known at the start; 0: none */
    struct screen_settings settings;
    struct screen_rule rule;
    uint64_t first_seed;
    size_t n_seeds;
};

struct simulation {
    struct labelled texts;
    size_t n_hits, n_hits_included; /* texts that a keyword of the study finds */
    struct screen_matrix *matrix;
    double yes_rates[2];            /* how often a model says yes: to texts that are not included, and to others */
    struct screen_prior *priors[2]; /* of the study, and of labelled texts */
    size_t n_priors;
    struct screen_trial trial;       /* of the first seed */
    struct screen_outcome *outcomes; /* of each seed */
    size_t n_seeds;
};

/* Several seeds at a time, one on each processor. `progress` is updated in this thread. ST_INPUT for
 * a bad file, or a precision that its texts do not allow; stops at a signal, with 128 + its number. *out needs simulation_clear in either case. */
enum status MUST_USE simulation_run(struct simulation *out, const struct simulation_how *how, const char *path,
                                    struct err *e);
void simulation_clear(struct simulation *s);
