/* codebook_file: finds the blocks of a sheet, and what they say of which code. */
#include "label/coding/codebook_file.h"

#include "base/maps.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "label/rows.h"

enum { COLUMNS_MAX = 256, ROWS_MAX = 100000 };

struct file_row {
    size_t number;
    struct span *cells; /* without blanks around */
    size_t n;
};

enum block_kind { NO_BLOCK, DEFINITIONS, MATRIX, PAIRS };

struct block {
    enum block_kind kind;
    size_t header, end; /* rows[header] names the columns; the rows of the block end before rows[end] */
    struct span list;   /* ptr NULL: each row says it in the column `facet` */
    size_t facet, category, code, versus, text; /* columns; SIZE_MAX: there is none */
};

#define MAP_NAME said_map
#define MAP_KEY uint64_t
#define MAP_VALUE size_t /* the row */
#include "base/map.h"

struct file_reading {
    struct codebook_file *out;
    const struct codebook *book;
    struct ARRAY_OF(struct file_row) rows;
    struct text_numbers categories;
    struct said_map said;
    struct buf key;
};

/* --- rows and cells --- */

static struct span cell(const struct file_row *row, size_t column)
{
    return column < row->n ? row->cells[column] : SPAN("");
}

/* The column whose cell is one of the words; SIZE_MAX: none. */
static size_t column_of(const struct file_row *row, const char *word, const char *other)
{
    for (size_t i = 0; i < row->n; i++)
        if (span_eq_any_case(row->cells[i], span_of(word)) ||
            (other != NULL && span_eq_any_case(row->cells[i], span_of(other))))
            return i;
    return SIZE_MAX;
}

/* "-" and the like are how a table says that there is nothing. */
static bool says_nothing(struct span text)
{
    return text.len == 0 || span_eq(text, SPAN("-")) || span_eq(text, SPAN("–")) || span_eq(text, SPAN("—"));
}

