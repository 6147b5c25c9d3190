/* Posts as they come and as they are stored. In db_post_put, dates decide which of two states is newer, never the order
 * of loading, so dumps and answers may come in any order, and again. */
#include "db/posts.h"
#include "base/table/table.h"
#include "db/fragments.h"
#include "db/sql.h"

/* --- the columns between post_type and body_html, in the order of SQL_POST_GET --- */

/* What becomes of a value when a newer state of the post has none. */
enum when_absent {
    KEEP,          /* the source does not carry it: dumps differ in their columns, the API in its filter */
    DROP,          /* the post has it no longer: accepted answers are unaccepted, closed posts reopened */
    DROP_IF_NEWER, /* the same, but not on the word of a state as old as the held one */
    PERSON,        /* see merge_person: the id, and the name in the column after it */
    PERSON_NAME,
};

/* clang-format off */
#define COLUMN(member, kind, attribute) POST_MEMBER(member, kind),
#define PARAMETER(member, kind, attribute) ":" #member,
#define AT(member, kind, attribute) AT_##member,
static const struct post_member columns[] = {POST_MEMBERS(COLUMN) POST_MEMBER(body_html, TEXT)};
static const char *const parameters[] = {POST_MEMBERS(PARAMETER) ":body_html"};
enum { POST_MEMBERS(AT) COLUMNS = ARRAY_LEN(columns) };
/* clang-format on */

static const enum when_absent when_absent[COLUMNS] = {
    [AT_accepted_answer_id] = DROP,
    [AT_deleted_at] = DROP_IF_NEWER,
    [AT_closed_at] = DROP,
    [AT_owner_user_id] = PERSON,
    [AT_owner_display_name] = PERSON_NAME,
    [AT_last_editor_user_id] = PERSON,
    [AT_last_editor_display_name] = PERSON_NAME,
};

/* A post with the date of its source and, for each value, the date of the source that brought it: the same or older. */
struct state {
    struct post post;
    struct span as_of;
    struct span dates[COLUMNS];
};

/* Columns of a result. */
enum { RESULT_ID, RESULT_TYPE, RESULT_FIRST, RESULT_AS_OF = RESULT_FIRST + ARRAY_LEN(columns) };

/* Of a statement that reads, in this order, or writes. */
#define NAME(member, kind, attribute) #member ", "
#define VALUE(member, kind, attribute) ":" #member ", "
#define POST_COLUMNS "post_type, " POST_MEMBERS(NAME) "body_html"
#define POST_VALUES ":post_type, " POST_MEMBERS(VALUE) ":body_html"

SQL(POST_GET, "SELECT post_id, " POST_COLUMNS ","
              "  coalesce((SELECT as_of FROM post_state AS s WHERE s.post_id = post.post_id),"
              "           (SELECT as_of FROM run AS r WHERE r.run_id = post.first_run_id))"
              " FROM post WHERE post_id = :post_id");

static int64_t int_of(const struct post *post, const struct post_member *c)
{
    return *(const int64_t *)(const void *)((const char *)post + c->offset);
}

static struct span text_of(const struct post *post, const struct post_member *c)
{
    return *(const struct span *)(const void *)((const char *)post + c->offset);
}

/* Absent and empty are two things. */
static bool same_text(struct span a, struct span b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && span_eq(a, b);
}

/* The hash of the body in lower-case hexadecimal; ptr NULL for a post without a body. */
static struct span body_hash(const struct post *post, char sha256[SHA256_TEXT_SIZE])
{
    if (post->body_html.ptr == NULL)
        return (struct span){0};
    sha256_of(post->body_html, sha256);
    return span_of(sha256);
}

/* --- rows --- */

static enum status MUST_USE write_post(struct db *db, struct sql *which, const struct post *post, int64_t run_id,
                                       struct err *e)
{
    char sha256[SHA256_TEXT_SIZE], type[POST_TYPE_TEXT_SIZE];

