/* settling: nobody sees what others decided until the settling is open; then what differs is settled. */
#include <inttypes.h>

#include "coding/settle.h"
#include "db/study.h"
#include "web/site.h"

enum { SHOWN_MAX = 25 }; /* disputes on a page */

static const char merged_name[] = "merged";

/* --- the switch --- */

static const char setting[] = "settling_opened";

enum status settling_is_open(struct visit *v, bool *open, struct err *e)
{
    struct span value = {0};
    enum status status = db_setting_get(v->worker->db, setting, &v->arena, &value, e);

    *open = status == ST_OK && value.ptr != NULL;
    return status;
}

static void show_closed(struct visit *v, const char *title, const char *here)
{
    page_begin(v, title, here);
    buf_add_text(v->out, "<p>The settling is not open. Until it is, nobody sees what other coders"
                         " decided, nor figures that are made of it, so that each codes by their own"
                         " judgement.</p>\n");
    if (v->is_owner)
        buf_add_text(v->out, "<form method=\"post\" action=\"/settle\">\n<p>Open it when all have coded. It"
                             " cannot be closed again: what was seen was seen.</p>\n"
                             "<label><input type=\"checkbox\" name=\"sure\" value=\"yes\" required> All have"
                             " coded</label>\n<button name=\"go\" value=\"open\">Open the settling</button>\n"
                             "</form>\n");
    page_end(v);
}

bool settling_must_be_open(struct visit *v, const char *title, const char *here)
{
    bool open;
    enum status status = settling_is_open(v, &open, &v->error);

    if (status != ST_OK)
        answer_fault(v, status);
    else if (!open)
        show_closed(v, title, here);
    return status == ST_OK && open;
}

static enum status MUST_USE open_settling(struct visit *v, struct err *e)
{
    char now[TIME_TEXT_SIZE];
    struct buf value = {0};

    if (!v->is_owner || field_of(&v->form, "sure").len == 0)
        return err_set(e, ST_INPUT, "only the owner opens the settling, and says that all have coded");
    time_now(now);
    buf_addf(&value, "%s by %.*s", now, (int)v->coder.len, v->coder.ptr);
    enum status status = db_begin(v->worker->db, e);
    if (status == ST_OK)
        status = db_setting_put(v->worker->db, setting, buf_span(&value), e);
    if (status == ST_OK)
        status = db_commit(v->worker->db, e);
    if (status != ST_OK)
        db_rollback(v->worker->db);
    buf_clear(&value);
    return status;
}

/* --- what differs --- */

struct showing {
    struct visit *v;
    struct buf *out;
    const struct facets *facets;
    struct settler *settler;
    bool hides_names;
};

static void add_names(struct buf *out, const struct db_opinion *o)
{
    struct buf names = {0};

    for (size_t i = 0; i < o->n_names; i++) {
        buf_add_text(&names, i > 0 ? "; " : "");
        buf_add_span(&names, o->names[i]);
    }
    page_text(out, "", buf_span(&names), "");
    buf_clear(&names);
}

