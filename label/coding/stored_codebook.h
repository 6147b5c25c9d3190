/* stored_codebook: the database's current codebook. */
#pragma once

#include "label/facet_table.h"
#include "label/label.h"

/* The codes that are given still. What was merged into a code is found as an alias of it. */
struct stored_codebook {
    const struct facets *facets; /* of the database */
    struct codebook codebook;
    int64_t *code_ids;    /* of codebook.codes, place by place */
    size_t n_values;      /* known written values (facet_is_written), in codebook.codes and code_ids after n_codes */
    size_t n_held_values; /* of these, those that the database has */
    size_t values_capacity;
    int64_t version;          /* 0: the database has no codebook */
    struct stored_code *held; /* all codes, given still or not, by id */
    size_t n_held;
    struct arena arena;
};

/* *out needs stored_codebook_clear in either case. ST_INPUT when the database has no codebook. */
enum status MUST_USE stored_codebook_load(struct stored_codebook *out, struct db *db, struct err *e);
/* The same, but a database may have no codebook: posts can be judged without. */
enum status MUST_USE stored_codebook_load_any(struct stored_codebook *out, struct db *db, struct err *e);
void stored_codebook_clear(struct stored_codebook *s);

/* The list of the codes of a facet; "" where it has none. */
struct span stored_codebook_list(const struct stored_codebook *s, size_t facet);

/* The place in codebook.codes of the code of a list that `text` names; SIZE_MAX and *e (ST_INPUT) as codebook_find, and
 * for a code that is no longer given. In a list of written values a good new value gets a place here. */
size_t stored_codebook_find(struct stored_codebook *s, struct span list, struct span text, struct err *e);
/* The place of a code or value that has the id; SIZE_MAX: none that is given still. */
size_t stored_codebook_place(const struct stored_codebook *s, int64_t code_id);
/* Keeps what is at the place in the database, if it is a written value, so that decisions can name it. */
enum status MUST_USE stored_codebook_keep(const struct stored_codebook *s, struct db *db, size_t place, struct err *e);

/* The name of a code, given still or not; "" for no code. */
struct span stored_codebook_name(const struct stored_codebook *s, int64_t code_id);

/* Whether `name` is that of a code of the list that is no longer given, in any case of letters. */
bool stored_codebook_was(const struct stored_codebook *s, struct span list, struct span name);

/* The key of a facet's nth code, in the terminal, and on the page unless a coder changed it: "w", or "W" with shift;
 * never "q", which quits; "" when keys are used up. And the reverse; SIZE_MAX: no code has this key. */
const char *code_key(size_t n);
size_t code_of_key(struct span key);
