/* agree: tables of how far coders agree. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

/* A facet's ratings as a matrix in which each different set of codes is one code. */
struct rated {
    const struct report_ratings *from;
    int32_t *sets;                    /* subject x coder, place in the array below or -1 */
    const struct report_set **codes;  /* of each set, in their order */
    size_t n_sets;
    bool several, missing; /* somebody gave two codes; somebody left a subject out */
};

struct agreeing {
    struct table_list *report;
    const struct report_agreement *wanted;
    struct table *kappa, *yes_no, *coders, *per_code, *disagreements; /* NULL: not wanted */
    bool common; /* something was rated twice */
    const struct report_ratings *several; /* the first of which two codes are possible */
};

static struct ratings matrix_of(const struct rated *x)
{
    return (struct ratings){x->from->n_subjects, x->from->n_coders, x->n_sets, x->sets};
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
    int32_t *number = mem_zero(from->n_sets + 1, sizeof *number);

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
    mem_free(number);
}

static void rated_clear(struct rated *x)
{
    mem_free(x->sets);
    mem_free(x->codes);
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
    struct buf name = {0};

    add_set_name(&name, x, set);
    table_add_text(t, buf_span(&name));
    buf_clear(&name);
}

/* --- two coders --- */

struct pair {
    const struct rated *rated;
    size_t a, b;
    uint64_t *matrix;
    enum agreement_reason reason; /* of the matrix */
};

static void begin_row(struct table *t, const struct pair *p)
{
    table_add_text(t, span_of(p->rated->from->facet));
    table_add_text(t, p->rated->from->coders[p->a]);
    table_add_text(t, p->rated->from->coders[p->b]);
}

static void add_reason(struct table *t, enum agreement_reason reason)
{
    if (reason == AGREEMENT_OK)
        table_add_absent(t);
    else
        table_add_text(t, span_of(agreement_words(reason)));
}

/* Of the kappa; else of the interval that was wanted. */
static void add_kappa_reason(struct table *t, enum agreement_reason kappa,
                             enum agreement_reason interval)
{
    struct buf text = {0};

    if (kappa != AGREEMENT_OK || interval == AGREEMENT_OK) {
        add_reason(t, kappa);
        return;
    }
    buf_addf(&text, "bootstrap: %s", agreement_words(interval));
    table_add_text(t, buf_span(&text));
    buf_clear(&text);
}

