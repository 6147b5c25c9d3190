/* settling: nobody sees what others decided until the settling is open; then what differs is settled. */
#include <inttypes.h>

#include "base/day.h"
#include "label/coding/discussion.h"
#include "label/coding/dispute_view.h"
#include "report/report.h"
#include "web/site.h"

enum { TAKEN_SHOWN_MAX = 200 }; /* labels of one coder on a page */

const char settling_gap[] = "guideline gap: ";

static const char merged_name[] = "merged";

/* --- the switch --- */

enum status settling_must_be_open(struct visit *v, const char *title, const char *here, bool *open)
{
    size_t coders = 0;
    struct db_coder coder;
    enum status status = discussion_is_open(v->worker->db, open, &v->error);

    while (!*open && db_coder_next(v->worker->db, &coder, &status, &v->error))
        coders += !coder.is_merged && !coder_is_model(coder.coder);
    if (status != ST_OK || *open)
        return status;
    bool alone = coders < 2 && v->web->team == NULL;
    page_begin(v, title, here);
    html(v->out, alone ? SPAN("closed-alone") : SPAN("closed"));
    if (v->is_owner)
        html(v->out, SPAN("open"), alone ? SPAN("you have") : SPAN("all coders have"),
             alone ? SPAN("I have") : SPAN("All coders have"));
    if (strcmp(here, "settle") == 0)
        status = progress_of_team(v, &v->error);
    page_end(v);
    return status;
}

/* --- what differs --- */

struct showing {
    struct visit *v;
    struct buf *out;
    const struct facets *facets;
    struct settler *settler;
    bool hides_names;
    char on[WEB_STATE_SIZE];     /* what was decided about the post when the page was made */
    enum dispute_part_kind last; /* that was added */
    struct span after;           /* the id of the post after which the next one is sought; "": from the first one on */
};

static void add_part(void *ctx, const struct dispute_part *p)
{
    struct showing *s = ctx;
    struct span note = p->kind == DISPUTE_NOTE ? SPAN("note") : SPAN("message"), nth;

    buf_add_text(s->out, s->last == DISPUTE_LABEL && p->kind != DISPUTE_LABEL ? "</tbody></table>\n" : "");
    s->last = p->kind;
    switch (p->kind) {
    case DISPUTE_LABEL:
        buf_add_text(s->out, p->nth == 1 ? "<table><tbody>\n" : "");
        if (p->is_merged) {
            html(s->out, SPAN("settled-before"), p->who, p->what, p->text);
            return;
        }
        nth = html_number(s->v, (int64_t)p->nth);
        html(s->out, SPAN("label"), p->who, p->what, p->text, p->what, nth, nth);
        return;
    case DISPUTE_RULE:
        html(s->out, SPAN("guide"), p->who, p->what, p->text);
        return;
    case DISPUTE_UNION:
        html(s->out, SPAN("union"), p->what, p->what, p->text);
        return;
    case DISPUTE_DEFINITION:
        html(s->out, SPAN("meaning"), p->who, p->text);
        return;
    case DISPUTE_NOTE:
    case DISPUTE_MESSAGE:
        html(s->out, SPAN("aside"), note, note, p->who, day_of(p->when), p->what, p->text);
    }
}

static struct dispute_view view_of(struct showing *s)
{
    return (struct dispute_view){.settler = s->settler, .hides_names = s->hides_names, .each = add_part, .ctx = s};
}

/* Every other code that may be given, as many as the facet takes, or a field for another value. */
static void add_choices(struct showing *s, size_t facet)
{
    const struct facet *of = &s->facets->items[facet];
    const struct codebook *c = &s->settler->book.codebook;
    struct span list = stored_codebook_list(&s->settler->book, facet);
    bool typed = of->kind == FACET_NUMBER || of->kind == FACET_TEXT;

    if (typed)
        html(s->out, SPAN("other-value"));
    for (size_t i = 0; i < of->most && !typed; i++) {
        if (i == 0)
            html(s->out, SPAN("other-code"));
        else
            html(s->out, SPAN("and-code"), html_number(s->v, (int64_t)i + 1));
        if (of->kind == FACET_YES_NO)
            buf_add_text(s->out, "<option>yes</option><option>no</option>");
        for (size_t k = 0; k < c->n_codes && of->kind != FACET_YES_NO; k++)
            if (span_eq(c->codes[k].facet, list))
                page_text(s->out, "<option>", c->codes[k].name, "</option>");
        buf_add_text(s->out, "</select></label> ");
    }
    buf_add_text(s->out, "<button name=\"value\" value=\"\">Settle as this</button>\n");
}

