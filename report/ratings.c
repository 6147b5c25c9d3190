/* Gathers what coders said of each subject, for agreement. */
#include "report/report.h"

#include "base/maps.h"

struct ratings_index {
    struct text_set codes, sets; /* the nth key is at place n; sets by the bytes of their codes */
};

static struct ratings_index *index_of(struct report_ratings *r)
{
    if (r->index == NULL)
        r->index = mem_zero(1, sizeof *r->index);
    return r->index;
}

size_t report_ratings_subject(struct report_ratings *r, struct span subject)
{
    if (r->n_subjects > 0 && span_eq(r->subjects[r->n_subjects - 1], subject))
        return r->n_subjects - 1;
    r->subjects = array_room(r->subjects, r->n_subjects, 1, &r->subjects_capacity, sizeof *r->subjects);
    r->subjects[r->n_subjects] = arena_copy(&r->arena, subject);
    return r->n_subjects++;
}

size_t report_ratings_coder(struct report_ratings *r, struct span coder)
{
    size_t place = span_among(coder, r->coders, r->n_coders);

    if (place < r->n_coders)
        return place;
    if (place == REPORT_CODERS_MAX)
        return SIZE_MAX;
    r->coders = array_room(r->coders, r->n_coders, 1, &r->coders_capacity, sizeof *r->coders);
    r->coders[r->n_coders++] = arena_copy(&r->arena, coder);
    return place;
}

size_t report_ratings_code(struct report_ratings *r, struct span code)
{
    struct text_set *codes = &index_of(r)->codes;
    struct text_set_entry *entry = text_set_find(codes, code);

    if (entry != NULL)
        return (size_t)(entry - codes->at);
    if (r->n_codes == REPORT_RATED_CODES_MAX)
        return SIZE_MAX;
    r->codes = array_room(r->codes, r->n_codes, 1, &r->codes_capacity, sizeof *r->codes);
    r->codes[r->n_codes] = arena_copy(&r->arena, code);
    text_set_add(codes, r->codes[r->n_codes], NULL);
    return r->n_codes++;
}

void report_ratings_add(struct report_ratings *r, size_t subject, size_t coder, const int32_t *codes, size_t n)
{
    int32_t set[FACET_CODES_MAX + 1];
    size_t kept = 0;

    for (size_t i = 0; i < n && i < FACET_CODES_MAX; i++) { /* ascending, each once */
        size_t at = kept;
        while (at > 0 && set[at - 1] > codes[i])
            at--;
        if (at > 0 && set[at - 1] == codes[i])
            continue;
        memmove(set + at + 1, set + at, (kept++ - at) * sizeof *set);
        set[at] = codes[i];
    }
    struct text_set_entry *entry;
    if (text_set_add(&index_of(r)->sets, (struct span){(const char *)set, kept * sizeof *set}, &entry)) {
        entry->key = arena_copy(&r->arena, entry->key);
        r->sets = array_room(r->sets, r->n_sets, 1, &r->sets_capacity, sizeof *r->sets);
        r->sets[r->n_sets++] = (struct report_set){(const int32_t *)(const void *)entry->key.ptr, kept};
    }
    r->ratings = array_room(r->ratings, r->n_ratings, 1, &r->ratings_capacity, sizeof *r->ratings);
    r->ratings[r->n_ratings++] = (struct report_rating){
        .subject = subject, .coder = coder, .set = (size_t)(entry - r->index->sets.at)};
}

/* --- order --- */

struct placed {
    struct span text;
    uint64_t number; /* that the text begins with; UINT64_MAX: that or a larger one */
    uint32_t place;  /* where it stood */
    uint32_t digits; /* of that number */
};

/* The digits that the text begins with, without zeros in front: the longer, the larger. */
static struct span number_of(struct span text)
{
    size_t from = 0;

    while (from < text.len && text.ptr[from] == '0')
        from++;
    size_t to = from;
    while (to < text.len && text.ptr[to] >= '0' && text.ptr[to] <= '9')
        to++;
    return (struct span){text.ptr + from, to - from};
}

static int compare_subjects(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->number != y->number) /* of nearly all that are compared */
        return x->number < y->number ? -1 : 1;
    struct span m = number_of(x->text), n = number_of(y->text);
    if (m.len != n.len)
        return m.len < n.len ? -1 : 1;
    int order = m.len > 0 ? memcmp(m.ptr, n.ptr, m.len) : 0;
    if (order == 0)
        order = (x->text.len > y->text.len) - (x->text.len < y->text.len);
    return order != 0 ? order : text_order(a, b);
}

static bool is_sorted(const struct placed *placed, size_t n, int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < n; i++)
        if (compare(&placed[i - 1], &placed[i]) > 0)
            return false;
    return true;
}

/* Ids that come in the order of bytes, as from the database, are then in that of their numbers, too. */
static void put_short_first(struct placed *placed, size_t n)
{
    enum { DIGITS_MAX = 20 };
    AT_END(mem_end) struct placed *before = mem_resize(NULL, n, sizeof *before);
    size_t at = 0;

    memcpy(before, placed, n * sizeof *before);
    for (size_t digits = 0; digits <= DIGITS_MAX && at < n; digits++)
        for (size_t i = 0; i < n; i++)
            if (before[i].digits == digits || (digits == DIGITS_MAX && before[i].digits > digits))
                placed[at++] = before[i];
}

/* Sorts the texts. Returns their new places by the old ones, NULL when none moved, as mostly. The caller frees it. */
static size_t *sort_texts(struct span *texts, size_t n, int (*compare)(const void *, const void *))
{
    AT_END(mem_end) struct placed *placed = mem_resize(NULL, n, sizeof *placed);

    for (size_t i = 0; i < n; i++) {
        struct span number = number_of(texts[i]);
        placed[i] = (struct placed){.text = texts[i], .place = (uint32_t)i, .digits = (uint32_t)number.len};
        if (number.len > 0 && !span_u64(number, UINT64_MAX - 1, &placed[i].number))
            placed[i].number = UINT64_MAX;
    }
    if (is_sorted(placed, n, compare))
        return NULL;
    put_short_first(placed, n);
    if (!is_sorted(placed, n, compare))
        qsort(placed, n, sizeof *placed, compare);
    size_t *now = mem_resize(NULL, n, sizeof *now);
    for (size_t i = 0; i < n; i++) {
        texts[i] = placed[i].text;
        now[placed[i].place] = i;
    }
    return now;
}

void report_ratings_sort(struct report_ratings *r, bool coders_stay)
{
    AT_END(mem_end) size_t *subjects = sort_texts(r->subjects, r->n_subjects, compare_subjects);
    AT_END(mem_end) size_t *coders = coders_stay ? NULL : sort_texts(r->coders, r->n_coders, text_order);

    for (size_t i = 0; i < r->n_ratings; i++) {
        struct report_rating *rating = &r->ratings[i];
        rating->subject = subjects != NULL ? subjects[rating->subject] : rating->subject;
        rating->coder = coders != NULL ? coders[rating->coder] : rating->coder;
    }
}

void report_ratings_clear(struct report_ratings *r)
{
    mem_free(r->subjects);
    mem_free(r->coders);
    mem_free(r->codes);
    mem_free(r->ratings);
    mem_free(r->sets);
    if (r->index != NULL) {
        text_set_clear(&r->index->codes);
        text_set_clear(&r->index->sets);
    }
    mem_free(r->index);
    arena_clear(&r->arena);
    *r = (struct report_ratings){.facet = r->facet};
}
