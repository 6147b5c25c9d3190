#include "report/grow.h"
#include "report/report.h"

size_t report_ratings_subject(struct report_ratings *r, struct span subject)
{
    if (r->n_subjects > 0 && span_eq(r->subjects[r->n_subjects - 1], subject))
        return r->n_subjects - 1;
    r->subjects = grow(r->subjects, r->n_subjects, &r->subjects_capacity, sizeof *r->subjects);
    r->subjects[r->n_subjects] = arena_copy(&r->arena, subject);
    return r->n_subjects++;
}

/* Coders and codes are few, and the same ones come again and again. */
static size_t find(const struct span *texts, size_t n, struct span text)
{
    size_t i = 0;

    while (i < n && !span_eq(texts[i], text))
        i++;
    return i;
}

size_t report_ratings_coder(struct report_ratings *r, struct span coder)
{
    size_t place = find(r->coders, r->n_coders, coder);

    if (place < r->n_coders)
        return place;
    if (place == REPORT_CODERS_MAX)
        return SIZE_MAX;
    r->coders = grow(r->coders, r->n_coders, &r->coders_capacity, sizeof *r->coders);
    r->coders[r->n_coders++] = arena_copy(&r->arena, coder);
    return place;
}

size_t report_ratings_code(struct report_ratings *r, struct span code)
{
    size_t place = find(r->codes, r->n_codes, code);

    if (place < r->n_codes)
        return place;
    if (place == REPORT_RATED_CODES_MAX)
        return SIZE_MAX;
    r->codes = grow(r->codes, r->n_codes, &r->codes_capacity, sizeof *r->codes);
    r->codes[r->n_codes++] = arena_copy(&r->arena, code);
    return place;
}

void report_ratings_add(struct report_ratings *r, const struct report_rating *rating)
{
    struct report_rating *to;

    r->ratings = grow(r->ratings, r->n_ratings, &r->ratings_capacity, sizeof *r->ratings);
    to = &r->ratings[r->n_ratings++];
    *to = *rating;
    if (to->codes[1] == to->codes[0])
        to->codes[1] = REPORT_NO_CODE;
    if (to->codes[1] != REPORT_NO_CODE && to->codes[1] < to->codes[0]) {
        to->codes[0] = rating->codes[1];
        to->codes[1] = rating->codes[0];
    }
}

void report_ratings_clear(struct report_ratings *r)
{
    mem_free(r->subjects);
    mem_free(r->coders);
    mem_free(r->codes);
    mem_free(r->ratings);
    arena_clear(&r->arena);
    *r = (struct report_ratings){.facet = r->facet};
}
