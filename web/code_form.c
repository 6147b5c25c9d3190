/* code_form: what a coder sends from the page, as a form without script. */
#include "web/site.h"

/* How many of the fields of this name (*n in all) have a value that a field of the other name has, too. */
static size_t count_shared(const struct fields *form, struct span name, struct span other, size_t *n)
{
    size_t shared = 0;

    *n = 0;
    for (size_t i = 0; i < form->n; i++) {
        if (!span_eq(form->at[i].name, name) || form->at[i].value.len == 0)
            continue;
        ++*n;
        for (size_t k = 0; k < form->n; k++)
            if (span_eq(form->at[k].name, other) && span_eq(form->at[k].value, form->at[i].value)) {
                shared++;
                break;
            }
    }
    return shared;
}

/* Whether the coder changed the facet. A form that does not say what it was made with gives all. */
static bool is_changed(const struct visit *v, const struct facet *facet)
{
    AT_END(buf_clear) struct buf was = {0};
    size_t n_was, n_now;

    buf_addf(&was, "was:%.*s", (int)facet->name.len, facet->name.ptr);
    AT_END(mem_end) char *now = mem_addf("codes:%.*s", (int)facet->name.len, facet->name.ptr);
    bool known = field_of(&v->form, buf_cstr(&was)).ptr != NULL;
    size_t shared = count_shared(&v->form, span_of(now), buf_span(&was), &n_now);
    count_shared(&v->form, buf_span(&was), span_of(now), &n_was);
    return !known || shared != n_now || n_now != n_was;
}

/* The codes of a facet that the form has, as places in the codebook. */
static enum status MUST_USE read_codes(struct visit *v, const struct facet *facet, struct act_codes *out, struct err *e)
{
    enum status status = ST_OK;

    AT_END(mem_end) char *name = mem_addf("codes:%.*s", (int)facet->name.len, facet->name.ptr);
    for (size_t i = 0; i < v->form.n && status == ST_OK; i++) {
        if (!span_eq(v->form.at[i].name, span_of(name)) || v->form.at[i].value.len == 0)
            continue;
        size_t place = stored_codebook_find(&v->worker->book, act_list(&v->worker->book, facet), v->form.at[i].value,
                                            e);
        if (place == SIZE_MAX)
            status = ST_INPUT;
        else if (out->n == facet->most)
            status = err_set(e, ST_INPUT, "%.*s: at most %zu codes", (int)facet->name.len, facet->name.ptr,
                             facet->most);
        else
            out->at[out->n++] = place;
    }
    return status;
}

static enum status MUST_USE read_act(struct visit *v, struct act *act, struct err *e)
{
    struct span judgement = field_of(&v->form, "is_problem"), go = field_of(&v->form, "go");
    struct span was = field_of(&v->form, "was_problem");
    size_t n;
    const struct facet *facets = act_facets(&v->worker->book, &n);
    enum status status = ST_OK;

    act->subject = field_of(&v->form, "problem");
    int64_t of;
    if (!problem_id_read(act->subject, &of) || of != act->post_id)
        return err_set(e, ST_INPUT, "the problem is not one of the post");
    act->coder = v->coder;
    act->reason = field_text(&v->form, "reason");
    act->note = field_text(&v->form, "note");
    act->assisted = field_of(&v->form, "shown").len > 0;
    act->unsure = span_eq(go, SPAN("unsure"));
    act->seen_version = web_state_version(field_of(&v->form, "on"));
    act->reason_facet = facets_find(v->worker->book.facets, field_of(&v->form, "reason_for"));
    act->reason_of_one = act->reason_facet < v->worker->book.facets->n;
    if (span_eq(judgement, was)) /* not changed */
        judgement = (struct span){0};
    if (span_eq(go, SPAN("no")) || span_eq(judgement, SPAN("no")))
        act->judgement = ACT_SAYS_NO;
    else if (span_eq(judgement, SPAN("yes")))
        act->judgement = ACT_SAYS_YES;
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        act->given[i] = is_changed(v, &facets[i]);
        if (act->given[i])
            status = read_codes(v, &facets[i], &act->codes[i], e);
    }
    return status;
}

enum status code_form(struct visit *v)
{
    AT_END(mem_end) struct act *act = mem_zero(1, sizeof *act);
    struct span go = field_of(&v->form, "go");
    int64_t post_id = 0;
    char id[POST_ID_TEXT_SIZE], link[sizeof "/code/" + POST_ID_TEXT_SIZE];
    enum status status = ST_OK;

    if (!post_id_read(web_rest(v, "/code/"), &act->post_id))
        return answer_refuse(v, 404, "This is not the id of a post.");
    const struct act_on on = {act->post_id, field_of(&v->form, "on"), {0}};
    post_id_text(act->post_id, id);
    if (span_eq(go, SPAN("undo"))) {
        status = web_undo(v, 0, &on, &post_id, &v->error);
    } else {
        status = read_act(v, act, &v->error);
        if (status == ST_OK && (act_says(act) || !span_eq(go, SPAN("skip"))))
            status = web_act(v, act, &on, &v->error);
    }
    snprintf(link, sizeof link, "/code/%s", id);
    if (status == ST_NO)
        return answer_stale(v, link);
    if (status != ST_OK)
        return status;
    if (span_eq(go, SPAN("undo")))
        return answer_see(v, "/code/%s", post_id_text(post_id, id));
    if (span_eq(go, SPAN("back")))
        return answer_see(v, "/code?back=%s", id);
    if (span_eq(go, SPAN("problem")))
        return answer_see(v, "%s?problem=new", link);
    if (span_eq(go, SPAN("stay")))
        return answer_see(v, "%s?problem=%.*s", link, SPAN_ARG(act->subject));
    return answer_see(v, "/code?after=%s", id);
}
