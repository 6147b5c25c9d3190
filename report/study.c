/* study: the tables of a study: how often each code is given, stages, years, totals. */
#include "report/tables.h"

bool is_unknown(struct span name)
{
    return span_eq_any_case(name, SPAN("unknown"));
}

/* --- shares --- */

void share_columns(struct table *t, const char *prefix, const char *title, double confidence)
{
    const char *joint = prefix[0] != '\0' ? "_" : "";

    table_column_add(t, prefix[0] != '\0' ? prefix : "n", title, TABLE_INT);
    table_columns(t, "%s%sshare share = share; %s%slow share = %g%% from; %s%shigh share = to", prefix, joint, prefix,
                  joint, confidence * 100, prefix, joint);
}

void add_share(struct table *t, int64_t n, int64_t of, double confidence)
{
    struct proportion p;

    wilson_interval((uint64_t)n, (uint64_t)of, confidence, &p);
    table_add_row(t, table_int(n), table_real(p.share), table_real(p.low), table_real(p.high));
}

static void note_intervals(struct table *t, double confidence)
{
    table_note(t, "from, to: Wilson score interval at %g%%.", confidence * 100);
}

/* --- how often each code, or category, is given --- */

const char *const report_by_names[] = {"tag", "year", "site", NULL};

/* A table of codes or categories of a facet, for all problems or for each group. */
struct facet_table {
    const struct tables *s;
    struct table *t;
    const struct facet *facet;
    size_t place; /* of the facet */
    bool categories;
};

/* Rows for what the study uses at all; of tags, for what problems of the tag use. */
static void facet_rows(const struct facet_table *f, const struct span *group, const struct tally *t)
{
    const struct report_data *d = f->s->data;
    const struct tally *ruling = f->s->wanted->by == REPORT_BY_TAG ? t : &f->s->counts->all;
    const struct facet_tally *n = &t->of[f->place];
    double confidence = f->s->wanted->confidence;
    bool by_code = !f->categories;

    for (size_t i = 0; i < lines_of(d, by_code); i++) {
        if (line_at(d, by_code, i).list != f->facet->list || ruling->of[f->place].by[by_code].labels[i] == 0)
            continue;
        if (group != NULL)
            table_add_text(f->t, *group);
        table_add_text(f->t, d->categories[by_code ? (size_t)d->codes[i].category : i].name);
        if (by_code)
            table_add_text(f->t, d->codes[i].name);
        add_share(f->t, n->by[by_code].first[i], n->n_labelled, confidence);
        if (f->facet->most == 1)
            continue;
        add_share(f->t, n->by[by_code].any[i], n->n_labelled, confidence);
        if (!by_code)
            table_add_int(f->t, n->by[by_code].labels[i]);
    }
}

/* What the study calls its problems, within a sentence. */
static const char *called_of(const struct tables *s)
{
    return s->data->called.len > 0 ? s->data->called.ptr : "problems";
}

static void facet_note(const struct facet_table *f)
{
    const struct tally *all = &f->s->counts->all;
    long long missing = all->n_problems - all->of[f->place].n_labelled;
    const char *name = f->facet->name.ptr, *called = called_of(f->s);

    if (f->facet->most > 1)
        table_note(f->t, "n: %s by their first %s. With any: %s that have the %s as first or %s%s", called, name,
                   called, name, f->facet->most == 2 ? "second" : "later one",
                   f->categories ? ", each once; labels: how often it was given." : ".");
    else
        table_note(f->t, "n: %s by %s.", called, name);
    if (f->s->wanted->by == REPORT_BY_TAG)
        table_note(f->t, "A problem counts for each of its tags; rows that are 0 are left out.");
    note_intervals(f->t, f->s->wanted->confidence);
    if (missing > 0)
        table_note(f->t, "Left out, because they have no label: %lld.", missing);
    if (f->categories || f->s->wanted->by != REPORT_BY_NOTHING)
        return;
    const struct report_data *d = f->s->data;
    AT_END(buf_clear) struct buf unused = {0};
    for (size_t i = 0; i < d->n_codes; i++)
        if (d->codes[i].list == f->facet->list && !d->codes[i].retired && all->of[f->place].by[true].any[i] == 0)
            buf_addf(&unused, "%s%.*s", unused.len > 0 ? ", " : "", SPAN_ARG(d->codes[i].name));
    if (unused.len > 0)
        table_note(f->t, d->called.len > 0 ? "Not used by any of the %s: %s." : "Not used by any %s: %s.",
                   d->called.len > 0 ? d->called.ptr : "problem", buf_cstr(&unused));
}

/* Do the codes of a list have no categories, other than a list without codes? */
static bool lacks_categories(const struct report_data *d, size_t list)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_categories; i++) {
        if (d->categories[i].list == list && d->categories[i].name.len > 0)
            return false;
        n += d->categories[i].list == list;
    }
    return n > 0;
}

