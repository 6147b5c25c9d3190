/* Loads a keyword set, and prepares it for matching. */
#include "match/set.h"

/* --- numbers of words --- */

static uint32_t *find_slot(const struct match_set *set, struct span stem)
{
    size_t mask = set->n_slots - 1;

    for (size_t i = span_hash(stem) & mask;; i = (i + 1) & mask)
        if (set->slots[i] == 0 || span_eq(set->words[set->slots[i]].stem, stem))
            return &set->slots[i];
}

uint32_t match_set_word(const struct match_set *set, struct span stem)
{
    return *find_slot(set, stem);
}

static uint32_t add_word(struct match_set *set, struct span stem)
{
    uint32_t *slot = find_slot(set, stem);

    if (*slot == 0) {
        *slot = (uint32_t)++set->n_words;
        set->words[*slot].stem = stem;
    }
    return *slot;
}

/* --- reading the file --- */

struct loader {
    struct match_set *set;
    struct stemmer *stemmer;
    const char *name;
    size_t line;
    enum match_options options;
    struct err *e;
    size_t capacity; /* of set->keywords */
    uint32_t *known; /* hash table of indexes + 1 of the keywords by text; 4 * capacity slots */
};

static enum status add_line_word(struct loader *l, struct keyword *k, struct span word,
                                 struct buf *text, struct buf *stems)
{
    if (k->n_words == KEYWORD_WORDS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d words in one keyword", l->name,
                       l->line, KEYWORD_WORDS_MAX);
    if (k->n_words++ > 0) {
        buf_add_char(text, ' ');
        buf_add_char(stems, ' ');
    }
    buf_add_span(text, word);
    struct span compared = l->options & MATCH_VERBATIM ? stemmer_lower(l->stemmer, word)
                                                       : stemmer_stem(l->stemmer, word);
    buf_add_span(stems, compared);
    return ST_OK;
}

static uint32_t *known_slot(const struct loader *l, struct span text)
{
    size_t mask = 4 * l->capacity - 1;

    for (size_t i = span_hash(text) & mask;; i = (i + 1) & mask)
        if (l->known[i] == 0 || span_eq(l->set->keywords[l->known[i] - 1].text, text))
            return &l->known[i];
}

static bool is_known(const struct loader *l, struct span text)
{
    return l->capacity > 0 && *known_slot(l, text) != 0;
}

static void grow_keywords(struct loader *l)
{
    struct match_set *set = l->set;

    l->capacity = l->capacity > 0 ? 2 * l->capacity : 64;
    set->keywords = mem_resize(set->keywords, l->capacity, sizeof *set->keywords);
    mem_free(l->known);
    l->known = mem_zero(4 * l->capacity, sizeof *l->known);
    for (size_t i = 0; i < set->n_keywords; i++)
        *known_slot(l, set->keywords[i].text) = (uint32_t)i + 1;
}

static void keep_keyword(struct loader *l, struct keyword k)
{
    struct match_set *set = l->set;

    if (set->n_keywords == l->capacity)
        grow_keywords(l);
    *known_slot(l, k.text) = (uint32_t)set->n_keywords + 1;
    set->keywords[set->n_keywords++] = k;
}

static enum status read_words(struct loader *l, struct span line, struct keyword *k)
{
    struct buf text = {0}, stems = {0};
    struct span word;
    enum status status = ST_OK;

    while (status == ST_OK && span_cut(&line, ' ', &word)) {
        word = span_trim(word);
        if (word.len > 0)
            status = add_line_word(l, k, word, &text, &stems);
    }
    k->text = arena_copy(&l->set->arena, buf_span(&text));
    k->stems = arena_copy(&l->set->arena, buf_span(&stems));
    buf_clear(&text);
    buf_clear(&stems);
    return status;
}

static enum status read_line(struct loader *l, struct span line)
{
    struct keyword k = {0};
    struct span note = {0};
    size_t comment = span_find(line, SPAN("#"));

