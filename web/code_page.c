/* code_page: a post as its site shows it, beside the codes that may be given. */
#include <inttypes.h>

#include "label/coding/decisions.h"
#include "label/coding/said.h"
#include "match/corpus/related.h"
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

static bool is_given(const struct panel *p, size_t facet, size_t code)
{
    for (size_t i = 0; p->problem != NULL && i < p->problem->codes[facet].n; i++)
        if (p->problem->codes[facet].at[i] == code)
            return true;
    return false;
}

static const struct hint_suggestion *hint_of(const struct panel *p, size_t code)
{
    for (size_t i = 0; p->hints != NULL && i < p->hints->n_suggestions; i++)
        if (p->hints->suggestions[i].code == code)
            return &p->hints->suggestions[i];
    return NULL;
}

static void add_definition(struct panel *p, size_t code)
{
    html(p->out, SPAN("definition"), p->c->codes[code].name, p->c->codes[code].definition);
    page_rules(p->out, p->c, code);
    buf_add_text(p->out, "</details>");
}

static void add_code(struct panel *p, const struct facet *facet, size_t place, size_t code, size_t nth)
{
    const struct hint_suggestion *hint = hint_of(p, code);
    struct span name = p->c->codes[code].name, key = span_of(key_of_code(p->v, facet->name, name, nth));

    html(p->out, SPAN("code"), html_if(hint != NULL, " hinted"), span_of(facet->most > 1 ? "checkbox" : "radio"),
         facet->name, name, html_if(is_given(p, place, code), " checked"), key, key, name);
    if (hint != NULL)
        html(p->out, SPAN("hint"), hint->words);
    add_definition(p, code);
    buf_add_text(p->out, "</div>\n");
}

/* What the form was made with: a facet that its coder leaves alone is not written again, so that another
 * tab's code stays. */
static void add_was(struct panel *p, const struct facet *facet, size_t place)
{
    html(p->out, SPAN("was"), facet->name, SPAN(""));
    for (size_t i = 0; p->problem != NULL && i < p->problem->codes[place].n; i++)
        html(p->out, SPAN("was"), facet->name, p->c->codes[p->problem->codes[place].at[i]].name);
}

static struct span title_of(const struct facet *facet)
{
    return facet->title.len > 0 ? facet->title : facet->name;
}

static void add_yes_or_no(struct panel *p, const struct facet *facet, struct span value)
{
    static const char *const answers[] = {"yes", "no"};

    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        struct span answer = span_of(answers[i]), key = span_of(key_of_code(p->v, facet->name, answer, i));
        html(p->out, SPAN("yes-no"), facet->name, answer, html_if(span_eq(value, answer), " checked"), key, key,
             answer);
    }
    html(p->out, SPAN("none"), facet->name);
}

/* A value that is typed, or yes and no. */
static void add_value(struct panel *p, const struct facet *facet, size_t place)
{
    struct span value = p->problem != NULL && p->problem->codes[place].n > 0
                            ? p->c->codes[p->problem->codes[place].at[0]].name
                            : SPAN("");
    AT_END(buf_clear) struct buf range = {0};

    if (facet->kind == FACET_YES_NO) {
        add_yes_or_no(p, facet, value);
    } else if (facet->kind == FACET_NUMBER) {
        facet_add_range(facet, "", &range);
        html(p->out, SPAN("number"), facet->name, title_of(facet), buf_span(&range), value);
    } else {
        html(p->out, SPAN("text"), facet->name, title_of(facet), value);
    }
}

static void add_choices(struct panel *p, const struct facet *facet, size_t place)
{
    struct span category = {0};
    size_t nth = 0;

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
}

/* An owner makes a code while coding, and comes back. */
static void add_new_link(struct panel *p, const struct facet *facet)
{
    char id[POST_ID_TEXT_SIZE];

    if (!p->v->is_owner)
        return;
    buf_add_text(p->out, "<p><a class=\"new\" href=\"/codebook?facet=");
    page_encoded(p->out, act_list(&p->v->worker->book, facet));
    buf_addf(p->out, "&amp;post=%s\">", post_id_text(p->post_id, id));
    page_text(p->out, "New code<span class=\"apart\"> of ", title_of(facet), "</span></a></p>\n");
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
    add_was(p, facet, place);
    if (facet_is_written(facet)) {
        add_value(p, facet, place);
    } else {
        add_choices(p, facet, place);
        add_new_link(p, facet);
    }
    buf_add_text(p->out, "</fieldset>\n");
}

