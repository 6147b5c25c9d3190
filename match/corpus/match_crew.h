/* match_crew: threads that make stems, hits and facts of posts, while one thread reads and writes the database. */
#pragma once

#include "match/match.h"
#include "label/post_hints.h"
#include "match/corpus/post_text.h"
#include "base/post/post.h"

struct match_crew;

/* What a thread made of a post; spans live until the call returns. */
struct match_crew_post {
    int64_t post_id;
    bool may_be_candidate; /* it is one if it has hits */
    struct span text[FIELDS];
    struct span stems[FIELDS]; /* of all words, a blank after each */
    const struct hit *hits[FIELDS];
    size_t n_hits[FIELDS];
    const struct hint_fact *facts; /* of a candidate; of other posts there are none */
    size_t n_facts;
    struct hint_losses losses; /* of looking for these */
};

/* Is called by the thread that owns the crew; a status other than ST_OK ends the work. */
struct match_crew_taker {
    void *ctx;
    enum status (*take)(void *ctx, const struct match_crew_post *post, struct err *e); /* in order */
};

struct match_crew_work {
    const struct match_set *set;
    const struct study *study;
    enum text_options text;
    unsigned threads; /* 0: one for each processor */
};

/* *work and *taker are borrowed. */
enum status MUST_USE match_crew_new(struct match_crew **out, const struct match_crew_work *work,
                                    const struct match_crew_taker *taker, struct err *e);
/* Copies the post; may take others. Posts come by id. */
enum status MUST_USE match_crew_add(struct match_crew *c, const struct post *post, struct err *e);
/* Takes what is left. */
enum status MUST_USE match_crew_end(struct match_crew *c, struct err *e);
void match_crew_free(struct match_crew *c);
