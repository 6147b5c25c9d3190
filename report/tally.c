/* Counts problems by code, category, year and tag. */
#include "report/tables.h"

static int64_t *counters(struct arena *arena, size_t n)
{
    int64_t *c = arena_alloc(arena, n * sizeof *c);

    if (n > 0)
        memset(c, 0, n * sizeof *c);
    return c;
}

static void tally_init(struct tally *t, struct arena *arena, const struct report_data *d)
{
    size_t n = d->facets->n;

    *t = (struct tally){.of = arena_alloc(arena, n * sizeof *t->of)};
    memset(t->of, 0, n * sizeof *t->of);
    for (size_t i = 0; i < n; i++) {
        struct facet_tally *f = &t->of[i];
        for (int by_code = 0; by_code < 2 && d->facets->items[i].list != SIZE_MAX; by_code++) {
            f->by[by_code].first = counters(arena, lines_of(d, by_code));
            f->by[by_code].any = counters(arena, lines_of(d, by_code));
            /* of codes both are one count: a problem has a code once */
            f->by[by_code].labels = by_code ? f->by[by_code].any : counters(arena, lines_of(d, by_code));
        }
    }
}

struct group_key {
    struct span name;
    int64_t n;
    size_t place;
};

static int compare_sizes(const void *a, const void *b)
{
    const struct group_key *x = a, *y = b;

    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : text_order(a, b);
}

size_t *groups_order(struct groups *g, bool by_name)
{
    size_t n = g->of.n;
    AT_END(mem_end) struct group_key *keys = mem_zero(n + 1, sizeof *keys);
    size_t *order = arena_alloc(&g->arena, (n + 1) * sizeof *order);

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct group_key){g->of.at[i].key, g->of.at[i].value.n_problems, i};
    qsort(keys, n, sizeof *keys, by_name ? text_order : compare_sizes);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].place;
    return order;
}

/* --- counting --- */

static void count_facet(struct facet_tally *f, const struct report_data *d, const struct report_codes *codes)
{
    for (size_t i = 0; i < codes->n; i++) {
        int32_t category = d->codes[codes->at[i]].category;
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= d->codes[codes->at[k]].category == category;
        f->by[true].any[codes->at[i]]++;
        f->by[false].labels[category]++;
        f->by[false].any[category] += !again;
    }
    if (codes->n == 0)
        return;
    f->n_labelled++;
    f->n_several += codes->n > 1;
    f->by[true].first[codes->at[0]]++;
    f->by[false].first[d->codes[codes->at[0]].category]++;
}

static void count_into(struct tally *t, const struct report_data *d, const struct report_problem *p)
{
    t->n_posts += t->n_problems++ == 0 || t->last_post != p->post_id;
    t->last_post = p->post_id;
    for (size_t i = 0; i < d->facets->n; i++)
        if (d->facets->items[i].list != SIZE_MAX)
            count_facet(&t->of[i], d, &p->of[i]);
}

size_t line_of(const struct report_data *d, const struct report_codes *codes, bool by_code)
{
    return by_code ? (size_t)codes->at[0] : (size_t)d->codes[codes->at[0]].category;
}

/* Tags are the strings of a JSON array; a tag holds neither quotes nor backslashes. */
bool group_next(struct group_walk *w, struct span *name)
{
    const struct report_problem *p = w->problem;
    bool first = w->n++ == 0;

    if (!first && w->by != REPORT_BY_TAG)
        return false;
    if (w->by == REPORT_BY_TAG) {
        w->rest = first ? p->tags : w->rest;
        bool more = span_cut(&w->rest, '"', name); /* what is before the tag */
        if (more && span_cut(&w->rest, '"', name))
            return true;
        *name = p->tags.ptr == NULL ? SPAN("(unknown)") : SPAN("(none)");
    } else if (w->by == REPORT_BY_SITE) {
        *name = p->site.len > 0 ? p->site : SPAN("(unknown)");
    } else if (w->by == REPORT_BY_YEAR) {
        snprintf(w->year, sizeof w->year, p->year > 0 ? "%04d" : "(unknown)", (int)p->year);
        *name = span_of(w->year);
    }
    return first && w->by != REPORT_BY_NOTHING;
}

