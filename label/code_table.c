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

SQL(CODE_EACH, "SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into"
               " FROM code ORDER BY code_id");

bool db_code_next(struct db *db, struct db_code *code, enum status *status, struct err *e)
{
    bool row = sql_next_into(db, SQL_CODE_EACH, status, e, INTO(code->code_id), INTO(code->facet), INTO(code->category),
                             INTO(code->name), INTO(code->short_name), INTO(code->definition), INTO(code->retired_in),
                             INTO(code->merged_into));

    if (row && code->retired_in == POST_ABSENT)
        code->retired_in = 0;
    if (row && code->merged_into == POST_ABSENT)
        code->merged_into = 0;
    return row;
}

SQL(CODE_ALIAS_EACH, "SELECT code_id, alias FROM code_alias ORDER BY code_id, alias");

bool db_code_alias_next(struct db *db, struct db_alias *alias, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_CODE_ALIAS_EACH, status, e, INTO(alias->code_id), INTO(alias->alias));
}

SQL(DISAMBIGUATION_EACH, "SELECT code_id, versus_id, rule FROM disambiguation ORDER BY code_id, versus_id");

bool db_disambiguation_next(struct db *db, struct db_rule *rule, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_DISAMBIGUATION_EACH, status, e, INTO(rule->code_id), INTO(rule->versus_id),
                         INTO(rule->rule));
}

/* Two searches and no OR, which would read the whole list: values that coders wrote are many, and have no aliases. */
SQL(CODE_NAMED, "SELECT coalesce("
                "  (SELECT coalesce(merged_into, code_id) FROM code WHERE facet = :facet AND name = :name),"
                "  (SELECT coalesce(merged_into, code_id) FROM code_alias CROSS JOIN code USING (code_id)"
                "    WHERE alias = :name AND facet = :facet ORDER BY name LIMIT 1),"
                "  0)");

enum status db_code_named(struct db *db, struct span list, struct span name, int64_t *code_id, struct err *e)
{
    sql_bind(db, SQL_CODE_NAMED, BIND(":facet", list), BIND(":name", name));
    return sql_one_int(db, SQL_CODE_NAMED, code_id, e);
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

bool db_code_change_next(struct db *db, struct db_code_change *change, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_CODE_CHANGE_EACH, status, e, INTO(change->version), INTO(change->changed_at),
                         INTO(change->changed_by), INTO(change->action), INTO(change->facet), INTO(change->code),
                         INTO(change->became), INTO(change->reason));
}

/* Which codes these are follows from the view, but SQLite asks it last: after what was decided about each label. */
SQL(REVIEW_EACH, "SELECT problem_id, facet, coder, code, codebook_version, action, changed_at, changed_by,"
                 "  reason FROM label_review WHERE (:coder IS NULL OR coder = :coder)"
                 "  AND code IN (SELECT c.name FROM code_change AS h JOIN json_each(h.look_again) AS j"
                 "               JOIN code AS c ON c.code_id = j.value)"
                 " ORDER BY " BY_PROBLEM("problem_id") ", facet, coder,"
                                                       "  codebook_version");

struct sql *db_reviews(struct db *db, struct span coder)
{
    sql_bind_text(db, SQL_REVIEW_EACH, ":coder", coder);
    return SQL_REVIEW_EACH;
}

bool db_review_next(struct db *db, struct sql *reviews, struct db_review *review, enum status *status, struct err *e)
{
    return sql_next_into(db, reviews, status, e, INTO(review->problem_id), INTO(review->facet), INTO(review->coder),
                         INTO(review->code), INTO(review->change.version), INTO(review->change.action),
                         INTO(review->change.changed_at), INTO(review->change.changed_by), INTO(review->change.reason));
}
