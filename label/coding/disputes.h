/*
 * disputes: where coders say different things, and what was settled.
 *
 * Coders are people. A language model counts beside them in the facets that study.ini declares (model_codes), and there
 * only where exactly one person said something of the post or problem: what both say alike is agreed, what differs is
 * disputed, and a person settles it. So
 *
 *   one person and a model     two coders; with several models, all of them have to say the same
 *   two people or more         they decide; what models say counts nowhere
 *   it was shown to the person nothing (decision.assisted_by): who saw what the model says is not a second opinion
 *   models alone               nothing: no item, no dispute, nothing to settle
 *   a facet not declared       as if no model had coded it
 *   which problems a post has  people alone
 *   after it was settled       a model's later label opens nothing; a person's does
 */
#pragma once

#include "base/files.h"
#include "label/coding/decisions.h"

/* What merged coders do not count to; codes that were taken back count as not said. Codes of a post
 * that a merged coder judged not to be a problem are left out, but with DB_SAID. */
enum db_dispute_kind {
    DB_DISPUTED, /* coders differ, and since then no merged coder decided */
    DB_AGREED,   /* two or more say the same, and no merged coder does, or decided since */
    DB_SINGLE,   /* only one coder said something, and no merged coder decided since */
    DB_SAID      /* whatever coders said */
};

struct db_opinion {
    struct db_opinion *next;
    struct span coder;
    bool is_merged;        /* what was decided before a coder changed their mind; after the coders */
    bool is_problem;       /* for FACET_JUDGES */
    struct db_codes codes; /* for the others */
    struct span *names;    /* of the codes; "yes" or "no" */
    size_t n_names;
    struct span decided_at, reason; /* ptr NULL: no reason */
};

struct db_dispute {
    size_t facet; /* as in db_decision */
    struct span subject;
    int64_t post_id;
    struct span title, url;      /* title ptr NULL: the post is not held */
    struct db_opinion *opinions; /* by coder */
};

struct db_disputes {
    struct db_dispute *items; /* by post, problem and facet */
    size_t n;
    struct arena arena;
};

enum {
    DB_ALL_FACETS = FACETS_MAX,  /* more than there can be */
    DB_SEGMENTS = FACETS_MAX + 1 /* no facet: which problems a post has */
};

/* Of a facet (or DB_ALL_FACETS) and a post (0: all), without reasons, titles and addresses. *out needs
 * db_disputes_clear in any case. */
enum status MUST_USE db_disputes_list(struct db *db, enum db_dispute_kind kind, size_t facet, int64_t post_id,
                                      struct db_disputes *out, struct err *e);
/* Sets the reasons of a dispute that is not of DB_SEGMENTS. */
enum status MUST_USE db_dispute_reasons(struct db *db, struct db_dispute *dispute, struct arena *arena, struct err *e);
/* The same as the list, with them. */
enum status MUST_USE db_disputes_read(struct db *db, enum db_dispute_kind kind, size_t facet, int64_t post_id,
                                      struct db_disputes *out, struct err *e);
void db_disputes_clear(struct db_disputes *disputes);
/* Sets title and url of a dispute whose post_id is set. */
enum status MUST_USE db_dispute_post(struct db *db, struct db_dispute *dispute, struct arena *arena, struct err *e);
/* How many disputes there are in all, and the first post with one after `after`, or else the first of all; 0: none. */
enum status MUST_USE db_disputes_next(struct db *db, int64_t after, size_t *n, int64_t *post_id, struct err *e);
/* Did a person, after `since`, change what they said about a subject and a facet (ptr NULL: any)? The same again, for
 * another reason or under another codebook, is not a change. */
enum status MUST_USE db_said_else(struct db *db, struct span subject, struct span facet, struct span since,
                                  bool *said_else, struct err *e);
/* Which problems coders see in a post, where any of them coded one: an item for each post, whose facet is DB_SEGMENTS
 * and whose opinions have the ids of the problems as names, in their order. Leaves out posts that a merged coder judged
 * not to be a problem, and codes that a coder's later "no" withdrew. DB_DISPUTED: those where coders see different
 * ones, and no merged coder settled any since; DB_SAID: all, without merged coders, titles and addresses. *out needs
 * db_disputes_clear in any case. */
enum status MUST_USE db_segments_read(struct db *db, enum db_dispute_kind kind, int64_t post_id,
                                      struct db_disputes *out, struct err *e);
/* Of a facet: how many posts or problems anybody coded, without problems of posts that a merged coder judged to
 * be no problem. n = settled + disputed + single + agreed. */
struct db_settled {
    int64_t n;
    int64_t settled;    /* a merged coder decided: these are in the study's numbers */
    int64_t disputed;   /* no merged coder decided, and: coders differ */
    int64_t single;     /* … only one coder said something */
    int64_t agreed;     /* … two or more say the same */
    int64_t reopened;   /* of those settled: a coder decided otherwise since */
    int64_t open;       /* as many as DB_DISPUTED lists: disputed, and those reopened on which coders differ */
    int64_t with_model; /* of those settled: one person and a model coded it, and no other person */
};

/* Of each facet, by its place. */
enum status MUST_USE db_settled_read(struct db *db, struct db_settled of[FACETS_MAX], struct err *e);

/* The time at which a merged coder settles a subject: now, but not before what the coders said, and after all that was
 * settled about the post, whatever clocks say: each is its own act. */
enum status MUST_USE db_resolution_after(struct db *db, struct span coder, struct span subject, int64_t post_id,
                                         char now[TIME_TEXT_SIZE], struct err *e);
