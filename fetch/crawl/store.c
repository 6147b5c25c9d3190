/* store: an answer of the API into the database. */
#include "fetch/crawl/store.h"

#include "fetch/crawl/answers.h"
#include "db/sql.h"
#include "base/log.h"

#include <inttypes.h>

/* An item of an answer, and the post that it belongs to. */
struct item {
    int64_t id, parent;
};

/* An answer that is being stored. */
struct storing {
    struct crawl_store *store;
    struct api_request request;
    int64_t now;
    char now_text[TIME_TEXT_SIZE];
    int64_t from, to;                   /* of creation: what the request asked for */
    struct ARRAY_OF(struct item) items; /* those that came, of a request that tells who is gone */
};

/* --- what the reader hands out --- */

/* Requests ask for a second more on each side, see fetch/api_walk.c. */
static bool wants(void *ctx, const struct post *question)
{
    const struct storing *s = ctx;
    int64_t created;

    if (s->request.method != API_QUESTIONS || !api_time_of(question->created_at, &created))
        return true;
    return (s->from == POST_ABSENT || created >= s->from) && (s->to == POST_ABSENT || created <= s->to);
}

static enum status put_post(void *ctx, const struct post *post, struct err *e)
{
    struct storing *s = ctx;
    struct crawl_store *store = s->store;
    struct db_origin origin = {store->run_id, span_of(s->now_text), false};
    enum db_put what;

    if (s->request.method == API_QUESTIONS_BY_ID && post->type == POST_QUESTION)
        array_add(&s->items, {post->post_id, post->post_id});
    if (s->request.method == API_QUESTION_ANSWERS)
        array_add(&s->items, {post->post_id, post->parent_id});
    enum status status = db_post_put(store->db, post, &origin, &what, e);
    if (status != ST_OK)
        return status;
    store->counts.back += what == DB_PUT_BACK;
    store->counts.n_put[what == DB_PUT_BACK ? DB_PUT_CHANGED : what]++;
    store->counts.questions += post->type == POST_QUESTION;
    store->counts.answers += post->type == POST_ANSWER;
    return ST_OK;
}

struct post stored_post(const struct post *post, int64_t code)
{
    struct post stored = *post;

    stored.post_id = study_id(code, post->post_id);
    stored.parent_id = study_id(code, post->parent_id);
    stored.accepted_answer_id = study_id(code, post->accepted_answer_id);
    stored.owner_user_id = study_id(code, post->owner_user_id);
    stored.last_editor_user_id = study_id(code, post->last_editor_user_id);
    return stored;
}

struct api_comment stored_comment(const struct api_comment *c, int64_t code)
{
    struct api_comment stored = *c;

    stored.comment_id = study_id(code, c->comment_id);
    stored.post_id = study_id(code, c->post_id);
    stored.user_id = study_id(code, c->user_id);
    stored.reply_to_user_id = study_id(code, c->reply_to_user_id);
    return stored;
}

static enum status put_comment(void *ctx, const struct api_comment *c, struct err *e)
{
    struct storing *s = ctx;
    struct api_comment comment = stored_comment(c, 0);
    bool changed = false;

    if (s->request.method == API_QUESTION_COMMENTS || s->request.method == API_ANSWER_COMMENTS)
        array_add(&s->items, {c->comment_id, c->post_id});
    enum status status = db_comment_put(s->store->db, &comment, s->now, s->store->run_id, &changed, e);
    s->store->counts.comments++;
    s->store->counts.comments_changed += changed;
    return status;
}

static enum status put_author(void *ctx, const struct api_author *author, struct err *e)
{
    struct storing *s = ctx;

    return db_author_put(s->store->db, author->user_id, author->display_name, author->link, s->now, e);
}

/* A row that was seen at `as_of` and, as is known since, was gone at `seconds`; the first such time is kept. */
#define GONE_AT(seconds, as_of) \
    "(deleted_at IS NULL OR deleted_at > " ISO seconds UNIX ") AND " as_of " <= " ISO seconds UNIX
#define POST_AS_OF \
    "coalesce((SELECT s.as_of FROM post_state AS s WHERE s.post_id = post.post_id)," \
    " (SELECT r.as_of FROM run AS r WHERE r.run_id = post.first_run_id), last_activity_at, '')"

