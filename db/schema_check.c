/* schema_check: compares the tables, indices and views of a file with those of this program, word by word. */
#include "db/health.h"
#include "db/schema.h"
#include "db/sql.h"

#include <ctype.h>

struct object {
    struct span type, name, table, sql; /* table: that an index is on */
    bool is_seen;                       /* the other side has it */
};

struct objects ARRAY_OF(struct object);

/* --- words of SQL --- */

/* A doubled quote is one in the text. */
static size_t quoted_end(struct span sql, size_t at)
{
    char quote = sql.ptr[at] == '[' ? ']' : sql.ptr[at];

    for (at++; at < sql.len; at++)
        if (sql.ptr[at] == quote && (at + 1 == sql.len || sql.ptr[++at] != quote))
            break;
    return at + (at + 1 == sql.len && sql.ptr[at] == quote);
}

static bool begins_comment(struct span sql, size_t at)
{
    return at + 1 < sql.len &&
           ((sql.ptr[at] == '-' && sql.ptr[at + 1] == '-') || (sql.ptr[at] == '/' && sql.ptr[at + 1] == '*'));
}

static size_t comment_end(struct span sql, size_t at)
{
    bool is_line = sql.ptr[at] == '-';
    struct span rest = {sql.ptr + at + 2, sql.len - at - 2};
    size_t end = span_find(rest, is_line ? SPAN("\n") : SPAN("*/"));

    return end == SIZE_MAX ? sql.len : at + 2 + end + (is_line ? 1 : 2);
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"' || c == '`' || c == '[';
}

/* Cuts off the next word, number, text or sign; blanks and comments are skipped. */
static bool next_word(struct span *sql, struct span *word)
{
    size_t at = 0, end;

    while (at < sql->len && (isspace((unsigned char)sql->ptr[at]) || begins_comment(*sql, at)))
        at = begins_comment(*sql, at) ? comment_end(*sql, at) : at + 1;
    if (at == sql->len)
        return false;
    end = is_quote(sql->ptr[at]) ? quoted_end(*sql, at) : at + 1;
    if (is_of_word(sql->ptr[at]))
        while (end < sql->len && is_of_word(sql->ptr[end]))
            end++;
    *word = (struct span){sql->ptr + at, end - at};
    *sql = (struct span){sql->ptr + end, sql->len - end};
    return true;
}

/* The words with a blank after each. */
static void add_words(struct span sql, struct buf *out)
{
    struct span word;

    while (next_word(&sql, &word)) {
        buf_add_span(out, word);
        buf_add_char(out, ' ');
    }
}

static bool is_same(const struct object *a, const struct object *b)
{
    AT_END(buf_clear) struct buf ours = {0}, theirs = {0};

    if (span_eq(a->sql, b->sql)) /* as this program makes it */
        return true;
    if (b->sql.len > 0 && memchr(b->sql.ptr, '\0', b->sql.len) != NULL) /* SQLite reads no further, comment or not */
        return false;
    add_words(a->sql, &ours);
    add_words(b->sql, &theirs);
    return span_eq(buf_span(&ours), buf_span(&theirs));
}

/* --- what there should be --- */

static void add_made(struct objects *made, struct span sql)
{
    struct object object = {.sql = sql};
    struct span word, rest = sql;

    while (next_word(&rest, &word) && object.type.ptr == NULL) {
        if (span_eq(word, SPAN("TABLE")))
            object.type = SPAN("table");
        else if (span_eq(word, SPAN("VIEW")))
            object.type = SPAN("view");
        else if (span_eq(word, SPAN("INDEX")))
            object.type = SPAN("index");
    }
    if (object.type.ptr == NULL) /* a PRAGMA */
        return;
    object.name = word.len > 1 && is_quote(word.ptr[0]) ? (struct span){word.ptr + 1, word.len - 2} : word;
    array_add(made, object);
}

/* Statements of schema.sql, or of the views that follow from rows. */
static void add_all_made(struct objects *made, struct span text)
{
    struct span word;
    const char *start = NULL;

    while (next_word(&text, &word)) {
        if (start == NULL)
            start = word.ptr;
        if (!span_eq(word, SPAN(";")))
            continue;
        add_made(made, (struct span){start, (size_t)(word.ptr - start)});
        start = NULL;
    }
}

static struct object *find(struct objects *all, const struct object *wanted)
{
    for (size_t i = 0; i < all->n; i++)
        if (span_eq(all->at[i].name, wanted->name))
            return &all->at[i];
    return NULL;
}

/* --- comparing --- */

struct comparison {
    struct db *db;
    struct objects made, present;
    bool differs; /* something is missing or changed */
    void (*each)(void *ctx, const struct db_schema_difference *d);
    void *ctx;
};

static void tell(struct comparison *c, enum db_schema_state state, const struct object *object)
{
    struct db_schema_difference difference = {
        .state = state,
        .type = object->type,
        .name = object->name,
        .is_derived = span_eq(object->name, SPAN("post_search")),
    };

    c->differs = c->differs || !(state == DB_SCHEMA_EXTRA || difference.is_derived);
    c->each(c->ctx, &difference);
}

