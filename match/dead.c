/*
 * Keywords that can never match, found without a corpus: by trying inflections of their words.
 */
#include "match/set.h"

/* A copy of what was printed, which is cleared. */
static struct span keep(struct arena *arena, struct buf *printed)
{
    struct span copy = arena_copy(arena, buf_span(printed));

    buf_clear(printed);
    return copy;
}

#define ARGS(s) (int)(s).len, (s).ptr

/* An inflection of `stem` that has it as its stem, appended to *form ("databas": "database"); false
 * when there is none. Not every one is a word of English; telling is the reader's. */
static bool find_inflection(struct stemmer *stemmer, struct span stem, struct buf *form)
{
    static const char *const endings[] = {"e", "s", "ed", "ing", "y", "ly", "ion", "er", "able"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        buf_set(form, stem);
        buf_add_text(form, endings[i]);
        if (span_eq(stemmer_stem(stemmer, buf_span(form)), stem))
            return true;
    }
    return false;
}

struct span keyword_dead_word(struct stemmer *stemmer, struct span word, bool verbatim, struct arena *arena)
{
    struct buf reason = {0}, form = {0};

    if (!token_is_whole(word)) {
        buf_addf(&reason, "'%.*s' is not one word; a word is letters and digits", ARGS(word));
        return keep(arena, &reason);
    }
    struct span printed = arena_copy(arena, stemmer_lower(stemmer, word));
    struct span own = arena_copy(arena, stemmer_stem(stemmer, word));
    if (!verbatim || span_eq(printed, own))
        return (struct span){0};
    buf_addf(&reason, "the stem of '%.*s' is '%.*s'; ", ARGS(printed), ARGS(own));
    if (find_inflection(stemmer, printed, &form))
        buf_addf(&reason, "only a word such as '%.*s' has this one", ARGS(form));
    else
        buf_addf(&reason, "no word has this one");
    buf_clear(&form);
    return keep(arena, &reason);
}

struct span keyword_restemmed_note(struct stemmer *stemmer, const struct keyword *k, struct arena *arena)
{
    struct span printed = k->text, compared = k->stems, word, stem;
    struct buf note = {0};

    while (span_cut(&printed, ' ', &word) && span_cut(&compared, ' ', &stem)) {
        if (span_eq(stemmer_lower(stemmer, word), stem))
            continue;
        buf_addf(&note, "'%.*s' is compared by its stem '%.*s'", ARGS(word), ARGS(stem));
        return keep(arena, &note);
    }
    return (struct span){0};
}