/* The form says that it was shown, so that what is decided has it. */
static void add_models(struct panel *p)
{
    struct span rest = buf_span(&p->models), line;

    if (rest.len == 0)
        return;
    html(p->out, SPAN("models"));
    while (rest.len > 0 && span_cut(&rest, '\n', &line)) /* an end of line in a text becomes a <br> */
        page_text(p->out, "", line, "\n");
    html(p->out, SPAN("models-end"));
}

/* One line, and nothing when there are none. */
static void add_related(struct panel *p)
{
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
}

static void add_hints(struct panel *p)
{
    if (p->hints == NULL || p->hints->n_facts == 0)
        return;
    buf_add_text(p->out, "<dl class=\"found\">\n");
    for (size_t i = 0; i < p->hints->n_facts; i++)
        html(p->out, SPAN("fact"), p->hints->facts[i].fact, p->hints->facts[i].value);
    buf_add_text(p->out, "</dl>\n");
}

static void add_problems(struct panel *p, int64_t post_id, struct span subject)
{
    if (p->said->problems.n < 2 && span_find(subject, SPAN("_")) == SIZE_MAX)
        return;
    char id[POST_ID_TEXT_SIZE];
    buf_add_text(p->out, "<p class=\"problems\">");
    for (size_t i = 0; i < p->said->problems.n; i++) {
        struct span other = p->said->problems.at[i].subject;
        html(p->out, SPAN("problem"), span_of(post_id_text(post_id, id)), other,
             html_if(span_eq(other, subject), " aria-current=true"), other);
    }
    if (p->problem == NULL)
        page_text(p->out, "<strong>", subject, "</strong>");
    buf_add_text(p->out, "</p>\n");
}

/* What the study asks: "is the post about a crash?"; else what it calls the facet. */
static void add_question(struct panel *p)
{
    const struct facet *judges = &p->v->worker->book.facets->items[FACET_JUDGES];
    AT_END(buf_clear) struct buf words = {0};

    buf_add_span(&words, judges->asks.len > 0 ? judges->asks : judges->title);
    if (words.len > 0 && words.ptr[0] >= 'a' && words.ptr[0] <= 'z')
        words.ptr[0] = (char)(words.ptr[0] - 'a' + 'A');
    page_text(p->out, "<fieldset class=\"judgement\"><legend>", buf_span(&words), "</legend>\n");
}

