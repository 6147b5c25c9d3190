/* agree: tables of how far coders agree. */
#include "report/report.h"

#include <math.h>

/* A facet's ratings as a matrix in which each different set of codes is one code. */
struct rated {
    const struct report_ratings *from;
    int32_t *sets;                   /* subject x coder, place in the array below or -1 */
    const struct report_set **codes; /* of each set, in their order */
    size_t n_sets;
    bool several, missing; /* somebody gave two codes; somebody left a subject out */
};

enum { KAPPA, MEASURES, YES_NO, CODERS, PER_CODE, DISAGREEMENTS, TABLES };

#define OF_PAIR "facet; coder_a = coder A; coder_b = coder B; "

static const struct {
    const char *id, *title, *columns;
} forms[TABLES] = {
    [KAPPA] = {"agreement", "Agreement of two coders: Cohen's kappa",
               OF_PAIR "n int; observed real; expected real; kappa real; low real = 95% from; high real = to; "
                       "undefined"},
    [MEASURES] = {"measures", "Other measures of two coders",
                  OF_PAIR "measure; n int; observed real; expected real; value real; low real = 95% from; "
                          "high real = to; undefined"},
    [YES_NO] = {"yes-no", "Who said yes",
                OF_PAIR "n int; both_yes int = both yes; both_no int = both no; only_a int = only A; "
                        "only_b int = only B"},
    [CODERS] = {"coders", "Agreement of all coders",
                "facet; measure; coders int; subjects int; left_out int = left out; value real; "
                "low real = 95% from; high real = to; undefined"},
    [PER_CODE] = {"per-code", "Agreement on each code",
                  OF_PAIR "code; both int; by_a int = by A; by_b int = by B; specific real; kappa real"},
    [DISAGREEMENTS] = {"disagreements", "Where coders disagree",
                       OF_PAIR "subject; code_a = code of A; code_b = code of B"},
};

struct agreeing {
    struct table_list *report;
    const struct report_agreement *wanted;
    struct table *tables[TABLES];         /* NULL: not wanted */
    bool common;                          /* something was rated twice */
    const struct report_ratings *several; /* the first of which two codes are possible */
};

/* The value of each set: its only code's place in the codebook, or the number that the code is. NULL: some have none,
 * so there is no order. */
static double *values_of(const struct rated *x)
{
    const struct report_ratings *r = x->from;
    double *values = mem_zero(x->n_sets + 1, sizeof *values);
    bool ordered = true;

    for (size_t i = 0; i < x->n_sets && ordered; i++) {
        size_t code = (size_t)x->codes[i]->codes[0];
        AT_END(buf_clear) struct buf kept = {0};
        bool number = r->n_ordered == 0 && facet_number_read(r->codes[code], &kept);
        values[i] = number ? facet_number(buf_span(&kept)) : (double)code;
        ordered = x->codes[i]->n == 1 && (number || code < r->n_ordered);
    }
    if (ordered)
        return values;
    mem_free(values);
    return NULL;
}

/* By their first codes, then by their second, none first. */
static int compare_sets(const void *a, const void *b)
{
    const struct report_set *x = *(const struct report_set *const *)a;
    const struct report_set *y = *(const struct report_set *const *)b;

    for (size_t i = 0; i < x->n && i < y->n; i++)
        if (x->codes[i] != y->codes[i])
            return x->codes[i] < y->codes[i] ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n);
}

static void rated_make(struct rated *x, const struct report_ratings *from)
{
    size_t n_cells = from->n_subjects * from->n_coders;
    AT_END(mem_end) int32_t *number = mem_zero(from->n_sets + 1, sizeof *number);

    *x = (struct rated){.from = from, .n_sets = from->n_sets};
    x->codes = mem_zero(from->n_sets + 1, sizeof(void *));
    for (size_t i = 0; i < from->n_sets; i++) {
        x->codes[i] = &from->sets[i];
        x->several |= from->sets[i].n > 1;
    }
    if (from->n_sets > 0)
        qsort(x->codes, from->n_sets, sizeof(void *), compare_sets);
    for (size_t i = 0; i < from->n_sets; i++)
        number[x->codes[i] - from->sets] = (int32_t)i;
    x->sets = mem_alloc((n_cells + 1) * sizeof *x->sets);
    for (size_t i = 0; i < n_cells; i++)
        x->sets[i] = -1;
    for (size_t i = 0; i < from->n_ratings; i++) {
        const struct report_rating *rating = &from->ratings[i];
        x->sets[rating->subject * from->n_coders + rating->coder] = number[rating->set];
    }
    for (size_t i = 0; i < n_cells && !x->missing; i++)
        x->missing = x->sets[i] < 0;
}

