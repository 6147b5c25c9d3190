/* saturation: how many new codes each further ten problems brought, in the order in which they were coded. */
#include "report/report.h"

#include "report/plot.h"

enum { STEP = 10 }; /* problems of a row */

/* What one problem brings to one facet. */
struct coded {
    struct span at;    /* when the first of its coders gave it codes */
    size_t nth, facet; /* nth: its place among all problems, where several were coded at one time */
    bool merged;       /* settled: the codes are what was settled; else what any of its coders gave */
    int32_t *codes;    /* places in the data's codes; an array of FACET_CODES_MAX each coder */
    size_t n, capacity;
};

struct reading {
    const struct report_data *data;
    struct coded *items; /* those of the problem that is read are the last `open` ones */
    size_t n, n_open, capacity, n_subjects;
    struct span subject;
    struct report_ratings merged; /* only its coders: those whose labels are what was settled */
    struct arena arena;
};

/* --- reading --- */

static void add_facet(struct reading *r, size_t facet, const struct db_coding *coding)
{
    struct coded *c = NULL;
    for (size_t i = r->n - r->n_open; i < r->n && c == NULL; i++)
        c = r->items[i].facet == facet ? &r->items[i] : NULL;
    if (c == NULL) {
        r->items = array_room(r->items, r->n, 1, &r->capacity, sizeof *r->items);
        c = &r->items[r->n++];
        *c = (struct coded){.nth = r->n_subjects, .facet = facet};
        r->n_open++;
    }
    bool merged = report_has_coder(&r->merged, coding->coder);

    /* Settled labels have the time of the settling; they were found when they were coded. */
    bool earlier = c->at.ptr == NULL || (!merged && span_order(coding->decided_at, c->at) < 0);
    if (earlier)
        c->at = arena_copy(&r->arena, coding->decided_at);
    if (c->merged && !merged)
        return;
    if (merged) {
        c->n = 0;
        c->merged = true;
    }
    const struct report_data *d = r->data;

    for (size_t i = 0; i < coding->codes[facet].n; i++)
        for (size_t k = 0; k < d->n_codes; k++)
            if (d->codes[k].code_id == coding->codes[facet].ids[i] &&
                d->codes[k].list == d->facets->items[c->facet].list) {
                c->codes = array_room(c->codes, c->n, 1, &c->capacity, sizeof *c->codes);
                c->codes[c->n++] = (int32_t)k;
                break;
            }
}

static void add_coding(struct reading *r, const struct db_coding *coding)
{
    if (coding->decided_at.ptr == NULL || coder_is_model(coding->coder) || (coding->is_judged && !coding->is_problem))
        return;
    if (r->n_subjects == 0 || !span_eq(r->subject, coding->subject)) {
        r->subject = arena_copy(&r->arena, coding->subject);
        r->n_subjects++;
        r->n_open = 0;
    }
    for (size_t i = FACET_JUDGES + 1; i < r->data->facets->n; i++)
        if (r->data->facets->items[i].kind == FACET_CODES && coding->codes[i].n > 0)
            add_facet(r, i, coding);
}

static int compare_coded(const void *a, const void *b)
{
    const struct coded *x = a, *y = b;
    int order = (x->facet > y->facet) - (x->facet < y->facet);

    if (order == 0)
        order = span_order(x->at, y->at);
    return order != 0 ? order : (x->nth > y->nth) - (x->nth < y->nth);
}

static void reading_clear(struct reading *r)
{
    for (size_t i = 0; i < r->n; i++)
        mem_free(r->items[i].codes);
    mem_free(r->items);
    report_ratings_clear(&r->merged);
    arena_clear(&r->arena);
}

/* --- the tables --- */

/* Of one facet: which codes were seen. */
struct curve {
    const struct coded *items;
    size_t n, last_new; /* last_new: the problem, from 1, that brought the last new code */
    size_t n_seen;
    bool *seen; /* by place in the data's codes */
};

/* Counts the codes that a problem brings first, and appends their names. */
static size_t take(const struct report_data *d, struct curve *c, size_t nth, struct buf *names)
{
    const struct coded *item = &c->items[nth];
    size_t n_new = 0;

    for (size_t i = 0; i < item->n; i++) {
        if (c->seen[item->codes[i]])
            continue;
        c->seen[item->codes[i]] = true;
        c->last_new = nth + 1;
        buf_add_text(names, names->len > 0 ? "; " : "");
        buf_add_span(names, d->codes[item->codes[i]].name);
        n_new++;
    }
    c->n_seen += n_new;
    return n_new;
}

/* Where the sum of new codes grows, for the plot. */
static void add_points(struct buf *points, const struct report_data *d, const struct curve *of)
{
    struct curve c = *of;
    AT_END(buf_clear) struct buf names = {0};

    AT_END(mem_end) bool *seen = c.seen = mem_zero(d->n_codes + 1, sizeof *seen);
    c.n_seen = 0;
    buf_add_text(points, "0 0\n");
    for (size_t i = 0; i < c.n; i++)
        if (take(d, &c, i, &names) > 0)
            buf_addf(points, "%zu %zu\n", i + 1, c.n_seen);
    buf_addf(points, "%zu %zu\n\n\n", c.n, c.n_seen); /* two empty lines end a line of gnuplot */
}

