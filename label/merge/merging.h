/* merging: what the files share that take another coder's database in. Internal to label/merge. */
#pragma once

#include "label/merge/merge.h"
#include "db/sql.h"
#include "base/maps.h"

/* Largest texts that are taken; own commands write shorter ones. */
enum { SHORT_MAX = 1000, TEXT_MAX = 1 << 20 };

enum { OURS, THEIRS, SIDES };

/* A code that has another name here than in one of the two files. */
struct merge_name {
    struct span list, was, is;
    bool is_new; /* it got the name in this merge */
};

/* What the id of a decision follows from. */
struct merge_decision {
    struct span id, decided_at, coder, subject, facet, value, undoes;
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
    struct text_pairs moved;                         /* decisions of theirs with such names */
    struct ARRAY_OF(struct span) undos;              /* ids of decisions of theirs that undo another one */
    struct arena arena;
    struct err *e;
};

/* What a column of the other file must contain. */
enum kind { TEXT, TEXT_OR_NULL, INTEGER, INTEGER_OR_NULL, REAL_OR_NULL };

struct merge_column {
    const char *parameter; /* the name, with the ":" of its parameter before it */
    enum kind kind;
    size_t max; /* bytes of a text */
};

/* The other file's text for a message: short, without cursor-moving characters. Lives as long as what is given out. */
struct span merge_shown(struct merge *m, struct span s);
/* The next row of a walk over the other file, as sql_next. */
bool merge_next(const struct merge *m, struct sql *which, enum status *status);
/* ST_INPUT unless the row contains what the columns are for; names the row by its first column. */
enum status MUST_USE merge_check_row(struct merge *m, struct sql *which, const char *table,
                                     const struct merge_column *columns, size_t n);
/* A setting of the other study, in the arena; ptr NULL: it does not have this setting. */
enum status MUST_USE merge_other_setting(struct merge *m, const char *key, struct span *value);

/* --- codebooks --- */

/* A table of a codebook: what is in it, and how it is replaced. */
struct part {
    const char *table;
    struct sql *rows[SIDES], *clear, *fill;
    size_t n_columns;
    struct merge_column columns[9];
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

/* A codebook with its history. */
struct book {
    struct grid grids[PARTS];
    struct span version; /* the setting; ptr NULL: no codebook */
};

static inline struct span *row_of(const struct grid *g, size_t row)
{
    return g->cells.at + row * g->n_columns;
}

static inline bool same_cell(struct span a, struct span b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && span_eq(a, b);
}

/* Rows by some of their cells. */
struct rows {
    struct text_numbers map;
    struct buf key;
};

#define NOWHERE SIZE_MAX
#define CELLS(...) (const struct span[]){__VA_ARGS__}, sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span)
/* The row with these cells; NOWHERE: none. */
size_t merge_row(struct rows *r, const struct span *cells, size_t n);
/* Where it is kept: NOWHERE when the cells are new. */
size_t *merge_row_kept(struct merge *m, struct rows *r, const struct span *cells, size_t n);
/* Keeps a row unless there is one with these cells; all rows, by their first columns. */
void merge_row_keep(struct merge *m, struct rows *r, const struct span *cells, size_t n, size_t row);
void merge_rows_keep(struct merge *m, struct rows *r, const struct grid *g, size_t n_columns);
void merge_rows_clear(struct rows *r);

void merge_add_row(struct grid *g, const struct span *cells);
void merge_book_clear(struct book *book);

/* Compares the codebooks and takes over a newer one; sets m->their_version. */
enum status MUST_USE merge_codebook(struct merge *m);
/* ST_INPUT: what differs is in no history. */
enum status merge_another_codebook(struct merge *m, size_t part, struct span name);
/* Replaces our codebook, with history and version, by another one. */
enum status MUST_USE merge_adopt(struct merge *m, const struct book *theirs);
/* Joins two codebooks whose histories parted; sets m->their_versions, and maps our decisions. */
enum status MUST_USE merge_join(struct merge *m, struct book *const books[SIDES]);

/* --- names that codes get --- */

/* Codes that got their own name in one of the books, when copies were merged, get it in the other. */
enum status MUST_USE merge_names_align(struct merge *m, struct book *const books[SIDES]);
/* A code (its row) of theirs that was added under a name that is of another code of ours gets its own. */
void merge_names_part(struct merge *m, struct book *const books[SIDES], const struct span *theirs);
/* Gives our decisions and memos the names that codes got, and finds theirs that get them. */
enum status MUST_USE merge_names_decisions(struct merge *m);
/* The name that a code of theirs, named in a memo, has here. */
struct span merge_names_code(const struct merge *m, struct span list, struct span code);
/* The same for a decision of theirs, which was looked at: value, id, and what it undoes. */
void merge_names_decision(struct merge *m, struct merge_decision *d);
/* Tells of the names in m->out. */
void merge_names_say(struct merge *m);