static void add_set_name(struct buf *out, const struct rated *x, size_t set)
{
    const struct report_set *codes = x->codes[set];

    for (size_t i = 0; i < codes->n; i++) {
        buf_add_text(out, i > 0 ? " + " : "");
        buf_add_span(out, x->from->codes[codes->codes[i]]);
    }
}

static void add_set(struct table *t, const struct rated *x, size_t set)
{
    AT_END(buf_clear) struct buf name = {0};

    add_set_name(&name, x, set);
    table_add_text(t, buf_span(&name));
}

static bool is_written(const struct report_ratings *r)
{
    return r->numbers || r->texts;
}

/* The pairs of one coder are asked for. */
static bool is_brief(const struct agreeing *g)
{
    return g->wanted->with.ptr != NULL;
}

/* What is asked for, or else what the facet asks for, as far as codes can have it. */
static bool wants(const struct agreeing *g, const struct report_ratings *r, unsigned measure)
{
    unsigned measures = r->measures != 0 ? r->measures : facet_measures_usual(FACET_CODES, r->most);

    if (g->wanted->measures != 0)
        measures = g->wanted->measures & facet_measures_possible(FACET_CODES, r->most);
    return !is_written(r) && (measures & measure) != 0;
}

/* --- two coders --- */

struct pair {
    const struct rated *rated;
    size_t a, b;
    uint64_t *matrix;
};

static void begin_row(struct table *t, const struct pair *p)
{
    table_add_row(t, table_text(span_of(p->rated->from->facet)), table_text(p->rated->from->coders[p->a]),
                  table_text(p->rated->from->coders[p->b]));
}

static struct table_cell reason_cell(enum agreement_reason reason)
{
    return table_text(span_of(agreement_words(reason)));
}

/* --- measures --- */

static const struct measure {
    unsigned facet; /* enum facet_measure */
    enum agreement_measure measure;
    enum agreement_scale scale;
    const char *name;
} all_measures[] = {
    {FACET_PERCENT, AGREEMENT_PERCENT, SCALE_NOMINAL, "percent agreement"},
    {FACET_AC1, AGREEMENT_AC1, SCALE_NOMINAL, "Gwet's AC1"},
    {FACET_AC2, AGREEMENT_AC1, SCALE_QUADRATIC, "Gwet's AC2, quadratic weights"},
    {FACET_PI, AGREEMENT_PI, SCALE_NOMINAL, "Scott's pi"},
    {FACET_PABAK, AGREEMENT_PABAK, SCALE_NOMINAL, "PABAK"},
    {FACET_KAPPA_LINEAR, AGREEMENT_KAPPA, SCALE_LINEAR, "kappa, linear weights"},
    {FACET_KAPPA_QUADRATIC, AGREEMENT_KAPPA, SCALE_QUADRATIC, "kappa, quadratic weights"},
    {FACET_ALPHA, AGREEMENT_ALPHA, SCALE_NOMINAL, "Krippendorff's alpha"},
    {FACET_ALPHA_ORDINAL, AGREEMENT_ALPHA, SCALE_ORDINAL, "Krippendorff's alpha, ordinal"},
    {FACET_ALPHA_RATIO, AGREEMENT_ALPHA, SCALE_RATIO, "Krippendorff's alpha, ratio"},
};

static void add_values(struct table *t, const struct coefficient *c)
{
    table_add_row(t, table_real(c->value), table_real(c->low), table_real(c->high), reason_cell(c->reason));
}