static PRINTF_LIKE(4, 5) void remark(struct file_reading *r, bool left_out, const struct file_row *row, const char *fmt,
                                     ...)
{
    AT_END(buf_clear) struct buf clean = {0};
    char words[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    buf_add_clean(&clean, (struct span){words, utf8_valid_prefix(span_of(words))});
    struct codebook_remark said = {row->number, arena_copy(&r->out->arena, buf_span(&clean))};
    if (left_out)
        array_add(&r->out->left_out, said);
    else
        array_add(&r->out->doubts, said);
}

/* --- blocks --- */

static bool is_code(const struct codebook *book, struct span list, struct span text)
{
    return text.len > 0 && codebook_find(book, list, text, NULL) != SIZE_MAX;
}

/* "facet", NUL, the category in lower case. */
static struct span category_key(struct buf *key, struct span list, struct span category)
{
    buf_reset(key);
    buf_add_span(key, list);
    buf_add_char(key, '\0');
    for (size_t i = 0; i < category.len; i++)
        buf_add_char(key, ascii_lower(category.ptr[i]));
    return buf_span(key);
}

static bool is_category(struct file_reading *r, struct span list, struct span text, size_t *code)
{
    const struct text_numbers_entry *entry = text_numbers_find(&r->categories, category_key(&r->key, list, text));

    *code = entry != NULL ? entry->value : SIZE_MAX;
    return entry != NULL;
}

/* Codes are in a matrix's first column, and in its first row after a cell that is empty or names the table. */
static bool is_matrix(const struct codebook *book, const struct file_row *row, const struct file_row *below)
{
    for (size_t l = 0; l < book->n_lists; l++) {
        size_t n = 0, of = 0;
        for (size_t i = 1; i < row->n; i++) {
            n += row->cells[i].len > 0;
            of += is_code(book, book->lists[l], row->cells[i]);
        }
        if (of >= 2 && 2 * of > n && !is_code(book, book->lists[l], row->cells[0]) &&
            is_code(book, book->lists[l], cell(below, 0)))
            return true;
    }
    return false;
}

static struct block block_at(const struct file_reading *r, size_t i)
{
    const struct file_row *row = &r->rows.at[i];
    /* clang-format off */
    struct block b = {.header = i, .facet = column_of(row, "facet", NULL), .category = SIZE_MAX,
                      .code = SIZE_MAX, .versus = column_of(row, "versus", NULL)};
    /* clang-format on */

    b.text = column_of(row, "definition", "description");
    if (b.text != SIZE_MAX && row->n > 1)
        b.kind = DEFINITIONS;
    else if (b.versus != SIZE_MAX && (b.text = column_of(row, "rule", NULL)) != SIZE_MAX)
        b.kind = PAIRS;
    else if (row->n > 2 && i + 1 < r->rows.n && is_matrix(r->book, row, row + 1))
        b.kind = MATRIX;
    return b;
}

/* The one list that the title names. */
static struct span list_of_title(const struct codebook *book, const struct file_row *row)
{
    struct span found = {0}, title = SPAN("");

    for (size_t i = 0; i < row->n && title.len == 0; i++)
        title = row->cells[i];
    for (size_t l = 0; l < book->n_lists; l++) {
        if (span_find_any_case(title, book->lists[l]) == SIZE_MAX)
            continue;
        if (found.ptr != NULL)
            return (struct span){0};
        found = book->lists[l];
    }
    return found;
}

/* The column that names most codes of the list; *most: how many. */
static size_t code_column(const struct file_reading *r, const struct block *b, struct span list, size_t *most)
{
    size_t best = SIZE_MAX;

    *most = 0;
    for (size_t c = 0; c < r->rows.at[b->header].n; c++) {
        size_t n = 0;
        for (size_t i = b->header + (b->kind != MATRIX); i < b->end && c != b->text; i++)
            n += is_code(r->book, list, cell(&r->rows.at[i], c));
        if (n > *most) {
            *most = n;
            best = c;
        }
    }
    return best;
}

/* --- what a block says --- */

static void take(struct file_reading *r, const struct file_row *row, enum codebook_text_kind kind, size_t code,
                 size_t versus, struct span words)
{
    uint64_t about = ((uint64_t)code << 33) | ((versus & UINT32_MAX) << 1) | (kind == TEXT_OF_CATEGORY);
    struct said_map_entry *entry;

    if (!said_map_add(&r->said, about, &entry)) {
        remark(r, true, row, "a second text about what row %zu is about", entry->value);
        return;
    }
    entry->value = row->number;
    array_add(&r->out->texts, ((struct codebook_text){kind, row->number, code, versus, words}));
}

/* The code that the cell names, in the list; SIZE_MAX was said. */
static size_t find_code(struct file_reading *r, const struct file_row *row, struct span list, struct span name)
{
    struct err why = {0};
    bool counted = r->out->left_out.n >= CODEBOOK_REMARKS_MAX; /* and not said */
    size_t place = codebook_find(r->book, list, name, counted ? NULL : &why);

    if (place == SIZE_MAX)
        remark(r, true, row, "%s", why.text);
    else if (!span_eq_any_case(r->book->codes[place].name, name))
        remark(r, false, row, "'%.*s' is taken for the %.*s '%.*s'", SPAN_ARG(name), SPAN_ARG(list),
               SPAN_ARG(r->book->codes[place].name));
    return place;
}

/* The list of a row; ptr NULL was said. */
static struct span list_of_row(struct file_reading *r, const struct block *b, const struct file_row *row)
{
    struct span facet = cell(row, b->facet);

    if (b->facet == SIZE_MAX && b->list.ptr != NULL)
        return b->list;
    for (size_t l = 0; l < r->book->n_lists && b->facet != SIZE_MAX; l++)
        if (span_eq_any_case(r->book->lists[l], facet))
            return r->book->lists[l];
    if (b->facet == SIZE_MAX)
        remark(r, true, row, "neither a title nor its codes say which facet it is about");
    else
        remark(r, true, row, "the study has no list of codes '%.*s'", SPAN_ARG(facet));
    return (struct span){0};
}

static void read_definition(struct file_reading *r, const struct block *b, const struct file_row *row)
{
    struct span name = cell(row, b->code), text = cell(row, b->text);
    struct span list = list_of_row(r, b, row);

    if (list.ptr == NULL)
        return;
    size_t code = SIZE_MAX;
    bool is_code_named = name.len > 0;
    if (!is_code_named) /* a category alone may be the one code of that name */
        name = cell(row, b->category);
    if (says_nothing(text))
        remark(r, true, row, "no definition");
    else if (name.len == 0)
        remark(r, true, row, "a definition without a code");
    else if (!is_code_named && is_category(r, list, name, &code))
        take(r, row, TEXT_OF_CATEGORY, code, SIZE_MAX, text);
    else if ((code = find_code(r, row, list, name)) != SIZE_MAX)
        take(r, row, TEXT_OF_CODE, code, SIZE_MAX, text);
}

static void read_pair(struct file_reading *r, const struct file_row *row, struct span list, struct span one,
                      struct span other, struct span text)
{
    size_t code, versus;

    if ((code = find_code(r, row, list, one)) == SIZE_MAX || (versus = find_code(r, row, list, other)) == SIZE_MAX)
        return;
    if (code == versus)
        remark(r, true, row, "words that tell a code from itself");
    else
        take(r, row, TEXT_OF_PAIR, code, versus, text);
}

/* Of a row of a matrix, or one of two codes and the words. */
static void read_pairs(struct file_reading *r, const struct block *b, const struct file_row *row)
{
    const struct file_row *header = &r->rows.at[b->header];
    struct span list = list_of_row(r, b, row), text = cell(row, b->text);

    if (list.ptr == NULL)
        return;
    for (size_t c = 1; c < row->n && b->kind == MATRIX; c++)
        if (!says_nothing(row->cells[c]))
            read_pair(r, row, list, row->cells[0], cell(header, c), row->cells[c]);
    if (b->kind == PAIRS && says_nothing(text))
        remark(r, true, row, "no rule");
    else if (b->kind == PAIRS)
        read_pair(r, row, list, cell(row, b->code), cell(row, b->versus), text);
}

static void read_block(struct file_reading *r, struct block *b)
{
    const struct file_row *header = &r->rows.at[b->header];
    bool says_columns = b->facet != SIZE_MAX || b->kind == PAIRS;

    if (b->facet == SIZE_MAX && b->header > 0)
        b->list = list_of_title(r->book, &r->rows.at[b->header - 1]);
    /* By its codes, where no title says it. */
    size_t best = 0, most, code;
    for (size_t l = 0; l < r->book->n_lists && b->facet == SIZE_MAX && (b->list.ptr == NULL || best > 0); l++) {
        (void)code_column(r, b, r->book->lists[l], &most);
        b->list = most > best ? r->book->lists[l] : b->list;
        best = most > best ? most : best;
    }
    if (best > 0)
        remark(r, false, header, "no title names a facet; by its codes the table is about '%.*s'", SPAN_ARG(b->list));
    b->code = says_columns        ? column_of(header, "code", "name")
              : b->kind == MATRIX ? 0
                                  : code_column(r, b, b->list, &most);
    b->category = says_columns ? column_of(header, "category", NULL) : SIZE_MAX;
    for (size_t c = 0; c < header->n && !says_columns && b->list.ptr != NULL && b->category == SIZE_MAX; c++)
        for (size_t i = b->header + 1; i < b->end && c != b->text && c != b->code && b->category == SIZE_MAX; i++)
            b->category = is_category(r, b->list, cell(&r->rows.at[i], c), &code) ? c : SIZE_MAX;
    for (size_t i = b->header + 1; i < b->end; i++) {
        const struct file_row *row = &r->rows.at[i];
        if (b->kind == DEFINITIONS)
            read_definition(r, b, row);
        else
            read_pairs(r, b, row);
    }
}

static size_t read_blocks(struct file_reading *r)
{
    struct block now = {0};
    size_t n = 0;

    for (size_t i = 0; i < r->rows.n; i++) {
        struct block next = block_at(r, i);
        if (next.kind == NO_BLOCK)
            continue;
        if (n++ > 0) {
            /* The row in front of another header is its title if it names a list, and no code. */
            const struct file_row *title = &r->rows.at[i - 1];
            struct span list = list_of_title(r->book, title);
            bool is_title = i - 1 > now.header && list.ptr != NULL && !is_code(r->book, list, cell(title, 0));
            now.end = is_title ? i - 1 : i;
            read_block(r, &now);
        }
        now = next;
    }
    now.end = r->rows.n;
    if (n > 0)
        read_block(r, &now);
    return n;
}

enum status codebook_file_read(struct codebook_file *out, struct span content, const char *name, const char *encoding,
                               const struct codebook *book, struct err *e)
{
    struct file_reading r = {.out = out, .book = book};
    struct text_numbers_entry *entry;
    struct row_reader rows;

    *out = (struct codebook_file){0};
    enum status status = rows_open(&rows, content, name, "codebook", encoding, e);
    while (status == ST_OK && (status = rows_next(&rows, e)) == ST_OK) {
        struct file_row kept = {.number = rows.row.number, .n = rows.row.n_fields};
        if (row_is_blank(&rows.row))
            continue;
        if (kept.n > COLUMNS_MAX || r.rows.n >= ROWS_MAX)
            status = err_set(e, ST_INPUT, "%s:%zu: more than %d columns or %d rows", name, kept.number, COLUMNS_MAX,
                             ROWS_MAX);
        kept.cells = arena_alloc(&out->arena, (kept.n + 1) * sizeof *kept.cells);
        for (size_t i = 0; i < kept.n; i++)
            kept.cells[i] = arena_copy(&out->arena, span_trim(rows.row.fields[i]));
        array_add(&r.rows, kept);
    }
    status = status == ST_NO ? ST_OK : status;
    rows_close(&rows);
    for (size_t i = 0; i < book->n_codes; i++) {
        const struct code *code = &book->codes[i];
        struct span key = category_key(&r.key, code->facet, code->category);
        if (code->category.len > 0 && text_numbers_add(&r.categories, key, &entry)) {
            entry->key = arena_copy(&out->arena, key);
            entry->value = i;
        }
    }
    if (status == ST_OK && read_blocks(&r) == 0)
        status = err_set(e, ST_INPUT,
                         "%s: has no definitions and no guide; expected a table with a column 'definition' or"
                         " 'description', or a matrix whose first row and first column name codes of the study",
                         name);
    array_clear(&r.rows);
    text_numbers_clear(&r.categories);
    said_map_clear(&r.said);
    buf_clear(&r.key);
    return status;
}

void codebook_file_clear(struct codebook_file *f)
{
    array_clear(&f->texts);
    array_clear(&f->left_out);
    array_clear(&f->doubts);
    arena_clear(&f->arena);
}
