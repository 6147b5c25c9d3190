/*
 * merging: what the files share that take another coder's database in. Internal to label/coding.
 */
#pragma once

#include "label/coding/merge.h"
#include "db/sql.h"

/* Largest texts that are taken; own commands write shorter ones. */
enum { SHORT_MAX = 1000, TEXT_MAX = 1 << 20 };

enum { OURS, THEIRS, SIDES };

/* A code that has another name here than in one of the two files. */
struct merge_name {
    struct span list, was, is;
    bool is_new; /* it got the name in this merge */
};

/* A decision of the other file. */
struct merge_decision {
    struct span id, decided_at, coder, subject;
    int64_t post_id;
    struct span facet, value;
    int64_t version;
    struct span undoes, spelling, reason, assisted_by, real_time;
};

/* A decision of the other file that undoes another one. */
struct undo {
    struct undo *next;
    struct span decision_id;
};

struct merge {
    struct db *db;    /* with the other file attached as `other` */
    const char *path; /* of the other file */
    const struct db_merge_how *how;
    struct db_merged *out;
    int64_t their_version;         /* of the codebook */
    const int64_t *their_versions; /* where codebooks were joined: what each version became */
    size_t n_their_versions;
    struct ARRAY_OF(struct merge_name) names[SIDES]; /* that codes got, of each file */
    struct merge_moved *moved;                       /* decisions of theirs with such names */
    struct undo *undos;
    size_t coder_capacity;
    struct arena arena;
    struct err *e;
};

/* What a column of the other file must contain. */
enum kind { TEXT, TEXT_OR_NULL, INTEGER, INTEGER_OR_NULL, REAL_OR_NULL };

struct merge_column {
    const char *name;
    enum kind kind;
    size_t max; /* bytes of a text */
};

/* A text of the other file for a message: short, and without what moves a terminal's cursor. */
struct span merge_shown(struct merge *m, struct span s);
/* The next row of a walk over the other file. */
enum status MUST_USE merge_next_row(const struct merge *m, struct sql *which, bool *row);
/* ST_INPUT unless the row contains what the columns are for; names the row by its first column. */
enum status MUST_USE merge_check_row(struct merge *m, struct sql *which, const char *table,
                                     const struct merge_column *columns, size_t n);
/* A setting of the other study, in the arena; ptr NULL when there is none. */
enum status MUST_USE merge_other_setting(struct merge *m, const char *key, struct span *value);

/* Compares the codebooks and takes over a newer one; sets m->their_version. */
enum status MUST_USE merge_codebook(struct merge *m);

/* Gives our decisions and memos the names that codes got, and finds theirs that get them. */
enum status MUST_USE merge_names_decisions(struct merge *m);
/* The name that a code of theirs, named in a memo, has here. */
struct span merge_names_code(const struct merge *m, struct span list, struct span code);
/* The same for a decision of theirs, which was looked at: value, id, and what it undoes. */
void merge_names_decision(struct merge *m, struct merge_decision *d);
/* Tells of the names in m->out. */
void merge_names_say(struct merge *m);
void merge_names_clear(struct merge *m);
