/* simulation: runs screenings of labelled texts, several at a time. */
#include "screen/simulation.h"

#include "base/progress.h"
#include "base/random.h"
#include "base/signals.h"
#include "screen/topic.h"

#include <unistd.h>

enum { THREADS_MAX = 16 };

/* --- the texts --- */

static enum status MUST_USE make_matrix(struct simulation *s, const struct screen_reading *reading, struct err *e)
{
    struct screen_builder *b;
    enum status status = screen_builder_new(&b, reading, s->texts.texts.n, e);

    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < s->texts.texts.n; i++)
        screen_learn(b, &s->texts.texts.at[i]);
    for (size_t i = 0; i < s->texts.texts.n; i++)
        screen_add(b, &s->texts.texts.at[i]);
    s->matrix = screen_builder_end(b);
    return ST_OK;
}

/* The keywords are counted in any case: what they find is told beside what the model finds. */
static enum status MUST_USE know_topic(struct simulation *s, const struct simulation_how *how,
                                       const struct screen_reading *reading, struct err *e)
{
    AT_END(topic_clear) struct topic topic;
    AT_END(mem_end) uint32_t *hits = mem_zero(s->texts.texts.n + 1, sizeof *hits);
    enum status status = topic_init(&topic, how->study, e);

    for (size_t i = 0; i < s->texts.texts.n && status == ST_OK; i++) {
        hits[i] = (uint32_t)topic_hits(&topic, &s->texts.texts.at[i]);
        s->n_hits += hits[i] > 0;
        s->n_hits_included += hits[i] > 0 && s->texts.included.at[i];
    }
    if (status == ST_OK && how->warm_start)
        status = topic_prior(&topic, s->matrix, reading, hits, &s->priors[0], e);
    s->n_priors += s->priors[0] != NULL;
    if (status == ST_OK && how->learn_from != NULL) {
        status = labelled_prior(how->learn_from, s->matrix, reading, &s->priors[s->n_priors], e);
        s->n_priors += status == ST_OK;
    }
    return status;
}

/* What a model would answer: yes as often as it must for its sensitivity and precision. */
static enum status MUST_USE know_rates(struct simulation *s, const struct simulation_how *how, struct err *e)
{
    double n = (double)s->texts.texts.n, included = (double)s->texts.n_included;
    double found = how->sensitivity * included, others = found / how->precision - found;

    s->yes_rates[1] = how->sensitivity;
    if (how->sensitivity > 0 && included > 0)
        s->yes_rates[0] = n > included ? others / (n - included) : 0;
    if (s->yes_rates[0] <= 1)
        return ST_OK;
    return err_set(
        e, ST_INPUT,
        "a model that finds %g of %.0f included texts among %.0f has a precision of at least %.3f, when it says"
        " yes to all others",
        how->sensitivity, included, n, found / (found + n - included));
}

/* --- the seeds --- */

static void simulate_one(struct simulation *s, size_t nth)
{
    const struct screen_prior *priors[ARRAY_LEN(s->priors) + 1] = {0};
    struct screen_trial trial = s->trial;
    struct screen_prior *answers = NULL;
    AT_END(mem_end) float *values = mem_zero(s->texts.texts.n + 1, sizeof *values);
    struct random random;

    trial.seed += nth;
    if (s->yes_rates[1] > 0) {
        for (size_t i = 0; i < s->n_priors; i++)
            priors[i] = s->priors[i];
        random_seed(&random, ~trial.seed); /* other numbers than those that draw the pair */
        for (size_t i = 0; i < s->texts.texts.n; i++)
            values[i] = (double)(random_next(&random) >> 11) * 0x1p-53 < s->yes_rates[s->texts.included.at[i]];
        priors[trial.n_priors++] = answers = screen_prior_new(values, s->texts.texts.n);
        trial.priors = priors;
    }
    s->outcomes[nth].order = mem_zero(s->texts.texts.n + 1, sizeof(uint32_t));
    screen_simulate(&trial, &s->outcomes[nth]);
    screen_prior_free(answers);
}

struct crew {
    struct simulation *s;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t ended;
    size_t n_begun, n_ended, n_working;
};

static void *simulate_some(void *arg)
{
    struct crew *c = arg;

    pthread_mutex_lock(&c->lock);
    while (c->n_begun < c->s->n_seeds && !signals_stop_asked()) {
        size_t i = c->n_begun++;
        pthread_mutex_unlock(&c->lock);
        simulate_one(c->s, i);
        pthread_mutex_lock(&c->lock);
        c->n_ended++;
        pthread_cond_signal(&c->ended);
    }
    c->n_working--;
    pthread_cond_signal(&c->ended);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static enum status MUST_USE simulate_all(struct simulation *s, struct err *e)
{
    struct crew c = {.s = s};
    pthread_t threads[THREADS_MAX];
    long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = n_processors < 1 ? 1 : (size_t)n_processors, started = 0;

    n = n > THREADS_MAX ? THREADS_MAX : n;
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.ended, NULL);
    pthread_mutex_lock(&c.lock);
    while (started < n && pthread_create(&threads[started], NULL, simulate_some, &c) == 0)
        started++;
    c.n_working = started;
    pthread_mutex_unlock(&c.lock);
    struct progress progress;

    progress_begin(&progress, "screenings", c.s->n_seeds);
    pthread_mutex_lock(&c.lock);
    while (c.n_working > 0) {
        progress_update(&progress, c.n_ended, "");
        pthread_cond_wait(&c.ended, &c.lock);
    }
    pthread_mutex_unlock(&c.lock);
    progress_end(&progress);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&c.ended);
    pthread_mutex_destroy(&c.lock);
    if (started == 0)
        return err_set(e, ST_IO, "cannot start a thread");
    if (c.n_ended < s->n_seeds)
        return err_set(e, (enum status)signals_exit_code(), "stopped after %zu of %zu screenings", c.n_ended,
                       s->n_seeds);
    return ST_OK;
}

enum status simulation_run(struct simulation *out, const struct simulation_how *how, const char *path, struct err *e)
{
    struct screen_reading reading = {
        .stemmer = how->study->stemmer, .include_code = how->study->include_code, .settings = how->settings};

    *out = (struct simulation){.n_seeds = how->n_seeds};
    enum status status = labelled_read(&out->texts, path, e);
    if (status == ST_OK && how->sensitivity > 0)
        status = know_rates(out, how, e);
    THEN(status, make_matrix(out, &reading, e));
    THEN(status, know_topic(out, how, &reading, e));
    if (status != ST_OK)
        return status;
    out->outcomes = mem_zero(how->n_seeds, sizeof *out->outcomes);
    out->trial = (struct screen_trial){.matrix = out->matrix,
                                       .settings = how->settings,
                                       .priors = (const struct screen_prior *const *)out->priors,
                                       .n_priors = out->n_priors,
                                       .relevant = out->texts.included.at,
                                       .pair = how->pair,
                                       .rule = how->rule,
                                       .seed = how->first_seed};
    return simulate_all(out, e);
}

void simulation_clear(struct simulation *s)
{
    for (size_t i = 0; i < s->n_seeds && s->outcomes != NULL; i++)
        mem_free(s->outcomes[i].order);
    mem_free(s->outcomes);
    for (size_t i = 0; i < s->n_priors; i++)
        screen_prior_free(s->priors[i]);
    screen_matrix_free(s->matrix);
    labelled_clear(&s->texts);
}
