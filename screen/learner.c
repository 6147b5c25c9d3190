/* learner: a support vector machine by liblinear, naive Bayes, and likeness to one class. */
#include "screen/learner.h"

#include <linear.h>
#include <math.h>
#include <unistd.h>

size_t count_relevant(const struct screen_question *q)
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

/* The features that judged rows have, in ascending order: few of all, for which alone there is something to learn. */
struct seen {
    uint32_t *numbers;  /* of each feature of the matrix, from 1; 0: no judged row has it */
    uint32_t *features; /* of each number, less 1 */
    size_t n, n_entries;
};

static void seen_init(struct seen *s, const struct screen_question *q)
{
    const uint32_t *entries;

    *s = (struct seen){.numbers = mem_zero(q->matrix->n_features + 1, sizeof *s->numbers)};
    for (size_t i = 0; i < q->n_judged; i++) {
        size_t n = row_entries(q->matrix, q->judged[i].row, &entries);
        for (size_t k = 0; k < n; k++)
            s->numbers[entry_feature(entries[k])] = 1;
        s->n_entries += n;
    }
    s->features = mem_zero(s->n_entries + 1, sizeof *s->features);
    for (size_t i = 0; i < q->matrix->n_features; i++)
        if (s->numbers[i] > 0) {
            s->features[s->n++] = (uint32_t)i;
            s->numbers[i] = (uint32_t)s->n;
        }
}

static void seen_clear(struct seen *s)
{
    mem_free(s->numbers);
    mem_free(s->features);
}

/* Judged rows in liblinear's form: the solver takes time and memory for every feature. */
struct task {
    struct problem problem;
    struct feature_node *nodes;
    struct seen seen;
};

/* One more feature, the bias, is 1 in every row; it is regularised as the others are. */
static void task_init(struct task *t, const struct screen_question *q)
{
    const struct screen_matrix *m = q->matrix;

    seen_init(&t->seen, q);
    t->nodes = mem_zero(t->seen.n_entries + 2 * q->n_judged, sizeof *t->nodes);
    t->problem = (struct problem){.l = (int)q->n_judged, .n = (int)t->seen.n + 1, .bias = 1};
    t->problem.x = mem_zero(q->n_judged, sizeof(struct feature_node *));
    t->problem.y = mem_zero(q->n_judged, sizeof *t->problem.y);
    struct feature_node *node = t->nodes;
    for (size_t i = 0; i < q->n_judged; i++) {
        const uint32_t *entries;
        size_t n = row_entries(m, q->judged[i].row, &entries);
        double scale = (double)m->scale[q->judged[i].row];
        t->problem.x[i] = node;
        t->problem.y[i] = q->judged[i].relevant ? 1 : -1;
        for (size_t k = 0; k < n; k++)
            *node++ = (struct feature_node){(int)t->seen.numbers[entry_feature(entries[k])],
                                            scale * (double)entry_weight(m, entries[k])};
        *node++ = (struct feature_node){t->problem.n, 1};
        *node++ = (struct feature_node){-1, 0};
    }
}

static void task_clear(struct task *t)
{
    seen_clear(&t->seen);
    mem_free(t->nodes);
    mem_free(t->problem.x);
    mem_free(t->problem.y);
}

/* What liblinear's train() takes for a row (its copies of rows, labels, costs, sums: some 80 bytes) or for a
 * feature (a dozen vectors of its solver), with room to spare. It crashes where it finds no memory. */
enum { TRAIN_BYTES = 160 };

void learn_svm(const struct screen_question *q, struct linear *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    double relevant = (double)count_relevant(q), others = (double)q->n_judged - relevant;
    /* With a cost for each row, as scikit-learn's and ASReview's are, a find binds the more the rarer finds are. What is
     * left is then unlike them, and a model that follows each of them does not see it. */
    double find = sqrt(relevant / (double)q->n_judged);
    int labels[] = {1, -1};
    double weights[] = {find, find * relevant / (q->settings.ratio * others)};
    /* clang-format off */
    struct parameter how = {.solver_type = L2R_L2LOSS_SVC, .eps = 0.001, .C = q->settings.cost,
                            .nr_weight = 2, .weight_label = labels, .weight = weights};
    /* clang-format on */
    AT_END(task_clear) struct task t = {0};

    pthread_once(&once, silence);
    task_init(&t, q);
    /* Ends the program where the library, which does not look, would get less. */
    mem_free(mem_alloc(TRAIN_BYTES * ((size_t)t.problem.l + (size_t)t.problem.n)));
    struct model *model = train(&t.problem, &how);
    double sign = model->label[0] == 1 ? 1 : -1;
    for (size_t i = 0; i < t.seen.n; i++) {
        uint32_t feature = t.seen.features[i];
        out->weights[feature].machine = (float)(sign * model->w[i] * (double)q->matrix->idf[feature]);
    }
    out->bias = sign * model->w[t.seen.n];
    free_and_destroy_model(&model);
}

/* --- sums --- */

/* Adds the row's values, by the numbers of features. */
static void add_to(double *sums, const struct screen_matrix *m, const struct seen *seen, size_t row, double weight)
{
    const uint32_t *entries;
    size_t n = row_entries(m, row, &entries);

    weight *= (double)m->scale[row];
    for (size_t i = 0; i < n; i++)
        sums[seen->numbers[entry_feature(entries[i])] - 1] += weight * (double)entry_weight(m, entries[i]);
}

