/* CSV after RFC 4180, "\n" ends. Several tables have an empty line between them and the table's id as first column. */
#include "base/csv.h"
#include "base/table/render.h"
#include "base/utf8.h"
#include "base/visible.h"

/* What readers of CSV take: valid UTF-8 without NUL; on a terminal a clean text. */
static struct span readable(struct table_printer *p, struct span s)
{
    bool fine = p->terminal ? text_is_clean(s) : utf8_valid_prefix(s) == s.len && memchr(s.ptr, '\0', s.len) == NULL;

    if (fine)
        return s;
    buf_reset(&p->cell);
    if (p->terminal) {
        buf_add_clean(&p->cell, s);
        return buf_span(&p->cell);
    }
    while (s.len > 0) {
        struct span part = utf8_cut(&s);
        for (size_t i = 0; i < part.len; i++)
            if (part.ptr[i] == '\0')
                buf_add_text(&p->cell, "\xef\xbf\xbd");
            else
                buf_add_char(&p->cell, part.ptr[i]);
    }
    return buf_span(&p->cell);
}

static void add_field(struct table_printer *p, struct span s)
{
    if (p->raw)
        buf_add_csv_raw(&p->text, readable(p, s));
    else
        buf_add_csv(&p->text, readable(p, s));
}

static void begin(struct table_printer *p)
{
    buf_add_text(&p->text, p->bom ? "\xef\xbb\xbf" : "");
}

static void head(struct table_printer *p, const struct table *t)
{
    bool several = p->list != NULL && p->list->n > 1;

    if (p->n_tables > 0)
        buf_add_char(&p->text, '\n');
    buf_add_text(&p->text, several ? "table," : "");
    for (size_t i = 0; i < t->n_columns; i++) {
        if (i > 0)
            buf_add_char(&p->text, ',');
        struct span s = span_of(t->columns[i].name);
        if (p->raw)
            buf_add_csv_raw(&p->text, readable(p, s));
        else
            buf_add_csv_name(&p->text, readable(p, s), ',');
    }
    buf_add_char(&p->text, '\n');
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    bool several = p->list != NULL && p->list->n > 1;

    if (several) {
        add_field(p, span_of(t->id));
        buf_add_char(&p->text, ',');
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        if (i > 0)
            buf_add_char(&p->text, ',');
        if (cell_is_words(t, row, i))
            add_field(p, table_cell_at(t, row, i)->text);
        else
            cell_for_programs(&p->text, t, row, i);
    }
    buf_add_char(&p->text, '\n');
}

const struct renderer render_csv = {.streams = true, .rows_only = true, .begin = begin, .head = head, .row = row_of};
