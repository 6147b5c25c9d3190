/* learner: a support vector machine by liblinear, naive Bayes, and likeness to one class. */
#include "screen/learner.h"

#include <linear.h>
#include <math.h>
#include <pthread.h>

static size_t count_relevant(const struct screen_question *q)
{
    size_t n = 0;

    for (size_t i = 0; i < q->n_judged; i++)
        n += q->judged[i].relevant;
    return n;
}

static size_t row_entries(const struct screen_matrix *m, size_t row, const uint32_t **entries)
{
    *entries = m->entries + m->starts[row];
    return (size_t)(m->starts[row + 1] - m->starts[row]);
}

/* --- liblinear --- */

static void say_nothing(const char *text)
{
    (void)text;
}

static void silence(void)
{
    set_print_string_function(say_nothing);
}

/* Judged rows in liblinear's form. Only features that they have are numbered, in ascending order:
 * the solver takes time and memory for every feature. */
struct task {
    struct problem problem;
    struct feature_node *nodes;
    uint32_t *numbers;  /* of each feature of the matrix, from 1; 0: no judged row has it */
    uint32_t *features; /* of each number, less 1 */
    size_t n_features, n_entries;
};

static void mark_features(struct task *t, const struct screen_question *q)
{
    const uint32_t *entries;

    for (size_t i = 0; i < q->n_judged; i++) {
        size_t n = row_entries(q->matrix, q->judged[i].row, &entries);
        for (size_t k = 0; k < n; k++)
            t->numbers[entry_feature(entries[k])] = 1;
        t->n_entries += n;
    }
}

static void number_features(struct task *t, size_t n_features)
{
    t->features = mem_zero(t->n_entries + 1, sizeof *t->features);
    for (size_t i = 0; i < n_features; i++)
        if (t->numbers[i] > 0) {
            t->features[t->n_features++] = (uint32_t)i;
            t->numbers[i] = (uint32_t)t->n_features;
        }
}

static struct feature_node *add_row(const struct screen_matrix *m, const struct task *t, size_t row,
                                    struct feature_node *node)
{
    const uint32_t *entries;
    size_t n = row_entries(m, row, &entries);
    double scale = (double)m->scale[row];

    for (size_t i = 0; i < n; i++)
        *node++ = (struct feature_node){(int)t->numbers[entry_feature(entries[i])],
                                        scale * (double)entry_weight(m, entries[i])};
    return node;
}

/* One more feature, the bias, is 1 in every row; it is regularised as the others are. */
static void task_init(struct task *t, const struct screen_question *q)
{
    t->numbers = mem_zero(q->matrix->n_features + 1, sizeof *t->numbers);
    mark_features(t, q);
    number_features(t, q->matrix->n_features);
    t->nodes = mem_zero(t->n_entries + 2 * q->n_judged, sizeof *t->nodes);
    t->problem = (struct problem){.l = (int)q->n_judged, .n = (int)t->n_features + 1, .bias = 1};
    t->problem.x = mem_zero(q->n_judged, sizeof(struct feature_node *));
    t->problem.y = mem_zero(q->n_judged, sizeof *t->problem.y);
    struct feature_node *node = t->nodes;
    for (size_t i = 0; i < q->n_judged; i++) {
        t->problem.x[i] = node;
        t->problem.y[i] = q->judged[i].relevant ? 1 : -1;
        node = add_row(q->matrix, t, q->judged[i].row, node);
        *node++ = (struct feature_node){t->problem.n, 1};
        *node++ = (struct feature_node){-1, 0};
    }
}

static void task_clear(struct task *t)
{
    mem_free(t->numbers);
    mem_free(t->features);
    mem_free(t->nodes);
    mem_free(t->problem.x);
    mem_free(t->problem.y);
}

