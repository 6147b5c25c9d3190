/* model_record: what a language model was asked and what it answered, word for word. */
#include "label/coding/model.h"

#include <inttypes.h>
#include <jansson.h>

#include "base/files.h"
#include "base/utf8.h"
#include "db/sql.h"

SQL(MODEL_REQUEST_PUT, "INSERT INTO model_request (coder, post_id, run, attempt, sent_at, api_url, prompt_sha256,"
                       " examples, request) VALUES (:coder, :post_id, :run, :attempt, :sent_at, :api_url,"
                       " :prompt_sha256, :examples, :request) RETURNING request_id");

enum status model_request_put(const struct model_task *t, struct model_request *r, struct span text, struct err *e)
{
    struct sql *put = SQL_MODEL_REQUEST_PUT;
    char now[TIME_TEXT_SIZE];
    enum status status = db_begin(t->db, e);

    time_now(now);
    sql_bind(t->db, put, BIND(":coder", t->coder), BIND(":post_id", r->post_id), BIND(":run", r->run),
             BIND(":attempt", r->attempt), BIND(":sent_at", span_of(now)), BIND(":api_url", span_of(t->api_url)),
             BIND(":prompt_sha256", span_of(t->prompt_sha256)),
             BIND(":examples", t->examples.len > 0 ? buf_span(&t->examples) : (struct span){0}),
             BIND(":request", text));
    THEN(status, sql_one_int(t->db, put, &r->id, e));
    return db_end(t->db, status, e);
}

SQL(MODEL_ANSWER_PUT,
    "INSERT INTO model_answer (request_id, answered_at, http_status, model, outcome, why, tokens_in, tokens_out,"
    " price, labels, answer) VALUES (:request_id, :answered_at, :http_status, :model, :outcome, :why, :tokens_in,"
    " :tokens_out, :price, :labels, :answer)");

void model_codes_add(const struct model_task *t, const struct act_codes *codes, struct buf *out)
{
    size_t n;
    const struct facet *facets = act_facets(t->book, &n);
    const char *before = "";

    buf_add_char(out, '{');
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < codes[i].n; k++) {
            buf_add_text(out, k > 0 ? "," : before);
            if (k == 0) {
                buf_add_json(out, facets[i].typed);
                buf_add_text(out, ":[");
            }
            buf_add_json(out, t->book->codebook.codes[codes[i].at[k]].name);
        }
        buf_add_text(out, codes[i].n > 0 ? "]" : "");
        before = codes[i].n > 0 ? "," : before;
    }
    buf_add_char(out, '}');
}

static bool judges(const struct model_answer *a)
{
    return a->outcome == MODEL_YES || a->outcome == MODEL_NO;
}

static enum status MUST_USE put_answer(const struct model_task *t, int64_t request_id, const struct model_answer *a,
                                       long http_status, double price, struct span body, struct err *e)
{
    struct sql *put = SQL_MODEL_ANSWER_PUT;
    char now[TIME_TEXT_SIZE];
    AT_END(buf_clear) struct buf text = {0}, labels = {0};

    time_now(now);
    /* A server may send any bytes; the database has text. */
    if (utf8_valid_prefix(body) == body.len && (body.len == 0 || memchr(body.ptr, '\0', body.len) == NULL))
        buf_add_span(&text, body);
    else
        buf_add_json(&text, body);
    sql_bind(t->db, put, BIND(":request_id", request_id), BIND(":answered_at", span_of(now)),
             BIND(":http_status", http_status),
             BIND(":model", a->model.len > 0 ? buf_span(&a->model) : (struct span){0}),
             BIND(":outcome", span_of(model_outcome_names[a->outcome])),
             BIND(":why", a->why.len > 0 ? buf_span(&a->why) : (struct span){0}),
             BIND(":tokens_in", a->tokens_in >= 0 ? a->tokens_in : POST_ABSENT),
             BIND(":tokens_out", a->tokens_out >= 0 ? a->tokens_out : POST_ABSENT), BIND(":price", price));
    for (size_t i = 0; i < a->problems.n && judges(a); i++) { /* as in schema.sql: [{"symptom":["slow"]}] */
        buf_add_char(&labels, i > 0 ? ',' : '[');
        model_codes_add(t, a->problems.at[i].codes, &labels);
    }
    if (judges(a))
        buf_add_text(&labels, labels.len > 0 ? "]" : "[]");
    return sql_run(t->db, put, e, BIND(":labels", labels.len > 0 ? buf_span(&labels) : (struct span){0}),
                   BIND(":answer", text.len > 0 ? buf_span(&text) : SPAN("")));
}

