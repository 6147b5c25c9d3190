/* foreign_head: how mapping.ini calls a column. Of foreign_map and foreign_guess. */
#ifndef LABEL_CODING_FOREIGN_HEAD_H
#define LABEL_CODING_FOREIGN_HEAD_H

#include "label/coding/foreign.h"

/* The head, appended; of two rows of heads, "upper / lower"; without heads "column 3". */
void foreign_head(const struct foreign_table *t, size_t heads, size_t column, struct buf *out);

#endif
