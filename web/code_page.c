/* code_page: a post as its site shows it, beside the codes that may be given. */
#include <inttypes.h>

#include "db/decisions.h"
#include "db/derived.h"
#include "db/posts.h"
#include "stem/stem.h"
#include "table/table.h"
#include "web/site.h"

enum { MARKS_MAX = 1000 };

struct marked_text {
    struct span text;
    struct text_mark at[MARKS_MAX];
    size_t n;
};

struct writing {
    struct visit *v;
    struct buf *out;
    int64_t post_id, accepted_id, thread_id;
    bool found;
    struct marked_text title, body; /* of the post that is judged */
    struct buf hint_title, hint_body;
    enum status status; /* of the comments */
};

/* --- the posts --- */

static void add_hit(void *ctx, const struct db_hit_text *hit)
{
    struct writing *w = ctx;
    struct marked_text *to = span_eq(hit->field, SPAN("title")) ? &w->title : &w->body;

    if (to->n == MARKS_MAX)
        return;
    if (to->n == 0)
        to->text = arena_copy(&w->v->arena, hit->text);
    to->at[to->n++] = (struct text_mark){hit->start, hit->end};
}

/* A title is text; its hits come in order, and may share bytes. */
static void add_title(struct writing *w, struct span title)
{
    size_t at = 0;

    if (!span_eq(title, w->title.text))
        w->title.n = 0;
    for (size_t i = 0; i < w->title.n; i++) {
        size_t start = w->title.at[i].start, end = w->title.at[i].end;
        if (end > title.len || start < at)
            continue;
        table_escape_html(w->out, (struct span){title.ptr + at, start - at});
        page_text(w->out, "<mark>", (struct span){title.ptr + start, end - start}, "</mark>");
        at = end;
    }
    table_escape_html(w->out, (struct span){title.ptr + at, title.len - at});
}

static void add_url(struct writing *w, const struct post *post)
{
    buf_addf(w->out, "%.*s%s%" PRId64, (int)w->v->worker->base_url.len, w->v->worker->base_url.ptr,
             post->type == POST_ANSWER ? "/a/" : "/questions/", post->post_id);
}

static void add_tags(struct buf *out, struct span tags)
{
    struct span part;

    buf_add_text(out, "<p class=\"tags\">");
    while (span_cut(&tags, '"', &part))
        if (part.len > 0 && part.ptr[0] != '[' && part.ptr[0] != ',' && part.ptr[0] != ']')
            page_text(out, "<span class=\"tag\">", part, "</span> ");
    buf_add_text(out, "</p>\n");
}

static void add_facts(struct writing *w, const struct post *post)
{
    size_t day = post->created_at.len < 10 ? post->created_at.len : 10;

    buf_add_text(w->out, "<p class=\"facts\"><a href=\"");
    add_url(w, post);
    buf_addf(w->out, "\" target=\"_blank\" rel=\"noopener noreferrer\">%s %" PRId64 "</a>",
             post->type == POST_ANSWER ? "answer" : "post", post->post_id);
    if (post->post_id == w->accepted_id)
        buf_add_text(w->out, " <strong class=\"accepted\">✓ accepted</strong>");
    if (post->post_id == w->post_id)
        buf_add_text(w->out, " <strong>to be judged</strong>");
    page_text(w->out, ", ", (struct span){post->created_at.ptr, day}, "");
    if (post->score != POST_ABSENT)
        buf_addf(w->out, ", score %" PRId64, post->score);
    if (post->owner_display_name.len > 0)
        page_text(w->out, ", by ", post->owner_display_name, "");
    if (post->content_license.len > 0)
        page_text(w->out, " (", post->content_license, ")");
    buf_add_text(w->out, post->deleted_at.len > 0 ? ", deleted</p>\n" : "</p>\n");
}

struct comments {
    struct writing *w;
    size_t n;
};

static void add_comment(void *ctx, const struct db_remark *comment)
{
    struct comments *c = ctx;
    struct buf *out = c->w->out;
    static const struct text_marks none = {0};

    buf_add_text(out, c->n++ == 0 ? "<details class=\"comments\"><summary>Comments</summary>\n"
                                  : "");
    buf_add_text(out, "<div class=\"comment\">");
    text_safe_html(out, comment->body_html, buf_span(&c->w->v->worker->base_url), &none);
    page_text(out, "<p class=\"facts\">", comment->author, "");
    page_text(out, " ", (struct span){comment->created_at.ptr,
                                      comment->created_at.len < 10 ? comment->created_at.len : 10},
              "</p></div>\n");
}

