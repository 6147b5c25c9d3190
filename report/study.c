/* study: the tables of research questions 1 to 3, of years, and of totals. */
#include "report/tables.h"

#include <strings.h>

bool is_unknown(struct span name)
{
    return name.len == 7 && strncasecmp(name.ptr, "unknown", 7) == 0;
}

/* --- shares --- */

void share_columns(struct table *t, const char *prefix, const char *title, double confidence)
{
    static const char *const parts[] = {"share", "low", "high"};
    static const char *const words[] = {"share", "from", "to"};
    struct buf name = {0}, shown = {0};

    table_column_add(t, prefix[0] != '\0' ? prefix : "n", title, TABLE_INT);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        buf_reset(&name);
        buf_reset(&shown);
        buf_addf(&name, "%s%s%s", prefix, prefix[0] != '\0' ? "_" : "", parts[i]);
        if (i == 1)
            buf_addf(&shown, "%g%% %s", confidence * 100, words[i]);
        table_column_add(t, buf_cstr(&name), i == 1 ? buf_cstr(&shown) : words[i], TABLE_SHARE);
    }
    buf_clear(&name);
    buf_clear(&shown);
}

void add_share(struct table *t, int64_t n, int64_t of, double confidence)
{
    struct proportion p;

    wilson_interval((uint64_t)n, (uint64_t)of, confidence, &p);
    table_add_int(t, n);
    table_add_real(t, p.share);
    table_add_real(t, p.low);
    table_add_real(t, p.high);
}

static void note_intervals(struct table *t, double confidence)
{
    table_note(t, "from, to: Wilson score interval at %g%%.", confidence * 100);
}

/* --- research questions 1 and 2 --- */

/* A table of codes or categories of a facet, for all problems or for each group. */
struct facet_table {
    const struct tables *s;
    struct table *t;
    enum report_facet facet;
    bool categories;
};

static void facet_columns(const struct facet_table *f)
{
    double confidence = f->s->wanted->confidence;

    if (f->s->wanted->by != REPORT_BY_NOTHING)
        table_column_add(f->t, f->s->wanted->by == REPORT_BY_TAG ? "tag" : "year", NULL,
                          TABLE_TEXT);
    table_column_add(f->t, "category", NULL, TABLE_TEXT);
    if (!f->categories)
        table_column_add(f->t, "code", NULL, TABLE_TEXT);
    share_columns(f->t, "", NULL, confidence);
    if (f->facet != REPORT_SYMPTOM)
        return;
    share_columns(f->t, "any", "with any", confidence);
    if (f->categories)
        table_column_add(f->t, "labels", NULL, TABLE_INT);
}

static void facet_row(const struct facet_table *f, const struct span *group, const struct tally *t,
                      size_t i)
{
    const struct report_data *d = f->s->data;
    double confidence = f->s->wanted->confidence;
    size_t category = f->categories ? i : (size_t)d->codes[i].category;
    int64_t of = t->n_labelled[f->facet];

    if (group != NULL)
        table_add_text(f->t, *group);
    table_add_text(f->t, d->categories[category].name);
    if (!f->categories)
        table_add_text(f->t, d->codes[i].name);
    add_share(f->t, f->categories ? t->category_first[i] : t->first[i], of, confidence);
    if (f->facet != REPORT_SYMPTOM)
        return;
    add_share(f->t, f->categories ? t->category_any[i] : t->any[i], of, confidence);
    if (f->categories)
        table_add_int(f->t, t->category_labels[i]);
}

static int64_t uses(const struct facet_table *f, const struct tally *t, size_t i)
{
    if (f->categories)
        return t->category_first[i] + t->category_labels[i];
    return t->first[i] + t->any[i];
}

