/* settle: what coders disagree on becomes a decision of a merged coder. */
#include "label/coding/settle.h"

#include "label/coding/act.h"

enum { BULK_MIN = 500 }; /* labels after which problems are made once, not after each */

/* --- who settles, and as whom --- */

enum status settler_open(struct settler *s, struct db *db, struct span as, struct span by, struct err *e)
{
    bool exists, is_merged;

    *s = (struct settler){.db = db};
    buf_add_span(&s->as, as);
    buf_add_span(&s->by, by);
    enum status status = db_coder_get(db, as, &exists, &is_merged, e);
    if (status == ST_OK && exists && !is_merged)
        return err_set(e, ST_INPUT, "'%s' is one of the coders; what is settled needs another name; give one with --as",
                       buf_cstr(&s->as));
    if (status == ST_OK && by.len > 0 && span_eq(by, as))
        return err_set(e, ST_INPUT, "'%s' is what coders agreed on in the end, and settles nothing", buf_cstr(&s->as));
    return status == ST_OK ? stored_codebook_load_any(&s->book, db, e) : status;
}

void settler_clear(struct settler *s)
{
    stored_codebook_clear(&s->book);
    buf_clear(&s->as);
    buf_clear(&s->by);
}

/* --- settling --- */

struct settlement settlement_of(const struct db_dispute *dispute, const struct db_opinion *opinion)
{
    struct settlement s = {
        .facet = dispute->facet,
        .subject = dispute->subject,
        .post_id = dispute->post_id,
        .is_problem = opinion->is_problem,
        .n_codes = opinion->codes.n,
    };

    for (size_t i = 0; i < opinion->codes.n; i++)
        s.codes[i] = opinion->codes.ids[i];
    return s;
}

enum status settlement_read(struct settler *s, struct settlement *out, struct span text, struct err *e)
{
    const struct facet *facet = &s->book.facets->items[out->facet];
    struct span name;

    if (out->facet == FACET_JUDGES) {
        text = span_trim(text);
        out->is_problem = span_eq(text, SPAN("yes"));
        return out->is_problem || span_eq(text, SPAN("no"))
                   ? ST_OK
                   : err_set(e, ST_INPUT, "'%.*s': expected yes or no", text.len < 100 ? (int)text.len : 100, text.ptr);
    }
    out->n_codes = 0;
    while (span_cut(&text, facet_is_written(facet) ? '\0' : ';', &name)) {
        if (out->n_codes == facet->most)
            return err_set(e, ST_INPUT, "expected at most %zu %s of a problem", facet->most,
                           facet->most == 1 ? "code" : "codes");
        size_t place = stored_codebook_find(&s->book, stored_codebook_list(&s->book, out->facet), span_trim(name), e);
        if (place == SIZE_MAX)
            return ST_INPUT;
        out->codes[out->n_codes++] = s->book.code_ids[place];
    }
    if (out->n_codes == 0)
        return err_set(e, ST_INPUT, "expected the name of a code");
    return ST_OK;
}

/* Is each code one that is still given? */
static bool is_current(const struct settler *s, const struct settlement *settlement)
{
    for (size_t i = 0; i < settlement->n_codes; i++)
        if (stored_codebook_place(&s->book, settlement->codes[i]) == SIZE_MAX)
            return false;
    return true;
}

void settlement_reason(struct buf *out, const struct db_opinion *opinion, struct span reason)
{
    if (opinion == NULL) {
        buf_add_span(out, reason.len > 0 ? reason : SPAN("settled"));
        return;
    }
    buf_addf(out, "took %.*s's", SPAN_ARG(opinion->coder));
    if (reason.len == 0)
        return;
    buf_add_text(out, ": ");
    buf_add_span(out, reason);
}

enum status settlement_put(struct settler *s, const struct settlement *settlement, struct span reason, struct err *e)
{
    size_t facet = settlement->facet - FACET_JUDGES - 1;
    AT_END(buf_clear) struct buf text = {0};
    AT_END(mem_end) struct act *act = mem_zero(1, sizeof *act);

