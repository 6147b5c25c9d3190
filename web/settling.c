/* settling: nobody sees what others decided until the settling is open; then what differs is settled. */
#include <inttypes.h>

#include "base/day.h"
#include "label/coding/discussion.h"
#include "label/coding/settle.h"
#include "web/site.h"

enum { SHOWN_MAX = 25 }; /* disputes on a page */

static const char merged_name[] = "merged";
static const char segmentation[] = "segmentation"; /* in place of a facet: which problems a post has */

/* --- the switch --- */

/* Whether coders may see what others decided; until then no page has a byte of it. */
static enum status MUST_USE is_open(struct visit *v, bool *open, struct err *e)
{
    return discussion_is_open(v->worker->db, open, e);
}

static void show_closed(struct visit *v, const char *title, const char *here)
{
    enum status status = ST_OK;

    page_begin(v, title, here);
    buf_add_text(v->out, "<p>The settling is not open. Until then nobody sees the decisions of other"
                         " coders, or figures made from them, so that coders stay independent.</p>\n");
    if (v->is_owner)
        buf_add_text(v->out, "<form method=\"post\" action=\"/settle\">\n<p>Open it when all coders have"
                             " finished. It cannot be closed again.</p>\n"
                             "<label><input type=\"checkbox\" name=\"sure\" value=\"yes\" required> All coders"
                             " have finished</label>\n<button name=\"go\" value=\"open\">Open the settling</button>\n"
                             "</form>\n");
    if (strcmp(here, "settle") == 0)
        status = progress_of_team(v, &v->error);
    page_end(v);
    if (status != ST_OK)
        answer_fault(v, status);
}

bool settling_must_be_open(struct visit *v, const char *title, const char *here)
{
    bool open;
    enum status status = is_open(v, &open, &v->error);

    if (status != ST_OK)
        answer_fault(v, status);
    else if (!open)
        show_closed(v, title, here);
    return status == ST_OK && open;
}

static enum status MUST_USE open_settling(struct visit *v, struct err *e)
{
    if (!v->is_owner || field_of(&v->form, "sure").len == 0)
        return err_set(e, ST_INPUT, "only an owner can open the settling, after confirming that all coders have"
                       " finished");
    return discussion_open(v->worker->db, v->coder, e);
}

/* --- what differs --- */

struct showing {
    struct visit *v;
    struct buf *out;
    const struct facets *facets;
    struct settler *settler;
    bool hides_names;
};

static void join_names(struct buf *out, const struct db_opinion *o)
{
    for (size_t i = 0; i < o->n_names; i++) {
        buf_add_text(out, i > 0 ? "; " : "");
        buf_add_span(out, o->names[i]);
    }
}

static void add_names(struct buf *out, const struct db_opinion *o)
{
    struct buf names = {0};

    join_names(&names, o);
    page_text(out, "", buf_span(&names), "");
    buf_clear(&names);
}

static void add_opinion(struct showing *s, const struct db_opinion *o, size_t nth)
{
    char letter[] = {(char)('A' + nth % 26), '\0'};
    bool hidden = s->hides_names && !o->is_merged;

    page_text(s->out, "<tr><th scope=\"row\">", hidden ? span_of(letter) : o->coder, "");
    buf_add_text(s->out, o->is_merged ? " <small>settled before, reopened</small></th><td>"
                                      : "</th><td>");
    add_names(s->out, o);
    page_text(s->out, "</td><td>", o->reason, "</td><td>");
    if (!o->is_merged) {
        buf_add_text(s->out, "<button name=\"value\" value=\"");
        add_names(s->out, o);
        buf_add_text(s->out, "\">Take this</button>");
    }
    buf_add_text(s->out, "</td></tr>\n");
}

static void add_rule(void *ctx, struct span code, struct span versus, struct span rule)
{
    struct buf *out = ctx;

    page_text(out, "<p class=\"rule\">The guide: <em>", code, "</em> or ");
    page_text(out, "<em>", versus, "</em>? ");
    page_text(out, "", rule, "</p>\n");
}