static enum status MUST_USE add_dispute(struct showing *s, const struct db_dispute *d, struct err *e)
{
    bool segments = d->facet == DB_SEGMENTS;
    const struct facet *facet = &s->facets->items[segments ? FACET_JUDGES : d->facet];
    const struct dispute_view view = view_of(s);

    /* Enter in a field settles nothing: the first button is the one that it presses. */
    html(s->out, SPAN("dispute"), d->subject, dispute_facet(s->settler, d), span_of(s->on), s->after);
    if (s->hides_names)
        page_hidden(s->out, "names", SPAN("hidden"));
    (void)page_subject(s->out, "\n<h2>", d->subject, " ");
    page_text(s->out, "", segments ? SPAN("Which ones the post has") : facet->title, "</h2>\n");
    enum status status = dispute_view_each(&view, d, e);
    buf_add_text(s->out, s->last == DISPUTE_LABEL ? "</tbody></table>\n" : "");
    if (!segments) {
        html(s->out, SPAN("why"));
        add_choices(s, d->facet);
        buf_add_text(s->out, "</p>\n");
    }
    buf_add_text(s->out, "</form>\n");
    return status;
}

/* --- one post at a time --- */

/* `segments` are of all posts, `disputes` of this one. */
static enum status MUST_USE write_next(struct showing *s, const struct db_disputes *segments,
                                       const struct db_disputes *disputes, int64_t post_id, struct err *e)
{
    const struct db_disputes *lists[] = {segments, disputes};
    const struct dispute_view view = view_of(s);
    AT_END(array_end) struct thread_quotes reasons = {0};
    AT_END(thread_post_clear) struct thread_post post = {0};
    char id[POST_ID_TEXT_SIZE];

    for (size_t i = 0; i < disputes->n; i++)
        for (const struct db_opinion *o = disputes->items[i].opinions;
             o != NULL && disputes->items[i].post_id == post_id; o = o->next)
            array_add(&reasons, o->reason);
    buf_add_text(s->out, "<div class=\"settling\">\n");
    enum status status = thread_write(s->v, post_id, &reasons, &post, e);
    if (status == ST_NO) /* labels of a post that is not held are settled, too */
        status = ST_OK;
    html(s->out, SPAN("disputes"), span_of(post_id_text(post_id, id)), html_if(s->hides_names, "&names=hidden"));
    for (size_t l = 0; l < ARRAY_LEN(lists); l++)
        for (size_t i = 0; i < lists[l]->n && status == ST_OK; i++)
            if (lists[l]->items[i].post_id == post_id)
                status = add_dispute(s, &lists[l]->items[i], e);
    html(s->out, SPAN("discussion"), span_of(id), s->after);
    THEN(status, dispute_view_asides(&view, post_id, e));
    html(s->out, SPAN("say"));
    return status;
}

static enum status MUST_USE write_disputes(struct showing *s, const struct db_disputes *segments, struct err *e)
{
    AT_END(db_disputes_clear) struct db_disputes disputes = {0};
    struct db_coder coder;
    int64_t after = 0, post_id = 0;
    uint64_t settled;
    size_t n = 0;

