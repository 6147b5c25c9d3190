/*
 * model: a language model as a coder: what it is asked, what of its answer counts, and the record of
 * both. Its labels are those of a coder whose name begins with "model:" (coder_is_model): they are written by the one
 * writer of decisions, compared by `agree`, and never settle or count as agreed.
 */
#ifndef LABEL_CODING_MODEL_H
#define LABEL_CODING_MODEL_H

#include "label/coding/act.h"

enum { MODEL_TEXT_MAX = 24000 }; /* bytes of a post's text that are sent; what is longer is cut, and says so */

/* Of a study: what is asked of every post. Codes, their definitions and how to tell them apart are those of the
 * codebook now; facets without codes of the codebook are not asked for. */
struct model_task {
    struct db *db;
    const struct stored_codebook *book;
    struct span coder;
    const char *model;   /* as the server calls it */
    const char *api_url; /* for the record */
    uint64_t seed;
    struct buf prompt; /* the same for all posts */
    char prompt_sha256[65];
};

/* Whether a model is asked for a facet of problems: for codes of the codebook alone. */
bool model_asks_for(const struct facet *f);
/* Fills `prompt`: of the study's prompt.md if it has one, in which {question} and {facets} are replaced, else of the one
 * that is built in. ST_INPUT for a prompt.md without {facets}. */
enum status MUST_USE model_task_begin(struct model_task *t, struct err *e);
void model_task_clear(struct model_task *t);

/* The post as it is sent: title, question and answers as text, without names and links, appended. ST_INPUT when it is
 * not held. */
enum status MUST_USE model_post_text(const struct model_task *t, int64_t post_id, struct buf *out, struct err *e);
/* The request, appended: JSON with the prompt, the post and the schema of the answer. */
void model_request_add(const struct model_task *t, struct span post_text, struct buf *out);

enum model_outcome { MODEL_YES, MODEL_NO, MODEL_UNSURE, MODEL_INVALID, MODEL_FAILED, MODEL_OUTCOMES };

extern const char *const model_outcome_names[]; /* NULL ends */

struct model_answer {
    enum model_outcome outcome;
    struct act_codes codes[ACT_FACETS_MAX]; /* of MODEL_YES, as in struct act */
    bool given[ACT_FACETS_MAX];
    struct buf reason;             /* what it gave as reasons, for the decisions */
    struct buf why;                /* of MODEL_UNSURE, MODEL_INVALID and MODEL_FAILED */
    struct buf model;              /* as the server calls the model that answered; empty: it did not say */
    int64_t tokens_in, tokens_out; /* -1: it did not say */
};

/*
 * Reads the body of a server's answer. Anything but one answer in the asked form is MODEL_INVALID with the reason:
 * words around the JSON, an unknown code, too many codes, codes of a post that it judges to be none, a quoted passage
 * that the post does not have. Nothing is guessed. *out needs model_answer_clear.
 */
void model_answer_read(struct model_answer *out, const struct model_task *t, struct span post_text, struct span body);
void model_answer_clear(struct model_answer *a);

/* --- the record --- */

/* Before anything is sent, in its own transaction; *request_id is its id. */
enum status MUST_USE model_request_put(const struct model_task *t, int64_t post_id, int64_t attempt,
                                       struct span request, int64_t *request_id, struct err *e);
/* The answer and, where it is MODEL_YES or MODEL_NO, the act, in one transaction: so nothing is asked again
 * that was answered, whenever the program is killed. */
enum status MUST_USE model_answer_put(const struct model_task *t, int64_t request_id, int64_t post_id,
                                      const struct model_answer *a, long http_status, struct span body, struct err *e);
/* Whether a post has an answer that counts (or that it is unsure), of this prompt or an earlier one. */
enum status MUST_USE model_is_answered(const struct model_task *t, int64_t post_id, bool *is, struct err *e);
/* The model that answered first under the coder's name; empty: none did. */
enum status MUST_USE model_first(const struct model_task *t, struct buf *model, struct err *e);
/* Requests of the coder without an answer: under way when the program was killed. */
enum status MUST_USE model_lost(const struct model_task *t, int64_t *n, struct err *e);
/* Candidates in the order of their ids. */
enum status MUST_USE model_candidates(struct db *db, void (*each)(void *ctx, int64_t post_id), void *ctx,
                                      struct err *e);
/* All requests with their answers as JSON lines, by id, appended; nothing where there are none. */
enum status MUST_USE model_record_add(struct db *db, struct buf *out, struct err *e);

#endif