static void add_codes(struct showing *s, size_t facet)
{
    const struct codebook *c = &s->settler->book.codebook;
    struct span list = stored_codebook_list(&s->settler->book, facet);

    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list))
            page_text(s->out, "<option>", c->codes[i].name, "</option>");
}

/* Every other code that may be given, or a field for another value. */
static void add_choices(struct showing *s, size_t facet)
{
    const struct facet *of = &s->facets->items[facet];
    bool typed = of->kind == FACET_NUMBER || of->kind == FACET_TEXT;

    buf_add_text(s->out, typed ? "<label>Another value <input type=\"text\" name=\"other\" maxlength=\"2000\">"
                               : "<label>Another code <select name=\"other\"><option value=\"\">…</option>");
    if (of->kind == FACET_YES_NO)
        buf_add_text(s->out, "<option>yes</option><option>no</option>");
    else if (!typed)
        add_codes(s, facet);
    buf_add_text(s->out, typed ? "" : "</select>");
    buf_add_text(s->out, "</label> <button name=\"value\" value=\"\">Settle as this</button>\n");
}

/* Notes and messages about the post, and a field for one more. */
struct said_aside {
    struct showing *s;
    const char *kind;
    size_t n;
};

static void add_aside(void *ctx, const struct db_note *note)
{
    struct said_aside *aside = ctx;
    struct buf *out = aside->s->out;

    buf_addf(out, "%s<p class=\"%s\">%s ", aside->n++ == 0 ? "<div class=\"discussion\">\n" : "",
             aside->kind, aside->kind);
    page_text(out, "<strong>", aside->s->hides_names ? SPAN("a coder") : note->coder, "</strong>, ");
    page_text(out, "", day_of(note->written_at), ", ");
    page_text(out, "", note->subject, ": ");
    page_text(out, "", note->text, "</p>\n");
}

static enum status MUST_USE add_discussion(struct showing *s, const struct db_dispute *d,
                                           struct err *e)
{
    struct said_aside aside = {.s = s, .kind = "note"};
    struct db *db = s->v->worker->db;
    const struct span all = {0};
    enum status status = db_note_each(db, all, d->post_id, add_aside, &aside, e);

    aside.kind = "message";
    if (status == ST_OK)
        status = db_message_each(db, all, d->post_id, add_aside, &aside, e);
    buf_add_text(s->out, aside.n > 0 ? "</div>\n" : "");
    buf_add_text(s->out, "<p><label>Message to the other coders <textarea name=\"message\" rows=\"2\""
                         " maxlength=\"2000\"></textarea></label> <button name=\"go\" value=\"say\">Send"
                         "</button></p>\n");
    return status;
}

static enum status MUST_USE add_dispute(struct showing *s, const struct db_dispute *d,
                                        struct err *e)
{
    bool segments = d->facet == DB_SEGMENTS;
    const struct facet *facet = &s->facets->items[segments ? FACET_JUDGES : d->facet];
    size_t nth = 0;
    char id[POST_ID_TEXT_SIZE];

    buf_add_text(s->out, "<form class=\"dispute\" method=\"post\" action=\"/settle\">\n");
    page_text(s->out, "<input type=\"hidden\" name=\"subject\" value=\"", d->subject, "\">");
    page_text(s->out, "<input type=\"hidden\" name=\"facet\" value=\"",
              segments ? span_of(segmentation) : facet->name, "\">\n");
    buf_addf(s->out, "<h2><a href=\"/code/%s\">", post_id_text(d->post_id, id));
    page_text(s->out, "", d->subject, "</a> ");
    page_text(s->out, "", segments ? SPAN("Which problems the post has") : facet->title, "</h2>\n");
    page_text(s->out, "<p>", d->title, "</p>\n<table><tbody>\n");
    for (const struct db_opinion *o = d->opinions; o != NULL; o = o->next)
        add_opinion(s, o, nth++);
    buf_add_text(s->out, "</tbody></table>\n");
    enum status status = settle_guide(s->settler, d, add_rule, s->out, e);
    if (!segments) {
        buf_add_text(s->out, "<p><label>Why <input type=\"text\" name=\"reason\" maxlength=\"2000\"></label></p>\n"
                         "<p><label><input type=\"checkbox\" name=\"gap\" value=\"yes\"> The guide has a gap"
                         "</label></p>\n<p class=\"choice\">");
        add_choices(s, d->facet);
        buf_add_text(s->out, "</p>\n");
    }
    if (status == ST_OK)
        status = add_discussion(s, d, e);
    buf_add_text(s->out, "</form>\n");
    return status;
}