    sql_bind(db, which, BIND(":post_id", post->post_id), BIND(":post_type", span_of(post_type_text(post->type, type))));
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (columns[i].kind == MEMBER_NUMBER)
            sql_bind_int(db, which, parameters[i], int_of(post, &columns[i]));
        else
            sql_bind_text(db, which, parameters[i], text_of(post, &columns[i]));
    }
    return sql_run(db, which, e, BIND(":body_sha256", body_hash(post, sha256)), BIND(":run_id", run_id));
}

/* The post's spans live until the statement is reset. */
static void read_post(struct db *db, struct sql *which, struct post *post)
{
    *post = post_empty();
    post->post_id = sql_int(db, which, RESULT_ID);
    post->type = post_type_of(sql_text(db, which, RESULT_TYPE));
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        int column = RESULT_FIRST + (int)i;
        if (columns[i].kind == MEMBER_NUMBER)
            *post_number_at(post, &columns[i]) = sql_int(db, which, column);
        else
            *post_text_at(post, &columns[i]) = sql_text(db, which, column);
    }
}

/* --- which of two states is newer --- */

/* The API gives dates in seconds, the dumps in milliseconds: one edit is one second. */
#define SECONDS_LEN 19 /* of "2018-01-02T01:12:20.123Z" */

static int date_order(struct span a, struct span b)
{
    size_t len = SECONDS_LEN;

    if (a.len < len || b.len < len)
        return 0; /* not known */
    return memcmp(a.ptr, b.ptr, len);
}

static struct span edit_date(const struct post *post)
{
    return post->last_edited_at.ptr != NULL ? post->last_edited_at : post->created_at;
}

/* Of states of one date. < 0: a is older; 0: the dates do not say. */
static int version_order(const struct post *a, const struct post *b)
{
    int order = date_order(edit_date(a), edit_date(b));

    return order != 0 ? order : date_order(a->last_activity_at, b->last_activity_at);
}

static struct span later(struct span a, struct span b)
{
    if (a.len < SECONDS_LEN)
        return b;
    return b.len == a.len && memcmp(a.ptr, b.ptr, a.len) < 0 ? b : a;
}

/* A post whose source has no known date is as of the last date in it. */
static struct span state_date(struct span as_of, const struct post *post)
{
    if (as_of.len >= SECONDS_LEN)
        return as_of;
    return later(later(post->last_activity_at, post->last_edited_at), post->created_at);
}

/* --- merging --- */

/* The finer of two spellings of one date, else `first`. */
static struct span merge_dates(struct span first, struct span second)
{
    if (first.len < SECONDS_LEN || second.len != first.len || date_order(first, second) != 0)
        return first;
    return memcmp(first.ptr, second.ptr, first.len) < 0 ? second : first;
}

/* What two states become, column by column. */
struct merging {
    const struct state *held;
    const struct post *incoming;
    struct span as_of; /* of the incoming post */
    int by_version;    /* version_order of the incoming post against the held one */
    int order;         /* of the two states; < 0: the incoming one is older */
    bool same_edit;    /* who made an edit did not make the next one */
    struct state *out;
};

/* Whether the incoming post's value is newer than the held one's, or as new. */
static bool is_newer(const struct merging *m, size_t column)
{
    int order = date_order(m->as_of, m->held->dates[column]);

    return (order != 0 ? order : m->by_version) >= 0;
}

static void take(struct merging *m, size_t column, bool incoming)
{
    const struct post_member *c = &columns[column];
    const struct post *from = incoming ? m->incoming : &m->held->post;

    if (c->kind == MEMBER_NUMBER)
        *post_number_at(&m->out->post, c) = int_of(from, c);
    else
        *post_text_at(&m->out->post, c) = text_of(from, c);
    m->out->dates[column] = incoming ? m->as_of : m->held->dates[column];
}

static bool is_absent(const struct post *post, const struct post_member *c)
{
    return c->kind == MEMBER_NUMBER ? int_of(post, c) == POST_ABSENT : text_of(post, c).ptr == NULL;
}