static void add_judgement(struct panel *p)
{
    bool yes = p->said->is_judged && p->said->is_problem, no = p->said->is_judged && !p->said->is_problem;

    add_question(p);
    html(p->out, SPAN("judgement"),
         span_of(yes  ? "yes"
                 : no ? "no"
                      : ""),
         html_if(yes, " checked"), html_if(no, " checked"));
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
    size_t n;
    const struct facet *facets = act_facets(&p->v->worker->book, &n);
    char id[POST_ID_TEXT_SIZE];

    post_id_text(post_id, id);
    html(p->out, SPAN("coding"), span_of(id), span_of(id), subject, span_of(p->on));
    add_progress(p->out, progress);
    html(p->out, SPAN("state"));
    add_problems(p, post_id, subject);
    add_judgement(p);
    add_related(p);
    add_hints(p);
    add_models(p);
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

static const struct act_problem *problem_of(const struct act_said *said, struct span subject)
{
    for (size_t i = 0; i < said->problems.n; i++)
        if (span_eq(said->problems.at[i].subject, subject))
            return &said->problems.at[i];
    return NULL;
}

/* The problem that the address names, else the first with a code, else the post. */
static struct span choose_subject(struct visit *v, int64_t post_id, const struct act_said *said)
{
    struct span wanted = field_of(&v->query, "problem");
    int64_t of;
    AT_END(buf_clear) struct buf id = {0};

    if (wanted.len > 0 && problem_id_read(wanted, &of) && of == post_id)
        return wanted;
    bool another = span_eq(wanted, SPAN("new"));
    if (said->problems.n > 0 && !another)
        return said->problems.at[0].subject;
    act_next_problem(said, post_id, &id);
    return arena_copy(&v->arena, buf_span(&id));
}

static enum status MUST_USE write_page(struct visit *v, int64_t post_id, struct thread_post *post,
                                       struct act_said *said, struct err *e)
{
    struct progress_state progress;
    const struct post_relations *related = relations_of(v);
    struct panel p = {.v = v, .out = v->out, .c = &v->worker->book.codebook, .said = said, .post_id = post_id};
    char title[40], id[POST_ID_TEXT_SIZE];

    snprintf(title, sizeof title, "Post %s", post_id_text(post_id, id));
    page_begin(v, title, "code");
    enum status status = thread_write(v, post_id, post, e);
    if (status == ST_OK)
        status = web_state(v, STATE_OF_POST, post_id, p.on, e); /* before what it is a name for is read */
    if (status == ST_OK)
        status = act_said_read(said, v->worker->db, &v->worker->book, v->coder, post_id, e);
    if (status == ST_OK)
        status = progress_read(v, &progress, e);
    if (status == ST_OK)
        status = keys_read(v, e);
    if (status != ST_OK)
        return status;
    struct span subject = choose_subject(v, post_id, said);
    bool suggests = v->worker->study.model_suggests && !v->web->options.blind;
    if (said_shows_models(&v->worker->book, suggests, said, subject))
        status = said_by_models(v->worker->db, &v->worker->book, post_id, &p.models, e);
    p.problem = problem_of(said, subject);
    if (related != NULL)
        p.related = post_relations_of(related, post_id, &p.n_related);
    if (v->worker->hints.hints != NULL)
        p.hints = post_hints_find(&v->worker->hints, HINT_ALL, buf_span(&post->title), buf_span(&post->body));
    add_panel(&p, post_id, subject, &progress);
    page_end(v);
    buf_clear(&p.models);
    return status;
}

static void show_post(struct visit *v, int64_t post_id)
{
    AT_END(thread_post_clear) struct thread_post post = {0};
    AT_END(act_said_clear) struct act_said said = {0};
    enum status status = write_page(v, post_id, &post, &said, &v->error);

    if (status == ST_OK)
        trail_add(v, post_id);
    else if (status == ST_NO)
        answer_refuse(v, 404, v->error.text);
    else
        answer_fault(v, status);
}

static void show_end(struct visit *v)
{
    struct progress_state progress;
    enum status status = progress_read(v, &progress, &v->error);

    if (status != ST_OK) {
        answer_fault(v, status);
        return;
    }
    page_begin(v, "Nothing is left to code", "end");
    add_progress(v->out, &progress);
    html(v->out, progress.total == 0 ? SPAN("no-candidates") : SPAN("all-judged"));
    page_end(v);
}

static void show_next(struct visit *v)
{
    int64_t after = 0, post_id = 0;
    bool unfinished = field_of(&v->query, "unfinished").len > 0;
    char id[POST_ID_TEXT_SIZE];
    const struct queue queue = queue_of(v);
    struct span back = field_of(&v->query, "back"), text = back.len > 0 ? back : field_of(&v->query, "after");

    if (text.len > 0 && !post_id_read(text, &after)) {
        answer_refuse(v, 400, "'after' is the id of a post.");
        return;
    }
    if (back.len > 0) {
        post_id = trail_back(v, after);
        answer_see(v, "/code/%s", post_id_text(post_id != 0 ? post_id : after, id));
        return;
    }
    enum status status = unfinished ? db_candidate_next(v->worker->db, v->coder, true, after, &post_id, &v->error)
                                    : queue_next(&queue, after, &post_id, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else if (post_id == 0)
        show_end(v);
    else
        answer_see(v, "/code/%s", post_id_text(post_id, id));
}

void code_page(struct visit *v)
{
    struct span rest = web_rest(v, "/code");
    int64_t post_id;

    if (rest.len == 0)
        show_next(v);
    else if (post_id_read((struct span){rest.ptr + 1, rest.len - 1}, &post_id))
        show_post(v, post_id);
    else
        answer_refuse(v, 404, "This is not the id of a post.");
}
