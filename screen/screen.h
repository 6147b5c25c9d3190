/*
 * screen: which texts to read first, and when one may stop. May include base, stem and stat; the only room that
 * includes linear.h (liblinear).
 *
 *     texts --features--> matrix --learner, what was read so far--> scores --> the next text
 *
 * Nothing here prints, asks, or knows of posts and databases: a text is a row of a matrix. The same texts, answers and
 * seed give the same results to the bit, on one machine.
 */
#pragma once

#include "base/base.h"

#include <stdatomic.h>

/* Raised when the same answers lead to another order than before. */
#define SCREEN_MODEL_VERSION "3"

/* --- settings --- */

/* The defaults of screen_settings_default() are from a cross-validation: bench/screen/README.md. */
struct screen_settings {
    double title_count;  /* a word of the title counts as so many of the body */
    double body_words;   /* words of the body that are read; what follows is mostly logs */
    double cost;         /* C of a relevant text in the support vector machine, while all that was read is relevant */
    double ratio;        /* relevant texts together weigh this many times what the others do */
    double bayes_share;  /* of naive Bayes in the score; the rest is the support vector machine's */
    double bayes_from;   /* the share of finds among what was read from which on that is so; below it, less */
    double bayes_smooth; /* added to each feature's sum */
    double bayes_ratio;  /* as ratio, for naive Bayes */
    double prior;        /* weight of what was known before reading, while it is fully trusted */
    double prior_finds;  /* finds that speak for it before there are any */
};

struct screen_settings screen_settings_default(void);
/* Sets "cost=0.3"; ST_USAGE, with the names that there are, for an unknown name or a value out of range. */
enum status MUST_USE screen_settings_set(struct screen_settings *s, const char *text, struct err *e);

/* --- from texts to a matrix --- */

/* How texts are read. */
struct screen_reading {
    struct span stemmer; /* as for stemmer_new */
    bool include_code;   /* words of <pre> and of fenced code are features, apart from others */
    struct screen_settings settings;
};

enum screen_markup {
    SCREEN_MARKUP_UNKNOWN, /* HTML if it looks like it */
    SCREEN_HTML,           /* the body of a post, as the site stores it */
    SCREEN_PLAIN           /* plain text or Markdown */
};

/* Valid UTF-8; spans are borrowed for the call. */
struct screen_text {
    struct span title, body, tags; /* tags with blanks between them */
    enum screen_markup markup;     /* of the body */
};

/* Appends the text of the body as it is read: without code, or only code (<pre>, fenced code). Of
 * plain text, lines of a paragraph become one, a blank line ends it, and <!-- comments --> go. */
void screen_body(const struct screen_text *text, bool only_code, struct buf *out);

/* Texts as rows of TF-IDF features: stems and pairs of neighbouring stems. Constant, so threads may share it. */
struct screen_matrix;
struct screen_builder;

/* Give all texts twice in the same order: first to screen_learn, which finds the features (those of two texts or more;
 * far above 100,000 texts, those of an evenly spread part of them), then to screen_add, which makes rows 0, 1, … of
 * them. A thread for each processor reads texts. ST_USAGE for an unknown stemmer. */
enum status MUST_USE screen_builder_new(struct screen_builder **out, const struct screen_reading *reading,
                                        size_t n_texts, struct err *e);
void screen_learn(struct screen_builder *b, const struct screen_text *text);
void screen_add(struct screen_builder *b, const struct screen_text *text);
struct screen_matrix *screen_builder_end(struct screen_builder *b); /* frees the builder */
void screen_builder_free(struct screen_builder *b);                 /* without a matrix */

void screen_matrix_free(struct screen_matrix *m);
size_t screen_matrix_rows(const struct screen_matrix *m);

/* A matrix in a file, so that the next start need not read the texts again. `key` (at most 64 bytes) says what it was
 * made from; ids[row] says which post a row is. The file is only read in place. screen_matrix_load: ST_NO, with words
 * on why, when it is missing, damaged or of another version or key: make it again. *ids lives as long as the matrix. */
