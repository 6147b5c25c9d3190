#include "report/grow.h"
#include "report/report.h"

#include <math.h>
#include <stdarg.h>

void report_clear(struct report *r)
{
    for (size_t i = 0; i < r->n_tables; i++) {
        mem_free(r->tables[i]->columns);
        mem_free(r->tables[i]->cells);
        arena_clear(&r->tables[i]->arena);
        mem_free(r->tables[i]);
    }
    mem_free(r->tables);
    *r = (struct report){0};
}

struct report_table *report_table_add(struct report *r, const char *id, const char *title)
{
    struct report_table *t = mem_zero(1, sizeof *t);

    r->tables = grow(r->tables, r->n_tables, &r->capacity, sizeof(struct report_table *));
    r->tables[r->n_tables++] = t;
    t->id = arena_copy(&t->arena, (struct span){id, strlen(id) + 1}).ptr;
    t->title = arena_copy(&t->arena, span_of(title));
    return t;
}

void report_column_add_span(struct report_table *t, struct span name, struct span title,
                            enum report_kind kind)
{
    t->columns = grow(t->columns, t->n_columns, &t->columns_capacity, sizeof *t->columns);
    t->columns[t->n_columns++] = (struct report_column){
        arena_copy(&t->arena, name), arena_copy(&t->arena, title.len > 0 ? title : name), kind};
}

void report_column_add(struct report_table *t, const char *name, const char *title,
                       enum report_kind kind)
{
    report_column_add_span(t, span_of(name), span_of(title), kind);
}

static struct report_cell *add_cell(struct report_table *t)
{
    t->cells = grow(t->cells, t->n_cells, &t->cells_capacity, sizeof *t->cells);
    t->cells[t->n_cells] = (struct report_cell){0};
    return &t->cells[t->n_cells++];
}

void report_add_absent(struct report_table *t)
{
    add_cell(t);
}

void report_add_text(struct report_table *t, struct span text)
{
    struct report_cell *cell = add_cell(t);

    cell->present = text.ptr != NULL;
    cell->text = arena_copy(&t->arena, text);
}

void report_add_int(struct report_table *t, int64_t value)
{
    struct report_cell *cell = add_cell(t);

    cell->present = true;
    cell->integer = value;
}

void report_add_real(struct report_table *t, double value)
{
    struct report_cell *cell = add_cell(t);

    cell->present = isfinite(value);
    cell->real = cell->present ? value : 0;
}

void report_note(struct report_table *t, const char *fmt, ...)
{
    struct buf text = {0};
    char part[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(part, sizeof part, fmt, args);
    va_end(args);
    buf_add_span(&text, t->note);
    if (text.len > 0)
        buf_add_char(&text, ' ');
    buf_add_text(&text, part);
    t->note = arena_copy(&t->arena, buf_span(&text));
    buf_clear(&text);
}

size_t report_rows(const struct report_table *t)
{
    return t->n_columns > 0 ? t->n_cells / t->n_columns : 0;
}

const struct report_cell *report_cell_at(const struct report_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}
