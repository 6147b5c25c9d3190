/* Loads a keyword set, and prepares it for matching. */
#include "match/set.h"

#include "base/maps.h"
#include "base/utf8.h"

/* --- numbers of words --- */

uint32_t match_set_number(const struct match_set *set, struct span stem)
{
    const struct stem_map_entry *found = stem_map_find(&set->stems, stem);

    return found != NULL ? (uint32_t)(found - set->stems.at) + 1 : 0;
}

size_t match_set_patterns(const struct match_set *set)
{
    return set->patterns.n;
}

struct match_pattern match_set_pattern(const struct match_set *set, size_t index)
{
    const struct pattern *p = &set->patterns.at[index];
    struct match_pattern out = {.keyword = p->keyword, .n_words = p->n_words};

    for (size_t i = 0; i < p->n_words; i++) {
        out.stems[i] = set->stems.at[p->words[i] - 1].key;
        out.has_gap |= p->gaps[i] > 0;
    }
    return out;
}

static uint32_t add_word(struct match_set *set, struct span stem)
{
    struct stem_map_entry *entry;
    uint32_t known = match_set_number(set, stem);

    if (known != 0)
        return known;
    stem_map_add(&set->stems, arena_copy(&set->arena, stem), &entry);
    return (uint32_t)(entry - set->stems.at) + 1;
}

/* --- keywords that can never match, found without a corpus: by trying inflections of their words --- */

/* Why a word of a keyword can never match; ptr NULL when it can. `verbatim`: it is compared as it
 * stands, not its stem. The text is in the arena. */
static struct span keyword_dead_word(struct stemmer *stemmer, struct span word, bool verbatim, struct arena *arena)
{
    if (!token_is_whole(word))
        return arena_addf(arena, "'%.*s' is not one word; a word is letters and digits", SPAN_ARG(word));
    struct span printed = arena_copy(arena, stemmer_lower(stemmer, word));
    struct span own = arena_copy(arena, stemmer_stem(stemmer, word));
    if (!verbatim || span_eq(printed, own))
        return (struct span){0};
    /* An inflection that has it as its stem, "database" for "databas". The reader must judge whether it is English. */
    static const char *const endings[] = {"e", "s", "ed", "ing", "y", "ly", "ion", "er", "able"};
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct span form = arena_addf(arena, "%.*s%s", SPAN_ARG(printed), endings[i]);
        if (span_eq(stemmer_stem(stemmer, form), printed))
            return arena_addf(arena, "the stem of '%.*s' is '%.*s'; only a word such as '%.*s' has this one",
                              SPAN_ARG(printed), SPAN_ARG(own), SPAN_ARG(form));
    }
    return arena_addf(arena, "the stem of '%.*s' is '%.*s'; no word has this one", SPAN_ARG(printed), SPAN_ARG(own));
}

/* --- reading the file --- */

struct loader {
    struct match_set *set;
    struct stemmer *stemmer;
    const char *name;
    size_t line;
    enum match_options options;
    struct err *e;
    struct text_set known; /* the keywords so far */
};

/* A line while it is read: for each word of a keyword the stems that it may have. */
struct reading {
    struct keyword keyword;
    struct ARRAY_OF(uint32_t) stems[KEYWORD_WORDS_MAX];
    unsigned char gaps[KEYWORD_WORDS_MAX];
    size_t gap, all_gaps; /* before the next word; of all words */
    struct buf text, compared;
};

static enum status bad_line(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", l->name, l->line, what);
}

static struct span compared_as(struct loader *l, struct span word)
{
    return l->options & MATCH_VERBATIM ? stemmer_lower(l->stemmer, word) : stemmer_stem(l->stemmer, word);
}

static enum status begin_word(const struct loader *l, struct reading *r)
{
    struct keyword *k = &r->keyword;

    if (k->n_words == KEYWORD_WORDS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d words in one keyword", l->name, l->line,
                       KEYWORD_WORDS_MAX);
    r->gaps[k->n_words++] = (unsigned char)r->gap;
    r->gap = 0;
    if (r->text.len > 0) {
        buf_add_char(&r->text, ' ');
        buf_add_char(&r->compared, ' ');
    }
    return ST_OK;
}

