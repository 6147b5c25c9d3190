/* csv: after RFC 4180, "\n" ends. Several tables are parted by an empty line, and their first
 * column is the table's id. */
#include "report/render.h"

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];
    struct buf field = {0};

    if (i > 0)
        buf_add_char(out, '\n');
    if (r->n_tables > 1)
        buf_add_text(out, "table,");
    for (size_t k = 0; k < t->n_columns; k++) {
        if (k > 0)
            buf_add_char(out, ',');
        buf_add_csv(out, t->columns[k].name);
    }
    buf_add_char(out, '\n');
    for (size_t row = 0; row < report_rows(t); row++) {
        if (r->n_tables > 1)
            buf_addf(out, "%s,", t->id);
        for (size_t k = 0; k < t->n_columns; k++) {
            if (k > 0)
                buf_add_char(out, ',');
            buf_reset(&field);
            cell_for_programs(&field, report_cell_at(t, row, k), t->columns[k].kind);
            buf_add_csv(out, buf_span(&field));
        }
        buf_add_char(out, '\n');
    }
    buf_clear(&field);
}

const struct renderer render_csv = {NULL, add_table, NULL};
