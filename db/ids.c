/* ids: computes them, and gives those of values to SQL, as value_id(). */
#include "db/ids.h"

#include "db/sql.h"

void db_decision_id(struct span coder, struct span subject, struct span facet, struct span value,
                    struct span decided_at, char out[SHA256_TEXT_SIZE])
{
    AT_END(buf_clear) struct buf text = {0};
    const struct span names[] = {coder, subject, facet};

    buf_add_char(&text, '[');
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        buf_add_json_kept(&text, names[i]);
        buf_add_char(&text, ',');
    }
    buf_add_span(&text, value); /* JSON already */
    buf_add_char(&text, ',');
    buf_add_json_kept(&text, decided_at);
    buf_add_char(&text, ']');
    sha256_of(buf_span(&text), out);
}

int64_t db_value_id(struct span list, struct span value)
{
    char digits[SHA256_TEXT_SIZE];
    AT_END(buf_clear) struct buf text = {0};
    int64_t id = 0;

    buf_add_json_kept(&text, list);
    buf_add_json_kept(&text, value);
    sha256_of(buf_span(&text), digits);
    for (size_t i = 0; i < 13; i++) /* 52 bits */
        id = 16 * id + (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    return id + DB_VALUES_FROM;
}

/* --- for SQL --- */

static void value_id(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    (void)n_values;
    sqlite3_result_int64(context, db_value_id(sql_value_text(values[0]), sql_value_text(values[1])));
}

/* False, so that the row does not come out. */
static void tell(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    const struct db *db = sqlite3_user_data(context);

    (void)n_values;
    if (db->listener.each != NULL)
        db->listener.each(db->listener.ctx, values);
    sqlite3_result_int(context, 0);
}

int sql_register_functions(struct db *db)
{
    int rc = sqlite3_create_function_v2(db->handle, "value_id", 2,
                                        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, value_id, NULL,
                                        NULL, NULL);

    return rc != SQLITE_OK ? rc
                           : sqlite3_create_function_v2(db->handle, "tell", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, db,
                                                        tell, NULL, NULL, NULL);
}
