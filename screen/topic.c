/* topic: keywords and codes of a study, as what screening starts from. */
#include "screen/topic.h"

#include "label/label.h"
#include "match/corpus/mine.h"
#include "stem/stem.h"

#include <math.h>

enum status topic_init(struct topic *out, const struct study *study, struct err *e)
{
    struct codebook book = {0};
    struct facets facets = {0};
    AT_END(buf_clear) struct buf content = {0};

    *out = (struct topic){
        .matched_title = study->match_title, .matched_body = study->match_body, .include_code = study->include_code};
    enum status status = mine_set(&out->set, study, NULL, MATCH_STEMMED, &content, e);
    if (status == ST_OK && study->sought.len > 0) {
        status = facets_of_study(&facets, study, e);
        THEN(status, codebook_of_study(&book, &facets, study, e));
        for (size_t i = 0; status == ST_OK && i < book.n_codes; i++)
            if (span_eq(book.codes[i].facet, study->sought) && book.codes[i].definition.len > 0)
                array_add(&out->texts, (struct screen_text){.title = arena_copy(&out->arena, book.codes[i].name),
                                                            .body = arena_copy(&out->arena, book.codes[i].definition),
                                                            .markup = SCREEN_PLAIN});
        codebook_clear(&book);
        facets_clear(&facets);
    }
    if (status == ST_OK) {
        out->matcher = matcher_new(out->set);
        array_reserve(&out->seen, match_set_size(out->set) + 1);
    }
    return status;
}

void topic_clear(struct topic *t)
{
    matcher_free(t->matcher);
    match_set_free(t->set);
    array_clear(&t->texts);
    array_clear(&t->seen);
    buf_clear(&t->text);
    arena_clear(&t->arena);
}

/* --- keywords --- */

static size_t count_new(struct topic *t)
{
    const struct hit *hits;
    size_t n = matcher_find(t->matcher, buf_span(&t->text), &hits), n_new = 0;

    for (size_t i = 0; i < n; i++) {
        n_new += !t->seen.at[hits[i].keyword];
        t->seen.at[hits[i].keyword] = true;
    }
    return n_new;
}

size_t topic_hits(struct topic *t, const struct screen_text *text)
{
    size_t n = 0;

    memset(t->seen.at, 0, match_set_size(t->set) * sizeof *t->seen.at);
    if (t->matched_title) {
        buf_reset(&t->text);
        text_from_title(&t->text, text->title);
        n += count_new(t);
    }
    for (int code = 0; t->matched_body && code <= t->include_code; code++) {
        buf_reset(&t->text);
        screen_body(text, code > 0, &t->text);
        n += count_new(t);
    }
    return n;
}

/* --- the prior --- */

/* In standard deviations from the mean. */
static void standardise(float *values, size_t n)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    double mean = n > 0 ? sum / (double)n : 0;
    for (size_t i = 0; i < n; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    double deviation = n > 0 ? sqrt(squares / (double)n) : 0;
    for (size_t i = 0; i < n; i++)
        values[i] = deviation > 0 ? (float)(((double)values[i] - mean) / deviation) : 0;
}

enum status topic_prior(const struct topic *t, const struct screen_matrix *m, const struct screen_reading *reading,
                        const uint32_t *hits, struct screen_prior **out, struct err *e)
{
    size_t n = screen_matrix_rows(m);
    AT_END(mem_end) float *values = mem_zero(n + 1, sizeof *values), *found = mem_zero(n + 1, sizeof *found);
    enum status status = ST_OK;

    *out = NULL;
    if (t->texts.n > 0)
        status = screen_likeness(m, reading, t->texts.at, t->texts.n, values, e);
    for (size_t i = 0; i < n && hits != NULL; i++)
        found[i] = (float)log(1 + (double)hits[i]);
    standardise(values, n);
    standardise(found, n);
    for (size_t i = 0; i < n; i++)
        values[i] += found[i];
    if (status == ST_OK && (t->texts.n > 0 || hits != NULL))
        *out = screen_prior_new(values, n);
    return status;
}