SQL(LISTING_PUT,
    "INSERT INTO api_listing (post_id, what, listed_at, created_from, created_to)"
    " VALUES (:post_id, :what, " ISO ":listed_at" UNIX ", " ISO ":created_from" UNIX ", " ISO ":created_to" UNIX ")"
    " ON CONFLICT DO UPDATE SET created_to = max(created_to, excluded.created_to)");

static enum status MUST_USE put_listing(struct storing *s, const char *what, int64_t post_id, int64_t from, int64_t to,
                                        struct err *e)
{
    s->store->db->listings = LISTINGS_SOME;
    return sql_run(s->store->db, SQL_LISTING_PUT, e, BIND(":post_id", post_id), BIND(":what", span_of(what)),
                   BIND(":listed_at", s->now), BIND(":created_from", from), BIND(":created_to", to));
}

/* Counts what the statement marks as gone. */
static enum status MUST_USE mark(struct storing *s, struct sql *which, struct err *e)
{
    enum status status = sql_done(s->store->db, which, e);

    s->store->counts.gone += status == ST_OK ? (uint64_t)sqlite3_changes64(s->store->db->handle) : 0;
    return status;
}

SQL(ANSWERS_HELD, "SELECT 1 FROM post WHERE parent_id = :parent_id AND post_type = 'answer' LIMIT 1");
SQL(COMMENTS_HELD, "SELECT 1 FROM comment WHERE post_id = :post_id LIMIT 1");

#define MARK(table) SQL_OR_NOTHING "UPDATE " table " SET deleted_at = " ISO ":now" UNIX ", run_id = :run_id WHERE "
#define NOT_LISTED(id) \
    " AND " id " NOT IN (SELECT value FROM json_each(:ids)) AND ifnull(created_at, '') >= " ISO ":created_from" UNIX \
    " AND ifnull(created_at, '') < " ISO ":created_to" UNIX

SQL(ANSWERS_PRESENT, MARK("post") "parent_id = :post_id AND post_type = 'answer' AND " GONE_AT(":now", POST_AS_OF)
                         NOT_LISTED("post_id"));
SQL(COMMENTS_PRESENT,
    MARK("comment") "post_id = :post_id AND " GONE_AT(":now", "ifnull(as_of, '')") NOT_LISTED("comment_id"));

/* Of all answers or comments of a post that were created from `from` until before `to`, only these are there. */
struct present {
    int64_t post_id;
    const int64_t *ids;
    size_t n;
    int64_t from, to;
};

/* Marks the others as gone, except those seen later. Keeps the listing, so that older states that are put afterwards
 * are marked, too. Looks first whether there is anything to mark: that costs a tenth, and most posts are new. */
static enum status MUST_USE mark_absent(struct storing *s, bool are_answers, const struct present *present,
                                        struct err *e)
{
    struct sql *held = are_answers ? SQL_ANSWERS_HELD : SQL_COMMENTS_HELD;
    struct sql *which = are_answers ? SQL_ANSWERS_PRESENT : SQL_COMMENTS_PRESENT;
    struct db *db = s->store->db;
    AT_END(buf_clear) struct buf ids = {0};
    int64_t any = POST_ABSENT;
    enum status status = put_listing(s, are_answers ? "answers" : "comments", present->post_id, present->from,
                                     present->to, e);

    sql_bind_int_at(db, held, 1, present->post_id);
    THEN(status, sql_one_int(db, held, &any, e));
    if (status != ST_OK || any == POST_ABSENT)
        return status;
    buf_add_char(&ids, '[');
    for (size_t i = 0; i < present->n; i++)
        buf_addf(&ids, "%s%" PRId64, i > 0 ? "," : "", present->ids[i]);
    buf_add_char(&ids, ']');
    sql_bind(db, which, BIND(":post_id", present->post_id), BIND(":ids", buf_span(&ids)), BIND(":now", s->now),
             BIND(":created_from", present->from), BIND(":created_to", present->to), BIND(":run_id", s->store->run_id));
    return mark(s, which, e);
}

