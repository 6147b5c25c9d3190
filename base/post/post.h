/*
 * post: the contract in memory between where posts come from (fetch) and where they are kept (db).
 *
 * A post's spans are borrowed: they live as long as what handed the post out says. Text is valid UTF-8. An absent text
 * has ptr NULL; an empty one has len 0 and ptr set. An absent number is POST_ABSENT.
 */
#pragma once

#include "base/base.h"
#include "base/day.h"

#define POST_ABSENT INT64_MIN

/* Ids of Stack Exchange have 32 bits; other sites' are below 2^53, so that every reader of JSON gives them back. */
#define POST_ID_MAX INT64_C(0x7fffffff)
#define POST_LONG_ID_MAX INT64_C(0x1fffffffffffff)

struct post {
    struct span site; /* "stackoverflow.com", "github.com/keras-team/keras"; absent: the study's */
    int64_t post_id;  /* unique on its site */
    int64_t type;     /* PostTypeId of the dump schema: 1 question, 2 answer, …; see post_type_name */
    int64_t parent_id;
    int64_t accepted_answer_id;
    struct span created_at; /* "2018-01-02T01:12:20.123Z", UTC, all dates */
    struct span deleted_at;
    int64_t score;
    int64_t view_count;
    struct span body_html; /* as the site stores it: HTML, decoded once from XML or JSON */
    struct span title;     /* plain text */
    struct span tags;      /* a JSON array of strings; absent for posts without tags */
    int64_t owner_user_id;
    struct span owner_display_name;
    int64_t last_editor_user_id;
    struct span last_editor_display_name;
    struct span last_edited_at;
    struct span last_activity_at;
    int64_t answer_count;
    int64_t comment_count;
    int64_t favorite_count;
    struct span closed_at;
    struct span community_owned_at;
    struct span content_license; /* "CC BY-SA 4.0"; derived from created_at where not given */
    struct span url;             /* where it is on the web; absent: it follows from site and id */
};

/* A post with everything absent. */
struct post post_empty(void);

/* "question", "answer", "orphaned_wiki", … for PostTypeId; NULL for a number without a name.
 * Names after the PostTypes table of the Stack Exchange Data Explorer. */
const char *post_type_name(int64_t type);
/* The same, and "type_11" for a number without a name; written into `space` where needed. */
#define POST_TYPE_TEXT_SIZE 32
const char *post_type_text(int64_t type, char space[POST_TYPE_TEXT_SIZE]);
/* The number of such a text; POST_ABSENT when it is not one. */
int64_t post_type_of(struct span text);
#define POST_QUESTION 1
#define POST_ANSWER 2

/* --- as JSON: docs/posts.md --- */

/* A member of the JSON object that is a post, and of struct post; all but site, id and type. */
struct post_member {
    const char *name;
    size_t offset;
    enum post_member_kind { MEMBER_NUMBER, MEMBER_TEXT, MEMBER_TAGS, MEMBER_ISO_DATE } kind;
};

/* The members in the order of JSON and of the database, where url and body_html follow: X(member, kind, its attribute
 * in a data dump). */
/* clang-format off */
#define POST_MEMBER(member, kind) {#member, offsetof(struct post, member), MEMBER_##kind}
#define POST_MEMBERS(X) \
    X(parent_id, NUMBER, ParentId) \
    X(accepted_answer_id, NUMBER, AcceptedAnswerId) \
    X(title, TEXT, Title) \
    X(tags, TAGS, Tags) \
    X(score, NUMBER, Score) \
    X(view_count, NUMBER, ViewCount) \
    X(answer_count, NUMBER, AnswerCount) \
    X(comment_count, NUMBER, CommentCount) \
    X(favorite_count, NUMBER, FavoriteCount) /* newer dumps have it no longer */ \
    X(created_at, ISO_DATE, CreationDate) \
    X(deleted_at, ISO_DATE, DeletionDate) \
    X(last_edited_at, ISO_DATE, LastEditDate) \
    X(last_activity_at, ISO_DATE, LastActivityDate) \
    X(closed_at, ISO_DATE, ClosedDate) \
    X(community_owned_at, ISO_DATE, CommunityOwnedDate) \
    X(owner_user_id, NUMBER, OwnerUserId) \
    X(owner_display_name, TEXT, OwnerDisplayName) \
    X(last_editor_user_id, NUMBER, LastEditorUserId) \
    X(last_editor_display_name, TEXT, LastEditorDisplayName) \
    X(content_license, TEXT, ContentLicense)
/* clang-format on */

extern const struct post_member post_members[]; /* in the order in which they are written */
extern const size_t n_post_members;
int64_t *post_number_at(struct post *post, const struct post_member *m);   /* of a number */
struct span *post_text_at(struct post *post, const struct post_member *m); /* of all others */

/* The version of the form. */
#define POST_JSON_VERSION 1
/* Adds the members, without braces; absent ones are left out. `tags` must be a JSON array. */
void post_add_json(struct buf *out, const struct post *post);

/* The content licence of a contribution made at `date` (ISO 8601): CC BY-SA 2.5 until 2011-04-07,
 * 3.0 until 2018-05-01, 4.0 from 2018-05-02 (https://stackoverflow.com/help/licensing). */
struct span post_license_at(struct span date);

/* True for the two rows that the data dumps of 2025 contain as a watermark and that no user wrote. */
bool post_is_watermark(int64_t post_id);

/* Takes the next tag off *rest, which contains the dump's "<a><b>" or "|a|b|" with XML decoded. */
bool post_tag_next(struct span *rest, struct span *tag);
