/* The Porter stemmer of NLTK 3.8, in its default mode. */
#include "stem/porter_nltk.h"

#include "base/base.h"

/* Why the length never grows: every rule writes at most as many characters as the suffix that it removes had. The only
 * other characters added, the 'e' of step 1b, follow the removal of "ed" or "ing" and thus land where the 'e' or the
 * 'i' was. So only word[0, len) is touched. */

enum character_class { CONSONANT, VOWEL, Y };

static const unsigned char class_of[256] = {
    ['a'] = VOWEL, ['e'] = VOWEL, ['i'] = VOWEL, ['o'] = VOWEL, ['u'] = VOWEL, ['y'] = Y};

/* A word that ends in `suffix` loses its last `cut` characters and gets `added` instead. `cut` is
 * less than the suffix where the rule wants something in front of what it replaces. */
struct rule {
    const char *suffix;
    const char *added;
    unsigned char suffix_length; /* 0 ends a list */
    unsigned char cut;
    unsigned char added_length;
    bool again; /* the result goes through the same table once more */
};

#define RULE_FULL(suffix, cut, added, again) \
    { \
        suffix, added, sizeof(suffix) - 1, cut, sizeof(added) - 1, again \
    }
#define RULE(suffix, added) RULE_FULL(suffix, sizeof(suffix) - 1, added, false)
#define RULE_CUT(suffix, cut, added) RULE_FULL(suffix, cut, added, false)
#define RULE_AGAIN(suffix, added) RULE_FULL(suffix, sizeof(suffix) - 1, added, true)
/* clang-format off */
#define NO_MORE { NULL, NULL, 0, 0, 0, false }
#define RULES(...) (const struct rule[]) { __VA_ARGS__, NO_MORE }
/* clang-format on */

/* The tables are indexed by the last letter but one, which no two rules in different lists share. In a list the first
 * suffix that matches decides, even if its condition fails, so a suffix must come before those that it ends in. */
static const struct rule *const step2[256] = {
    ['a'] = RULES(RULE("ational", "ate"), RULE("tional", "tion")),
    ['c'] = RULES(RULE("enci", "ence"), RULE("anci", "ance")),
    ['e'] = RULES(RULE("izer", "ize")),
    ['g'] = RULES(RULE_CUT("logi", 3, "og")),
    /* "ationalli" -> "ational" -> "ate". No suffix in "al" leads to one in "alli", so the second
     * round is the last one. */
    ['l'] = RULES(RULE("bli", "ble"), RULE_AGAIN("alli", "al"), RULE("entli", "ent"), RULE("eli", "e"),
                  RULE("ousli", "ous"), RULE("fulli", "ful")),
    ['o'] = RULES(RULE("ization", "ize"), RULE("ation", "ate"), RULE("ator", "ate")),
    ['s'] = RULES(RULE("alism", "al"), RULE("iveness", "ive"), RULE("fulness", "ful"), RULE("ousness", "ous")),
    ['t'] = RULES(RULE("aliti", "al"), RULE("iviti", "ive"), RULE("biliti", "ble"))};

static const struct rule *const step3[256] = {
    ['a'] = RULES(RULE("ical", "ic")),
    ['s'] = RULES(RULE("ness", "")),
    ['t'] = RULES(RULE("icate", "ic"), RULE("iciti", "ic")),
    ['u'] = RULES(RULE("ful", "")),
    ['v'] = RULES(RULE("ative", "")),
    ['z'] = RULES(RULE("alize", "al")),
};

static const struct rule *const step4[256] = {
    ['a'] = RULES(RULE("al", "")),
    ['c'] = RULES(RULE("ance", ""), RULE("ence", "")),
    ['e'] = RULES(RULE("er", "")),
    ['i'] = RULES(RULE("ic", "")),
    ['l'] = RULES(RULE("able", ""), RULE("ible", "")),
    ['n'] = RULES(RULE("ant", ""), RULE("ement", ""), RULE("ment", ""), RULE("ent", "")),
    ['o'] = RULES(RULE_CUT("sion", 3, ""), RULE_CUT("tion", 3, ""), RULE("ou", "")),
    ['s'] = RULES(RULE("ism", "")),
    ['t'] = RULES(RULE("ate", ""), RULE("iti", "")),
    ['u'] = RULES(RULE("ous", "")),
    ['v'] = RULES(RULE("ive", "")),
    ['z'] = RULES(RULE("ize", "")),
};

struct irregular {
    const char *word;
    const char *stem;
    unsigned char word_length; /* 0 ends a list */
    unsigned char stem_length;
};

/* clang-format off */
#define FORM(word, stem) { word, stem, sizeof(word) - 1, sizeof(stem) - 1 }
#define FORMS(...) (const struct irregular[]) { __VA_ARGS__, { NULL, NULL, 0, 0 } }
/* clang-format on */

