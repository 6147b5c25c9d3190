/* merge: takes another coder's database into this one. Anybody may have written it: each row is checked. All is read
 * and written in one transaction; rows that both have are settled by rules that do not ask for the side, so the order
 * of files makes no difference. */
#include "label/coding/decisions.h"
#include "label/coding/memo.h"
#include "label/merge/merge.h"
#include "label/fragments.h"
#include "label/screening_words.h"
#include "db/study.h"
#include "label/label.h"
#include "label/merge/merging.h"
#include "label/coding/model.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "base/day.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/visible.h"

/* --- the other file --- */

static bool is_there(const char *path, const char *ending, off_t *size)
{
    AT_END(buf_clear) struct buf name = {0};
    struct stat info;

    buf_addf(&name, "%s%s", path, ending);
    bool there = stat(buf_cstr(&name), &info) == 0;
    *size = there ? info.st_size : 0;
    return there;
}

/* Words about the other file, not about ours. */
static enum status other_fails(const struct merge *m)
{
    if ((sqlite3_errcode(m->db->handle) & 0xff) == SQLITE_NOTADB)
        return err_set(m->e, ST_DATABASE, "%s: not an SQLite database; give the file of the other coder", m->path);
    AT_END(mem_end) char *path = mem_text(span_of(m->path));
    struct db shadow = {.handle = m->db->handle, .path = path};
    return sql_fail(&shadow, m->e);
}

/* The time as it would be written; a modifier makes SQLite think of 30 February as of 2 March. */
#define REAL_TIME(column) "strftime('%Y-%m-%dT%H:%M:%fZ', " column ", '+0 days')"
/* Of the two values of a column the larger one; NULL loses. Whichever came first, it stays. */
#define LARGER(table, column) \
    "max(ifnull(" table "." column ", excluded." column "), ifnull(excluded." column ", " table "." column "))"
/* Rows of screening by age, and then by all else, so that two that differ are never equal. */
#define SCREENING_ORDER(table) \
    "(" table ".read_at, " table ".answer, " table ".stratum, " table ".place, " table ".model, " table \
    ".n_learned, " table ".seed, ifnull(" table ".score, -9e999))"

static const char SQL_ATTACH[] = "ATTACH ?1 AS other";
static const char SQL_DETACH[] = "DETACH other";

