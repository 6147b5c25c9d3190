/* agreement: how far coders agree, with the posts on which they do not. */
#include "report/report.h"
#include "web/figures.h"

static enum status MUST_USE add_segments(struct visit *v, const struct report_agreement *wanted,
                                         struct table_list *tables, struct err *e)
{
    struct db_disputes posts = {0};
    const struct report_rated rated = {0};
    enum status status = db_segments_read(v->worker->db, DB_SAID, 0, &posts, e);

    if (status == ST_OK)
        report_segments(tables, &posts, &rated, wanted);
    db_disputes_clear(&posts);
    return status;
}

/* ST_NO when no two coders coded anything in common. */
static enum status MUST_USE fill(struct visit *v, const struct report_agreement *wanted, struct table_list *tables,
                                 struct err *e)
{
    struct report_ratings *ratings = mem_zero(FACETS_MAX, sizeof *ratings);
    const struct report_rated rated = {0};
    const struct facets *facets = NULL;
    size_t n_spelled[FACETS_MAX] = {0};
    enum status status = db_facets(v->worker->db, &facets, e);

    if (status == ST_OK)
        status = report_ratings_load(ratings, v->worker->db, 0, facets->n, &rated, n_spelled, e);
    bool common = status == ST_OK && report_agree(tables, ratings, facets->n, wanted);
    if (status == ST_OK && wanted->segments)
        status = add_segments(v, wanted, tables, e);
    if (status == ST_OK && wanted->segments)
        status = report_drift(tables, v->worker->db, 0, facets->n, e);
    for (size_t i = 0; i < FACETS_MAX; i++)
        report_ratings_clear(&ratings[i]);
    mem_free(ratings);
    return status == ST_OK && !common ? ST_NO : status;
}

static const struct report_agreement everything = {.confusion = true, .per_code = true, .segments = true};

/* --- a cell of a confusion matrix --- */

static bool read_place(const struct visit *v, const char *name, size_t *out)
{
    uint64_t value;
    bool read = span_u64(field_of(&v->query, name), UINT16_MAX, &value);

    *out = read ? (size_t)value : 0;
    return read;
}

/* The problems that a cell of a confusion matrix counts. */
static void show_cell(struct visit *v)
{
    static const struct report_agreement wanted = {.confusion = true, .disagreements = true};
    struct table_list tables = {0};
    size_t pair, row, column;
    bool known = read_place(v, "pair", &pair) && read_place(v, "row", &row) && read_place(v, "column", &column);
    enum status status = fill(v, &wanted, &tables, &v->error);

    if (status == ST_OK || status == ST_NO) {
        page_begin(v, "Where two coders disagree", "agreement");
        known = known && heatmap_list(v->out, &tables, pair, row, column);
        page_end(v);
        if (!known)
            answer_refuse(v, 404, "There is no such cell.");
    } else {
        answer_fault(v, status);
    }
    table_list_clear(&tables);
}

/* --- all figures --- */

/* The confusion matrices as maps that can be clicked into. */
static void add_tables(struct figures *f)
{
    size_t pair = 0;

    for (size_t i = 0; i < f->tables.n; i++) {
        const struct table *t = f->tables.tables[i];
        if (table_rows(t) == 0)
            continue;
        if (!heatmap_is_one(t)) {
            figures_add(f, t);
            continue;
        }
        heatmap_add(f->v->out, t, pair++);
        figures_add_files(f, t);
    }
}

static void show_all(struct visit *v, void (*show)(struct figures *f))
{
    struct figures f = {.v = v, .path = "/agreement", .draws = true};
    enum status status = fill(v, &everything, &f.tables, &v->error);

    if (status != ST_OK && status != ST_NO) {
        answer_fault(v, status);
    } else if (show != NULL) {
        show(&f);
    } else {
        page_begin(v, "Agreement", "agreement");
        figures_add_settled(v);
        if (status == ST_NO)
            buf_add_text(v->out, "<p>No post was coded by two coders.</p>\n");
        add_tables(&f);
        page_end(v);
    }
    table_list_clear(&f.tables);
}

void agreement_page(struct visit *v)
{
    if (!settling_must_be_open(v, "Agreement", "agreement"))
        return;
    if (field_of(&v->query, "pair").len > 0)
        show_cell(v);
    else
        show_all(v, NULL);
}

void agreement_file(struct visit *v)
{
    if (settling_must_be_open(v, "Agreement", "agreement"))
        show_all(v, figures_send);
}
