/* crosstab: two facets against each other, and tests of their independence. */
#include "report/tables.h"

/* Counts without rows and columns that are empty, which no test can take. */
struct crosstab {
    uint64_t *counts;
    size_t *rows, *columns; /* places in the data */
    size_t n_rows, n_columns;
};

static void crosstab_clear(struct crosstab *x)
{
    mem_free(x->counts);
    mem_free(x->rows);
    mem_free(x->columns);
}

/* The counts of a statistic: categories or codes of two facets. */
struct source {
    const struct report_data *data;
    const struct report_statistic *what;
    const uint64_t *counts;
    size_t n_rows, n_columns;
};

static struct source source_of(const struct tables *s, const struct report_statistic *what)
{
    const struct pairs *pairs = &s->counts->pairs[what - s->plan->items];

    return (struct source){s->data, what, pairs->counts, pairs->n_rows, pairs->n_columns};
}

/* Of a row, or a column. */
static struct span name_of(const struct source *from, bool row, size_t place)
{
    return line_at(from->data, row ? from->what->rows_by_code : from->what->columns_by_code, place).name;
}

static bool is_counted(const struct source *from, bool row, size_t place, bool unknown_too)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < (row ? from->n_columns : from->n_rows); i++)
        if (unknown_too || !is_unknown(name_of(from, !row, i)))
            sum += from->counts[row ? place * from->n_columns + i : i * from->n_columns + place];
    return sum > 0 && (unknown_too || !is_unknown(name_of(from, row, place)));
}

static void crosstab_make(struct crosstab *x, const struct source *from, bool unknown_too)
{
    *x = (struct crosstab){.rows = mem_zero(from->n_rows + 1, sizeof *x->rows),
                           .columns = mem_zero(from->n_columns + 1, sizeof *x->columns)};
    for (size_t i = 0; i < from->n_rows; i++)
        if (is_counted(from, true, i, unknown_too))
            x->rows[x->n_rows++] = i;
    for (size_t i = 0; i < from->n_columns; i++)
        if (is_counted(from, false, i, unknown_too))
            x->columns[x->n_columns++] = i;
    x->counts = mem_zero(x->n_rows * x->n_columns + 1, sizeof *x->counts);
    for (size_t i = 0; i < x->n_rows; i++)
        for (size_t k = 0; k < x->n_columns; k++)
            x->counts[i * x->n_columns + k] = from->counts[x->rows[i] * from->n_columns + x->columns[k]];
}

void add_cross_tables(const struct tables *s, const struct report_statistic *what)
{
    struct source from = source_of(s, what);
    const struct facet *rows = &s->data->facets->items[what->rows];
    AT_END(crosstab_clear) struct crosstab x;
    struct table *t = table_list_add(s->report, what->id, what->title);

    crosstab_make(&x, &from, true);
    table_column_add(t, rows->name.ptr, NULL, TABLE_TEXT);
    for (size_t k = 0; k < x.n_columns; k++)
        table_column_add_span(t, name_of(&from, false, x.columns[k]),
                              what->columns_by_code ? s->data->codes[x.columns[k]].short_name : (struct span){0},
                              TABLE_INT);
    table_column_add(t, "total", NULL, TABLE_INT);
    for (size_t i = 0; i < x.n_rows; i++) {
        int64_t total = 0;
        table_add_text(t, name_of(&from, true, x.rows[i]));
        for (size_t k = 0; k < x.n_columns; k++) {
            table_add_int(t, (int64_t)x.counts[i * x.n_columns + k]);
            total += (int64_t)x.counts[i * x.n_columns + k];
        }
        table_add_int(t, total);
    }
    if (rows->most > 1)
        table_note(t, "By the first %s of each problem.", rows->name.ptr);
    table_note(t, "See the table of tests.");
}

/* --- tests --- */

enum { ENUMERATED_MAX = 100000, SAMPLES_MAX = 10000, SAMPLES_MIN = 1000, DRAWS_MAX = 10000000 };