    if (comment != SIZE_MAX) {
        note = span_trim((struct span){line.ptr + comment + 1, line.len - comment - 1});
        line.len = comment;
    }
    line = span_trim(line);
    if (line.len == 0)
        return ST_OK;
    if (memchr(line.ptr, '\t', line.len) != NULL)
        return err_set(l->e, ST_INPUT, "%s:%zu: a tab in a keyword; separate words by blanks",
                       l->name, l->line);
    enum status status = read_words(l, line, &k);
    if (status != ST_OK || is_known(l, k.text))
        return status;
    if (l->set->n_keywords == KEYWORDS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d keywords", l->name, l->line,
                       KEYWORDS_MAX);
    if (note.len > 0)
        k.note = arena_copy(&l->set->arena, note);
    keep_keyword(l, k);
    return ST_OK;
}

static enum status read_lines(struct loader *l, struct span content)
{
    struct span line;

    if (span_starts(content, SPAN("\xef\xbb\xbf"))) {
        content.ptr += 3;
        content.len -= 3;
    }
    while (span_cut(&content, '\n', &line)) {
        l->line++;
        if (utf8_valid_prefix(line) < line.len || (line.len > 0 && memchr(line.ptr, 0, line.len)))
            return err_set(l->e, ST_INPUT, "%s:%zu: not UTF-8 text", l->name, l->line);
        enum status status = read_line(l, line);
        if (status != ST_OK)
            return status;
    }
    if (l->set->n_keywords == 0)
        return err_set(l->e, ST_INPUT, "%s: no keyword in it; write one n-gram on each line",
                       l->name);
    return ST_OK;
}

/* --- what is wrong with a keyword, or worth knowing --- */

static void judge_keyword(struct loader *l, struct keyword *k)
{
    struct span rest = k->text, word;
    struct span mark = SPAN("dead:");

    while (k->dead.ptr == NULL && span_cut(&rest, ' ', &word)) {
        bool verbatim = (l->options & MATCH_VERBATIM) != 0;
        k->dead = keyword_dead_word(l->stemmer, word, verbatim, &l->set->arena);
    }
    if (k->dead.ptr == NULL && span_starts(k->note, mark))
        k->dead = span_trim((struct span){k->note.ptr + mark.len, k->note.len - mark.len});
    if (span_starts(k->note, mark))
        k->note = (struct span){0};
    if (k->note.ptr == NULL && !(l->options & MATCH_VERBATIM))
        k->note = keyword_restemmed_note(l->stemmer, k, &l->set->arena);
}

/* --- building what the matcher looks things up in --- */

static void number_words(struct match_set *set)
{
    size_t total = 0;

    for (size_t i = 0; i < set->n_keywords; i++)
        total += set->keywords[i].n_words;
    set->n_slots = 64;
    while (set->n_slots < 4 * total)
        set->n_slots *= 2;
    set->slots = mem_zero(set->n_slots, sizeof *set->slots);
    set->words = mem_zero(total + 1, sizeof *set->words);
    set->words_of = mem_zero(set->n_keywords, sizeof *set->words_of);
    for (size_t i = 0; i < set->n_keywords; i++) {
        struct span rest = set->keywords[i].stems, stem;
        for (size_t n = 0; span_cut(&rest, ' ', &stem); n++)
            set->words_of[i][n] = add_word(set, stem);
    }
}

static struct word *last_word(const struct match_set *set, size_t keyword)
{
    return &set->words[set->words_of[keyword][set->keywords[keyword].n_words - 1]];
}

static void list_endings(struct match_set *set)
{
    for (size_t i = 0; i < set->n_keywords; i++)
        last_word(set, i)->n_endings++;
    for (size_t i = 1; i <= set->n_words; i++) {
        set->words[i].endings = mem_zero(set->words[i].n_endings, sizeof *set->words[i].endings);
        set->words[i].n_endings = 0;
    }
    for (size_t i = 0; i < set->n_keywords; i++) {
        struct word *last = last_word(set, i);
        last->endings[last->n_endings++] = (uint32_t)i;
    }
}