static void add_pair_measures(const struct agreeing *g, const struct pair *p)
{
    const struct report_ratings *from = p->rated->from;
    AT_END(mem_end) int32_t *codes = mem_zero(2 * from->n_subjects + 1, sizeof *codes); /* of the pair */
    AT_END(mem_end) double *values = values_of(p->rated);
    struct ratings r = {from->n_subjects, 2, p->rated->n_sets, codes};
    struct table *t = g->tables[MEASURES];
    struct coefficient c;

    for (size_t i = 0; i < from->n_subjects; i++) {
        codes[2 * i] = p->rated->sets[i * from->n_coders + p->a];
        codes[2 * i + 1] = p->rated->sets[i * from->n_coders + p->b];
    }
    for (size_t i = 0; i < ARRAY_LEN(all_measures); i++) {
        const struct measure *m = &all_measures[i];
        if (!wants(g, from, m->facet))
            continue;
        agreement_of(&r, m->measure, m->scale, values, &c);
        begin_row(t, p);
        /* Percent agreement expects nothing by chance. */
        table_add_row(t, table_text(span_of(m->name)), table_int((int64_t)c.n_items), table_real(c.observed),
                      table_real(m->measure == AGREEMENT_PERCENT ? NAN : c.expected));
        add_values(t, &c);
    }
}

/* The set that is this code alone, or SIZE_MAX. */
static size_t set_of(const struct rated *x, int32_t code)
{
    for (size_t i = 0; i < x->n_sets; i++)
        if (x->codes[i]->n == 1 && x->codes[i]->codes[0] == code)
            return i;
    return SIZE_MAX;
}

static int64_t count_at(const struct pair *p, int32_t a, int32_t b)
{
    size_t row = set_of(p->rated, a), column = set_of(p->rated, b);

    if (row == SIZE_MAX || column == SIZE_MAX)
        return 0;
    return (int64_t)p->matrix[row * p->rated->n_sets + column];
}

static void add_per_code(const struct agreeing *g, const struct pair *p)
{
    AT_END(mem_end) struct code_agreement *codes = mem_zero(p->rated->n_sets + 1, sizeof *codes);
    struct table *t = g->tables[PER_CODE];

    code_agreement(p->matrix, p->rated->n_sets, codes);
    for (size_t i = 0; i < p->rated->n_sets; i++) {
        if (codes[i].by_a + codes[i].by_b == 0)
            continue;
        begin_row(t, p);
        add_set(t, p->rated, i);
        table_add_row(t, table_int((int64_t)codes[i].both), table_int((int64_t)codes[i].by_a),
                      table_int((int64_t)codes[i].by_b), table_real(codes[i].specific), table_real(codes[i].kappa));
    }
}

/* The facet with '-' for blanks, and a number for pairs of coders after the first. */
static void add_id(struct buf *id, const struct pair *p)
{
    size_t number = 0;

    buf_add_text(id, "confusion-");
    for (const char *c = p->rated->from->facet; *c != '\0'; c++)
        buf_add_char(id, *c == ' ' ? '-' : *c);
    for (size_t a = 0; a <= p->a; a++)
        number += (a < p->a ? p->rated->from->n_coders - 1 : p->b) - a;
    if (number > 1)
        buf_addf(id, "-%zu", number);
}

