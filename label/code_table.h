/* codebook: the codes, how to tell them apart, and how they changed. */
#pragma once

#include "db/ids.h"

struct db_code {
    int64_t code_id;      /* given by db_code_put */
    struct span facet;    /* the list that it is of: "symptom", "root cause", "stage" */
    struct span category; /* ptr NULL: the facet has none */
    struct span name, short_name, definition;
    int64_t retired_in;  /* version of the codebook since which it is not given; 0: it is */
    int64_t merged_into; /* code_id; 0: none */
};

/* In the order of the codebook; a name once per facet. Decisions record the setting "codebook_version", a number. */
enum status MUST_USE db_code_put(struct db *db, const struct db_code *code, int64_t *code_id, struct err *e);
/* The code that has, or had, exactly this name, or that it was merged into. 0: the list never had the name. */
enum status MUST_USE db_code_named(struct db *db, struct span list, struct span name, int64_t *code_id, struct err *e);
/* Keeps a value, before a decision names it. */
enum status MUST_USE db_value_put(struct db *db, struct span list, struct span value, struct err *e);
enum status MUST_USE db_code_alias_put(struct db *db, int64_t code_id, struct span alias, struct err *e);
enum status MUST_USE db_disambiguation_put(struct db *db, int64_t code_id, int64_t versus_id, struct span rule,
                                           struct err *e);
/* The next one of a walk over all, by id; as sql_next. */
bool db_code_next(struct db *db, struct db_code *code, enum status *status, struct err *e);

/* Those of all codes, code by code. */
struct db_alias {
    int64_t code_id;
    struct span alias;
};
bool db_code_alias_next(struct db *db, struct db_alias *alias, enum status *status, struct err *e);
struct db_rule {
    int64_t code_id, versus_id;
    struct span rule;
};
bool db_disambiguation_next(struct db *db, struct db_rule *rule, enum status *status, struct err *e);
/* The old name becomes an alias. */
enum status MUST_USE db_code_rename(struct db *db, int64_t code_id, struct span name, struct err *e);
/* From `version` on the code is no longer given. With merged_into set, its labels, and those of codes that were merged
 * into it, count as of that code after db_labels_rebuild. */
enum status MUST_USE db_code_retire(struct db *db, int64_t code_id, int64_t version, int64_t merged_into,
                                    struct err *e);

struct db_code_change {
    int64_t version;        /* of the codebook, that the change leads to */
    struct span changed_at; /* for db_code_change_put: ptr NULL is now */
    struct span changed_by, action, facet, code;
    struct span became; /* JSON array of names */
    struct span reason;
    struct span look_again; /* JSON array of code_ids; not set by db_code_change_next */
};

/* Writes the history and sets the version; the caller makes the change itself, in the same transaction. */
enum status MUST_USE db_code_change_put(struct db *db, const struct db_code_change *change, struct err *e);
bool db_code_change_next(struct db *db, struct db_code_change *change, enum status *status, struct err *e);
/* The codebook's version; 0 when there is none. */
enum status MUST_USE db_codebook_version(struct db *db, int64_t *version, struct err *e);

/* A label that must be looked at again: see the view label_review. */
struct db_review {
    struct span problem_id, facet, coder, code;
    struct db_code_change change; /* version, changed_at, changed_by, action, reason */
};

/* Of one coder, or with ptr NULL of all. */
struct sql *db_reviews(struct db *db, struct span coder);
bool db_review_next(struct db *db, struct sql *reviews, struct db_review *review, enum status *status, struct err *e);