void learn_svm(const struct screen_question *q, struct linear *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    double relevant = (double)count_relevant(q), others = (double)q->n_judged - relevant;
    /* Costs are scaled so that a row costs C on average, as scikit-learn's and ASReview's are. */
    double other = relevant / (q->settings.ratio * others);
    double mean = (relevant + others * other) / (double)q->n_judged;
    int labels[] = {1, -1};
    double weights[] = {1 / mean, other / mean};
    struct parameter how = {.solver_type = L2R_L2LOSS_SVC, .eps = 0.001, .C = q->settings.cost,
                            .nr_weight = 2, .weight_label = labels, .weight = weights};
    struct task t = {0};

    pthread_once(&once, silence);
    task_init(&t, q);
    struct model *model = train(&t.problem, &how);
    double sign = model->label[0] == 1 ? 1 : -1;
    for (size_t i = 0; i < t.n_features; i++)
        out->weights[t.features[i]] =
            (float)(sign * model->w[i] * (double)q->matrix->idf[t.features[i]]);
    out->bias = sign * model->w[t.n_features];
    free_and_destroy_model(&model);
    task_clear(&t);
}

/* --- naive Bayes --- */

static void add_to(double *sums, const struct screen_matrix *m, size_t row, double weight)
{
    const uint32_t *entries;
    size_t n = row_entries(m, row, &entries);

    weight *= (double)m->scale[row];
    for (size_t i = 0; i < n; i++)
        sums[entry_feature(entries[i])] += weight * (double)entry_weight(m, entries[i]);
}

void learn_bayes(const struct screen_question *q, struct linear *out)
{
    const struct screen_matrix *m = q->matrix;
    double relevant = (double)count_relevant(q), others = (double)q->n_judged - relevant;
    double weight = relevant / (q->settings.bayes_ratio * others), smooth = q->settings.bayes_smooth;
    double *with = mem_zero(m->n_features + 1, sizeof *with), all_with = 0;
    double *without = mem_zero(m->n_features + 1, sizeof *without), all_without = 0;

    for (size_t i = 0; i < q->n_judged; i++)
        add_to(q->judged[i].relevant ? with : without, m, q->judged[i].row,
               q->judged[i].relevant ? 1 : weight);
    for (size_t i = 0; i < m->n_features; i++) {
        all_with += with[i] + smooth;
        all_without += without[i] + smooth;
    }
    double base = log(all_without / all_with);
    for (size_t i = 0; i < m->n_features; i++)
        out->weights[i] = (float)((log((with[i] + smooth) / (without[i] + smooth)) + base) *
                                  (double)m->idf[i]);
    out->bias = 0; /* how frequent the classes are makes no difference to the order */
    mem_free(with);
    mem_free(without);
}

/* --- one class --- */

void learn_class(const struct screen_question *q, bool relevant, struct linear *out)
{
    const struct screen_matrix *m = q->matrix;
    double *sums = mem_zero(m->n_features + 1, sizeof *sums), sign = relevant ? 1 : -1;

    for (size_t row = 0; row < m->n_rows; row++)
        add_to(sums, m, row, -sign / (double)m->n_rows);
    for (size_t i = 0; i < q->n_judged; i++)
        add_to(sums, m, q->judged[i].row, sign / (double)q->n_judged);
    for (size_t i = 0; i < m->n_features; i++)
        out->weights[i] = (float)(sums[i] * (double)m->idf[i]);
    mem_free(sums);
}

/* --- values --- */

void linear_values(const struct screen_matrix *m, const struct linear *a, const struct linear *b,
                   float *values_a, float *values_b)
{
    for (size_t row = 0; row < m->n_rows; row++) {
        const uint32_t *entries;
        size_t n = row_entries(m, row, &entries);
        double sum_a = 0, sum_b = 0, scale = (double)m->scale[row];
        for (size_t i = 0; i < n; i++) {
            uint32_t feature = entry_feature(entries[i]);
            double level = (double)m->levels[entries[i] & (ENTRY_COUNT_MAX - 1)];
            sum_a += level * (double)a->weights[feature];
            if (b != NULL)
                sum_b += level * (double)b->weights[feature];
        }
        values_a[row] = (float)(a->bias + scale * sum_a);
        if (b != NULL)
            values_b[row] = (float)(b->bias + scale * sum_b);
    }
}
