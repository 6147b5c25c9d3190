/* screening: one coder's screening of a database's questions: which is the next, what is answered, how far it is. The
 * ranking learns from this coder's answers alone, and depends only on the posts, the answers in their order, the
 * settings and the seed: however often the program restarts, the same answers lead to the same posts. */
#pragma once

#include "screen/stored.h"
#include "screen/screen.h"
#include "base/study/study.h"

/* Of `screening.model`: with the version. */
#define SCREENING_MODEL "svm+bayes " SCREEN_MODEL_VERSION

struct screening_how {
    struct span coder;
    const struct study *study;
    struct screen_settings settings;
    struct screen_rule rule;
    uint64_t seed;
    const char *cache;      /* a file that keeps what was read of the posts; NULL: none */
    bool refresh;           /* read the posts again */
    const char *learn_from; /* labelled texts of another study, see labelled.h; NULL: none */
};

/* All but coder and study, which are empty: 95 % recall with 95 % confidence, the seed 1, no cache. */
struct screening_how screening_how_default(void);

struct screening;

/* Reads the posts, or the cache; for a million posts that is a minute, or a second. *why (NULL: not wanted) gets in
 * words why an existing cache could not be read, or not be written, or stays empty. ST_NO when the database has no
 * questions. `how` and `db` are borrowed until screening_close, which accepts NULL. */
enum status MUST_USE screening_open(struct screening **out, struct db *db, const struct screening_how *how,
                                    struct buf *why, struct err *e);
void screening_close(struct screening *s);

struct screening_next {
    int64_t post_id;
    enum db_screen_stratum stratum;
    double score;     /* NAN but for DB_SCREEN_RANKED */
    size_t n_learned; /* answers that the model has learned from */
};

/* The next post of a stratum: the most promising; the next in the seed's random order (that of `ppmine sample`); or of
 * those with a keyword the one with most hits. False: all were read. From 50,000 posts on it ranks a short list:
 * ranked.h. */
bool screening_next(struct screening *s, enum db_screen_stratum stratum, struct screening_next *out);
/* Whether it is a question that was not read. */
bool screening_is_open(const struct screening *s, int64_t post_id);
/* From now on only these posts are next ones; the rest is as before. */
void screening_limit(struct screening *s, const int64_t *post_ids, size_t n);
/* Reads the coder's answers again, while other programs write: what is read, learned and next is then as after a new
 * start. *has_other_posts: posts may have come, changed or gone since screening_open; only a new start finds them. */
enum status MUST_USE screening_follow(struct screening *s, bool *has_other_posts, struct err *e);
/* Writes the answer: the judgement as `label set --problem` does, and how the post came to be read, which stays as it
 * was for one read already. ST_INPUT for a post that is not one of the questions, and for "unsure" after yes or no. */
enum status MUST_USE screening_answer(struct screening *s, const struct screening_next *post,
                                      enum db_screen_answer answer, struct err *e);

struct screening_state {
    size_t n_posts, n_read, n_found, n_unsure;
    size_t n_elsewhere; /* read, but not counted anywhere: deleted, or never one of the questions */
    bool is_limited;    /* by screening_limit; these count the posts of its list: */
    size_t n_listed, n_listed_read;
    size_t n_of[DB_SCREEN_STRATA][DB_SCREEN_ANSWERS]; /* read, by how, and the answers */
    size_t n_since_find;                              /* read since the last find: a heuristic */
    double p;            /* of "less than the promised recall was reached", screen_stop_p */
    double recall_least; /* with the confidence of the rule */
    size_t most_left;    /* of what is looked for, with the same confidence */
    bool may_stop;
    size_t random_needed; /* random posts without a find that would do as well; SIZE_MAX: random
                              * posts were read between others, and prove nothing this way */
};

void screening_state(const struct screening *s, struct screening_state *out);
/* How many posts are looked for, found or not: a guess, screen_semi; SIZE_MAX: none. Scores all posts. */
size_t screening_guess(const struct screening *s);
/* Calls back for each question, in order of id. answer: NULL if not read. */
struct screening_post {
    int64_t post_id;
    bool has_hit, is_read;
    enum db_screen_answer answer;
    enum db_screen_stratum stratum;
    uint64_t number; /* its place in the random order */
};
void screening_each(const struct screening *s, void (*each)(void *ctx, const struct screening_post *post), void *ctx);

/* --- doubtful answers --- */

struct screening_doubt {
    int64_t post_id;
    bool is_yes;
    double score; /* by a model that did not see the answer */
    double doubt; /* standard deviations from the other answers of the kind, towards the other kind */
};

/* The answers that the model finds unlikely, the most doubtful first; returns how many in *n (all
 * that were answered yes or no); freed with mem_free. ST_NO, with words, for too few answers. */
enum status MUST_USE screening_doubts(const struct screening *s, struct screening_doubt **out, size_t *n,
                                      struct err *e);

/* --- for more posts than one machine reads --- */

/* Counts how many posts have each of screening's features; counts of parts are added up. `match --stdin --part features`
 * writes a line for each feature, "FINGERPRINT TAB posts". */
struct mine_counter;
extern const struct mine_counter screen_post_counter;
