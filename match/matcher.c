/* Finds the keywords in a text: each hit, with the places of its words. */
#include "match/set.h"

struct window_word {
    uint32_t number;
    size_t start;
};

struct hit_list ARRAY_OF(struct hit);

struct matcher {
    const struct match_set *set;
    struct stemmer *stemmer;
    struct window_word window[PATTERN_SPAN_MAX]; /* the last words; a ring */
    size_t n_window;                             /* of them without a line break between */
    size_t newest;                               /* index of the last word in the ring */
    unsigned fields;
    struct hit_list hits, excluded; /* of `excluded` only the places */
};

struct matcher *matcher_new(const struct match_set *set)
{
    struct matcher *m = mem_zero(1, sizeof *m);
    struct err e;

    m->set = set;
    m->fields = KEYWORD_IN_ALL;
    /* The set was loaded with this algorithm, so it is known. */
    if (stemmer_new(&m->stemmer, set->algorithm, &e) != ST_OK) {
        mem_free(m);
        return NULL;
    }
    return m;
}

void matcher_free(struct matcher *m)
{
    if (m == NULL)
        return;
    stemmer_free(m->stemmer);
    array_clear(&m->hits);
    array_clear(&m->excluded);
    mem_free(m);
}

void matcher_in(struct matcher *m, unsigned fields)
{
    m->fields = fields;
}

/* 0: in no keyword. Most words are refused by their first three letters, before they are stemmed. */
static uint32_t word_number(struct matcher *m, struct span text, const struct token *token)
{
    struct span word = {text.ptr + token->start, token->end - token->start};
    unsigned letter[3] = {0, 0, 0};

    for (size_t i = 0; i < 3 && i < word.len; i++)
        letter[i] = (unsigned char)word.ptr[i] & 31;
    if (token->ascii && (m->set->letters[letter[0]][letter[1]] >> letter[2] & 1) == 0)
        return 0;
    return match_set_number(m->set, stemmer_stem(m->stemmer, word));
}

static const struct window_word *word_before(const struct matcher *m, size_t distance)
{
    return &m->window[(m->newest + PATTERN_SPAN_MAX - distance) % PATTERN_SPAN_MAX];
}

/* Are the first `n` words of the pattern in the text, the last of them `distance` words before the newest?
 * *first becomes the distance of the first one; of several ways it is the shortest from behind. */
static bool fits(const struct matcher *m, const struct pattern *p, size_t n, size_t distance, size_t *first)
{
    if (distance >= m->n_window || word_before(m, distance)->number != p->words[n - 1])
        return false;
    *first = distance;
    if (n == 1)
        return true;
    for (size_t gap = 0; gap <= p->gaps[n - 1]; gap++)
        if (fits(m, p, n - 1, distance + 1 + gap, first))
            return true;
    return false;
}

static bool comes_before(const struct matcher *m, const struct hit *a, const struct hit *b)
{
    const struct keyword *keywords = m->set->keywords.at;

    if (a->start != b->start || a->keyword == NO_KEYWORD)
        return a->start < b->start;
    if (keywords[a->keyword].n_words != keywords[b->keyword].n_words)
        return keywords[a->keyword].n_words < keywords[b->keyword].n_words;
    return a->keyword < b->keyword;
}

/* Hits are found by where they end; a few steps back put a longer one where it starts. */
static void add_hit(const struct matcher *m, struct hit_list *list, struct hit hit)
{
    struct hit *place = array_add(list, hit);

    for (; place > list->at && comes_before(m, &hit, place - 1); place--)
        *place = place[-1];
    *place = hit;
}

static void end_hit(struct matcher *m, const struct hit *hit)
{
    if (hit->keyword == NO_KEYWORD)
        add_hit(m, &m->excluded, *hit);
    else if (m->set->keywords.at[hit->keyword].fields & m->fields)
        add_hit(m, &m->hits, *hit);
}

/* The patterns of a keyword follow one another: of their hits that end here the shortest is taken. */
static void add_hits_ending_here(struct matcher *m, uint32_t number, size_t end)
{
    const struct pattern_list *endings = &m->set->stems.at[number - 1].value;
    struct hit hit = {.end = 0};
    size_t first;

    for (size_t i = 0; i < endings->n; i++) {
        const struct pattern *p = &m->set->patterns.at[endings->at[i]];
        if (!fits(m, p, p->n_words, 0, &first))
            continue;
        size_t start = word_before(m, first)->start;
        if (hit.end > 0 && hit.keyword == p->keyword && p->keyword != NO_KEYWORD) {
            hit.start = start > hit.start ? start : hit.start;
            continue;
        }
        if (hit.end > 0)
            end_hit(m, &hit);
        hit = (struct hit){p->keyword, start, end};
    }
    if (hit.end > 0)
        end_hit(m, &hit);
}

void matcher_begin(struct matcher *m, unsigned fields)
{
    m->fields = fields;
    m->hits.n = 0;
    m->excluded.n = 0;
    m->n_window = 0;
}

void matcher_word(struct matcher *m, uint32_t number, const struct token *token)
{
    if (token->new_line || (number == 0 && !m->set->has_gaps))
        m->n_window = 0; /* no keyword reaches over a line's end, nor over a word that is in none */
    if (number == 0 && m->n_window == 0)
        return;
    m->newest = (m->newest + 1) % PATTERN_SPAN_MAX;
    m->window[m->newest] = (struct window_word){number, token->start};
    if (m->n_window < PATTERN_SPAN_MAX)
        m->n_window++;
    if (number != 0)
        add_hits_ending_here(m, number, token->end);
}

size_t matcher_end(struct matcher *m, const struct hit **hits)
{
    if (m->excluded.n > 0) {
        /* Both lists are ordered by start, so one pass sees for each hit the exclusion that ends last. */
        size_t kept = 0, at = 0, end = 0;
        for (size_t i = 0; i < m->hits.n; i++) {
            const struct hit *hit = &m->hits.at[i];
            for (; at < m->excluded.n && m->excluded.at[at].start <= hit->start; at++)
                end = m->excluded.at[at].end > end ? m->excluded.at[at].end : end;
            if (hit->end > end)
                m->hits.at[kept++] = *hit;
        }
        m->hits.n = kept;
    }
    if (m->set->has_gaps) {
        /* Of the hits of a keyword that begin at one word, which follow one another, the last is the longest. */
        size_t kept = 0;
        for (size_t i = 0; i < m->hits.n; i++) {
            const struct hit *hit = &m->hits.at[i];
            if (i + 1 == m->hits.n || hit[1].start != hit->start || hit[1].keyword != hit->keyword)
                m->hits.at[kept++] = *hit;
        }
        m->hits.n = kept;
    }
    *hits = m->hits.at;
    return m->hits.n;
}

size_t matcher_find(struct matcher *m, struct span text, const struct hit **hits)
{
    struct token_reader reader = token_reader(text);
    struct token token;

    matcher_begin(m, m->fields);
    while (token_next(&reader, &token))
        matcher_word(m, word_number(m, text, &token), &token);
    return matcher_end(m, hits);
}
