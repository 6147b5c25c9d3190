/*
 * id_list: ids of posts or problems that a file lists.
 */
#ifndef LABEL_ID_LIST_H
#define LABEL_ID_LIST_H

#include "base/base.h"

struct id_list {
    struct span *ids; /* ordered by bytes, each once */
    size_t n, capacity;
    size_t *order;    /* places in ids, in the order of the file */
    struct ARRAY_OF(struct span) coders; /* whom a column "coders" names, each once; none without that column */
    struct arena arena;
};

/*
 * Reads a file of ids: one on each line ("65160023", or "65160023_1" of a problem), other columns
 * may follow; or CSV whose first line names a column problem_id or post_id, as ppmine prints it. Lines
 * that begin with '#' are passed over. ST_INPUT with file:line for a line without an id, and for a
 * file without any. *out needs id_list_clear in either case.
 */
enum status MUST_USE id_list_read(struct id_list *out, const char *path, struct err *e);
/* The same, but where a column "coders" ("ann;bob") says who codes which, only the ids of this coder. ST_INPUT when
 * it names this coder nowhere. */
enum status MUST_USE id_list_read_of(struct id_list *out, const char *path, struct span coder, struct err *e);
void id_list_clear(struct id_list *l);
bool id_list_has(const struct id_list *l, struct span id);

#endif
