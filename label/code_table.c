/* The codebook: codes, their other names, how to tell them apart, and what became of them. */
#include "label/code_table.h"
#include "db/study.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "base/files.h"

SQL(CODE_PUT, "INSERT INTO code (code_id, facet, category, name, short_name, definition) VALUES ("
              "  1 + coalesce((SELECT max(code_id) FROM code WHERE " IN_CODEBOOK "), 0), :facet, :category,"
              " :name, :short_name, :definition)"
              " ON CONFLICT (facet, name) DO UPDATE SET category = excluded.category,"
              "  short_name = excluded.short_name, definition = excluded.definition"
              " RETURNING code_id");

enum status db_code_put(struct db *db, const struct db_code *code, int64_t *code_id, struct err *e)
{
    sql_forget(db);
    sql_bind(db, SQL_CODE_PUT, BIND(":facet", code->facet), BIND(":category", code->category),
             BIND(":name", code->name), BIND(":short_name", code->short_name), BIND(":definition", code->definition));
    return sql_one_int(db, SQL_CODE_PUT, code_id, e);
}

/* The name that the id has then, which is another one only where two values have one id. */
SQL(VALUE_PUT,
    SQL_OR_NOTHING "INSERT INTO code (code_id, facet, name) VALUES (:code_id, :facet, :name) ON CONFLICT DO NOTHING");

SQL(VALUE_GET, "SELECT name = :name AND facet = :facet FROM code WHERE code_id = :code_id");

enum status db_value_put(struct db *db, struct span list, struct span value, struct err *e)
{
    static struct sql *both[] = {SQL_VALUE_PUT, SQL_VALUE_GET};
    int64_t same = 0;

    for (size_t i = 0; i < ARRAY_LEN(both); i++)
        sql_bind(db, both[i], BIND(":code_id", db_value_id(list, value)), BIND(":facet", list), BIND(":name", value));
    enum status status = sql_done(db, SQL_VALUE_PUT, e);
    if (status == ST_OK && sqlite3_changes(db->handle) > 0)
        sql_forget(db);
    THEN(status, sql_one_int(db, SQL_VALUE_GET, &same, e));
    if (status == ST_OK && same != 1)
        return err_set(e, ST_DATABASE, "two values of the facet '%.*s' have the same id; write this one in another way",
                       SPAN_ARG(list));
    return status;
}

SQL(CODE_ALIAS_PUT,
    SQL_OR_NOTHING "INSERT INTO code_alias (code_id, alias) VALUES (:code_id, :alias) ON CONFLICT DO NOTHING");

enum status db_code_alias_put(struct db *db, int64_t code_id, struct span alias, struct err *e)
{
    return sql_run(db, SQL_CODE_ALIAS_PUT, e, BIND(":code_id", code_id), BIND(":alias", alias));
}

SQL(DISAMBIGUATION_PUT, "INSERT INTO disambiguation (code_id, versus_id, rule) VALUES (:code_id, :versus_id, :rule)"
                        " ON CONFLICT (code_id, versus_id) DO UPDATE SET rule = excluded.rule");

enum status db_disambiguation_put(struct db *db, int64_t code_id, int64_t versus_id, struct span rule, struct err *e)
{
    return sql_run(db, SQL_DISAMBIGUATION_PUT, e, BIND(":code_id", code_id), BIND(":versus_id", versus_id),
                   BIND(":rule", rule));
}

static int64_t zero_when_absent(int64_t value)
{
    return value != POST_ABSENT ? value : 0;
}

SQL(CODE_EACH, "SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into"
               " FROM code ORDER BY code_id");

enum status db_code_each(struct db *db, void (*each)(void *ctx, const struct db_code *code), void *ctx, struct err *e)
{
    struct sql *which = SQL_CODE_EACH;
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e)) {
        struct db_code code = {.code_id = sql_int(db, which, 0),
                               .facet = sql_text(db, which, 1),
                               .category = sql_text(db, which, 2),
                               .name = sql_text(db, which, 3),
                               .short_name = sql_text(db, which, 4),
                               .definition = sql_text(db, which, 5),
                               .retired_in = zero_when_absent(sql_int(db, which, 6)),
                               .merged_into = zero_when_absent(sql_int(db, which, 7))};
        each(ctx, &code);
    }
    return status;
}

SQL(CODE_ALIAS_EACH, "SELECT code_id, alias FROM code_alias ORDER BY code_id, alias");

enum status db_code_alias_each(struct db *db, void (*each)(void *ctx, int64_t code_id, struct span alias), void *ctx,
                               struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_CODE_ALIAS_EACH, &status, e))
        each(ctx, sql_int(db, SQL_CODE_ALIAS_EACH, 0), sql_text(db, SQL_CODE_ALIAS_EACH, 1));
    return status;
}

SQL(DISAMBIGUATION_EACH, "SELECT code_id, versus_id, rule FROM disambiguation ORDER BY code_id, versus_id");

enum status db_disambiguation_each(struct db *db,
                                   void (*each)(void *ctx, int64_t code_id, int64_t versus_id, struct span rule),
                                   void *ctx, struct err *e)
{
    struct sql *which = SQL_DISAMBIGUATION_EACH;
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e))
        each(ctx, sql_int(db, which, 0), sql_int(db, which, 1), sql_text(db, which, 2));
    return status;
}

