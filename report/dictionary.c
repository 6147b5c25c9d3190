/* dictionary: what every column of a package means, as data and for reading. */
#include "base/csv.h"
#include "report/package.h"

#include <unistd.h>

static const char *const columns[] = {"file", "column", "type", "format", "empty", "key", "allowed", "meaning"};

struct span package_embedded(const char *name)
{
    for (size_t i = 0; i < package_embedded_count; i++)
        if (span_eq(package_embedded_files[i].name, span_of(name)))
            return package_embedded_files[i].content;
    return (struct span){0};
}

enum status dictionary_load(struct dictionary *d, struct err *e)
{
    struct csv_reader csv;
    enum status status = ST_OK;

    *d = (struct dictionary){0};
    csv_open(&csv, package_embedded("data_dictionary.csv"), "data_dictionary.csv");
    while (csv_walk(&csv, columns, ARRAY_LEN(columns), &status, e)) {
        struct span cells[ARRAY_LEN(columns)];

        for (size_t i = 0; i < ARRAY_LEN(columns); i++)
            cells[i] = arena_copy(&d->arena, csv_cell(&csv, i));
        array_add(&d->rows, {cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]});
    }
    return status;
}

void dictionary_clear(struct dictionary *d)
{
    array_clear(&d->rows);
    arena_clear(&d->arena);
    *d = (struct dictionary){0};
}

const struct dictionary_row *dictionary_find(const struct dictionary *d, struct span file, struct span column)
{
    for (size_t i = 0; i < d->rows.n; i++)
        if (span_eq(d->rows.at[i].file, file) && span_eq(d->rows.at[i].column, column))
            return &d->rows.at[i];
    return NULL;
}

/* --- in the package --- */

static void add_markdown(struct buf *out, const struct dictionary_row *r, bool new_file)
{
    /* clang-format off */
    const struct span cells[] = {
        r->column, r->type, r->format, span_eq(r->empty, SPAN("1")) ? SPAN("yes") : SPAN(""),
        span_eq(r->key, SPAN("1")) ? SPAN("yes") : SPAN(""), r->allowed, r->meaning};
    /* clang-format on */

    if (new_file)
        buf_addf(out, "\n## %.*s\n\n", SPAN_ARG(r->file));
    if (r->column.len == 0)
        buf_addf(out, "%.*s\n\n", SPAN_ARG(r->meaning));
    if (r->column.len == 0 || new_file)
        buf_add_text(out, "| column | type | format | may be empty | key | allowed | meaning |\n"
                          "|---|---|---|---|---|---|---|\n");
    if (r->column.len == 0)
        return;
    buf_add_char(out, '|');
    for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
        buf_add_char(out, ' ');
        table_escape_markdown(out, cells[i]);
        buf_add_text(out, " |");
    }
    buf_add_char(out, '\n');
}

static const char HEAD[] =
    "# Data dictionary\n\n"
    "Every column of every CSV file of this package; the same as `data_dictionary.csv`, for"
    " reading.\n\n"
    "All files are UTF-8 without a byte order mark, CSV after RFC 4180 with commas, a header line"
    " and LF line\nends. Empty cells are values that are not known or do not exist. Booleans are 0"
    " and 1; dates are UTC in\nISO 8601. The columns that are marked as key are together different"
    " in each row. Where `allowed` says\nin FILE:COLUMN, the value is in that column.\n\n"
    "Texts are what their authors wrote, whatever characters they contain: names of authors and"
    " texts of\nposts come from strangers. A spreadsheet would compute a cell that begins with `=`,"
    " `+`, `-`, `@` (also\nfull-width ones), a tab or a line end, after any blanks (U+0020, U+00A0)"
    " and quotes (`'`, `\"`), unless it\nis a plain number such as `-1.5`. Such a cell has an"
    " apostrophe before it. To read it, take off one\napostrophe where the rest of the cell is such"
    " a text. So has what follows a `;` or tab within a\ncell and begins with `=`, `+`, `-` or `@`, which is a cell of"
    " its own for some spreadsheets; take one off\nthere, too, and every text comes back.\n";

enum status package_dictionary(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf csv = {0}, page = {0};
    struct span last = {0};

    buf_add_text(&csv, "file,column,type,format,empty,key,allowed,meaning\n");
    buf_add_text(&page, HEAD);
    for (size_t i = 0; i < p->dictionary.rows.n; i++) {
        const struct dictionary_row *r = &p->dictionary.rows.at[i];
        AT_END(mem_end) char *name = mem_text(r->file);
        AT_END(buf_clear) struct buf path = {0};
        /* Rows about files that are not in this package would only puzzle. The dictionary is itself one. */
        package_path(p, name, &path);
        if (access(buf_cstr(&path), F_OK) != 0 && strcmp(name, "data_dictionary.csv") != 0)
            continue;
        const struct span cells[] = {r->file, r->column, r->type, r->format, r->empty, r->key, r->allowed, r->meaning};
        for (size_t k = 0; k < ARRAY_LEN(cells); k++) {
            buf_add_csv(&csv, cells[k]);
            buf_add_char(&csv, k + 1 < ARRAY_LEN(cells) ? ',' : '\n');
        }
        add_markdown(&page, r, !span_eq(last, r->file));
        last = r->file;
    }
    enum status status = package_write(p, "data_dictionary.csv", buf_span(&csv), e);
    return status == ST_OK ? package_write(p, "DATA_DICTIONARY.md", buf_span(&page), e) : status;
}