    if (s->by.len > 0)
        buf_addf(&text, "by %s: ", buf_cstr(&s->by));
    buf_add_span(&text, reason);
    act->reason = buf_span(&text);
    act->coder = buf_span(&s->as);
    act->subject = settlement->subject;
    act->post_id = settlement->post_id;
    act->settles = true;
    act->in_bulk = s->in_bulk;
    act->settled_at = s->now;
    if (settlement->facet == FACET_JUDGES) {
        act->judgement = settlement->is_problem ? ACT_SAYS_YES : ACT_SAYS_NO;
    } else {
        act->given[facet] = true;
        act->codes[facet].n = settlement->n_codes;
        for (size_t i = 0; i < settlement->n_codes; i++)
            act->codes[facet].at[i] = stored_codebook_place(&s->book, settlement->codes[i]);
    }
    return act_write(s->db, &s->book, act, e);
}

/* --- which problems a post has --- */

static bool sees(const struct db_opinion *o, struct span subject)
{
    return span_among(subject, o->names, o->n_names) < o->n_names;
}

/* What the coders who said something say alike; NULL: they differ, or the code is no longer given. */
static const struct db_opinion *undisputed(const struct settler *s, const struct db_dispute *said)
{
    const struct db_opinion *first = NULL;

    for (const struct db_opinion *o = said->opinions; o != NULL; o = o->next) {
        if (o->is_merged)
            continue;
        if (first != NULL &&
            (o->codes.n != first->codes.n ||
             (o->codes.n > 0 && memcmp(o->codes.ids, first->codes.ids, o->codes.n * sizeof *o->codes.ids) != 0)))
            return NULL;
        first = first != NULL ? first : o;
    }
    if (first == NULL)
        return NULL;
    struct settlement settlement = settlement_of(said, first);
    return is_current(s, &settlement) ? first : NULL;
}

enum status settle_segments(struct settler *s, const struct db_dispute *post, const struct db_opinion *taken,
                            struct span reason, size_t *n, struct err *e)
{
    static const struct db_opinion nothing = {.n_names = 0};
    AT_END(db_disputes_clear) struct db_disputes said = {0};
    AT_END(buf_clear) struct buf text = {0};
    enum status status = db_disputes_list(s->db, DB_SAID, DB_ALL_FACETS, post->post_id, &said, e);

    *n = 0;
    buf_add_text(&text, "problems: ");
    settlement_reason(&text, taken, reason);
    for (size_t i = 0; i < said.n && status == ST_OK; i++) {
        const struct db_dispute *d = &said.items[i];
        bool all_see = true;
        for (const struct db_opinion *other = post->opinions; other != NULL; other = other->next)
            all_see &= sees(other, d->subject);
        if (d->facet == FACET_JUDGES || all_see)
            continue;
        const struct db_opinion *o = sees(taken, d->subject) ? undisputed(s, d) : &nothing;
        if (o == NULL)
            continue;
        struct settlement settlement = settlement_of(d, o);
        ++*n;
        status = settlement_put(s, &settlement, buf_span(&text), e);
    }
    return status;
}

/* --- what is not in dispute --- */

struct bulk {
    struct settler *s;
    const struct settle_bulk *how;
    struct db_disputes segments, judgements; /* in dispute */
    int64_t no_problem;                      /* the post that was just settled to be none */
    char now[TIME_TEXT_SIZE];                /* "": each is settled at a time of its own */
    struct buf reason;
};

static int compare_post(const void *post_id, const void *dispute)
{
    int64_t a = *(const int64_t *)post_id, b = ((const struct db_dispute *)dispute)->post_id;

    return (a > b) - (a < b);
}

static bool is_post_of(const struct db_disputes *posts, int64_t post_id)
{
    return posts->n > 0 && bsearch(&post_id, posts->items, posts->n, sizeof *posts->items, compare_post) != NULL;
}

