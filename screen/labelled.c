/* labelled: reads texts whose answers are known. */
#include "screen/labelled.h"
#include "label/facets.h"
#include "label/rows.h"

enum column { COLUMN_ID, COLUMN_TITLE, COLUMN_BODY, COLUMN_INCLUDED, COLUMNS };

static const char *const names[COLUMNS] = {"id", "title", "body", "included"};

/* The place of each column in the header line. */
static enum status MUST_USE read_header(struct row_reader *r, size_t places[COLUMNS], size_t *n_columns, struct err *e)
{
    enum status status = rows_next(r, e);

    if (status == ST_NO)
        return err_set(e, ST_INPUT, "%s: empty; the first line names the columns id, title, body and included",
                       r->name);
    for (size_t i = 0; i < COLUMNS && status == ST_OK; i++) {
        places[i] = SIZE_MAX;
        for (size_t k = 0; k < r->row.n_fields; k++) {
            if (!row_name_is(r->row.fields[k], names[i]))
                continue;
            if (places[i] != SIZE_MAX)
                return err_set(e, ST_INPUT, "%s:%zu: there are two columns '%s'", r->name, r->row.number, names[i]);
            places[i] = k;
        }
        if (places[i] == SIZE_MAX)
            return err_set(e, ST_INPUT, "%s:%zu: there is no column '%s'; expected id, title, body and included",
                           r->name, r->row.number, names[i]);
    }
    *n_columns = r->row.n_fields;
    return status;
}

static struct span field(const struct row_reader *r, size_t place)
{
    return place < r->row.n_fields ? r->row.fields[place] : SPAN("");
}

static enum status MUST_USE add_row(struct labelled *l, const struct row_reader *r, const size_t places[COLUMNS],
                                    struct err *e)
{
    struct span answer = span_trim(field(r, places[COLUMN_INCLUDED]));
    bool included;

    if (!facet_yes_no(r->csv.delimiter, answer, &included))
        return err_set(e, ST_INPUT, "%s:%zu: included is '%.*s'; expected 1 or 0", r->name, r->row.number,
                       (int)(answer.len < 40 ? answer.len : 40), answer.ptr);
    if (l->texts.n == LABELLED_TEXTS_MAX)
        return err_set(e, ST_INPUT, "%s:%zu: more than %d texts", r->name, r->row.number, LABELLED_TEXTS_MAX);
    array_add(&l->texts, (struct screen_text){.title = arena_copy(&l->arena, field(r, places[COLUMN_TITLE])),
                                              .body = arena_copy(&l->arena, field(r, places[COLUMN_BODY]))});
    array_add(&l->ids, arena_copy(&l->arena, field(r, places[COLUMN_ID])));
    array_add(&l->included, included);
    l->n_included += included;
    return ST_OK;
}

enum status labelled_read(struct labelled *out, const char *path, struct err *e)
{
    struct row_reader r;
    size_t places[COLUMNS] = {0}, n_columns = 0;

    *out = (struct labelled){0};
    enum status status = rows_open_file(&r, path, LABELLED_BYTES_MAX, NULL, NULL, e);
    THEN(status, read_header(&r, places, &n_columns, e));
    while (status == ST_OK) {
        status = rows_next(&r, e);
        if (status == ST_OK && (r.row.n_fields > n_columns || (r.workbook == NULL && r.row.n_fields < n_columns)))
            status = err_set(e, ST_INPUT, "%s:%zu: %zu fields under a header of %zu columns", r.name, r.row.number,
                             r.row.n_fields, n_columns);
        THEN(status, add_row(out, &r, places, e));
    }
    if (status == ST_NO)
        status = out->texts.n > 0 ? ST_OK : err_set(e, ST_INPUT, "%s: there are no texts under the header", r.name);
    rows_close(&r);
    return status;
}

void labelled_clear(struct labelled *l)
{
    array_clear(&l->texts);
    array_clear(&l->ids);
    array_clear(&l->included);
    arena_clear(&l->arena);
}

/* --- the prior --- */

/* The likeness of each row to the texts of one answer; 0 when there are none. */
static enum status MUST_USE likeness_to(const struct labelled *l, bool included, const struct screen_matrix *m,
                                        const struct screen_reading *reading, float *values, struct err *e)
{
    AT_END(array_end) struct ARRAY_OF(struct screen_text) texts = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < l->texts.n; i++)
        if (l->included.at[i] == included)
            array_add(&texts, l->texts.at[i]);
    if (texts.n > 0)
        status = screen_likeness(m, reading, texts.at, texts.n, values, e);
    return status;
}

enum status labelled_prior(const char *path, const struct screen_matrix *m, const struct screen_reading *reading,
                           struct screen_prior **out, struct err *e)
{
    size_t n = screen_matrix_rows(m);
    AT_END(mem_end) float *like = mem_zero(n + 1, sizeof *like), *unlike = mem_zero(n + 1, sizeof *unlike);
    AT_END(labelled_clear) struct labelled l;
    enum status status = labelled_read(&l, path, e);

    *out = NULL;
    if (status == ST_OK && l.n_included == 0)
        status = err_set(e, ST_INPUT, "%s: no text is included, so there is nothing to learn from", path);
    THEN(status, likeness_to(&l, true, m, reading, like, e));
    THEN(status, likeness_to(&l, false, m, reading, unlike, e));
    for (size_t i = 0; i < n; i++)
        like[i] -= unlike[i];
    if (status == ST_OK)
        *out = screen_prior_new(like, n);
    return status;
}
