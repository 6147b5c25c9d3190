/* The table: columns, cells, lists of tables. */
#include "base/table/render.h"

#include "base/refused.h"

#include <limits.h>
#include <math.h>

void table_init(struct table *t, const char *id, const char *title, const char *columns)
{
    *t = (struct table){0};
    t->id = arena_text(&t->arena, span_of(id));
    t->title = arena_copy(&t->arena, span_of(title));
    table_columns(t, "%s", columns);
}

void table_caveat(struct table *t, struct span words)
{
    if (words.len == 0)
        return;
    AT_END(mem_end) char *title = mem_addf("%.*s. %.*s", SPAN_ARG(t->title), SPAN_ARG(words));
    t->title = arena_copy(&t->arena, span_of(title));
    t->caveat = arena_copy(&t->arena, words);
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
    t->columns[t->n_columns++] = (struct table_column){.name = arena_text(&t->arena, name),
                                                       .kind = kind,
                                                       .title = title.len > 0 ? arena_text(&t->arena, title) : NULL};
}

void table_column_add(struct table *t, const char *name, const char *title, enum table_kind kind)
{
    table_column_add_span(t, span_of(name), span_of(title), kind);
}

const char *const table_kinds[] = {
    [TABLE_TEXT] = "text", [TABLE_INT] = "int",       [TABLE_SHARE] = "share",     [TABLE_REAL] = "real",
    [TABLE_P] = "p",       [TABLE_NUMBER] = "number", [TABLE_BOOLEAN] = "boolean", [TABLE_JSON] = "json"};

/* What follows a column's name: its kind with its decimals, or its width. */
static void read_property(struct table_column *c, struct span word)
{
    struct span kind;
    uint64_t number = 0;

    if (*word.ptr == '<' && span_u64(span_after(word, 1), SIZE_MAX, &number)) {
        c->max_width = (size_t)number;
    } else if (span_cut(&word, '.', &kind)) {
        size_t place = span_place(kind, table_kinds, ARRAY_LEN(table_kinds));
        c->kind = place < ARRAY_LEN(table_kinds) ? (enum table_kind)place : c->kind;
        c->decimals = span_u64(word, INT_MAX, &number) ? (int)number : 0;
    }
}

void table_columns(struct table *t, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0};
    struct span column, head, name, word;
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    for (struct span rest = buf_span(&text); span_cut(&rest, ';', &column);) {
        if (!span_cut(&column, '=', &head))
            continue;
        head = span_trim(head);
        if (!span_cut(&head, ' ', &name))
            continue;
        table_column_add_span(t, name, span_trim(column), TABLE_TEXT);
        while (span_cut(&head, ' ', &word))
            read_property(&t->columns[t->n_columns - 1], word);
    }
}

struct table_cell table_absent(void)
{
    return (struct table_cell){.is = TABLE_ABSENT};
}

struct table_cell table_text(struct span text)
{
    return text.ptr != NULL ? (struct table_cell){.is = TABLE_IS_TEXT, .text = text} : table_absent();
}

struct table_cell table_some(struct span text)
{
    return text.len > 0 ? table_text(text) : table_absent();
}

struct table_cell table_int(int64_t value)
{
    return (struct table_cell){.is = TABLE_IS_INT, .integer = value};
}

struct table_cell table_real(double value)
{
    double unsigned_zero = value + 0.0; /* -0 becomes 0 */

    return isfinite(value) ? (struct table_cell){.is = TABLE_IS_REAL, .real = unsigned_zero} : table_absent();
}

void table_add_cells(struct table *t, const struct table_cell *cells, size_t n)
{
    t->cells = array_room(t->cells, t->n_cells, n, &t->cells_capacity, sizeof *t->cells);
    for (size_t i = 0; i < n; i++) {
        struct table_cell *cell = &t->cells[t->n_cells++];
        *cell = cells[i];
        if (cell->is == TABLE_IS_TEXT)
            cell->text = arena_copy(&t->texts, cell->text);
    }
}

void table_note(struct table *t, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0};
    va_list args;

    buf_add_span(&text, t->note);
    if (text.len > 0)
        buf_add_char(&text, ' ');
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    t->note = arena_copy(&t->arena, buf_span(&text));
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

    table_init(t, id, title, "");
    l->tables = array_room(l->tables, l->n, 1, &l->capacity, sizeof(struct table *));
    l->tables[l->n++] = t;
    return t;
}

void table_list_drop(struct table_list *l)
{
    AT_END(mem_end) struct table *last = l->tables[--l->n];

    table_clear(last);
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
    AT_END(buf_clear) struct buf why = {0};

    if (t == NULL || strcmp(t->id, "rows") != 0) {
        t = table_list_add(report, "rows", "What was read");
        table_columns(t, "source; what; read int; kept int; left_out json");
    }
    refused_json(left, &why);
    table_add_row(t, table_text(span_of(left->source)), table_text(span_of(things)),
                  table_int((int64_t)(kept + left->n_left)), table_int((int64_t)kept), table_text(buf_span(&why)));
}
