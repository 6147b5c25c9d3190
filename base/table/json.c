/* JSON: a plain table is an array of rows as objects, a report an array of tables. NDJSON: a line for each row. */
#include "base/table/render.h"

static void add_object(struct buf *out, const struct table *t, size_t row, bool with_id)
{
    buf_add_char(out, '{');
    if (with_id) {
        buf_add_text(out, "\"table\":");
        buf_add_json(out, span_of(t->id));
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        if (i > 0 || with_id)
            buf_add_char(out, ',');
        buf_add_json(out, span_of(t->columns[i].name));
        buf_add_char(out, ':');
        const struct table_cell *cell = table_cell_at(t, row, i);
        bool quoted = t->columns[i].kind == TABLE_TEXT;

        if (cell->is == TABLE_ABSENT) {
            buf_add_text(out, "null");
        } else if (t->columns[i].kind == TABLE_JSON) {
            buf_add_json_text(out, cell->text);
        } else if (cell_is_words(t, row, i)) {
            buf_add_json(out, cell->text);
        } else if (t->columns[i].kind == TABLE_BOOLEAN && cell->is == TABLE_IS_TEXT) {
            buf_add_text(out, span_eq(cell->text, SPAN("1")) ? "true" : "false");
        } else { /* a number, in quotes among texts */
            buf_add_text(out, quoted ? "\"" : "");
            cell_for_programs(out, t, row, i);
            buf_add_text(out, quoted ? "\"" : "");
        }
    }
    buf_add_char(out, '}');
}

/* --- JSON --- */

static void begin(struct table_printer *p)
{
    buf_add_char(&p->text, '[');
}

static void head(struct table_printer *p, const struct table *t)
{
    struct buf *out = &p->text;

    if (p->plain)
        return;
    buf_add_text(out, p->n_tables > 0 ? ",\n{\"id\":" : "{\"id\":");
    buf_add_json(out, span_of(t->id));
    buf_add_text(out, ",\"title\":");
    buf_add_json(out, t->title);
    buf_add_text(out, ",\"note\":");
    buf_add_json(out, t->note);
    buf_add_text(out, ",\n \"columns\":[");
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        buf_add_json(out, span_of(t->columns[i].name));
        buf_addf(out, ",\"kind\":\"%s\"}", table_kinds[t->columns[i].kind]);
    }
    buf_add_text(out, "],\n \"rows\":[");
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    if (p->n_rows > 0)
        buf_add_char(&p->text, ',');
    if (!p->plain || p->n_rows > 0)
        buf_add_text(&p->text, p->plain ? "\n " : "\n  ");
    add_object(&p->text, t, row, false);
}

static void foot(struct table_printer *p, const struct table *t)
{
    (void)t;
    if (!p->plain)
        buf_add_text(&p->text, "]}");
}

static void end(struct table_printer *p)
{
    buf_add_text(&p->text, "]\n");
}

const struct renderer render_json = {
    .streams = true, .begin = begin, .head = head, .row = row_of, .foot = foot, .end = end};

/* --- NDJSON --- */

static void add_line(struct table_printer *p, const struct table *t, size_t row)
{
    add_object(&p->text, t, row, !p->plain);
    buf_add_char(&p->text, '\n');
}

const struct renderer render_ndjson = {.streams = true, .rows_only = true, .row = add_line};
