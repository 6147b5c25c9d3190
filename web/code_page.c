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
    page_text(p->out, "<details class=\"definition\"><summary aria-label=\"definition of ", p->c->codes[code].name,
              "\">?</summary>");
    page_text(p->out, "<p>", p->c->codes[code].definition, "</p>");
    for (size_t i = 0; i < p->c->n_rules; i++) {
        const struct disambiguation *rule = &p->c->rules[i];
        if (rule->code != code && rule->versus != code)
            continue;
        size_t other = rule->code == code ? rule->versus : rule->code;
        page_text(p->out, "<p class=\"rule\">or <em>", p->c->codes[other].name, "</em>? ");
        page_text(p->out, "", rule->rule, "</p>");
    }
    buf_add_text(p->out, "</details>");
}

static void add_code(struct panel *p, const struct facet *facet, size_t place, size_t code, size_t nth)
{
    const struct hint_suggestion *hint = hint_of(p, code);
    bool given = is_given(p, place, code);

    buf_addf(p->out, "<div class=\"code%s\"><label><input type=\"%s\" name=\"", hint != NULL ? " hinted" : "",
             facet->most > 1 ? "checkbox" : "radio");
    page_text(p->out, "codes:", facet->name, "\" value=\"");
    page_text(p->out, "", p->c->codes[code].name, "\"");
    struct span key = span_of(key_of_code(p->v, facet->name, p->c->codes[code].name, nth));
    page_text(p->out, given ? " checked data-key=\"" : " data-key=\"", key, "\">");
    page_text(p->out, "<kbd>", key, "</kbd> ");
    page_text(p->out, "", p->c->codes[code].name, "</label>");
    if (hint != NULL)
        page_text(p->out, "<small class=\"hint\">", hint->words, "</small>");
    add_definition(p, code);
    buf_add_text(p->out, "</div>\n");
}

/* What the form was made with: a facet that its coder leaves alone is not written again, so that another
 * tab's code stays. */
static void add_was(struct panel *p, const struct facet *facet, size_t place)
{
    page_text(p->out, "<input type=\"hidden\" name=\"was:", facet->name, "\" value=\"\">");
    for (size_t i = 0; p->problem != NULL && i < p->problem->codes[place].n; i++) {
        page_text(p->out, "<input type=\"hidden\" name=\"was:", facet->name, "\" value=\"");
        page_text(p->out, "", p->c->codes[p->problem->codes[place].at[i]].name, "\">");
    }
}

static struct span title_of(const struct facet *facet)
{
    return facet->title.len > 0 ? facet->title : facet->name;
}

static void add_none(struct panel *p, const struct facet *facet)
{
    page_text(p->out, "<div class=\"code none\"><label><input type=\"radio\" name=\"codes:", facet->name,
              "\" value=\"\"> none</label></div>\n");
}

static void add_yes_or_no(struct panel *p, const struct facet *facet, struct span value)
{
    static const char *const answers[] = {"yes", "no"};

    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        struct span answer = span_of(answers[i]), key = span_of(key_of_code(p->v, facet->name, answer, i));
        page_text(p->out, "<div class=\"code\"><label><input type=\"radio\" name=\"codes:", facet->name, "\"");
        buf_addf(p->out, " value=\"%s\"%s", answers[i], span_eq(value, answer) ? " checked" : "");
        page_text(p->out, " data-key=\"", key, "\"><kbd>");
        page_text(p->out, "", key, "</kbd> ");
        buf_addf(p->out, "%s</label></div>\n", answers[i]);
    }
    add_none(p, facet);
}

