/* A post made of the bytes, written in each of the forms of Stack Exchange, is read as the same post. */
#include "fetch/fetch.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How a form spells the members of a post; NULL: it does not have them. */
struct spelling {
    const char *id[2], *type, *parent, *title, *body, *tags, *score, *views, *created, *owner;
    const char *tag_begin, *tag_between, *tag_end; /* NULL: a list */
    const char *date_end;                          /* of a date with a blank; NULL: seconds */
    char date_middle;
    bool escaped; /* titles have entities */
};

/* clang-format off */
static const struct spelling spellings[] = {
    {{"post_id", "post_id"}, "post_type", "parent_id", "title", "body_html", "tags", "score", "view_count", "created_at",
     "owner_user_id", NULL, NULL, NULL, ".000Z", 'T', false},
    {{"Id", "Id"}, "PostTypeId", "ParentId", "Title", "Body", "Tags", "Score", "ViewCount", "CreationDate", "OwnerUserId",
     "<", "><", ">", ".000", 'T', false},
    {{"@Id", "@Id"}, "@PostTypeId", "@ParentId", "@Title", "@Body", "@Tags", "@Score", "@ViewCount", "@CreationDate",
     "@OwnerUserId", "|", "|", "|", "", ' ', false},
    {{"id", "id"}, "post_type_id", "parent_id", "title", "body", "tags", "score", "view_count", "creation_date",
     "owner_user_id", "", "|", "", ".000000 UTC", ' ', false},
    {{"id", "id"}, "post_type_id", "parent_id", "title", "body", "tags", "score", "view_count", "creation_date",
     "owner_user_id", "{", ",", "}", "+00", ' ', false},
    {{"question_id", "answer_id"}, NULL, "question_id", "title", "body", "tags", "score", "view_count", "creation_date",
     "owner.user_id", NULL, NULL, NULL, NULL, 'T', true},
};
/* clang-format on */

struct made {
    struct post post;
    struct buf title, body, tags;
    const char *names[3]; /* of the tags */
    size_t n_tags;
    int64_t seconds;
    char created[TIME_TEXT_SIZE];
};

static uint8_t next(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return 0;
    --*size;
    return *(*data)++;
}

static void add_words(struct buf *out, uint8_t n, const uint8_t **data, size_t *size)
{
    static const char *const parts[] = {"slow", " ", "&",  "<", ">", "\"",    "'",   "\\",
                                        ",",    ";", "\n", "é", "😀", "&amp;", "[a]", "\t"};

    buf_add_text(out, "x"); /* blanks around are taken off by some */
    for (n %= 24; n > 0; n--)
        buf_add_text(out, parts[next(data, size) % ARRAY_LEN(parts)]);
    buf_add_text(out, "x");
}

static void make(struct made *m, const uint8_t **data, size_t *size)
{
    static const char *const tags[] = {"keras", "c++", "c#", "asp.net-mvc", "ключ", "tensorflow2.0"};
    uint8_t kind = next(data, size), n = next(data, size);

    *m = (struct made){.post = post_empty(), .n_tags = kind % 2 == 0 ? n % 4 : 0};
    m->post.post_id = 1 + next(data, size) * INT64_C(7919);
    m->post.type = kind % 2 == 0 ? POST_QUESTION : POST_ANSWER;
    m->post.score = next(data, size) - 100;
    m->post.owner_user_id = 1 + next(data, size);
    m->seconds = 1200000000 + next(data, size) * INT64_C(1234567) + next(data, size);
    add_words(&m->body, next(data, size), data, size);
    m->post.body_html = buf_span(&m->body);
    if (kind % 2 == 0) {
        add_words(&m->title, next(data, size), data, size);
        m->post.title = buf_span(&m->title);
        m->post.view_count = next(data, size);
    } else {
        m->post.parent_id = 1 + next(data, size);
    }
    for (size_t i = 0; i < m->n_tags; i++) {
        m->names[i] = tags[(n + i) % ARRAY_LEN(tags)];
        buf_addf(&m->tags, "%c\"%s\"", i == 0 ? '[' : ',', m->names[i]);
    }
    if (m->n_tags > 0)
        buf_add_char(&m->tags, ']');
    m->post.tags = m->n_tags > 0 ? buf_span(&m->tags) : (struct span){0};
    if (!api_time_text(m->seconds, m->created))
        abort();
    m->post.created_at = span_of(m->created);
}

