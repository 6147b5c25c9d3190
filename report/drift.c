/* drift: how far two coders agree in the course of their coding, window by window; and models with all. */
#include "report/report.h"

#include <math.h>

#include "db/fragments.h"
#include "db/sql.h"
#include "label/fragments.h"

enum { WINDOWS_MAX = 5, WINDOW_MIN = 20 }; /* subjects in a window: fewer say little */

/* What coders said of each facet. */
struct course {
    struct report_ratings of[FACETS_MAX];
};

static enum status MUST_USE course_read(struct course *c, struct db *db, size_t first, size_t n, struct err *e)
{
    const struct report_rated wanted = {.ignore_spelling = true, .in_course = true};
    size_t n_spelled[FACETS_MAX];

    return report_ratings_load(c->of, db, first, n, &wanted, n_spelled, e);
}

static void course_clear(struct course *c)
{
    for (size_t i = 0; i < FACETS_MAX; i++)
        report_ratings_clear(&c->of[i]);
}

/* Kappa is of codes. */
static bool is_coded(const struct report_ratings *r)
{
    return !r->numbers && !r->texts;
}

/* --- windows --- */

/* What both coders said of a subject; `at`: when the later of them did. */
struct shared {
    struct span at;
    size_t subject, a, b; /* a, b: sets of codes */
};

struct pair {
    const struct report_ratings *from;
    size_t a, b;          /* coders */
    struct shared *items; /* in the order of time */
    size_t n;
};

/* Imports have one time for all: then in the order of the subjects. */
static int compare_shared(const void *a, const void *b)
{
    const struct shared *x = a, *y = b;
    int order = span_order(x->at, y->at);

    return order != 0 ? order : (x->subject > y->subject) - (x->subject < y->subject);
}

/* The rating of each subject by a coder, from 1; 0: none. */
static size_t *ratings_of(const struct report_ratings *r, size_t coder)
{
    size_t *of = mem_zero(r->n_subjects + 1, sizeof *of);

    for (size_t i = 0; i < r->n_ratings; i++)
        if (r->ratings[i].coder == coder)
            of[r->ratings[i].subject] = i + 1;
    return of;
}

static void find_shared(struct pair *p)
{
    const struct report_ratings *r = p->from;
    AT_END(mem_end) size_t *by_a = ratings_of(r, p->a), *by_b = ratings_of(r, p->b);

    p->items = mem_zero(r->n_subjects + 1, sizeof *p->items);
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (by_a[i] == 0 || by_b[i] == 0)
            continue;
        const struct report_rating *of_a = &r->ratings[by_a[i] - 1], *of_b = &r->ratings[by_b[i] - 1];
        p->items[p->n++] = (struct shared){span_order(of_a->at, of_b->at) > 0 ? of_a->at : of_b->at, i, of_a->set,
                                           of_b->set};
    }
    if (p->n > 0)
        qsort(p->items, p->n, sizeof *p->items, compare_shared);
}

/* Of the shared subjects from `from` on, before `to`. */
static struct coefficient kappa_of(const struct pair *p, size_t from, size_t to)
{
    const struct report_ratings *r = p->from;
    AT_END(mem_end) uint64_t *matrix = mem_zero(r->n_sets * r->n_sets + 1, sizeof *matrix);
    struct coefficient k;

    for (size_t i = from; i < to; i++)
        matrix[p->items[i].a * r->n_sets + p->items[i].b]++;
    cohen_kappa(matrix, r->n_sets, &k);
    return k;
}

static void add_coders(struct table *t, const struct pair *p)
{
    const struct report_ratings *r = p->from;

    table_add_row(t, table_text(span_of(r->facet)), table_text(r->coders[p->a]), table_text(r->coders[p->b]));
}

static void add_kappa(struct table *t, struct coefficient k)
{
    table_add_row(t, table_int((int64_t)k.n_items), table_real(k.observed), table_real(k.value), table_real(k.low),
                  table_real(k.high), table_text(span_of(agreement_words(k.reason))));
}

static size_t n_models(const struct pair *p)
{
    const struct span *coders = p->from->coders;

    return (size_t)coder_is_model(coders[p->a]) + coder_is_model(coders[p->b]);
}

static void add_pair(struct table *t, const struct report_ratings *from, size_t a, size_t b)
{
    struct pair p = {.from = from, .a = a, .b = b};

    if (n_models(&p) > 0)
        return;
    find_shared(&p);
    size_t windows = p.n / WINDOW_MIN < WINDOWS_MAX ? p.n / WINDOW_MIN : WINDOWS_MAX;
    for (size_t i = 0; windows >= 2 && i < windows; i++) {
        size_t first = i * p.n / windows, end = (i + 1) * p.n / windows;
        add_coders(t, &p);
        table_add_row(t, table_int((int64_t)i + 1), table_text(p.items[first].at), table_text(p.items[end - 1].at));
        add_kappa(t, kappa_of(&p, first, end));
    }
    mem_free(p.items);
}

