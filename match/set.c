/* Loads a keyword set, and prepares it for matching. */
#include "match/set.h"

/* --- numbers of words --- */

uint32_t match_set_word(const struct match_set *set, struct span stem)
{
    const struct stem_map_entry *found = stem_map_find(&set->stems, stem);

    return found != NULL ? (uint32_t)(found - set->stems.at) + 1 : 0;
}

static uint32_t add_word(struct match_set *set, struct span stem)
{
    struct stem_map_entry *entry;

    stem_map_add(&set->stems, stem, &entry);
    return (uint32_t)(entry - set->stems.at) + 1;
}

/* --- reading the file --- */

#define MAP_NAME text_set
#define MAP_KEY struct span
#include "base/map.h"

struct loader {
    struct match_set *set;
    struct stemmer *stemmer;
    const char *name;
    size_t line;
    enum match_options options;
    struct err *e;
    struct text_set known; /* the keywords so far */
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
    if (status != ST_OK || text_set_has(&l->known, k.text))
        return status;
    if (l->set->keywords.n == KEYWORDS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d keywords", l->name, l->line,
                       KEYWORDS_MAX);
    if (note.len > 0)
        k.note = arena_copy(&l->set->arena, note);
    text_set_add(&l->known, k.text, NULL);
    array_add(&l->set->keywords, k);
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
    if (l->set->keywords.n == 0)
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
    set->words_of = mem_zero(set->keywords.n, sizeof *set->words_of);
    for (size_t i = 0; i < set->keywords.n; i++) {
        struct span rest = set->keywords.at[i].stems, stem;
        for (size_t n = 0; span_cut(&rest, ' ', &stem); n++)
            set->words_of[i][n] = add_word(set, stem);
    }
}

static void list_endings(struct match_set *set)
{
    for (size_t i = 0; i < set->keywords.n; i++) {
        uint32_t last = set->words_of[i][set->keywords.at[i].n_words - 1];
        array_add(&set->stems.at[last - 1].value, (uint32_t)i);
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
    for (size_t i = 0; i < set->stems.n; i++) {
        struct span prefix = set->stems.at[i].key;
        prefix.len = stemmer_sure_prefix(stemmer, prefix);
        allow_prefix(set->letters, prefix);
    }
}

/* Of a keyword's words the one with the longest sure prefix is looked for, as the rarest, and a
 * word beside it. */
static void fill_prefilter(struct match_set *set, const struct stemmer *stemmer)
{
    for (size_t i = 0; i < set->keywords.n; i++) {
        size_t n = set->keywords.at[i].n_words, best = 0;
        struct span prefix[KEYWORD_WORDS_MAX] = {0};
        for (size_t j = 0; j < n; j++) {
            prefix[j] = set->stems.at[set->words_of[i][j] - 1].key;
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
    for (size_t i = 0; i < l->set->keywords.n; i++)
        judge_keyword(l, &l->set->keywords.at[i]);
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
    text_set_clear(&l.known);
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
    for (size_t i = 0; i < set->stems.n; i++)
        array_clear(&set->stems.at[i].value);
    stem_map_clear(&set->stems);
    mem_free(set->words_of);
    array_clear(&set->keywords);
    arena_clear(&set->arena);
    mem_free(set);
}

size_t match_set_size(const struct match_set *set)
{
    return set->keywords.n;
}

const struct keyword *match_set_keyword(const struct match_set *set, size_t index)
{
    return &set->keywords.at[index];
}

bool match_possible(const struct match_set *set, struct span raw)
{
    return prefilter_possible(&set->prefilter, raw);
}