static void merge_value(struct merging *m, size_t column)
{
    const struct post_member *c = &columns[column];
    bool newer = is_newer(m, column);
    enum when_absent rule = when_absent[column];
    bool keeps_absent = rule == DROP || (rule == DROP_IF_NEWER && m->order != 0);

    if (!keeps_absent && is_absent(newer ? m->incoming : &m->held->post, c))
        newer = !newer;
    take(m, column, newer);
    if (c->kind == MEMBER_ISO_DATE && !is_absent(m->incoming, c) && !is_absent(&m->held->post, c))
        *post_text_at(&m->out->post, c) = merge_dates(text_of(&m->out->post, c),
                                                      text_of(newer ? &m->held->post : m->incoming, c));
}

static bool is_nobody(const struct post *post, size_t column)
{
    return is_absent(post, &columns[column]) && is_absent(post, &columns[column + 1]);
}

/* A person is an id, a name or both; a name alone: the account is gone. A source without the name (a dump) keeps the
 * name of the same id. */
static void merge_person(struct merging *m, size_t column, bool may_fill)
{
    const struct post_member *id = &columns[column], *name = &columns[column + 1];
    bool newer = is_newer(m, column);

    if (may_fill && is_nobody(newer ? m->incoming : &m->held->post, column))
        newer = !newer;
    take(m, column, newer);
    take(m, column + 1, newer);
    if (!may_fill || int_of(m->incoming, id) != int_of(&m->held->post, id))
        return;
    newer = is_newer(m, column + 1);
    if (is_absent(newer ? m->incoming : &m->held->post, name))
        newer = !newer;
    take(m, column + 1, newer);
}

static bool same_post(const struct post *a, const struct post *b)
{
    if (a->type != b->type)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const struct post_member *c = &columns[i];
        bool same = c->kind == MEMBER_NUMBER ? int_of(a, c) == int_of(b, c) : same_text(text_of(a, c), text_of(b, c));
        if (!same)
            return false;
    }
    return true;
}

/* --- revisions --- */

/* What a revision keeps: the texts. */
static bool same_version(const struct post *a, const struct post *b)
{
    return same_text(a->title, b->title) && same_text(a->tags, b->tags) && same_text(a->body_html, b->body_html);
}

SQL(REVISION_PUT,
    SQL_OR_NOTHING "INSERT INTO revision (post_id, title, tags, edited_at, content_license, run_id, seen_at,"
                   "  body_sha256, body_html) VALUES (:post_id, :title, :tags, :edited_at, :content_license,"
                   " :run_id, :seen_at, :body_sha256, :body_html)"
                   " ON CONFLICT (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''))"
                   " DO UPDATE SET edited_at = excluded.edited_at, content_license = excluded.content_license"
                   " WHERE excluded.edited_at > ifnull(edited_at, '')");

SQL(REVISION_DELETE,
    "DELETE FROM revision WHERE post_id = :post_id AND ifnull(body_sha256, '') = ifnull(:body_sha256, '')"
    " AND ifnull(title, '') = ifnull(:title, '') AND ifnull(tags, '') = ifnull(:tags, '')");

/* Stores an old or a new version as a revision, unless it is the current one. Takes texts that its source lacks from
 * the current one. */
static enum status MUST_USE put_aside(struct db *db, const struct post *version, const struct post *current,
                                      int64_t run_id, struct err *e)
{
    struct post whole = *version;

    if (whole.title.ptr == NULL)
        whole.title = current->title;
    if (whole.tags.ptr == NULL)
        whole.tags = current->tags;
    if (whole.body_html.ptr == NULL)
        whole.body_html = current->body_html;
    if (same_version(&whole, current))
        return ST_OK;
    char sha256[SHA256_TEXT_SIZE], now[TIME_TEXT_SIZE];
    time_now(now);
    return sql_run(db, SQL_REVISION_PUT, e, BIND(":post_id", whole.post_id), BIND(":title", whole.title),
                   BIND(":tags", whole.tags), BIND(":edited_at", edit_date(&whole)),
                   BIND(":content_license", whole.content_license), BIND(":run_id", run_id),
                   BIND(":seen_at", span_of(now)), BIND(":body_sha256", body_hash(&whole, sha256)),
                   BIND(":body_html", whole.body_html));
}

/* --- how new a post is --- */