static void add_confusion(const struct agreeing *g, const struct pair *p)
{
    const struct rated *x = p->rated;
    AT_END(mem_end)
    bool *rows = mem_zero(x->n_sets + 1, sizeof *rows), *columns = mem_zero(x->n_sets + 1, sizeof *columns);
    size_t n_left_out = 0;
    struct span a = x->from->coders[p->a], b = x->from->coders[p->b];
    AT_END(buf_clear) struct buf id = {0}, title = {0}, name = {0};

    /* All codes are shown, but of combinations of codes only those that occur. */
    for (size_t i = 0; i < x->n_sets; i++) {
        rows[i] = columns[i] = x->from->most < 2;
        for (size_t k = 0; k < x->n_sets; k++) {
            rows[i] |= p->matrix[i * x->n_sets + k] > 0;
            columns[i] |= p->matrix[k * x->n_sets + i] > 0;
        }
        n_left_out += !rows[i] && !columns[i];
    }
    add_id(&id, p);
    buf_addf(&title, "Confusion, %s: %.*s (rows) by %.*s (columns)", x->from->facet, SPAN_ARG(a), SPAN_ARG(b));
    struct table *t = table_list_add(g->report, buf_cstr(&id), buf_cstr(&title));
    table_column_add(t, "code", NULL, TABLE_TEXT);
    if (n_left_out > 0)
        table_note(t, "Left out: %zu that neither coder gave to what both coded.", n_left_out);
    for (size_t i = 0; i < x->n_sets; i++) {
        if (!columns[i])
            continue;
        buf_reset(&name);
        add_set_name(&name, x, i);
        table_column_add_span(t, buf_span(&name), (struct span){0}, TABLE_INT);
    }
    for (size_t i = 0; i < x->n_sets; i++) {
        if (!rows[i])
            continue;
        add_set(t, x, i);
        for (size_t k = 0; k < x->n_sets; k++)
            if (columns[k])
                table_add_int(t, (int64_t)p->matrix[i * x->n_sets + k]);
    }
}

static void add_disagreements(const struct agreeing *g, const struct pair *p)
{
    const struct rated *x = p->rated;
    struct table *t = g->tables[DISAGREEMENTS];

    for (size_t i = 0; i < x->from->n_subjects; i++) {
        const int32_t *row = x->sets + i * x->from->n_coders;
        if (row[p->a] < 0 || row[p->b] < 0 || row[p->a] == row[p->b])
            continue;
        begin_row(t, p);
        table_add_text(t, x->from->subjects[i]);
        add_set(t, x, (size_t)row[p->a]);
        add_set(t, x, (size_t)row[p->b]);
    }
}

/* Codes that are few, so that each pair of them can be counted; values that coders wrote are many. */
static void add_pair_of_codes(struct agreeing *g, struct pair *p)
{
    const struct rated *x = p->rated;
    struct ratings r = {x->from->n_subjects, x->from->n_coders, x->n_sets, x->sets};
    struct table *kappa = g->tables[KAPPA], *yes_no = g->tables[YES_NO];
    AT_END(mem_end) uint64_t *matrix = p->matrix = mem_zero(x->n_sets * x->n_sets + 1, sizeof *matrix);

    enum agreement_reason reason = confusion_matrix(&r, p->a, p->b, p->matrix);
    if (wants(g, x->from, FACET_KAPPA)) {
        struct coefficient k;
        cohen_kappa(p->matrix, x->n_sets, &k);
        begin_row(kappa, p);
        table_add_row(kappa, table_int((int64_t)k.n_items), table_real(k.observed), table_real(k.expected),
                      table_real(k.value), table_real(k.low), table_real(k.high),
                      reason_cell(reason != AGREEMENT_OK ? reason : k.reason));
    }
    if (g->tables[MEASURES] != NULL)
        add_pair_measures(g, p);
    if (yes_no != NULL && x->from->yes_no) {
        int64_t counts[] = {count_at(p, 1, 1), count_at(p, 0, 0), count_at(p, 1, 0), count_at(p, 0, 1)};
        begin_row(yes_no, p);
        table_add_int(yes_no, counts[0] + counts[1] + counts[2] + counts[3]);
        for (size_t i = 0; i < ARRAY_LEN(counts); i++)
            table_add_int(yes_no, counts[i]);
    }
    if (g->tables[PER_CODE] != NULL)
        add_per_code(g, p);
    if (g->wanted->confusion)
        add_confusion(g, p);
}

/* --- any number of coders --- */