/* A whole list says what is gone; what a list lacks is asked for later. */
static enum status take_list(void *ctx, const struct api_list *list, struct err *e)
{
    struct storing *s = ctx;
    struct present present = {list->post_id, list->ids, list->n, 0, DB_TIME_MAX};
    struct db_due due = {list->post_id, list->expected, 0, 1};
    enum api_method method = list->what == API_LIST_ANSWERS     ? API_QUESTION_ANSWERS
                             : list->post_type == POST_QUESTION ? API_QUESTION_COMMENTS
                                                                : API_ANSWER_COMMENTS;

    if (list->complete)
        return mark_absent(s, list->what == API_LIST_ANSWERS, &present, e);
    if (s->store->is_replay)
        return ST_OK;
    return db_due_put(s->store->db, api_method_name(method), &due, e);
}

static void refused(void *ctx, int64_t id, const char *why)
{
    struct storing *s = ctx;

    s->store->counts.refused++;
    if (s->store->left != NULL)
        refused_add(s->store->left, REFUSED_NO_BYTE, id, why);
}

static void escaped_twice(void *ctx, int64_t id, struct span text)
{
    struct storing *s = ctx;

    s->store->counts.escaped_twice++;
    log_debug("%" PRId64 ": text that may be escaped twice: %.*s", id, (int)(text.len < 200 ? text.len : 200),
              text.ptr);
}

/* --- what is not there --- */

SQL(POST_GONE,
    MARK("post") "(post_id = :post_id OR (parent_id = :post_id AND post_type = 'answer')) AND " GONE_AT(":now",
                                                                                                        POST_AS_OF));

/* Questions that were asked for by id and did not come. A gone question takes its answers with it. */
static enum status MUST_USE mark_gone(struct storing *s, struct err *e)
{
    struct span rest = s->request.ids, part;
    enum status status = ST_OK;
    int64_t id;

    while (status == ST_OK && span_cut(&rest, ';', &part)) {
        bool came = !span_i64(part, &id);
        for (size_t i = 0; i < s->items.n; i++)
            came = came || s->items.at[i].id == id;
        if (came)
            continue;
        status = put_listing(s, "post", id, 0, DB_TIME_MAX, e);
        sql_bind(s->store->db, SQL_POST_GONE, BIND(":post_id", id), BIND(":now", s->now),
                 BIND(":run_id", s->store->run_id));
        THEN(status, mark(s, SQL_POST_GONE, e));
    }
    return status;
}

/* Of the answers or comments of these posts, created from `min` on until the last one that came (or for ever), only
 * those that came exist. A later page does not know earlier ones. */
static enum status MUST_USE mark_unlisted(struct storing *s, const struct api_answer *answer, struct err *e)
{
    struct span rest = s->request.ids, part;
    int64_t min = api_query_number(s->request.query, "min");
    size_t n_items = api_answer_items(answer);
    struct present present = {.from = min == POST_ABSENT ? 0 : min + 1, .to = DB_TIME_MAX};
    enum status status = ST_OK;
    AT_END(mem_end) int64_t *own = mem_alloc((s->items.n + 1) * sizeof *own);

    if (api_answer_has_more(answer))
        present.to = n_items > 0 ? api_answer_number(answer, n_items - 1, "creation_date") : 0;
    while (status == ST_OK && span_cut(&rest, ';', &part)) {
        if (!span_i64(part, &present.post_id))
            continue;
        present.n = 0;
        present.ids = own;
        for (size_t i = 0; i < s->items.n; i++)
            if (s->items.at[i].parent == present.post_id)
                own[present.n++] = s->items.at[i].id;
        status = mark_absent(s, s->request.method == API_QUESTION_ANSWERS, &present, e);
    }
    return status;
}

/* --- an answer --- */

