#include "cli/table.h"

#include <inttypes.h>

const char *const table_formats[] = {"text", "csv", "json", "ndjson", NULL};

void table_init(struct table *t, const struct table_column *columns, size_t n_columns)
{
    *t = (struct table){.columns = columns, .n_columns = n_columns};
}

void table_clear(struct table *t)
{
    mem_free(t->cells);
    arena_clear(&t->arena);
}

void table_add(struct table *t, struct span cell)
{
    if (t->n_cells == t->capacity) {
        t->capacity = t->capacity > 0 ? 2 * t->capacity : 64;
        t->cells = mem_resize(t->cells, t->capacity, sizeof *t->cells);
    }
    t->cells[t->n_cells++] = cell.ptr != NULL ? arena_copy(&t->arena, cell) : cell;
}

void table_add_int(struct table *t, int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    table_add(t, span_of(text));
}

void table_add_real(struct table *t, double value, int decimals)
{
    char text[64];

    snprintf(text, sizeof text, "%.*f", decimals, value);
    table_add(t, span_of(text));
}

size_t table_rows(const struct table *t)
{
    return t->n_cells / t->n_columns;
}

static struct span cell(const struct table *t, size_t row, size_t column)
{
    return t->cells[row * t->n_columns + column];
}

/* --- text --- */

/* Characters, for alignment; combining and wide ones are taken as one column each. */
static size_t width_of(struct span s)
{
    size_t width = 0;

    for (size_t i = 0; i < s.len; i++)
        width += ((unsigned char)s.ptr[i] & 0xc0) != 0x80;
    return width;
}

static size_t column_width(const struct table *t, size_t column, size_t rows)
{
    size_t width = width_of(span_of(t->columns[column].name));
    size_t max = t->columns[column].max_width;

    for (size_t i = 0; i < rows; i++) {
        size_t w = width_of(cell(t, i, column));
        width = w > width ? w : width;
    }
    return max > 0 && width > max ? max : width;
}

/* Control characters would move a terminal's cursor, or worse; those from U+0080 to U+009F too. */
void table_print_safe(struct span s, FILE *out)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool second = c == 0xc2 && i + 1 < s.len && (unsigned char)s.ptr[i + 1] < 0xa0;
        fputc(c < 0x20 || c == 0x7f || second ? '?' : c, out);
        i += second;
    }
}

static struct span cut(struct span s, size_t width)
{
    size_t len = 0;

    for (size_t seen = 0; len < s.len; len++) {
        seen += ((unsigned char)s.ptr[len] & 0xc0) != 0x80;
        if (seen > width)
            break;
    }
    return (struct span){s.ptr, len};
}

static void print_cell(struct span s, const struct table_column *column, size_t width, bool last,
                       FILE *out)
{
    size_t w = width_of(s);
    bool too_wide = w > width;

    if (too_wide) {
        s = cut(s, width - 1);
        w = width;
    }
    if (column->number)
        fprintf(out, "%*s", (int)(width - w), "");
    table_print_safe(s, out);
    if (too_wide)
        fputs("\xe2\x80\xa6", out);
    if (!last)
        fprintf(out, "%*s", column->number ? 2 : (int)(width - w) + 2, "");
}

static void print_text(const struct table *t, size_t rows, FILE *out)
{
    size_t *widths = mem_zero(t->n_columns, sizeof *widths);

    for (size_t i = 0; i < t->n_columns; i++)
        widths[i] = column_width(t, i, rows);
    for (size_t row = 0; row <= rows; row++) {
        size_t n = t->n_columns; /* without the empty cells at the end: no blanks there */
        while (row > 0 && n > 1 && cell(t, row - 1, n - 1).len == 0)
            n--;
        for (size_t i = 0; i < n; i++) {
            struct span s = row == 0 ? span_of(t->columns[i].name) : cell(t, row - 1, i);
            print_cell(s, &t->columns[i], widths[i], i + 1 == n, out);
        }
        fputc('\n', out);
    }
    mem_free(widths);
}

/* --- for programs --- */

static void print_csv(const struct table *t, size_t rows, FILE *out)
{
    struct buf line = {0};

    for (size_t row = 0; row <= rows; row++) {
        buf_reset(&line);
        for (size_t i = 0; i < t->n_columns; i++) {
            if (i > 0)
                buf_add_char(&line, ',');
            buf_add_csv(&line, row == 0 ? span_of(t->columns[i].name) : cell(t, row - 1, i));
        }
        buf_add_char(&line, '\n');
        fwrite(line.ptr, 1, line.len, out);
    }
    buf_clear(&line);
}

static void add_object(struct buf *out, const struct table *t, size_t row)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < t->n_columns; i++) {
        struct span s = cell(t, row, i);
        if (i > 0)
            buf_add_char(out, ',');
        buf_add_json(out, span_of(t->columns[i].name));
        buf_add_char(out, ':');
        if (s.ptr == NULL)
            buf_add_text(out, "null");
        else if (t->columns[i].number)
            buf_add_span(out, s);
        else
            buf_add_json(out, s);
    }
    buf_add_char(out, '}');
}

static void print_json(const struct table *t, size_t rows, bool lines, FILE *out)
{
    struct buf line = {0};

    if (!lines)
        fputs("[", out);
    for (size_t row = 0; row < rows; row++) {
        buf_reset(&line);
        add_object(&line, t, row);
        fwrite(line.ptr, 1, line.len, out);
        fputs(lines ? "\n" : row + 1 < rows ? ",\n " : "", out);
    }
    if (!lines)
        fputs("]\n", out);
    buf_clear(&line);
}

void table_print(const struct table *t, enum table_format format, size_t limit, FILE *out)
{
    size_t rows = table_rows(t) < limit ? table_rows(t) : limit;

    switch (format) {
    case TABLE_TEXT:
        print_text(t, rows, out);
        break;
    case TABLE_CSV:
        print_csv(t, rows, out);
        break;
    default:
        print_json(t, rows, format == TABLE_NDJSON, out);
    }
}

enum status table_end(struct table *t, enum status status, enum table_format format)
{
    if (status == ST_OK) {
        table_print(t, format, SIZE_MAX, stdout);
        status = table_rows(t) > 0 ? ST_OK : ST_NO;
    }
    table_clear(t);
    return status;
}