static void add_measure(const struct agreeing *g, const struct rated *x, const char *measure,
                        const struct coefficient *c)
{
    struct table *t = g->tables[CODERS];
    size_t rated = 0;

    for (size_t i = 0; i < x->from->n_subjects; i++) {
        bool any = false;
        for (size_t k = 0; k < x->from->n_coders; k++)
            any |= x->sets[i * x->from->n_coders + k] >= 0;
        rated += any;
    }
    table_add_row(t, table_text(span_of(x->from->facet)), table_text(span_of(measure)),
                  table_int((int64_t)x->from->n_coders), table_int((int64_t)c->n_items),
                  table_int((int64_t)(rated - c->n_items)));
    add_values(t, c);
}

static void add_of_all(const struct agreeing *g, const struct rated *x, enum agreement_measure measure,
                       enum agreement_scale scale, const char *name)
{
    struct ratings r = {x->from->n_subjects, x->from->n_coders, x->n_sets, x->sets};
    AT_END(mem_end) double *values = values_of(x);
    struct coefficient c;

    agreement_of(&r, measure, scale, values, &c);
    add_measure(g, x, name, &c);
}

static void add_alpha_of_sets(const struct agreeing *g, const struct rated *x, const char *measure,
                              double (*distance)(uint64_t a, uint64_t b))
{
    size_t n_cells = x->from->n_subjects * x->from->n_coders;
    AT_END(mem_end) uint64_t *sets = mem_zero(n_cells + 1, sizeof *sets);
    struct set_ratings r = {x->from->n_subjects, x->from->n_coders, sets};
    struct coefficient c = {.value = NAN, .low = NAN, .high = NAN, .reason = AGREEMENT_TOO_LARGE};

    for (size_t i = 0; i < n_cells && x->from->n_codes <= 64; i++)
        for (size_t k = 0; x->sets[i] >= 0 && k < x->codes[x->sets[i]]->n; k++)
            sets[i] |= UINT64_C(1) << x->codes[x->sets[i]]->codes[k];
    if (x->from->n_codes <= 64)
        alpha_of_sets(&r, distance, &c);
    add_measure(g, x, measure, &c);
}

static void add_facet(struct agreeing *g, const struct rated *x)
{
    for (size_t a = 0; a < x->from->n_coders; a++)
        for (size_t b = a + 1; b < x->from->n_coders; b++) {
            struct pair p = {.rated = x, .a = a, .b = b};
            if (is_brief(g) && !span_eq(x->from->coders[a], g->wanted->with) &&
                !span_eq(x->from->coders[b], g->wanted->with))
                continue;
            for (size_t i = 0; i < x->from->n_subjects && !g->common; i++) {
                const int32_t *row = x->sets + i * x->from->n_coders;
                g->common = row[a] >= 0 && row[b] >= 0;
            }
            if (!is_written(x->from))
                add_pair_of_codes(g, &p);
            if (g->tables[DISAGREEMENTS] != NULL)
                add_disagreements(g, &p);
        }
    if (is_brief(g))
        return;

    if (wants(g, x->from, FACET_KAPPA) && (x->from->n_coders > 2 || (x->missing && x->from->n_coders > 1))) {
        add_of_all(g, x, AGREEMENT_FLEISS, SCALE_NOMINAL, "Fleiss' kappa");
        add_of_all(g, x, AGREEMENT_ALPHA, SCALE_NOMINAL, "Krippendorff's alpha");
    }
    /* Measures but those of two coders. */
    for (size_t i = 0; i < ARRAY_LEN(all_measures) && x->from->n_coders > 2; i++) {
        const struct measure *m = &all_measures[i];
        bool printed = m->facet == FACET_ALPHA && wants(g, x->from, FACET_KAPPA);
        if (wants(g, x->from, m->facet) && m->measure != AGREEMENT_KAPPA && !printed)
            add_of_all(g, x, m->measure, m->scale, m->name);
    }
    if (x->several && x->from->n_coders > 1 && wants(g, x->from, FACET_MASI))
        add_alpha_of_sets(g, x, "alpha, MASI distance", masi_distance);
    if (x->from->n_coders > 1 && wants(g, x->from, FACET_JACCARD))
        add_alpha_of_sets(g, x, "alpha, Jaccard distance", jaccard_distance);
}

/* --- the tables --- */

