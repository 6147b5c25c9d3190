/* render: what each format does; one file each. Of report only. */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include "report/report.h"

struct renderer {
    void (*begin)(struct buf *out, const struct report *r);
    void (*table)(struct buf *out, const struct report *r, size_t i);
    void (*end)(struct buf *out, const struct report *r);
}; /* NULL: nothing to do */

extern const struct renderer render_text, render_csv, render_json, render_ndjson, render_markdown,
    render_latex, render_html;

/* The cell as people read it: "52.2%", "0.9057", "<0.0001"; absent cells add nothing. */
void cell_for_people(struct buf *out, const struct report_cell *cell, enum report_kind kind);
/* A number in full, so that reading it gives the same double; absent cells add nothing. */
void cell_for_programs(struct buf *out, const struct report_cell *cell, enum report_kind kind);
void row_as_json(struct buf *out, const struct report_table *t, size_t row, bool with_id);
bool kind_is_number(enum report_kind kind);
/* Characters of UTF-8. */
size_t width_of(struct span s);

#endif