/* By first letter. No stem is longer than its word. */
static const struct irregular *const irregular_forms[256] = {
    ['c'] = FORMS(FORM("cannings", "canning"), FORM("canning", "canning")),
    ['d'] = FORMS(FORM("dying", "die")),
    ['e'] = FORMS(FORM("exceed", "exceed")),
    ['h'] = FORMS(FORM("howe", "howe")),
    ['i'] = FORMS(FORM("innings", "inning"), FORM("inning", "inning")),
    ['l'] = FORMS(FORM("lying", "lie")),
    ['n'] = FORMS(FORM("news", "news")),
    ['o'] = FORMS(FORM("outings", "outing"), FORM("outing", "outing")),
    ['p'] = FORMS(FORM("proceed", "proceed")),
    ['s'] = FORMS(FORM("skies", "sky"), FORM("sky", "sky"), FORM("succeed", "succeed")),
    ['t'] = FORMS(FORM("tying", "tie")),
};

static bool ends_with(const unsigned char *word, size_t len, const char *suffix, size_t length)
{
    if (len < length)
        return false;
    /* From the front: the callers have looked at the end before. */
    const unsigned char *tail = word + len - length;
    for (size_t i = 0; i < length; i++)
        if (tail[i] != (unsigned char)suffix[i])
            return false;
    return true;
}

/* A 'y' is a vowel after a consonant: letters of a run of them alternate, and the start of the run decides. */
static bool is_consonant(const unsigned char *word, size_t i)
{
    if (class_of[word[i]] != Y)
        return class_of[word[i]] == CONSONANT;
    size_t start = i;
    while (start > 0 && word[start - 1] == 'y')
        start--;
    bool first_is_consonant = start == 0 || class_of[word[start - 1]] == VOWEL;
    return first_is_consonant == ((i - start) % 2 == 0);
}

/* Porter's m, the number of changes from vowel to consonant; 2 stands for all from 2 on, as no rule asks for more. */
static unsigned measure(const unsigned char *word, size_t len)
{
    unsigned m = 0;
    bool after_vowel = false;
    bool after_consonant = false;
    for (size_t i = 0; i < len && m < 2; i++) {
        unsigned class = class_of[word[i]];
        bool vowel = class == VOWEL || (class == Y && after_consonant);
        m += after_vowel && !vowel;
        after_vowel = vowel;
        after_consonant = !vowel;
    }
    return m;
}

static bool contains_vowel(const unsigned char *word, size_t len)
{
    /* The first 'y' behind the first letter is a vowel, or has one in front of it. */
    for (size_t i = 0; i < len; i++)
        if (class_of[word[i]] == VOWEL || (class_of[word[i]] == Y && i > 0))
            return true;
    return false;
}

/* Porter's *o, consonant-vowel-consonant with a last letter other than w, x, y. NLTK also takes a
 * word of just vowel and consonant for one, then with any consonant ("use", "axe", "eye"). */
static bool ends_short(const unsigned char *word, size_t len)
{
    if (len < 2 || is_consonant(word, len - 2) || !is_consonant(word, len - 1))
        return false;
    unsigned char last = word[len - 1];
    return len == 2 || (last != 'w' && last != 'x' && last != 'y' && is_consonant(word, len - 3));
}

/* Plurals. len >= 3. */
static size_t step1a(const unsigned char *word, size_t len)
{
    if (word[len - 1] != 's')
        return len;
    if (ends_with(word, len, "ies", 3))
        return len == 4 ? len - 1 : len - 2;
    if (ends_with(word, len, "sses", 4))
        return len - 2;
    return word[len - 2] == 's' ? len : len - 1;
}

/* What is left after "ed" or "ing" gets an ending as if it had never had one. */
static size_t repair_ending(unsigned char *word, size_t len)
{
    bool add_e = ends_with(word, len, "at", 2) || ends_with(word, len, "bl", 2) || ends_with(word, len, "iz", 2);
    if (!add_e && (len >= 2 && word[len - 1] == word[len - 2] && is_consonant(word, len - 1))) {
        unsigned char last = word[len - 1];
        return last == 'l' || last == 's' || last == 'z' ? len : len - 1;
    }
    if (add_e || (ends_short(word, len) && measure(word, len) == 1))
        word[len++] = 'e';
    return len;
}

/* Past tense and "ing". */
static size_t step1b(unsigned char *word, size_t len)
{
    unsigned char last = word[len - 1];
    if (last == 'd' && ends_with(word, len, "ied", 3))
        return len == 4 ? len - 1 : len - 2;
    if (last == 'd' && ends_with(word, len, "eed", 3))
        return measure(word, len - 3) > 0 ? len - 1 : len;

    size_t cut = 0;
    if (last == 'd' && ends_with(word, len, "ed", 2))
        cut = 2;
    else if (last == 'g' && ends_with(word, len, "ing", 3))
        cut = 3;
    if (cut == 0 || !contains_vowel(word, len - cut))
        return len;
    return repair_ending(word, len - cut);
}

