/* utf8: characters of UTF-8, and text of other encodings. */
#pragma once

#include "base/base.h"

/* Length of the longest valid prefix (RFC 3629: no surrogates, no overlong forms). */
size_t MUST_USE utf8_valid_prefix(struct span s);
/* The length without the first bytes of a last character, if the others are missing. */
size_t MUST_USE utf8_whole(struct span s);
/* How many characters valid UTF-8 has. */
size_t MUST_USE utf8_count(struct span s);
/* Cuts off *rest what is valid, or one byte that is not, for which U+FFFD comes back. */
struct span MUST_USE utf8_cut(struct span *rest);
/* Decodes one character of *valid* UTF-8 at p (p < end) and returns its length in bytes. */
size_t MUST_USE utf8_decode(const char *p, const char *end, uint32_t *code_point);
/* Encodes (surrogates and > U+10FFFF: returns 0); at most 4 bytes. */
/* Not utf8_encode, as jansson has that in its archive. */
size_t MUST_USE utf8_put(uint32_t code_point, char out[4]);

/* What spreadsheets save as text. */
enum text_encoding { TEXT_UTF8, TEXT_UTF8_MARKED, TEXT_UTF16, TEXT_NAMED };

/* *text becomes the text of a file as UTF-8, without a byte order mark: a span of `bytes`, or of *room. `encoding`: as
 * iconv names it ("windows-1252"); NULL: UTF-8, or UTF-16 of either order, known by its mark or by a first ASCII
 * character. Nothing is guessed: ST_INPUT with file:line for bytes that are in none of them, ST_USAGE for an unknown
 * encoding. A file that is marked as UTF-8 is not checked: csv_next does that. */
enum status MUST_USE text_decode(struct span bytes, const char *encoding, const char *name, struct buf *room,
                                 struct span *text, enum text_encoding *found, struct err *e);