static void count_groups(struct groups *g, enum report_by by, const struct report_data *d,
                         const struct report_problem *p)
{
    struct group_walk walk = {.problem = p, .by = by};
    struct group_map_entry *entry;

    for (struct span name = {0}; group_next(&walk, &name);) {
        if (group_map_add(&g->of, name, &entry)) {
            entry->key = arena_copy(&g->arena, name);
            tally_init(&entry->value, &g->arena, d);
        }
        count_into(&entry->value, d, p);
    }
}

/* Places up to the last one of the facet's list: values that coders wrote are many, and come after the codebook. */
static size_t count_lines(const struct report_data *d, size_t facet, bool by_code)
{
    size_t n = lines_of(d, by_code);

    while (n > 0 && line_at(d, by_code, n - 1).list != d->facets->items[facet].list)
        n--;
    return n;
}

uint64_t pairs_at(const struct pairs *pairs, size_t row, size_t column)
{
    return row < pairs->n_rows && column < pairs->n_columns ? pairs->counts[row * pairs->n_columns + column] : 0;
}

/* Whether a problem is of the same post as the one `before` it: they are in the order of their posts. */
static bool is_of_post_of(const struct report_data *d, size_t i, size_t before)
{
    return i >= before && d->problems[i - before].post_id == d->problems[i].post_id;
}

void counts_take(struct counts *c, const struct report_data *d, const struct report_plan *plan, enum report_by by)
{
    *c = (struct counts){0};
    tally_init(&c->all, &c->arena, d);
    c->pairs = arena_alloc(&c->arena, (plan->n + 1) * sizeof *c->pairs);
    for (size_t i = 0; i < plan->n; i++) {
        const struct report_statistic *s = &plan->items[i];
        struct pairs *pairs = &c->pairs[i];
        *pairs = (struct pairs){.counts = NULL};
        if (s->columns == SIZE_MAX || s->kind == REPORT_ROLES || s->kind == REPORT_MEDIANS)
            continue;
        pairs->n_rows = count_lines(d, s->rows, s->rows_by_code);
        pairs->n_columns = count_lines(d, s->columns, s->columns_by_code);
        pairs->counts = (uint64_t *)counters(&c->arena, pairs->n_rows * pairs->n_columns + 1);
    }
    for (size_t i = 0; i < d->n_problems; i++) {
        const struct report_problem *p = &d->problems[i];
        bool known = is_of_post_of(d, i, 1);
        c->n_posts += !known;
        c->n_posts_with_several += known && !is_of_post_of(d, i, 2);
        count_into(&c->all, d, p);
        for (size_t k = 0; k < plan->n; k++) {
            const struct report_statistic *s = &plan->items[k];
            struct pairs *pairs = &c->pairs[k];
            if (pairs->counts == NULL || p->of[s->rows].n == 0 || p->of[s->columns].n == 0)
                continue;
            pairs->counts[line_of(d, &p->of[s->rows], s->rows_by_code) * pairs->n_columns +
                          line_of(d, &p->of[s->columns], s->columns_by_code)]++;
        }
        count_groups(&c->years, REPORT_BY_YEAR, d, p);
        count_groups(&c->by, by, d, p);
    }
}

bool is_one_of_several(const struct report_data *d, size_t problem)
{
    return is_of_post_of(d, problem, 1) || (problem + 1 < d->n_problems && is_of_post_of(d, problem + 1, 1));
}

static void groups_clear(struct groups *g)
{
    group_map_clear(&g->of);
    arena_clear(&g->arena);
}

void counts_clear(struct counts *c)
{
    groups_clear(&c->by);
    groups_clear(&c->years);
    arena_clear(&c->arena);
}