static void detach(const struct merge *m)
{
    struct err ignored;

    if (sql_exec(m->db, SQL_DETACH, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
}

static const char SQL_OTHER_KIND[] = "PRAGMA other.application_id";

/* ST_NO, with *e set all the same, where it cannot be opened in this way. */
static enum status MUST_USE attach_as(const struct merge *m, enum uri_mode mode)
{
    AT_END(buf_clear) struct buf uri = {0};
    sqlite3_stmt *stmt = NULL;
    int64_t kind;
    int rc = sqlite3_prepare_v2(m->db->handle, SQL_ATTACH, -1, &stmt, NULL);

    sql_add_uri(&uri, m->path, mode);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text64(stmt, 1, uri.ptr, uri.len, SQLITE_STATIC, SQLITE_UTF8);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    enum status status = rc == SQLITE_DONE ? ST_OK : other_fails(m);
    sqlite3_finalize(stmt);
    int code = sqlite3_errcode(m->db->handle) & 0xff;
    /* The file is only looked at when something is read. */
    if (status == ST_OK && sql_integers(m->db, SQL_OTHER_KIND, &kind, 1, m->e) != ST_OK) {
        status = other_fails(m);
        code = sqlite3_errcode(m->db->handle) & 0xff;
        detach(m);
    }
    if (status != ST_OK && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY))
        return ST_NO;
    return status;
}

/* A file without a log or journal is read as one that nobody changes: nothing is written beside it, and its medium may
 * be read-only. With a log it is read with the log. */
static enum status MUST_USE attach(const struct merge *m)
{
    off_t log_size, size;
    bool has_log = is_there(m->path, "-wal", &log_size);
    bool alone = !has_log && !is_there(m->path, "-journal", &size);

    if (!is_there(m->path, "", &size))
        return err_set(m->e, ST_DATABASE, "%s: %s; give the file of the other coder", m->path, strerror(errno));
    if (size == 0)
        return err_set(m->e, ST_DATABASE, "%s: the file is empty; give the file of the other coder", m->path);
    enum status status = attach_as(m, alone ? URI_IMMUTABLE : URI_READ);
    if (status == ST_NO && !alone && log_size == 0)
        status = attach_as(m, URI_IMMUTABLE);
    if (status == ST_NO && has_log && log_size > 0)
        return err_set(m->e, ST_DATABASE,
                       "%s: what was written last is in the log beside it, %s-wal, which cannot be read where it is;"
                       " copy both into a folder that can be written, and merge that",
                       m->path, m->path);
    return status == ST_NO ? ST_DATABASE : status;
}

static enum status wrong_tables(const struct merge *m)
{
    return err_set(m->e, ST_DATABASE,
                   "%s: tables are missing, or are not what they should be; ask the other coder for another copy",
                   m->path);
}

static const char SQL_OTHER_VERSION[] = "PRAGMA other.user_version";

/* A view or a virtual table would run what the file says; so would a computed column. */
enum { OTHER_TABLES = 15 }; /* that there must be */

static const char SQL_OTHER_TABLES[] =
    "SELECT count(*) FROM other.sqlite_schema AS t WHERE type = 'table' AND rootpage > 0"
    " AND name IN ('study', 'code', 'code_alias', 'disambiguation', 'code_change', 'coder',"
    "  'decision', 'note', 'message', 'memo', 'problem_date', 'assessment', 'screening', 'post',"
    "  'facet')"
    " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name, 'other') WHERE hidden <> 0)";

static enum status MUST_USE check_kind(const struct merge *m)
{
    struct file_kind kind = {0};
    int64_t tables = 0;
    enum status status = sql_integers(m->db, SQL_OTHER_KIND, &kind.application_id, 1, m->e);

    THEN(status, sql_integers(m->db, SQL_OTHER_VERSION, &kind.version, 1, m->e));
    if (status == ST_OK &&
        sql_check_kind(m->path, &kind, "give the file of the other coder", "merge with that one", m->e) != ST_OK)
        return ST_DATABASE;
    THEN(status, sql_integers(m->db, SQL_OTHER_TABLES, &tables, 1, m->e));
    if (status == ST_OK && tables != OTHER_TABLES)
        return wrong_tables(m);
    return status == ST_OK ? ST_OK : other_fails(m);
}

/* By it is seen whether the file changed while it was read as one that nobody changes. */
enum { IDENTITY = 4 };

static void identify(const struct merge *m, int64_t id[IDENTITY])
{
    struct stat info = {0};
    off_t size;

    id[0] = stat(m->path, &info) == 0 ? info.st_size : -1;
    id[1] = info.st_mtim.tv_sec;
    id[2] = info.st_mtim.tv_nsec;
    id[3] = is_there(m->path, "-wal", &size);
}

/* --- rows of the other file --- */

struct span merge_shown(struct merge *m, struct span s)
{
    enum { SHOWN_MAX = 80 };
    AT_END(buf_clear) struct buf clean = {0};

    s.len = utf8_valid_prefix((struct span){s.ptr, s.len < SHOWN_MAX ? s.len : SHOWN_MAX});
    buf_add_clean(&clean, s);
    return arena_copy(&m->out->arena, buf_span(&clean));
}

bool merge_next(const struct merge *m, struct sql *which, enum status *status)
{
    bool went_on = *status == ST_OK, row = sql_next(m->db, which, status, m->e);

    if (went_on && *status != ST_OK)
        *status = other_fails(m);
    return row;
}

static enum status wrong_row(struct merge *m, struct sql *which, const char *table, const char *what)
{
    struct span key = merge_shown(m, sql_text(m->db, which, 0));

    return err_set(m->e, ST_INPUT, "%s: %s '%.*s': %s; nothing was merged", m->path, table, SPAN_ARG(key), what);
}

static bool fits(struct db *db, struct sql *which, int place, const struct merge_column *column)
{
    int type = sql_column_type(db, which, place);
    bool may_be_null = column->kind == TEXT_OR_NULL || column->kind == INTEGER_OR_NULL || column->kind == REAL_OR_NULL;

    if (type == SQLITE_NULL)
        return may_be_null;
    if (column->kind == INTEGER || column->kind == INTEGER_OR_NULL)
        return type == SQLITE_INTEGER;
    if (column->kind == REAL_OR_NULL)
        return type == SQLITE_FLOAT;
    if (type != SQLITE_TEXT || sql_text(db, which, place).len > column->max)
        return false;
    struct span text = sql_text(db, which, place);
    return utf8_valid_prefix(text) == text.len && memchr(text.ptr, '\0', text.len) == NULL;
}

enum status merge_check_row(struct merge *m, struct sql *which, const char *table, const struct merge_column *columns,
                            size_t n)
{
    char what[120];

    for (size_t i = 0; i < n; i++) {
        const char *name = columns[i].parameter + 1;
        if (fits(m->db, which, (int)i, &columns[i]))
            continue;
        if (columns[i].kind == INTEGER || columns[i].kind == INTEGER_OR_NULL)
            snprintf(what, sizeof what, "the column %s is not an integer", name);
        else if (columns[i].kind == REAL_OR_NULL)
            snprintf(what, sizeof what, "the column %s is not a number", name);
        else
            snprintf(what, sizeof what, "the column %s is not a text of at most %zu bytes", name, columns[i].max);
        return wrong_row(m, which, table, what);
    }
    return ST_OK;
}

/* A table whose rows are looked at and put one by one. */
struct table {
    const char *name;
    struct sql *other;                                            /* its rows there */
    enum status (*merge)(struct merge *m, const struct table *t); /* the row, which has the columns */
    struct sql *put, *has;
    size_t n_columns;
    struct merge_column columns[19];
};

static struct span text_at(const struct merge *m, const struct table *t, int column)
{
    return sql_text(m->db, t->other, column);
}

static enum status wrong(struct merge *m, const struct table *t, const char *what)
{
    return wrong_row(m, t->other, t->name, what);
}

/* Binds columns of the row to the parameters that have their names. */
static void bind_columns(struct merge *m, const struct table *t, struct sql *put, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        const struct merge_column *c = &t->columns[i];
        if (c->kind == TEXT || c->kind == TEXT_OR_NULL)
            sql_bind_text(m->db, put, c->parameter, text_at(m, t, (int)i));
        else if (c->kind == REAL_OR_NULL)
            sql_bind_real(m->db, put, c->parameter, sql_real(m->db, t->other, (int)i));
        else
            sql_bind_int(m->db, put, c->parameter, sql_int(m->db, t->other, (int)i));
    }
}

