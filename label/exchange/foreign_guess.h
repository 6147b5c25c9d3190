/* foreign_guess: findings about the columns of somebody else's tables. For foreign_guess and foreign_raters only. */
#pragma once

#include "label/exchange/foreign_head.h"
#include "base/maps.h"

enum role { NOTHING, LINK, NUMBER, DATE, LABEL, YES_NO, TITLE, TEXT, TAGS, AUTHOR };

struct column {
    struct span head;   /* as mapping.ini writes it */
    struct span folded; /* small letters and digits of it */
    struct span facet;  /* of a label */
    struct span coder;  /* ptr NULL: agreed */
    enum role role;
    bool numeric, says_label; /* the head says so */
    const char *why_not;      /* it is NOTHING */
    size_t n, last;           /* cells that are not empty; the row of the last one */
    size_t lists, most;       /* cells that are lists in brackets; the most values of one */
    char by;                  /* between the codes of a cell; NUL: it is one */
    struct text_numbers values;
};

struct looked {
    const struct foreign_table *table;
    struct ARRAY_OF(struct column) columns;
    bool *totals;       /* of each row */
    size_t heads, link; /* place; n_columns: none */
    size_t by, needs;   /* the column that names the rater of a row; that which only rows of totals lack */
    struct span coder;  /* all labels are this one's; ptr NULL: agreed, or a column says */
    struct span site;
    const char *left_out;
    struct span of; /* the table that it repeats */
};

struct guess {
    struct ARRAY_OF(struct looked) tables;
    struct arena arena;
    struct buf doubts; /* lines */
};

/* Small letters and digits alone: what spellings of one name have in common. */
struct span foreign_folded(struct arena *arena, struct span s);

/* Does a name, folded, say that what it names was agreed on? */
bool foreign_says_agreed(struct span folded);
/* Finds columns of raters, and beside them that of what they agreed on: coder and facet of each. */
void foreign_find_raters(struct guess *g, struct looked *l);
/* Columns that are raters' in another table are theirs here, too, though they may have said other things. */
void foreign_learn_raters(struct guess *g, struct looked *l, const struct looked *from);
/* The column that says who rated the item of each row, with its id in the column `key`; l->columns.n: none does. */
size_t foreign_row_rater(struct guess *g, const struct looked *l, size_t key);
/* Rows that are ratings: their items come again, and a column names the rater, of whom each item has one. */
void foreign_find_row_rater(struct guess *g, struct looked *l);