SQL(POST_VALUE_EACH, "SELECT name, as_of FROM post_value WHERE post_id = :post_id");

SQL(LISTING_ANY, "SELECT 1 FROM api_listing LIMIT 1");

bool db_knows_listings(struct db *db, struct err *e)
{
    bool any = false;

    if (db->listings == LISTINGS_UNKNOWN && sql_row(db, SQL_LISTING_ANY, &any, e) == ST_OK) {
        sql_reset(db, SQL_LISTING_ANY);
        db->listings = any ? LISTINGS_SOME : LISTINGS_NONE;
    }
    return db->listings == LISTINGS_SOME;
}

/* When a post (:post_id), an answer to :parent_id, created at :created_at and last seen at :as_of, was found gone. */
SQL(LISTING_GONE, "SELECT min(listed_at) FROM"
                  " (SELECT min(listed_at) AS listed_at FROM api_listing"
                  "  WHERE post_id IN (:post_id, :parent_id) AND what = 'post' AND listed_at > :as_of"
                  "  UNION ALL"
                  "  SELECT min(listed_at) FROM api_listing WHERE post_id = :parent_id AND what = 'answers'"
                  "   AND listed_at > :as_of AND created_from <= ifnull(:created_at, '')"
                  " AND created_to > ifnull(:created_at, ''))");

/* Marks a post that the API no longer had after it was seen last. `space` is for the date. */
static enum status MUST_USE mark_gone(struct db *db, struct post *post, struct span as_of, char space[TIME_TEXT_SIZE],
                                      struct err *e)
{
    enum status status = ST_OK;

    if (!db_knows_listings(db, e))
        return ST_OK;
    sql_bind(db, SQL_LISTING_GONE, BIND(":post_id", post->post_id),
             BIND(":parent_id", post->type == POST_ANSWER ? post->parent_id : POST_ABSENT),
             BIND(":created_at", post->created_at), BIND(":as_of", as_of));
    while (sql_next(db, SQL_LISTING_GONE, &status, e)) {
        struct span gone = sql_text(db, SQL_LISTING_GONE, 0);
        if (gone.len != TIME_TEXT_SIZE - 1)
            continue;
        memcpy(space, gone.ptr, gone.len);
        gone.ptr = space;
        if (post->deleted_at.ptr == NULL || date_order(gone, post->deleted_at) < 0)
            post->deleted_at = gone;
    }
    return status;
}

/* Whether the table post_value has the date of this value: it is older than the state. */
static bool has_own_date(const struct state *s, size_t column)
{
    enum when_absent rule = when_absent[column];
    bool present = rule == PERSON ? !is_nobody(&s->post, column)
                                  : (rule == KEEP || rule == PERSON_NAME) && !is_absent(&s->post, &columns[column]);

    return present && !span_eq(s->dates[column], s->as_of);
}

static bool same_dates(const struct state *a, const struct state *b)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (has_own_date(a, i) != has_own_date(b, i) || (has_own_date(a, i) && !span_eq(a->dates[i], b->dates[i])))
            return false;
    return true;
}

SQL(POST_STATE_PUT, "INSERT INTO post_state (post_id, as_of) VALUES (:post_id, :as_of)"
                    " ON CONFLICT (post_id) DO UPDATE SET as_of = excluded.as_of");

SQL(POST_VALUE_PUT, "INSERT INTO post_value (post_id, name, as_of) VALUES (:post_id, :name, :as_of)");

SQL(POST_VALUE_CLEAR, "DELETE FROM post_value WHERE post_id = :post_id");

static enum status MUST_USE write_dates(struct db *db, const struct state *held, const struct state *now, struct err *e)
{
    enum status status = ST_OK;
    bool is_new = held == NULL;