static void add_kappa(const struct agreeing *g, const struct pair *p)
{
    struct table *t = g->kappa;
    struct bootstrap_plan plan = {g->wanted->seed, g->wanted->resamples, 0.95};
    struct bootstrap interval = {.low = NAN, .high = NAN};
    struct kappa k;

    cohen_kappa(p->matrix, p->rated->n_sets, &k);
    if (g->wanted->resamples > 0)
        cohen_kappa_bootstrap(p->matrix, p->rated->n_sets, &plan, &interval);
    begin_row(t, p);
    table_add_int(t, (int64_t)k.n);
    table_add_real(t, k.observed);
    table_add_real(t, k.expected);
    table_add_real(t, k.kappa);
    table_add_real(t, k.low);
    table_add_real(t, k.high);
    table_add_real(t, interval.low);
    table_add_real(t, interval.high);
    add_kappa_reason(t, p->reason != AGREEMENT_OK ? p->reason : k.reason, interval.reason);
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

static void add_yes_no(const struct agreeing *g, const struct pair *p)
{
    int64_t counts[] = {count_at(p, 1, 1), count_at(p, 0, 0), count_at(p, 1, 0), count_at(p, 0, 1)};

    begin_row(g->yes_no, p);
    table_add_int(g->yes_no, counts[0] + counts[1] + counts[2] + counts[3]);
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        table_add_int(g->yes_no, counts[i]);
}

static void add_per_code(const struct agreeing *g, const struct pair *p)
{
    struct code_agreement *codes = mem_zero(p->rated->n_sets + 1, sizeof *codes);

    code_agreement(p->matrix, p->rated->n_sets, codes);
    for (size_t i = 0; i < p->rated->n_sets; i++) {
        if (codes[i].by_a + codes[i].by_b == 0)
            continue;
        begin_row(g->per_code, p);
        add_set(g->per_code, p->rated, i);
        table_add_int(g->per_code, (int64_t)codes[i].both);
        table_add_int(g->per_code, (int64_t)codes[i].by_a);
        table_add_int(g->per_code, (int64_t)codes[i].by_b);
        table_add_real(g->per_code, codes[i].specific);
        table_add_real(g->per_code, codes[i].kappa);
    }
    mem_free(codes);
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
    struct span a = x->from->coders[p->a], b = x->from->coders[p->b];
    struct buf id = {0}, title = {0}, name = {0};

    add_id(&id, p);
    buf_addf(&title, "Confusion, %s: %.*s (rows) by %.*s (columns)", x->from->facet, (int)a.len,
             a.ptr, (int)b.len, b.ptr);
    struct table *t = table_list_add(g->report, buf_cstr(&id), buf_cstr(&title));
    table_column_add(t, "code", NULL, TABLE_TEXT);
    for (size_t i = 0; i < x->n_sets; i++) {
        buf_reset(&name);
        add_set_name(&name, x, i);
        table_column_add_span(t, buf_span(&name), (struct span){0}, TABLE_INT);
    }
    for (size_t i = 0; i < x->n_sets; i++) {
        add_set(t, x, i);
        for (size_t k = 0; k < x->n_sets; k++)
            table_add_int(t, (int64_t)p->matrix[i * x->n_sets + k]);
    }
    buf_clear(&id);
    buf_clear(&title);
    buf_clear(&name);
}

static void add_disagreements(const struct agreeing *g, const struct pair *p)
{
    const struct rated *x = p->rated;
    struct table *t = g->disagreements;

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

static bool is_written(const struct report_ratings *r)
{
    return r->numbers || r->texts;
}

/* Does the facet ask for the measure? */
static bool wants(const struct report_ratings *r, unsigned measure)
{
    unsigned measures = r->measures != 0 ? r->measures : FACET_KAPPA | FACET_MASI;

    return !is_written(r) && (measures & measure) != 0;
}

static bool wants_many(const struct rated *x)
{
    const struct report_ratings *r = x->from;
    bool many = r->n_coders > 2 || (r->n_coders > 1 && (x->missing || x->several));

    return !is_written(r) && (many || (r->n_coders > 1 && wants(r, FACET_JACCARD)));
}

static void add_pair(struct agreeing *g, const struct rated *x, size_t a, size_t b)
{
    struct ratings r = matrix_of(x);
    struct pair p = {.rated = x, .a = a, .b = b};

    p.matrix = mem_zero(x->n_sets * x->n_sets + 1, sizeof *p.matrix);
    p.reason = confusion_matrix(&r, a, b, p.matrix);
    g->common |= p.reason == AGREEMENT_OK;
    if (wants(x->from, FACET_KAPPA))
        add_kappa(g, &p);
    if (g->yes_no != NULL && x->from->yes_no)
        add_yes_no(g, &p);
    if (g->per_code != NULL && !is_written(x->from))
        add_per_code(g, &p);
    if (g->wanted->confusion && !is_written(x->from))
        add_confusion(g, &p);
    if (g->disagreements != NULL)
        add_disagreements(g, &p);
    mem_free(p.matrix);
}

/* --- any number of coders --- */

static void add_measure(const struct agreeing *g, const struct rated *x, const char *measure,
                        double value, const struct bootstrap *interval,
                        enum agreement_reason reason)
{
    struct table *t = g->coders;

    table_add_text(t, span_of(x->from->facet));
    table_add_text(t, span_of(measure));
    table_add_int(t, (int64_t)x->from->n_coders);
    table_add_int(t, (int64_t)x->from->n_subjects);
    table_add_real(t, value);
    table_add_real(t, interval->low);
    table_add_real(t, interval->high);
    add_reason(t, reason);
}

static void add_fleiss(const struct agreeing *g, const struct rated *x,
                       const struct bootstrap_plan *plan)
{
    struct ratings r = matrix_of(x);
    struct bootstrap interval = {.low = NAN, .high = NAN};
    struct fleiss f;

    fleiss_kappa(&r, &f, plan, plan != NULL ? &interval : NULL);
    add_measure(g, x, "Fleiss' kappa", f.kappa, &interval, f.reason);
}

static void add_alpha(const struct agreeing *g, const struct rated *x,
                      const struct bootstrap_plan *plan)
{
    struct ratings r = matrix_of(x);
    struct bootstrap interval = {.low = NAN, .high = NAN};
    struct alpha a;

    alpha_nominal(&r, &a, plan, plan != NULL ? &interval : NULL);
    add_measure(g, x, "Krippendorff's alpha", a.alpha, &interval, a.reason);
}

/* alpha_masi or alpha_jaccard. */
typedef void alpha_fn(const struct set_ratings *r, struct alpha *out,
                      const struct bootstrap_plan *plan, struct bootstrap *interval);

static void add_alpha_of_sets(const struct agreeing *g, const struct rated *x, const char *measure,
                              alpha_fn *alpha, const struct bootstrap_plan *plan)
{
    size_t n_cells = x->from->n_subjects * x->from->n_coders;
    uint64_t *sets = mem_zero(n_cells + 1, sizeof *sets);
    struct set_ratings r = {x->from->n_subjects, x->from->n_coders, sets};
    struct bootstrap interval = {.low = NAN, .high = NAN};
    struct alpha a = {.alpha = NAN, .reason = AGREEMENT_TOO_LARGE};

    for (size_t i = 0; i < n_cells && x->from->n_codes <= 64; i++)
        for (size_t k = 0; x->sets[i] >= 0 && k < x->codes[x->sets[i]]->n; k++)
            sets[i] |= UINT64_C(1) << x->codes[x->sets[i]]->codes[k];
    if (x->from->n_codes <= 64)
        alpha(&r, &a, plan, plan != NULL ? &interval : NULL);
    add_measure(g, x, measure, a.alpha, &interval, a.reason);
    mem_free(sets);
}

static void add_facet(struct agreeing *g, const struct rated *x)
{
    struct bootstrap_plan plan = {g->wanted->seed, g->wanted->resamples, 0.95};
    const struct bootstrap_plan *intervals = plan.n_resamples > 0 ? &plan : NULL;

    for (size_t a = 0; a < x->from->n_coders; a++)
        for (size_t b = a + 1; b < x->from->n_coders; b++)
            add_pair(g, x, a, b);
    if (wants(x->from, FACET_KAPPA) &&
        (x->from->n_coders > 2 || (x->missing && x->from->n_coders > 1))) {
        add_fleiss(g, x, intervals);
        add_alpha(g, x, intervals);
    }
    if (x->several && x->from->n_coders > 1 && wants(x->from, FACET_MASI))
        add_alpha_of_sets(g, x, "alpha, MASI distance", alpha_masi, intervals);
    if (x->from->n_coders > 1 && wants(x->from, FACET_JACCARD))
        add_alpha_of_sets(g, x, "alpha, Jaccard distance", alpha_jaccard, intervals);
}

/* --- the tables --- */

static struct table *begin_pairs(struct table_list *r, const char *id, const char *title)
{
    struct table *t = table_list_add(r, id, title);

    table_column_add(t, "facet", NULL, TABLE_TEXT);
    table_column_add(t, "coder_a", "coder A", TABLE_TEXT);
    table_column_add(t, "coder_b", "coder B", TABLE_TEXT);
    return t;
}

static void begin_kappa(struct agreeing *g)
{
    g->kappa = begin_pairs(g->report, "agreement", "Agreement of two coders: Cohen's kappa");
    table_column_add(g->kappa, "n", NULL, TABLE_INT);
    table_column_add(g->kappa, "observed", NULL, TABLE_REAL);
    table_column_add(g->kappa, "expected", NULL, TABLE_REAL);
    table_column_add(g->kappa, "kappa", NULL, TABLE_REAL);
    table_column_add(g->kappa, "low", "95% from", TABLE_REAL);
    table_column_add(g->kappa, "high", "to", TABLE_REAL);
    table_column_add(g->kappa, "bootstrap_low", "bootstrap", TABLE_REAL);
    table_column_add(g->kappa, "bootstrap_high", "to", TABLE_REAL);
    table_column_add(g->kappa, "undefined", NULL, TABLE_TEXT);
}

static void begin_yes_no(struct agreeing *g)
{
    g->yes_no = begin_pairs(g->report, "yes-no", "Who said yes");
    table_column_add(g->yes_no, "n", NULL, TABLE_INT);
    table_column_add(g->yes_no, "both_yes", "both yes", TABLE_INT);
    table_column_add(g->yes_no, "both_no", "both no", TABLE_INT);
    table_column_add(g->yes_no, "only_a", "only A", TABLE_INT);
    table_column_add(g->yes_no, "only_b", "only B", TABLE_INT);
}

static void begin_coders(struct agreeing *g)
{
    g->coders = table_list_add(g->report, "coders", "Agreement of all coders");
    table_column_add(g->coders, "facet", NULL, TABLE_TEXT);
    table_column_add(g->coders, "measure", NULL, TABLE_TEXT);
    table_column_add(g->coders, "coders", NULL, TABLE_INT);
    table_column_add(g->coders, "subjects", NULL, TABLE_INT);
    table_column_add(g->coders, "value", NULL, TABLE_REAL);
    table_column_add(g->coders, "low", "bootstrap 95%", TABLE_REAL);
    table_column_add(g->coders, "high", "to", TABLE_REAL);
    table_column_add(g->coders, "undefined", NULL, TABLE_TEXT);
}

static void begin_details(struct agreeing *g)
{
    if (g->wanted->per_code) {
        g->per_code = begin_pairs(g->report, "per-code", "Agreement on each code");
        table_column_add(g->per_code, "code", NULL, TABLE_TEXT);
        table_column_add(g->per_code, "both", NULL, TABLE_INT);
        table_column_add(g->per_code, "by_a", "by A", TABLE_INT);
        table_column_add(g->per_code, "by_b", "by B", TABLE_INT);
        table_column_add(g->per_code, "specific", NULL, TABLE_REAL);
        table_column_add(g->per_code, "kappa", NULL, TABLE_REAL);
        table_note(g->per_code, "Specific: 2 both / (by A + by B). Kappa: this code or another.");
    }
    if (g->wanted->disagreements) {
        g->disagreements = begin_pairs(g->report, "disagreements", "Where coders disagree");
        table_column_add(g->disagreements, "subject", NULL, TABLE_TEXT);
        table_column_add(g->disagreements, "code_a", "code of A", TABLE_TEXT);
        table_column_add(g->disagreements, "code_b", "code of B", TABLE_TEXT);
    }
}

/* "Two symptoms are one label": the plural in the middle of a sentence. */
static void note_several(struct table *t, const struct report_ratings *r)
{
    char first = r->plural.len > 0 ? r->plural.ptr[0] : 'c';
    struct span rest = r->plural.len > 0 ? (struct span){r->plural.ptr + 1, r->plural.len - 1}
                                         : SPAN("odes");

    table_note(t, "%s %c%.*s are one label: coders agree when both gave the same codes, in any"
                  " order; half-agreement counts as none.", r->most == 2 ? "Two" : "Several",
               first >= 'A' && first <= 'Z' ? first - 'A' + 'a' : first, (int)rest.len, rest.ptr);
}

static void note_withdrawn(struct table *t, const struct report_ratings *ratings, size_t n_ratings)
{
    size_t n = 0;

    for (size_t i = 0; i < n_ratings; i++)
        n += ratings[i].n_withdrawn;
    if (n > 0)
        table_note(t, "%zu label%s left out: later the coder said no to the post.", n,
                   n == 1 ? " is" : "s are");
}

/* Texts are shown, side by side, and measured by nothing. */
static void note_texts(const struct agreeing *g, const struct report_ratings *ratings, size_t n)
{
    struct table *t = g->kappa != NULL ? g->kappa : g->coders;

    for (size_t i = 0; i < n && t != NULL; i++)
        if (ratings[i].texts)
            table_note(t, "%s: a text of each coder's own, which has no agreement; --disagreements shows"
                          " them side by side.", ratings[i].facet);
}

static void note_kappa(const struct agreeing *g)
{
    table_note(g->kappa, "95%% from, to: with the standard error of Fleiss, Cohen and Everitt "
                          "(1969).");
    if (g->wanted->resamples > 0)
        table_note(g->kappa, "Bootstrap: percentiles of %zu resamples, seed %llu.",
                    g->wanted->resamples, (unsigned long long)g->wanted->seed);
    if (g->several != NULL)
        note_several(g->kappa, g->several);
}

static void note_rules(const struct agreeing *g)
{
    if (g->kappa != NULL)
        note_kappa(g);
    if (g->coders != NULL)
        table_note(g->coders, "Fleiss' kappa needs every coder's rating of every subject; alpha "
                               "leaves out subjects with fewer than two.%s",
                    g->several != NULL ? " With MASI distance half-agreement counts in part." : "");
}

bool report_agree(struct table_list *r, const struct report_ratings *ratings, size_t n_ratings,
                  const struct report_agreement *wanted)
{
    struct agreeing g = {.report = r, .wanted = wanted};
    struct rated *rated = mem_zero(n_ratings + 1, sizeof *rated);
    bool yes_no = false, many = false, kappa = false;

    for (size_t i = 0; i < n_ratings; i++) {
        rated_make(&rated[i], &ratings[i]);
        yes_no |= ratings[i].yes_no;
        if (g.several == NULL && (rated[i].several || ratings[i].most > 1))
            g.several = &ratings[i];
        many |= wants_many(&rated[i]);
        kappa |= wants(&ratings[i], FACET_KAPPA);
    }
    if (kappa)
        begin_kappa(&g);
    if (yes_no)
        begin_yes_no(&g);
    if (many)
        begin_coders(&g);
    begin_details(&g);
    for (size_t i = 0; i < n_ratings; i++) {
        add_facet(&g, &rated[i]);
        rated_clear(&rated[i]);
    }
    note_rules(&g);
    note_texts(&g, ratings, n_ratings);
    if (g.kappa != NULL)
        note_withdrawn(g.kappa, ratings, n_ratings);
    mem_free(rated);
    return report_agree_numbers(r, ratings, n_ratings, wanted) || g.common;
}
