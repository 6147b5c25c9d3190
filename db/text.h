/*
 * text: what words are, for SQLite: the FTS5 tokenizer `ppmine` and the functions stem() and
 * keyword_hits(). Internal to db/, and to the loadable extension, which is made of text.c and
 * match/corpus/extension.c; so text.c knows nothing else of db/.
 */
#ifndef DB_TEXT_H
#define DB_TEXT_H

#include "db/derived.h"

struct sqlite3;
struct sqlite3_api_routines;

/*
 * Registers tokenizer and functions on a connection. Takes over *text, also when it fails.
 * Returns an SQLite code.
 *
 * With text->use_study set, the keyword set and the stemmer are those of the opened database: they
 * are read once, when the first text comes. A database without a study leaves what the callbacks
 * have by themselves.
 */
int text_register(struct sqlite3 *handle, const struct db_text *text);

/* Only with PPMINE_LOADABLE: what an extension's entry point does; *message, when set, is for
 * SQLite to free. */
int text_extension_init(struct sqlite3 *handle, char **message,
                        const struct sqlite3_api_routines *api, const struct db_text *text);

#endif