/* "ann, bob agree" */
static void agreeing(const struct db_dispute *dispute, struct buf *out)
{
    size_t start = out->len;

    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next) {
        if (o->is_merged)
            continue;
        buf_add_text(out, out->len > start ? ", " : "");
        buf_add_span(out, o->coder);
    }
    buf_add_text(out, " agree");
}

/* Codes depend on the judgement of their post, which comes before them. */
static enum status MUST_USE settle_item(struct bulk *b, const struct db_dispute *d, struct settle_count *count,
                                        struct err *e)
{
    const struct settle_bulk *how = b->how;
    const struct settlement s = settlement_of(d, d->opinions);
    bool is_single = how->kind == DB_SINGLE, is_code = d->facet != FACET_JUDGES;

    if ((is_single && !span_eq(d->opinions->coder, how->coder)) || (is_code && d->post_id == b->no_problem))
        return ST_OK;
    if (is_code && (is_post_of(&b->segments, d->post_id) || is_post_of(&b->judgements, d->post_id))) {
        count->disputed++;
        return ST_OK;
    }
    if (!is_current(b->s, &s)) {
        count->retired++;
        if (how->left_out != NULL)
            how->left_out(how->ctx, d->subject);
        return ST_OK;
    }
    if (!is_code && !s.is_problem)
        b->no_problem = d->post_id;
    count->n++;
    count->of[d->facet]++;
    if (how->each != NULL)
        how->each(how->ctx, d);
    if (how->only_looks)
        return ST_OK;
    buf_reset(&b->reason);
    if (is_single)
        settlement_reason(&b->reason, d->opinions, how->reason.len > 0 ? how->reason : SPAN("coded by one coder"));
    else
        agreeing(d, &b->reason);
    /* All get one time, but where a coder, whose clock may be ahead, said something later, or it is settled again. */
    b->s->now = span_of(b->now);
    for (const struct db_opinion *o = d->opinions; o != NULL; o = o->next)
        if (o->is_merged || span_order(o->decided_at, span_of(b->now)) > 0)
            b->s->now = (struct span){0};
    return settlement_put(b->s, &s, buf_span(&b->reason), e);
}

enum status settle_bulk(struct settler *s, const struct settle_bulk *how, struct settle_count *count, struct err *e)
{
    struct bulk b = {.s = s, .how = how};
    char now[TIME_TEXT_SIZE];
    AT_END(db_disputes_clear) struct db_disputes items = {0};
    enum status status = how->only_looks ? ST_OK : db_begin(s->db, e);

    *count = (struct settle_count){0};
    THEN(status, db_disputes_list(s->db, how->kind, how->facet, how->post_id, &items, e));
    THEN(status, db_segments_read(s->db, DB_DISPUTED, how->post_id, &b.segments, e));
    if (status == ST_OK && how->kind == DB_SINGLE)
        status = db_disputes_list(s->db, DB_DISPUTED, FACET_JUDGES, how->post_id, &b.judgements, e);
    s->in_bulk = items.n >= BULK_MIN && !how->only_looks;
    /* All is settled at one time, which is not asked for each: later than all that was settled before. */
    if (status == ST_OK && s->in_bulk)
        status = db_decision_after(s->db, buf_span(&s->as), b.now, e);
    time_now(now);
    if (strcmp(b.now, now) > 0) /* of a clock that is ahead */
        b.now[0] = '\0';
    for (size_t i = 0; i < items.n && status == ST_OK; i++)
        status = settle_item(&b, &items.items[i], count, e);
    if (status == ST_OK && s->in_bulk)
        status = db_problems_rebuild(s->db, e);
    s->in_bulk = false;
    s->now = (struct span){0};
    if (!how->only_looks)
        status = db_end(s->db, status, e);
    buf_clear(&b.reason);
    db_disputes_clear(&b.segments);
    db_disputes_clear(&b.judgements);
    return status;
}