enum status MUST_USE screen_matrix_save(const struct screen_matrix *m, struct span key, const int64_t *ids,
                                        const char *path, struct err *e);
enum status MUST_USE screen_matrix_load(struct screen_matrix **out, struct span key, const int64_t **ids,
                                        const char *path, struct err *e);

/* --- what is known before reading --- */

/* Each row's likeness to what is looked for, in any unit, from a codebook's texts, keyword hits or another study. */
struct screen_prior;

/* Copies values[rows], of which only their distance from the mean in standard deviations counts. */
struct screen_prior *screen_prior_new(const float *values, size_t n_rows);
void screen_prior_free(struct screen_prior *p);
/* The mean similarity (cosine) of each row with the texts; values[rows] is written. ST_USAGE for an unknown stemmer. */
enum status MUST_USE screen_likeness(const struct screen_matrix *m, const struct screen_reading *reading,
                                     const struct screen_text *texts, size_t n_texts, float *values, struct err *e);

/* --- ranking --- */

struct screen_judged {
    uint32_t row;
    bool relevant;
};

struct screen_question {
    const struct screen_matrix *matrix;
    struct screen_settings settings;
    const struct screen_prior *const *priors;
    size_t n_priors;
    uint64_t seed; /* orders rows that are alike */
    const struct screen_judged *judged;
    size_t n_judged; /* no row twice */
    /* NULL, or: somebody waits for other work, so a processor is left to it; once it is true, scores
     * are not wanted any more, and come soon, as they are. */
    const atomic_bool *dropped;
};

/*
 * How promising each row is; scores[rows] is written, those of judged rows too. The sum of
 *
 * - a linear support vector machine (L2 loss, liblinear's primal solver, which draws no random numbers) and multinomial
 *   naive Bayes, both on the judged rows with the classes weighted, and both in standard deviations from the mean of
 *   the rows that were not judged; with one class alone, likeness to it against the mean of all rows. The rarer finds
 *   are, the less each of them binds the machine, and the less naive Bayes counts: what is left then is unlike them;
 * - the priors, each as far as it is trusted: as much as the finds so far rank above the middle of all rows by it. A
 *   prior that says nothing of what is found soon has no weight.
 *
 * The order in which rows were judged makes no difference.
 */
void screen_scores(const struct screen_question *q, float *scores);
/* The same of rows[n] alone, in a time that hardly depends on how many others there are: means and
 * deviations are those of 2,048 rows that are spread evenly. scores[n] is written. */
void screen_scores_of(const struct screen_question *q, const uint32_t *rows, size_t n, float *scores);
/* The row with the best score of those `open` (NULL: all), ties in an order drawn by the seed; SIZE_MAX: none. */
size_t screen_best(const float *scores, const bool *open, size_t n_rows, uint64_t seed);
/* The best `n` of them, in order; returns how many there are. */
size_t screen_best_of(const float *scores, const bool *open, size_t n_rows, uint64_t seed, uint32_t *rows, size_t n);

/* How each judged row scores by a model that did not see it: both classes are cut into `folds` parts, drawn by the
 * seed, and each part is scored by the model of the others. scores[n_judged] is written. ST_NO, with words on why, when
 * a class has fewer rows than there are parts. */
enum status MUST_USE screen_doubt(const struct screen_question *q, size_t folds, float *scores, struct err *e);

/* --- stopping --- */

/* What was read of `n_texts`, in the order of reading. */
struct screen_reads {
    size_t n_texts;
    const bool *relevant; /* of each text that was read */
    size_t n, n_found;    /* texts that were read, and how many of them are relevant */
};

/* What is promised, and what is taken for granted. */
struct screen_rule {
    double recall, confidence; /* 0.95 and 0.95 */
    double odds;               /* of a relevant text to be read before another, at the least; 1: no better than
                  * chance; 0: measured, from the reading */
};