enum status crawl_store_answer(struct crawl_store *store, struct span request, const struct api_answer *answer,
                               bool safe_filter, int64_t now, struct err *e)
{
    struct storing s = {.store = store, .now = now};
    struct api_reader reader = {
        .ctx = &s,
        .wants = wants,
        .post = put_post,
        .comment = put_comment,
        .author = put_author,
        .list = take_list,
        .refused = refused,
        .escaped_twice = escaped_twice,
        .safe_filter = safe_filter,
    };

    if (!api_request_read(request, &s.request))
        return err_set(e, ST_DATABASE, "not a request: %.*s", (int)(request.len < 200 ? request.len : 200),
                       request.ptr);
    if (!api_time_text(now, s.now_text))
        return err_set(e, ST_DATABASE, "an answer of the API has no date");
    s.from = api_query_number(s.request.query, "fromdate");
    s.to = api_query_number(s.request.query, "todate");
    s.from += s.from != POST_ABSENT && s.from != 0;
    s.to -= s.to != POST_ABSENT;
    uint64_t refused_before = store->counts.refused;
    enum status status = api_answer_each(answer, s.request.method, &reader, e);
    if (status == ST_OK && store->counts.refused == refused_before) {
        /* A question that is not under its tag may be under another. */
        if (s.request.method == API_QUESTIONS_BY_ID && !api_answer_has_more(answer))
            status = mark_gone(&s, e);
        else if (s.request.method > API_QUESTIONS_BY_ID && api_query_number(s.request.query, "page") == POST_ABSENT)
            status = mark_unlisted(&s, answer, e);
    }
    array_clear(&s.items);
    return status;
}

/* --- an answer of a tracker --- */

struct tracked {
    struct storing base;
    const struct study *study;
    struct refused *left;
    struct span request;
};

static void refuse_tracked(void *ctx, int64_t id, const char *why)
{
    struct tracked *t = ctx;

    t->base.store->counts.refused++;
    if (t->left != NULL)
        refused_leave(t->left, 0, id, why);
    log_warn("%.*s: post %" PRId64 " left out: %s", SPAN_ARG(t->request), id, why);
}

static enum status put_tracked(void *ctx, const struct post *post, struct err *e)
{
    struct tracked *t = ctx;
    int64_t code = study_code_of(t->study, post->site);
    struct post stored = stored_post(post, code);

    if (code >= 0)
        return put_post(&t->base, &stored, e);
    AT_END(mem_end)
    char *why = mem_addf("of the site %.*s, which the study does not have", (int)post->site.len,
                         post->site.len > 0 ? post->site.ptr : "");
    refuse_tracked(t, post->post_id, why);
    return ST_OK;
}

static enum status put_tracked_author(void *ctx, const struct api_author *author, struct err *e)
{
    struct tracked *t = ctx;
    int64_t code = study_code_of(t->study, author->site);

    if (code < 0) /* of a post that is refused */
        return ST_OK;
    return db_author_put(t->base.store->db, study_id(code, author->user_id), author->display_name, author->link,
                         t->base.now, e);
}

enum status crawl_store_records(struct crawl_store *store, const struct study *study, struct refused *left,
                                struct span request, struct span body, int64_t now, struct err *e)
{
    struct tracked t = {.base = {.store = store, .now = now}, .study = study, .left = left, .request = request};
    struct api_reader reader = {
        .ctx = &t, .post = put_tracked, .author = put_tracked_author, .refused = refuse_tracked};
    AT_END(buf_clear) struct buf item = {0};

    if (!api_time_text(now, t.base.now_text))
        return err_set(e, ST_DATABASE, "an answer of the API has no date");
    if (*request.ptr != '/') {
        /* A topic does not say where it is from, so that it is made an item of Perceval, which does. */
        size_t end = span_find(request, SPAN("/t/"));
        buf_add_text(&item, "{\"backend_name\":\"Discourse\",\"category\":\"topic\",\"origin\":");
        buf_add_json(&item, (struct span){request.ptr, end == SIZE_MAX ? 0 : end});
        buf_add_text(&item, ",\"data\":");
        buf_add_span(&item, body);
        buf_add_char(&item, '}');
        body = buf_span(&item);
    }
    return ndjson_read(body, &reader, NULL, e);
}

void crawl_counts_json(const struct crawl_counts *c, struct buf *out)
{
    const struct {
        const char *name;
        uint64_t n;
    } members[] = {
        {"questions", c->questions},
        {"answers", c->answers},
        {"new", c->n_put[DB_PUT_NEW]},
        {"changed", c->n_put[DB_PUT_CHANGED]},
        {"unchanged", c->n_put[DB_PUT_SAME]},
        {"older", c->n_put[DB_PUT_OLDER]},
        {"comments", c->comments},
        {"comments_changed", c->comments_changed},
        {"gone", c->gone},
        {"back", c->back},
        {"escaped_twice", c->escaped_twice},
        {"refused", c->refused},
    };

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        buf_addf(out, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", members[i].name, members[i].n);
}