    if (s->after.len > 0 && !post_id_read(s->after, &after))
        return err_set(e, ST_INPUT, "'after' is the id of a post");
    enum status status = db_disputes_next(s->v->worker->db, after, &n, &post_id, e);
    for (size_t i = 0; i < segments->n; i++) {
        /* After the last one, the first one comes again. */
        int64_t other = segments->items[i].post_id;
        bool is_before = (other > after) == (post_id > after) ? other < post_id : other > after;
        if (post_id == 0 || is_before)
            post_id = other;
    }
    if (status == ST_OK && post_id != 0)
        status = web_state(s->v, STATE_OF_ALL, post_id, s->on, e); /* before what it is a name for is read */
    if (status == ST_OK && post_id != 0)
        status = db_disputes_read(s->v->worker->db, DB_DISPUTED, DB_ALL_FACETS, post_id, &disputes, e);
    page_begin(s->v, "Settle", "settle");
    buf_addf(s->out, "<p>%zu to settle. <a href=\"/settle%s</a></p>\n", segments->n + n,
             s->hides_names ? "\">Show names" : "?names=hidden\">Hide names");
    if (span_u64(field_of(&s->v->query, "settled"), UINT32_MAX, &settled))
        buf_addf(s->out, "<p role=\"status\">%" PRIu64 " label%s settled at once.</p>\n", settled,
                 settled == 1 ? " was" : "s were");
    if (status == ST_OK && post_id != 0)
        status = write_next(s, segments, &disputes, post_id, e);
    html(s->out, SPAN("settle-agreed"));
    if (!s->hides_names)
        html(s->out, SPAN("settle-single"));
    while (!s->hides_names && db_coder_next(s->v->worker->db, &coder, &status, e))
        if (!coder.is_merged)
            page_text(s->out, "<option>", coder.coder, "</option>");
    buf_add_text(s->out, s->hides_names ? "" : "</select></label> <button>Look at them</button></form>\n");
    if (status == ST_OK && !s->hides_names)
        status = progress_of_team(s->v, e);
    buf_add_text(s->out, "<script type=\"module\" src=\"/pick.js\"></script>\n");
    page_end(s->v);
    return status;
}

/* --- labels of one coder --- */

struct look {
    struct visit *v;
    struct buf *out;
    const struct facets *facets;
    size_t n;
    enum status status;
};

static void add_taken(void *ctx, const struct db_dispute *shown)
{
    struct look *look = ctx;
    struct db_dispute dispute = *shown, *d = &dispute;

    if (look->n++ >= TAKEN_SHOWN_MAX || look->status != ST_OK)
        return;
    look->status = db_dispute_reasons(look->v->worker->db, d, &look->v->arena, &look->v->error);
    if (!page_subject(look->out, "<tr><td>", d->subject, "</td><td>"))
        return;
    page_text(look->out, "", look->facets->items[d->facet].title, "</td><td>");
    AT_END(buf_clear) struct buf codes = {0};
    dispute_add_codes(&codes, d->opinions, 0);
    page_text(look->out, "", buf_span(&codes), "");
    page_text(look->out, "</td><td>", d->opinions->reason, "</td></tr>\n");
}

/* A look at what would be taken, with its share and the agreement beside. */
static enum status MUST_USE write_single(struct visit *v, struct settler *settler, struct span coder, struct err *e)
{
    struct look look = {.v = v, .out = v->out, .facets = settler->book.facets};
    const struct settle_bulk how = {
        .kind = DB_SINGLE, .coder = coder, .facet = DB_ALL_FACETS, .only_looks = true, .each = add_taken, .ctx = &look};
    struct settle_count count;
    AT_END(table_list_clear) struct table_list tables = {0};

    page_begin(v, "Labels of one coder", "settle");
    page_table(v->out, "Of;Facet;Label;Reason");
    enum status status = settle_bulk(settler, &how, &count, e);
    buf_add_text(v->out, "</tbody></table>\n");
    status = status == ST_OK ? look.status : status;
    THEN(status, report_single(&tables, v->worker->db, coder, count.of, e));
    if (status == ST_OK && count.n > TAKEN_SHOWN_MAX)
        buf_addf(v->out, "<p>The first %d of %zu.</p>\n", TAKEN_SHOWN_MAX, count.n);
    for (size_t i = 0; i < tables.n && status == ST_OK; i++)
        table_add_html_linked(v->out, tables.tables[i], NULL);
    if (status == ST_OK && count.disputed + count.retired > 0)
        buf_addf(v->out,
                 "<p>Left out: %zu of posts about which coders disagree, %zu whose code is no"
                 " longer given.</p>\n",
                 count.disputed, count.retired);
    if (status == ST_OK && count.n > 0) {
        buf_add_text(v->out, "<form method=\"post\" action=\"/settle\">");
        page_hidden(v->out, "coder", coder);
        buf_addf(v->out, "<button name=\"go\" value=\"single\">Take these %zu labels</button></form>\n", count.n);
    }
    page_end(v);
    return status;
}