/* --- changes --- */

SQL(CODE_NAME, "SELECT name FROM code WHERE code_id = :code_id");

SQL(CODE_RENAME, "UPDATE code SET name = :name WHERE code_id = :code_id");

enum status db_code_rename(struct db *db, int64_t code_id, struct span name, struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    struct span old = {0};
    enum status status = ST_OK;

    sql_forget(db);
    sql_bind_int(db, SQL_CODE_NAME, ":code_id", code_id);
    while (sql_next(db, SQL_CODE_NAME, &status, e))
        old = arena_copy(&arena, sql_text(db, SQL_CODE_NAME, 0));
    if (status == ST_OK && old.ptr == NULL)
        status = err_set(e, ST_INPUT, "the codebook has no code %lld", (long long)code_id);
    THEN(status, db_code_alias_put(db, code_id, old, e));
    if (status != ST_OK)
        return status;
    return sql_run(db, SQL_CODE_RENAME, e, BIND(":code_id", code_id), BIND(":name", name));
}

SQL(CODE_RETIRE, "UPDATE code SET retired_in = coalesce(retired_in, :retired_in), merged_into = :merged_into"
                 " WHERE code_id = :code_id OR (:merged_into IS NOT NULL AND merged_into = :code_id)");

enum status db_code_retire(struct db *db, int64_t code_id, int64_t version, int64_t merged_into, struct err *e)
{
    sql_forget(db);
    return sql_run(db, SQL_CODE_RETIRE, e, BIND(":code_id", code_id), BIND(":retired_in", version),
                   BIND(":merged_into", merged_into != 0 ? merged_into : POST_ABSENT));
}

enum status db_codebook_version(struct db *db, int64_t *version, struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    struct span text;
    enum status status = db_setting_get(db, "codebook_version", &arena, &text, e);

    *version = 0;
    if (status == ST_OK && text.ptr != NULL && !span_i64(text, version))
        status = err_set(e, ST_DATABASE, "the setting codebook_version in the table study is '%.*s', no number",
                         SPAN_ARG(text));
    return status;
}

SQL(CODE_CHANGE_PUT, "INSERT INTO code_change (codebook_version, changed_at, changed_by, action, facet, code,"
                     "  became, reason, look_again) VALUES (:codebook_version, :changed_at, :changed_by, :action,"
                     " :facet, :code, :became, :reason, :look_again)");

enum status db_code_change_put(struct db *db, const struct db_code_change *change, struct err *e)
{
    struct sql *which = SQL_CODE_CHANGE_PUT;
    char now[TIME_TEXT_SIZE], version[24];

    time_now(now);
    sql_forget(db);
    enum status status = sql_run(
        db, which, e, BIND(":codebook_version", change->version),
        BIND(":changed_at", change->changed_at.ptr != NULL ? change->changed_at : span_of(now)),
        BIND(":changed_by", change->changed_by), BIND(":action", change->action), BIND(":facet", change->facet),
        BIND(":code", change->code), BIND(":became", change->became), BIND(":reason", change->reason),
        BIND(":look_again", change->look_again));
    if (status != ST_OK)
        return status;
    snprintf(version, sizeof version, "%lld", (long long)change->version);
    return db_setting_put(db, "codebook_version", span_of(version), e);
}

SQL(CODE_CHANGE_EACH, "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason"
                      " FROM code_change ORDER BY codebook_version");

enum status db_code_change_each(struct db *db, void (*each)(void *ctx, const struct db_code_change *change), void *ctx,
                                struct err *e)
{
    struct sql *which = SQL_CODE_CHANGE_EACH;
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e)) {
        struct db_code_change change = {.version = sql_int(db, which, 0),
                                        .changed_at = sql_text(db, which, 1),
                                        .changed_by = sql_text(db, which, 2),
                                        .action = sql_text(db, which, 3),
                                        .facet = sql_text(db, which, 4),
                                        .code = sql_text(db, which, 5),
                                        .became = sql_text(db, which, 6),
                                        .reason = sql_text(db, which, 7)};
        each(ctx, &change);
    }
    return status;
}

SQL(REVIEW_EACH, "SELECT problem_id, facet, coder, code, codebook_version, action, changed_at, changed_by,"
                 "  reason FROM label_review WHERE :coder IS NULL OR coder = :coder"
                 " ORDER BY " BY_PROBLEM("problem_id") ", facet, coder,"
                                                       "  codebook_version");

enum status db_review_each(struct db *db, struct span coder, void (*each)(void *ctx, const struct db_review *review),
                           void *ctx, struct err *e)
{
    struct sql *which = SQL_REVIEW_EACH;

    sql_bind_text(db, which, ":coder", coder);
    enum status status = ST_OK;
    while (sql_next(db, which, &status, e)) {
        struct db_review review = {
            .problem_id = sql_text(db, which, 0),
            .facet = sql_text(db, which, 1),
            .coder = sql_text(db, which, 2),
            .code = sql_text(db, which, 3),
            .change = {.version = sql_int(db, which, 4),
                       .action = sql_text(db, which, 5),
                       .changed_at = sql_text(db, which, 6),
                       .changed_by = sql_text(db, which, 7),
                       .reason = sql_text(db, which, 8)},
        };
        each(ctx, &review);
    }
    return status;
}
