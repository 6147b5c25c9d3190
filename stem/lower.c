/* Lower case as Python makes it. */
#include "stem/lower.h"

#include "base/base.h"

#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

enum { CAPITAL_I_WITH_DOT = 0x130, COMBINING_DOT_ABOVE = 0x307, CAPITAL_SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2 };

bool is_letter(uint32_t code_point)
{
    return uc_is_general_category_withtable(code_point, UC_CATEGORY_MASK_L);
}

/* The condition Final_Sigma of Unicode's SpecialCasing: a cased character before, none after, not counting what is
 * case-ignorable, even if it is cased itself. u8_tolower decides otherwise around modifier letters and apostrophes. A
 * sigma ends the search of another one, which keeps this linear. */
static bool is_final_sigma(const uint8_t *word, const uint8_t *sigma, const uint8_t *after, const uint8_t *end)
{
    ucs4_t c = 0;
    const uint8_t *at = sigma;
    do
        at = u8_prev(&c, at, word);
    while (at != NULL && uc_is_property_case_ignorable(c));
    if (at == NULL || !uc_is_property_cased(c))
        return false;

    do {
        if (after == end)
            return true;
        after += u8_mbtouc(&c, after, (size_t)(end - after));
    } while (uc_is_property_case_ignorable(c));
    return !uc_is_property_cased(c);
}

size_t lower_word(const char *word, size_t len, char **buffer, size_t *capacity)
{
    /* Valid UTF-8 grows by half at most (2 to 3 bytes: U+0130, U+023A), broken bytes triple. */
    *buffer = array_room(*buffer, 0, 3 * len, capacity, 1);
    const uint8_t *start = (const uint8_t *)word;
    const uint8_t *end = start + len;
    uint8_t *out = (uint8_t *)*buffer;
    for (const uint8_t *at = start; at < end;) {
        if (*at < 0x80) {
            *out++ = *at >= 'A' && *at <= 'Z' ? *at + ('a' - 'A') : *at;
            at++;
            continue;
        }
        ucs4_t c;
        const uint8_t *next = at + u8_mbtouc(&c, at, (size_t)(end - at));
        ucs4_t lowered = uc_tolower(c);
        if (c == CAPITAL_SIGMA && is_final_sigma(start, at, next, end))
            lowered = FINAL_SIGMA;
        out += u8_uctomb(out, lowered, 4);
        /* The only character whose lower case is two; its simple mapping is the first one, 'i'. */
        if (c == CAPITAL_I_WITH_DOT)
            out += u8_uctomb(out, COMBINING_DOT_ABOVE, 4);
        at = next;
    }
    return (size_t)(out - (uint8_t *)*buffer);
}