static void add_facets(struct table *t, struct report_saturation *plot, const struct reading *r)
{
    for (size_t from = 0, to; from < r->n; from = to) {
        const struct facet *facet = &r->data->facets->items[r->items[from].facet];
        struct curve c = {.items = &r->items[from]};

        for (to = from; to < r->n && r->items[to].facet == r->items[from].facet; to++)
            c.n++;
        c.seen = mem_zero(r->data->n_codes + 1, sizeof *c.seen);
        size_t in_codebook = 0;
        for (size_t i = 0; i < r->data->n_codes; i++)
            in_codebook += r->data->codes[i].list == facet->list && !r->data->codes[i].retired;
        for (size_t first = 0, end; first < c.n; first = end) {
            AT_END(buf_clear) struct buf names = {0};
            size_t n_new = 0;
            for (end = first; end < c.n && end < first + STEP; end++)
                n_new += take(r->data, &c, end, &names);
            table_add_row(t, table_text(facet->typed), table_int((int64_t)first + 1), table_int((int64_t)end),
                          table_text(c.items[first].at), table_text(c.items[end - 1].at), table_int((int64_t)n_new),
                          table_int((int64_t)c.n_seen), table_int((int64_t)in_codebook), table_text(buf_span(&names)));
        }
        /* The sentence with which a researcher says when coding stopped. */
        AT_END(buf_clear) struct buf end = {0};

        if (c.last_new == c.n)
            buf_add_text(&end, "the last problem brought a new code");
        else
            buf_addf(&end, "nothing new after problem %zu of %zu", c.last_new, c.n);
        table_note(t, "%.*s: %zu of %zu codes seen; %s.", SPAN_ARG(facet->typed), c.n_seen, in_codebook,
                   buf_cstr(&end));
        add_points(&plot->points, r->data, &c);
        buf_addf(&plot->titles, "%.*s\n", SPAN_ARG(facet->title));
        plot->most = c.n_seen > plot->most ? c.n_seen : plot->most;
        mem_free(c.seen);
    }
}

enum status report_saturation_add(struct table_list *list, struct report_saturation *plot, const struct report_data *d,
                                  struct db *db, struct err *e)
{
    AT_END(reading_clear) struct reading r = {.data = d};
    enum status status = report_merged_load(&r.merged, db, e);

    struct sql *walk = db_codings(db, &(struct db_coding_query){.unjudged = false});
    struct db_coding coding;
    while (db_coding_next(db, walk, &coding, &status, e))
        add_coding(&r, &coding);
    if (status == ST_OK && r.n > 0) {
        struct table *t = table_list_add(list, "saturation", "New codes in the course of the coding");
        qsort(r.items, r.n, sizeof *r.items, compare_coded);
        table_columns(t, "facet; first int = problems from; last int = to; from = coded from; to = to; "
                         "new int = new codes; seen int = codes so far; codebook int = in the codebook; "
                         "codes = which are new");
        table_note(t, "Problems in the order in which the first of their coders coded them; of one time, in that of"
                      " their ids. What is settled counts with its settled codes, the rest with those of its coders.");
        /* Labels that are imported are all of one time. */
        size_t i = 1;

        while (i < r.n && span_eq(r.items[i].at, r.items[0].at))
            i++;
        if (i == r.n && r.n > 1)
            table_note(t, "All were coded at one time, as labels that are imported are: their order does not say when a"
                          " code was found.");
        add_facets(t, plot, &r);
        if (d->settled != NULL)
            report_unsettled_add(&plot->caveat, d->facets, d->settled);
        table_caveat(t, buf_span(&plot->caveat));
    }
    return status;
}

void report_saturation_clear(struct report_saturation *plot)
{
    buf_clear(&plot->points);
    buf_clear(&plot->titles);
    buf_clear(&plot->caveat);
}

/* --- the plot --- */

void draw_saturation(struct drawing *d)
{
    static const char *const colours[] = {"#3b6fa0", "#cc6677", "#117733", "#ddaa33", "#882255", "#44aa99"};
    struct span rest = buf_span(&d->saturation->titles), title;
    int n = 0;

    buf_add_span(&d->points, buf_span(&d->saturation->points));
    buf_addf(&d->commands,
             "set border 3\nset xtics nomirror out\nset ytics nomirror out\nset xrange [0:*]\n"
             "set yrange [0:%zu]\nset xlabel 'problems coded'\nset ylabel 'codes seen'\n"
             "set grid lt 1 lw 0.5 lc rgb '#e4e4e4'\nset key bottom right reverse Left samplen 2\n",
             d->saturation->most + 1);
    for (; span_cut(&rest, '\n', &title); n++) {
        buf_addf(&d->commands, "%s'%s.dat' index %d using 1:2 with steps lw 2 dt %d lc rgb '%s' title ",
                 n > 0 ? ", \\\n  " : "plot ", d->name, n, 1 + n / (int)ARRAY_LEN(colours),
                 colours[n % (int)ARRAY_LEN(colours)]);
        add_quoted(&d->commands, title);
    }
    buf_add_char(&d->commands, '\n');
    d->width = 620;
    d->height = 420;
}
