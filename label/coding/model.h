/* model: a language model as a coder: what it is asked, what of its answer counts, and the record of both. The name of
 * such a coder begins with "model:" (coder_is_model). The one writer of decisions writes its labels, `agree` compares
 * them, and they settle only what label/coding/disputes.h says. */
#pragma once

#include "label/coding/act.h"
#include "label/coding/queue.h"

enum { MODEL_TEXT_MAX = 24000 }; /* bytes of a post's text that are sent; what is longer is cut, and says so */

/* Of a study: what is asked of every post. Codes, definitions and rules are those of the current codebook. */
struct model_task {
    struct db *db;
    struct stored_codebook *book; /* values that the model writes are added */
    struct span coder;
    const char *model;   /* as the server calls it */
    const char *api_url; /* for the record */
    uint64_t seed;
    struct buf prompt;                  /* the same for all posts */
    struct buf examples, example_texts; /* a JSON array of the posts, and what is sent of them; empty: none */
    char prompt_sha256[65];
};

/* Fills `prompt` from the study's prompt.md, where it replaces {question} and {facets}, else from the built-in one.
 * ST_INPUT for a prompt.md without {facets}. */
enum status MUST_USE model_task_begin(struct model_task *t, struct err *e);
void model_task_clear(struct model_task *t);

/* Makes prompt_sha256 again: of the prompt, followed by the list of examples. */
void model_task_hash(struct model_task *t);

/* Examples: posts that coders settled. Left out are those that are asked about, or that several people coded (on both
 * the model is measured), that were asked about before, or whose text is not held; [0]: more than were wanted. */
struct model_examples {
    size_t settled, taken, left_out[5];
};
/* Adds `most` of them at most to the task. `posts`: all that are to be asked about. */
enum status MUST_USE model_examples_read(struct model_task *t, size_t most, const int64_t *posts, size_t n_posts,
                                         struct model_examples *out, struct err *e);
/* The posts that were examples in any request of the coder. */
enum status MUST_USE model_examples_before(const struct model_task *t, struct queue_list *out, struct err *e);
/* The codes of one problem, of each facet of problems, as JSON: {"symptom":["slow"]} */
void model_codes_add(const struct model_task *t, const struct act_codes *codes, struct buf *out);

/* Appends the post as sent: title, question and answers as text, no names or links. ST_INPUT when it is not held. */
enum status MUST_USE model_post_text(const struct model_task *t, int64_t post_id, struct buf *out, struct err *e);
/* The request, appended: JSON with the prompt, the post and the schema of the answer. Run: from 1; each has its seed. */
void model_request_add(const struct model_task *t, int64_t run, struct span post_text, struct buf *out);

enum model_outcome { MODEL_YES, MODEL_NO, MODEL_UNSURE, MODEL_INVALID, MODEL_FAILED, MODEL_OUTCOMES };

extern const char *const model_outcome_names[]; /* NULL ends */

struct model_problem {
    struct act_codes codes[ACT_FACETS_MAX]; /* as in struct act */
    bool given[ACT_FACETS_MAX];
    struct buf reason; /* what it gave as reasons, for the decisions */
};

struct model_answer {
    enum model_outcome outcome;
    struct ARRAY_OF(struct model_problem) problems; /* of MODEL_YES */
    struct buf reason;                              /* of the judgement */
    struct buf why;                                 /* of MODEL_UNSURE, MODEL_INVALID and MODEL_FAILED */
    struct buf model;              /* as the server calls the model that answered; empty: it did not say */
    int64_t tokens_in, tokens_out; /* -1: it did not say */
};

/* Reads the body of a server's answer. Anything but one answer in the asked form is MODEL_INVALID with the reason:
 * words around the JSON, an unknown code, too many codes, codes of a post that it judges to be none, a quoted passage
 * that the post does not have. Nothing is guessed. *out needs model_answer_clear. */
void model_answer_read(struct model_answer *out, const struct model_task *t, struct span post_text, struct span body);
void model_answer_clear(struct model_answer *a);

/* --- the record --- */

/* One request about a post. */
struct model_request {
    int64_t post_id, run, attempt; /* run, attempt: from 1 */
    int64_t id;                    /* of the record */
};

/* Before anything is sent, in its own transaction; sets r->id. */
enum status MUST_USE model_request_put(const struct model_task *t, struct model_request *r, struct span text,
                                       struct err *e);
/* Stores the answer and, for MODEL_YES or MODEL_NO of the first run, its labels, in one transaction: whenever the
 * program is killed, nothing that was answered is asked again. price: NAN when unknown. */
enum status MUST_USE model_answer_put(const struct model_task *t, const struct model_request *r,
                                      const struct model_answer *a, long http_status, double price, struct span body,
                                      struct err *e);
/* Whether a post has an answer of the run that counts (or that it is unsure), of this prompt or an earlier one. */
enum status MUST_USE model_is_answered(const struct model_task *t, int64_t run, int64_t post_id, bool *is,
                                       struct err *e);
/* What a run's latest answers said of a post (facet.ptr NULL: "yes" or "no") or problem, by the facet's typed name. In
 * the order of subjects. */
struct model_said {
    int64_t run;
    struct span subject, facet, names[FACET_CODES_MAX];
    size_t n;
};
enum status MUST_USE model_said_each(struct db *db, struct span coder,
                                     void (*each)(void *ctx, const struct model_said *said), void *ctx, struct err *e);
/* The model that answered first under the coder's name; empty: none did. */
enum status MUST_USE model_first(const struct model_task *t, struct buf *model, struct err *e);
/* Requests of the coder without an answer: under way when the program was killed, and not sent again since. */
enum status MUST_USE model_lost(const struct model_task *t, int64_t *n, struct err *e);
/* Candidates in the order of their ids. */
enum status MUST_USE model_candidates(struct db *db, struct queue_list *out, struct err *e);
/* All requests with their answers as JSON lines, by id, appended; nothing where there are none. */
enum status MUST_USE model_record_add(struct db *db, struct buf *out, struct err *e);