static void add_opinion(struct showing *s, const struct db_opinion *o, size_t nth)
{
    char letter[] = {(char)('A' + nth % 26), '\0'};
    bool hidden = s->hides_names && !o->is_merged;

    page_text(s->out, "<tr><th scope=\"row\">", hidden ? span_of(letter) : o->coder, "");
    buf_add_text(s->out, o->is_merged ? " <small>settled before, and open again</small></th><td>"
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

/* Every other code that may be given. */
static void add_choices(struct showing *s, size_t facet)
{
    const struct codebook *c = &s->settler->book.codebook;

    buf_add_text(s->out, "<label>Another <select name=\"other\"><option value=\"\">…</option>");
    if (s->facets->items[facet].kind == FACET_YES_NO) {
        buf_add_text(s->out, "<option>yes</option><option>no</option>");
    } else {
        struct span list = stored_codebook_list(&s->settler->book, facet);
        for (size_t i = 0; i < c->n_codes; i++)
            if (span_eq(c->codes[i].facet, list))
                page_text(s->out, "<option>", c->codes[i].name, "</option>");
    }
    buf_add_text(s->out, "</select></label> <button name=\"value\" value=\"\">Settle as this</button>\n");
}

static enum status MUST_USE add_dispute(struct showing *s, const struct db_dispute *d,
                                        struct err *e)
{
    const struct facet *facet = &s->facets->items[d->facet];
    size_t nth = 0;

    buf_add_text(s->out, "<form class=\"dispute\" method=\"post\" action=\"/settle\">\n");
    page_text(s->out, "<input type=\"hidden\" name=\"subject\" value=\"", d->subject, "\">");
    page_text(s->out, "<input type=\"hidden\" name=\"facet\" value=\"", facet->name, "\">\n");
    buf_addf(s->out, "<h2><a href=\"/code/%" PRId64 "\">", d->post_id);
    page_text(s->out, "", d->subject, "</a> ");
    page_text(s->out, "", facet->title, "</h2>\n");
    page_text(s->out, "<p>", d->title, "</p>\n<table><tbody>\n");
    for (const struct db_opinion *o = d->opinions; o != NULL; o = o->next)
        add_opinion(s, o, nth++);
    buf_add_text(s->out, "</tbody></table>\n");
    enum status status = settle_guide(s->settler, d, add_rule, s->out, e);
    add_choices(s, d->facet);
    buf_add_text(s->out, "<label>Why <input type=\"text\" name=\"reason\" maxlength=\"2000\"></label>\n"
                         "<label><input type=\"checkbox\" name=\"gap\" value=\"yes\"> The guide has a gap"
                         "</label>\n</form>\n");
    return status;
}

static enum status MUST_USE write_disputes(struct showing *s, const struct db_disputes *disputes,
                                           struct err *e)
{
    enum status status = ST_OK;

    page_begin(s->v, "Settle", "settle");
    buf_addf(s->out, "<p>%zu to settle. <a href=\"/settle%s</a></p>\n", disputes->n,
             s->hides_names ? "\">Show names" : "?names=hidden\">Hide names");
    buf_add_text(s->out, "<form method=\"post\" action=\"/settle\"><button name=\"go\" value=\"agreed\">Settle"
                         " all on which coders agree</button></form>\n");
    for (size_t i = 0; i < disputes->n && i < SHOWN_MAX && status == ST_OK; i++)
        status = add_dispute(s, &disputes->items[i], e);
    if (disputes->n > SHOWN_MAX)
        buf_addf(s->out, "<p>and %zu more</p>\n", disputes->n - SHOWN_MAX);
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
    struct db_disputes disputes = {0};
    struct showing s = {.v = v, .out = v->out, .settler = &settler,
                        .hides_names = field_of(&v->query, "names").len > 0};

    if (!settling_must_be_open(v, "Settle", "settle"))
        return;
    enum status status = settler_of(v, &settler, &v->error);
    if (status == ST_OK)
        status = db_facets(v->worker->db, &s.facets, &v->error);
    if (status == ST_OK)
        status = db_disputes_read(v->worker->db, DB_DISPUTED, DB_ALL_FACETS, 0, &disputes, &v->error);
    if (status == ST_OK)
        status = write_disputes(&s, &disputes, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    db_disputes_clear(&disputes);
    settler_clear(&settler);
}

/* --- settling --- */

static enum status MUST_USE read_settlement(struct visit *v, const struct settler *settler,
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

static enum status MUST_USE settle_one(struct visit *v, struct settler *settler, struct err *e)
{
    struct settlement settlement = {0};
    struct span why = span_trim(field_of(&v->form, "reason"));
    struct buf reason = {0};
    enum status status = read_settlement(v, settler, &settlement, e);

    if (why.len > ACT_TEXT_MAX)
        status = err_set(e, ST_INPUT, "the reason is too long");
    buf_add_text(&reason, field_of(&v->form, "gap").len > 0 ? "guideline gap: " : "");
    buf_add_span(&reason, why);
    if (status == ST_OK)
        status = db_begin(v->worker->db, e);
    if (status == ST_OK) {
        status = settlement_put(settler, &settlement, buf_span(&reason), e);
        if (status == ST_OK)
            status = db_commit(v->worker->db, e);
        if (status != ST_OK)
            db_rollback(v->worker->db);
    }
    buf_clear(&reason);
    return status;
}

static void ignore(void *ctx, struct span subject)
{
    (void)ctx;
    (void)subject;
}

static enum status MUST_USE settle(struct visit *v, struct err *e)
{
    struct settler settler;
    bool open = false;
    size_t n;
    enum status status = settling_is_open(v, &open, e);

    if (status == ST_OK && !open)
        return err_set(e, ST_INPUT, "the settling is not open");
    if (status != ST_OK)
        return status;
    status = settler_of(v, &settler, e);
    if (status == ST_OK && span_eq(field_of(&v->form, "go"), SPAN("agreed")))
        status = settle_agreed(&settler, DB_ALL_FACETS, 0, ignore, NULL, &n, e);
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