    if (now->as_of.ptr != NULL && (is_new || !span_eq(held->as_of, now->as_of)))
        status = sql_run(db, SQL_POST_STATE_PUT, e, BIND(":post_id", now->post.post_id), BIND(":as_of", now->as_of));
    if (status != ST_OK || (!is_new && same_dates(held, now)))
        return status;
    status = sql_run(db, SQL_POST_VALUE_CLEAR, e, BIND(":post_id", now->post.post_id));
    for (size_t i = 0; i < COLUMNS && status == ST_OK; i++) {
        if (!has_own_date(now, i))
            continue;
        sql_bind(db, SQL_POST_VALUE_PUT, BIND(":post_id", now->post.post_id), BIND(":name", span_of(columns[i].name)));
        /* Of an unknown date, which is older than all that is known: "". */
        status = sql_run(db, SQL_POST_VALUE_PUT, e, BIND(":as_of", now->dates[i].len > 0 ? now->dates[i] : SPAN("")));
    }
    return status;
}

/* --- putting a post --- */

static enum status MUST_USE put_aside_what_is_older(struct db *db, const struct merging *m, bool changed,
                                                    int64_t run_id, struct err *e)
{
    const struct post *held = &m->held->post, *merged = &m->out->post;
    enum status status = ST_OK;

    if (changed && !same_version(held, merged)) {
        status = put_aside(db, held, merged, run_id, e);
        if (status == ST_OK) {
            /* The version that is current now is not also an older one: an edit was taken back. */
            char sha256[SHA256_TEXT_SIZE];
            status = sql_run(db, SQL_REVISION_DELETE, e, BIND(":post_id", merged->post_id),
                             BIND(":body_sha256", body_hash(merged, sha256)), BIND(":title", merged->title),
                             BIND(":tags", merged->tags));
        }
    }
    if (status == ST_OK && m->order < 0)
        status = put_aside(db, m->incoming, merged, run_id, e);
    return status;
}

SQL(POST_UPDATE, "UPDATE post SET (" POST_COLUMNS ", body_sha256, run_id) = (" POST_VALUES ", :body_sha256, :run_id)"
                 " WHERE post_id = :post_id");

static enum status MUST_USE put_over(struct db *db, const struct state *held, const struct post *incoming,
                                     const struct db_origin *origin, enum db_put *what, struct err *e)
{
    enum status status = ST_OK;
    char gone_at[TIME_TEXT_SIZE];
    struct state out = {.post = post_empty()};
    struct merging m = {
        .held = held,
        .incoming = incoming,
        .as_of = state_date(origin->as_of, incoming),
        .by_version = version_order(incoming, &held->post),
        .same_edit = date_order(incoming->last_edited_at, held->post.last_edited_at) == 0,
        .out = &out,
    };
    m.order = date_order(m.as_of, held->as_of);
    if (m.order == 0)
        m.order = m.by_version;
    const struct post *newest = m.order < 0 ? &m.held->post : m.incoming;
    const struct post *other = m.order < 0 ? m.incoming : &m.held->post;

    m.out->post.post_id = newest->post_id;
    m.out->post.type = newest->type != POST_ABSENT ? newest->type : other->type;
    m.out->as_of = later(m.held->as_of, m.as_of);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (when_absent[i] == PERSON)
            merge_person(&m, i, i == AT_owner_user_id || m.same_edit);
        else if (when_absent[i] != PERSON_NAME)
            merge_value(&m, i);
    }
    if (m.order >= 0 && origin->as_of.ptr != NULL) {
        out.post.deleted_at = incoming->deleted_at;
        status = mark_gone(db, &out.post, out.as_of, gone_at, e);
    }
    bool changed = !same_post(&held->post, &out.post);
    bool is_back = held->post.deleted_at.ptr != NULL && out.post.deleted_at.ptr == NULL;
    *what = is_back ? DB_PUT_BACK : m.order < 0 ? DB_PUT_OLDER : changed ? DB_PUT_CHANGED : DB_PUT_SAME;
    if (status == ST_OK && changed)
        status = write_post(db, SQL_POST_UPDATE, &out.post, origin->run_id, e);
    THEN(status, write_dates(db, held, &out, e));
    return status == ST_OK ? put_aside_what_is_older(db, &m, changed, origin->run_id, e) : status;
}