static void add_facet(const struct tables *s, const struct report_statistic *what)
{
    struct facet_table f = {
        .s = s,
        .facet = &s->data->facets->items[what->rows],
        .place = what->rows,
        .categories = what->kind == REPORT_CATEGORIES,
    };
    AT_END(buf_clear) struct buf title = {0};
    double confidence = s->wanted->confidence;
    const char *by = s->wanted->by != REPORT_BY_NOTHING ? report_by_names[s->wanted->by - 1] : NULL;

    if (f.categories && lacks_categories(s->data, f.facet->list))
        return;
    buf_add_text(&title, what->title);
    if (by != NULL)
        buf_addf(&title, " %s %s", f.categories ? "and" : "by", by);
    f.t = table_list_add(s->report, what->id, buf_cstr(&title));
    if (by != NULL)
        table_column_add(f.t, by, NULL, TABLE_TEXT);
    table_columns(f.t, f.categories ? "category" : "category; code");
    share_columns(f.t, "", NULL, confidence);
    if (f.facet->most != 1)
        share_columns(f.t, "any", "with any", confidence);
    if (f.facet->most != 1 && f.categories)
        table_column_add(f.t, "labels", NULL, TABLE_INT);
    if (by == NULL) {
        facet_rows(&f, NULL, &s->counts->all);
    } else {
        struct groups *g = &s->counts->by;
        size_t *order = groups_order(g, s->wanted->by == REPORT_BY_YEAR);
        for (size_t i = 0; i < g->of.n; i++)
            facet_rows(&f, &g->of.at[order[i]].key, &g->of.at[order[i]].value);
    }
    facet_note(&f);
}

/* --- two facets that share a list of codes --- */

/* Is the code given in one of the two? */
static bool is_used(const struct tables *s, const struct report_statistic *what, size_t code)
{
    const struct facet_tally *of = s->counts->all.of;

    return s->data->codes[code].list == s->data->facets->items[what->rows].list &&
           of[what->rows].by[true].first[code] + of[what->columns].by[true].first[code] > 0;
}

static void add_role(struct table *t, const struct tables *s, size_t facet, struct buf *name)
{
    buf_reset(name);
    facet_role(s->data->facets, &s->data->facets->items[facet], name);
    if (t != NULL)
        share_columns(t, buf_cstr(name), NULL, s->wanted->confidence);
}

static void add_roles(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    const struct facets *f = s->data->facets;
    const struct facet_tally *of = s->counts->all.of;
    double confidence = s->wanted->confidence;
    struct span list = f->lists[f->items[what->rows].list];
    AT_END(buf_clear) struct buf name = {0};

    table_column_add(t, list.ptr, NULL, TABLE_TEXT);
    add_role(t, s, what->rows, &name);
    add_role(t, s, what->columns, &name);
    for (size_t i = 0; i < s->data->n_codes; i++) {
        if (!is_used(s, what, i))
            continue;
        table_add_text(t, s->data->codes[i].name);
        add_share(t, of[what->rows].by[true].first[i], of[what->rows].n_labelled, confidence);
        add_share(t, of[what->columns].by[true].first[i], of[what->columns].n_labelled, confidence);
    }
    buf_set(&name, list);
    if (name.len > 0 && name.ptr[0] >= 'a' && name.ptr[0] <= 'z')
        name.ptr[0] = (char)(name.ptr[0] - 'a' + 'A');
    table_note(t, "%ss in the order of the codebook.", buf_cstr(&name));
    note_intervals(t, confidence);
}

static void add_matrix(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    const struct report_data *d = s->data;
    const struct pairs *pairs = &s->counts->pairs[what - s->plan->items];
    AT_END(buf_clear) struct buf name = {0};

    add_role(NULL, s, what->rows, &name);
    table_column_add(t, buf_cstr(&name), NULL, TABLE_TEXT);
    for (size_t i = 0; i < d->n_codes; i++)
        if (is_used(s, what, i))
            table_column_add_span(t, d->codes[i].name, d->codes[i].short_name, TABLE_INT);
    table_column_add(t, "total", NULL, TABLE_INT);
    for (size_t i = 0; i < d->n_codes; i++) {
        int64_t total = 0;
        if (!is_used(s, what, i))
            continue;
        table_add_text(t, d->codes[i].name);
        for (size_t k = 0; k < d->n_codes; k++)
            if (is_used(s, what, k)) {
                table_add_int(t, (int64_t)pairs_at(pairs, i, k));
                total += (int64_t)pairs_at(pairs, i, k);
            }
        table_add_int(t, total);
    }
}

