/* related: candidates that say nearly the same, or link to each other. */
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "db/study.h"
#include "match/corpus/mine.h"

static const double LEAST = 0.7;

static void add(struct post_relations *r, int64_t a, int64_t b, enum post_relation_kind kind, double similarity)
{
    array_add(&r->all, ((struct post_relation){a, b, kind, similarity}));
    array_add(&r->all, ((struct post_relation){b, a, kind, similarity}));
}

/* --- links --- */

struct linking {
    struct post_relations *out;
    const struct study *study;
};

static bool starts(struct span *s, struct span prefix)
{
    if (!span_starts(*s, prefix))
        return false;
    *s = (struct span){s->ptr + prefix.len, s->len - prefix.len};
    return true;
}

/* The code of the site that an address begins with, which is cut off: that of the post for "/…"; -1: none. */
static int64_t cut_site(struct span *url, const struct linking *l, int64_t own)
{
    size_t end = 0;

    if (span_starts(*url, SPAN("/")) && !span_starts(*url, SPAN("//")))
        return own;
    if (!starts(url, SPAN("https://")) && !starts(url, SPAN("http://")) && !starts(url, SPAN("//")))
        return -1;
    while (end < url->len && url->ptr[end] != '/')
        end++;
    int64_t code = study_code_of(l->study, (struct span){url->ptr, end});
    *url = (struct span){url->ptr + end, url->len - end};
    return code;
}

/* The id of the question that an address is of; 0: of none. "/questions/123/title", "/q/123" */
static int64_t question_of(struct span url, const struct linking *l, int64_t post_id)
{
    int64_t code = cut_site(&url, l, post_id >> STUDY_ID_BITS);
    uint64_t number;
    size_t digits = 0;

    if (code < 0 || (!starts(&url, SPAN("/questions/")) && !starts(&url, SPAN("/q/"))))
        return 0;
    while (digits < url.len && url.ptr[digits] >= '0' && url.ptr[digits] <= '9')
        digits++;
    if (!span_u64((struct span){url.ptr, digits}, STUDY_ID_MAX, &number) || number == 0)
        return 0;
    return study_id(code, (int64_t)number);
}

static enum status take_links(void *ctx, const struct post *post, struct err *e)
{
    enum { NEAR = 200 }; /* bytes */
    const struct linking *l = ctx;
    const struct span href = SPAN("href=\"");
    struct span rest = post->body_html, url;
    size_t at;

    (void)e;
    while ((at = span_find(rest, href)) != SIZE_MAX) {
        const char *link = rest.ptr + at;
        rest = (struct span){link + href.len, rest.len - at - href.len};
        if (!span_cut(&rest, '"', &url))
            break;
        int64_t other = question_of(url, l, post->post_id);
        /* Stack Exchange put these words before the body of a question that was closed as a duplicate, with the link;
         * between them is markup. */
        struct span before = {post->body_html.ptr, (size_t)(link - post->body_html.ptr)};
        bool duplicate = before.len < NEAR && span_has(before, "Possible Duplicate");
        if (other != 0 && other != post->post_id)
            add(l->out, post->post_id, other, duplicate ? POST_DUPLICATE : POST_LINKED, 0);
    }
    return ST_OK;
}

static void add_stored_link(void *ctx, int64_t post_id, int64_t other_id, bool is_duplicate)
{
    add(ctx, post_id, other_id, is_duplicate ? POST_DUPLICATE : POST_LINKED, 0);
}

/* --- the whole --- */

/* By post, then kind: a duplicate first, as it says most. */
static int compare(const void *a, const void *b)
{
    const struct post_relation *x = a, *y = b;

    if (x->post_id != y->post_id)
        return x->post_id < y->post_id ? -1 : 1;
    if (x->other_id != y->other_id)
        return x->other_id < y->other_id ? -1 : 1;
    return (x->kind < y->kind) - (x->kind > y->kind);
}

enum status mine_related_read(struct post_relations *out, struct db *db, struct err *e)
{
    int64_t n_candidates;

    *out = (struct post_relations){.all = {0}};
    enum status status = db_candidate_count(db, &n_candidates, e);
    if (status == ST_OK && n_candidates <= MINE_RELATED_POSTS_MAX) {
        const struct mine_similar_how how = {.candidates = true, .least = LEAST};
        AT_END(mine_similar_clear) struct mine_similar similar = {.n_posts = 0};
        status = mine_similar(db, &how, &similar, e);
        for (size_t i = 0; i < similar.pairs.n; i++)
            add(out, similar.pairs.at[i].post_id, similar.pairs.at[i].other_id, POST_SIMILAR,
                similar.pairs.at[i].similarity);
        if (status == ST_OK) {
            AT_END(study_clear) struct study study;
            struct linking linking = {.out = out, .study = &study};
            status = db_study_load(&study, db, e);
            THEN(status, db_candidate_each_text(db, take_links, &linking, e));
        }
    }
    THEN(status, db_post_link_each(db, 0, add_stored_link, out, e));
    /* Of two posts that are linked and similar, or linked twice, the kind that says most. */
    size_t kept = 0;
    array_sort(&out->all, compare);
    for (size_t i = 0; i < out->all.n; i++) {
        const struct post_relation *last = kept > 0 ? &out->all.at[kept - 1] : NULL;
        if (last == NULL || last->post_id != out->all.at[i].post_id || last->other_id != out->all.at[i].other_id)
            out->all.at[kept++] = out->all.at[i];
    }
    out->all.n = kept;
    return status;
}
