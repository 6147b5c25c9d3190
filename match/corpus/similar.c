/* similar: posts that say nearly the same. A post is the set of its shingles: three consecutive stems of its title and
 * body. The similarity of two posts is the share of shingles that they have in common (Jaccard). To avoid comparing all
 * with all, each set gets a MinHash signature (Broder, "On the resemblance and containment of documents", 1997), cut
 * into bands; posts that agree in a whole band are compared exactly. */
#include "db/posts.h"
#include "db/study.h"
#include "match/corpus/mine.h"
#include "match/corpus/shingles.h"

#include "base/maps.h"
#include "base/progress.h"
#include "base/signals.h"

enum {
    BUCKET_MAX = 1000, /* posts of a band that are compared with each other */
    POSTS_MAX = 1 << 24
};

struct shingled {
    int64_t post_id;
    size_t first, n;  /* its shingles: places in `shingles` */
    uint64_t content; /* of all of them */
};

struct bucket_entry {
    uint64_t key;
    uint32_t post;
};

struct similar {
    const struct mine_similar_how *how;
    struct mine_similar *out;
    struct shingler *shingler;
    struct shingles shingles; /* of each post sorted, each once */
    struct ARRAY_OF(struct shingled) posts;
    struct id_set seen;
    struct progress progress;
};

static enum status take_post(void *ctx, const struct post *post, struct err *e)
{
    struct similar *s = ctx;
    struct shingled p = {.post_id = post->post_id, .first = s->shingles.n};

    if (signals_stop_asked())
        return err_set(e, (enum status)signals_exit_code(), "stopped");
    if (!s->how->candidates && post->type != POST_QUESTION)
        return ST_OK;
    if (s->posts.n == POSTS_MAX)
        return err_set(e, ST_INPUT, "more than %d posts; compare the candidates", (int)POSTS_MAX);
    p.n = shingler_read(s->shingler, post, &s->shingles);
    p.content = shingles_content(s->shingles.at + p.first, p.n);
    if (p.n > 0)
        array_add(&s->posts, p);
    progress_update(&s->progress, s->posts.n, NULL);
    return ST_OK;
}

/* --- pairs --- */

static double similarity(const struct similar *s, const struct shingled *a, const struct shingled *b)
{
    const uint32_t *x = s->shingles.at + a->first, *y = s->shingles.at + b->first;
    size_t i = 0, k = 0, both = 0;

    while (i < a->n && k < b->n) {
        both += x[i] == y[k];
        size_t step = x[i] <= y[k];
        k += y[k] <= x[i];
        i += step;
    }
    return (double)both / (double)(a->n + b->n - both);
}

static void compare(struct similar *s, uint32_t a, uint32_t b)
{
    const struct shingled *x = &s->posts.at[a], *y = &s->posts.at[b];

    if (!id_set_add(&s->seen, (int64_t)((uint64_t)a << 32 | b), NULL))
        return;
    double share = similarity(s, x, y);
    if (share >= s->how->least)
        array_add(&s->out->pairs, (struct mine_similar_pair){x->post_id, y->post_id, share});
}

static int compare_entries(const void *a, const void *b)
{
    const struct bucket_entry *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->post > y->post) - (x->post < y->post);
}

/* Posts with the same key are compared with each other. */
static void compare_buckets(struct similar *s, struct bucket_entry *entries, size_t n)
{
    qsort(entries, n, sizeof *entries, compare_entries);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && entries[end].key == entries[i].key; end++)
            continue;
        size_t size = end - i;
        if (size > BUCKET_MAX) {
            s->out->n_crowded += size - BUCKET_MAX;
            size = BUCKET_MAX;
        }
        for (size_t a = i; a < i + size; a++)
            for (size_t b = a + 1; b < i + size; b++)
                compare(s, entries[a].post, entries[b].post);
    }
}

/* Of posts with the same set, all are paired with the first, which alone goes on. */
static size_t pair_equal(struct similar *s, struct bucket_entry *entries)
{
    size_t kept = 0, first = 0;

    for (size_t i = 0; i < s->posts.n; i++)
        entries[i] = (struct bucket_entry){s->posts.at[i].content, (uint32_t)i};
    qsort(entries, s->posts.n, sizeof *entries, compare_entries);
    for (size_t i = 0; i < s->posts.n; i++) {
        if (i > 0 && entries[i].key == entries[first].key) {
            compare(s, entries[first].post, entries[i].post);
            continue;
        }
        first = i;
        s->posts.at[entries[i].post].content = UINT64_MAX; /* goes on */
    }
    for (size_t i = 0; i < s->posts.n; i++)
        if (s->posts.at[i].content == UINT64_MAX)
            s->posts.at[kept++] = s->posts.at[i];
    s->posts.n = kept;
    id_set_clear(&s->seen);
    return kept;
}

/* The most similar first. */
static int compare_pairs(const void *a, const void *b)
{
    const struct mine_similar_pair *x = a, *y = b;

    if (x->similarity < y->similarity || x->similarity > y->similarity)
        return x->similarity > y->similarity ? -1 : 1;
    if (x->post_id != y->post_id)
        return x->post_id < y->post_id ? -1 : 1;
    return (x->other_id > y->other_id) - (x->other_id < y->other_id);
}

enum status mine_similar(struct db *db, const struct mine_similar_how *how, struct mine_similar *out, struct err *e)
{
    struct similar s = {.how = how, .out = out};
    AT_END(study_clear) struct study study;

    *out = (struct mine_similar){.n_posts = 0};
    enum status status = db_study_load(&study, db, e);
    THEN(status, shingler_new(&s.shingler, &study, e));
    progress_begin(&s.progress, "reading", 0);
    THEN(status,
         how->candidates ? db_candidate_each_text(db, take_post, &s, e) : db_post_each_text(db, take_post, &s, e));
    progress_end(&s.progress);
    out->n_posts = s.posts.n;
    AT_END(mem_end) struct bucket_entry *entries = mem_zero(s.posts.n + 1, sizeof *entries);
    size_t n = status == ST_OK ? pair_equal(&s, entries) : 0;
    for (unsigned band = 0; band < SHINGLE_BANDS && status == ST_OK; band++) {
        for (size_t i = 0; i < n; i++)
            entries[i] = (struct bucket_entry){
                shingles_band(s.shingles.at + s.posts.at[i].first, s.posts.at[i].n, band), (uint32_t)i};
        compare_buckets(&s, entries, n);
        if (signals_stop_asked())
            status = err_set(e, (enum status)signals_exit_code(), "stopped");
    }
    array_sort(&out->pairs, compare_pairs);
    shingler_free(s.shingler);
    array_clear(&s.shingles);
    array_clear(&s.posts);
    id_set_clear(&s.seen);
    return status;
}

void mine_similar_clear(struct mine_similar *similar)
{
    array_clear(&similar->pairs);
}