static void add_comments(struct writing *w, int64_t post_id)
{
    struct comments c = {.w = w};

    if (w->status == ST_OK)
        w->status = db_remark_each(w->v->worker->db, post_id, add_comment, &c, &w->v->error);
    buf_add_text(w->out, c.n > 0 ? "</details>\n" : "");
}

static void add_body(struct writing *w, const struct post *post)
{
    struct text_marks marks = {0};

    if (post->post_id == w->post_id)
        marks = (struct text_marks){w->body.text, w->body.at, w->body.n};
    buf_add_text(w->out, "<div class=\"body\">\n");
    text_safe_html(w->out, post->body_html, buf_span(&w->v->worker->base_url), &marks);
    buf_add_text(w->out, "\n</div>\n");
}

static void add_post(void *ctx, const struct post *post)
{
    struct writing *w = ctx;
    bool is_answer = post->type == POST_ANSWER;

    if (!is_answer && post->post_id == w->thread_id)
        w->accepted_id = post->accepted_answer_id;
    if (post->post_id == w->post_id) {
        w->found = true;
        buf_add_span(&w->hint_title, post->title);
        buf_add_span(&w->hint_body, post->body_html);
    }
    buf_addf(w->out, "<article class=\"%s%s\">\n", is_answer ? "answer" : "question",
             post->post_id == w->accepted_id ? " is-accepted" : "");
    if (post->title.len > 0) {
        buf_add_text(w->out, "<h1>");
        add_title(w, post->title);
        buf_add_text(w->out, "</h1>\n");
    }
    if (is_answer)
        buf_add_text(w->out, "<details open><summary>Answer</summary>\n");
    add_facts(w, post);
    if (post->tags.len > 0)
        add_tags(w->out, post->tags);
    add_body(w, post);
    add_comments(w, post->post_id);
    buf_add_text(w->out, is_answer ? "</details>\n</article>\n" : "</article>\n");
}

static void find_thread(void *ctx, const struct post *post)
{
    struct writing *w = ctx;

    if (post->post_id == w->post_id && post->parent_id != POST_ABSENT)
        w->thread_id = post->parent_id;
}

/* The question with its answers; the judged one alone when its question is not held. */
static enum status MUST_USE add_thread(struct writing *w, struct err *e)
{
    struct db *db = w->v->worker->db;

    w->thread_id = w->post_id;
    w->accepted_id = POST_ABSENT;
    enum status status = db_hit_each(db, w->post_id, add_hit, w, e);
    if (status == ST_OK)
        status = db_thread_each(db, w->post_id, find_thread, w, e);
    if (status == ST_OK)
        status = db_thread_each(db, w->thread_id, add_post, w, e);
    return status == ST_OK ? w->status : status;
}

/* --- the codes --- */