/* Any letter, or none, may follow the known ones. */
static void allow_prefix(letter_table table, struct span prefix)
{
    unsigned letter[3] = {0, 0, 0};
    size_t known = prefix.len < 3 ? prefix.len : 3;

    for (size_t i = 0; i < known; i++)
        letter[i] = (unsigned char)prefix.ptr[i] & 31;
    for (unsigned i = 0; i < (known < 1 ? 32 : 1); i++)
        for (unsigned j = 0; j < (known < 2 ? 32 : 1); j++)
            table[letter[0] + i][letter[1] + j] |=
                known == 3 ? UINT32_C(1) << letter[2] : UINT32_MAX;
}

static void fill_letters(struct match_set *set, const struct stemmer *stemmer)
{
    for (size_t i = 1; i <= set->n_words; i++) {
        struct span prefix = set->words[i].stem;
        prefix.len = stemmer_sure_prefix(stemmer, prefix);
        allow_prefix(set->letters, prefix);
    }
}

/* Of a keyword's words the one with the longest sure prefix is looked for, as the rarest, and a
 * word beside it. */
static void fill_prefilter(struct match_set *set, const struct stemmer *stemmer)
{
    for (size_t i = 0; i < set->n_keywords; i++) {
        size_t n = set->keywords[i].n_words, best = 0;
        struct span prefix[KEYWORD_WORDS_MAX] = {0};
        for (size_t j = 0; j < n; j++) {
            prefix[j] = set->words[set->words_of[i][j]].stem;
            prefix[j].len = stemmer_sure_prefix(stemmer, prefix[j]);
            if (prefix[j].len > prefix[best].len)
                best = j;
        }
        struct span none = {0};
        struct span beside = best > 0 ? prefix[best - 1] : n > 1 ? prefix[best + 1] : none;
        prefilter_add(&set->prefilter, prefix[best], beside, best > 0);
    }
    prefilter_finish(&set->prefilter);
}

static enum status load(struct loader *l, struct span content)
{
    enum status status = read_lines(l, content);

    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < l->set->n_keywords; i++)
        judge_keyword(l, &l->set->keywords[i]);
    number_words(l->set);
    list_endings(l->set);
    fill_letters(l->set, l->stemmer);
    fill_prefilter(l->set, l->stemmer);
    return ST_OK;
}

enum status match_set_load(struct match_set **out, struct span content, const char *name,
                           struct span algorithm, enum match_options options, struct err *e)
{
    struct loader l = {.name = name, .options = options, .e = e};

    *out = NULL;
    enum status status = stemmer_new(&l.stemmer, algorithm, e);
    if (status != ST_OK)
        return status;
    l.set = mem_zero(1, sizeof *l.set);
    l.set->algorithm = arena_copy(&l.set->arena, algorithm);
    status = load(&l, content);
    stemmer_free(l.stemmer);
    mem_free(l.known);
    if (status != ST_OK) {
        match_set_free(l.set);
        return status;
    }
    *out = l.set;
    return ST_OK;
}

void match_set_free(struct match_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 1; set->words != NULL && i <= set->n_words; i++)
        mem_free(set->words[i].endings);
    mem_free(set->words);
    mem_free(set->words_of);
    mem_free(set->slots);
    mem_free(set->keywords);
    arena_clear(&set->arena);
    mem_free(set);
}

size_t match_set_size(const struct match_set *set)
{
    return set->n_keywords;
}

const struct keyword *match_set_keyword(const struct match_set *set, size_t index)
{
    return &set->keywords[index];
}

bool match_possible(const struct match_set *set, struct span raw)
{
    return prefilter_possible(&set->prefilter, raw);
}