/* Rows for what the study uses at all; of tags, for what problems of the tag use. */
static void facet_rows(const struct facet_table *f, const struct span *group,
                       const struct tally *t)
{
    const struct report_data *d = f->s->data;
    size_t n = f->categories ? d->n_categories : d->n_codes;
    const struct tally *ruling = f->s->wanted->by == REPORT_BY_TAG ? t : &f->s->counts->all;

    for (size_t i = 0; i < n; i++) {
        enum report_facet facet = f->categories ? d->categories[i].facet : d->codes[i].facet;
        if (facet == f->facet && uses(f, ruling, i) > 0)
            facet_row(f, group, t, i);
    }
}

static void note_unused(const struct facet_table *f)
{
    const struct report_data *d = f->s->data;
    struct buf list = {0};

    for (size_t i = 0; i < d->n_codes; i++)
        if (d->codes[i].facet == f->facet && f->s->counts->all.first[i] == 0 &&
            f->s->counts->all.any[i] == 0)
            buf_addf(&list, "%s%.*s", list.len > 0 ? ", " : "", (int)d->codes[i].name.len,
                     d->codes[i].name.ptr);
    if (list.len > 0)
        table_note(f->t, "Not used by any problem: %s.", buf_cstr(&list));
    buf_clear(&list);
}

static void facet_note(const struct facet_table *f)
{
    const struct tally *all = &f->s->counts->all;
    long long missing = all->n_problems - all->n_labelled[f->facet];

    if (f->facet == REPORT_SYMPTOM)
        table_note(f->t, "n: problems by their first symptom. With any: problems that have the "
                          "symptom as first or second%s",
                    f->categories ? ", each once; labels: how often it was given." : ".");
    else
        table_note(f->t, "n: problems by root cause.");
    if (f->s->wanted->by == REPORT_BY_TAG)
        table_note(f->t, "A problem counts for each of its tags; rows that are 0 are left out.");
    note_intervals(f->t, f->s->wanted->confidence);
    if (missing > 0)
        table_note(f->t, "Left out, because they have no label: %lld.", missing);
    if (!f->categories && f->s->wanted->by == REPORT_BY_NOTHING)
        note_unused(f);
}

static void add_facet(const struct tables *s, const char *id, enum report_facet facet,
                      bool categories)
{
    static const char *const what[] = {"Symptoms", "Root causes"};
    static const char *const by[] = {"", " by tag", " by year"};
    struct facet_table f = {.s = s, .facet = facet, .categories = categories};
    char title[64];

    snprintf(title, sizeof title, "%s%s%s", what[facet],
             categories ? " by category" : " by code", by[s->wanted->by]);
    if (categories && s->wanted->by != REPORT_BY_NOTHING)
        snprintf(title, sizeof title, "%s by category and%s", what[facet], by[s->wanted->by] + 3);
    f.t = table_list_add(s->report, id, title);
    facet_columns(&f);
    if (s->wanted->by == REPORT_BY_NOTHING) {
        facet_rows(&f, NULL, &s->counts->all);
    } else {
        struct groups *g = &s->counts->by;
        size_t *order = groups_order(g, s->wanted->by == REPORT_BY_YEAR);
        for (size_t i = 0; i < g->n; i++)
            facet_rows(&f, &g->names[order[i]], &g->tallies[order[i]]);
    }
    facet_note(&f);
}

static void add_symptom_categories(const struct tables *s, const char *id)
{
    add_facet(s, id, REPORT_SYMPTOM, true);
}

static void add_symptom_codes(const struct tables *s, const char *id)
{
    add_facet(s, id, REPORT_SYMPTOM, false);
}

static void add_cause_categories(const struct tables *s, const char *id)
{
    add_facet(s, id, REPORT_ROOT_CAUSE, true);
}

static void add_cause_codes(const struct tables *s, const char *id)
{
    add_facet(s, id, REPORT_ROOT_CAUSE, false);
}

/* --- research question 3 --- */

static bool stage_used(const struct tables *s, size_t code)
{
    const struct tally *t = &s->counts->all;

    return s->data->codes[code].facet == REPORT_STAGE && t->first[code] + t->any[code] > 0;
}

