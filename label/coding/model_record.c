/* model_record: what a language model was asked and what it answered, word for word. */
#include "label/coding/model.h"

#include <inttypes.h>

#include "base/files.h"
#include "base/utf8.h"
#include "db/sql.h"

SQL(MODEL_REQUEST_PUT,
    "INSERT INTO model_request (coder, post_id, attempt, sent_at, api_url, prompt_sha256, request)"
    " VALUES (:coder, :post_id, :attempt, :sent_at, :api_url, :prompt_sha256, :request) RETURNING request_id");

enum status model_request_put(const struct model_task *t, int64_t post_id, int64_t attempt, struct span request,
                              int64_t *request_id, struct err *e)
{
    struct sql *put = SQL_MODEL_REQUEST_PUT;
    char now[TIME_TEXT_SIZE];
    enum status status = db_begin(t->db, e);

    time_now(now);
    sql_bind_text(t->db, put, ":coder", t->coder);
    sql_bind_int(t->db, put, ":post_id", post_id);
    sql_bind_int(t->db, put, ":attempt", attempt);
    sql_bind_text(t->db, put, ":sent_at", span_of(now));
    sql_bind_text(t->db, put, ":api_url", span_of(t->api_url));
    sql_bind_text(t->db, put, ":prompt_sha256", span_of(t->prompt_sha256));
    sql_bind_text(t->db, put, ":request", request);
    if (status == ST_OK)
        status = sql_one_int(t->db, put, request_id, e);
    if (status == ST_OK)
        status = db_commit(t->db, e);
    if (status != ST_OK)
        db_rollback(t->db);
    return status;
}

SQL(MODEL_ANSWER_PUT,
    "INSERT INTO model_answer (request_id, answered_at, http_status, model, outcome, why, tokens_in, tokens_out,"
    " answer) VALUES (:request_id, :answered_at, :http_status, :model, :outcome, :why, :tokens_in, :tokens_out,"
    " :answer)");

static enum status MUST_USE put_answer(const struct model_task *t, int64_t request_id, const struct model_answer *a,
                                       long http_status, struct span body, struct err *e)
{
    struct sql *put = SQL_MODEL_ANSWER_PUT;
    char now[TIME_TEXT_SIZE];
    struct buf text = {0};

    time_now(now);
    /* A server may send any bytes; the database has text. */
    if (utf8_valid_prefix(body) == body.len && (body.len == 0 || memchr(body.ptr, '\0', body.len) == NULL))
        buf_add_span(&text, body);
    else
        buf_add_json(&text, body);
    sql_bind_int(t->db, put, ":request_id", request_id);
    sql_bind_text(t->db, put, ":answered_at", span_of(now));
    sql_bind_int(t->db, put, ":http_status", http_status);
    sql_bind_text(t->db, put, ":model", a->model.len > 0 ? buf_span(&a->model) : (struct span){0});
    sql_bind_text(t->db, put, ":outcome", span_of(model_outcome_names[a->outcome]));
    sql_bind_text(t->db, put, ":why", a->why.len > 0 ? buf_span(&a->why) : (struct span){0});
    sql_bind_int(t->db, put, ":tokens_in", a->tokens_in >= 0 ? a->tokens_in : POST_ABSENT);
    sql_bind_int(t->db, put, ":tokens_out", a->tokens_out >= 0 ? a->tokens_out : POST_ABSENT);
    sql_bind_text(t->db, put, ":answer", text.len > 0 ? buf_span(&text) : SPAN(""));
    enum status status = sql_done(t->db, put, e);
    buf_clear(&text);
    return status;
}

static enum status MUST_USE write_act(const struct model_task *t, int64_t post_id, const struct model_answer *a,
                                      struct err *e)
{
    struct buf subject = {0};
    struct act act = {.coder = t->coder,
                      .post_id = post_id,
                      .by_model = true,
                      .judgement = a->outcome == MODEL_YES ? ACT_SAYS_YES : ACT_SAYS_NO};
    struct span reason = buf_span(&a->reason);

    post_id_add(&subject, post_id);
    act.subject = buf_span(&subject);
    if (a->outcome == MODEL_YES) {
        memcpy(act.given, a->given, sizeof act.given);
        memcpy(act.codes, a->codes, sizeof act.codes);
    }
    if (reason.len > ACT_TEXT_MAX)
        reason.len = utf8_valid_prefix((struct span){reason.ptr, ACT_TEXT_MAX});
    if (reason.len > 0)
        act.reason = reason;
    enum status status = act_write(t->db, t->book, &act, e);
    buf_clear(&subject);
    return status;
}