static void compare_made(struct comparison *c, size_t from)
{
    for (size_t i = from; i < c->made.n; i++) {
        struct object *made = &c->made.at[i], *present = find(&c->present, made);
        bool may_lack = span_eq(made->name, SPAN("post_search")); /* made by match */
        if (present != NULL)
            present->is_seen = made->is_seen = true;
        if (present == NULL && !may_lack)
            tell(c, DB_SCHEMA_MISSING, made);
        else if (present != NULL && !(span_eq(present->type, made->type) && is_same(made, present)))
            tell(c, DB_SCHEMA_CHANGED, made);
    }
}

/* A unique index keeps rows out of a table, as a CHECK would. */
static bool is_harmless(struct comparison *c, const struct object *object)
{
    struct object of = {.name = object->table};

    if (span_eq(object->type, SPAN("index"))) /* SQLite writes these words so */
        return span_starts(object->sql, SPAN("CREATE INDEX ")) || find(&c->made, &of) == NULL;
    return !span_eq(object->type, SPAN("trigger"));
}

enum status (*schema_views)(struct db *db, struct buf *sql, struct err *e);

/* The views that follow from rows are known when these can be read. */
static enum status MUST_USE compare_all(struct comparison *c, struct buf *views, struct err *e)
{
    add_all_made(&c->made, (struct span){schema_sql, schema_sql_len});
    compare_made(c, 0);
    bool readable = !c->differs;
    if (readable && schema_views != NULL) {
        size_t n = c->made.n;
        enum status status = schema_views(c->db, views, e);
        if (status != ST_OK)
            return status;
        add_all_made(&c->made, buf_span(views));
        compare_made(c, n);
    }
    for (size_t i = 0; i < c->present.n; i++) {
        const struct object *object = &c->present.at[i];
        bool unknown = !readable && span_eq(object->type, SPAN("view"));
        /* The tables of FTS5 beside the full-text index: db_search_is_whole looks into them. */
        if (!object->is_seen && !unknown &&
            !(span_starts(object->name, SPAN("post_search_")) && span_eq(object->type, SPAN("table"))))
            tell(c, is_harmless(c, object) ? DB_SCHEMA_EXTRA : DB_SCHEMA_FOREIGN, object);
    }
    return ST_OK;
}

SQL(SCHEMA_EACH, "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL"
                 " AND NOT (type = 'table' AND name LIKE 'sqlite\\_%' ESCAPE '\\')");

enum status db_schema_each(struct db *db, void (*each)(void *ctx, const struct db_schema_difference *d), void *ctx,
                           struct err *e)
{
    struct comparison c = {.db = db, .each = each, .ctx = ctx};
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(buf_clear) struct buf views = {0};
    struct object o = {0};
    enum status status = ST_OK;

    while (sql_next_into(db, SQL_SCHEMA_EACH, &status, e, INTO(o.type), INTO(o.name), INTO(o.table), INTO(o.sql))) {
        struct span *const cells[] = {&o.type, &o.name, &o.table, &o.sql};
        for (size_t i = 0; i < ARRAY_LEN(cells); i++)
            *cells[i] = arena_copy(&arena, *cells[i]);
        array_add(&c.present, o);
    }
    THEN(status, compare_all(&c, &views, e));
    array_clear(&c.made);
    array_clear(&c.present);
    return status;
}

/* --- at each opening --- */

static const char SQL_SCHEMA_VERSION[] = "PRAGMA schema_version";

struct refusal {
    const struct db *db;
    struct err *e;
    enum status status;
};

static void refuse(void *ctx, const struct db_schema_difference *d)
{
    static const char *const words[] = {[DB_SCHEMA_CHANGED] = "not as ppmine makes it",
                                        [DB_SCHEMA_MISSING] = "missing",
                                        [DB_SCHEMA_FOREIGN] = "not one of ppmine's"};
    struct refusal *r = ctx;

    /* A trigger never runs; a unique index of a stranger does. The first difference is said. */
    if (d->state == DB_SCHEMA_EXTRA || d->is_derived || span_eq(d->type, SPAN("trigger")) || r->status != ST_OK)
        return;
    r->status = err_set(r->e, ST_DATABASE,
                        "%s: its %.*s %.*s is %s, so nothing is read or stored; undo the change, or restore"
                        " a copy (`ppmine doctor` names all that differs)",
                        r->db->path, SPAN_ARG(d->type), SPAN_ARG(d->name), words[d->state]);
}

enum status schema_verify(struct db *db, struct err *e)
{
    struct refusal refusal = {.db = db, .e = e, .status = ST_OK};
    int64_t version;
    enum status status = sql_integers(db, SQL_SCHEMA_VERSION, &version, 1, e);

    if (status != ST_OK || db->schema_version == version)
        return status;
    status = db_schema_each(db, refuse, &refusal, e);
    THEN(status, refusal.status);
    if (status == ST_OK)
        db->schema_version = version;
    return status;
}