static enum status MUST_USE put_row(struct merge *m, const struct table *t)
{
    bind_columns(m, t, t->put, 0, t->n_columns);
    return sql_done(m->db, t->put, m->e);
}

/* --- the study --- */

SQL(OTHER_SETTING, "SELECT value FROM other.study WHERE key = :key");

enum status merge_other_setting(struct merge *m, const char *key, struct span *value)
{
    static const struct merge_column column = {":value", TEXT, SHORT_MAX};
    enum status status = ST_OK;

    *value = (struct span){0};
    sql_bind_text(m->db, SQL_OTHER_SETTING, ":key", span_of(key));
    if (!merge_next(m, SQL_OTHER_SETTING, &status))
        return status;
    status = merge_check_row(m, SQL_OTHER_SETTING, "the setting", &column, 1);
    if (status == ST_OK)
        *value = arena_copy(&m->arena, sql_text(m->db, SQL_OTHER_SETTING, 0));
    sql_reset(m->db, SQL_OTHER_SETTING);
    return status;
}

static enum status MUST_USE check_study(struct merge *m)
{
    static const char *const same[] = {"name", "site", "sites"};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(same) && status == ST_OK; i++) {
        struct span ours, theirs;
        status = db_setting_get(m->db, same[i], &m->arena, &ours, m->e);
        THEN(status, merge_other_setting(m, same[i], &theirs));
        if (status == ST_OK && !span_eq(ours, theirs)) {
            theirs = merge_shown(m, theirs);
            status = err_set(m->e, ST_INPUT,
                             "%s: another study: its %s is '%.*s', here it is"
                             " '%.*s'; only copies of one study are merged",
                             m->path, same[i], SPAN_ARG(theirs), SPAN_ARG(ours));
        }
    }
    return status;
}

/* --- coders --- */

static struct db_merged_coder *find_coder(const struct merge *m, struct span coder)
{
    struct db_merged_coder key = {.coder = coder};

    return m->out->coders.n > 0 ? bsearch(&key, m->out->coders.at, m->out->coders.n, sizeof key, text_order) : NULL;
}

SQL(OTHER_CODERS, "SELECT coder, is_merged FROM other.coder NOT INDEXED");

SQL(MERGE_CODER, "INSERT INTO coder (coder, is_merged) VALUES (:coder, :is_merged)"
                 " ON CONFLICT (coder) DO UPDATE SET is_merged = max(is_merged, excluded.is_merged)");

static enum status MUST_USE merge_coder(struct merge *m, const struct table *t)
{
    struct span coder = text_at(m, t, 0);
    int64_t is_merged = sql_int(m->db, t->other, 1);

    if (coder.len == 0 || !text_is_clean(coder) || (is_merged != 0 && is_merged != 1))
        return wrong(m, t, "no name, or is_merged is neither 0 nor 1");
    array_add(&m->out->coders, (struct db_merged_coder){.coder = arena_copy(&m->out->arena, coder)});
    return put_row(m, t);
}

/* --- decisions and notes --- */

/* "65160023", "65160023_1" or "ds:45_1", of the post with this id. */
static bool is_subject(struct span subject, int64_t post_id)
{
    int64_t of;

    return problem_id_read(subject, &of) && of == post_id;
}

/* What an array of names (:value) has; one that is none for anything else. */
#define NAMES_IN_VALUE \
    " FROM json_each(CASE WHEN NOT json_valid(:value) THEN '[0]'" \
    "                     WHEN json_type(:value) = 'array' THEN :value ELSE '[0]' END) AS j"

/* Of a value that a coder wrote: its only text. */
SQL(MERGE_WRITTEN, "SELECT count(*), min(j.value) FILTER (WHERE j.type = 'text')" NAMES_IN_VALUE);

/* Of a facet whose values are written: none, or one as facet_value has it. */
static enum status MUST_USE check_written(struct merge *m, const struct facet *facet, struct span value,
                                          const char **wrong)
{
    AT_END(buf_clear) struct buf kept = {0};
    struct err why;
    bool row;

    sql_bind_text(m->db, SQL_MERGE_WRITTEN, ":value", value);
    enum status status = sql_row(m->db, SQL_MERGE_WRITTEN, &row, m->e);
    if (!row)
        return status;
    int64_t n = sql_int(m->db, SQL_MERGE_WRITTEN, 0);
    struct span text = sql_text(m->db, SQL_MERGE_WRITTEN, 1);
    if (n > 1 || (n == 1 && (text.ptr == NULL || facet_value_any(facet, text, &kept, &why) != ST_OK ||
                             !span_eq(buf_span(&kept), text))))
        *wrong = "the value is not one of its facet";
    sql_reset(m->db, SQL_MERGE_WRITTEN);
    return ST_OK;
}

/* Are these at most :most names, and is, or was, each of them of a code of the facet? */
SQL(MERGE_VALUE, "SELECT count(*) <= :most AND count(*) = count(*) FILTER (WHERE j.type = 'text' AND"
                 "  (EXISTS (SELECT 1 FROM code AS c WHERE c.facet = :facet AND c.name = j.value)"
                 "   OR EXISTS (SELECT 1 FROM code AS c JOIN code_alias AS a USING (code_id)"
                 "              WHERE c.facet = :facet AND a.alias = j.value)))" NAMES_IN_VALUE);

