/* id_list: ids of posts or problems that a file lists. The one reader of such files. */
#pragma once

#include "base/base.h"

struct id_list {
    struct span *ids; /* ordered by bytes, each once */
    size_t n, capacity;
    size_t *order;                       /* places in ids, in the order of the file */
    struct ARRAY_OF(struct span) coders; /* whom a column "coders" names, each once; none without that column */
    struct arena arena;
};

/* An id of the file. */
struct id_row {
    struct span id; /* "65160023", "65160023_1", "ds:45" */
    int64_t post_id;
    size_t line;
    char delimiter;
    bool has_coders, has_cell; /* the file has a column "coders", the column that was asked for */
    struct span coders, cell;
};

/*
 * Calls `take` for each id of a file, in its order. The file is one of
 * - ids, or links to questions and answers of Stack Overflow, with blanks, commas, semicolons, tabs or line ends
 *   between them; # begins a comment, and words may follow the only id of a line;
 * - a table (CSV, xlsx, and the text, Markdown or JSON that ppmine prints) with a column problem_id, post_id,
 *   question_id, url, link or id: the first of these that it has. Case, and blanks for _, make no difference.
 * `cell` may be NULL, or the name of one more column. An id may be written 105.0. ST_INPUT with file:line for
 * what is not an id, and for a file without ids.
 */
enum status MUST_USE id_rows_each(const char *path, const char *encoding, const char *cell,
                                  enum status (*take)(void *ctx, const struct id_row *row, struct err *e), void *ctx,
                                  struct err *e);

/* Where a column "coders" ("ann;bob") says who codes which, only the ids of this coder (ptr NULL: all). ST_INPUT when it
 * names this coder nowhere. *out needs id_list_clear in either case. */
enum status MUST_USE id_list_read_of(struct id_list *out, const char *path, struct span coder, struct err *e);
void id_list_clear(struct id_list *l);
/* The id's place in `ids`; SIZE_MAX: it is not there. */
size_t id_list_find(const struct id_list *l, struct span id);
