/* topic: what a study looks for, where screening starts: its keywords, and the codes of one facet of its codebook. */
#pragma once

#include "match/match.h"
#include "screen/screen.h"
#include "base/study/study.h"

struct topic {
    struct match_set *set;
    struct matcher *matcher;
    bool matched_title, matched_body, include_code;
    struct ARRAY_OF(struct screen_text) texts; /* name and definition of each code */
    struct buf text;
    struct ARRAY_OF(bool) seen; /* of each keyword */
    struct arena arena;
};

/* *out needs topic_clear in either case. */
enum status MUST_USE topic_init(struct topic *out, const struct study *study, struct err *e);
void topic_clear(struct topic *t);
/* How many of the keywords a text has, each counted once. */
size_t topic_hits(struct topic *t, const struct screen_text *text);

/* What is known of each row before reading, from the keywords that it has (hits[rows], NULL: not
 * known) and its likeness to the codes; NULL when the study says nothing. */
enum status MUST_USE topic_prior(const struct topic *t, const struct screen_matrix *m,
                                 const struct screen_reading *reading, const uint32_t *hits, struct screen_prior **out,
                                 struct err *e);
