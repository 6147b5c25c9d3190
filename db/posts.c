/*
 * Posts as they come and as they are held. db_post_put decides by dates which of two versions is
 * the newer, never by the order of loading, so that dumps may be loaded in any order, and again.
 */
#include "db/posts.h"
#include "db/sql.h"

#include <stddef.h>

/* --- the columns between post_type and body_html, in the order of the statements in sql.c --- */

/* What becomes of a value that is held when a version of the post comes that is not older and has
 * none. (An older version only fills gaps, and not those of columns that can become empty.) */
enum when_absent {
    KEEP, /* the source does not carry it: dumps differ in their columns, the API in its filter */
    DROP, /* the post has it no longer: accepted answers are unaccepted, closed posts reopened */
    DROP_IF_NEWER, /* the same, but not on the word of a version as old as the held one */
    PERSON, /* see merge_person */
};

enum column_type { INT, TEXT, DATE };

static const struct column {
    size_t offset; /* in struct post */
    enum column_type type;
    enum when_absent when_absent;
} columns[] = {
    {offsetof(struct post, parent_id), INT, KEEP},
    {offsetof(struct post, accepted_answer_id), INT, DROP},
    {offsetof(struct post, title), TEXT, KEEP},
    {offsetof(struct post, tags), TEXT, KEEP},
    {offsetof(struct post, score), INT, KEEP},
    {offsetof(struct post, view_count), INT, KEEP},
    {offsetof(struct post, answer_count), INT, KEEP},
    {offsetof(struct post, comment_count), INT, KEEP},
    {offsetof(struct post, favorite_count), INT, KEEP}, /* newer dumps have it no longer */
    {offsetof(struct post, created_at), DATE, KEEP},
    {offsetof(struct post, deleted_at), DATE, DROP_IF_NEWER},
    {offsetof(struct post, last_edited_at), DATE, KEEP},
    {offsetof(struct post, last_activity_at), DATE, KEEP},
    {offsetof(struct post, closed_at), DATE, DROP},
    {offsetof(struct post, community_owned_at), DATE, KEEP},
    {offsetof(struct post, owner_user_id), INT, PERSON},
    {offsetof(struct post, owner_display_name), TEXT, PERSON},
    {offsetof(struct post, last_editor_user_id), INT, PERSON},
    {offsetof(struct post, last_editor_display_name), TEXT, PERSON},
    {offsetof(struct post, content_license), TEXT, KEEP},
    {offsetof(struct post, body_html), TEXT, KEEP},
};

/* Parameters count from 1, columns of a result from 0. */
enum {
    PARAMETER_ID = 1,
    PARAMETER_TYPE,
    PARAMETER_FIRST,
    PARAMETER_SHA256 = PARAMETER_FIRST + ARRAY_LEN(columns),
    PARAMETER_RUN,
    RESULT_ID = 0,
    RESULT_TYPE = PARAMETER_TYPE - 1,
    RESULT_FIRST = PARAMETER_FIRST - 1
};

static int64_t *int_at(struct post *post, const struct column *c)
{
    return (int64_t *)(void *)((char *)post + c->offset);
}

static struct span *text_at(struct post *post, const struct column *c)
{
    return (struct span *)(void *)((char *)post + c->offset);
}

static int64_t int_of(const struct post *post, const struct column *c)
{
    return *(const int64_t *)(const void *)((const char *)post + c->offset);
}

static struct span text_of(const struct post *post, const struct column *c)
{
    return *(const struct span *)(const void *)((const char *)post + c->offset);
}

/* Absent and empty are two things. */
static bool same_text(struct span a, struct span b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && span_eq(a, b);
}

/* --- rows --- */

static enum status MUST_USE write_post(struct db *db, enum sql which, const struct post *post,
                                       int64_t run_id, struct err *e)
{
    char sha256[SHA256_TEXT_SIZE], type[POST_TYPE_TEXT_SIZE];
    bool has_body = post->body_html.ptr != NULL;

    if (has_body)
        db_sha256(post->body_html, sha256);
    sql_bind_int(db, which, PARAMETER_ID, post->post_id);
    sql_bind_text(db, which, PARAMETER_TYPE, span_of(post_type_text(post->type, type)));
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        int parameter = PARAMETER_FIRST + (int)i;
        if (columns[i].type == INT)
            sql_bind_int(db, which, parameter, int_of(post, &columns[i]));
        else
            sql_bind_text(db, which, parameter, text_of(post, &columns[i]));
    }
    sql_bind_text(db, which, PARAMETER_SHA256, has_body ? span_of(sha256) : (struct span){0});
    sql_bind_int(db, which, PARAMETER_RUN, run_id);
    return sql_done(db, which, e);
}