enum status settle_page(struct visit *v)
{
    AT_END(settler_clear) struct settler settler;
    AT_END(db_disputes_clear) struct db_disputes segments = {0};
    struct showing s = {.v = v,
                        .out = v->out,
                        .settler = &settler,
                        .after = field_of(&v->query, "after"),
                        .hides_names = field_of(&v->query, "names").len > 0};
    struct span single = field_of(&v->query, "single");
    enum status status = settler_open(&settler, v->worker->db, span_of(merged_name), v->coder, &v->error);

    THEN(status, db_facets(v->worker->db, &s.facets, &v->error));
    if (status == ST_OK && single.len > 0)
        return write_single(v, &settler, single, &v->error);
    THEN(status, db_segments_read(v->worker->db, DB_DISPUTED, 0, &segments, &v->error));
    return status == ST_OK ? write_disputes(&s, &segments, &v->error) : status;
}

/* --- settling --- */

/* The coder who says "118_1; 118_2" about the subject, or NULL. */
static const struct db_opinion *find_opinion(const struct db_disputes *said, struct span subject, struct span text)
{
    AT_END(buf_clear) struct buf names = {0};

    for (size_t i = 0; i < said->n; i++)
        for (const struct db_opinion *o = said->items[i].opinions; o != NULL; o = o->next) {
            buf_reset(&names);
            dispute_add_codes(&names, o, 0);
            if (!o->is_merged && span_eq(said->items[i].subject, subject) && span_eq(buf_span(&names), text))
                return o;
        }
    return NULL;
}

static enum status MUST_USE put_segments(struct visit *v, struct settler *settler, struct span reason, struct err *e)
{
    AT_END(db_disputes_clear) struct db_disputes posts = {0};
    int64_t post_id;
    size_t n;

    if (!post_id_read(field_of(&v->form, "subject"), &post_id))
        return err_set(e, ST_INPUT, "there is no such post");
    enum status status = web_state_check(v, STATE_OF_ALL, post_id, field_of(&v->form, "on"), e);
    THEN(status, db_segments_read(v->worker->db, DB_SAID, post_id, &posts, e));
    const struct db_opinion *taken = find_opinion(&posts, field_of(&v->form, "subject"), field_of(&v->form, "value"));
    if (status == ST_OK && taken == NULL)
        status = err_set(e, ST_INPUT, "no coder sees these in the post any more");
    THEN(status, settle_segments(settler, &posts.items[0], taken, reason, &n, e));
    return status;
}

static enum status MUST_USE put_settlement(struct visit *v, struct settler *settler, struct span reason, struct err *e)
{
    struct settlement settlement = {.subject = field_of(&v->form, "subject")};
    const struct facets *facets = settler->book.facets;
    struct span value = field_of(&v->form, "value");
    AT_END(db_disputes_clear) struct db_disputes said = {0};
    AT_END(buf_clear) struct buf text = {0}, others = {0};

    settlement.facet = facets_find(facets, field_of(&v->form, "facet"));
    if (!problem_id_read(settlement.subject, &settlement.post_id) || settlement.facet == facets->n)
        return err_set(e, ST_INPUT, "there is no such subject or facet");
    /* The codes that the form chooses, "a;b". */
    buf_add_span(&others, field_of(&v->form, "other"));
    for (size_t i = 2; i <= FACET_CODES_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "other%zu", i);
        struct span other = field_of(&v->form, name);
        if (other.len > 0)
            buf_addf(&others, "%s%.*s", others.len > 0 ? ";" : "", SPAN_ARG(other));
    }
    enum status status = settlement_read(settler, &settlement, value.len > 0 ? value : buf_span(&others), e);
    THEN(status, web_state_check(v, STATE_OF_ALL, settlement.post_id, field_of(&v->form, "on"), e));
    THEN(status, db_disputes_read(settler->db, DB_SAID, settlement.facet, settlement.post_id, &said, e));
    if (status == ST_OK) {
        settlement_reason(&text, value.len > 0 ? find_opinion(&said, settlement.subject, value) : NULL, reason);
        status = settlement_put(settler, &settlement, buf_span(&text), e);
    }
    return status;
}

