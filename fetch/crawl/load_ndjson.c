/*
 * load_ndjson: posts of any source, as JSON, into the database.
 *
 * Keeps the same posts as of a dump: questions by the study's tags and dates, answers by their question, in any order.
 * An answer before its question waits in a temporary file until the end.
 */
#include "fetch/crawl/loading.h"
#include "fetch/crawl/store.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"
#include "base/log.h"

#define MAP_NAME id_set
#define MAP_KEY int64_t
#include "base/map.h"

struct ndjson_load {
    struct loading *loading;
    struct id_set held, wanted, questions, stored;  /* as in load_dump.c */
    struct id_set deferred;                         /* answers that wait */
    size_t n_without_text, n_comments_without_text; /* of those that are kept */
    int64_t current;                                /* the post of the record that is read; 0: none yet */
    struct waiting waiting;
    bool at_end;     /* records that waited are read */
    uint64_t offset; /* of the record */
    struct ndjson_file file;
    bool keeps;        /* the post of the record that was read last */
    int64_t code;      /* of its site */
    int64_t waits_for; /* the question of the record's answer, POST_ABSENT: it need not wait */
    int64_t waiting_id;
    int64_t as_of;      /* Unix seconds; POST_ABSENT: not known, so older than all that is */
    struct arena arena; /* of the record */
    struct author_list ARRAY_OF(struct api_author) authors; /* named before their post was read */
};

static void refuse(struct ndjson_load *l, int64_t id, const char *why)
{
    refused_add(&l->loading->refused, l->offset, study_id_number(id), why);
}

/* A record that waited was complained about before. */
static void refuse_given(void *ctx, int64_t id, const char *why)
{
    struct ndjson_load *l = ctx;

    if (l->at_end)
        return;
    if (id > 0 && id == l->current)
        refused_add_part(&l->loading->refused, l->offset, id, why);
    else
        refuse(l, id, why);
}

static void leave(struct ndjson_load *l, int64_t id, const char *why)
{
    refused_leave(&l->loading->refused, l->offset, study_id_number(id), why);
}

static void refuse_record(void *ctx, uint64_t offset, const char *why)
{
    refused_add(&((struct ndjson_load *)ctx)->loading->refused, offset, 0, why);
}

/* --- which posts --- */

/* Of a JSON array of strings, as tags are kept, the next one as it is written. */
static bool next_tag(struct span *rest, struct span *tag)
{
    const char *open = rest->len > 0 ? memchr(rest->ptr, '"', rest->len) : NULL;

    if (open == NULL)
        return false;
    const char *end = rest->ptr + rest->len, *p = open;
    while (++p < end && *p != '"')
        p += *p == '\\';
    if (p >= end)
        return false;
    *tag = (struct span){open + 1, (size_t)(p - open) - 1};
    *rest = (struct span){p + 1, (size_t)(end - p) - 1};
    return true;
}

/* Why a question is not of the study; NULL: it is. */
static const char *why_not(const struct ndjson_load *l, const struct post *post)
{
    struct span rest = post->tags, tag;
    bool has_tag = study_has_tag(&l->loading->study, SPAN("")); /* "*": posts without tags, too */

    while (!has_tag && next_tag(&rest, &tag))
        has_tag = study_has_tag(&l->loading->study, tag);
    return has_tag ? loading_why_date(l->loading, post->created_at) : LEFT_TAG;
}

static bool wants(struct ndjson_load *l, const struct post *post)
{
    bool is_kept = l->loading->how.all_tags || id_set_has(&l->held, post->post_id);
    int64_t parent = post->parent_id;

    if (post->type == POST_QUESTION) {
        const char *why = is_kept ? NULL : why_not(l, post);
        id_set_add(&l->questions, post->post_id, NULL);
        if (why == NULL)
            id_set_add(&l->wanted, post->post_id, NULL);
        else
            leave(l, post->post_id, why);
        return why == NULL;
    }
    if (is_kept || (post->type == POST_ANSWER && id_set_has(&l->wanted, parent)))
        return true;
    if (post->type != POST_ANSWER) {
        leave(l, post->post_id, LEFT_TYPE);
    } else if (parent < 1) {
        refuse(l, post->post_id, "an answer without the id of its question");
    } else if (id_set_has(&l->questions, parent)) {
        leave(l, post->post_id, LEFT_ANSWER);
    } else if (l->at_end) {
        l->loading->n_orphans++;
        leave(l, post->post_id, LEFT_ORPHAN);
    } else {
        l->loading->n_deferred++;
        l->waits_for = parent;
        l->waiting_id = post->post_id;
        id_set_add(&l->deferred, post->post_id, NULL);
    }
    return false;
}

