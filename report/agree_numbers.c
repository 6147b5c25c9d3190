/* agree_numbers: the table of how far coders agree on numbers. */
#include "report/report.h"

#include <math.h>

static void add_row(struct table *t, const struct report_ratings *r, const char *measure, size_t subjects, double value,
                    double low, double high, enum agreement_reason reason)
{
    table_add_row(t, table_text(span_of(r->facet)), table_text(span_of(measure)), table_int((int64_t)r->n_coders),
                  table_int((int64_t)subjects), table_real(value), table_real(low), table_real(high),
                  table_text(span_of(agreement_words(reason))));
}

/* A facet's ratings as a matrix, subject by subject: the places of values, -1 for none. */
static int32_t *matrix_of(const struct report_ratings *r)
{
    size_t n = r->n_subjects * r->n_coders;
    int32_t *cells = mem_zero(n + 1, sizeof *cells);

    for (size_t i = 0; i < n; i++)
        cells[i] = -1;
    for (size_t i = 0; i < r->n_ratings; i++)
        cells[r->ratings[i].subject * r->n_coders + r->ratings[i].coder] = r->sets[r->ratings[i].set].codes[0];
    return cells;
}

static const struct {
    unsigned facet; /* enum facet_measure */
    enum agreement_scale scale;
    const char *name;
} alphas[] = {
    {FACET_ALPHA, SCALE_QUADRATIC, "Krippendorff's alpha"},
    {FACET_ALPHA_ORDINAL, SCALE_ORDINAL, "Krippendorff's alpha, ordinal"},
    {FACET_ALPHA_RATIO, SCALE_RATIO, "Krippendorff's alpha, ratio"},
};

static void add_icc(struct table *t, const struct report_ratings *r, const int32_t *cells, const double *values)
{
    size_t n = r->n_subjects * r->n_coders;
    AT_END(mem_end) double *numbers = mem_zero(n + 1, sizeof *numbers);
    struct icc icc;

    for (size_t i = 0; i < n; i++)
        numbers[i] = cells[i] < 0 ? NAN : values[cells[i]];
    icc_single(numbers, r->n_subjects, r->n_coders, 0.95, &icc);
    add_row(t, r, "ICC(2,1)", icc.n_items, icc.icc, icc.low, icc.high, icc.reason);
}

static bool rated_twice(const struct report_ratings *r, const int32_t *cells)
{
    for (size_t i = 0; i < r->n_subjects; i++) {
        size_t n = 0;
        for (size_t k = 0; k < r->n_coders; k++)
            n += cells[i * r->n_coders + k] >= 0;
        if (n > 1)
            return true;
    }
    return false;
}

bool report_agree_numbers(struct table_list *r, const struct report_ratings *ratings, size_t n_ratings,
                          const struct report_agreement *wanted)
{
    struct table *t = NULL;
    bool common = false;

    for (size_t i = 0; i < n_ratings; i++) {
        const struct report_ratings *of = &ratings[i];
        if (!of->numbers || of->n_coders < 2)
            continue;
        int32_t *cells = matrix_of(of);
        AT_END(mem_end) double *values = mem_zero(of->n_codes + 1, sizeof *values);
        for (size_t k = 0; k < of->n_codes; k++)
            values[k] = facet_number(of->codes[k]);
        if (t == NULL) {
            t = table_list_add(r, "number-agreement", "Agreement on numbers");
            table_columns(t, "facet; measure; coders int; subjects int; value real; low real = 95%% from; "
                             "high real = to; undefined");
        }
        unsigned measures = wanted->with.ptr != NULL ? FACET_ALPHA
                            : wanted->measures != 0  ? wanted->measures
                                                     : of->measures;
        for (size_t k = 0; k < ARRAY_LEN(alphas); k++)
            if ((measures & alphas[k].facet) != 0) {
                struct ratings codes = {of->n_subjects, of->n_coders, of->n_codes, cells};
                struct coefficient a;
                agreement_of(&codes, AGREEMENT_ALPHA, alphas[k].scale, values, &a);
                add_row(t, of, alphas[k].name, (size_t)a.n_items, a.value, a.low, a.high, a.reason);
            }
        if ((measures & FACET_ICC) != 0)
            add_icc(t, of, cells, values);
        common |= rated_twice(of, cells);
        mem_free(cells);
    }
    if (t != NULL)
        table_note(t, "Krippendorff's alpha: with the difference squared as distance; score interval."
                      " ICC(2,1): absolute agreement of one coder, of subjects that every coder rated;"
                      " interval of McGraw and Wong (1996).");
    return common;
}