static void add_name(struct buf *out, const char *name)
{
    buf_addf(out, "%s\"%s\":", out->len > 1 ? "," : "", name);
}

static void add_number(struct buf *out, const char *name, int64_t value)
{
    if (value == POST_ABSENT)
        return;
    add_name(out, name);
    buf_addf(out, "%lld", (long long)value);
}

static void add_text(struct buf *out, const char *name, struct span text, bool escaped)
{
    struct buf entities = {0};

    if (text.ptr == NULL)
        return;
    for (size_t i = 0; i < text.len; i++)
        if (escaped && strchr("&<>\"'", text.ptr[i]) != NULL)
            buf_addf(&entities, "&#%d;", text.ptr[i]);
        else
            buf_add_char(&entities, text.ptr[i]);
    add_name(out, name);
    buf_add_json_kept(out, buf_span(&entities));
    buf_clear(&entities);
}

static void add_tags(struct buf *out, const struct spelling *s, const struct made *m)
{
    struct buf text = {0};

    for (size_t i = 0; i < m->n_tags && s->tag_begin != NULL; i++)
        buf_addf(&text, "%s%s", i == 0 ? s->tag_begin : s->tag_between, m->names[i]);
    buf_add_text(&text, s->tag_begin != NULL ? s->tag_end : "");
    if (m->n_tags > 0 && s->tag_begin != NULL)
        add_text(out, s->tags, buf_span(&text), false);
    else if (m->n_tags > 0) {
        add_name(out, s->tags);
        buf_add_span(out, m->post.tags);
    }
    buf_clear(&text);
}

static void write_post(struct buf *out, const struct spelling *s, const struct made *m)
{
    const struct post *p = &m->post;
    char date[64];

    buf_add_char(out, '{');
    add_number(out, s->id[p->type - 1], p->post_id);
    if (s->type != NULL && strcmp(s->type, "post_type") == 0)
        add_text(out, s->type, span_of(post_type_name(p->type)), false);
    else if (s->type != NULL)
        add_number(out, s->type, p->type);
    add_number(out, s->parent, p->parent_id);
    add_text(out, s->title, p->title, s->escaped);
    add_text(out, s->body, p->body_html, false);
    add_tags(out, s, m);
    add_number(out, s->score, p->score);
    add_number(out, s->views, p->view_count);
    add_number(out, s->owner, p->owner_user_id);
    snprintf(date, sizeof date, "%.10s%c%.8s%s", m->created, s->date_middle, m->created + 11,
             s->date_end != NULL ? s->date_end : "");
    if (s->date_end == NULL)
        add_number(out, s->created, m->seconds);
    else
        add_text(out, s->created, span_of(date), false);
    buf_add_char(out, '}');
}

static enum status take_post(void *ctx, const struct post *post, struct err *e)
{
    struct post plain = *post;

    (void)e;
    plain.content_license = (struct span){0}; /* some forms have it from the date */
    post_add_json(ctx, &plain);
    return ST_OK;
}

static void refuse(void *ctx, int64_t id, const char *why)
{
    (void)ctx;
    (void)id;
    (void)why;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct made m;
    struct buf want = {0};

    make(&m, &data, &size);
    post_add_json(&want, &m.post);
    for (size_t i = 0; i < ARRAY_LEN(spellings); i++) {
        struct buf written = {0}, got = {0};
        struct api_reader reader = {.ctx = &got, .post = take_post, .refused = refuse};
        struct err e;
        write_post(&written, &spellings[i], &m);
        struct ndjson_file file = {0};
        for (int twice = 0; twice < 2; twice++) { /* the second one is read as the first */
            buf_reset(&got);
            if (ndjson_read(buf_span(&written), &reader, &file, &e) != ST_OK ||
                !span_eq(buf_span(&want), buf_span(&got)))
                abort();
        }
        ndjson_file_clear(&file);
        buf_clear(&written);
        buf_clear(&got);
    }
    buf_clear(&want);
    buf_clear(&m.title);
    buf_clear(&m.body);
    buf_clear(&m.tags);
    return 0;
}