struct panel {
    struct visit *v;
    struct buf *out;
    const struct codebook *c;
    const struct act_said *said;
    const struct act_problem *problem; /* NULL: no code yet */
    const struct hint_list *hints;     /* NULL: none, or blind */
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
    page_text(p->out, "<details class=\"definition\"><summary aria-label=\"definition of ",
              p->c->codes[code].name, "\">?</summary>");
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

static void add_code(struct panel *p, const struct facet *facet, size_t place, size_t code,
                     size_t nth)
{
    const struct hint_suggestion *hint = hint_of(p, code);
    bool given = is_given(p, place, code);

    buf_addf(p->out, "<div class=\"code%s\"><label><input type=\"%s\" name=\"", hint != NULL ? " hinted" : "",
             facet->most > 1 ? "checkbox" : "radio");
    page_text(p->out, "codes:", facet->name, "\" value=\"");
    page_text(p->out, "", p->c->codes[code].name, "\"");
    buf_addf(p->out, "%s data-key=\"%s\"><kbd>%s</kbd> ", given ? " checked" : "", key_of_code(nth),
             key_of_code(nth));
    page_text(p->out, "", p->c->codes[code].name, "</label>");
    if (hint != NULL)
        page_text(p->out, "<small class=\"hint\">", hint->words, "</small>");
    add_definition(p, code);
    buf_add_text(p->out, "</div>\n");
}

static void add_facet(struct panel *p, const struct facet *facet, size_t place)
{
    struct span category = {0};
    size_t nth = 0;

    page_text(p->out, "<fieldset class=\"facet\" data-facet=\"", facet->name, "\"");
    buf_addf(p->out, " data-most=\"%zu\">\n", facet->most);
    page_text(p->out, "<legend>", facet->name, "");
    if (facet->most > 1)
        buf_addf(p->out, " <small>up to %zu</small>", facet->most);
    buf_add_text(p->out, "</legend>\n");
    for (size_t i = 0; i < p->c->n_codes; i++) {
        const struct code *code = &p->c->codes[i];
        if (!span_eq(code->facet, act_list(&p->v->worker->book, facet)))
            continue;
        if (code->category.len > 0 && !span_eq(code->category, category))
            page_text(p->out, "<h3>", code->category, "</h3>\n");
        category = code->category;
        add_code(p, facet, place, i, nth++);
    }
    if (facet->most == 1)
        page_text(p->out, "<div class=\"code none\"><label><input type=\"radio\" name=\"codes:",
                  facet->name, "\" value=\"\"> none</label></div>\n");
    buf_add_text(p->out, "</fieldset>\n");
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
    buf_add_text(p->out, "<p class=\"problems\">");
    for (size_t i = 0; i < p->said->problems.n; i++) {
        struct span other = p->said->problems.at[i].subject;
        buf_addf(p->out, "<a href=\"/code/%" PRId64 "?problem=", post_id);
        page_text(p->out, "", other, span_eq(other, subject) ? "\" aria-current=\"true\">" : "\">");
        page_text(p->out, "", other, "</a> ");
    }
    if (p->problem == NULL)
        page_text(p->out, "<strong>", subject, "</strong>");
    buf_add_text(p->out, "</p>\n");
}

static void add_judgement(struct panel *p)
{
    buf_add_text(p->out, "<fieldset class=\"judgement\"><legend>A problem?</legend>\n");
    buf_addf(p->out, "<label><input type=\"radio\" name=\"is_problem\" value=\"yes\"%s>"
                     "<kbd data-command=\"yes\">y</kbd> yes</label>\n",
             p->said->is_judged && p->said->is_problem ? " checked" : "");
    buf_addf(p->out, "<label><input type=\"radio\" name=\"is_problem\" value=\"no\"%s>"
                     "<kbd data-command=\"no\">n</kbd> no</label>\n</fieldset>\n",
             p->said->is_judged && !p->said->is_problem ? " checked" : "");
}

static void add_buttons(struct buf *out)
{
    static const struct {
        const char *value, *words, *command;
    } buttons[] = {
        {"next", "Save and next", "next"}, {"no", "No problem", "no"},     {"skip", "Skip", "skip"},
        {"unsure", "Unsure", "unsure"},    {"back", "Back", "back"},       {"undo", "Undo", "undo"},
        {"problem", "Another problem", "problem"}, {"stay", "Save", ""},
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
    buf_addf(out, "<p class=\"progress\"><progress aria-label=\"posts judged\" max=\"%" PRId64
                  "\" value=\"%" PRId64 "\"></progress> %" PRId64 " of %" PRId64,
             progress->total > 0 ? progress->total : 1, progress->judged, progress->judged,
             progress->total);
    if (progress->per_hour > 0)
        buf_addf(out, ", %.0f an hour, %.1f hours left", progress->per_hour, progress->hours_left);
    buf_add_text(out, "</p>\n");
}

static void add_key_commands(struct buf *out)
{
    buf_add_text(out, "<details class=\"keys\"><summary>Keys</summary><dl>\n");
    for (size_t i = 0; key_commands[i].name != NULL; i++) {
        page_text(out, "<dt><kbd data-command=\"", span_of(key_commands[i].name), "\">");
        page_text(out, "", span_of(key_commands[i].key), "</kbd></dt>");
        page_text(out, "<dd>", span_of(key_commands[i].what), "</dd>\n");
    }
    buf_add_text(out, "</dl></details>\n");
}

static void add_panel(struct panel *p, int64_t post_id, struct span subject,
                      const struct progress_state *progress)
{
    size_t n;
    const struct facet *facets = act_facets(&p->v->worker->book, &n);

    buf_addf(p->out, "<form class=\"panel\" id=\"coding\" method=\"post\" action=\"/code/%" PRId64
                     "\" data-post=\"%" PRId64 "\" autocomplete=\"off\">\n", post_id, post_id);
    page_text(p->out, "<input type=\"hidden\" name=\"problem\" value=\"", subject, "\">\n");
    add_progress(p->out, progress);
    buf_add_text(p->out, "<p><output id=\"state\" role=\"status\">all is saved</output></p>\n"
                         "<div class=\"scroll\">\n");
    add_problems(p, post_id, subject);
    add_judgement(p);
    add_hints(p);
    buf_add_text(p->out, "<div class=\"facets\">\n");
    for (size_t i = 0; i < n; i++)
        add_facet(p, &facets[i], i);
    buf_add_text(p->out,
                 "</div>\n<div id=\"guide\" aria-live=\"polite\"></div>\n"
                 "<label>Reason, published <textarea name=\"reason\" rows=\"2\" maxlength=\"2000\">"
                 "</textarea></label>\n"
                 "<label>Note, private <textarea name=\"note\" rows=\"2\" maxlength=\"2000\">"
                 "</textarea></label>\n");
    add_key_commands(p->out);
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
    if (said->problems.n > 0)
        return said->problems.at[0].subject;
    buf_addf(&id, "%" PRId64, post_id);
    struct span subject = arena_copy(&v->arena, buf_span(&id));
    buf_clear(&id);
    return subject;
}

static enum status MUST_USE write_page(struct writing *w, struct act_said *said, struct err *e)
{
    struct visit *v = w->v;
    struct progress_state progress;
    char title[40];

    snprintf(title, sizeof title, "Post %" PRId64, w->post_id);
    page_begin(v, title, "code");
    buf_add_text(v->out, "<div class=\"thread\" tabindex=\"0\" role=\"region\" aria-label=\"post\">\n");
    enum status status = add_thread(w, e);
    buf_add_text(v->out, "</div>\n");
    if (status == ST_OK && !w->found)
        status = err_set(e, ST_NO, "The database does not hold post %" PRId64 ".", w->post_id);
    if (status == ST_OK)
        status = act_said_read(said, v->worker->db, &v->worker->book, v->coder, w->post_id, e);
    if (status == ST_OK)
        status = progress_read(v, &progress, e);
    if (status != ST_OK)
        return status;
    struct span subject = choose_subject(v, w->post_id, said);
    struct panel p = {
        .v = v, .out = v->out, .c = &v->worker->book.codebook, .said = said,
        .problem = problem_of(said, subject),
    };
    if (v->worker->hints.hints != NULL)
        p.hints = post_hints_find(&v->worker->hints, HINT_ALL, buf_span(&w->hint_title),
                                  buf_span(&w->hint_body));
    add_panel(&p, w->post_id, subject, &progress);
    page_end(v);
    return ST_OK;
}

static void show_post(struct visit *v, int64_t post_id)
{
    struct writing *w = mem_zero(1, sizeof *w);
    struct act_said said = {0};

    w->v = v;
    w->out = v->out;
    w->post_id = post_id;
    enum status status = write_page(w, &said, &v->error);
    if (status == ST_OK)
        trail_add(v, post_id);
    else if (status == ST_NO)
        answer_refuse(v, 404, v->error.text);
    else
        answer_fault(v, status);
    act_said_clear(&said);
    buf_clear(&w->hint_title);
    buf_clear(&w->hint_body);
    mem_free(w);
}

static void show_end(struct visit *v)
{
    struct progress_state progress;
    enum status status = progress_read(v, &progress, &v->error);

    if (status != ST_OK) {
        answer_fault(v, status);
        return;
    }
    page_begin(v, "Nothing is left", "end");
    add_progress(v->out, &progress);
    if (progress.total == 0)
        buf_add_text(v->out, "<p>There are no candidates yet: <code>ppmine load</code>, then"
                             " <code>ppmine match</code>.</p>\n");
    else
        buf_add_text(v->out, "<p>You have judged every post. <a href=\"/code?unfinished=1\">Problems"
                             " that lack a code</a></p>\n");
    page_end(v);
}

static void show_next(struct visit *v)
{
    int64_t after = 0, post_id = 0;
    bool unfinished = field_of(&v->query, "unfinished").len > 0;
    struct span text = field_of(&v->query, "after");

    if (text.len > 0 && !post_id_read(text, &after)) {
        answer_refuse(v, 400, "'after' is the id of a post.");
        return;
    }
    enum status status =
        unfinished ? db_candidate_next(v->worker->db, v->coder, true, after, &post_id, &v->error)
                   : next_post(v, after, &post_id, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else if (post_id == 0)
        show_end(v);
    else
        answer_see(v, "/code/%" PRId64, post_id);
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
        answer_refuse(v, 404, "This is no id of a post.");
}
