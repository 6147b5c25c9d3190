/* settled: says of how many posts and problems the numbers are, and what they do not count. */
#include "report/report.h"

static bool same(const struct db_settled *a, const struct db_settled *b)
{
    return a->n == b->n && a->settled == b->settled && a->disputed == b->disputed && a->single == b->single &&
           a->agreed == b->agreed && a->reopened == b->reopened && a->with_model == b->with_model;
}

static void add_settled(struct buf *out, const struct facets *facets, const struct db_settled *of, const bool *wanted,
                        const char *between, const char *fate)
{
    bool said[FACETS_MAX] = {false};
    size_t start = out->len;

    for (size_t i = 0; i < facets->n; i++) {
        bool all = of[i].settled == of[i].n && of[i].reopened == 0 && of[i].with_model == 0;
        if (said[i] || (wanted != NULL && !wanted[i]) || all)
            continue;
        buf_add_text(out, out->len > start ? between : "");
        for (size_t k = i; k < facets->n; k++) {
            said[k] = said[k] || ((wanted == NULL || wanted[k]) && same(&of[k], &of[i]));
            if (!said[k] || !same(&of[k], &of[i]))
                continue;
            buf_add_text(out, k > i ? ", " : "");
            buf_add_span(out, facets->items[k].plural); /* "Symptoms", or within the sentence "root causes" */
            if (k > i && facets->items[k].plural.len > 0) {
                char *first = out->ptr + out->len - facets->items[k].plural.len;
                *first = ascii_lower(*first);
            }
        }
        const struct db_settled *s = &of[i];
        buf_addf(out, ": %lld of %lld settled", (long long)s->settled, (long long)s->n);
        if (s->with_model > 0)
            buf_addf(out, ", %lld of them coded by one person and a model", (long long)s->with_model);
        if (s->reopened > 0)
            buf_addf(out, ", %lld of them disputed again", (long long)s->reopened);
        if (s->settled == s->n)
            continue;
        buf_addf(out, "; %lld disputed, %lld coded by one coder", (long long)s->disputed, (long long)s->single);
        if (s->agreed > 0)
            buf_addf(out, ", %lld agreed on but not settled", (long long)s->agreed);
        buf_addf(out, ": %s", fate);
    }
}

void report_settled_add(struct buf *out, const struct facets *facets, const struct db_settled *of, const bool *wanted,
                        const char *between)
{
    add_settled(out, facets, of, wanted, between, "not counted");
}

void report_unsettled_add(struct buf *out, const struct facets *facets, const struct db_settled *of)
{
    bool wanted[FACETS_MAX] = {false};

    for (size_t i = 0; i < facets->n; i++)
        wanted[i] = i != FACET_JUDGES && facets->items[i].kind == FACET_CODES && of[i].n > 0;
    add_settled(out, facets, of, wanted, ". ", "counted with the codes of their coders");
}

void report_settled_of(const struct facets *facets, const struct report_statistic *what, bool *wanted)
{
    bool all = what->kind == REPORT_TOTALS || what->kind == REPORT_YEARS || what->kind == REPORT_TESTS;

    for (size_t i = 0; i < facets->n; i++)
        wanted[i] = what->kind != REPORT_ASSESSMENT &&
                    (all || i == FACET_JUDGES || i == what->rows || i == what->columns);
}

void report_compared_add(struct buf *out, const struct report_ratings *r)
{
    AT_END(mem_end) uint64_t *coders = mem_zero(r->n_subjects + 1, sizeof *coders);
    size_t one = 0, any = 0;

    for (size_t i = 0; i < r->n_ratings; i++)
        if (!coder_is_model(r->coders[r->ratings[i].coder]))
            coders[r->ratings[i].subject] |= UINT64_C(1) << r->ratings[i].coder;
    for (size_t i = 0; i < r->n_subjects; i++) {
        any += coders[i] != 0;
        one += coders[i] != 0 && (coders[i] & (coders[i] - 1)) == 0;
    }
    if (one > 0)
        buf_addf(out, "%s%s: %zu of %zu coded by two or more; %zu coded by one coder: not counted",
                 out->len > 0 ? ". " : "", r->facet, any - one, any, one);
}

enum status report_settled_text(struct db *db, struct buf *out, struct err *e)
{
    struct db_settled of[FACETS_MAX];
    const struct facets *facets = NULL;
    enum status status = db_facets(db, &facets, e);

    THEN(status, db_settled_read(db, of, e));
    if (status == ST_OK)
        report_settled_add(out, facets, of, NULL, ". ");
    return status;
}

void report_say_level(struct table *t, size_t level)
{
    if (level > 0)
        t->title = arena_addf(&t->arena,
                              "%.*s. Level %zu: what is within a category of this level counts as that category,"
                              " once where a problem has several of it",
                              SPAN_ARG(t->title), level);
}

/* --- labels of one coder that are taken --- */

enum status report_single(struct table_list *r, struct db *db, struct span coder, const size_t n_of[FACETS_MAX],
                          struct err *e)
{
    struct db_settled of[FACETS_MAX];
    const struct facets *facets = NULL;
    struct table *t = table_list_add(r, "single", "Labels that one coder alone gave");
    enum status status = db_facets(db, &facets, e);

    table_columns(t, "facet; coder; taken int; coded int; share share");
    THEN(status, db_settled_read(db, of, e));
    for (size_t i = 0; status == ST_OK && i < facets->n; i++) {
        if (n_of[i] == 0)
            continue;
        table_add_row(t, table_text(facets->items[i].typed), table_text(coder), table_int((int64_t)n_of[i]),
                      table_int(of[i].n), table_real(of[i].n > 0 ? (double)n_of[i] / (double)of[i].n : 0));
    }
    table_note(t, "coded: posts or problems that anybody coded, without those settled as not a problem.");
    const struct report_agreement wanted = {.with = coder, .measures = FACET_KAPPA};
    bool common = true;
    THEN(status, report_agree_load(r, db, &(struct report_rated){0}, &wanted, &common, e));
    if (!common)
        table_note(r->tables[0], "No other coder coded the same posts, so there is no agreement to look at.");
    return status;
}