enum status report_drift(struct table_list *list, struct db *db, size_t first, size_t n,
                         const struct report_ratings *read, struct err *e)
{
    AT_END(course_clear) struct course course = {.of = {{0}}};
    AT_END(buf_clear) struct buf words = {0};
    enum status status = ST_OK;

    for (size_t i = 0; read != NULL && i < n; i++)
        if (read[i].not_in_course) {
            read = NULL;
            break;
        }
    if (read == NULL)
        status = course_read(&course, db, first, n, e);
    if (status != ST_OK)
        return status;
    read = read != NULL ? read : course.of;
    struct table *t = table_list_add(list, "drift", "Agreement in the course of the coding");
    table_columns(t, "facet; coder_a = coder A; coder_b = coder B; window int; from; to; n int; observed real; "
                     "kappa real; low real = 95%% from; high real = to; undefined");
    table_note(t,
               "What two coders both coded, in the order in which the later of them did, in up to %d"
               " windows of equal size with at least %d each. Codes are those of the codebook now.",
               WINDOWS_MAX, WINDOW_MIN);
    for (size_t i = 0; i < n; i++) {
        if (!is_coded(&read[i]))
            continue;
        report_compared_add(&words, &read[i]);
        for (size_t a = 0; a < read[i].n_coders; a++)
            for (size_t b = a + 1; b < read[i].n_coders; b++)
                add_pair(t, &read[i], a, b);
    }
    table_caveat(t, buf_span(&words));
    return ST_OK;
}

/* --- models --- */

static const double levels[] = {0.8, 0.667}; /* Krippendorff's: to rely on, and to conclude tentatively */

/* How many more subjects, if kappa stays as it is, until the interval is on one side of the level that kappa itself
 * reaches: ends come nearer as the root of n grows. Negative: it cannot be said. */
static int64_t more_of(struct coefficient k)
{
    double distance = k.high - k.value, far = levels[1] - k.value;

    if (k.n_items < AGREEMENT_INTERVAL_MIN)
        return (int64_t)(AGREEMENT_INTERVAL_MIN - k.n_items);
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (k.value >= levels[i]) {
            distance = k.value - k.low;
            far = k.value - levels[i];
            break;
        }
    double more = (double)k.n_items * (pow(distance / far, 2) - 1);
    return !(more < 1e6) ? -1 : more <= 0 ? 0 : (int64_t)ceil(more);
}

static void add_model_pair(struct table *t, const struct report_ratings *from, size_t a, size_t b)
{
    static const char *const between[] = {NULL, "person and model", "two models"};
    struct pair p = {.from = from, .a = a, .b = b};

    if (n_models(&p) == 0)
        return;
    find_shared(&p);
    if (p.n > 0) {
        struct coefficient k = kappa_of(&p, 0, p.n);
        add_coders(t, &p);
        table_add_text(t, span_of(between[n_models(&p)]));
        add_kappa(t, k);
        static const char *const words[] = {"0.8", "0.667", "neither"};
        size_t level = 0;
        int64_t more = isfinite(k.value) ? more_of(k) : -1;

        while (level < ARRAY_LEN(levels) && !(k.low >= levels[level]))
            level++;
        table_add_row(t, isfinite(k.low) ? table_text(span_of(words[level])) : table_absent(),
                      more >= 0 ? table_int(more) : table_absent());
    }
    mem_free(p.items);
}

/* --- two models beside each other --- */

/* Of n posts that one of two models has right and the other wrong, one has k right: the probability of k or farther
 * from n / 2, if both are as good (McNemar's test, exact). */
static double probability_of(size_t k, size_t n)
{
    double sum = 0;

    k = k < n - k ? k : n - k;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) - (double)n * log(2));
    return 2 * sum < 1 ? 2 * sum : 1;
}

/* On what a person and both models coded, how often each says what the person says. */
static void add_beside(struct table *t, const struct report_ratings *r, size_t person, size_t a, size_t b)
{
    AT_END(mem_end) size_t *by = ratings_of(r, person), *by_a = ratings_of(r, a), *by_b = ratings_of(r, b);
    size_t n = 0, counts[4] = {0}; /* neither, only a, only b, both */

    for (size_t i = 0; i < r->n_subjects; i++) {
        if (by[i] == 0 || by_a[i] == 0 || by_b[i] == 0)
            continue;
        size_t said = r->ratings[by[i] - 1].set;
        n++;
        counts[(r->ratings[by_a[i] - 1].set == said) + 2 * (r->ratings[by_b[i] - 1].set == said)]++;
    }
    if (n > 0) {
        const size_t shown[] = {n, counts[3], counts[1], counts[2], counts[0]};
        table_add_row(t, table_text(span_of(r->facet)), table_text(r->coders[person]), table_text(r->coders[a]),
                      table_text(r->coders[b]));
        for (size_t i = 0; i < ARRAY_LEN(shown); i++)
            table_add_int(t, (int64_t)shown[i]);
        table_add_real(t, probability_of(counts[1], counts[1] + counts[2]));
    }
}