static void add_order(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    const struct report_code *codes = s->data->codes;
    const struct pairs *pairs = &s->counts->pairs[what - s->plan->items];
    double confidence = s->wanted->confidence;
    int64_t both = 0, same = 0, known = 0, same_known = 0, later = 0, earlier = 0;

    for (size_t i = 0; i < s->data->n_codes; i++)
        for (size_t k = 0; k < s->data->n_codes; k++) {
            int64_t n = (int64_t)pairs_at(pairs, i, k);
            both += n;
            same += i == k ? n : 0;
            if (is_unknown(codes[i].name) || is_unknown(codes[k].name))
                continue;
            known += n;
            same_known += i == k ? n : 0;
            later += k > i ? n : 0;
            earlier += k < i ? n : 0;
        }
    table_columns(t, "exposed; n int; of int; share share; low share = %g%% from; high share = to", confidence * 100);
    const struct {
        const char *what;
        int64_t n, of;
    } rows[] = {{"in the stage that introduced it", same, both},
                {"in the same stage, both known", same_known, known},
                {"in a later stage, both known", later, known},
                {"in an earlier stage, both known", earlier, known},
                {"a stage is unknown", both - known, both}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct proportion p;
        wilson_interval((uint64_t)rows[i].n, (uint64_t)rows[i].of, confidence, &p);
        table_add_row(t, table_text(span_of(rows[i].what)), table_int(rows[i].n), table_int(rows[i].of),
                      table_real(p.share), table_real(p.low), table_real(p.high));
    }
    table_note(t,
               "Later and earlier in the order of the codebook; %lld %s with an unknown "
               "stage are left out where it says known.",
               (long long)(both - known), called_of(s));
    note_intervals(t, confidence);
}

/* --- totals and years --- */

static void add_total(struct table *t, const char *what, int64_t n)
{
    table_add_row(t, table_text(span_of(what)), table_int(n));
}

static void add_totals(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    const struct counts *c = s->counts;
    const struct facets *f = s->data->facets;
    AT_END(buf_clear) struct buf text = {0};

    table_columns(t, "what; n int");
    add_total(t, called_of(s), c->all.n_problems);
    add_total(t, "posts", c->n_posts);
    buf_addf(&text, "posts with several %s", called_of(s));
    add_total(t, buf_cstr(&text), c->n_posts_with_several);
    for (size_t i = 0; i < f->n; i++) {
        const struct facet *facet = &f->items[i];
        if (facet->most == 1)
            continue;
        buf_reset(&text);
        buf_addf(&text, "%s with %s ", called_of(s), facet->most == 2 ? "two" : "several");
        size_t plural = text.len;
        buf_add_span(&text, facet->plural);
        text.ptr[plural] = ascii_lower(text.ptr[plural]);
        add_total(t, buf_cstr(&text), c->all.of[i].n_several);
    }
}

static void add_years(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    struct groups *g = &s->counts->years;
    size_t *order = groups_order(g, true);

    table_columns(t, "year; posts int");
    share_columns(t, "", called_of(s), s->wanted->confidence);
    for (size_t i = 0; i < g->of.n; i++) {
        table_add_row(t, table_text(g->of.at[order[i]].key), table_int(g->of.at[order[i]].value.n_posts));
        add_share(t, g->of.at[order[i]].value.n_problems, s->counts->all.n_problems, s->wanted->confidence);
    }
    note_intervals(t, s->wanted->confidence);
}

/* --- all of them --- */

static void (*const builders[])(const struct tables *s, const struct report_statistic *what) = {
    [REPORT_TOTALS] = add_totals,         [REPORT_YEARS] = add_years,           [REPORT_CATEGORIES] = add_facet,
    [REPORT_CODES] = add_facet,           [REPORT_CROSSTAB] = add_cross_tables, [REPORT_ROLES] = add_roles,
    [REPORT_MATRIX] = add_matrix,         [REPORT_ORDER] = add_order,           [REPORT_TESTS] = add_tests,
    [REPORT_ASSESSMENT] = add_assessment, [REPORT_NUMBERS] = add_numbers,       [REPORT_MEDIANS] = add_numbers,
};
_Static_assert(ARRAY_LEN(builders) == REPORT_KINDS, "each kind has a function");

/* Numbers without a word on what they do not count, or count as one, would be taken for those of all. */
static void add_to_title(const struct tables *s, const struct report_statistic *what, struct table *t)
{
    bool wanted[FACETS_MAX] = {false};
    AT_END(buf_clear) struct buf words = {0};

    if (what->kind == REPORT_CATEGORIES || (what->kind == REPORT_MEDIANS && !what->rows_by_code) ||
        (what->kind == REPORT_CROSSTAB && !(what->rows_by_code && what->columns_by_code)))
        report_say_level(t, s->data->level);
    if (s->data->settled == NULL)
        return;
    report_settled_of(s->data->facets, what, wanted);
    report_settled_add(&words, s->data->facets, s->data->settled, wanted, ". ");
    table_caveat(t, buf_span(&words));
}

