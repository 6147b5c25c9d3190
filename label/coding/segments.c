/* Which problems coders see in a post, and where they see different ones. */
#include "base/post/post.h"
#include "label/coding/counted.h"
#include "label/coding/disputes.h"
#include "label/label.h"
#include "base/maps.h"

/* A problem of a post, as a coder has it. */
struct seen {
    struct span coder, subject, decided_at;
    int64_t post_id;
    bool is_merged;
};

struct reading {
    enum db_dispute_kind kind;
    struct db_disputes *out;
    size_t capacity;
    struct {
        const struct seen *at;
        size_t n;
    } seen; /* of one post, by coder, merged ones last */
};

/* Some coder of the post sees this problem, and another does not. */
static bool is_contested(const struct reading *r, struct span subject)
{
    size_t coders = 0, see = 0;

    for (size_t i = 0; i < r->seen.n; i++) {
        const struct seen *s = &r->seen.at[i];
        if (s->is_merged)
            continue;
        coders += i == 0 || !span_eq(r->seen.at[i - 1].coder, s->coder);
        see += span_eq(s->subject, subject);
    }
    return see > 0 && see < coders;
}

static void keep_latest(struct span *latest, struct span date)
{
    if (latest->ptr == NULL || memcmp(date.ptr, latest->ptr, date.len) > 0)
        *latest = date;
}

/* Coders see different problems, and nothing was settled about these, or some said something else since. */
static enum status MUST_USE read_is_open(const struct reading *r, struct db *db, bool *open, struct err *e)
{
    struct span settled_at = {0};
    enum status status = ST_OK;

    *open = false;
    for (size_t i = 0; i < r->seen.n; i++)
        if (r->seen.at[i].is_merged && is_contested(r, r->seen.at[i].subject))
            keep_latest(&settled_at, r->seen.at[i].decided_at);
    for (size_t i = 0; i < r->seen.n && !*open && status == ST_OK; i++) {
        const struct seen *s = &r->seen.at[i];
        if (s->is_merged || !is_contested(r, s->subject))
            continue;
        *open = settled_at.ptr == NULL;
        if (!*open && memcmp(settled_at.ptr, s->decided_at.ptr, s->decided_at.len) < 0)
            status = db_said_else(db, s->subject, (struct span){0}, settled_at, open, e);
    }
    return status;
}

static enum status MUST_USE add_item(struct reading *r, struct db *db, struct err *e)
{
    struct arena *arena = &r->out->arena;
    struct db_dispute item = {.facet = DB_SEGMENTS, .post_id = r->seen.at->post_id};
    struct db_opinion *last = NULL, **end = &item.opinions;
    char post[POST_ID_TEXT_SIZE];

    item.subject = arena_copy(arena, span_of(post_id_text(item.post_id, post)));
    for (size_t i = 0; i < r->seen.n && !r->seen.at[i].is_merged; i++) {
        const struct seen *s = &r->seen.at[i];
        if (last == NULL || !span_eq(last->coder, s->coder)) {
            last = *end = arena_alloc(arena, sizeof *last);
            *last = (struct db_opinion){.coder = arena_copy(arena, s->coder),
                                        .names = arena_alloc(arena, r->seen.n * sizeof *last->names)};
            end = &last->next;
        }
        last->names[last->n_names++] = arena_copy(arena, s->subject);
        keep_latest(&last->decided_at, arena_copy(arena, s->decided_at));
    }
    if (item.opinions == NULL)
        return ST_OK;
    enum status status = r->kind == DB_DISPUTED ? db_dispute_post(db, &item, arena, e) : ST_OK;
    r->out->items = array_room(r->out->items, r->out->n, 1, &r->capacity, sizeof *r->out->items);
    r->out->items[r->out->n++] = item;
    return status;
}

/* --- who sees which --- */

struct finding {
    const struct counted *counted;
    struct id_set numbered, no_problem;
    struct ARRAY_OF(struct seen) seen;
    size_t of_subject; /* those of the subject begin here */
};

static void add_seen(struct finding *f, const struct counted_row *row)
{
    const struct counted_coder *who = &f->counted->coders.at[row->coder];
    const struct seen seen = {who->coder, row->subject, row->decided_at, row->post_id, who->is_merged};

    if (f->seen.n > 0 && !span_eq(f->seen.at[f->seen.n - 1].subject, row->subject))
        f->of_subject = f->seen.n;
    for (size_t i = f->of_subject; i < f->seen.n; i++)
        if (f->seen.at[i].coder.ptr == who->coder.ptr) {
            keep_latest(&f->seen.at[i].decided_at, row->decided_at);
            return;
        }
    array_add(&f->seen, seen);
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    if (x->post_id != y->post_id)
        return x->post_id < y->post_id ? -1 : 1;
    if (x->is_merged != y->is_merged)
        return x->is_merged ? 1 : -1;
    if (x->coder.ptr != y->coder.ptr)
        return span_order(x->coder, y->coder);
    if (x->subject.len != y->subject.len)
        return x->subject.len < y->subject.len ? -1 : 1;
    return span_order(x->subject, y->subject);
}

static void find_seen(struct finding *f, enum db_dispute_kind kind)
{
    /* Coders see different problems only where one has a number of its own: DB_DISPUTED needs no other posts. */
    for (size_t i = 0; i < f->counted->rows.n; i++) {
        const struct counted_row *row = &f->counted->rows.at[i];
        if (row->facet == FACET_JUDGES && row->code_id == 0 && f->counted->coders.at[row->coder].is_merged)
            id_set_add(&f->no_problem, row->post_id, NULL);
        if (row->facet != FACET_JUDGES && memchr(row->subject.ptr, '_', row->subject.len) != NULL)
            id_set_add(&f->numbered, row->post_id, NULL);
    }
    for (size_t i = 0; i < f->counted->rows.n && (kind != DB_DISPUTED || f->numbered.n > 0); i++) {
        const struct counted_row *row = &f->counted->rows.at[i];
        const struct counted_coder *who = &f->counted->coders.at[row->coder];
        bool says = row->code_id != POST_ABSENT || who->is_merged;
        if (row->facet != FACET_JUDGES && row->place == 1 && says && !who->is_model &&
            !id_set_has(&f->no_problem, row->post_id) &&
            (kind != DB_DISPUTED || id_set_has(&f->numbered, row->post_id)))
            add_seen(f, row);
    }
    array_sort(&f->seen, compare_seen);
    id_set_clear(&f->numbered);
    id_set_clear(&f->no_problem);
}

enum status db_segments_read(struct db *db, enum db_dispute_kind kind, int64_t post_id, struct db_disputes *out,
                             struct err *e)
{
    struct finding f = {.of_subject = 0};
    struct reading r = {.kind = kind, .out = out};
    enum status status = counted_read(db, post_id, &f.counted, e);

    *out = (struct db_disputes){0};
    if (status == ST_OK)
        find_seen(&f, kind);
    for (size_t i = 0; status == ST_OK && i < f.seen.n; i += r.seen.n) {
        r.seen.at = &f.seen.at[i];
        r.seen.n = 1;
        while (i + r.seen.n < f.seen.n && r.seen.at[r.seen.n].post_id == r.seen.at->post_id)
            r.seen.n++;
        bool counts = true;
        if (kind == DB_DISPUTED)
            status = read_is_open(&r, db, &counts, e);
        if (status == ST_OK && counts)
            status = add_item(&r, db, e);
    }
    array_clear(&f.seen);
    return status;
}
