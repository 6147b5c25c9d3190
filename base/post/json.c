/* json: a post as members of a JSON object. docs/posts.md describes them. */
#include "base/post/post.h"

#include <inttypes.h>

#define MEMBER(member, kind, attribute) POST_MEMBER(member, kind),
const struct post_member post_members[] = {POST_MEMBERS(MEMBER) POST_MEMBER(url, TEXT), POST_MEMBER(body_html, TEXT)};

const size_t n_post_members = ARRAY_LEN(post_members);

/* What a post has is a member, or would be lost in silence on its way through JSON and the database. */
#define SIZE(member, kind, attribute) +sizeof((struct post *)0)->member
struct beside { /* the list */
    struct span site, url, body_html;
    int64_t post_id, type;
};
_Static_assert(sizeof(struct beside) POST_MEMBERS(SIZE) == sizeof(struct post),
               "POST_MEMBERS lacks a member of struct post");

int64_t *post_number_at(struct post *post, const struct post_member *m)
{
    return (int64_t *)(void *)((char *)post + m->offset);
}

struct span *post_text_at(struct post *post, const struct post_member *m)
{
    return (struct span *)(void *)((char *)post + m->offset);
}

void post_add_json(struct buf *out, const struct post *post)
{
    struct post copy = *post; /* for post_number_at and post_text_at, which give what may be written */
    char space[POST_TYPE_TEXT_SIZE];

    buf_addf(out, "\"v\":%d", POST_JSON_VERSION);
    if (post->site.ptr != NULL) {
        buf_add_text(out, ",\"site\":");
        buf_add_json(out, post->site);
    }
    buf_addf(out, ",\"post_id\":%" PRId64 ",\"post_type\":\"%s\"", post->post_id, post_type_text(post->type, space));
    for (size_t i = 0; i < n_post_members; i++) {
        const struct post_member *m = &post_members[i];
        if (m->kind == MEMBER_NUMBER) {
            int64_t number = *post_number_at(&copy, m);
            if (number != POST_ABSENT)
                buf_addf(out, ",\"%s\":%" PRId64, m->name, number);
        } else if (post_text_at(&copy, m)->ptr != NULL) {
            buf_addf(out, ",\"%s\":", m->name);
            (m->kind == MEMBER_TAGS ? buf_add_json_text : buf_add_json)(out, *post_text_at(&copy, m));
        }
    }
}