/* In the first of the tables. Texts are shown, side by side, and measured by nothing. */
static void note_rules(struct table *const tables[TABLES], const struct report_ratings *several,
                       const struct report_ratings *ratings, size_t n)
{
    struct table *of_codes = tables[KAPPA] != NULL ? tables[KAPPA] : tables[CODERS];
    struct table *first = tables[KAPPA] == NULL && tables[MEASURES] != NULL ? tables[MEASURES] : of_codes;

    if (first != NULL)
        table_note(first, "95%% from, to: score interval.");
    if (first != NULL && several != NULL) {
        /* The plural in the middle of a sentence. */
        struct span plural = several->plural.len > 0 ? several->plural : SPAN("codes");
        table_note(first,
                   "%s %c%.*s are one label: coders agree when both gave the same codes, in any"
                   " order; half-agreement counts as none.",
                   several->most == 2 ? "Two" : "Several", ascii_lower(plural.ptr[0]), SPAN_ARG(span_after(plural, 1)));
    }
    if (tables[CODERS] != NULL)
        table_note(tables[CODERS],
                   "Subjects: those that count. Fleiss' kappa leaves out subjects that not"
                   " every coder rated; the others, subjects with fewer than two ratings.%s",
                   several != NULL ? " With MASI distance half-agreement counts in part." : "");
    for (size_t i = 0; i < n && of_codes != NULL; i++)
        if (ratings[i].texts)
            table_note(of_codes,
                       "%s: a text of each coder's own, which has no agreement; --disagreements shows"
                       " them side by side.",
                       ratings[i].facet);
}

/* --- numbers --- */

static const struct {
    unsigned facet; /* enum facet_measure */
    enum agreement_scale scale;
    const char *name;
} alphas[] = {
    {FACET_ALPHA, SCALE_QUADRATIC, "Krippendorff's alpha"},
    {FACET_ALPHA_ORDINAL, SCALE_ORDINAL, "Krippendorff's alpha, ordinal"},
    {FACET_ALPHA_RATIO, SCALE_RATIO, "Krippendorff's alpha, ratio"},
};

static void add_number_row(struct table *t, const struct report_ratings *r, const char *measure, size_t subjects,
                           double value, double low, double high, enum agreement_reason reason)
{
    table_add_row(t, table_text(span_of(r->facet)), table_text(span_of(measure)), table_int((int64_t)r->n_coders),
                  table_int((int64_t)subjects), table_real(value), table_real(low), table_real(high),
                  reason_cell(reason));
}

/* Adds the measures of a facet of numbers; true when two coders rated something in common. */
static bool add_number_measures(struct table *t, const struct report_ratings *r, unsigned measures)
{
    size_t n_cells = r->n_subjects * r->n_coders;
    AT_END(mem_end) int32_t *cells = mem_zero(n_cells + 1, sizeof *cells); /* places of values; -1: none */
    AT_END(mem_end) double *values = mem_zero(r->n_codes + 1, sizeof *values);
    AT_END(mem_end) double *numbers = mem_zero(n_cells + 1, sizeof *numbers);
    struct icc icc;
    bool common = false;

    for (size_t i = 0; i < n_cells; i++)
        cells[i] = -1;
    for (size_t i = 0; i < r->n_ratings; i++)
        cells[r->ratings[i].subject * r->n_coders + r->ratings[i].coder] = r->sets[r->ratings[i].set].codes[0];
    for (size_t i = 0; i < r->n_codes; i++)
        values[i] = facet_number(r->codes[i]);
    for (size_t i = 0; i < ARRAY_LEN(alphas); i++)
        if ((measures & alphas[i].facet) != 0) {
            struct ratings codes = {r->n_subjects, r->n_coders, r->n_codes, cells};
            struct coefficient a;
            agreement_of(&codes, AGREEMENT_ALPHA, alphas[i].scale, values, &a);
            add_number_row(t, r, alphas[i].name, (size_t)a.n_items, a.value, a.low, a.high, a.reason);
        }
    for (size_t i = 0; i < n_cells; i++)
        numbers[i] = cells[i] < 0 ? NAN : values[cells[i]];
    if ((measures & FACET_ICC) != 0) {
        icc_single(numbers, r->n_subjects, r->n_coders, 0.95, &icc);
        add_number_row(t, r, "ICC(2,1)", icc.n_items, icc.icc, icc.low, icc.high, icc.reason);
    }
    for (size_t i = 0; i < r->n_subjects && !common; i++) {
        size_t n = 0;
        for (size_t k = 0; k < r->n_coders; k++)
            n += cells[i * r->n_coders + k] >= 0;
        common = n > 1;
    }
    return common;
}

