/* decisions: what coders decide, undo and note. */
#pragma once

#include "base/files.h"
#include "label/facet_table.h"

/* Ids of codes, the first label first. Those that are handed out live as long as what they are in. */
struct db_codes {
    const int64_t *ids;
    size_t n;
};

/* One decision of one coder. The table `decision` only grows; the newest of a coder, subject and facet counts, but for
 * codes that a later "no" to the post withdrew. A repeated decision is not new. Only label/coding/act.h puts rows. */
struct db_decision {
    struct span coder;
    struct span subject; /* a problem id such as "65160023_1", or a post id */
    int64_t post_id;
    size_t facet;           /* its place in db_facets; FACET_JUDGES: is the post a problem? */
    bool is_problem;        /* for FACET_JUDGES */
    struct db_codes codes;  /* for the others */
    struct span decided_at; /* ptr NULL: now */
    struct span now;        /* ptr NULL: by the clock; one time for all decisions of an act */
    struct span spelling;   /* ptr NULL, or how published labels spell the first code */
    struct span reason;     /* ptr NULL for none */
    int64_t seen_version;   /* of the codebook that the coder saw; 0, or a later one than there is: that of now */
    bool assisted;          /* the coder was shown what models say of the post (label/coding/said.h) */
    size_t *n_new;          /* NULL, or is counted up when it is a new one */
    bool anew;              /* what was decided under an older codebook is decided again, even with the same value */
    bool only_changes;      /* the same value is not a new decision, be its reason or its time another */
    bool of_one_time;       /* no decision of the database is of another time, so that none withdraws it */
    bool in_bulk;           /* problems are left to db_problems_rebuild, which the caller calls after all decisions */
};

/* A coder whose decisions are what the coders agreed on in the end has is_merged set. */
enum status MUST_USE db_coder_put(struct db *db, struct span coder, bool is_merged, struct err *e);
/* Callers wrap many in one transaction. Of FACET_JUDGES the subject is the post, whatever `subject` says. Without
 * decided_at, a repetition of the decision that counts is not a new one, unless it gives another reason; nor are no
 * codes where there are none. A new one is later than the one that counts. ST_INPUT for a coder, code or date that is
 * not one. */
enum status MUST_USE db_decision_put(struct db *db, const struct db_decision *decision, struct err *e);

struct db_act {
    struct span decided_at, subject, facet, value; /* value: JSON, see schema.sql */
};

/* Undoes an act of a coder whose decisions still count: all decisions of one time about one post, of any post or
 * (post_id not 0) of that one; or all of an import, unless a post is given. `before`: so many acts before the last one.
 * Calls back for each. ST_NO when there is none. */
enum status MUST_USE db_decision_undo(struct db *db, struct span coder, int64_t post_id, size_t before,
                                      void (*each)(void *ctx, const struct db_act *act), void *ctx, struct err *e);

/* The time for all decisions of an act about many posts: now, but after all that the coder decided. */
enum status MUST_USE db_decision_after(struct db *db, struct span coder, char now[TIME_TEXT_SIZE], struct err *e);

/* Detects another act of the coder since: of_post changes with each decision, undo and note about the post and its
 * problems, last with each decision and undo; neither value comes back. For no coder (ptr NULL), of_post is about the
 * decisions of all, and last says nothing. */
struct db_coder_state {
    char of_post[SHA256_TEXT_SIZE], last[SHA256_TEXT_SIZE];
};

enum status MUST_USE db_coder_state_read(struct db *db, struct span coder, int64_t post_id, struct db_coder_state *out,
                                         struct err *e);

/* A row of what was decided, undone or not. */
struct db_event {
    struct span decided_at, coder, subject, facet, value; /* value: JSON, see schema.sql */
    int64_t codebook_version;
    struct span reason;      /* ptr NULL for none */
    struct span assisted_by; /* as in schema.sql */
    bool undone;
};

/* All decisions in the order in which they were made; of a coder (ptr NULL: of all) and about a post (0: about all). */
struct sql *db_events(struct db *db, struct span coder, int64_t post_id);

/* What merged coders decided, where the reason has these words. */
struct sql *db_events_because(struct db *db, struct span words);
bool db_event_next(struct db *db, struct sql *events, struct db_event *event, enum status *status, struct err *e);

/* What a coder writes: a private note, or a message to the other coders. */
struct db_note {
    struct span written_at, coder, subject, text;
};

enum db_note_kind { DB_NOTE, DB_MESSAGE };

/* Of now, where written_at is empty. */
enum status MUST_USE db_note_put(struct db *db, enum db_note_kind kind, const struct db_note *note, int64_t post_id,
                                 struct err *e);
/* In the order of time; coder.ptr NULL: of all, post_id 0: about all. */
struct sql *db_notes(struct db *db, enum db_note_kind kind, struct span coder, int64_t post_id);
bool db_note_next(struct db *db, struct sql *notes, struct db_note *note, enum status *status, struct err *e);

/* The first candidate after `after` that the coder has not judged; with `unfinished`, the first post that the coder
 * judged to be a problem and that lacks a label. *post_id is 0 when there is none. */
enum status MUST_USE db_candidate_next(struct db *db, struct span coder, bool unfinished, int64_t after,
                                       int64_t *post_id, struct err *e);
enum status MUST_USE db_is_judged(struct db *db, struct span coder, int64_t post_id, bool *judged, bool *is_problem,
                                  struct err *e);
/* How many candidates there are (NULL: not asked), and how many of them the coder judged. */
enum status MUST_USE db_coder_progress(struct db *db, struct span coder, int64_t *candidates, int64_t *judged,
                                       struct err *e);
struct db_coder {
    struct span coder;
    bool is_merged;
};
/* The next one of all, by name. */
bool db_coder_next(struct db *db, struct db_coder *coder, enum status *status, struct err *e);
/* Looks the coder up. *is_merged: no person but the labels that coders agreed on, which `label resolve` writes;
 * "merged" always is. `near` gets a known name that is close to an unknown one: guards against mistyped names. */
enum status MUST_USE coder_known(struct db *db, struct span coder, bool *is_merged, struct buf *near, struct err *e);

/* ST_INPUT when the database has no such coder. */
enum status MUST_USE coder_must_exist(struct db *db, struct span coder, struct err *e);
/* ST_INPUT, with `but` after the words, for a coder that is_merged. */
enum status MUST_USE coder_must_not_be_merged(struct db *db, struct span coder, const char *but, struct err *e);
/* The same of a coder whose decisions are stored: "merged" always is merged. */
enum status MUST_USE db_coder_get(struct db *db, struct span coder, bool *exists, bool *is_merged, struct err *e);

/* Makes judgement, label and problem again from the decisions. db_decision_put keeps them current, so this is for what
 * changes them in another way: merged files, changed codes. */
enum status MUST_USE db_labels_rebuild(struct db *db, struct err *e);
/* The problems alone, out of the labels. */
enum status MUST_USE db_problems_rebuild(struct db *db, struct err *e);
