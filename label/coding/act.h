/*
 * act: what one coder says about a post and its problems, and how that changes. The one writer of decisions: each door
 * (label set, label code, label import, label resolve, screen, the page, its API, init --published) makes an act, and
 * the same acts leave the same rows.
 *
 * An act is all that is decided at once; label undo takes it back as a whole.
 *
 *   yes, no            a decision about the post; the newest counts
 *   no                 withdraws all codes that the coder gave the post before: they stay in the history and count
 *                      nowhere. The next "yes" does not bring them back; undo does
 *   code               says yes too, where the coder said nothing yet. After a no it is refused until the coder says
 *                      yes again, with it or before: a slip never turns a judgement, and agreement on judgements stays
 *                      as it was in the first pass
 *   no with codes      refused
 *   clearing a code    a decision without codes; nothing if there is no code
 *   the same again     nothing; with a new reason, or under a newer codebook, it is said again
 *   second problem     has its own codes; with its first ones the only problem so far gets _1. A no is of all problems
 *   reason             is of the decisions of its act, or of one facet; alone, of the codes of the subject, else of the
 *                      judgement, which are said again; refused where there is neither. What is said again with another
 *                      reason stays settled
 *   note, unsure       a note; no decision
 *   undo               the newest act counts no longer, and what it replaced or withdrew is back
 *   settle, adopt      the act of a merged coder: implies nothing, is refused as above
 *   record             what was decided elsewhere, with its times: published labels, label import --keep-times, label
 *                      merge. Nothing is implied or refused, so that a copy is a copy: codes with a no of the same time
 *                      stay
 *
 * The withdrawal by a no is not stored: it follows from the order of the decisions (label/coding/labels.c), so that
 * merged databases come to the same.
 */
#pragma once

#include "label/coding/stored_codebook.h"
#include "label/coding/decisions.h"

enum {
    ACT_FACETS_MAX = FACETS_MAX,
    ACT_CODES_MAX = FACET_CODES_MAX,
    ACT_PROBLEMS_MAX = 20, /* of a post */
    ACT_TEXT_MAX = 10000   /* bytes of a reason or a note */
};

/* The facets of problems whose codes are given, in their order, *n of them. */
const struct facet *act_facets(const struct stored_codebook *book, size_t *n);
/* The list of codes of one of them. */
struct span act_list(const struct stored_codebook *book, const struct facet *facet);

/* The codes of a facet as places in the codebook. */
struct act_codes {
    size_t at[ACT_CODES_MAX];
    size_t n;
};

struct act_problem {
    struct span subject; /* "65160023_1" */
    struct act_codes codes[ACT_FACETS_MAX];
    bool has[ACT_FACETS_MAX]; /* a code, even one that is no longer given */
};

/* The current decisions of a coder. */
struct act_said {
    bool is_judged, is_problem;
    struct ARRAY_OF(struct act_problem) problems; /* those with a code, by suffix */
    struct arena arena;
};

/* *out needs act_said_clear in any case. Codes that are no longer given are left out. */
enum status MUST_USE act_said_read(struct act_said *out, struct db *db, const struct stored_codebook *book,
                                   struct span coder, int64_t post_id, struct err *e);
/* Of a subject; NULL: it has none. */
const struct act_problem *act_problem(const struct act_said *said, struct span subject);
void act_said_clear(struct act_said *said);

enum act_judgement { ACT_SAYS_NOTHING, ACT_SAYS_NO, ACT_SAYS_YES };

struct act {
    struct span coder, subject; /* subject: of the post or a problem of it */
    int64_t post_id;
    int64_t seen_version; /* of the codebook, when the coder saw it; 0: that of the book */
    enum act_judgement judgement;
    bool given[ACT_FACETS_MAX]; /* the facets that are decided; without codes: taken back */
    struct act_codes codes[ACT_FACETS_MAX];
    struct span reason, note; /* ptr NULL: none */
    size_t reason_facet;      /* with reason_of_one: its place in db_facets */
    struct span now;          /* the time of several acts that are undone as one, of act_time; ptr NULL: its own */
    struct span settled_at;   /* the time of all that is settled at once; ptr NULL: its own */
    bool reason_of_one;       /* the reason is of one facet alone, not of all that the act decides */
    bool unsure;              /* a note more, which says so: queue_unsure */
    bool only_changes;        /* what is said already is not said again, be the reason or codebook another */
    bool settles;             /* the coder is a merged one */
    bool assisted;            /* the coder was shown what models say of the post */
    bool in_bulk;             /* the caller makes the table of problems, see db_decision */
    bool by_model;            /* the coder is a model (coder_is_model) */
    bool is_record;           /* see above */
    struct span decided_at, judged_at; /* of the codes and the judgement of a record; ptr NULL: now */
    struct act_count *count;           /* NULL, or is added to */
};

/* What became of an act. */
struct act_count {
    size_t decided, withdrawn, same; /* decisions; facets whose codes were taken back; what was said already */
};

/* Whether it says anything. */
bool act_says(const struct act *act);

/* Writes it in its own transaction. ST_INPUT for what the table above refuses: a merged coder's, an answer that is not
 * judged itself (label/coding/subject.h), a text that is too long, codes of what is not a problem. */
enum status MUST_USE act_put(struct db *db, const struct stored_codebook *book, const struct act *act, struct err *e);
/* The same within the caller's transaction. */
enum status MUST_USE act_write(struct db *db, const struct stored_codebook *book, const struct act *act, struct err *e);
/* One decision of published labels, as it was made, with its time and spelling. A record, see above. */
enum status MUST_USE act_record(struct db *db, const struct db_decision *decision, struct err *e);
/* ST_INPUT when codes cannot be given with this judgement: it is no, or it says nothing and the coder's last is no. */
enum status MUST_USE act_check_codes(struct db *db, struct span coder, int64_t post_id, enum act_judgement judgement,
                                     struct err *e);

/* Appends the id of one more problem of the post to *subject: "65160023_2"; of a post without problems its own.
 * Nothing is written before it has a code. */
void act_next_problem(const struct act_said *said, int64_t post_id, struct buf *subject);
