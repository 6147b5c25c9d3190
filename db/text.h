/* text: what words are, for SQLite: the FTS5 tokenizer `ppmine` and the functions stem() and keyword_hits(). Also for
 * the loadable extension, which is made of text.c and match/corpus/extension.c; so text.c knows nothing else of db/. */
#pragma once

#include "db/db.h"

/* What words and keyword hits are is not db's business: who opens a database for full-text search
 * hands in these functions (cli does, from stem and match). The texts that they get are valid UTF-8. */
struct db_text {
    void *ctx; /* freed with free_ctx when the connection goes */
    void (*free_ctx)(void *ctx);
    /* Calls `each` for every token of the text; a status other than 0 from it ends the walk and is returned. */
    int (*tokens)(void *ctx, struct span text, int (*each)(void *each_ctx, struct span stem, size_t start, size_t end),
                  void *each_ctx);
    /* A JSON array of the text's keyword hits, or false when there is no keyword set. */
    bool (*hits_json)(void *ctx, struct span text, struct buf *out);
    /* Gives the keyword set and stemmer of a database to later calls; false if they are bad. Called
     * once, before the first text, when the database contains a study. NULL: the caller knows them. */
    bool (*use_study)(void *ctx, struct span keywords, struct span stemmer);
};

/* Registers the tokenizer `ppmine` and the functions stem() and keyword_hits(). Takes over *text,
 * also when it fails. */
enum status MUST_USE db_use_text(struct db *db, const struct db_text *text, struct err *e);

struct sqlite3;
struct sqlite3_api_routines;

/*
 * Registers tokenizer and functions on a connection. Takes over *text, also when it fails. Returns an SQLite code.
 *
 * With text->use_study set, the keyword set and the stemmer are those of the opened database: they are read once, when
 * the first text comes. A database without a study leaves what the callbacks have by themselves.
 */
int text_register(struct sqlite3 *handle, const struct db_text *text);

/* Only with PPMINE_LOADABLE: what an extension's entry point does; *message, when set, is for SQLite to free. */
int text_extension_init(struct sqlite3 *handle, char **message, const struct sqlite3_api_routines *api,
                        const struct db_text *text);