static void add_all_beside(struct table_list *list, const struct course *c, size_t n)
{
    struct table *t = table_list_add(list, "models-beside",
                                     "Two models beside each other: who says what a person says");

    table_columns(t, "facet; person; model_a = model A; model_b = model B; n int; both int; only_a int = only A; "
                     "only_b int = only B; neither int; p p");
    table_note(t, "On what all three coded. p: of McNemar's exact test that both say it as often.");
    for (size_t i = 0; i < n; i++) {
        const struct report_ratings *of = &c->of[i];
        for (size_t person = 0; is_coded(of) && person < of->n_coders; person++)
            for (size_t a = 0; !coder_is_model(of->coders[person]) && a < of->n_coders; a++)
                for (size_t b = a + 1; coder_is_model(of->coders[a]) && b < of->n_coders; b++)
                    if (coder_is_model(of->coders[b]))
                        add_beside(t, of, person, a, b);
    }
    if (table_rows(t) == 0)
        table_list_drop(list);
}

/* How many of a person's labels that count were given while what models say was shown. */
SQL(ASSISTED,
    "SELECT s.facet, s.coder, count(*), count(s.assisted_by) FROM"
    " (SELECT f.place, l.facet, l.coder, d.assisted_by FROM label AS l JOIN facet AS f USING (facet)"
    "   JOIN decision AS d USING (subject, facet, coder, decided_at) WHERE l.place = 1"
    "   AND l.code_id IS NOT NULL"
    "  UNION ALL"
    "  SELECT 1, d.facet, j.coder, d.assisted_by FROM judgement AS j"
    "   JOIN decision AS d ON d.subject = " PUBLIC_ID(
        "j.post_id") " AND d.facet = " JUDGING "    AND d.coder = j.coder AND d.decided_at = j.decided_at) AS s"
                     " WHERE s.place BETWEEN :first AND :last AND " IS_PERSON(
                         "s.coder") "  AND s.coder NOT IN (SELECT coder FROM coder WHERE is_merged)"
                                    " GROUP BY s.place, s.coder HAVING count(s.assisted_by) > 0");

static enum status MUST_USE add_assisted(struct table_list *list, struct db *db, const struct facets *facets,
                                         size_t first, size_t n, struct err *e)
{
    struct sql *which = SQL_ASSISTED;
    struct table *t = NULL;
    enum status status = ST_OK;

    sql_bind(db, which, BIND(":first", (int64_t)first + 1), BIND(":last", (int64_t)(first + n)));
    while (sql_next(db, which, &status, e)) {
        if (t == NULL) {
            t = table_list_add(list, "assisted", "Labels that people gave while what models say was shown");
            table_columns(t, "facet; coder; labels int; assisted int");
            table_note(t, "Agreement with a model that was shown, and of people who were shown the same, is not"
                          " independent.");
        }
        table_add_row(t, table_text(facets->items[facets_find(facets, sql_text(db, which, 0))].typed),
                      table_text(sql_text(db, which, 1)), table_int(sql_int(db, which, 2)),
                      table_int(sql_int(db, which, 3)));
    }
    return status;
}

enum status report_models(struct table_list *list, struct db *db, size_t first, size_t n, bool *any, struct err *e)
{
    AT_END(course_clear) struct course c = {.of = {{0}}};
    const struct facets *facets = NULL;
    struct table *t = NULL;
    struct db_coder coder;
    bool coded = false;
    enum status status = ST_OK;

    while (db_coder_next(db, &coder, &status, e))
        coded |= coder_is_model(coder.coder);
    *any = false;
    if (status != ST_OK || !coded) /* as in most studies: then nothing is read */
        return status;
    status = db_facets(db, &facets, e);
    THEN(status, course_read(&c, db, first, n, e));
    for (size_t i = 0; status == ST_OK && i < n; i++) {
        const struct report_ratings *of = &c.of[i];
        if (!is_coded(of))
            continue;
        for (size_t k = 0; k < of->n_coders && t == NULL; k++)
            if (coder_is_model(of->coders[k])) {
                t = table_list_add(list, "models", "Agreement with language models");
                table_columns(t, "facet; coder_a = coder A; coder_b = coder B; between; n int; observed real; "
                                 "kappa real; low real = 95%% from; high real = to; undefined; reaches; "
                                 "more int = more to code");
                table_note(
                    t,
                    "What both judged or coded; of several codes all. A model is not a coder of the study: it is"
                    " in no other table, and settles nothing by itself. Reaches: the level below the lower end. More to"
                    " code: about as many as it takes, if kappa stays, until the interval is above the level"
                    " that kappa itself reaches, or below 0.667.");
            }
        for (size_t a = 0; t != NULL && a < of->n_coders; a++)
            for (size_t b = a + 1; b < of->n_coders; b++)
                add_model_pair(t, of, a, b);
    }
    if (t != NULL)
        add_all_beside(list, &c, n);
    THEN(status, add_assisted(list, db, facets, first, n, e));
    *any = t != NULL && table_rows(t) > 0;
    return status;
}