enum status model_answer_put(const struct model_task *t, int64_t request_id, int64_t post_id,
                             const struct model_answer *a, long http_status, struct span body, struct err *e)
{
    enum status status = db_begin(t->db, e);

    if (status == ST_OK)
        status = put_answer(t, request_id, a, http_status, body, e);
    if (status == ST_OK && (a->outcome == MODEL_YES || a->outcome == MODEL_NO))
        status = write_act(t, post_id, a, e);
    if (status == ST_OK)
        status = db_commit(t->db, e);
    if (status != ST_OK)
        db_rollback(t->db);
    return status;
}

SQL(MODEL_ANSWERED, "SELECT count(*) FROM model_request JOIN model_answer USING (request_id)"
                    " WHERE coder = :coder AND post_id = :post_id AND outcome IN ('yes', 'no', 'unsure')");

enum status model_is_answered(const struct model_task *t, int64_t post_id, bool *is, struct err *e)
{
    int64_t n = 0;

    sql_bind_text(t->db, SQL_MODEL_ANSWERED, ":coder", t->coder);
    sql_bind_int(t->db, SQL_MODEL_ANSWERED, ":post_id", post_id);
    enum status status = sql_one_int(t->db, SQL_MODEL_ANSWERED, &n, e);
    *is = n > 0;
    return status;
}

SQL(MODEL_FIRST, "SELECT model FROM model_request JOIN model_answer USING (request_id)"
                 " WHERE coder = :coder AND model IS NOT NULL AND outcome <> 'failed' ORDER BY request_id LIMIT 1");

enum status model_first(const struct model_task *t, struct buf *model, struct err *e)
{
    bool row;

    sql_bind_text(t->db, SQL_MODEL_FIRST, ":coder", t->coder);
    enum status status = sql_row(t->db, SQL_MODEL_FIRST, &row, e);
    if (status == ST_OK && row) {
        buf_add_span(model, sql_text(t->db, SQL_MODEL_FIRST, 0));
        sql_reset(t->db, SQL_MODEL_FIRST);
    }
    return status;
}

SQL(MODEL_LOST, "SELECT count(*) FROM model_request LEFT JOIN model_answer USING (request_id)"
                " WHERE coder = :coder AND outcome IS NULL");

enum status model_lost(const struct model_task *t, int64_t *n, struct err *e)
{
    sql_bind_text(t->db, SQL_MODEL_LOST, ":coder", t->coder);
    return sql_one_int(t->db, SQL_MODEL_LOST, n, e);
}

SQL(MODEL_CANDIDATES, "SELECT post_id FROM candidate_post ORDER BY post_id");

enum status model_candidates(struct db *db, void (*each)(void *ctx, int64_t post_id), void *ctx, struct err *e)
{
    enum status status = ST_OK;

    for (bool row = true; row && status == ST_OK;) {
        status = sql_row(db, SQL_MODEL_CANDIDATES, &row, e);
        if (status == ST_OK && row)
            each(ctx, sql_int(db, SQL_MODEL_CANDIDATES, 0));
    }
    return status;
}

SQL(MODEL_RECORD,
    "SELECT json_object('request_id', request_id, 'coder', coder, 'post_id', post_id, 'attempt', attempt, 'sent_at',"
    " sent_at, 'api_url', api_url, 'prompt_sha256', prompt_sha256, 'request', request, 'answered_at', answered_at,"
    " 'http_status', http_status, 'model', model, 'outcome', outcome, 'why', why, 'tokens_in', tokens_in,"
    " 'tokens_out', tokens_out, 'answer', answer)"
    " FROM model_request LEFT JOIN model_answer USING (request_id) ORDER BY request_id");

enum status model_record_add(struct db *db, struct buf *out, struct err *e)
{
    enum status status = ST_OK;

    for (bool row = true; row && status == ST_OK;) {
        status = sql_row(db, SQL_MODEL_RECORD, &row, e);
        if (status != ST_OK || !row)
            break;
        buf_add_span(out, sql_text(db, SQL_MODEL_RECORD, 0));
        buf_add_char(out, '\n');
    }
    return status;
}
