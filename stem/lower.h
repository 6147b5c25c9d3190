#pragma once

/* Letters and lower-casing beyond ASCII, equal to Python 3.11 (Unicode 14.0, as is libunistring
 * 1.0, which the data comes from). Thread safe, independent of the locale. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a code point's general category is L* (Lu, Ll, Lt, Lm, Lo); false for what is not a code point. */
bool is_letter(uint32_t code_point);

/* Lower-cases a word of valid UTF-8 as Python's str.lower() does, with the full mapping (U+0130 becomes two
 * characters) and a final form of sigma that depends on the rest of the word. Returns the length of the result,
 * which is at the start of *buffer without '\0'. *buffer is NULL or from mem_alloc, of *capacity bytes; both are
 * updated when it has to grow. It remains the caller's to free, and word must not lie in it. What is not UTF-8
 * becomes U+FFFD. Linear in len. */
size_t lower_word(const char *word, size_t len, char **buffer, size_t *capacity);
