/*
 * Keywords that can never match, found without a corpus: by trying inflections of their words.
 */
#include "match/set.h"

static struct span arena_print(struct arena *arena, const char *before, struct span word,
                               const char *between, struct span other, const char *after)
{
    struct buf text = {0};

    buf_addf(&text, "%s'%.*s'%s'%.*s'%s", before, (int)word.len, word.ptr, between,
             (int)other.len, other.ptr, after);
    struct span copy = arena_copy(arena, buf_span(&text));
    buf_clear(&text);
    return copy;
}

static bool stems_to(struct stemmer *stemmer, const struct buf *form, struct span stem)
{
    return span_eq(stemmer_stem(stemmer, buf_span(form)), stem);
}

/* Whether some inflection of `stem` has it as its stem: "databas" is that of "database". */
static bool is_stem(struct stemmer *stemmer, struct span stem)
{
    static const char *const endings[] = {"",    "s",    "e",   "es",  "ed",   "ing",  "y",
                                          "ies", "ly",   "ion", "er",  "able", "ness", "ful",
                                          "al",  "ment", "ity", "ive", "ize",  "ation"};
    struct buf form = {0};
    bool found = false;

    for (size_t i = 0; i < ARRAY_LEN(endings) && !found; i++) {
        buf_reset(&form);
        buf_add_span(&form, stem);
        buf_add_text(&form, endings[i]);
        found = stems_to(stemmer, &form, stem);
        if (!found && stem.len > 1 && stem.ptr[stem.len - 1] == 'i') {
            form.len = stem.len; /* happi: happy */
            form.ptr[stem.len - 1] = 'y';
            found = stems_to(stemmer, &form, stem);
        }
    }
    buf_clear(&form);
    return found;
}

static bool is_one_token(struct span word)
{
    struct token_reader reader = token_reader(word);
    struct token token;

    return token_next(&reader, &token) && token.start == 0 && token.end == word.len;
}

struct span keyword_dead_word(struct stemmer *stemmer, struct span word, bool verbatim,
                              struct arena *arena)
{
    if (!is_one_token(word))
        return arena_print(arena, "", word, " is not one word; a word is letters and digits: see ",
                           SPAN("ppmine stem"), "");
    if (!verbatim || is_stem(stemmer, word))
        return (struct span){0};
    struct span copy = arena_copy(arena, word);
    return arena_print(arena, "no word has the stem ", copy, "; its own stem is ",
                       stemmer_stem(stemmer, copy), "");
}

struct span keyword_restemmed_note(struct stemmer *stemmer, const struct keyword *k,
                                   struct arena *arena)
{
    struct span printed = k->text, compared = k->stems, word, stem;

    while (span_cut(&printed, ' ', &word) && span_cut(&compared, ' ', &stem)) {
        struct span lowered = arena_copy(arena, stemmer_lower(stemmer, word));
        if (!span_eq(lowered, stem) && is_stem(stemmer, lowered))
            return arena_print(arena, "", word, " is a stem already, and is compared as ", stem,
                               "; --verbatim compares it as printed");
    }
    return (struct span){0};
}