/* A value that is typed, or yes and no. */
static void add_value(struct panel *p, const struct facet *facet, size_t place)
{
    struct span value = p->problem != NULL && p->problem->codes[place].n > 0
                            ? p->c->codes[p->problem->codes[place].at[0]].name
                            : SPAN("");
    struct buf range = {0};

    if (facet->kind == FACET_YES_NO) {
        add_yes_or_no(p, facet, value);
    } else if (facet->kind == FACET_NUMBER) {
        page_text(p->out, "<input type=\"text\" inputmode=\"decimal\" name=\"codes:", facet->name, "\"");
        page_text(p->out, " aria-label=\"", title_of(facet), "\"");
        facet_add_range(facet, "", &range);
        if (range.len > 0)
            page_text(p->out, " placeholder=\"", buf_span(&range), "\"");
        page_text(p->out, " value=\"", value, "\">\n");
        buf_clear(&range);
    } else {
        page_text(p->out, "<textarea name=\"codes:", facet->name, "\" rows=\"2\" maxlength=\"2000\"");
        page_text(p->out, " aria-label=\"", title_of(facet), "\">");
        page_text(p->out, "", value, "</textarea>\n");
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
        add_none(p, facet);
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
    page_text(p->out, "<fieldset class=\"facet\" data-facet=\"", facet->name, "\"");
    buf_addf(p->out, " data-most=\"%zu\">\n", facet->most);
    page_text(p->out, "<legend><span>", title_of(facet), "</span>");
    if (facet->kind == FACET_TEXT)
        buf_add_text(p->out, " <small>Enter: write</small>");
    else if (facet->most > 1)
        buf_addf(p->out, " <small>up to %zu; Enter: the next</small>", facet->most);
    buf_add_text(p->out, "</legend>\n");
    if (facet->asks.len > 0)
        page_text(p->out, "<p class=\"asks\">", facet->asks, "</p>\n");
    add_was(p, facet, place);
    if (facet_is_written(facet))
        add_value(p, facet, place);
    else
        add_choices(p, facet, place);
    if (!facet_is_written(facet))
        add_new_link(p, facet);
    buf_add_text(p->out, "</fieldset>\n");
}

/* The form says that it was shown, so that what is decided has it. */
static void add_models(struct panel *p)
{
    struct span rest = buf_span(&p->models), line;

    if (rest.len == 0)
        return;
    buf_add_text(p->out, "<details class=\"models\" open><summary>What models say</summary>\n"
                         "<p>What you decide while this is shown is recorded as assisted.</p>\n<pre>");
    while (rest.len > 0 && span_cut(&rest, '\n', &line))
        page_text(p->out, "", line, "\n");
    buf_add_text(p->out, "</pre>\n<input type=\"hidden\" name=\"shown\" value=\"models\">\n</details>\n");
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
    for (size_t i = 0; i < p->hints->n_facts; i++) {
        page_text(p->out, "<dt>", p->hints->facts[i].fact, "</dt>");
        page_text(p->out, "<dd>", p->hints->facts[i].value, "</dd>\n");
    }
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
        buf_addf(p->out, "<a href=\"/code/%s?problem=", post_id_text(post_id, id));
        page_text(p->out, "", other, span_eq(other, subject) ? "\" aria-current=\"true\">" : "\">");
        page_text(p->out, "", other, "</a> ");
    }
    if (p->problem == NULL)
        page_text(p->out, "<strong>", subject, "</strong>");
    buf_add_text(p->out, "</p>\n");
}

/* What the study asks: "is the post about a crash?"; else what it calls the facet. */
static void add_question(struct panel *p)
{
    const struct facet *judges = &p->v->worker->book.facets->items[FACET_JUDGES];
    struct buf words = {0};

    buf_add_span(&words, judges->asks.len > 0 ? judges->asks : judges->title);
    if (words.len > 0 && words.ptr[0] >= 'a' && words.ptr[0] <= 'z')
        words.ptr[0] = (char)(words.ptr[0] - 'a' + 'A');
    page_text(p->out, "<fieldset class=\"judgement\"><legend>", buf_span(&words), "</legend>\n");
    buf_clear(&words);
}

static void add_judgement(struct panel *p)
{
    add_question(p);
    buf_addf(p->out, "<input type=\"hidden\" name=\"was_problem\" value=\"%s\">\n",
             !p->said->is_judged   ? ""
             : p->said->is_problem ? "yes"
                                   : "no");
    buf_addf(p->out,
             "<label><input type=\"radio\" name=\"is_problem\" value=\"yes\"%s>"
             "<kbd data-command=\"yes\"></kbd> yes</label>\n",
             p->said->is_judged && p->said->is_problem ? " checked" : "");
    buf_addf(p->out,
             "<label><input type=\"radio\" name=\"is_problem\" value=\"no\"%s>"
             "<kbd data-command=\"no\"></kbd> no</label>\n</fieldset>\n",
             p->said->is_judged && !p->said->is_problem ? " checked" : "");
}

