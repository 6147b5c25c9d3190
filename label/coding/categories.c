/* categories: reads and changes categories.csv, the definitions of the codebook's categories. */
#include "label/coding/categories.h"

#include "db/study.h"

#define FILE_NAME "categories.csv"
#define KEY "%zu %.*s%.*s" /* of the facet and the name */

static const char *const names[CATEGORY_CELLS] = {"facet", "category", "definition"};

struct csv_row *categories_find(const struct categories *c, struct span facet, struct span name)
{
    AT_END(buf_clear) struct buf key = {0};

    buf_addf(&key, KEY, facet.len, SPAN_ARG(facet), SPAN_ARG(name));
    const struct text_numbers_entry *place = text_numbers_find(&c->places, buf_span(&key));
    return place != NULL ? &c->rows.items.at[place->value] : NULL;
}

/* False: the category has a row. */
static bool add_place(struct categories *c, const struct csv_row *row, size_t place)
{
    struct text_numbers_entry *entry;
    struct span facet = row->cells[CATEGORY_FACET], name = row->cells[CATEGORY_NAME];
    struct span key = arena_addf(&c->rows.arena, KEY, facet.len, SPAN_ARG(facet), SPAN_ARG(name));
    bool is_new = text_numbers_add(&c->places, key, &entry);

    entry->value = is_new ? place : entry->value;
    return is_new;
}

void categories_clear(struct categories *c)
{
    csv_rows_clear(&c->rows);
    text_numbers_clear(&c->places);
}

enum status categories_read(struct categories *out, struct span content, struct err *e)
{
    *out = (struct categories){.places = {0}};
    enum status status = csv_rows_read(&out->rows, content, FILE_NAME, names, CATEGORY_CELLS, e);

    for (size_t i = 0; i < out->rows.items.n && status == ST_OK; i++) {
        const struct csv_row *row = &out->rows.items.at[i];
        if (row->cells[CATEGORY_FACET].len == 0 || row->cells[CATEGORY_NAME].len == 0)
            status = err_set(e, ST_INPUT, FILE_NAME ":%zu: expected a facet and a category", row->line);
        else if (!add_place(out, row, i))
            status = err_set(e, ST_INPUT, FILE_NAME ":%zu: the category occurs a second time", row->line);
    }
    return status;
}

enum status categories_check(struct span content, struct err *e)
{
    AT_END(categories_clear) struct categories c;
    return categories_read(&c, content, e);
}

enum status categories_of_db(struct categories *out, struct db *db, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    enum status status = db_study_file_read(db, FILE_NAME, &content, e);

    *out = (struct categories){.places = {0}};
    return status == ST_OK ? categories_read(out, content.len > 0 ? buf_span(&content) : (struct span){0}, e) : status;
}

static size_t take_texts(struct categories *c, const struct codebook *book, const struct codebook_file *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->texts.n; i++) {
        const struct codebook_text *text = &f->texts.at[i];
        const struct code *code = &book->codes[text->code];
        struct csv_row *row = categories_find(c, code->facet, code->category);
        if (text->kind != TEXT_OF_CATEGORY || (row != NULL && span_eq(row->cells[CATEGORY_DEFINITION], text->text)))
            continue;
        n++;
        if (row == NULL) {
            struct span *cells = arena_alloc(&c->rows.arena, CATEGORY_CELLS * sizeof *cells);
            cells[CATEGORY_FACET] = code->facet;
            cells[CATEGORY_NAME] = code->category;
            array_add(&c->rows.items, ((struct csv_row){0, cells}));
            row = &c->rows.items.at[c->rows.items.n - 1];
            (void)add_place(c, row, c->rows.items.n - 1);
        }
        row->cells[CATEGORY_DEFINITION] = text->text;
    }
    return n;
}

enum status categories_take(struct db *db, const struct codebook *book, const struct codebook_file *f, struct span by,
                            struct span why, size_t *n, struct err *e)
{
    AT_END(categories_clear) struct categories c;
    AT_END(buf_clear) struct buf before = {0}, after = {0};
    enum status status = categories_of_db(&c, db, e);
    THEN(status, db_study_file_read(db, FILE_NAME, &before, e));
    size_t taken = status == ST_OK ? take_texts(&c, book, f) : 0;

    if (taken > 0) {
        buf_add_text(&after, "facet,category,definition\n");
        for (size_t i = 0; i < c.rows.items.n; i++)
            for (size_t cell = 0; cell < CATEGORY_CELLS; cell++) {
                buf_add_csv_raw(&after, c.rows.items.at[i].cells[cell]);
                buf_add_char(&after, cell + 1 < CATEGORY_CELLS ? ',' : '\n');
            }
        const struct db_study_change change = {.changed_by = by,
                                               .file = SPAN(FILE_NAME),
                                               .reason = why,
                                               .before = before.len > 0 ? buf_span(&before) : (struct span){0},
                                               .after = buf_span(&after)};
        status = db_study_file_put(db, change.file, change.after, e);
        THEN(status, db_study_change_put(db, &change, e));
    }
    *n += taken;
    return status;
}
