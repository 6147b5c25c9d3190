/* A stemmer by name: NLTK's Porter, or one of libstemmer. */
#include "stem/lower.h"
#include "stem/porter_nltk.h"
#include "stem/stem.h"

#include <libstemmer.h>

struct stemmer {
    char *name;
    struct sb_stemmer *snowball; /* NULL: NLTK's Porter */
    char *lowered;               /* from mem_alloc: lower_word grows it */
    size_t capacity;
};

const char *const *stemmer_names(void)
{
    /* libstemmer's list has no room for ours, so it is copied once. */
    static const char *names[64] = {"nltk"};

    if (names[1] == NULL) {
        const char **snowball = sb_stemmer_list();
        for (size_t i = 0; snowball[i] != NULL && i + 2 < ARRAY_LEN(names); i++)
            names[i + 1] = snowball[i];
    }
    return names;
}

enum status stemmer_new(struct stemmer **out, struct span algorithm, struct err *e)
{
    struct stemmer *s = mem_zero(1, sizeof *s);

    *out = NULL;
    s->name = mem_text(algorithm);
    if (!span_eq(algorithm, SPAN("nltk"))) {
        s->snowball = sb_stemmer_new(s->name, "UTF_8");
        if (s->snowball == NULL) {
            stemmer_free(s);
            AT_END(buf_clear) struct buf list = {0};
            for (const char *const *name = stemmer_names(); *name != NULL; name++)
                buf_addf(&list, "%s%s", list.len > 0 ? ", " : "", *name);
            err_set(e, ST_USAGE, "unknown stemming algorithm '%.*s'; known: %s", SPAN_ARG(algorithm), buf_cstr(&list));
            return e->status;
        }
    }
    *out = s;
    return ST_OK;
}

void stemmer_free(struct stemmer *s)
{
    if (s == NULL)
        return;
    if (s->snowball != NULL)
        sb_stemmer_delete(s->snowball);
    mem_free(s->lowered);
    mem_free(s->name);
    mem_free(s);
}

/* Lower-cases ASCII into s->lowered; false when the word has other characters. */
static bool lower_ascii(struct stemmer *s, struct span word)
{
    s->lowered = array_room(s->lowered, 0, word.len, &s->capacity, 1);
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        if ((unsigned char)c >= 0x80)
            return false;
        s->lowered[i] = ascii_lower(c);
    }
    return true;
}

/* Lower-cases into s->lowered; *ascii tells whether that is one byte per character. */
static size_t lower(struct stemmer *s, struct span token, bool *ascii)
{
    *ascii = lower_ascii(s, token);
    return *ascii ? token.len : lower_word(token.ptr, token.len, &s->lowered, &s->capacity);
}

struct span stemmer_lower(struct stemmer *s, struct span token)
{
    bool ascii;
    size_t len = lower(s, token, &ascii);

    return (struct span){s->lowered, len};
}

struct span stemmer_stem(struct stemmer *s, struct span token)
{
    bool ascii;
    size_t len = lower(s, token, &ascii);

    if (s->snowball != NULL) {
        /* libstemmer counts in int; a longer "word" is left as it is. So is the word "s", of which its
         * "porter" leaves nothing: a stem is never empty. */
        if (len > INT32_MAX / 4)
            return (struct span){s->lowered, len};
        const sb_symbol *stem = sb_stemmer_stem(s->snowball, (const sb_symbol *)s->lowered, (int)len);
        size_t stem_len = stem != NULL ? (size_t)sb_stemmer_length(s->snowball) : 0;
        return stem_len > 0 ? (struct span){(const char *)stem, stem_len} : (struct span){s->lowered, len};
    }
    if (ascii)
        len = porter_nltk((unsigned char *)s->lowered, len);
    else
        len = porter_nltk_utf8(s->lowered, len);
    return (struct span){s->lowered, len};
}

/* Porter's rules strip endings, and where they put something else instead, the stem ends in it: an 'e' (also from -ate,
 * -ize, -ive), an 'i' (from -y), or -ble and -bl (from -bility). Only the irregular forms of NLTK and of Snowball's
 * "english" change more: dying -> die, skies -> sky. */
size_t stemmer_sure_prefix(const struct stemmer *s, struct span stem)
{
    bool english = s->snowball == NULL || strcmp(s->name, "porter") == 0 || strcmp(s->name, "english") == 0;

    if (!english || stem.len == 0)
        return 0;
    if (span_is_word(stem, "die lie tie sky ski")) /* irregular */
        return 1;
    size_t changed = 0;
    if (span_ends(stem, SPAN("ble")))
        changed = 2;
    else if (span_ends(stem, SPAN("e")) || span_ends(stem, SPAN("i")) || span_ends(stem, SPAN("bl")))
        changed = 1;
    return stem.len > changed ? stem.len - changed : 0;
}
