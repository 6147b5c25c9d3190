/* A post in memory: absent fields, names of types, dates. */
#include "base/post/post.h"

#include "base/post/relations.h"

struct post post_empty(void)
{
    return (struct post){
        .post_id = POST_ABSENT,
        .type = POST_ABSENT,
        .parent_id = POST_ABSENT,
        .accepted_answer_id = POST_ABSENT,
        .score = POST_ABSENT,
        .view_count = POST_ABSENT,
        .owner_user_id = POST_ABSENT,
        .last_editor_user_id = POST_ABSENT,
        .answer_count = POST_ABSENT,
        .comment_count = POST_ABSENT,
        .favorite_count = POST_ABSENT,
    };
}

const char *post_type_name(int64_t type)
{
    static const char *const names[] = {
        [1] = "question",
        [2] = "answer",
        [3] = "wiki",
        [4] = "tag_wiki_excerpt",
        [5] = "tag_wiki",
        [6] = "moderator_nomination",
        [7] = "wiki_placeholder",
        [8] = "privilege_wiki",
        [9] = "article",
        [10] = "help_article",
        [12] = "collection",
        [13] = "moderator_questionnaire_response",
        [14] = "announcement",
        [15] = "collective_discussion",
        [17] = "collective_collection",
    };

    if (type < 0 || (size_t)type >= ARRAY_LEN(names))
        return NULL;
    return names[type];
}

#define TYPE_UNNAMED "type_"
enum { TYPES_NAMED = 64 }; /* above every PostTypeId that has a name */

const char *post_type_text(int64_t type, char space[POST_TYPE_TEXT_SIZE])
{
    const char *name = post_type_name(type);

    if (name != NULL)
        return name;
    snprintf(space, POST_TYPE_TEXT_SIZE, TYPE_UNNAMED "%lld", (long long)type);
    return space;
}

int64_t post_type_of(struct span text)
{
    struct span prefix = SPAN(TYPE_UNNAMED);
    int64_t number;

    for (int64_t type = 0; type < TYPES_NAMED; type++) {
        const char *name = post_type_name(type);
        if (name != NULL && span_eq(text, span_of(name)))
            return type;
    }
    if (span_starts(text, prefix) && span_i64((struct span){text.ptr + prefix.len, text.len - prefix.len}, &number))
        return number;
    return POST_ABSENT;
}

struct span post_license_at(struct span date)
{
    /* The day on which each licence began to cover new contributions, latest first. */
    static const struct {
        const char *since;
        const char *license;
    } licenses[] = {
        {"2018-05-02", "CC BY-SA 4.0"},
        {"2011-04-08", "CC BY-SA 3.0"},
    };

    for (size_t i = 0; i < ARRAY_LEN(licenses); i++)
        if (date.len >= 10 && memcmp(date.ptr, licenses[i].since, 10) >= 0)
            return span_of(licenses[i].license);
    return SPAN("CC BY-SA 2.5");
}

bool post_is_watermark(int64_t post_id)
{
    return post_id == 1000000001 || post_id == 1000000010;
}

bool post_tag_next(struct span *rest, struct span *tag)
{
    /* Tags hold no '<', '>' or '|', so both forms are: separators around names. */
    while (rest->len > 0 && (*rest->ptr == '<' || *rest->ptr == '>' || *rest->ptr == '|')) {
        rest->ptr++;
        rest->len--;
    }
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != '<' && rest->ptr[len] != '>' && rest->ptr[len] != '|')
        len++;
    *tag = (struct span){rest->ptr, len};
    if (len == 0)
        return false;
    rest->ptr += len;
    rest->len -= len;
    return true;
}

/* --- relations of a post, and what they are called --- */

const char *const post_relation_names[] = {
    [POST_SIMILAR] = "similar", [POST_LINKED] = "linked", [POST_DUPLICATE] = "duplicate"};

void post_relations_clear(struct post_relations *r)
{
    array_clear(&r->all);
}

const struct post_relation *post_relations_of(const struct post_relations *r, int64_t post_id, size_t *n)
{
    size_t low = 0, high = r->all.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->all.at[middle].post_id < post_id)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; low + *n < r->all.n && r->all.at[low + *n].post_id == post_id;)
        ++*n;
    return *n > 0 ? r->all.at + low : NULL;
}
