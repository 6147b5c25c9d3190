/* code_page: a post as its site shows it, beside the codes that may be given. */
#include <inttypes.h>

#include "label/coding/decisions.h"
#include "label/coding/said.h"
#include "match/corpus/mine.h"
#include "web/site.h"

/* --- the codes --- */

struct panel {
    struct visit *v;
    struct buf *out;
    const struct codebook *c;
    const struct act_said *said;
    const struct act_problem *problem;   /* NULL: no code yet */
    const struct hint_list *hints;       /* NULL: none, or blind */
    const struct post_relation *related; /* to the post: n_related */
    size_t n_related;
    int64_t post_id;
    struct buf models;       /* what models say of it; empty: none does, or it is hidden */
    char on[WEB_STATE_SIZE]; /* what acts of the page are made on */
};

static struct span title_of(const struct facet *facet)
{
    return facet->title.len > 0 ? facet->title : facet->name;
}

/* A value that is typed, or yes and no. */
static void add_value(struct panel *p, const struct facet *facet, size_t place)
{
    static const char *const answers[] = {"yes", "no"};
    struct span value = p->problem != NULL && p->problem->codes[place].n > 0
                            ? p->c->codes[p->problem->codes[place].at[0]].name
                            : SPAN("");
    AT_END(buf_clear) struct buf range = {0};

    if (facet->kind == FACET_NUMBER) {
        facet_add_range(facet, "", &range);
        html(p->out, SPAN("number"), facet->name, title_of(facet), buf_span(&range), value);
    } else if (facet->kind != FACET_YES_NO) {
        html(p->out, SPAN("text"), facet->name, title_of(facet), value);
    } else {
        for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
            struct span answer = span_of(answers[i]), key = span_of(key_of_code(p->v, facet->name, answer, i));
            html(p->out, SPAN("yes-no"), facet->name, answer, html_if(span_eq(value, answer), " checked"), key, key,
                 answer);
        }
        html(p->out, SPAN("none"), facet->name);
    }
}

static void add_code(struct panel *p, const struct facet *facet, size_t place, size_t code, size_t nth)
{
    struct span name = p->c->codes[code].name, key = span_of(key_of_code(p->v, facet->name, name, nth));
    const struct hint_suggestion *hint = NULL;
    bool given = false;

    for (size_t i = 0; p->hints != NULL && i < p->hints->n_suggestions && hint == NULL; i++)
        if (p->hints->suggestions[i].code == code)
            hint = &p->hints->suggestions[i];
    for (size_t i = 0; p->problem != NULL && i < p->problem->codes[place].n; i++)
        given |= p->problem->codes[place].at[i] == code;
    html(p->out, SPAN("code"), html_if(hint != NULL, " hinted"), span_of(facet->most > 1 ? "checkbox" : "radio"),
         facet->name, name, html_if(given, " checked"), key, key, name);
    if (hint != NULL)
        html(p->out, SPAN("hint"), hint->words);
    html(p->out, SPAN("definition"), name, p->c->codes[code].definition);
    page_rules(p->out, p->c, code);
    buf_add_text(p->out, "</details></div>\n");
}

static void add_choices(struct panel *p, const struct facet *facet, size_t place)
{
    struct span category = {0};
    size_t nth = 0;
    char id[POST_ID_TEXT_SIZE];

    for (size_t i = 0; i < p->c->n_codes; i++) {
        const struct code *code = &p->c->codes[i];
        if (!span_eq(code->facet, act_list(&p->v->worker->book, facet)))
            continue;
        if (code->category.len > 0 && !span_eq(code->category, category))
            page_text(p->out, "<h2>", code->category, "</h2>\n");
        category = code->category;
        add_code(p, facet, place, i, nth++);
    }
    if (facet->most == 1)
        html(p->out, SPAN("none"), facet->name);
    if (!p->v->is_owner)
        return;
    buf_add_text(p->out, "<p><a class=\"new\" href=\"/codebook?facet="); /* made while coding: the page comes back */
    page_encoded(p->out, act_list(&p->v->worker->book, facet));
    html(p->out, SPAN("new-code"), span_of(post_id_text(p->post_id, id)), title_of(facet));
}

static void add_facet(struct panel *p, const struct facet *facet, size_t place)
{
    html(p->out, SPAN("facet"), facet->name, html_number(p->v, (int64_t)facet->most), title_of(facet));
    if (facet->kind == FACET_TEXT)
        buf_add_text(p->out, " <small>Enter: write</small>");
    else if (facet->most > 1)
        html(p->out, SPAN("up-to"), html_number(p->v, (int64_t)facet->most));
    buf_add_text(p->out, "</legend>\n");
    if (facet->asks.len > 0)
        page_text(p->out, "<p class=\"asks\">", facet->asks, "</p>\n");
    /* What the form was made with: a facet that its coder leaves alone is not written, so another tab's code stays. */
    html(p->out, SPAN("was"), facet->name, SPAN(""));
    for (size_t i = 0; p->problem != NULL && i < p->problem->codes[place].n; i++)
        html(p->out, SPAN("was"), facet->name, p->c->codes[p->problem->codes[place].at[i]].name);
    if (facet_is_written(facet))
        add_value(p, facet, place);
    else
        add_choices(p, facet, place);
    buf_add_text(p->out, "</fieldset>\n");
}

