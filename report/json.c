/* json: an array of tables, each with its rows as objects. */
#include "report/render.h"

static void begin(struct buf *out, const struct report *r)
{
    (void)r;
    buf_add_text(out, "[");
}

static void add_columns(struct buf *out, const struct report_table *t)
{
    static const char *const kinds[] = {"text", "int", "share", "real", "p"};

    buf_add_text(out, " \"columns\":[");
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        buf_add_json(out, t->columns[i].name);
        buf_addf(out, ",\"kind\":\"%s\"}", kinds[t->columns[i].kind]);
    }
    buf_add_text(out, "],\n");
}

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];

    buf_add_text(out, i > 0 ? ",\n{\"id\":" : "{\"id\":");
    buf_add_json(out, span_of(t->id));
    buf_add_text(out, ",\"title\":");
    buf_add_json(out, t->title);
    buf_add_text(out, ",\"note\":");
    buf_add_json(out, t->note);
    buf_add_text(out, ",\n");
    add_columns(out, t);
    buf_add_text(out, " \"rows\":[");
    for (size_t row = 0; row < report_rows(t); row++) {
        buf_add_text(out, row > 0 ? ",\n  " : "\n  ");
        row_as_json(out, t, row, false);
    }
    buf_add_text(out, "]}");
}

static void end(struct buf *out, const struct report *r)
{
    (void)r;
    buf_add_text(out, "]\n");
}

const struct renderer render_json = {begin, add_table, end};