/* One problem of the post, or with NULL the judgement alone. */
static enum status MUST_USE write_act(const struct model_task *t, int64_t post_id, const struct model_answer *a,
                                      size_t nth, const char *now, struct err *e)
{
    const struct model_problem *p = nth < a->problems.n ? &a->problems.at[nth] : NULL;
    AT_END(buf_clear) struct buf subject = {0};
    struct act act = {.coder = t->coder, .post_id = post_id, .by_model = true, .now = span_of(now)};
    struct span reason = buf_span(p != NULL ? &p->reason : &a->reason);

    post_id_add(&subject, post_id);
    if (a->problems.n > 1)
        buf_addf(&subject, "_%zu", nth + 1);
    act.subject = buf_span(&subject);
    act.judgement = nth > 0 ? ACT_SAYS_NOTHING : a->outcome == MODEL_YES ? ACT_SAYS_YES : ACT_SAYS_NO;
    if (p != NULL) {
        memcpy(act.given, p->given, sizeof act.given);
        memcpy(act.codes, p->codes, sizeof act.codes);
    }
    if (reason.len > ACT_TEXT_MAX)
        reason.len = utf8_valid_prefix((struct span){reason.ptr, ACT_TEXT_MAX});
    if (reason.len > 0)
        act.reason = reason;
    return act_write(t->db, t->book, &act, e);
}

enum status model_answer_put(const struct model_task *t, const struct model_request *r, const struct model_answer *a,
                             long http_status, double price, struct span body, struct err *e)
{
    bool writes = judges(a) && r->run == 1, refused = false;
    char now[TIME_TEXT_SIZE];
    enum status status = db_begin(t->db, e);

    THEN(status, put_answer(t, r->id, a, http_status, price, body, e));
    if (status == ST_OK && writes) {
        status = db_decision_after(t->db, t->coder, now, e);
        for (size_t i = 0; status == ST_OK && (i == 0 || i < a->problems.n); i++)
            status = write_act(t, r->post_id, a, i, now, e);
        refused = status == ST_INPUT;
    }
    status = db_end(t->db, status, e);
    if (!refused)
        return status;
    /* The codebook changed since the question. The answer is paid: the record keeps it, as one that does not count. */
    struct model_answer failed = {.outcome = MODEL_FAILED, .tokens_in = a->tokens_in, .tokens_out = a->tokens_out};
    struct err why = *e;
    failed.model = a->model;
    buf_add_text(&failed.why, why.text);
    status = put_answer(t, r->id, &failed, http_status, price, body, e);
    buf_clear(&failed.why);
    *e = status == ST_OK ? why : *e;
    return status == ST_OK ? ST_INPUT : status;
}

SQL(MODEL_ANSWERED,
    "SELECT count(*) FROM model_request JOIN model_answer USING (request_id)"
    " WHERE coder = :coder AND run = :run AND post_id = :post_id AND outcome IN ('yes', 'no', 'unsure')");

enum status model_is_answered(const struct model_task *t, int64_t run, int64_t post_id, bool *is, struct err *e)
{
    int64_t n = 0;

    sql_bind(t->db, SQL_MODEL_ANSWERED, BIND(":coder", t->coder), BIND(":run", run), BIND(":post_id", post_id));
    enum status status = sql_one_int(t->db, SQL_MODEL_ANSWERED, &n, e);
    *is = n > 0;
    return status;
}

SQL(MODEL_SAID, "SELECT run, post_id, outcome = 'yes', n > 1, p.key, p.value FROM"
                " (SELECT run, post_id, outcome, labels, json_array_length(labels) AS n, max(request_id)"
                "  FROM model_request JOIN model_answer USING (request_id)"
                "  WHERE coder = :coder AND json_valid(labels) GROUP BY run, post_id) LEFT JOIN json_each(labels) AS p"
                " ORDER BY post_id, n > 1, p.key, run");