static void add_stages(const struct tables *s, const char *id)
{
    struct table *t = table_list_add(s->report, id, "Stages by role");
    const struct tally *all = &s->counts->all;
    double confidence = s->wanted->confidence;

    table_column_add(t, "stage", NULL, TABLE_TEXT);
    share_columns(t, "introducing", NULL, confidence);
    share_columns(t, "exposing", NULL, confidence);
    for (size_t i = 0; i < s->data->n_codes; i++) {
        if (!stage_used(s, i))
            continue;
        table_add_text(t, s->data->codes[i].name);
        add_share(t, all->first[i], all->n_labelled[REPORT_STAGE], confidence);
        add_share(t, all->any[i], s->counts->n_exposing, confidence);
    }
    table_note(t, "Stages in the order of the codebook.");
    note_intervals(t, confidence);
}

static void add_stage_matrix(const struct tables *s, const char *id)
{
    struct table *t =
        table_list_add(s->report, id, "Introducing stage (rows) by exposing stage (columns)");
    const struct report_data *d = s->data;

    table_column_add(t, "introducing", NULL, TABLE_TEXT);
    for (size_t i = 0; i < d->n_codes; i++)
        if (stage_used(s, i))
            table_column_add_span(t, d->codes[i].name, d->codes[i].short_name, TABLE_INT);
    table_column_add(t, "total", NULL, TABLE_INT);
    for (size_t i = 0; i < d->n_codes; i++) {
        int64_t total = 0;
        if (!stage_used(s, i))
            continue;
        table_add_text(t, d->codes[i].name);
        for (size_t k = 0; k < d->n_codes; k++)
            if (stage_used(s, k)) {
                table_add_int(t, (int64_t)s->counts->stages[i * d->n_codes + k]);
                total += (int64_t)s->counts->stages[i * d->n_codes + k];
            }
        table_add_int(t, total);
    }
}

struct stage_order {
    int64_t both, same, known, same_known, later, earlier;
};

static void count_order(const struct tables *s, struct stage_order *o)
{
    const struct report_data *d = s->data;

    *o = (struct stage_order){0};
    for (size_t i = 0; i < d->n_codes; i++)
        for (size_t k = 0; k < d->n_codes; k++) {
            int64_t n = (int64_t)s->counts->stages[i * d->n_codes + k];
            o->both += n;
            o->same += i == k ? n : 0;
            if (is_unknown(d->codes[i].name) || is_unknown(d->codes[k].name))
                continue;
            o->known += n;
            o->same_known += i == k ? n : 0;
            o->later += k > i ? n : 0;
            o->earlier += k < i ? n : 0;
        }
}

static void add_order_row(struct table *t, const char *what, int64_t n, int64_t of,
                          double confidence)
{
    struct proportion p;

    wilson_interval((uint64_t)n, (uint64_t)of, confidence, &p);
    table_add_text(t, span_of(what));
    table_add_int(t, n);
    table_add_int(t, of);
    table_add_real(t, p.share);
    table_add_real(t, p.low);
    table_add_real(t, p.high);
}

static void add_stage_order(const struct tables *s, const char *id)
{
    struct table *t =
        table_list_add(s->report, id, "From the introducing to the exposing stage");
    double confidence = s->wanted->confidence;
    struct stage_order o;
    char from[32];

    count_order(s, &o);
    snprintf(from, sizeof from, "%g%% from", confidence * 100);
    table_column_add(t, "exposed", NULL, TABLE_TEXT);
    table_column_add(t, "n", NULL, TABLE_INT);
    table_column_add(t, "of", NULL, TABLE_INT);
    table_column_add(t, "share", NULL, TABLE_SHARE);
    table_column_add(t, "low", from, TABLE_SHARE);
    table_column_add(t, "high", "to", TABLE_SHARE);
    add_order_row(t, "in the stage that introduced it", o.same, o.both, confidence);
    add_order_row(t, "in the same stage, both known", o.same_known, o.known, confidence);
    add_order_row(t, "in a later stage, both known", o.later, o.known, confidence);
    add_order_row(t, "in an earlier stage, both known", o.earlier, o.known, confidence);
    add_order_row(t, "a stage is unknown", o.both - o.known, o.both, confidence);
    table_note(t, "Later and earlier in the order of the codebook; %lld problems with an unknown "
                   "stage are left out where it says known.",
                (long long)(o.both - o.known));
    note_intervals(t, confidence);
}