SQL(POST_INSERT, SQL_OR_NOTHING "INSERT INTO post (post_id, " POST_COLUMNS ", body_sha256, run_id, first_run_id)"
                                " VALUES (:post_id, " POST_VALUES ", :body_sha256, :run_id, :run_id)"
                                " ON CONFLICT (post_id) DO NOTHING");

/* The date of a new post is that of its run, unless the source has one of its own. */
static enum status MUST_USE put_new(struct db *db, const struct post *post, const struct db_origin *origin, bool *done,
                                    struct err *e)
{
    struct state state = {.post = *post, .as_of = origin->as_of};
    enum status status = ST_OK;
    char gone_at[TIME_TEXT_SIZE];

    if (origin->as_of.ptr != NULL)
        status = mark_gone(db, &state.post, origin->as_of, gone_at, e);
    THEN(status, write_post(db, SQL_POST_INSERT, &state.post, origin->run_id, e));
    *done = status == ST_OK && sqlite3_changes(db->handle) > 0;
    if (!*done || origin->is_run_date || origin->as_of.ptr == NULL)
        return status;
    for (size_t i = 0; i < COLUMNS; i++)
        state.dates[i] = state.as_of;
    return write_dates(db, NULL, &state, e);
}

static enum status MUST_USE put_held(struct db *db, const struct post *post, const struct db_origin *origin,
                                     enum db_put *what, bool *done, struct err *e)
{
    struct state held;
    AT_END(buf_clear) struct buf dates = {0};

    sql_bind_int(db, SQL_POST_GET, ":post_id", post->post_id);
    enum status status = sql_row(db, SQL_POST_GET, done, e);
    if (!*done)
        return status;
    /* The spans of `held` live until SQL_POST_GET is reset, and as long as `dates`. */
    read_post(db, SQL_POST_GET, &held.post);
    held.as_of = state_date(sql_text(db, SQL_POST_GET, RESULT_AS_OF), &held.post);
    for (size_t i = 0; i < COLUMNS; i++)
        held.dates[i] = held.as_of;
    buf_reserve(&dates, (size_t)COLUMNS * TIME_TEXT_SIZE); /* so that it does not move */
    sql_bind_int(db, SQL_POST_VALUE_EACH, ":post_id", held.post.post_id);
    while (sql_next(db, SQL_POST_VALUE_EACH, &status, e)) {
        struct span name = sql_text(db, SQL_POST_VALUE_EACH, 0);
        struct span date = sql_text(db, SQL_POST_VALUE_EACH, 1);
        for (size_t i = 0; i < COLUMNS; i++) {
            if (!span_eq(name, span_of(columns[i].name)) || date.len >= TIME_TEXT_SIZE)
                continue;
            held.dates[i] = (struct span){dates.ptr + dates.len, date.len};
            buf_add_span(&dates, date);
        }
    }
    THEN(status, put_over(db, &held, post, origin, what, e));
    sql_reset(db, SQL_POST_GET);
    return status;
}

SQL(POST_URL_PUT, SQL_OR_NOTHING "INSERT INTO post_url (post_id, url) VALUES (:post_id, :url)"
                                 " ON CONFLICT (post_id) DO UPDATE SET url = excluded.url WHERE url <> excluded.url");

/* New and stored posts come in long runs, so what worked for the last is tried first: an insert without a look, or a
 * look without hashing the body. */
enum { WRITE_BEHIND_POSTS = 1000 };

enum status db_post_put(struct db *db, const struct post *post, const struct db_origin *origin, enum db_put *what,
                        struct err *e)
{
    /* Links that a browser may follow. */
    bool is_link = span_starts(post->url, SPAN("https://")) || span_starts(post->url, SPAN("http://"));
    enum status status = ST_OK;
    bool done = false;

    *what = DB_PUT_NEW;
    if (post->post_id == POST_ABSENT || post->type == POST_ABSENT)
        return err_set(e, ST_INPUT, "a post without an id or a type cannot be kept");
    if (!db->expects_held)
        status = put_new(db, post, origin, &done, e);
    if (status == ST_OK && !done)
        status = put_held(db, post, origin, what, &done, e);
    if (status == ST_OK && !done)
        status = put_new(db, post, origin, &done, e);
    if (status == ST_OK && *what != DB_PUT_OLDER && is_link)
        status = sql_run(db, SQL_POST_URL_PUT, e, BIND(":post_id", post->post_id), BIND(":url", post->url));
    db->expects_held = *what != DB_PUT_NEW;
    if (++db->n_put % WRITE_BEHIND_POSTS == 0)
        sql_write_behind(db);
    return status;
}