/* --- what a record holds --- */

static struct span kept_text(struct ndjson_load *l, struct span text)
{
    return text.ptr != NULL ? arena_copy(&l->arena, text) : text;
}

/* Authors are named around their post. */
static enum status take_author(void *ctx, const struct api_author *author, struct err *e)
{
    struct ndjson_load *l = ctx;

    (void)e;
    array_add(&l->authors, (struct api_author){.user_id = author->user_id,
                                               .display_name = kept_text(l, author->display_name),
                                               .link = kept_text(l, author->link)});
    return ST_OK;
}

static enum status put_authors(struct ndjson_load *l, bool wanted, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < l->authors.n && wanted && status == ST_OK; i++) {
        const struct api_author *a = &l->authors.at[i];
        status = db_author_put(l->loading->db, study_id(l->code, a->user_id), a->display_name, a->link, l->as_of, e);
    }
    l->authors.n = 0;
    return status;
}

/* The code of the site of a post; -1: the study has none of it. */
static int64_t code_of(const struct ndjson_load *l, const struct post *post)
{
    return post->site.ptr != NULL ? study_code_of(&l->loading->study, post->site) : l->loading->code;
}

static enum status take_post(void *ctx, const struct post *given, struct err *e)
{
    struct ndjson_load *l = ctx;

    l->loading->read += !l->at_end;
    l->current = given->post_id;
    l->code = code_of(l, given);
    l->keeps = false;
    if (l->code < 0) {
        l->authors.n = 0;
        if (!l->at_end) {
            const struct study *s = &l->loading->study;
            AT_END(buf_clear) struct buf why = {0};

            if (given->site.ptr == NULL)
                buf_add_text(&why, "it names no site, and the study has several; give --site");
            else if (s->n_sites > 0)
                buf_addf(&why, "of the site %.*s, which the study does not have", SPAN_ARG(given->site));
            else
                buf_addf(&why, "of the site %.*s, and the study is of %.*s", SPAN_ARG(given->site), (int)s->site.len,
                         s->site.len > 0 ? s->site.ptr : "");
            refuse(l, given->post_id, buf_cstr(&why));
        }
        return ST_OK;
    }
    struct post post = stored_post(given, l->code);
    if (l->at_end && !id_set_has(&l->deferred, post.post_id)) {
        l->authors.n = 0;
        return ST_OK;
    }
    l->keeps = wants(l, &post);
    if (l->keeps && !id_set_add(&l->stored, post.post_id, NULL)) {
        refuse(l, post.post_id, "its id came before in this file; the first post is kept");
        l->keeps = false;
    }
    enum status status = put_authors(l, l->keeps, e);
    if (status != ST_OK || !l->keeps)
        return status;
    l->n_without_text += post.body_html.ptr == NULL && !id_set_has(&l->held, post.post_id);
    return loading_put(l->loading, &post, true, e);
}

static enum status take_comment(void *ctx, const struct api_comment *c, struct err *e)
{
    struct ndjson_load *l = ctx;
    bool changed, is_alone = c->post_id != l->current;

    if (is_alone) { /* not in a list of its post */
        struct post post = {.site = c->site, .post_id = c->post_id};
        l->code = code_of(l, &post);
        post = stored_post(&post, l->code);
        l->keeps = l->code >= 0 && (id_set_has(&l->held, post.post_id) || id_set_has(&l->stored, post.post_id));
        if (!l->keeps)
            leave(l, c->post_id, LEFT_COMMENT);
    }
    if (!l->keeps) {
        l->authors.n = 0;
        return ST_OK;
    }
    struct api_comment comment = stored_comment(c, l->code);

    enum status status = put_authors(l, l->keeps, e);
    if (status != ST_OK)
        return status;
    l->loading->n_comments++;
    l->n_comments_without_text += comment.body_html.ptr == NULL;
    l->loading->n_alone += is_alone;
    return db_comment_put(l->loading->db, &comment, l->as_of, l->loading->run_id, &changed, e);
}

SQL(POST_LINK_PUT,
    SQL_OR_NOTHING "INSERT INTO post_link (post_id, other_id, link_type, created_at, run_id)"
                   " VALUES (:post_id, :other_id, iif(:is_duplicate, 'duplicate', 'linked'), :created_at, :run_id)"
                   " ON CONFLICT DO NOTHING");

static enum status take_link(void *ctx, const struct api_link *link, struct err *e)
{
    struct ndjson_load *l = ctx;
    struct db *db = l->loading->db;
    int64_t code = l->loading->code, post_id = study_id(code, link->post_id);

