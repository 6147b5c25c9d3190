/* segments: how far coders agree on which problems a post has. */
#include "report/report.h"

enum { PROBLEMS_MAX = 64 }; /* of a post; more count as so many */

/* Of two coders, the posts in which both coded problems. */
struct pair {
    struct span a, b;
    size_t posts, same, more_a, more_b, problems_a, problems_b, both;
    int32_t *counts; /* of each post by a and b */
};

static const struct db_opinion *opinion_of(const struct db_dispute *post, struct span coder)
{
    const struct db_opinion *o = post->opinions;

    while (o != NULL && !span_eq(o->coder, coder))
        o = o->next;
    return o;
}

static void count_post(struct pair *p, const struct db_opinion *a, const struct db_opinion *b)
{
    size_t both = 0;

    for (size_t i = 0; i < a->n_names; i++)
        for (size_t k = 0; k < b->n_names; k++)
            both += span_eq(a->names[i], b->names[k]);

    p->counts[2 * p->posts] = (int32_t)(a->n_names < PROBLEMS_MAX ? a->n_names : PROBLEMS_MAX);
    p->counts[2 * p->posts + 1] = (int32_t)(b->n_names < PROBLEMS_MAX ? b->n_names : PROBLEMS_MAX);
    p->posts++;
    p->same += both == a->n_names && both == b->n_names;
    p->more_a += a->n_names > b->n_names;
    p->more_b += b->n_names > a->n_names;
    p->problems_a += a->n_names;
    p->problems_b += b->n_names;
    p->both += both;
}

static void add_row(struct table *t, const struct pair *p)
{
    double values[PROBLEMS_MAX + 1];
    struct ratings r = {p->posts, 2, ARRAY_LEN(values), p->counts};
    struct coefficient a;

    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        values[i] = (double)i;
    agreement_of(&r, AGREEMENT_ALPHA, SCALE_QUADRATIC, values, &a);
    table_add_row(t, table_text(p->a), table_text(p->b), table_int((int64_t)p->posts), table_int((int64_t)p->same),
                  table_int((int64_t)p->more_a), table_int((int64_t)p->more_b), table_int((int64_t)p->problems_a),
                  table_int((int64_t)p->problems_b), table_int((int64_t)p->both),
                  table_real(2 * (double)p->both / (double)(p->problems_a + p->problems_b)), table_real(a.value),
                  table_real(a.low), table_real(a.high), table_text(span_of(agreement_words(a.reason))));
}

static struct table *begin(struct table_list *r)
{
    struct table *t = table_list_add(r, "segmentation", "Which problems coders see in a post");

    table_columns(t, "coder_a = coder A; coder_b = coder B; posts int; same int; more_a int = more by A; "
                     "more_b int = more by B; problems_a int = problems of A; problems_b int = of B; "
                     "both int = of both; specific real; alpha real; low real = 95%% from; high real = to; undefined");
    table_note(t, "Posts in which both coded problems. The unit is the post: nothing marks where in it a problem is."
                  " Same: both see the same problems (118 and 118_1 are different). Specific: 2 of both / (problems of"
                  " A + of B). Alpha: Krippendorff's, of how many problems each sees, with the difference squared as"
                  " distance. Codes of problems that one coder sees are compared with nothing.");
    return t;
}

void report_segments(struct table_list *r, const struct db_disputes *posts, const struct report_rated *rated,
                     const struct report_agreement *wanted)
{
    AT_END(report_ratings_clear) struct report_ratings names = {.facet = "segmentation"};
    struct table *t = NULL;

    for (size_t i = 0; i < rated->n_coders; i++)
        report_ratings_coder(&names, rated->coders[i]);
    for (size_t i = 0; i < posts->n && rated->n_coders == 0; i++)
        for (const struct db_opinion *o = posts->items[i].opinions; o != NULL; o = o->next)
            report_ratings_coder(&names, o->coder);
    report_ratings_sort(&names, rated->n_coders > 0);
    for (size_t a = 0; a < names.n_coders; a++)
        for (size_t b = a + 1; b < names.n_coders; b++) {
            AT_END(mem_end) int32_t *counts = mem_zero(2 * posts->n + 1, sizeof *counts);
            struct pair p = {.a = names.coders[a], .b = names.coders[b], .counts = counts};
            for (size_t i = 0; i < posts->n; i++) {
                const struct db_opinion *by_a = opinion_of(&posts->items[i], p.a);
                const struct db_opinion *by_b = opinion_of(&posts->items[i], p.b);
                if (by_a != NULL && by_b != NULL)
                    count_post(&p, by_a, by_b);
            }
            if (p.same < p.posts || (wanted->segments && p.posts > 0)) {
                t = t == NULL ? begin(r) : t;
                add_row(t, &p);
            }
        }
}
