/* text: what words are, for SQLite: the FTS5 tokenizer `ppmine` and the functions stem() and keyword_hits(). The
 * loadable extension is text.c and match/corpus/extension.c, so text.c knows nothing else of db/. */
#pragma once

#include "db/db.h"

/* Defines words and keyword hits, which db does not: the code that opens a database for full-text search passes these
 * functions (cli does, from stem and match). All texts are valid UTF-8. */
struct db_text {
    void *ctx; /* freed with free_ctx when the connection goes */
    void (*free_ctx)(void *ctx);
    /* Calls `each` for every token of the text; a status other than 0 from it ends the walk and is returned. */
    int (*tokens)(void *ctx, struct span text, int (*each)(void *each_ctx, struct span stem, size_t start, size_t end),
                  void *each_ctx);
    /* A JSON array of the text's keyword hits, or false when there is no keyword set. */
    bool (*hits_json)(void *ctx, struct span text, struct buf *out);
    /* Gives later calls the keyword set and stemmer of the database; false if they are bad. Called once, before the
     * first text, if the database has a study. NULL: the caller knows them. */
    bool (*use_study)(void *ctx, struct span keywords, struct span stemmer);
};

/* Registers the tokenizer `ppmine` and the functions stem() and keyword_hits(). Takes over *text, even on failure. */
enum status MUST_USE db_use_text(struct db *db, const struct db_text *text, struct err *e);

struct sqlite3;
struct sqlite3_api_routines;

/* The same on a connection; returns an SQLite code. With text->use_study set, reads keyword set and stemmer from the
 * database at the first text. Without a study in it, the callbacks keep theirs. */
int text_register(struct sqlite3 *handle, const struct db_text *text);

/* Only with PPMINE_LOADABLE: what an extension's entry point does; *message, when set, is for SQLite to free. */
int text_extension_init(struct sqlite3 *handle, char **message, const struct sqlite3_api_routines *api,
                        const struct db_text *text);