    if (code < 0) {
        refuse(l, link->post_id, "it names no site, and the study has several; give --site");
        return ST_OK;
    }
    if (!id_set_has(&l->held, post_id) && !id_set_has(&l->stored, post_id)) {
        leave(l, link->post_id, LEFT_LINK);
        return ST_OK;
    }
    l->loading->n_links++;
    return sql_run(db, SQL_POST_LINK_PUT, e, BIND(":post_id", post_id),
                   BIND(":other_id", study_id(code, link->other_id)), BIND(":is_duplicate", link->is_duplicate),
                   BIND(":created_at", link->created_at), BIND(":run_id", l->loading->run_id));
}

static enum status read_record(struct ndjson_load *l, struct span record, struct err *e)
{
    struct api_reader reader = {.ctx = l,
                                .post = take_post,
                                .comment = take_comment,
                                .author = take_author,
                                .link = take_link,
                                .refused = refuse_given};

    l->current = 0;
    l->keeps = false;
    l->waits_for = POST_ABSENT;
    arena_reset(&l->arena);
    enum status status = ndjson_read(record, &reader, &l->file, e);
    return status == ST_OK ? put_authors(l, l->keeps, e) : status;
}

static enum status take_record(void *ctx, struct span record, uint64_t offset, struct err *e)
{
    struct ndjson_load *l = ctx;

    l->offset = offset;
    enum status status = read_record(l, record, e);
    if (status == ST_OK && l->waits_for != POST_ABSENT) {
        struct waiting_head head = {offset, record.len, l->waiting_id, POST_ANSWER, l->waits_for, false};
        status = waiting_add(&l->waiting, &head, record, e);
    }
    return status == ST_OK ? loading_step(l->loading, e) : status;
}

static enum status reconsider(void *ctx, const struct waiting_head *head, struct span record, struct err *e)
{
    struct ndjson_load *l = ctx;

    l->offset = head->offset;
    return read_record(l, record, e);
}

/* --- one file --- */

static void hold(void *ctx, int64_t post_id, int64_t type)
{
    struct ndjson_load *l = ctx;

    id_set_add(&l->held, post_id, NULL);
    if (type != POST_QUESTION)
        return;
    id_set_add(&l->wanted, post_id, NULL);
    id_set_add(&l->questions, post_id, NULL);
}

enum status load_ndjson(struct loading *loading, struct err *e)
{
    struct ndjson_load l = {.loading = loading, .waiting = waiting_in(loading->how.temporary)};
    struct ndjson_handler handler = {.ctx = &l, .record = take_record, .refused = refuse_record, .line = &l.file.line};
    static const char *const stack[] = {"stackoverflow.com", "stackexchange.com", "serverfault.com", "superuser.com",
                                        "askubuntu.com",     "mathoverflow.net",  "stackapps.com"};
    struct span head = source_head(loading->source);
    enum status status = loading_begin(loading, e);

    l.file.is_of_stack = loading->how.site.ptr == NULL && span_has_any(loading->study.site, stack, ARRAY_LEN(stack));
    if (!api_time_of(span_of(loading->as_of), &l.as_of))
        l.as_of = POST_ABSENT;
    THEN(status, db_post_each_id(loading->db, hold, &l, e));
    if (status == ST_OK && head.len > 0 && !ndjson_begins(head))
        status = err_set(e, ST_INPUT, "%s: no NDJSON: a line is a JSON object; leave --ndjson out for a data dump",
                         source_name(loading->source));
    THEN(status, ndjson_each(loading->source, &handler, &loading->bytes, e));
    l.at_end = true;
    THEN(status, waiting_each(&l.waiting, reconsider, &l, e));
    ndjson_say_unread(&l.file, source_name(loading->source));
    if (l.n_without_text > 0)
        log_warn("%s: posts without a text: %zu; only their titles are searched", source_name(loading->source),
                 l.n_without_text);
    if (l.n_comments_without_text > 0)
        log_warn("%s: comments without a text: %zu", source_name(loading->source), l.n_comments_without_text);
    status = loading_end(loading, status, e);
    waiting_clear(&l.waiting);
    ndjson_file_clear(&l.file);
    struct id_set *const sets[] = {&l.held, &l.wanted, &l.questions, &l.stored, &l.deferred};
    for (size_t i = 0; i < ARRAY_LEN(sets); i++)
        id_set_clear(sets[i]);
    array_clear(&l.authors);
    arena_clear(&l.arena);
    return status;
}