/* The post's spans live until SQL_POST_GET is reset. */
static void read_post(struct db *db, enum sql which, struct post *post)
{
    *post = post_empty();
    post->post_id = sql_int(db, which, RESULT_ID);
    post->type = post_type_of(sql_text(db, which, RESULT_TYPE));
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        int column = RESULT_FIRST + (int)i;
        if (columns[i].type == INT)
            *int_at(post, &columns[i]) = sql_int(db, which, column);
        else
            *text_at(post, &columns[i]) = sql_text(db, which, column);
    }
}

/* --- which of two versions is newer --- */

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

/* < 0: a is older; 0: the dates do not say. */
static int version_order(const struct post *a, const struct post *b)
{
    int order = date_order(edit_date(a), edit_date(b));

    return order != 0 ? order : date_order(a->last_activity_at, b->last_activity_at);
}

/* --- merging --- */

/* The finer of two spellings of one date, else `first`. */
static struct span merge_dates(struct span first, struct span second)
{
    if (first.len < SECONDS_LEN || second.len != first.len || date_order(first, second) != 0)
        return first;
    return memcmp(first.ptr, second.ptr, first.len) < 0 ? second : first;
}

/* A person is an id, a name or both; a name alone says that the account is gone. A source without
 * the name (a dump) does not take away the name that goes with the same id. */
static void merge_person(int64_t *id, struct span *name, int64_t other_id, struct span other_name)
{
    if (*id == POST_ABSENT && name->ptr == NULL)
        *id = other_id;
    if (*id == other_id && name->ptr == NULL)
        *name = other_name;
}

/* `base` is the version that counts, `other` what fills its gaps. */
static void merge_column(struct post *base, const struct post *other, const struct column *c,
                         bool keep_absent)
{
    if (c->when_absent == PERSON)
        return;
    if (c->type == INT) {
        if (int_of(base, c) == POST_ABSENT && !keep_absent)
            *int_at(base, c) = int_of(other, c);
        return;
    }
    struct span *text = text_at(base, c);
    struct span other_text = text_of(other, c);
    if (text->ptr == NULL && !keep_absent)
        *text = other_text;
    else if (c->type == DATE && text->ptr != NULL && other_text.ptr != NULL)
        *text = merge_dates(*text, other_text);
}

/* What the row becomes. `order` is that of incoming against held. */
static struct post merge(const struct post *held, const struct post *incoming, int order)
{
    struct post base = order < 0 ? *held : *incoming;
    const struct post *other = order < 0 ? incoming : held;
    /* Who made an edit did not make the next one. */
    bool same_edit = date_order(base.last_edited_at, other->last_edited_at) == 0;

    if (base.type == POST_ABSENT)
        base.type = other->type;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        enum when_absent rule = columns[i].when_absent;
        bool keep_absent = rule == DROP || (rule == DROP_IF_NEWER && order != 0);
        merge_column(&base, other, &columns[i], keep_absent);
    }
    merge_person(&base.owner_user_id, &base.owner_display_name, other->owner_user_id,
                 other->owner_display_name);
    if (same_edit)
        merge_person(&base.last_editor_user_id, &base.last_editor_display_name,
                     other->last_editor_user_id, other->last_editor_display_name);
    return base;
}

static bool same_post(const struct post *a, const struct post *b)
{
    if (a->type != b->type)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const struct column *c = &columns[i];
        bool same = c->type == INT ? int_of(a, c) == int_of(b, c)
                                   : same_text(text_of(a, c), text_of(b, c));
        if (!same)
            return false;
    }
    return true;
}

/* --- revisions --- */

/* What a revision keeps: the texts. */
static bool same_version(const struct post *a, const struct post *b)
{
    return same_text(a->title, b->title) && same_text(a->tags, b->tags) &&
           same_text(a->body_html, b->body_html);
}