SQL(POST_EACH_ID, "SELECT post_id, post_type FROM post ORDER BY post_id");

/* --- reading --- */

enum status db_post_each_id(struct db *db, void (*each)(void *ctx, int64_t post_id, int64_t type), void *ctx,
                            struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_POST_EACH_ID, &status, e))
        each(ctx, sql_int(db, SQL_POST_EACH_ID, 0), post_type_of(sql_text(db, SQL_POST_EACH_ID, 1)));
    return status;
}

/* Hands on the rows of a statement that has the columns post_id, post_type, title, body_html. */
static enum status MUST_USE each_text(struct db *db, struct sql *which, db_take_post *each, void *ctx, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e)) {
        struct post post = post_empty();
        post.post_id = sql_int(db, which, 0);
        post.type = post_type_of(sql_text(db, which, 1));
        post.title = sql_text(db, which, 2);
        post.body_html = sql_text(db, which, 3);
        status = each(ctx, &post, e);
    }
    return status;
}

SQL(POST_EACH_TEXT, "SELECT post_id, post_type, title, body_html FROM post ORDER BY post_id");

enum status db_post_each_text(struct db *db, db_take_post *each, void *ctx, struct err *e)
{
    return each_text(db, SQL_POST_EACH_TEXT, each, ctx, e);
}

SQL(CANDIDATE_EACH_TEXT, "SELECT p.post_id, p.post_type, p.title, p.body_html"
                         " FROM candidate_post AS c JOIN post AS p USING (post_id) ORDER BY c.post_id");

enum status db_candidate_each_text(struct db *db, db_take_post *each, void *ctx, struct err *e)
{
    return each_text(db, SQL_CANDIDATE_EACH_TEXT, each, ctx, e);
}

SQL(POST_TEXT, "SELECT post_id, post_type, title, body_html FROM post WHERE post_id = :post_id");

enum status db_post_text(struct db *db, int64_t post_id, db_take_post *each, void *ctx, struct err *e)
{
    sql_bind_int(db, SQL_POST_TEXT, ":post_id", post_id);
    return each_text(db, SQL_POST_TEXT, each, ctx, e);
}

SQL(POST_TITLE, "SELECT title FROM post WHERE post_id = :post_id");

enum status db_post_title(struct db *db, int64_t post_id, struct buf *out, struct err *e)
{
    enum status status = ST_OK;

    sql_bind_int(db, SQL_POST_TITLE, ":post_id", post_id);
    while (sql_next(db, SQL_POST_TITLE, &status, e))
        buf_add_span(out, sql_text(db, SQL_POST_TITLE, 0));
    return status;
}

enum status db_post_title_cell(struct db *db, int64_t post_id, struct table *t, struct err *e)
{
    enum status status = ST_OK;
    bool held = false;

    sql_bind_int(db, SQL_POST_TITLE, ":post_id", post_id);
    for (; sql_next(db, SQL_POST_TITLE, &status, e); held = true)
        table_add_text(t, sql_text(db, SQL_POST_TITLE, 0));
    if (!held)
        table_add_absent(t);
    return status;
}

SQL(POST_THREAD,
    "SELECT post_id, " POST_COLUMNS
    ", " POST_URL("p.post_id") " FROM post AS p WHERE post_id = :post_id OR parent_id = :post_id"
                               " ORDER BY post_id <> :post_id,"
                               "  post_id <> ifnull((SELECT accepted_answer_id FROM post WHERE post_id = :post_id), 0),"
                               "  score DESC, post_id");

