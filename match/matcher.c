/* Finds the keywords in a text: each hit, with the places of its words. */
#include "match/set.h"

struct window_word {
    uint32_t number;
    size_t start;
};

struct matcher {
    const struct match_set *set;
    struct stemmer *stemmer;
    struct window_word window[KEYWORD_WORDS_MAX]; /* the last words; a ring */
    size_t n_window;                              /* of them without a line break between */
    size_t newest;                                /* index of the last word in the ring */
    struct ARRAY_OF(struct hit) hits;
};

struct matcher *matcher_new(const struct match_set *set)
{
    struct matcher *m = mem_zero(1, sizeof *m);
    struct err e;

    m->set = set;
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
    mem_free(m);
}

static bool may_be_word(const struct match_set *set, struct span token)
{
    unsigned letter[3] = {0, 0, 0};

    for (size_t i = 0; i < 3 && i < token.len; i++)
        letter[i] = (unsigned char)token.ptr[i] & 31;
    return (set->letters[letter[0]][letter[1]] >> letter[2] & 1) != 0;
}

static uint32_t word_number(struct matcher *m, struct span text, const struct token *token)
{
    struct span word = {text.ptr + token->start, token->end - token->start};

    if (token->ascii && !may_be_word(m->set, word))
        return 0;
    return match_set_word(m->set, stemmer_stem(m->stemmer, word));
}

static const struct window_word *word_before(const struct matcher *m, size_t distance)
{
    return &m->window[(m->newest + KEYWORD_WORDS_MAX - distance) % KEYWORD_WORDS_MAX];
}

static bool stands_here(const struct matcher *m, uint32_t keyword)
{
    size_t n = m->set->keywords.at[keyword].n_words;

    if (n > m->n_window)
        return false;
    for (size_t i = 0; i < n; i++)
        if (word_before(m, i)->number != m->set->words_of[keyword][n - 1 - i])
            return false;
    return true;
}

static bool comes_before(const struct matcher *m, const struct hit *a, const struct hit *b)
{
    const struct keyword *keywords = m->set->keywords.at;

    if (a->start != b->start)
        return a->start < b->start;
    if (keywords[a->keyword].n_words != keywords[b->keyword].n_words)
        return keywords[a->keyword].n_words < keywords[b->keyword].n_words;
    return a->keyword < b->keyword;
}

/* Hits are found by where they end; a few steps back put a longer one where it starts. */
static void add_hit(struct matcher *m, struct hit hit)
{
    struct hit *place = array_add(&m->hits, hit);

    for (; place > m->hits.at && comes_before(m, &hit, place - 1); place--)
        *place = place[-1];
    *place = hit;
}

static void add_hits_ending_here(struct matcher *m, uint32_t number, size_t end)
{
    const struct keyword_list *endings = &m->set->stems.at[number - 1].value;

    for (size_t i = 0; i < endings->n; i++) {
        uint32_t keyword = endings->at[i];
        if (!stands_here(m, keyword))
            continue;
        size_t first = m->set->keywords.at[keyword].n_words - 1;
        add_hit(m, (struct hit){keyword, word_before(m, first)->start, end});
    }
}

size_t matcher_find(struct matcher *m, struct span text, const struct hit **hits)
{
    struct token_reader reader = token_reader(text);
    struct token token;

    m->hits.n = 0;
    m->n_window = 0;
    while (token_next(&reader, &token)) {
        uint32_t number = word_number(m, text, &token);
        if (token.new_line)
            m->n_window = 0;
        if (number == 0) {
            m->n_window = 0; /* no keyword reaches over a word that is in none */
            continue;
        }
        m->newest = (m->newest + 1) % KEYWORD_WORDS_MAX;
        m->window[m->newest] = (struct window_word){number, token.start};
        if (m->n_window < KEYWORD_WORDS_MAX)
            m->n_window++;
        add_hits_ending_here(m, number, token.end);
    }
    *hits = m->hits.at;
    return m->hits.n;
}