/*
 * The p value of "fewer than this share of the relevant texts were found", after Callaghan and Müller-Hansen
 * ("Statistical stopping criteria for automated screening in systematic reviews", Syst. Rev. 9, 2020): of the texts
 * that were not read at some moment, those that were read since are taken for a sample, and a hypergeometric test asks
 * whether so few finds fit so many relevant ones; the smallest p of all moments. The order of reading must not have
 * been worse than chance.
 *
 * Their rule, odds = 1, is cautious when the order is good, and errs up to three times too often when it is no better
 * than chance, since it looks at many moments. With odds = 0 the odds are measured (Fisher's noncentral distribution
 * replaces the central one, as in the `bias` of Callaghan's buscarpy), and where they show nothing, p is three times
 * that of odds = 1.
 */
double screen_stop_p(const struct screen_reads *r, const struct screen_rule *rule);
/* The least share found that the test does not refuse: with this confidence at least so much was found. 0 when
 * nothing was. */
double screen_recall_least(const struct screen_reads *r, const struct screen_rule *rule);
/* How many texts had been read when screen_stop_p first was below 1 - confidence; 0: never. */
size_t screen_stop_at(const struct screen_reads *r, const struct screen_rule *rule);

/* The second guarantee, by reading texts at random: *r is what was read before the first random one. After each find
 * a new attempt begins. It ends the reading when so many texts in a row are not relevant that more relevant ones
 * left than `recall` allows would have shown, with an error that the attempts share: the first one has 3/4 of 1 -
 * confidence, each next a quarter of the one before. So the chance to stop with less than `recall` is at most 1 -
 * confidence, whatever the ranking was worth. `draws`: the random ones since, in order. Returns how many more
 * irrelevant ones are needed; 0: stop. */
size_t screen_random_needed(const struct screen_reads *r, const bool *draws, size_t n_draws,
                            const struct screen_rule *rule);

/* SEMI of FAST2 (Yu & Menzies, "FAST2: An intelligent assistant for finding relevant papers", Expert Syst. Appl. 120,
 * 2019): guesses how many relevant rows there are, found or not. A logistic regression on the scores guesses which of
 * the rows that were not judged are relevant, and learns again from its guesses until their number stays. A heuristic
 * without a promise. scores[n_rows]; SIZE_MAX unless both classes were judged. */
size_t screen_semi(const float *scores, size_t n_rows, const struct screen_judged *judged, size_t n_judged);

/* --- simulation --- */

struct screen_trial {
    const struct screen_matrix *matrix;
    struct screen_settings settings;
    const struct screen_prior *const *priors;
    size_t n_priors;
    const bool *relevant; /* of each row */
    bool pair;            /* a relevant row and another, drawn by the seed, are known first */
    struct screen_rule rule;
    uint64_t seed;
};

struct screen_outcome {
    uint32_t *order; /* room for all rows, the caller's: as they are read; after the last relevant
                        * one as they come */
    size_t n_relevant;
    size_t read_95;    /* texts read when 95 % of the relevant ones were found */
    double wss95;      /* share of texts that need not be read then, less 5 % (Cohen et al. 2006) */
    double atd;        /* average time to discovery: mean place of relevant texts, but for the one that
                        * was known first, as a share of all texts (Ferdinands et al. 2020) */
    size_t stopped_at; /* texts read when the stopping rule would have stopped; all: it never did */
    double stop_saved; /* share of the texts not read then */
    double stop_recall;
};

/* Reads all texts in the order of the model, which learns again after 2 % more, at first after each one. The measures
 * are NAN without any relevant row. */
void screen_simulate(const struct screen_trial *t, struct screen_outcome *out);
/* The share of the relevant texts among the first n of the order. */
double screen_recall_at(const struct screen_trial *t, const struct screen_outcome *o, size_t n);
