/* Derives keywords: the n-grams that posts with problems have and others have not. */
#include "match/match.h"

#include <inttypes.h>
#include <math.h>

struct ngram {
    size_t n; /* words */
    uint64_t problems, others, occurrences;
    uint64_t last_post; /* the post that counted it last, so that it counts once */
};

#define MAP_NAME ngram_map
#define MAP_KEY struct span /* its stems, parted by a blank */
#define MAP_VALUE struct ngram
#include "base/map.h"

struct derivation {
    struct stemmer *stemmer;
    struct ngram_map ngrams;
    uint64_t posts, problem_posts;
    bool is_part; /* n-grams that no problem post has are counted too */
    struct arena arena;
    struct buf pair, previous;
};

enum status derivation_new(struct derivation **out, struct span algorithm, struct err *e)
{
    struct derivation *d = mem_zero(1, sizeof *d);
    enum status status = stemmer_new(&d->stemmer, algorithm, e);

    *out = d;
    return status;
}

void derivation_free(struct derivation *d)
{
    if (d == NULL)
        return;
    stemmer_free(d->stemmer);
    ngram_map_clear(&d->ngrams);
    arena_clear(&d->arena);
    buf_clear(&d->pair);
    buf_clear(&d->previous);
    mem_free(d);
}

/* --- counting --- */

static void count(struct derivation *d, struct span text, size_t n, bool problem)
{
    struct ngram_map_entry *entry;

    if (!problem && !d->is_part)
        entry = ngram_map_find(&d->ngrams, text);
    else if (ngram_map_add(&d->ngrams, text, &entry))
        entry->key = arena_copy(&d->arena, text);
    if (entry == NULL)
        return;
    struct ngram *g = &entry->value;
    g->n = n;
    g->occurrences += problem;
    if (g->last_post == d->posts)
        return;
    g->last_post = d->posts;
    if (problem)
        g->problems++;
    else
        g->others++;
}

void derivation_add(struct derivation *d, const struct span *texts, size_t n_texts, bool problem)
{
    d->posts++;
    d->problem_posts += problem;
    for (size_t i = 0; i < n_texts; i++) {
        struct token_reader reader = token_reader(texts[i]);
        struct token token;
        buf_reset(&d->previous);
        while (token_next(&reader, &token)) {
            struct span word = {texts[i].ptr + token.start, token.end - token.start};
            struct span stem = stemmer_stem(d->stemmer, word);
            if (token.new_line)
                buf_reset(&d->previous);
            if (d->previous.len > 0) {
                buf_set(&d->pair, buf_span(&d->previous));
                buf_add_char(&d->pair, ' ');
                buf_add_span(&d->pair, stem);
                count(d, buf_span(&d->pair), 2, problem);
            }
            count(d, stem, 1, problem);
            buf_set(&d->previous, stem);
        }
    }
}

/* --- parts --- */

void derivation_part(struct derivation *d)
{
    d->is_part = true;
}

size_t derivation_size(const struct derivation *d)
{
    return d->ngrams.n;
}

/* The line of the posts has no n-gram. */
static void write_line(struct buf *out, struct span ngram, const struct ngram *g)
{
    buf_add_span(out, ngram);
    buf_addf(out, "\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", g->n, g->problems, g->others, g->occurrences);
}

void derivation_write(struct derivation *d, struct buf *out)
{
    struct ngram posts = {.problems = d->problem_posts, .others = d->posts - d->problem_posts};

    if (d->posts > 0)
        write_line(out, (struct span){0}, &posts);
    for (size_t i = 0; i < d->ngrams.n; i++)
        write_line(out, d->ngrams.at[i].key, &d->ngrams.at[i].value);
    ngram_map_reset(&d->ngrams);
    arena_reset(&d->arena);
    d->posts = d->problem_posts = 0;
}

bool derivation_read(struct derivation *d, struct span line)
{
    struct ngram_map_entry *entry;
    struct span ngram, field;
    int64_t values[4];
    size_t n = 0;

    if (!span_cut(&line, '\t', &ngram))
        return false;
    for (; n < ARRAY_LEN(values) && span_cut(&line, '\t', &field); n++)
        if (!span_i64(field, &values[n]) || values[n] < 0)
            return false;
    if (n < ARRAY_LEN(values) || line.len > 0 || values[0] > 2 || (ngram.len == 0) != (values[0] == 0))
        return false;
    const struct ngram g = {.n = (size_t)values[0],
                            .problems = (uint64_t)values[1],
                            .others = (uint64_t)values[2],
                            .occurrences = (uint64_t)values[3]};
    if (ngram.len == 0) {
        d->posts += g.problems + g.others;
        d->problem_posts += g.problems;
        return true;
    }
    if (ngram_map_add(&d->ngrams, ngram, &entry))
        entry->key = arena_copy(&d->arena, ngram);
    entry->value.n = g.n;
    entry->value.problems += g.problems;
    entry->value.others += g.others;
    entry->value.occurrences += g.occurrences;
    return true;
}

uint64_t derivation_posts(const struct derivation *d, bool problem)
{
    return problem ? d->problem_posts : d->posts - d->problem_posts;
}

/* --- ranking --- */

static double term(double observed, double expected)
{
    return observed > 0 ? observed * log(observed / expected) : 0;
}

static double log_likelihood(double problems, double others, double all_problems, double all_others)
{
    double all = all_problems + all_others, holding = problems + others;

    if (all_problems == 0 || all_others == 0 || holding == all)
        return 0; /* a row or column is empty: nothing is told apart */
    double sum = term(problems, holding * all_problems / all) + term(others, holding * all_others / all) +
                 term(all_problems - problems, (all - holding) * all_problems / all) +
                 term(all_others - others, (all - holding) * all_others / all);
    bool rarer = problems / all_problems < others / all_others;
    return rarer ? -2 * sum : 2 * sum;
}

/* The highest first. */
static int by_rank(const void *left, const void *right)
{
    const struct derived_ngram *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? 1 : -1;
    return span_order(a->ngram, b->ngram);
}

size_t derivation_rank(const struct derivation *d, size_t n, uint64_t min_posts, enum derivation_order order,
                       struct derived_ngram **ngrams)
{
    size_t kept = 0;

    *ngrams = mem_zero(d->ngrams.n, sizeof **ngrams);
    for (size_t i = 0; i < d->ngrams.n; i++) {
        const struct ngram *g = &d->ngrams.at[i].value;
        if ((n != 0 && g->n != n) || g->problems < min_posts)
            continue;
        struct derived_ngram *r = &(*ngrams)[kept++];
        double posts = (double)d->posts, holding = (double)(g->problems + g->others);
        double all_problems = (double)d->problem_posts;

        *r = (struct derived_ngram){
            .ngram = d->ngrams.at[i].key,
            .n = g->n,
            .problems = g->problems,
            .others = g->others,
            .occurrences = g->occurrences,
            .tf_idf = (double)g->occurrences * log(posts / holding),
            .log_likelihood = log_likelihood((double)g->problems, (double)g->others, all_problems,
                                             posts - all_problems),
        };
        r->rank = order == BY_TF_IDF ? r->tf_idf : order == BY_LOG_LIKELIHOOD ? r->log_likelihood : (double)g->problems;
    }
    qsort(*ngrams, kept, sizeof **ngrams, by_rank);
    return kept;
}
