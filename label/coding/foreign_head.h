/* foreign_head: how mapping.ini calls a column and cuts a cell. Of foreign_map and foreign_guess. */
#ifndef LABEL_CODING_FOREIGN_HEAD_H
#define LABEL_CODING_FOREIGN_HEAD_H

#include "label/coding/foreign.h"

/* The head, appended; of two rows of heads, "upper / lower"; without heads "column 3". */
void foreign_head(const struct foreign_table *t, size_t heads, size_t column, struct buf *out);

/* The values of a cell, as `split` of mapping.ini cuts it: "comma", "line", "list" (of Python, in brackets), or one
 * character; any other word cuts nothing. */
struct foreign_parts {
    struct span rest;
    char by; /* '\0': the cell is one value */
    bool is_list;
};

struct foreign_parts foreign_parts(struct span cell, struct span split);
/* The next value that is not blank, without blanks and, in a list, quotes around it; false after the last. */
bool MUST_USE foreign_part(struct foreign_parts *p, struct span *value);

#endif