/* "gpu|cpu": a word that may be one or the other. It is dead when each of them is. */
static enum status add_alternatives(struct loader *l, struct reading *r, struct span words)
{
    struct span word, dead = {0}, one_dead;
    bool alive = false;
    size_t n = 0;
    enum status status = begin_word(l, r);

    if (status != ST_OK)
        return status;
    if (words.ptr[0] == '|' || words.ptr[words.len - 1] == '|')
        return bad_line(l, "a word is missing beside '|'");
    while (span_cut(&words, '|', &word)) {
        if (word.len == 0)
            return bad_line(l, "a word is missing beside '|'");
        one_dead = keyword_dead_word(l->stemmer, word, (l->options & MATCH_VERBATIM) != 0, &l->set->arena);
        alive |= one_dead.ptr == NULL;
        dead = dead.ptr == NULL ? one_dead : dead;
        buf_add_text(&r->text, n > 0 ? "|" : "");
        buf_add_text(&r->compared, n++ > 0 ? "|" : "");
        buf_add_span(&r->text, word);
        struct span stem = compared_as(l, word);
        buf_add_span(&r->compared, stem);
        uint32_t number = add_word(l->set, stem);
        size_t place = r->keyword.n_words - 1, known = 0;
        while (known < r->stems[place].n && r->stems[place].at[known] != number)
            known++;
        if (known == r->stems[place].n)
            array_add(&r->stems[place], number);
    }
    if (!alive && r->keyword.dead.ptr == NULL)
        r->keyword.dead = dead;
    return ST_OK;
}

/* "*" or "*3": words of the text between two of the keyword. */
static enum status add_gap(struct loader *l, struct reading *r, struct span gap)
{
    uint64_t n = 1;

    if (gap.len > 1 && (!span_u64((struct span){gap.ptr + 1, gap.len - 1}, KEYWORD_GAPS_MAX, &n) || n == 0))
        return err_set(l->e, ST_INPUT, "%s:%zu: '%.*s': expected *, or *1 to *%d", l->name, l->line, SPAN_ARG(gap),
                       KEYWORD_GAPS_MAX);
    if (r->keyword.n_words == 0 || r->gap > 0)
        return bad_line(l, "a gap is between two words");
    r->gap = (size_t)n;
    r->all_gaps += r->gap;
    if (r->all_gaps > KEYWORD_GAPS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: the gaps reach over more than %d words", l->name, l->line,
                       KEYWORD_GAPS_MAX);
    buf_addf(&r->text, " *%zu", r->gap);
    buf_addf(&r->compared, " *%zu", r->gap);
    return ST_OK;
}

static enum status read_words(struct loader *l, struct reading *r, struct span line)
{
    struct span word;
    enum status status = ST_OK;

    /* Cuts "title:" or "body:" off. */
    static const struct {
        const char *name;
        unsigned field;
    } fields[] = {{"title:", KEYWORD_IN_TITLE}, {"body:", KEYWORD_IN_BODY}};
    r->keyword.fields = KEYWORD_IN_ALL;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct span name = span_of(fields[i].name);
        if (!span_starts(line, name))
            continue;
        r->keyword.fields = fields[i].field;
        buf_add_span(&r->text, name);
        buf_add_span(&r->compared, name);
        line = (struct span){line.ptr + name.len, line.len - name.len};
    }
    while (status == ST_OK && span_cut(&line, ' ', &word)) {
        word = span_trim(word);
        if (word.len == 0)
            continue;
        status = word.ptr[0] == '*' ? add_gap(l, r, word) : add_alternatives(l, r, word);
    }
    if (status == ST_OK && r->gap > 0)
        return bad_line(l, "a gap is between two words");
    if (status == ST_OK && r->keyword.n_words == 0)
        return bad_line(l, "no word is in this line");
    return status;
}

/* The words of an exclusion are those of a text: "r-cnn" is two. */
static enum status read_exclusion(struct loader *l, struct reading *r, struct span line)
{
    struct token_reader reader = token_reader(line);
    struct token token;
    enum status status = ST_OK;

