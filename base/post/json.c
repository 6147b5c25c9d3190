/* json: a post as members of a JSON object. docs/posts.md describes them. */
#include "base/post/post.h"

#include <inttypes.h>

const struct post_member post_members[] = {
    {"parent_id", offsetof(struct post, parent_id), MEMBER_NUMBER},
    {"accepted_answer_id", offsetof(struct post, accepted_answer_id), MEMBER_NUMBER},
    {"title", offsetof(struct post, title), MEMBER_TEXT},
    {"tags", offsetof(struct post, tags), MEMBER_TAGS},
    {"score", offsetof(struct post, score), MEMBER_NUMBER},
    {"view_count", offsetof(struct post, view_count), MEMBER_NUMBER},
    {"answer_count", offsetof(struct post, answer_count), MEMBER_NUMBER},
    {"comment_count", offsetof(struct post, comment_count), MEMBER_NUMBER},
    {"favorite_count", offsetof(struct post, favorite_count), MEMBER_NUMBER},
    {"created_at", offsetof(struct post, created_at), MEMBER_DATE},
    {"deleted_at", offsetof(struct post, deleted_at), MEMBER_DATE},
    {"last_edited_at", offsetof(struct post, last_edited_at), MEMBER_DATE},
    {"last_activity_at", offsetof(struct post, last_activity_at), MEMBER_DATE},
    {"closed_at", offsetof(struct post, closed_at), MEMBER_DATE},
    {"community_owned_at", offsetof(struct post, community_owned_at), MEMBER_DATE},
    {"owner_user_id", offsetof(struct post, owner_user_id), MEMBER_NUMBER},
    {"owner_display_name", offsetof(struct post, owner_display_name), MEMBER_TEXT},
    {"last_editor_user_id", offsetof(struct post, last_editor_user_id), MEMBER_NUMBER},
    {"last_editor_display_name", offsetof(struct post, last_editor_display_name), MEMBER_TEXT},
    {"content_license", offsetof(struct post, content_license), MEMBER_TEXT},
    {"url", offsetof(struct post, url), MEMBER_TEXT},
    {"body_html", offsetof(struct post, body_html), MEMBER_TEXT},
};

const size_t n_post_members = ARRAY_LEN(post_members);

int64_t *post_number_at(struct post *post, const struct post_member *m)
{
    return (int64_t *)(void *)((char *)post + m->offset);
}

struct span *post_text_at(struct post *post, const struct post_member *m)
{
    return (struct span *)(void *)((char *)post + m->offset);
}

static void add_text(struct buf *out, const struct post_member *m, struct span text)
{
    if (text.ptr == NULL)
        return;
    buf_addf(out, ",\"%s\":", m->name);
    if (m->kind == MEMBER_TAGS)
        buf_add_json_text(out, text);
    else
        buf_add_json(out, text);
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
        } else {
            add_text(out, m, *post_text_at(&copy, m));
        }
    }
}
