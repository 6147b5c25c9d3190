#pragma once

/* English stemming: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the extensions of
 * NLTK's PorterStemmer (default mode NLTK_EXTENSIONS, as of NLTK 3.8), result for result. Both functions work in place
 * in the caller's buffer, keep no state and are thread safe. The stem is never longer than the word. No byte at or
 * after word[len] is read or written; no '\0' is expected or written. Time is linear in len for every input. */

#include <stddef.h>

/* Stems a word of one byte per character and returns the length of the stem (0 only for len 0). The word is lower-cased
 * letters and digits: ASCII characters stand for themselves, a byte >= 0x80 is some other character and counts as a
 * consonant. Such bytes are only ever compared with their direct neighbour, so only NEIGHBOURING bytes need be equal
 * exactly when the characters are. They are never moved: one that is in the stem is where it was in the word. ('*' is
 * not a word character: NLTK, by accident, stems "a*ded" to "ad"; not reproduced here.) */
size_t porter_nltk(unsigned char *word, size_t len);

/* The same for a lower-cased word in UTF-8; lengths in bytes. Non-ASCII words need scratch memory of their length. */
size_t porter_nltk_utf8(char *word, size_t len);