static void add_buttons(struct buf *out)
{
    static const struct {
        const char *value, *words, *command;
    } buttons[] = {
        {"next", "Save and next", "next"},
        {"no", "No", "no"},
        {"skip", "Skip", "skip"},
        {"unsure", "Unsure", "unsure"},
        {"back", "Back", "back"},
        {"undo", "Undo", "undo"},
        {"problem", "Another in this post", "problem"},
        {"stay", "Save", ""},
    };

    buf_add_text(out, "<div class=\"buttons\">\n");
    for (size_t i = 0; i < ARRAY_LEN(buttons); i++)
        buf_addf(out, "<button name=\"go\" value=\"%s\">%s%s%s%s</button>\n", buttons[i].value,
                 buttons[i].command[0] != '\0' ? "<kbd data-command=\"" : "", buttons[i].command,
                 buttons[i].command[0] != '\0' ? "\"></kbd> " : "", buttons[i].words);
    buf_add_text(out, "</div>\n");
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
    size_t n;
    const struct facet *facets = act_facets(&p->v->worker->book, &n);
    char id[POST_ID_TEXT_SIZE];

    post_id_text(post_id, id);
    buf_addf(p->out,
             "<form class=\"panel\" id=\"coding\" method=\"post\" action=\"/code/%s\""
             " data-post=\"%s\" autocomplete=\"off\">\n",
             id, id);
    page_hidden(p->out, "problem", subject);
    page_hidden(p->out, "on", span_of(p->on));
    add_progress(p->out, progress);
    buf_add_text(p->out, "<p><output id=\"state\" role=\"status\">all is saved</output></p>\n"
                         "<p id=\"missed\" class=\"fault\" role=\"alert\"></p>\n<div class=\"scroll\">\n");
    add_problems(p, post_id, subject);
    add_judgement(p);
    add_related(p);
    add_hints(p);
    add_models(p);
    buf_add_text(p->out, "<div class=\"facets\">\n");
    for (size_t i = 0; i < n; i++)
        add_facet(p, &facets[i], i);
    buf_add_text(p->out, "</div>\n<div id=\"guide\" aria-live=\"polite\"></div>\n"
                         "<p class=\"for\"><label>Reason, published, for <select name=\"reason_for\">");
    for (size_t i = 0; i < p->v->worker->book.facets->n; i++) {
        const struct facet *facet = &p->v->worker->book.facets->items[i];
        page_text(p->out, "<option value=\"", facet->name, "\">");
        page_text(p->out, "", title_of(facet), "</option>");
    }
    buf_add_text(
        p->out,
        "</select></label></p>\n<textarea name=\"reason\" rows=\"2\" maxlength=\"2000\" aria-label=\"Reason, published\">"
        "</textarea>\n"
        "<label>Note, not published; others see it in the settling <textarea name=\"note\" rows=\"2\" maxlength=\"2000\">"
        "</textarea></label>\n");
    keys_add(p->v, KEYS_CODE);
    buf_add_text(p->out, "</div>\n");
    add_buttons(p->out);
    buf_add_text(p->out, "</form>\n");
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
    struct buf id = {0};

    if (wanted.len > 0 && problem_id_read(wanted, &of) && of == post_id)
        return wanted;
    bool another = span_eq(wanted, SPAN("new"));
    if (said->problems.n > 0 && !another)
        return said->problems.at[0].subject;
    act_next_problem(said, post_id, &id);
    struct span subject = arena_copy(&v->arena, buf_span(&id));
    buf_clear(&id);
    return subject;
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
    struct thread_post post = {0};
    struct act_said said = {0};
    enum status status = write_page(v, post_id, &post, &said, &v->error);

    if (status == ST_OK)
        trail_add(v, post_id);
    else if (status == ST_NO)
        answer_refuse(v, 404, v->error.text);
    else
        answer_fault(v, status);
    act_said_clear(&said);
    thread_post_clear(&post);
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
    if (progress.total == 0)
        buf_add_text(v->out, "<p>There are no candidates yet: <code>ppmine load</code>, then"
                             " <code>ppmine match</code>.</p>\n");
    else
        buf_add_text(v->out, "<p>You have judged every post. <a href=\"/code?unfinished=1\">Posts"
                             " that lack a code</a>. When all coders have finished, what differs is settled:"
                             " <a href=\"/settle\">Settle</a>.</p>\n");
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
    struct span rest = {v->path.ptr + strlen("/code"), v->path.len - strlen("/code")};
    int64_t post_id;

    if (rest.len == 0)
        show_next(v);
    else if (post_id_read((struct span){rest.ptr + 1, rest.len - 1}, &post_id))
        show_post(v, post_id);
    else
        answer_refuse(v, 404, "This is not the id of a post.");
}