static enum status MUST_USE put_revision(struct db *db, const struct post *post, int64_t run_id,
                                         struct err *e)
{
    char sha256[SHA256_TEXT_SIZE], now[TIME_TEXT_SIZE];
    bool has_body = post->body_html.ptr != NULL;

    time_now(now);
    if (has_body)
        db_sha256(post->body_html, sha256);
    sql_bind_int(db, SQL_REVISION_PUT, 1, post->post_id);
    sql_bind_text(db, SQL_REVISION_PUT, 2, post->title);
    sql_bind_text(db, SQL_REVISION_PUT, 3, post->tags);
    sql_bind_text(db, SQL_REVISION_PUT, 4, edit_date(post));
    sql_bind_text(db, SQL_REVISION_PUT, 5, post->content_license);
    sql_bind_int(db, SQL_REVISION_PUT, 6, run_id);
    sql_bind_text(db, SQL_REVISION_PUT, 7, span_of(now));
    sql_bind_text(db, SQL_REVISION_PUT, 8, has_body ? span_of(sha256) : (struct span){0});
    sql_bind_text(db, SQL_REVISION_PUT, 9, post->body_html);
    return sql_done(db, SQL_REVISION_PUT, e);
}

/* The version that is current now is not also an older one: an edit was taken back. */
static enum status MUST_USE delete_revision(struct db *db, const struct post *post, struct err *e)
{
    char sha256[SHA256_TEXT_SIZE];
    bool has_body = post->body_html.ptr != NULL;

    if (has_body)
        db_sha256(post->body_html, sha256);
    sql_bind_int(db, SQL_REVISION_DELETE, 1, post->post_id);
    sql_bind_text(db, SQL_REVISION_DELETE, 2, has_body ? span_of(sha256) : (struct span){0});
    sql_bind_text(db, SQL_REVISION_DELETE, 3, post->title);
    sql_bind_text(db, SQL_REVISION_DELETE, 4, post->tags);
    return sql_done(db, SQL_REVISION_DELETE, e);
}

/* Puts a version that was held or came aside, unless it is the current one. A text that its source
 * did not carry is taken to be the current one's. */
static enum status MUST_USE put_aside(struct db *db, const struct post *version,
                                      const struct post *current, int64_t run_id, struct err *e)
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
    return put_revision(db, &whole, run_id, e);
}

/* --- putting a post --- */

static enum status MUST_USE put_over(struct db *db, const struct post *held,
                                     const struct post *incoming, int64_t run_id,
                                     enum db_put *what, struct err *e)
{
    enum status status = ST_OK;
    int order = version_order(incoming, held);
    struct post merged = merge(held, incoming, order);
    bool changed = !same_post(held, &merged);

    *what = order < 0 ? DB_PUT_OLDER : changed ? DB_PUT_CHANGED : DB_PUT_SAME;
    if (changed)
        status = write_post(db, SQL_POST_UPDATE, &merged, run_id, e);
    if (status == ST_OK && changed && !same_version(held, &merged)) {
        status = put_aside(db, held, &merged, run_id, e);
        if (status == ST_OK)
            status = delete_revision(db, &merged, e);
    }
    if (status == ST_OK && order < 0)
        status = put_aside(db, incoming, &merged, run_id, e);
    return status;
}

static enum status MUST_USE put_new(struct db *db, const struct post *post, int64_t run_id,
                                    bool *done, struct err *e)
{
    enum status status = write_post(db, SQL_POST_INSERT, post, run_id, e);

    *done = status == ST_OK && sqlite3_changes(db->handle) > 0;
    return status;
}

static enum status MUST_USE put_held(struct db *db, const struct post *post, int64_t run_id,
                                     enum db_put *what, bool *done, struct err *e)
{
    struct post held;

    sql_bind_int(db, SQL_POST_GET, 1, post->post_id);
    enum status status = sql_row(db, SQL_POST_GET, done, e);
    if (!*done)
        return status;
    read_post(db, SQL_POST_GET, &held);
    status = put_over(db, &held, post, run_id, what, e);
    sql_reset(db, SQL_POST_GET);
    return status;
}

/* Posts come in long rows of new ones or long rows of held ones, so what did for the last is tried
 * first: an insert without a look before it, or a look without hashing the body. */
enum { WRITE_BEHIND_POSTS = 1000 };

enum status db_post_put(struct db *db, const struct post *post, int64_t run_id, enum db_put *what,
                        struct err *e)
{
    enum status status = ST_OK;
    bool done = false;