/* The problems of a post that has several, and the one that is coded. */
static void add_problems(struct panel *p, struct span post, struct span subject)
{
    if (p->said->problems.n < 2 && span_find(subject, SPAN("_")) == SIZE_MAX)
        return;
    buf_add_text(p->out, "<p class=\"problems\">");
    for (size_t i = 0; i < p->said->problems.n; i++) {
        struct span other = p->said->problems.at[i].subject;
        html(p->out, SPAN("problem"), post, other, html_if(span_eq(other, subject), " aria-current=true"), other);
    }
    if (p->problem == NULL)
        page_text(p->out, "<strong>", subject, "</strong>");
    buf_add_text(p->out, "</p>\n");
}

/* Related posts, facts that were found, and what models say, as far as the post has them. */
static void add_helps(struct panel *p)
{
    struct span rest = buf_span(&p->models), line;
    char id[POST_ID_TEXT_SIZE];

    for (size_t i = 0; i < p->n_related; i++) {
        const struct post_relation *r = &p->related[i];
        post_id_text(r->other_id, id);
        buf_addf(p->out, "%s<a href=\"/code/%s\">%s</a> is %s", i == 0 ? "<p class=\"related\">Related: " : "; ", id,
                 id, r->kind == POST_DUPLICATE ? "a duplicate" : post_relation_names[r->kind]);
        if (r->kind == POST_SIMILAR)
            buf_addf(p->out, " (%.0f %%)", 100 * r->similarity);
    }
    buf_add_text(p->out, p->n_related > 0 ? "</p>\n" : "");
    for (size_t i = 0; p->hints != NULL && i < p->hints->n_facts; i++) {
        buf_add_text(p->out, i == 0 ? "<dl class=\"found\">\n" : "");
        html(p->out, SPAN("fact"), p->hints->facts[i].fact, p->hints->facts[i].value);
        buf_add_text(p->out, i + 1 == p->hints->n_facts ? "</dl>\n" : "");
    }
    if (rest.len == 0)
        return;
    html(p->out, SPAN("models")); /* the form says that it was shown, so that what is decided has it */
    while (rest.len > 0 && span_cut(&rest, '\n', &line)) /* an end of line in a text becomes a <br> */
        page_text(p->out, "", line, "\n");
    html(p->out, SPAN("models-end"));
}

static void add_progress(struct buf *out, const struct progress_state *progress)
{
    buf_addf(out,
             "<p class=\"progress\"><progress aria-label=\"posts judged\" max=\"%" PRId64 "\" value=\"%" PRId64
             "\"></progress> %" PRId64 " of %" PRId64,
             progress->total > 0 ? progress->total : 1, progress->judged, progress->judged, progress->total);
    if (progress->per_hour > 0)
        buf_addf(out, ", %.0f an hour, %.1f hours left", progress->per_hour, progress->hours_left);
    buf_add_text(out, "</p>\n");
}

static void add_panel(struct panel *p, int64_t post_id, struct span subject, const struct progress_state *progress)
{
    const struct facets *all = p->v->worker->book.facets;
    const struct facet *judges = &all->items[FACET_JUDGES];
    bool yes = p->said->is_judged && p->said->is_problem, no = p->said->is_judged && !p->said->is_problem;
    AT_END(buf_clear) struct buf question = {0};
    size_t n;
    const struct facet *facets = act_facets(&p->v->worker->book, &n);
    char id[POST_ID_TEXT_SIZE];

    post_id_text(post_id, id);
    html(p->out, SPAN("coding"), span_of(id), span_of(id), subject, span_of(p->on));
    add_progress(p->out, progress);
    html(p->out, SPAN("state"));
    add_problems(p, span_of(id), subject);
    buf_add_span(&question, judges->asks.len > 0 ? judges->asks : judges->title);
    if (question.len > 0 && question.ptr[0] >= 'a' && question.ptr[0] <= 'z')
        question.ptr[0] = (char)(question.ptr[0] - 'a' + 'A');
    html(p->out, SPAN("judgement"), buf_span(&question), yes ? SPAN("yes") : html_if(no, "no"),
         html_if(yes, " checked"), html_if(no, " checked"));
    add_helps(p);
    buf_add_text(p->out, "<div class=\"facets\">\n");
    for (size_t i = 0; i < n; i++)
        add_facet(p, &facets[i], i);
    html(p->out, SPAN("reason-for"));
    for (size_t i = 0; i < all->n; i++)
        html(p->out, SPAN("option"), all->items[i].name, SPAN(""), title_of(&all->items[i]));
    html(p->out, SPAN("reason-and-note"));
    keys_add(p->v, KEYS_CODE);
    html(p->out, SPAN("coding-end"));
}

