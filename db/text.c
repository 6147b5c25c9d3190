/* The FTS5 tokenizer and the SQL functions of words, for the program and the extension. */
#include "db/text.h"

#include "base/utf8.h"

#ifdef PPMINE_LOADABLE
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1
#else
#include <sqlite3.h>
#endif

/* One set of callbacks, shared by what is registered on the connection; the last one frees it. */
struct shared {
    struct db_text text;
    sqlite3 *handle;
    int references;
    enum { STUDY_UNREAD, STUDY_READ, STUDY_BAD } study;
};

static void shared_release(void *ctx)
{
    struct shared *shared = ctx;

    if (--shared->references > 0)
        return;
    if (shared->text.free_ctx != NULL)
        shared->text.free_ctx(shared->text.ctx);
    mem_free(shared);
}

/* --- the study of the database --- */

static const char study_sql[] = "SELECT content, (SELECT value FROM study WHERE key = 'stemmer')"
                                " FROM study_file WHERE name = 'keywords.txt'";

static struct span column_span(sqlite3_stmt *stmt, int column)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);

    return (struct span){text, text == NULL ? 0 : (size_t)sqlite3_column_bytes(stmt, column)};
}

/* True when texts can be worked on; reads the study at the first call. */
static bool study_ready(struct shared *shared)
{
    sqlite3_stmt *stmt = NULL;

    if (shared->study != STUDY_UNREAD)
        return shared->study == STUDY_READ;
    shared->study = STUDY_READ;
    if (shared->text.use_study == NULL)
        return true;
    /* Fails where there is no study: a database of something else, or none. */
    if (sqlite3_prepare_v2(shared->handle, study_sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW &&
        !shared->text.use_study(shared->text.ctx, column_span(stmt, 0), column_span(stmt, 1)))
        shared->study = STUDY_BAD;
    sqlite3_finalize(stmt);
    return shared->study == STUDY_READ;
}

/* --- the functions --- */

static int add_stem(void *ctx, struct span stem, size_t start, size_t end)
{
    struct buf *stems = ctx;

    (void)start;
    (void)end;
    if (stems->len > 0)
        buf_add_char(stems, ' ');
    buf_add_span(stems, stem);
    return SQLITE_OK;
}

/* `text`, or a copy in *copy with a blank for each byte that is not valid UTF-8, so that places stay the same: any
 * program may store any bytes, but struct db_text takes valid UTF-8 alone. A NUL is a character like others. */
static struct span valid_text(struct span text, struct buf *copy)
{
    size_t at = utf8_valid_prefix(text);

    if (at == text.len)
        return text;
    buf_add_span(copy, text);
    while (at < copy->len) {
        copy->ptr[at++] = ' ';
        at += utf8_valid_prefix((struct span){copy->ptr + at, copy->len - at});
    }
    return buf_span(copy);
}

/* The result of a function of a text; NULL for NULL, and where `add` has none. */
static void of_text(sqlite3_context *context, sqlite3_value *value,
                    bool (*add)(const struct db_text *how, struct span text, struct buf *out))
{
    struct shared *shared = sqlite3_user_data(context);
    const char *given = (const char *)sqlite3_value_text(value);
    struct span text = {given, given == NULL ? 0 : (size_t)sqlite3_value_bytes(value)};
    AT_END(buf_clear) struct buf out = {0}, copy = {0};

    if (text.ptr == NULL)
        return;
    if (!study_ready(shared)) {
        sqlite3_result_error(context,
                             "ppmine: keywords.txt or the stemmer of this database is wrong; run"
                             " `ppmine keywords` to see why",
                             -1);
        return;
    }
    if (add(&shared->text, valid_text(text, &copy), &out))
        sqlite3_result_text64(context, out.len > 0 ? out.ptr : "", out.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static bool add_stems(const struct db_text *how, struct span text, struct buf *out)
{
    how->tokens(how->ctx, text, add_stem, out);
    return true;
}

/* stem(text): the stems of all words, joined by one blank. */
static void stem_function(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    (void)n_values;
    of_text(context, values[0], add_stems);
}

static bool add_hits(const struct db_text *how, struct span text, struct buf *out)
{
    return how->hits_json(how->ctx, text, out);
}

/* keyword_hits(text): a JSON array; NULL also without a keyword set. */
static void hits_function(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    (void)n_values;
    of_text(context, values[0], add_hits);
}

/* --- the tokenizer; it has no state of its own, so the shared part stands for it --- */

static int tokenizer_create(void *ctx, const char **arguments, int n_arguments, Fts5Tokenizer **out)
{
    (void)arguments;
    if (n_arguments != 0)
        return SQLITE_ERROR;
    *out = ctx;
    return SQLITE_OK;
}

static void tokenizer_delete(Fts5Tokenizer *tokenizer)
{
    (void)tokenizer;
}

struct sink {
    void *ctx;
    int (*token)(void *ctx, int flags, const char *text, int len, int start, int end);
};

static int pass_token(void *ctx, struct span stem, size_t start, size_t end)
{
    const struct sink *sink = ctx;

    return sink->token(sink->ctx, 0, stem.ptr, (int)stem.len, (int)start, (int)end);
}

static int tokenizer_run(Fts5Tokenizer *tokenizer, void *ctx, int flags, const char *text, int len,
                         int (*token)(void *, int, const char *, int, int, int))
{
    struct shared *shared = (struct shared *)(void *)tokenizer;
    struct sink sink = {ctx, token};
    AT_END(buf_clear) struct buf copy = {0};

    (void)flags;
    if (text == NULL || len <= 0)
        return SQLITE_OK;
    if (!study_ready(shared))
        return SQLITE_ERROR;
    int rc = shared->text.tokens(shared->text.ctx, valid_text((struct span){text, (size_t)len}, &copy), pass_token,
                                 &sink);
    return rc;
}

static int register_tokenizer(struct shared *shared)
{
    fts5_tokenizer tokenizer = {tokenizer_create, tokenizer_delete, tokenizer_run};
    /* The way FTS5 hands out its interface: https://sqlite.org/fts5.html#extending_fts5 */
    fts5_api *api = NULL;
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(shared->handle, "SELECT fts5(?1)", -1, &stmt, NULL) == SQLITE_OK) {
        sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL);
        sqlite3_step(stmt);
    }
    sqlite3_finalize(stmt);
    fts5_api *fts5 = api;

    if (fts5 == NULL)
        return SQLITE_ERROR;
    shared->references++;
    int rc = fts5->xCreateTokenizer(fts5, "ppmine", shared, &tokenizer, shared_release);
    if (rc != SQLITE_OK)
        shared_release(shared);
    return rc;
}

static int register_function(struct shared *shared, const char *name, int flags,
                             void (*function)(sqlite3_context *, int, sqlite3_value **))
{
    shared->references++; /* on failure, SQLite calls the destructor too */
    return sqlite3_create_function_v2(shared->handle, name, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS | flags, shared, function,
                                      NULL, NULL, shared_release);
}

int text_register(sqlite3 *handle, const struct db_text *text)
{
    struct shared *shared = mem_zero(1, sizeof *shared);

    shared->text = *text;
    shared->handle = handle;
    shared->references = 1; /* ours, until all is registered */
    int rc = register_tokenizer(shared);
    if (rc == SQLITE_OK)
        rc = register_function(shared, "stem", SQLITE_DETERMINISTIC, stem_function);
    if (rc == SQLITE_OK) /* not deterministic: another study, another result */
        rc = register_function(shared, "keyword_hits", 0, hits_function);
    shared_release(shared);
    return rc;
}

#ifdef PPMINE_LOADABLE
int text_extension_init(sqlite3 *handle, char **message, const struct sqlite3_api_routines *api,
                        const struct db_text *text)
{
    SQLITE_EXTENSION_INIT2(api)
    int rc = text_register(handle, text);

    if (rc != SQLITE_OK)
        *message = sqlite3_mprintf("ppmine: this SQLite has no FTS5, or it refused: %s", sqlite3_errstr(rc));
    return rc;
}
#endif