void report_study(struct table_list *r, const struct report_data *d, const struct report_plan *plan,
                  const struct report_wanted *wanted)
{
    AT_END(counts_clear) struct counts counts;
    struct tables s = {.report = r, .data = d, .counts = &counts, .plan = plan, .wanted = wanted};

    counts_take(&counts, d, plan, wanted->by);
    for (size_t i = 0; i < plan->n; i++) {
        size_t before = r->n;
        const struct report_statistic *what = &plan->items[i];
        bool asked = wanted->table != NULL ? strcmp(wanted->table, what->id) == 0
                                           : wanted->questions == ~0U || (wanted->questions & what->questions) != 0;
        if (asked && (wanted->by == REPORT_BY_NOTHING || report_can_group(what)))
            builders[what->kind](&s, what);
        for (size_t k = before; k < r->n; k++)
            add_to_title(&s, what, r->tables[k]);
        /* With problems, a table without rows is about what they lack. */
        if (r->n > before && d->n_problems > 0 && wanted->table == NULL && table_rows(r->tables[r->n - 1]) == 0)
            table_list_drop(r);
    }
}

/* --- numbers: in all, and by the codes of another facet --- */

size_t numbers_of(const struct report_data *d, const struct report_statistic *what, size_t line, double *out)
{
    size_t facet = what->kind == REPORT_MEDIANS ? what->columns : what->rows, n = 0;

    for (size_t i = 0; i < d->n_problems; i++) {
        const struct report_problem *p = &d->problems[i];
        const struct report_codes *codes = &p->of[what->rows];
        bool here = what->kind == REPORT_NUMBERS || line == NUMBERS_OF_ALL;
        for (size_t k = 0; k < codes->n && !here; k++)
            here = line == (what->rows_by_code ? (size_t)codes->at[k] : (size_t)d->codes[codes->at[k]].category);
        if (here && p->of[facet].n > 0)
            out[n++] = facet_number(d->codes[p->of[facet].at[0]].name);
    }
    return n;
}

bool numbers_line(const struct report_data *d, const struct report_statistic *what, size_t line, struct span *name)
{
    if (line >= lines_of(d, what->rows_by_code) ||
        line_at(d, what->rows_by_code, line).list != d->facets->items[what->rows].list)
        return false;
    *name = line_at(d, what->rows_by_code, line).name;
    return true;
}

static void add_row(const struct tables *s, struct table *t, const double *values, size_t n)
{
    struct numbers_summary sum;

    numbers_summarize(values, n, s->wanted->confidence, &sum);
    table_add_row(t, table_int((int64_t)n), table_real(sum.low), table_real(sum.quartile1), table_real(sum.median),
                  table_real(sum.quartile3), table_real(sum.high), table_real(sum.mean), table_real(sum.mean_low),
                  table_real(sum.mean_high), table_real(sum.deviation));
}

void add_numbers(const struct tables *s, const struct report_statistic *what)
{
    const struct report_data *d = s->data;
    const struct facet *rows = &d->facets->items[what->rows];
    struct table *t = table_list_add(s->report, what->id, what->title);
    AT_END(mem_end) double *values = mem_zero(d->n_problems + 1, sizeof *values);

    table_column_add(t, what->kind == REPORT_MEDIANS ? rows->name.ptr : "of", NULL, TABLE_TEXT);
    table_columns(t,
                  "n int; least real; quartile1 real = quartile 1; median real; quartile3 real = quartile 3;"
                  " greatest real; mean real; mean_low real = %g%% from; mean_high real = to; deviation real",
                  s->wanted->confidence * 100);
    /* The codes of a facet, or its categories, that problems with a number have. */
    for (size_t i = 0; what->kind == REPORT_MEDIANS && i < lines_of(d, what->rows_by_code); i++) {
        struct span name;
        size_t n_here = numbers_line(d, what, i, &name) ? numbers_of(d, what, i, values) : 0;
        if (n_here == 0)
            continue;
        table_add_text(t, name);
        add_row(s, t, values, n_here);
    }
    size_t n = numbers_of(d, what, NUMBERS_OF_ALL, values);
    if (n > 0) {
        table_add_text(t, SPAN("all"));
        add_row(s, t, values, n);
        table_note(t, "Quartiles by linear interpolation. Interval of the mean: Student's t.");
        if (d->n_problems > n)
            table_note(t, "Left out, because they have no number: %zu.", d->n_problems - n);
        if (what->kind == REPORT_MEDIANS && rows->most > 1)
            table_note(t, "A problem is in the line of each %s that it has.", rows->name.ptr);
    }
}