static void add_test(struct table *t, const struct tables *s, const struct source *from, const char *what,
                     bool unknown_too)
{
    AT_END(crosstab_clear) struct crosstab x;
    struct chi_square c;

    crosstab_make(&x, from, unknown_too);
    chi_square_test(x.counts, x.n_rows, x.n_columns, &c, NULL);
    bool ok = c.reason == STATISTIC_OK;
    table_add_row(t, table_text(span_of(what)), table_int((int64_t)c.n), ok ? table_int((int64_t)c.df) : table_absent(),
                  table_real(c.statistic), table_real(c.p), table_real(c.cramers_v), table_real(c.cramers_v_corrected),
                  ok ? table_int((int64_t)c.n_expected_below_5) : table_absent());
    /* Cochran's rule: no expected count below 1, and at most a fifth below 5. */
    if (!ok || (c.expected_min >= 1 && 5 * c.n_expected_below_5 <= x.n_rows * x.n_columns)) {
        table_add_row(t, table_absent(), table_absent(),
                      table_text(ok ? SPAN("chi-square") : span_of(statistic_words(c.reason))));
        return;
    }
    uint64_t samples = DRAWS_MAX / (c.n + 1);
    struct fisher_plan plan = {.seed = s->wanted->seed, .max_tables = ENUMERATED_MAX};
    struct fisher f;

    samples = samples > SAMPLES_MAX ? SAMPLES_MAX : samples;
    plan.n_samples = samples < SAMPLES_MIN ? SAMPLES_MIN : samples;
    fisher_exact(x.counts, x.n_rows, x.n_columns, &plan, &f);
    bool sampled = f.reason == STATISTIC_OK && f.method == FISHER_MONTE_CARLO;
    struct span method = f.method == FISHER_EXACT ? SPAN("Fisher") : SPAN("Fisher, sampled");
    table_add_row(t, table_real(f.p), sampled ? table_int((int64_t)f.n_tables) : table_absent(),
                  table_text(f.reason == STATISTIC_OK ? method : span_of(statistic_words(f.reason))));
}

static bool list_has_unknown(const struct report_data *d, size_t facet, bool by_code)
{
    for (size_t i = 0; i < lines_of(d, by_code); i++)
        if (line_at(d, by_code, i).list == d->facets->items[facet].list && is_unknown(line_at(d, by_code, i).name))
            return true;
    return false;
}

bool tests_without_unknown(const struct report_data *d, const struct report_statistic *what)
{
    return list_has_unknown(d, what->rows, what->rows_by_code) ||
           list_has_unknown(d, what->columns, what->columns_by_code);
}

void add_tests(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    const struct facet *f = s->data->facets->items;
    AT_END(buf_clear) struct buf names = {0};

    table_columns(t, "tables; n int; df int; chi_square real = chi-square; chi_square_p p = p; "
                     "cramers_v real = Cramér's V; cramers_v_corrected real = corrected V; "
                     "expected_below_5 int = cells < 5; fisher_p p = Fisher's p; fisher_samples int = sampled; used");
    for (size_t i = 0; i < s->plan->n; i++) {
        const struct report_statistic *of = &s->plan->items[i];
        struct source from = source_of(s, of);
        if (of->kind != REPORT_CROSSTAB)
            continue;
        /* "symptom x root cause category"; "root cause category x introducing stage" */
        bool categories = !of->rows_by_code && !of->columns_by_code;
        buf_reset(&names);
        buf_addf(&names, "%s%s x %s%s", f[of->rows].name.ptr, of->rows_by_code || categories ? "" : " category",
                 f[of->columns].name.ptr, of->columns_by_code ? "" : " category");
        add_test(t, s, &from, buf_cstr(&names), true);
        buf_add_text(&names, ", without unknown");
        if (tests_without_unknown(s->data, of))
            add_test(t, s, &from, buf_cstr(&names), false);
    }
    table_note(t,
               "Rows and columns that are all 0 are left out. Fisher's test (Freeman-Halton) where an expected count is"
               " below 1 or more than a fifth are below 5; where there are too many tables to enumerate, p is estimated"
               " from sampled ones, seed %llu. Corrected V: Bergsma.",
               (unsigned long long)s->wanted->seed);
}