    *what = DB_PUT_NEW;
    if (post->post_id == POST_ABSENT || post->type == POST_ABSENT)
        return err_set(e, ST_INPUT, "a post without an id or a type cannot be kept");
    if (!db->expects_held)
        status = put_new(db, post, run_id, &done, e);
    if (status == ST_OK && !done)
        status = put_held(db, post, run_id, what, &done, e);
    if (status == ST_OK && !done)
        status = put_new(db, post, run_id, &done, e);
    db->expects_held = *what != DB_PUT_NEW;
    if (++db->n_put % WRITE_BEHIND_POSTS == 0)
        sql_write_behind(db);
    return status;
}

/* --- reading --- */

enum status db_post_each_id(struct db *db, void (*each)(void *ctx, int64_t post_id, int64_t type),
                            void *ctx, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_POST_EACH_ID, &row, e);
        if (!row)
            return status;
        each(ctx, sql_int(db, SQL_POST_EACH_ID, 0),
             post_type_of(sql_text(db, SQL_POST_EACH_ID, 1)));
    }
}

/* Hands on the rows of a statement that has the columns post_id, post_type, title, body_html. */
static enum status MUST_USE each_text(struct db *db, enum sql which,
                                      enum status (*each)(void *ctx, const struct post *post,
                                                          struct err *e),
                                      void *ctx, struct err *e)
{
    enum status status = ST_OK;

    while (status == ST_OK) {
        struct post post = post_empty();
        bool row;
        status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        post.post_id = sql_int(db, which, 0);
        post.type = post_type_of(sql_text(db, which, 1));
        post.title = sql_text(db, which, 2);
        post.body_html = sql_text(db, which, 3);
        status = each(ctx, &post, e);
    }
    sql_reset(db, which);
    return status;
}

enum status db_post_each_text(struct db *db,
                              enum status (*each)(void *ctx, const struct post *post,
                                                  struct err *e),
                              void *ctx, struct err *e)
{
    return each_text(db, SQL_POST_EACH_TEXT, each, ctx, e);
}

enum status db_candidate_each_text(struct db *db,
                                   enum status (*each)(void *ctx, const struct post *post,
                                                       struct err *e),
                                   void *ctx, struct err *e)
{
    return each_text(db, SQL_CANDIDATE_EACH_TEXT, each, ctx, e);
}

enum status db_post_text(struct db *db, int64_t post_id,
                         enum status (*each)(void *ctx, const struct post *post, struct err *e),
                         void *ctx, struct err *e)
{
    sql_bind_int(db, SQL_POST_TEXT, 1, post_id);
    return each_text(db, SQL_POST_TEXT, each, ctx, e);
}

enum status db_thread_each(struct db *db, int64_t question_id,
                           void (*each)(void *ctx, const struct post *post), void *ctx,
                           struct err *e)
{
    struct post post;

    sql_bind_int(db, SQL_POST_THREAD, 1, question_id);
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_POST_THREAD, &row, e);
        if (!row)
            return status;
        read_post(db, SQL_POST_THREAD, &post);
        each(ctx, &post);
    }
}

enum status db_remark_each(struct db *db, int64_t post_id,
                            void (*each)(void *ctx, const struct db_remark *comment), void *ctx,
                            struct err *e)
{
    const enum sql which = SQL_COMMENT_EACH;

    sql_bind_int(db, which, 1, post_id);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_remark comment = {
            .created_at = sql_text(db, which, 0),
            .author = sql_text(db, which, 1),
            .score = sql_int(db, which, 2),
            .body_html = sql_text(db, which, 3),
        };
        each(ctx, &comment);
    }
}

enum status db_post_count(struct db *db, int64_t *questions, int64_t *answers, int64_t *others,
                          struct err *e)
{
    bool row;

    *questions = *answers = *others = 0;
    enum status status = sql_row(db, SQL_POST_COUNT, &row, e);
    if (!row)
        return status;
    *questions = sql_int(db, SQL_POST_COUNT, 0);
    *answers = sql_int(db, SQL_POST_COUNT, 1);
    *others = sql_int(db, SQL_POST_COUNT, 2) - *questions - *answers;
    sql_reset(db, SQL_POST_COUNT);
    return ST_OK;
}