enum status db_thread_each(struct db *db, int64_t question_id, void (*each)(void *ctx, const struct post *post),
                           void *ctx, struct err *e)
{
    struct post post;

    sql_bind_int(db, SQL_POST_THREAD, ":post_id", question_id);
    enum status status = ST_OK;
    while (sql_next(db, SQL_POST_THREAD, &status, e)) {
        read_post(db, SQL_POST_THREAD, &post);
        post.url = sql_text(db, SQL_POST_THREAD, RESULT_AS_OF);
        each(ctx, &post);
    }
    return status;
}

SQL(SITE_GET, "SELECT 1 FROM site WHERE site_id = :id >> 53");

enum status db_has_site(struct db *db, int64_t post_id, bool *has, struct err *e)
{
    sql_bind_int(db, SQL_SITE_GET, ":id", post_id);
    enum status status = sql_row(db, SQL_SITE_GET, has, e);
    sql_reset(db, SQL_SITE_GET);
    return status;
}

SQL(COMMENT_EACH, "SELECT c.created_at, coalesce(c.user_display_name,"
                  "  (SELECT a.display_name FROM author AS a WHERE a.user_id = c.user_id)), c.score,"
                  "  c.body_html FROM comment AS c WHERE c.post_id = :post_id AND c.deleted_at IS NULL"
                  " ORDER BY c.created_at, c.comment_id");

struct sql *db_remarks(struct db *db, int64_t post_id)
{
    sql_bind_int(db, SQL_COMMENT_EACH, ":post_id", post_id);
    return SQL_COMMENT_EACH;
}

bool db_remark_next(struct db *db, struct sql *walk, struct db_remark *comment, enum status *status, struct err *e)
{
    return sql_next_into(db, walk, status, e, INTO(comment->created_at), INTO(comment->author), INTO(comment->score),
                         INTO(comment->body_html));
}

SQL(POST_LINK_EACH, "SELECT post_id, other_id, link_type = 'duplicate' FROM post_link"
                    " WHERE post_id >= :least AND post_id <= :most");

enum status db_post_link_each(struct db *db, int64_t post_id,
                              void (*each)(void *ctx, int64_t post_id, int64_t other_id, bool is_duplicate), void *ctx,
                              struct err *e)
{
    struct sql *which = SQL_POST_LINK_EACH;
    enum status status = ST_OK;

    sql_bind(db, which, BIND(":least", post_id), BIND(":most", post_id > 0 ? post_id : INT64_MAX));
    while (sql_next(db, which, &status, e))
        each(ctx, sql_int(db, which, 0), sql_int(db, which, 1), sql_int(db, which, 2) == 1);
    return status;
}

SQL(POST_COUNT, "SELECT count(*) FILTER (WHERE post_type = 'question'), count(*) FILTER (WHERE post_type = 'answer'),"
                "  count(*) FILTER (WHERE post_type NOT IN ('question', 'answer')) FROM post");

enum status db_post_count(struct db *db, int64_t *questions, int64_t *answers, int64_t *others, struct err *e)
{
    enum status status = ST_OK;

    *questions = *answers = *others = 0;
    while (sql_next_into(db, SQL_POST_COUNT, &status, e, INTO(*questions), INTO(*answers), INTO(*others)))
        continue;
    return status;
}

SQL(HIT_EACH, "SELECT h.field, k.keyword, iif(h.field = 'title', t.title, t.body), h.\"start\","
              "  h.\"end\" FROM hit AS h JOIN keyword AS k USING (keyword_id)"
              " JOIN post_text AS t USING (post_id)"
              " WHERE h.post_id = :post_id ORDER BY h.field DESC, h.\"start\", k.keyword_id");

struct sql *db_hits(struct db *db, int64_t post_id)
{
    sql_bind_int(db, SQL_HIT_EACH, ":post_id", post_id);
    return SQL_HIT_EACH;
}

bool db_hit_next(struct db *db, struct sql *walk, struct db_hit_text *hit, enum status *status, struct err *e)
{
    while (sql_next_into(db, walk, status, e, INTO(hit->field), INTO(hit->keyword), INTO(hit->text), INTO(hit->start),
                         INTO(hit->end)))
        if (hit->start <= hit->end && hit->end <= hit->text.len) /* people may write these rows too */
            return true;
    return false;
}
