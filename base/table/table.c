/* The table: columns, cells, lists of tables. */
#include "base/table/table.h"

#include "base/refused.h"

#include <math.h>

static const char *copy(struct table *t, struct span s)
{
    return arena_text(&t->arena, s);
}

void table_init(struct table *t, const char *id, const char *title, const struct table_column *columns,
                size_t n_columns)
{
    *t = (struct table){0};
    t->id = copy(t, span_of(id));
    t->title = arena_copy(&t->arena, span_of(title));
    for (size_t i = 0; i < n_columns; i++) {
        table_column_add(t, columns[i].name, columns[i].title, columns[i].kind);
        t->columns[i].max_width = columns[i].max_width;
        t->columns[i].decimals = columns[i].decimals;
    }
}

void table_clear(struct table *t)
{
    mem_free(t->columns);
    mem_free(t->cells);
    arena_clear(&t->arena);
    arena_clear(&t->texts);
    *t = (struct table){0};
}

/* --- filling it --- */

void table_column_add_span(struct table *t, struct span name, struct span title, enum table_kind kind)
{
    t->columns = array_room(t->columns, t->n_columns, 1, &t->columns_capacity, sizeof *t->columns);
    t->columns[t->n_columns++] = (struct table_column){
        .name = copy(t, name), .kind = kind, .title = title.len > 0 ? copy(t, title) : NULL};
}

void table_column_add(struct table *t, const char *name, const char *title, enum table_kind kind)
{
    table_column_add_span(t, span_of(name), span_of(title), kind);
}

static void add_cell(struct table *t, struct table_cell cell)
{
    t->cells = array_room(t->cells, t->n_cells, 1, &t->cells_capacity, sizeof *t->cells);
    t->cells[t->n_cells++] = cell;
}

void table_add_absent(struct table *t)
{
    add_cell(t, (struct table_cell){.is = TABLE_ABSENT});
}

void table_add_text(struct table *t, struct span text)
{
    if (text.ptr == NULL)
        table_add_absent(t);
    else
        add_cell(t, (struct table_cell){.is = TABLE_IS_TEXT, .text = arena_copy(&t->texts, text)});
}

void table_add_int(struct table *t, int64_t value)
{
    add_cell(t, (struct table_cell){.is = TABLE_IS_INT, .integer = value});
}

void table_add_real(struct table *t, double value)
{
    if (isfinite(value))
        add_cell(t, (struct table_cell){.is = TABLE_IS_REAL, .real = value});
    else
        table_add_absent(t);
}

void table_note(struct table *t, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;

    buf_add_span(&text, t->note);
    if (text.len > 0)
        buf_add_char(&text, ' ');
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    t->note = arena_copy(&t->arena, buf_span(&text));
    buf_clear(&text);
}

/* --- asking it --- */

size_t table_rows(const struct table *t)
{
    return t->n_columns > 0 ? t->n_cells / t->n_columns : 0;
}

const struct table_cell *table_cell_at(const struct table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}

bool table_kind_is_number(enum table_kind kind)
{
    return kind != TABLE_TEXT && kind != TABLE_BOOLEAN && kind != TABLE_JSON;
}

/* --- lists --- */

struct table *table_list_add(struct table_list *l, const char *id, const char *title)
{
    struct table *t = mem_alloc(sizeof *t);

    table_init(t, id, title, NULL, 0);
    l->tables = array_room(l->tables, l->n, 1, &l->capacity, sizeof(struct table *));
    l->tables[l->n++] = t;
    return t;
}

void table_list_drop(struct table_list *l)
{
    struct table *last = l->tables[--l->n];

    table_clear(last);
    mem_free(last);
}

void table_list_clear(struct table_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        table_clear(l->tables[i]);
        mem_free(l->tables[i]);
    }
    mem_free(l->tables);
    *l = (struct table_list){0};
}

void table_list_account(struct table_list *report, struct refused *left, const char *things, uint64_t kept)
{
    struct table *t = report->n > 0 ? report->tables[report->n - 1] : NULL;
    struct buf why = {0};

    if (t == NULL || strcmp(t->id, "rows") != 0) {
        t = table_list_add(report, "rows", "What was read");
        table_column_add(t, "source", NULL, TABLE_TEXT);
        table_column_add(t, "what", NULL, TABLE_TEXT);
        table_column_add(t, "read", NULL, TABLE_INT);
        table_column_add(t, "kept", NULL, TABLE_INT);
        table_column_add(t, "left_out", NULL, TABLE_JSON);
    }
    refused_json(left, &why);
    table_add_text(t, span_of(left->source));
    table_add_text(t, span_of(things));
    table_add_int(t, (int64_t)(kept + left->n_left));
    table_add_int(t, (int64_t)kept);
    table_add_text(t, buf_span(&why));
    buf_clear(&why);
}