static enum status MUST_USE settle_one(struct visit *v, struct settler *settler, struct err *e)
{
    struct span why = span_trim(field_of(&v->form, "reason"));
    AT_END(buf_clear) struct buf reason = {0};

    if (why.len > ACT_TEXT_MAX)
        return err_set(e, ST_INPUT, "the reason is too long");
    buf_add_text(&reason, field_of(&v->form, "gap").len > 0 ? settling_gap : "");
    buf_add_span(&reason, why);
    int64_t seen = web_state_version(field_of(&v->form, "on"));
    if (seen != 0)
        settler->book.version = seen;
    enum status status = db_begin(v->worker->db, e);
    if (status != ST_OK)
        return status;
    status = span_eq(field_of(&v->form, "facet"), SPAN("segmentation"))
                 ? put_segments(v, settler, buf_span(&reason), e)
                 : put_settlement(v, settler, buf_span(&reason), e);
    return db_end(v->worker->db, status, e);
}

/* *n: labels that were settled at once. */
static enum status MUST_USE settle(struct visit *v, struct span go, size_t *n, struct err *e)
{
    AT_END(settler_clear) struct settler settler = {0};
    bool open = false;
    const struct settle_bulk agreed = {.kind = DB_AGREED, .facet = DB_ALL_FACETS};
    const struct settle_bulk single = {.kind = DB_SINGLE, .facet = DB_ALL_FACETS, .coder = field_of(&v->form, "coder")};
    struct settle_count count = {.n = 0};
    enum status status = discussion_is_open(v->worker->db, &open, e);

    if (status == ST_OK && span_eq(go, SPAN("open"))) {
        if (!v->is_owner || field_of(&v->form, "sure").len == 0)
            return err_set(e, ST_INPUT,
                           "only an owner can open the settling, after confirming that all coders have finished");
        return discussion_open(v->worker->db, v->coder, e);
    }
    if (status == ST_OK && !open)
        return err_set(e, ST_INPUT, "the settling is not open yet");
    if (status == ST_OK && span_eq(go, SPAN("say")))
        return discussion_say(v->worker->db, v->coder, field_of(&v->form, "subject"), field_of(&v->form, "message"), e);
    THEN(status, settler_open(&settler, v->worker->db, span_of(merged_name), v->coder, e));
    if (status == ST_OK && span_eq(go, SPAN("agreed")))
        status = settle_bulk(&settler, &agreed, &count, e);
    else if (status == ST_OK && span_eq(go, SPAN("single")))
        status = settle_bulk(&settler, &single, &count, e);
    else if (status == ST_OK)
        status = settle_one(v, &settler, e);
    *n = count.n;
    return status;
}

enum status settle_form(struct visit *v)
{
    struct span go = field_of(&v->form, "go");
    AT_END(buf_clear) struct buf link = {0};
    size_t n = 0;
    int64_t after;
    char id[POST_ID_TEXT_SIZE];

    pthread_mutex_lock(&v->web->writing);
    enum status status = settle(v, go, &n, &v->error);
    pthread_mutex_unlock(&v->web->writing);
    buf_add_text(&link, "/settle");
    if (post_id_read(field_of(&v->form, "after"), &after))
        buf_addf(&link, "?after=%s", post_id_text(after, id));
    if (field_of(&v->form, "names").len > 0)
        buf_addf(&link, "%cnames=hidden", link.len > strlen("/settle") ? '&' : '?');
    if (span_eq(go, SPAN("agreed")) || span_eq(go, SPAN("single")))
        buf_addf(&link, "%csettled=%zu", link.len > strlen("/settle") ? '&' : '?', n);
    if (status == ST_OK)
        return answer_see(v, "%s", buf_cstr(&link));
    return status == ST_NO ? answer_stale(v, buf_cstr(&link)) : status;
}
