/*
 * merge_book: a codebook with its history as rows, while two of them are compared. Internal to label/coding.
 */
#pragma once

#include "label/coding/merging.h"

/* A table of a codebook: what is in it, and how it is replaced. */
struct part {
    const char *table;
    struct sql *ours, *theirs, *clear, *fill;
    struct merge_column columns[9];
    size_t n_columns;
};

enum { CODES, ALIASES, RULES, CHANGES, PARTS };
enum { CODE_ID, FACET, CATEGORY, NAME, SHORT_NAME, DEFINITION, RETIRED_IN, MERGED_INTO };
enum { VERSION, CHANGED_AT, CHANGED_BY, ACTION, CHANGE_FACET, CHANGE_CODE, BECAME, REASON, LOOK_AGAIN };

extern const struct part merge_parts[PARTS];

/* Rows as text, integers too; ptr NULL is NULL. */
struct grid {
    struct ARRAY_OF(struct span) cells;
    size_t n; /* rows */
    size_t n_columns;
};

struct book {
    struct grid grids[PARTS];
    struct span version; /* the setting; ptr NULL: no codebook */
    struct sql *mentioned;
};

static inline struct span *row_of(const struct grid *g, size_t row)
{
    return g->cells.at + row * g->n_columns;
}

static inline bool same_cell(struct span a, struct span b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && span_eq(a, b);
}

bool MUST_USE merge_same_row(const struct grid *a, size_t i, const struct grid *b, size_t j);
/* The row with this first column; SIZE_MAX: none. */
size_t MUST_USE merge_find_key(const struct grid *g, struct span key);
bool MUST_USE merge_has_alias(const struct book *book, struct span code_id, struct span alias);
/* A change for a message: in the arena of what is given out. */
struct db_code_change merge_change_shown(struct merge *m, const struct grid *g, size_t row);
/* ST_INPUT: what differs is in no history. */
enum status merge_another_codebook(struct merge *m, size_t part, struct span name);
/* Replaces our codebook, with history and version, by another one. */
enum status MUST_USE merge_adopt(struct merge *m, const struct book *theirs);

/* Joins two codebooks whose histories parted; sets m->their_versions, and maps our decisions. */
enum status MUST_USE merge_join(struct merge *m, struct book *const books[SIDES]);

/* Codes that got their own name in one of the books, when copies were merged, get it in the other. */
enum status MUST_USE merge_names_align(struct merge *m, struct book *const books[SIDES]);
/* A code (its row) of theirs that was added under a name that is of another code of ours gets its own. */
void merge_names_part(struct merge *m, struct book *const books[SIDES], const struct span *theirs);