/* The table of those facets that are numbers; true when two coders rated something in common. */
static bool agree_numbers(struct table_list *list, const struct report_ratings *ratings, size_t n,
                          const struct report_agreement *wanted)
{
    struct table *t = NULL;
    bool common = false;

    for (size_t i = 0; i < n; i++) {
        if (!ratings[i].numbers || ratings[i].n_coders < 2)
            continue;
        if (t == NULL) {
            t = table_list_add(list, "number-agreement", "Agreement on numbers");
            table_columns(t, "facet; measure; coders int; subjects int; value real; low real = 95%% from; "
                             "high real = to; undefined");
        }
        unsigned measures = wanted->measures != 0 ? wanted->measures : ratings[i].measures;
        common |= add_number_measures(t, &ratings[i], wanted->with.ptr != NULL ? FACET_ALPHA : measures);
    }
    if (t != NULL)
        table_note(t, "Krippendorff's alpha: with the difference squared as distance; score interval."
                      " ICC(2,1): absolute agreement of one coder, of subjects that every coder rated;"
                      " interval of McGraw and Wong (1996).");
    return common;
}

bool report_agree(struct table_list *r, const struct report_ratings *ratings, size_t n_ratings,
                  const struct report_agreement *wanted)
{
    struct agreeing g = {.report = r, .wanted = wanted};
    AT_END(mem_end) struct rated *rated = mem_zero(n_ratings + 1, sizeof *rated);
    bool is_wanted[TABLES] = {[PER_CODE] = wanted->per_code, [DISAGREEMENTS] = wanted->disagreements};
    AT_END(buf_clear) struct buf words = {0};
    size_t before = r->n;

    for (size_t i = 0; i < n_ratings; i++) {
        const struct rated *x = &rated[i];
        rated_make(&rated[i], &ratings[i]);
        if (g.several == NULL && (x->several || ratings[i].most > 1))
            g.several = &ratings[i];
        is_wanted[YES_NO] |= ratings[i].yes_no && !is_brief(&g);
        is_wanted[CODERS] |= !is_brief(&g) && !is_written(&ratings[i]) && ratings[i].n_coders > 1 &&
                             (ratings[i].n_coders > 2 || x->missing || x->several ||
                              wants(&g, &ratings[i], FACET_JACCARD));
        is_wanted[KAPPA] |= wants(&g, &ratings[i], FACET_KAPPA);
        for (size_t k = 0; k < ARRAY_LEN(all_measures); k++)
            is_wanted[MEASURES] |= wants(&g, &ratings[i], all_measures[k].facet);
        if (!is_brief(&g))
            report_compared_add(&words, &ratings[i]);
    }
    for (size_t i = 0; i < TABLES; i++)
        if (is_wanted[i]) {
            g.tables[i] = table_list_add(r, forms[i].id, forms[i].title);
            table_columns(g.tables[i], "%s", forms[i].columns);
        }
    if (wanted->per_code)
        table_note(g.tables[PER_CODE], "Specific: 2 both / (by A + by B). Kappa: this code or another.");
    for (size_t i = 0; i < n_ratings; i++) {
        add_facet(&g, &rated[i]);
        mem_free(rated[i].sets);
        mem_free(rated[i].codes);
    }
    note_rules(g.tables, g.several, ratings, n_ratings);
    g.common |= agree_numbers(r, ratings, n_ratings, wanted);
    for (size_t i = before; i < r->n; i++)
        table_caveat(r->tables[i], buf_span(&words));
    return g.common;
}
