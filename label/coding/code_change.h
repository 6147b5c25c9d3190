/* code_change: adds, defines, renames, merges and splits codes. A change is one transaction: who and why, what is done,
 * a row of history with the next version of the codebook, and labels made again where their codes changed. */
#pragma once

#include "label/coding/codebook_file.h"
#include "label/code_table.h"
#include "label/coding/stored_codebook.h"

struct code_change {
    struct db *db;
    int64_t first_version;         /* that it leads to; a file leads to one for each code */
    struct stored_codebook book;   /* as it was before */
    struct db_code_change change;  /* version, changed_by, reason are set */
    struct buf became, look_again; /* JSON arrays, not closed */
    struct span example;           /* the problem that a new code is given to, by `changed_by`; ptr NULL: none */
    struct span added;             /* the name of the new code */
};

/* Begins a transaction and reads the codebook. `by` and `why` are not empty. Needs code_change_end in any case. */
enum status MUST_USE code_change_begin(struct code_change *c, struct db *db, struct span by, struct span why,
                                       struct err *e);

/* Adds a code to a list. Labels of the codes `versus` (places in the codebook) were given without this choice and must
 * be looked at again. `rule` tells them apart; ptr NULL: none. ST_INPUT for a name that is, or was, a code's. */
enum status MUST_USE code_change_add(struct code_change *c, const struct db_code *code, const size_t *versus,
                                     size_t n_versus, struct span rule, struct err *e);
/* After code_change_add: gives the new code to the problem that made it necessary, by `changed_by`, in the same
 * transaction; the history names it. ST_INPUT for what is not an id, and for a list that several facets have. */
enum status MUST_USE code_change_example(struct code_change *c, struct span list, struct span problem, struct err *e);
/* Another definition, or short name (ptr NULL: as it is). With `same_meaning` no label must be looked at again. */
enum status MUST_USE code_change_define(struct code_change *c, size_t place, struct span definition,
                                        struct span short_name, bool same_meaning, struct err *e);
/* Takes the texts of a file that differ. The codebook gets a version, and each code its row of history:
 * code_change_end, with the action "", writes none. *n: how many were taken; none is ST_NO. `same_meaning` as above. */
enum status MUST_USE code_change_load(struct code_change *c, const struct codebook_file *f, bool same_meaning,
                                      size_t *n, struct err *e);
/* The old name stays as an alias. */
enum status MUST_USE code_change_rename(struct code_change *c, size_t place, struct span name, struct err *e);
/* Labels with the code count as of the other one, of the same list. */
enum status MUST_USE code_change_merge(struct code_change *c, size_t place, size_t into, struct err *e);
/* The code gives way to others of its list: its labels must be decided again. */
enum status MUST_USE code_change_split(struct code_change *c, size_t place, const size_t *into, size_t n,
                                       struct err *e);

struct code_changed {
    int64_t version; /* of the codebook now */
    size_t n_review; /* labels that must be looked at again */
};

/* Writes the history and commits with status ST_OK; rolls back otherwise. `code`: what was changed, as it was called.
 * Returns the first status that is not ST_OK. */
enum status MUST_USE code_change_end(struct code_change *c, enum status status, const char *action, struct span list,
                                     struct span code, struct code_changed *changed, struct err *e);
