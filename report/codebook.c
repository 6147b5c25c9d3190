/* codebook: the codes as papers append them: defined, counted, with examples, and how far coders agreed on each. */
#include "report/tables.h"

#include <math.h>

enum { EXAMPLES = 3 };

/* Whether a label is the code's. */
static bool has_code(const struct report_codes *codes, int32_t code)
{
    for (size_t i = 0; i < codes->n; i++)
        if (codes->at[i] == code)
            return true;
    return false;
}

/* Specific agreement on a code, for any number of coders and with missing labels: of the pairs of labels of one subject
 * of which one has the code, the share in which the other has it too. For two coders it is Dice's coefficient (Fleiss,
 * Biometrics 31(3), 1975; for more coders, Uebersax, 1982). NAN: no two coders looked at a subject with it. */
static double specific_agreement(const struct report_ratings *r, struct span code)
{
    int32_t place = (int32_t)span_among(code, r->codes, r->n_codes);
    AT_END(mem_end)
    size_t *with = mem_zero(r->n_subjects + 1, sizeof *with), *labels = mem_zero(r->n_subjects + 1, sizeof *labels);
    double both = 0, pairs = 0;

    for (size_t i = 0; i < r->n_ratings; i++) {
        const struct report_set *set = &r->sets[r->ratings[i].set];
        labels[r->ratings[i].subject]++;
        with[r->ratings[i].subject] += has_code(&(struct report_codes){set->codes, set->n}, place);
    }
    for (size_t s = 0; s < r->n_subjects; s++)
        if (with[s] > 0) {
            both += (double)with[s] * (double)(with[s] - 1);
            pairs += (double)with[s] * (double)(labels[s] - 1);
        }
    return pairs > 0 ? both / pairs : NAN;
}

static void add_rows(struct table *t, const struct report_data *d, const struct codebook *book, size_t facet,
                     const struct report_ratings *ratings, double confidence)
{
    size_t list = d->facets->items[facet].list;

    for (size_t i = 0; i < d->n_codes; i++) {
        const struct report_code *code = &d->codes[i];
        if (code->list != list || code->retired)
            continue;
        struct span category = d->categories[code->category].name, definition = {0};
        for (size_t k = 0; k < book->n_codes && definition.len == 0; k++)
            if (span_eq(book->codes[k].facet, d->facets->lists[list]) && span_eq(book->codes[k].name, code->name))
                definition = book->codes[k].definition;
        table_add_row(t, table_text(d->facets->items[facet].name), table_some(category), table_text(code->name),
                      table_some(definition));
        /* The count with its share of the labelled problems, and the first problems. */
        AT_END(buf_clear) struct buf examples = {0};
        int64_t n = 0, labelled = 0;
        for (size_t k = 0; k < d->n_problems; k++) {
            const struct report_codes *codes = &d->problems[k].of[facet];
            labelled += codes->n > 0;
            if (has_code(codes, (int32_t)i) && n++ < EXAMPLES)
                buf_addf(&examples, "%s%.*s", examples.len > 0 ? " " : "", SPAN_ARG(d->problems[k].problem_id));
        }
        add_share(t, n, labelled, confidence);
        table_add_row(t, table_some(buf_span(&examples)));
        table_add_real(t, specific_agreement(ratings, code->name));
    }
}

enum status report_codebook(struct table_list *r, struct db *db, const struct codebook *book, size_t list,
                            double confidence, struct err *e)
{
    AT_END(report_data_clear) struct report_data d = {0};
    struct report_ratings ratings[FACETS_MAX] = {0};
    size_t n_spelled[FACETS_MAX] = {0}, n = 0;
    AT_END(buf_clear) struct buf words = {0};
    enum status status = report_data_load(&d, db, e);

    if (status == ST_OK) {
        n = d.facets->n;
        status = report_ratings_load(ratings, db, 0, n, &(struct report_rated){.ignore_spelling = true}, n_spelled, e);
    }
    struct table *t = table_list_add(r, "codebook-report", "Codebook");
    table_columns(t, "facet; category; code; definition");
    t->columns[t->n_columns - 1].prose = true;
    share_columns(t, "", "n", confidence);
    table_columns(t, "examples; agreement real");
    table_note(t,
               "Share: of the problems that have a label of the facet. Agreement: of pairs of labels of which one has"
               " the code, the share in which both have it. Codes that are no longer given are left out.");
    for (size_t i = 0; i < n && status == ST_OK; i++)
        if (list == SIZE_MAX || d.facets->items[i].list == list)
            add_rows(t, &d, book, i, &ratings[i], confidence);
    if (status == ST_OK && d.settled != NULL)
        report_settled_add(&words, d.facets, d.settled, NULL, ". ");
    table_caveat(t, buf_span(&words));
    for (size_t i = 0; i < n; i++)
        report_ratings_clear(&ratings[i]);
    return status;
}