/* Of one problem: {"symptom":["slow"]} */
static void tell_problem(struct model_said *said, struct span text, void (*each)(void *, const struct model_said *),
                         void *ctx)
{
    json_error_t wrong;
    json_t *problem = json_loadb(text.ptr, text.len, 0, &wrong), *list;
    const char *facet;

    json_object_foreach(problem, facet, list) {
        said->facet = span_of(facet);
        for (said->n = 0; said->n < json_array_size(list) && said->n < FACET_CODES_MAX; said->n++) {
            const char *name = json_string_value(json_array_get(list, said->n));
            said->names[said->n] = span_of(name != NULL ? name : "");
        }
        if (said->n > 0)
            each(ctx, said);
    }
    json_decref(problem);
}

enum status model_said_each(struct db *db, struct span coder, void (*each)(void *ctx, const struct model_said *said),
                            void *ctx, struct err *e)
{
    struct sql *all = SQL_MODEL_SAID;
    enum status status = ST_OK;
    AT_END(buf_clear) struct buf subject = {0};

    sql_bind_text(db, all, ":coder", coder);
    while (sql_next(db, all, &status, e)) {
        struct model_said said = {.run = sql_int(db, all, 0), .n = 1};
        bool yes = sql_int(db, all, 2) != 0;
        said.names[0] = yes ? SPAN("yes") : SPAN("no");
        buf_reset(&subject);
        post_id_add(&subject, sql_int(db, all, 1));
        said.subject = buf_span(&subject);
        if (sql_text(db, all, 4).ptr == NULL || sql_int(db, all, 4) == 0)
            each(ctx, &said);
        if (yes && sql_int(db, all, 3) != 0)
            buf_addf(&subject, "_%" PRId64, sql_int(db, all, 4) + 1);
        said.subject = buf_span(&subject);
        if (yes && sql_text(db, all, 5).ptr != NULL)
            tell_problem(&said, sql_text(db, all, 5), each, ctx);
    }
    return status;
}

SQL(MODEL_FIRST, "SELECT model FROM model_request JOIN model_answer USING (request_id)"
                 " WHERE coder = :coder AND model IS NOT NULL AND outcome <> 'failed' ORDER BY request_id LIMIT 1");

enum status model_first(const struct model_task *t, struct buf *model, struct err *e)
{
    enum status status = ST_OK;

    sql_bind_text(t->db, SQL_MODEL_FIRST, ":coder", t->coder);
    while (sql_next(t->db, SQL_MODEL_FIRST, &status, e))
        buf_add_span(model, sql_text(t->db, SQL_MODEL_FIRST, 0));
    return status;
}

SQL(MODEL_LOST,
    "SELECT count(*) FROM model_request AS r LEFT JOIN model_answer USING (request_id)"
    " WHERE coder = :coder AND outcome IS NULL AND NOT EXISTS (SELECT 1 FROM model_request AS l"
    "  WHERE l.coder = r.coder AND l.post_id = r.post_id AND l.run = r.run AND l.request_id > r.request_id)");

enum status model_lost(const struct model_task *t, int64_t *n, struct err *e)
{
    sql_bind_text(t->db, SQL_MODEL_LOST, ":coder", t->coder);
    return sql_one_int(t->db, SQL_MODEL_LOST, n, e);
}

SQL(MODEL_CANDIDATES, "SELECT post_id FROM candidate_post ORDER BY post_id");

enum status model_candidates(struct db *db, struct queue_list *out, struct err *e)
{
    enum status status = ST_OK;
    int64_t post_id;

    while (sql_next_into(db, SQL_MODEL_CANDIDATES, &status, e, INTO(post_id)))
        array_add(out, post_id);
    return status;
}

SQL(MODEL_RECORD,
    "SELECT json_object('request_id', request_id, 'coder', coder, 'post_id', post_id, 'run', run, 'attempt', attempt, 'sent_at',"
    " sent_at, 'api_url', api_url, 'prompt_sha256', prompt_sha256, 'examples', iif(json_valid(examples), json(examples), NULL), 'request', request, 'answered_at', answered_at,"
    " 'http_status', http_status, 'model', model, 'outcome', outcome, 'why', why, 'tokens_in', tokens_in,"
    " 'tokens_out', tokens_out, 'price', price, 'labels', iif(json_valid(labels), json(labels), NULL), 'answer', answer)"
    " FROM model_request LEFT JOIN model_answer USING (request_id) ORDER BY request_id");

enum status model_record_add(struct db *db, struct buf *out, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_MODEL_RECORD, &status, e)) {
        buf_add_span(out, sql_text(db, SQL_MODEL_RECORD, 0));
        buf_add_char(out, '\n');
    }
    return status;
}