/* --- the page --- */

/* The problem that the address names, else the first with a code, else the post. NULL: it has no code yet. */
static const struct act_problem *choose(struct visit *v, int64_t post_id, const struct act_said *said,
                                        struct span *subject)
{
    struct span wanted = field_of(&v->query, "problem");
    AT_END(buf_clear) struct buf id = {0};
    int64_t of;

    if (wanted.len > 0 && problem_id_read(wanted, &of) && of == post_id) {
        *subject = wanted;
    } else if (said->problems.n > 0 && !span_eq(wanted, SPAN("new"))) {
        *subject = said->problems.at[0].subject;
    } else {
        act_next_problem(said, post_id, &id);
        *subject = arena_copy(&v->arena, buf_span(&id));
    }
    for (size_t i = 0; i < said->problems.n; i++)
        if (span_eq(said->problems.at[i].subject, *subject))
            return &said->problems.at[i];
    return NULL;
}

static enum status MUST_USE show_post(struct visit *v, int64_t post_id, struct err *e)
{
    AT_END(thread_post_clear) struct thread_post post = {0};
    AT_END(act_said_clear) struct act_said said = {0};
    struct progress_state progress;
    struct span subject;
    const struct post_relations *related = relations_of(v);
    struct panel p = {.v = v, .out = v->out, .c = &v->worker->book.codebook, .said = &said, .post_id = post_id};
    char title[40], id[POST_ID_TEXT_SIZE];

    snprintf(title, sizeof title, "Post %s", post_id_text(post_id, id));
    page_begin(v, title, "code");
    enum status status = thread_write(v, post_id, NULL, &post, e);
    if (status == ST_NO)
        return answer_refuse(v, 404, e->text);
    if (status == ST_OK)
        status = web_state(v, STATE_OF_POST, post_id, p.on, e); /* before what it is a name for is read */
    THEN(status, act_said_read(&said, v->worker->db, &v->worker->book, v->coder, post_id, e));
    THEN(status, progress_read(v, &progress, e));
    THEN(status, keys_read(v, e));
    if (status != ST_OK)
        return status;
    p.problem = choose(v, post_id, &said, &subject);
    bool suggests = v->worker->study.model_suggests && !v->web->options.blind;
    if (said_shows_models(&v->worker->book, suggests, &said, subject))
        status = said_by_models(v->worker->db, &v->worker->book, post_id, &p.models, e);
    if (related != NULL)
        p.related = post_relations_of(related, post_id, &p.n_related);
    if (v->worker->hints.hints != NULL)
        p.hints = post_hints_find(&v->worker->hints, HINT_ALL, buf_span(&post.title), buf_span(&post.body));
    add_panel(&p, post_id, subject, &progress);
    page_end(v);
    buf_clear(&p.models);
    if (status == ST_OK)
        trail_add(v, post_id);
    return status;
}

enum status code_page(struct visit *v)
{
    int64_t after = 0, post_id = 0;
    bool unfinished = field_of(&v->query, "unfinished").len > 0;
    char id[POST_ID_TEXT_SIZE];
    const struct queue queue = queue_of(v);
    struct progress_state progress;
    struct span back = field_of(&v->query, "back"), text = back.len > 0 ? back : field_of(&v->query, "after");

    if (!span_eq(v->path, SPAN("/code")))
        return post_id_read(web_rest(v, "/code/"), &post_id) ? show_post(v, post_id, &v->error)
                                                             : answer_refuse(v, 404, "This is not the id of a post.");
    if (text.len > 0 && !post_id_read(text, &after))
        return answer_refuse(v, 400, "'after' is the id of a post.");
    if (back.len > 0) {
        post_id = trail_back(v, after);
        return answer_see(v, "/code/%s", post_id_text(post_id != 0 ? post_id : after, id));
    }
    enum status status = unfinished ? db_candidate_next(v->worker->db, v->coder, true, after, &post_id, &v->error)
                                    : queue_next(&queue, after, &post_id, &v->error);
    if (status == ST_OK && post_id != 0)
        return answer_see(v, "/code/%s", post_id_text(post_id, id));
    THEN(status, progress_read(v, &progress, &v->error));
    if (status != ST_OK)
        return status;
    page_begin(v, "Nothing is left to code", "end");
    add_progress(v->out, &progress);
    html(v->out, progress.total == 0 ? SPAN("no-candidates") : SPAN("all-judged"));
    page_end(v);
    return ST_OK;
}