static enum status MUST_USE write_disputes(struct showing *s, const struct db_disputes *segments,
                                           const struct db_disputes *disputes, struct err *e)
{
    enum status status = ST_OK;
    size_t n = segments->n + disputes->n;

    page_begin(s->v, "Settle", "settle");
    buf_addf(s->out, "<p>%zu to settle. <a href=\"/settle%s</a></p>\n", n,
             s->hides_names ? "\">Show names" : "?names=hidden\">Hide names");
    buf_add_text(s->out, "<p><a href=\"/overruled\">What was settled otherwise than I said</a></p>\n");
    buf_add_text(s->out, "<form method=\"post\" action=\"/settle\"><button name=\"go\" value=\"agreed\">Settle"
                         " everything that coders agree on</button></form>\n");
    for (size_t i = 0; i < n && i < SHOWN_MAX && status == ST_OK; i++)
        status = add_dispute(s, i < segments->n ? &segments->items[i]
                                                : &disputes->items[i - segments->n], e);
    if (n > SHOWN_MAX)
        buf_addf(s->out, "<p>and %zu more</p>\n", n - SHOWN_MAX);
    if (status == ST_OK)
        status = progress_of_team(s->v, e);
    page_end(s->v);
    return status;
}

static enum status MUST_USE settler_of(struct visit *v, struct settler *settler, struct err *e)
{
    return settler_open(settler, v->worker->db, span_of(merged_name), v->coder, e);
}