/* Steps 2 to 4: a suffix goes if the measure of what is before it is at least least_measure. */
static size_t apply(unsigned char *word, size_t len, const struct rule *const *table, unsigned least_measure)
{
    const struct rule *rule = len >= 2 ? table[word[len - 2]] : NULL;
    if (rule == NULL)
        return len;
    while (!ends_with(word, len, rule->suffix, rule->suffix_length))
        rule++;
    if (rule->suffix_length == 0)
        return len; /* the end of the list matches every word */
    size_t rest = len - rule->cut;
    if (measure(word, rest) < least_measure)
        return len;
    memcpy(word + rest, rule->added, rule->added_length);
    len = rest + rule->added_length;
    return rule->again ? apply(word, len, table, least_measure) : len;
}

/* A final 'e', then a final double 'l'. */
static size_t step5(const unsigned char *word, size_t len)
{
    if (word[len - 1] == 'e') {
        unsigned m = measure(word, len - 1);
        if (m > 1 || (m == 1 && !ends_short(word, len - 1)))
            len--;
    }
    if (len >= 2 && word[len - 1] == 'l' && word[len - 2] == 'l' && measure(word, len - 1) > 1)
        len--;
    return len;
}

size_t porter_nltk(unsigned char *word, size_t len)
{
    if (len <= 2)
        return len;
    const struct irregular *form = irregular_forms[word[0]];
    for (; form != NULL && form->word_length != 0; form++)
        if (form->word_length == len && memcmp(word, form->word, len) == 0) {
            memcpy(word, form->stem, form->stem_length);
            return form->stem_length;
        }
    /* No step leaves nothing: step 1 keeps a letter ("ies" -> "i") or asks for a vowel, the
     * others ask for a measure above 0 where they take a suffix away entirely. */
    len = step1a(word, len);
    len = step1b(word, len);
    if (len > 2 && word[len - 1] == 'y' && is_consonant(word, len - 2))
        word[len - 1] = 'i';
    len = apply(word, len, step2, 1);
    len = apply(word, len, step3, 1);
    len = apply(word, len, step4, 2);
    return step5(word, len);
}

static size_t character_length(const char *at, const char *end)
{
    size_t length = 1;
    while (at + length < end && ((unsigned char)at[length] & 0xC0) == 0x80)
        length++;
    return length;
}

/* One code per character, as porter_nltk wants them; returns their number. Two codes do for all non-ASCII characters:
 * the rules ask of a character whether it is a given ASCII letter, whether it is a vowel, and (double consonants)
 * whether it equals the one before it; all else is lengths. So a character keeps the code of an equal one before it and
 * gets the other code after a different one: to the rules that is like distinct codes. */
static size_t encode(const char *word, size_t len, unsigned char *codes)
{
    const char *end = word + len;
    const char *before = word;
    size_t before_length = 0;
    unsigned char code = 0x80;
    size_t count = 0;
    for (const char *at = word; at < end;) {
        size_t length = character_length(at, end);
        if ((unsigned char)*at < 0x80) {
            codes[count++] = (unsigned char)*at;
        } else {
            if (length != before_length || memcmp(at, before, length) != 0)
                code ^= 1;
            codes[count++] = code;
        }
        before = at;
        before_length = length;
        at += length;
    }
    return count;
}

/* Writes a stem back over its word and returns its length in bytes. The ending can be written over the old one byte by
 * byte: porter_nltk only ever writes where there was an ASCII letter, into a suffix it has matched, or (the 'e' of step
 * 1b) after what is left of one. The only non-ASCII characters it removes are the second ones of a pair, at the end of
 * step 1b's other branch, and from there on the word no longer grows. So each character of the stem has as many bytes
 * as the one of the word in its place, and a non-ASCII one is it. */
static size_t decode(const unsigned char *codes, size_t count, char *word, size_t len)
{
    const char *end = word + len;
    char *at = word;
    for (size_t i = 0; i < count; i++) {
        if (codes[i] < 0x80)
            *at++ = (char)codes[i];
        else
            at += character_length(at, end);
    }
    return (size_t)(at - word);
}

size_t porter_nltk_utf8(char *word, size_t len)
{
    unsigned char all = 0;
    for (size_t i = 0; i < len; i++)
        all |= (unsigned char)word[i];
    if (all < 0x80)
        return porter_nltk((unsigned char *)word, len);
    AT_END(mem_end) unsigned char *codes = mem_alloc(len);
    size_t count = encode(word, len, codes);
    count = porter_nltk(codes, count);
    return decode(codes, count, word, len);
}