    while (status == ST_OK && token_next(&reader, &token)) {
        struct span word = {line.ptr + token.start, token.end - token.start};
        status = begin_word(l, r);
        if (status != ST_OK)
            return status;
        buf_add_span(&r->text, word);
        array_add(&r->stems[r->keyword.n_words - 1], add_word(l->set, compared_as(l, word)));
    }
    if (status == ST_OK && r->keyword.n_words == 0)
        return bad_line(l, "an exclusion without a word");
    return status;
}

/* A pattern for each choice among the alternatives. */
static enum status add_patterns(struct loader *l, const struct reading *r, uint32_t keyword)
{
    size_t n = r->keyword.n_words, choices = 1;

    for (size_t i = 0; i < n && choices <= KEYWORD_PATTERNS_MAX; i++)
        choices *= r->stems[i].n;
    if (choices > KEYWORD_PATTERNS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d combinations of alternatives", l->name, l->line,
                       KEYWORD_PATTERNS_MAX);
    for (size_t choice = 0; choice < choices; choice++) {
        struct pattern p = {.keyword = keyword, .n_words = (uint32_t)n};
        for (size_t i = 0, rest = choice; i < n; rest /= r->stems[i].n, i++) {
            p.words[i] = r->stems[i].at[rest % r->stems[i].n];
            p.gaps[i] = r->gaps[i];
            l->set->has_gaps |= p.gaps[i] > 0;
        }
        array_add(&l->set->patterns, p);
    }
    return ST_OK;
}

static enum status add_keyword(struct loader *l, struct reading *r, struct span note)
{
    struct keyword *k = &r->keyword;

    if (text_set_has(&l->known, buf_span(&r->text)))
        return ST_OK;
    if (l->set->keywords.n == KEYWORDS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d keywords", l->name, l->line, KEYWORDS_MAX);
    k->text = arena_copy(&l->set->arena, buf_span(&r->text));
    k->stems = arena_copy(&l->set->arena, buf_span(&r->compared));
    if (note.len > 0)
        k->note = arena_copy(&l->set->arena, note);
    text_set_add(&l->known, k->text, NULL);
    array_add(&l->set->keywords, *k);
    return add_patterns(l, r, (uint32_t)l->set->keywords.n - 1);
}

static enum status read_line(struct loader *l, struct span line)
{
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
        return bad_line(l, "a tab in a keyword; separate words by blanks");
    struct reading r = {0};
    enum status status;
    if (line.ptr[0] == '!') {
        status = read_exclusion(l, &r, (struct span){line.ptr + 1, line.len - 1});
        if (status == ST_OK) {
            array_add(&l->set->exclusions, arena_copy(&l->set->arena, buf_span(&r.text)));
            status = add_patterns(l, &r, NO_KEYWORD);
        }
    } else {
        status = read_words(l, &r, line);
        THEN(status, add_keyword(l, &r, note));
    }
    for (size_t i = 0; i < KEYWORD_WORDS_MAX; i++)
        array_clear(&r.stems[i]);
    buf_clear(&r.text);
    buf_clear(&r.compared);
    return status;
}

static enum status read_lines(struct loader *l, struct span content)
{
    struct span line;