/* --- totals and years --- */

static void add_total(struct table *t, const char *what, int64_t n)
{
    table_add_text(t, span_of(what));
    table_add_int(t, n);
}

static void add_totals(const struct tables *s, const char *id)
{
    struct table *t = table_list_add(s->report, id, "The study");
    const struct counts *c = s->counts;

    table_column_add(t, "what", NULL, TABLE_TEXT);
    table_column_add(t, "n", NULL, TABLE_INT);
    add_total(t, "performance problems", c->all.n_problems);
    add_total(t, "posts", c->n_posts);
    add_total(t, "posts with several problems", c->n_posts_with_several);
    add_total(t, "problems with two symptoms", c->n_two_symptoms);
}

static void add_years(const struct tables *s, const char *id)
{
    struct table *t = table_list_add(s->report, id, "Problems by year of the post");
    struct groups *g = &s->counts->years;
    size_t *order = groups_order(g, true);

    table_column_add(t, "year", NULL, TABLE_TEXT);
    table_column_add(t, "posts", NULL, TABLE_INT);
    share_columns(t, "", "problems", s->wanted->confidence);
    for (size_t i = 0; i < g->n; i++) {
        table_add_text(t, g->names[order[i]]);
        table_add_int(t, g->tallies[order[i]].n_posts);
        add_share(t, g->tallies[order[i]].n_problems, s->counts->all.n_problems,
                  s->wanted->confidence);
    }
    note_intervals(t, s->wanted->confidence);
}

/* --- all of them --- */

enum { ALWAYS = 0, RQ1 = 1 << 1, RQ2 = 1 << 2, RQ3 = 1 << 3, RQ4 = 1 << 4, EVERYTHING = 0x1e };

static const struct {
    void (*add)(const struct tables *s, const char *id);
    unsigned rq; /* ALWAYS: when everything is wanted */
    bool grouped;
} builders[] = {
    {add_totals, ALWAYS, false},
    {add_years, ALWAYS, false},
    {add_symptom_categories, RQ1, true},
    {add_symptom_codes, RQ1, true},
    {add_cause_categories, RQ2, true},
    {add_cause_codes, RQ2, true},
    {add_cross_tables, RQ2, false},
    {add_stages, RQ3, false},
    {add_stage_matrix, RQ3, false},
    {add_stage_order, RQ3, false},
    {add_cross_tables, RQ3, false},
    {add_tests, RQ2 | RQ3, false},
    {add_assessment, RQ4, false},
};

const char *const report_table_ids[] = {
    "totals",        "year",      "rq1-category", "rq1-code",  "rq2-category", "rq2-code",
    "symptom-cause", "rq3-stage", "rq3-matrix",   "rq3-order", "cause-stage",  "tests",
    "rq4",           NULL,
};

static bool is_wanted(const struct report_wanted *w, size_t i)
{
    if (w->by != REPORT_BY_NOTHING && !builders[i].grouped)
        return false;
    if (w->table != NULL)
        return strcmp(w->table, report_table_ids[i]) == 0;
    if ((w->rq & EVERYTHING) == EVERYTHING)
        return true;
    return (w->rq & builders[i].rq) != 0;
}

void report_study(struct table_list *r, const struct report_data *d, const struct report_wanted *wanted)
{
    struct counts counts;
    struct tables s = {.report = r, .data = d, .counts = &counts, .wanted = wanted};

    counts_take(&counts, d, wanted->by);
    for (size_t i = 0; i < ARRAY_LEN(builders); i++)
        if (is_wanted(wanted, i))
            builders[i].add(&s, report_table_ids[i]);
    counts_clear(&counts);
}