/* What is wrong with the value, or NULL. */
static enum status MUST_USE check_value(struct merge *m, const struct merge_decision *d, const char **wrong)
{
    const struct facets *facets = facets_kept(m->db);
    size_t facet = facets_find(facets, d->facet);
    bool identifies = facet == FACET_JUDGES;
    int64_t fine;

    *wrong = NULL;
    if (facet == facets->n)
        *wrong = "there is no such facet";
    else if (d->undoes.ptr != NULL)
        return ST_OK; /* looked at when all decisions are there */
    else if (identifies && !span_eq(d->value, SPAN("true")) && !span_eq(d->value, SPAN("false")))
        *wrong = "the value is neither true nor false";
    if (identifies || *wrong != NULL)
        return ST_OK;
    if (facet_is_written(&facets->items[facet]))
        return check_written(m, &facets->items[facet], d->value, wrong);
    sql_bind(m->db, SQL_MERGE_VALUE, BIND(":value", d->value), BIND(":facet", facets->lists[facets->items[facet].list]),
             BIND(":most", facets->items[facet].most));
    enum status status = sql_one_int(m->db, SQL_MERGE_VALUE, &fine, m->e);
    if (status == ST_OK && !fine)
        *wrong = "the value names no code of the codebook, or too many";
    return status;
}

enum { DECISION_POST = 4, DECISION_VERSION = 7, DECISION_ASSISTED = 11, DECISION_TIME, DECISION_IS_JSON };

/* Looks at it as it is there; then it gets the names that codes have here. */
static enum status MUST_USE check_decision(struct merge *m, const struct table *t, struct merge_decision *d,
                                           const char **wrong)
{
    int64_t version = sql_int(m->db, t->other, DECISION_VERSION);
    struct span assisted_by = text_at(m, t, DECISION_ASSISTED);
    char id[SHA256_TEXT_SIZE];

    db_decision_id(d->coder, d->subject, d->facet, d->value, d->decided_at, id);
    *wrong = NULL;
    if (!span_eq(d->id, span_of(id)))
        *wrong = "the id is not that of its content: it was changed by hand";
    else if (!span_eq(d->decided_at, text_at(m, t, DECISION_TIME)))
        *wrong = "decided_at is not a time such as 2026-11-21T01:12:21.000Z";
    else if (find_coder(m, d->coder) == NULL)
        *wrong = "it is of nobody in the table coder";
    else if (!is_subject(d->subject, sql_int(m->db, t->other, DECISION_POST)))
        *wrong = "the subject does not begin with the id of the post";
    else if (facets_find(facets_kept(m->db), d->facet) == FACET_JUDGES &&
             memchr(d->subject.ptr, '_', d->subject.len) != NULL)
        *wrong = "an identification is about a post, not about a problem";
    else if (version < 0 || version > m->their_version)
        *wrong = "there is no such version of the codebook";
    else if (d->undoes.ptr != NULL &&
             !span_eq(d->value, arena_addf(&m->arena, "{\"undoes\":\"%.*s\"}", SPAN_ARG(d->undoes))))
        *wrong = "it does not undo what its value says";
    else if (assisted_by.ptr != NULL && (sql_int(m->db, t->other, DECISION_IS_JSON) != 1 ||
                                         !span_starts(assisted_by, SPAN("[\"" CODER_MODEL_PREFIX))))
        *wrong = "its assisted_by is not an array of models";
    if (*wrong != NULL)
        return ST_OK;
    merge_names_decision(m, d);
    return check_value(m, d, wrong);
}

static enum status MUST_USE has_id(const struct merge *m, struct sql *which, struct span id, bool *has)
{
    sql_bind_text_at(m->db, which, 1, id);
    enum status status = sql_row(m->db, which, has, m->e);
    sql_reset(m->db, which);
    return status;
}

SQL(MERGE_HAS_DECISION, "SELECT 1 FROM decision WHERE decision_id = :decision_id");

SQL(MERGE_DECISION,
    "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
    "  codebook_version, undoes, spelling, reason, assisted_by)"
    " VALUES (:decision_id, :decided_at, :coder, :subject, :post_id, :facet, :value,"
    " :codebook_version, :undoes, :spelling, :reason, :assisted_by)"
    " ON CONFLICT (decision_id) DO UPDATE SET spelling = " LARGER("decision", "spelling") ", reason = " LARGER(
        "decision",
        "reason") ", assisted_by = " LARGER("decision",
                                            "assisted_by") ", codebook_version = min(decision.codebook_version, excluded.codebook_version)");

SQL(OTHER_DECISIONS,
    "SELECT decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version,"
    "  undoes, spelling, reason, assisted_by, " REAL_TIME("decided_at") ", json_valid(assisted_by)"
                                                                        " FROM other.decision NOT INDEXED");

static enum status MUST_USE merge_decision(struct merge *m, const struct table *t)
{
    const char *why;
    struct merge_decision d = {
        .id = text_at(m, t, 0),
        .decided_at = text_at(m, t, 1),
        .coder = text_at(m, t, 2),
        .subject = text_at(m, t, 3),
        .facet = text_at(m, t, 5),
        .value = text_at(m, t, 6),
        .undoes = text_at(m, t, 8),
    };
    int64_t version = sql_int(m->db, t->other, DECISION_VERSION);
    bool known = false;
    enum status status = check_decision(m, t, &d, &why);