/* --- naive Bayes --- */

void learn_bayes(const struct screen_question *q, struct linear *out)
{
    const struct screen_matrix *m = q->matrix;
    double relevant = (double)count_relevant(q), others = (double)q->n_judged - relevant;
    double weight = relevant / (q->settings.bayes_ratio * others), smooth = q->settings.bayes_smooth;
    double all_with = smooth * (double)m->n_features, all_without = all_with;
    AT_END(seen_clear) struct seen seen;

    seen_init(&seen, q);
    AT_END(mem_end) double *with = mem_zero(seen.n + 1, sizeof *with);
    AT_END(mem_end) double *without = mem_zero(seen.n + 1, sizeof *without);
    for (size_t i = 0; i < q->n_judged; i++)
        add_to(q->judged[i].relevant ? with : without, m, &seen, q->judged[i].row, q->judged[i].relevant ? 1 : weight);
    for (size_t i = 0; i < seen.n; i++) {
        all_with += with[i];
        all_without += without[i];
    }
    /* How frequent the classes are makes no difference to the order. */
    double base = log(all_without / all_with);
    for (size_t i = 0; i < m->n_features; i++)
        out->weights[i].bayes = (float)(base * (double)m->idf[i]);
    for (size_t i = 0; i < seen.n; i++)
        out->weights[seen.features[i]].bayes = (float)((log((with[i] + smooth) / (without[i] + smooth)) + base) *
                                                       (double)m->idf[seen.features[i]]);
}

/* --- one class --- */

void learn_class(const struct screen_question *q, bool relevant, struct linear *out)
{
    const struct screen_matrix *m = q->matrix;
    double sign = relevant ? 1 : -1;
    AT_END(seen_clear) struct seen seen;

    seen_init(&seen, q);
    AT_END(mem_end) double *sums = mem_zero(seen.n + 1, sizeof *sums);
    for (size_t i = 0; i < q->n_judged; i++)
        add_to(sums, m, &seen, q->judged[i].row, 1 / (double)q->n_judged);
    for (size_t i = 0; i < m->n_features; i++) {
        double mean = (double)m->mean[i] * (double)m->idf[i];
        double judged = seen.numbers[i] > 0 ? sums[seen.numbers[i] - 1] : 0;
        out->weights[i].machine = (float)(sign * (judged - mean) * (double)m->idf[i]);
    }
}

/* --- values --- */

enum { THREAD_ROWS = 1 << 16, THREADS_MAX = 16 }; /* a thread for so many rows pays */

struct walk {
    const struct screen_matrix *m;
    const struct linear *models;
    const uint32_t *rows;
    size_t start, end;
    float *machine, *bayes;
    const atomic_bool *dropped;
};

static void *walk_rows(void *arg)
{
    const struct walk *w = arg;
    const struct screen_matrix *m = w->m;
    const struct weight *weights = w->models->weights;

    for (size_t i = w->start; i < w->end; i++) {
        if (w->dropped != NULL && atomic_load_explicit(w->dropped, memory_order_relaxed))
            break;
        size_t row = w->rows != NULL ? w->rows[i] : i;
        const uint32_t *entries;
        size_t n = row_entries(m, row, &entries);
        double machine = 0, bayes = 0, scale = (double)m->scale[row];
        for (size_t k = 0; k < n; k++) {
            struct weight weight = weights[entry_feature(entries[k])];
            double level = (double)entry_level(m, entries[k]);
            machine += level * (double)weight.machine;
            bayes += level * (double)weight.bayes;
        }
        w->machine[i] = (float)(w->models->bias + scale * machine);
        if (w->bayes != NULL)
            w->bayes[i] = (float)(scale * bayes);
    }
    return NULL;
}

static struct walk part_of(const struct walk *whole, size_t i, size_t n_parts)
{
    struct walk part = *whole;

    part.start = whole->end * i / n_parts;
    part.end = whole->end * (i + 1) / n_parts;
    return part;
}

/* A part for each thread; the first part, and those that no thread takes, are this thread's. */
void linear_values(const struct screen_matrix *m, const struct linear *models, const struct part *part, float *machine,
                   float *bayes)
{
    struct walk whole = {.m = m, .models = models, .rows = part->rows, .end = part->n, .dropped = part->dropped};
    size_t n_parts = 1 + part->n / THREAD_ROWS, started = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN) - (part->dropped != NULL);
    struct walk parts[THREADS_MAX];
    pthread_t threads[THREADS_MAX];

    whole.machine = machine;
    whole.bayes = bayes;
    processors = processors < 1 ? 1 : processors;
    n_parts = n_parts > (size_t)processors ? (size_t)processors : n_parts;
    n_parts = n_parts > THREADS_MAX ? THREADS_MAX : n_parts;
    for (; started + 1 < n_parts; started++) {
        parts[started] = part_of(&whole, started + 1, n_parts);
        if (pthread_create(&threads[started], NULL, walk_rows, &parts[started]) != 0)
            break;
    }
    for (size_t i = started + 1; i <= n_parts; i++) {
        struct walk rest = part_of(&whole, i % n_parts, n_parts);
        walk_rows(&rest);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