void settle_page(struct visit *v)
{
    struct settler settler;
    struct db_disputes segments = {0}, disputes = {0};
    struct showing s = {.v = v, .out = v->out, .settler = &settler,
                        .hides_names = field_of(&v->query, "names").len > 0};

    if (!settling_must_be_open(v, "Settle", "settle"))
        return;
    enum status status = settler_of(v, &settler, &v->error);
    if (status == ST_OK)
        status = db_facets(v->worker->db, &s.facets, &v->error);
    if (status == ST_OK)
        status = db_segments_read(v->worker->db, DB_DISPUTED, 0, &segments, &v->error);
    if (status == ST_OK)
        status = db_disputes_read(v->worker->db, DB_DISPUTED, DB_ALL_FACETS, 0, &disputes, &v->error);
    if (status == ST_OK)
        status = write_disputes(&s, &segments, &disputes, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    db_disputes_clear(&segments);
    db_disputes_clear(&disputes);
    settler_clear(&settler);
}

/* --- settling --- */

static enum status MUST_USE read_settlement(struct visit *v, struct settler *settler,
                                            struct settlement *out, struct err *e)
{
    struct span value = field_of(&v->form, "value"), other = field_of(&v->form, "other");
    const struct facets *facets = settler->book.facets;

    out->subject = field_of(&v->form, "subject");
    out->facet = facets_find(facets, field_of(&v->form, "facet"));
    if (!problem_id_read(out->subject, &out->post_id) || out->facet == facets->n)
        return err_set(e, ST_INPUT, "there is no such problem or facet");
    return settlement_read(settler, out, value.len > 0 ? value : other, e);
}

/* The coder who sees the problems "118_1; 118_2", or NULL. */
static const struct db_opinion *find_opinion(const struct db_disputes *posts, struct span problems)
{
    const struct db_opinion *o = posts->n > 0 ? posts->items[0].opinions : NULL;
    struct buf names = {0};

    for (; o != NULL; o = o->next) {
        buf_reset(&names);
        join_names(&names, o);
        if (span_eq(buf_span(&names), problems))
            break;
    }
    buf_clear(&names);
    return o;
}

static enum status MUST_USE put_segments(struct visit *v, struct settler *settler,
                                         struct span reason, struct err *e)
{
    struct db_disputes posts = {0};
    int64_t post_id;
    size_t n;

    if (!post_id_read(field_of(&v->form, "subject"), &post_id))
        return err_set(e, ST_INPUT, "there is no such post");
    enum status status = db_segments_read(v->worker->db, DB_SAID, post_id, &posts, e);
    const struct db_opinion *taken = find_opinion(&posts, field_of(&v->form, "value"));
    if (status == ST_OK && taken == NULL)
        status = err_set(e, ST_INPUT, "no coder sees these problems in the post any more");
    if (status == ST_OK)
        status = settle_segments(settler, &posts.items[0], taken, reason, &n, e);
    db_disputes_clear(&posts);
    return status;
}

static enum status MUST_USE put_settlement(struct visit *v, struct settler *settler,
                                           struct span reason, struct err *e)
{
    struct settlement settlement = {0};

    if (span_eq(field_of(&v->form, "facet"), span_of(segmentation)))
        return put_segments(v, settler, reason, e);
    enum status status = read_settlement(v, settler, &settlement, e);
    return status == ST_OK ? settlement_put(settler, &settlement, reason, e) : status;
}

static enum status MUST_USE settle_one(struct visit *v, struct settler *settler, struct err *e)
{
    struct span why = span_trim(field_of(&v->form, "reason"));
    struct buf reason = {0};
    enum status status = ST_OK;

    if (why.len > ACT_TEXT_MAX)
        status = err_set(e, ST_INPUT, "the reason is too long");
    buf_add_text(&reason, field_of(&v->form, "gap").len > 0 ? "guideline gap: " : "");
    buf_add_span(&reason, why);
    if (status == ST_OK)
        status = db_begin(v->worker->db, e);
    if (status == ST_OK) {
        status = put_settlement(v, settler, buf_span(&reason), e);
        if (status == ST_OK)
            status = db_commit(v->worker->db, e);
        if (status != ST_OK)
            db_rollback(v->worker->db);
    }
    buf_clear(&reason);
    return status;
}

static enum status MUST_USE settle(struct visit *v, struct err *e)
{
    struct settler settler;
    bool open = false;
    const struct settle_bulk agreed = {.kind = DB_AGREED, .facet = DB_ALL_FACETS};
    struct settle_count count;
    enum status status = is_open(v, &open, e);

    if (status == ST_OK && !open)
        return err_set(e, ST_INPUT, "the settling is not open yet");
    if (status != ST_OK)
        return status;
    if (span_eq(field_of(&v->form, "go"), SPAN("say")))
        return discussion_say(v->worker->db, v->coder, field_of(&v->form, "subject"),
                              field_of(&v->form, "message"), e);
    status = settler_of(v, &settler, e);
    if (status == ST_OK && span_eq(field_of(&v->form, "go"), SPAN("agreed")))
        status = settle_bulk(&settler, &agreed, &count, e);
    else if (status == ST_OK)
        status = settle_one(v, &settler, e);
    settler_clear(&settler);
    return status;
}

void settle_form(struct visit *v)
{
    bool opens = span_eq(field_of(&v->form, "go"), SPAN("open"));

    pthread_mutex_lock(&v->web->writing);
    enum status status = opens ? open_settling(v, &v->error) : settle(v, &v->error);
    pthread_mutex_unlock(&v->web->writing);
    if (status == ST_OK)
        answer_see(v, "/settle");
    else
        answer_fault(v, status);
}
