/* ndjson: each row of each table is a line. */
#include "report/render.h"

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];

    for (size_t row = 0; row < report_rows(t); row++) {
        row_as_json(out, t, row, true);
        buf_add_char(out, '\n');
    }
}

const struct renderer render_ndjson = {NULL, add_table, NULL};