    if (status == ST_OK && why != NULL)
        return wrong(m, t, why);
    THEN(status, has_id(m, t->has, d.id, &known));
    if (status != ST_OK)
        return status;
    struct db_merged_coder *coder = find_coder(m, d.coder);
    *(known ? &coder->known_decisions : &coder->new_decisions) += 1;
    if (d.undoes.ptr != NULL)
        array_add(&m->undos, arena_copy(&m->arena, d.id));
    if (version < (int64_t)m->n_their_versions)
        version = m->their_versions[version];
    bind_columns(m, t, t->put, 0, t->n_columns);
    return sql_run(m->db, t->put, m->e, BIND(":decision_id", d.id), BIND(":value", d.value), BIND(":undoes", d.undoes),
                   BIND(":codebook_version", version));
}

/* The decision that one (:decision_id) undoes is of the same coder, about the same, and undoes nothing. */
SQL(MERGE_UNDONE, "SELECT 1 FROM decision AS u JOIN decision AS d ON d.decision_id = u.undoes"
                  " WHERE u.decision_id = :decision_id AND d.coder = u.coder AND d.subject = u.subject"
                  "  AND d.facet = u.facet AND d.undoes IS NULL");

#define WRITTEN(NAME, table, id) \
    SQL(OTHER_##NAME##S, "SELECT " id ", written_at, coder, subject, post_id, text," \
                         "  " REAL_TIME("written_at") " FROM other." table " NOT INDEXED"); \
    SQL(MERGE_HAS_##NAME, "SELECT 1 FROM " table " WHERE " id " = :" id); \
    SQL(MERGE_##NAME, SQL_OR_NOTHING \
        "INSERT INTO " table " (" id ", written_at, coder, subject, post_id, text)" \
        " VALUES (:" id ", :written_at, :coder, :subject, :post_id, :text) ON CONFLICT (" id ") DO NOTHING")
WRITTEN(NOTE, "note", "note_id");
WRITTEN(MESSAGE, "message", "message_id");

/* Notes and messages: the same columns. */
static enum status MUST_USE merge_written(struct merge *m, const struct table *t)
{
    char id[SHA256_TEXT_SIZE];
    struct span coder = text_at(m, t, 2), subject = text_at(m, t, 3), at = text_at(m, t, 1);
    struct db_merged_coder *of = find_coder(m, coder);
    AT_END(buf_clear) struct buf text = {0};
    bool is_new;

    buf_add_json_kept(&text, text_at(m, t, 5));
    db_decision_id(coder, subject, span_of(t->name), buf_span(&text), at, id);
    if (!span_eq(text_at(m, t, 0), span_of(id)))
        return wrong(m, t, "the id is not that of its content");
    if (of == NULL || !is_subject(subject, sql_int(m->db, t->other, 4)) || !span_eq(at, text_at(m, t, 6)))
        return wrong(m, t, "of nobody, about no post, or of no time");
    bind_columns(m, t, t->put, 0, t->n_columns);
    enum status status = sql_put_once(m->db, t->put, t->has, text_at(m, t, 0), &is_new, m->e);
    *(t->put == SQL_MERGE_NOTE ? &of->new_notes : &of->new_messages) += is_new;
    return status;
}

/* --- memos --- */

SQL(OTHER_MEMOS, "SELECT memo_id, written_at, coder, facet, code, text, undoes, " REAL_TIME(
                     "written_at") " FROM other.memo NOT INDEXED");

/* Whether the code is here, by a name that it has or had. */
SQL(MERGE_MEMO_CODE, "SELECT (:facet = '' AND :code = '') OR " CODE_NAMED(":facet", ":code") " IS NOT NULL");

/* Who has a memo in both files has it once: it has one id, and the name that its code has here. */
static enum status MUST_USE merge_memo(struct merge *m, const struct table *table)
{
    struct span t[MEMO_CELLS];
    struct err why;
    char id[SHA256_TEXT_SIZE];
    int64_t known;
    bool is_new = false;

    for (int i = 0; i < MEMO_CELLS; i++)
        t[i] = text_at(m, table, i);
    struct db_merged_coder *coder = find_coder(m, t[MEMO_CODER]);
    memo_id(t, id);
    if (!span_eq(t[MEMO_ID], span_of(id)))
        return wrong(m, table, "the id is not that of its content");
    if (coder == NULL || !span_eq(t[MEMO_AT], text_at(m, table, MEMO_CELLS)) ||
        (t[MEMO_UNDOES].ptr != NULL ? t[MEMO_TEXT].len > 0 : memo_check(t[MEMO_TEXT], &why) != ST_OK))
        return wrong(m, table, "of nobody, of no time, or without a text");
    t[MEMO_CODE] = merge_names_code(m, t[MEMO_LIST], t[MEMO_CODE]);
    sql_bind(m->db, SQL_MERGE_MEMO_CODE, BIND(":facet", t[MEMO_LIST]), BIND(":code", t[MEMO_CODE]));
    enum status status = sql_one_int(m->db, SQL_MERGE_MEMO_CODE, &known, m->e);
    if (status == ST_OK && known != 1)
        return wrong(m, table, "the codebook has no such code");
    THEN(status, memo_put(m->db, t, &is_new, m->e));
    coder->new_memos += status == ST_OK && is_new && t[MEMO_UNDOES].ptr == NULL;
    return status;
}

/* --- dates and the benchmark --- */

/* "2018-01-02", and what else there is of the time. */
static bool is_date(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (strchr("0123456789-T:.Z ", s.ptr[i]) == NULL || (i >= 10 && s.ptr[i] == '-'))
            return false;
    return day_has_form(s, SPAN("0000-00-00"));
}

SQL(OTHER_DATES, "SELECT problem_id, created_at FROM other.problem_date NOT INDEXED");

SQL(MERGE_DATE, "INSERT INTO problem_date (problem_id, created_at) VALUES (:problem_id, :created_at)"
                " ON CONFLICT (problem_id) DO UPDATE SET"
                "  created_at = max(problem_date.created_at, excluded.created_at)");

static enum status MUST_USE merge_date(struct merge *m, const struct table *t)
{
    int64_t post_id;

    if (!problem_id_read(text_at(m, t, 0), &post_id) || !is_date(text_at(m, t, 1)))
        return wrong(m, t, "no problem's id, or no date");
    return put_row(m, t);
}

SQL(OTHER_ASSESSMENTS, "SELECT problem_id, approach, status, library FROM other.assessment NOT INDEXED");

SQL(MERGE_ASSESSMENT, "INSERT INTO assessment (problem_id, approach, status, library) VALUES (:problem_id, :approach,"
                      " :status, :library)"
                      " ON CONFLICT (problem_id, approach) DO UPDATE SET"
                      "  status = max(assessment.status, excluded.status),"
                      "  library = " LARGER("assessment", "library"));

static bool is_one_of(struct span word, const char *const *words)
{
    while (*words != NULL && !span_eq(word, span_of(*words)))
        words++;
    return *words != NULL;
}

static enum status MUST_USE merge_assessment(struct merge *m, const struct table *t)
{
    static const char *const statuses[] = {"not applied", "not solved", "partially solved"};
    int64_t post_id;

    if (!span_is_any(text_at(m, t, 2), statuses, ARRAY_LEN(statuses)) || !problem_id_read(text_at(m, t, 0), &post_id))
        return wrong(m, t, "no problem's id, or an unknown status");
    return put_row(m, t);
}

/* --- screening --- */

SQL(OTHER_SCREENINGS, "SELECT coder, answer, stratum, read_at, model, post_id, place, n_learned, seed, score,"
                      "  " REAL_TIME("read_at") " FROM other.screening NOT INDEXED");

/* What was read last counts, and all of it: a coder may have read a post in both files. */
SQL(MERGE_SCREENING,
    SQL_OR_NOTHING "INSERT INTO screening (coder, answer, stratum, read_at, model, post_id, place, n_learned,"
                   "  seed, score)"
                   " VALUES (:coder, :answer, :stratum, :read_at, :model, :post_id, :place, :n_learned, :seed, :score)"
                   " ON CONFLICT (coder, post_id) DO UPDATE SET place = excluded.place,"
                   "  answer = excluded.answer, stratum = excluded.stratum, read_at = excluded.read_at,"
                   "  score = excluded.score, n_learned = excluded.n_learned, model = excluded.model,"
                   "  seed = excluded.seed"
                   " WHERE " SCREENING_ORDER("excluded") " > " SCREENING_ORDER("screening"));

static enum status MUST_USE merge_screening(struct merge *m, const struct table *t)
{
    if (!is_one_of(text_at(m, t, 1), db_screen_answers) || !is_one_of(text_at(m, t, 2), db_screen_strata))
        return wrong(m, t, "an unknown answer or stratum");
    if (find_coder(m, text_at(m, t, 0)) == NULL || sql_int(m->db, t->other, 5) <= 0 ||
        !span_eq(text_at(m, t, 3), text_at(m, t, 10)))
        return wrong(m, t, "of nobody, about no post, or of no time");
    return put_row(m, t);
}

/* --- what models were asked and answered --- */

/* A request is the same one there and here by all that it is but its number. */
#define SAME_REQUEST \
    "q.coder = :coder AND q.post_id = :post_id AND q.run = :run AND q.attempt = :attempt AND q.sent_at = :sent_at" \
    " AND q.request = :request"

SQL(OTHER_REQUESTS, "SELECT coder, api_url, prompt_sha256, examples, sent_at, request, post_id, run, attempt,"
                    "  answered_at, model, outcome, why, labels, answer, http_status, tokens_in, tokens_out, price"
                    " FROM other.model_request NOT INDEXED LEFT JOIN other.model_answer USING (request_id)");

SQL(MERGE_REQUEST, SQL_OR_NOTHING
    "INSERT INTO model_request (coder, sent_at, api_url, prompt_sha256, examples, request, post_id, run, attempt)"
    " SELECT :coder, :sent_at, :api_url, :prompt_sha256, :examples, :request, :post_id, :run, :attempt"
    " WHERE NOT EXISTS (SELECT 1 FROM model_request AS q WHERE " SAME_REQUEST ")");

/* One of the files may have been copied before the answer came. */
SQL(MERGE_ANSWER, SQL_OR_NOTHING
    "INSERT INTO model_answer (request_id, answered_at, model, outcome, why, labels, answer, http_status, tokens_in,"
    "  tokens_out, price)"
    " SELECT q.request_id, :answered_at, :model, :outcome, :why, :labels, :answer, :http_status, :tokens_in,"
    "  :tokens_out, :price FROM model_request AS q WHERE " SAME_REQUEST " ON CONFLICT (request_id) DO NOTHING");

static enum status MUST_USE merge_request(struct merge *m, const struct table *t)
{
    enum { SENT_AT = 4, POST = 6, RUN = 7, OF_ANSWER = 9, OUTCOME = 11 };
    struct span coder = text_at(m, t, 0), outcome = text_at(m, t, OUTCOME);

    if (!coder_is_model(coder) || find_coder(m, coder) == NULL || sql_int(m->db, t->other, POST) <= 0 ||
        sql_int(m->db, t->other, RUN) < 1 || (outcome.ptr != NULL && !is_one_of(outcome, model_outcome_names)))
        return wrong(m, t, "of no model, about no post, or of an unknown outcome");
    bind_columns(m, t, SQL_MERGE_REQUEST, 0, OF_ANSWER);
    enum status status = sql_done(m->db, SQL_MERGE_REQUEST, m->e);
    if (status != ST_OK || outcome.ptr == NULL)
        return status;
    bind_columns(m, t, SQL_MERGE_ANSWER, SENT_AT, t->n_columns);
    return sql_run(m->db, SQL_MERGE_ANSWER, m->e, BIND(":coder", coder));
}

/* --- all of it --- */

/* clang-format off */
static const struct table tables[] = {
    {"coder", SQL_OTHER_CODERS, merge_coder, SQL_MERGE_CODER, NULL, 2, {
        {":coder", TEXT, SHORT_MAX}, {":is_merged", INTEGER, 0}}},
    {"decision", SQL_OTHER_DECISIONS, merge_decision, SQL_MERGE_DECISION, SQL_MERGE_HAS_DECISION, 12, {
        {":decision_id", TEXT, SHA256_TEXT_SIZE - 1}, {":decided_at", TEXT, TIME_TEXT_SIZE - 1},
        {":coder", TEXT, SHORT_MAX}, {":subject", TEXT, SHORT_MAX}, {":post_id", INTEGER, 0},
        {":facet", TEXT, SHORT_MAX}, {":value", TEXT, 4 * SHORT_MAX}, {":codebook_version", INTEGER, 0},
        {":undoes", TEXT_OR_NULL, SHA256_TEXT_SIZE - 1}, {":spelling", TEXT_OR_NULL, SHORT_MAX},
        {":reason", TEXT_OR_NULL, TEXT_MAX}, {":assisted_by", TEXT_OR_NULL, TEXT_MAX}}},
    {"problem_date", SQL_OTHER_DATES, merge_date, SQL_MERGE_DATE, NULL, 2, {
        {":problem_id", TEXT, SHORT_MAX}, {":created_at", TEXT, TIME_TEXT_SIZE - 1}}},
    {"assessment", SQL_OTHER_ASSESSMENTS, merge_assessment, SQL_MERGE_ASSESSMENT, NULL, 4, {
        {":problem_id", TEXT, SHORT_MAX}, {":approach", TEXT, SHORT_MAX}, {":status", TEXT, SHORT_MAX},
        {":library", TEXT_OR_NULL, SHORT_MAX}}},
    {"screening", SQL_OTHER_SCREENINGS, merge_screening, SQL_MERGE_SCREENING, NULL, 10, {
        {":coder", TEXT, SHORT_MAX}, {":answer", TEXT, SHORT_MAX}, {":stratum", TEXT, SHORT_MAX},
        {":read_at", TEXT, TIME_TEXT_SIZE - 1}, {":model", TEXT, SHORT_MAX}, {":post_id", INTEGER, 0},
        {":place", INTEGER, 0}, {":n_learned", INTEGER, 0}, {":seed", INTEGER, 0}, {":score", REAL_OR_NULL, 0}}},
    {"model_request", SQL_OTHER_REQUESTS, merge_request, NULL, NULL, 19, {
        {":coder", TEXT, SHORT_MAX}, {":api_url", TEXT, SHORT_MAX}, {":prompt_sha256", TEXT, SHA256_TEXT_SIZE - 1},
        {":examples", TEXT_OR_NULL, SHORT_MAX}, {":sent_at", TEXT, TIME_TEXT_SIZE - 1},
        {":request", TEXT, 4 * TEXT_MAX}, {":post_id", INTEGER, 0}, {":run", INTEGER, 0}, {":attempt", INTEGER, 0},
        {":answered_at", TEXT_OR_NULL, TIME_TEXT_SIZE - 1}, {":model", TEXT_OR_NULL, SHORT_MAX},
        {":outcome", TEXT_OR_NULL, SHORT_MAX}, {":why", TEXT_OR_NULL, TEXT_MAX}, {":labels", TEXT_OR_NULL, TEXT_MAX},
        {":answer", TEXT_OR_NULL, 48 * TEXT_MAX}, {":http_status", INTEGER_OR_NULL, 0},
        {":tokens_in", INTEGER_OR_NULL, 0}, {":tokens_out", INTEGER_OR_NULL, 0}, {":price", REAL_OR_NULL, 0}}},
    {"message", SQL_OTHER_MESSAGES, merge_written, SQL_MERGE_MESSAGE, SQL_MERGE_HAS_MESSAGE, 6, {
        {":message_id", TEXT, SHA256_TEXT_SIZE - 1}, {":written_at", TEXT, TIME_TEXT_SIZE - 1},
        {":coder", TEXT, SHORT_MAX}, {":subject", TEXT, SHORT_MAX}, {":post_id", INTEGER, 0},
        {":text", TEXT, TEXT_MAX}}},
    {"memo", SQL_OTHER_MEMOS, merge_memo, NULL, NULL, MEMO_CELLS, {
        {":memo_id", TEXT, SHA256_TEXT_SIZE - 1}, {":written_at", TEXT, TIME_TEXT_SIZE - 1},
        {":coder", TEXT, SHORT_MAX}, {":facet", TEXT, SHORT_MAX}, {":code", TEXT, SHORT_MAX},
        {":text", TEXT, MEMO_MAX}, {":undoes", TEXT_OR_NULL, SHA256_TEXT_SIZE - 1}}},
    {"note", SQL_OTHER_NOTES, merge_written, SQL_MERGE_NOTE, SQL_MERGE_HAS_NOTE, 6, { /* last: it may be left out */
        {":note_id", TEXT, SHA256_TEXT_SIZE - 1}, {":written_at", TEXT, TIME_TEXT_SIZE - 1},
        {":coder", TEXT, SHORT_MAX}, {":subject", TEXT, SHORT_MAX}, {":post_id", INTEGER, 0},
        {":text", TEXT, TEXT_MAX}}},
};
/* clang-format on */

static enum status MUST_USE merge_rows(struct merge *m)
{
    enum status status = ST_OK;

    for (const struct table *t = tables; t < tables + ARRAY_LEN(tables) - m->how->no_notes && status == ST_OK; t++) {
        while (merge_next(m, t->other, &status)) {
            status = merge_check_row(m, t->other, t->name, t->columns, t->n_columns);
            THEN(status, t->merge(m, t));
        }
        if (t == tables) /* what follows is of them */
            array_sort(&m->out->coders, text_order);
    }
    /* An undo is written beside what it undoes, by the same coder: else it would take back what others decided. */
    for (size_t i = m->undos.n; i-- > 0 && status == ST_OK;) {
        bool fine = false;
        status = has_id(m, SQL_MERGE_UNDONE, m->undos.at[i], &fine);
        if (status == ST_OK && !fine)
            status = err_set(m->e, ST_INPUT,
                             "%s: decision '%.*s': it undoes what is not there, or"
                             " what another coder decided; nothing was merged",
                             m->path, SPAN_ARG(m->undos.at[i]));
    }
    return status;
}

static const char SQL_OTHER_FACETS[] = "SELECT EXISTS (SELECT facet, about, kind, most, list FROM main.facet"
                                       "               EXCEPT SELECT facet, about, kind, most, list FROM other.facet)"
                                       " OR EXISTS (SELECT facet, about, kind, most, list FROM other.facet"
                                       "            EXCEPT SELECT facet, about, kind, most, list FROM main.facet)";

static const char SQL_OTHER_POSTS[] = "SELECT count(*) FROM other.post AS p WHERE typeof(p.post_id) = 'integer'"
                                      " AND NOT EXISTS (SELECT 1 FROM main.post AS q WHERE q.post_id = p.post_id)";

static enum status MUST_USE merge_attached(struct merge *m)
{
    const struct facets *facets; /* check_value looks at them */
    int64_t differ = 0;

    if (sql_prepare_naming(m->db, "other.", m->e) != ST_OK)
        return wrong_tables(m); /* a column is missing */
    enum status status = check_study(m);
    THEN(status, db_facets(m->db, &facets, m->e));
    if (status == ST_OK && sql_integers(m->db, SQL_OTHER_FACETS, &differ, 1, m->e) != ST_OK)
        status = other_fails(m);
    if (status == ST_OK && differ) /* values of decisions mean the same only where facets are the same */
        status = err_set(m->e, ST_INPUT,
                         "%s: the facets of that study are others: compare"
                         " `SELECT * FROM facet` in both",
                         m->path);
    THEN(status, merge_codebook(m));
    THEN(status, merge_names_decisions(m));
    THEN(status, merge_rows(m));
    if (status == ST_OK && sql_integers(m->db, SQL_OTHER_POSTS, &m->out->posts_not_here, 1, m->e) != ST_OK)
        status = other_fails(m);
    THEN(status, db_labels_rebuild(m->db, m->e));
    return status;
}

enum status db_merge(struct db *db, const char *path, const struct db_merge_how *how, struct db_merged *out,
                     struct err *e)
{
    struct merge m = {.db = db, .path = path, .how = how, .out = out, .e = e};
    int64_t before[IDENTITY], now[IDENTITY];

    *out = (struct db_merged){0};
    enum status status = attach(&m);
    if (status != ST_OK)
        return status;
    identify(&m, before);
    status = check_kind(&m);
    THEN(status, db_begin(db, e));
    THEN(status, merge_attached(&m));
    identify(&m, now);
    if (status == ST_OK && memcmp(before, now, sizeof now) != 0)
        status = err_set(e, ST_DATABASE,
                         "%s: was written while it was read; nothing was merged: run"
                         " the command again when the other program has ended",
                         path);
    if (status == ST_OK && !how->dry_run)
        status = db_commit(db, e);
    if (status != ST_OK || how->dry_run)
        db_rollback(db);
    merge_names_say(&m);
    detach(&m);
    sql_forget(db);
    array_clear(&m.names[OURS]);
    array_clear(&m.names[THEIRS]);
    array_clear(&m.undos);
    text_pairs_clear(&m.moved);
    arena_clear(&m.arena);
    return status;
}

void db_merged_clear(struct db_merged *merged)
{
    array_clear(&merged->coders);
    array_clear(&merged->questions);
    arena_clear(&merged->arena);
    *merged = (struct db_merged){0};
}