    if (span_starts(content, SPAN("\xef\xbb\xbf")))
        content = span_after(content, 3);
    while (span_cut(&content, '\n', &line)) {
        l->line++;
        if (utf8_valid_prefix(line) < line.len || (line.len > 0 && memchr(line.ptr, 0, line.len)))
            return err_set(l->e, ST_INPUT, "%s:%zu: not UTF-8 text", l->name, l->line);
        enum status status = read_line(l, line);
        if (status != ST_OK)
            return status;
    }
    if (l->set->keywords.n == 0)
        return err_set(l->e, ST_INPUT, "%s: no keyword in it; write one n-gram on each line", l->name);
    return ST_OK;
}

/* --- building what the matcher looks things up in --- */

/* Looks for the word of a pattern with the longest sure prefix, as the rarest, and for a word beside it, unless others
 * may be between. */
static void add_rule(struct match_set *set, const struct stemmer *stemmer, const struct pattern *p)
{
    struct span prefix[KEYWORD_WORDS_MAX] = {0}, beside = {0};
    size_t n = p->n_words, best = 0;

    for (size_t j = 0; j < n; j++) {
        prefix[j] = set->stems.at[p->words[j] - 1].key;
        prefix[j].len = stemmer_sure_prefix(stemmer, prefix[j]);
        if (prefix[j].len > prefix[best].len)
            best = j;
    }
    if (best > 0 && p->gaps[best] == 0)
        beside = prefix[best - 1];
    else if (best == 0 && n > 1 && p->gaps[1] == 0)
        beside = prefix[1];
    prefilter_add(&set->prefilter, prefix[best], beside, best > 0);
}

static enum status load(struct loader *l, struct span content)
{
    enum status status = read_lines(l, content);

    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < l->set->keywords.n; i++) {
        struct keyword *k = &l->set->keywords.at[i];
        struct span mark = SPAN("dead:");
        if (k->dead.ptr == NULL && span_starts(k->note, mark))
            k->dead = span_trim((struct span){k->note.ptr + mark.len, k->note.len - mark.len});
        if (span_starts(k->note, mark))
            k->note = (struct span){0};
        struct span printed = k->text, compared = k->stems, word, stem;
        while (k->note.ptr == NULL && !(l->options & MATCH_VERBATIM) && span_cut(&printed, ' ', &word) &&
               span_cut(&compared, ' ', &stem))
            if (!span_eq(stemmer_lower(l->stemmer, word), stem)) /* stemming on load changes it */
                k->note = arena_addf(&l->set->arena, "'%.*s' is compared by its stem '%.*s'", SPAN_ARG(word),
                                     SPAN_ARG(stem));
    }
    for (size_t i = 0; i < l->set->patterns.n; i++) {
        const struct pattern *p = &l->set->patterns.at[i];
        array_add(&l->set->stems.at[p->words[p->n_words - 1] - 1].value, (uint32_t)i);
    }
    for (size_t i = 0; i < l->set->stems.n; i++) {
        struct span prefix = l->set->stems.at[i].key;
        prefix.len = stemmer_sure_prefix(l->stemmer, prefix);
        /* Any letter, or none, may follow the known ones. */
        unsigned letter[3] = {0, 0, 0};
        size_t known = prefix.len < 3 ? prefix.len : 3;

        for (size_t k = 0; k < known; k++)
            letter[k] = (unsigned char)prefix.ptr[k] & 31;
        for (unsigned k = 0; k < (known < 1 ? 32 : 1); k++)
            for (unsigned j = 0; j < (known < 2 ? 32 : 1); j++)
                l->set->letters[letter[0] + k][letter[1] + j] |= known == 3 ? UINT32_C(1) << letter[2] : UINT32_MAX;
    }
    for (size_t i = 0; i < l->set->patterns.n; i++)
        if (l->set->patterns.at[i].keyword != NO_KEYWORD)
            add_rule(l->set, l->stemmer, &l->set->patterns.at[i]);
    prefilter_finish(&l->set->prefilter);
    return ST_OK;
}

enum status match_set_load(struct match_set **out, struct span content, const char *name, struct span algorithm,
                           enum match_options options, struct err *e)
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
    array_clear(&set->patterns);
    array_clear(&set->exclusions);
    array_clear(&set->keywords);
    arena_clear(&set->arena);
    mem_free(set);
}

size_t match_set_size(const struct match_set *set)
{
    return set->keywords.n;
}

size_t match_set_exclusions(const struct match_set *set)
{
    return set->exclusions.n;
}

struct span match_set_exclusion(const struct match_set *set, size_t index)
{
    return set->exclusions.at[index];
}

const struct keyword *match_set_keyword(const struct match_set *set, size_t index)
{
    return &set->keywords.at[index];
}

bool match_possible(const struct match_set *set, struct span raw)
{
    return prefilter_possible(&set->prefilter, raw);
}
