/* code_changes: an owner of the study changes the codebook: forms for a code, what comes of them, the history. */
#include "label/coding/code_change.h"
#include "label/coding/memo.h"
#include "label/coding/discussion.h"
#include "label/code_table.h"
#include "web/site.h"

enum { INTO_MAX = 32 }; /* codes that one is split into */

static bool is_list_of_codes(const struct facets *facets, struct span list)
{
    size_t place = facets_list(facets, list);

    return place < facets->n_lists && facets_has_codes(facets, place);
}

/* --- forms --- */

static void begin_form(struct visit *v, const char *title, struct span list, struct span code)
{
    html(v->out, SPAN("change"), span_of(title), list, code, field_of(&v->query, "post"));
}

static void end_form(struct buf *out, const char *go, const char *title)
{
    html(out, SPAN("change-end"), span_of(go), span_of(title));
}

/* The other codes of the list, one or several of which are chosen. */
static void add_others(struct buf *out, const struct codebook *c, size_t place, const char *more)
{
    html(out, SPAN("into"), span_of(more));
    for (size_t i = 0; i < c->n_codes; i++)
        if (i != place && span_eq(c->codes[i].facet, c->codes[place].facet))
            page_text(out, "<option>", c->codes[i].name, "</option>");
    buf_add_text(out, "</select></label></p>\n");
}

enum status code_change_page(struct visit *v)
{
    const struct codebook *c = &v->worker->book.codebook;
    struct span list = field_of(&v->query, "facet"), name = field_of(&v->query, "code");
    size_t place = SIZE_MAX;

    if (!v->is_owner)
        return answer_refuse(v, 403, "Only an owner of the study changes the codebook.");
    if (!is_list_of_codes(v->worker->book.facets, list) ||
        (name.len > 0 && (place = codebook_find(c, list, name, &v->error)) == SIZE_MAX))
        return answer_refuse(v, 404, "There is no such facet or code.");
    page_begin(v, "Change the codebook", "codebook");
    page_text(v->out, "<p>", name.len > 0 ? name : list, "</p>\n");
    if (name.len > 0) {
        const struct code *code = &c->codes[place];

        begin_form(v, "Define", code->facet, code->name);
        html(v->out, SPAN("change-definition"), code->definition);
        html(v->out, SPAN("change-same"));
        end_form(v->out, "define", "Change the definition");
        begin_form(v, "Rename", code->facet, code->name);
        html(v->out, SPAN("change-text"), SPAN("New name"), SPAN("name"));
        end_form(v->out, "rename", "Rename; labels stay valid");
        begin_form(v, "Merge", code->facet, code->name);
        add_others(v->out, c, place, "");
        end_form(v->out, "merge", "Merge; its labels become labels of the other");
        begin_form(v, "Split", code->facet, code->name);
        add_others(v->out, c, place, " multiple");
        end_form(v->out, "split", "Split; its labels must be decided again");
    } else {
        begin_form(v, "Add a code", list, SPAN(""));
        html(v->out, SPAN("change-text"), SPAN("Name"), SPAN("name"));
        if (codebook_has_categories(c, list))
            html(v->out, SPAN("change-text"), SPAN("Category"), SPAN("category"));
        html(v->out, SPAN("change-definition"), SPAN(""));
        end_form(v->out, "add", "Add");
    }
    page_end(v);
    return ST_OK;
}

/* --- changing --- */

static enum status MUST_USE add(struct visit *v, struct code_change *c, struct span list, struct err *e)
{
    struct db_code code = {
        .facet = list,
        .category = span_trim(field_of(&v->form, "category")),
        .name = span_trim(field_of(&v->form, "name")),
        .definition = span_trim(field_of(&v->form, "definition")),
    };

    if (!codebook_has_categories(&c->book.codebook, list))
        code.category = (struct span){0};
    else if (code.category.len == 0)
        return err_set(e, ST_INPUT, "a code of this facet needs a category");
    return code_change_add(c, &code, NULL, 0, (struct span){0}, e);
}

/* Of a code that there is. */
static enum status MUST_USE change(struct visit *v, struct code_change *c, size_t place, struct span go, struct err *e)
{
    if (span_eq(go, SPAN("define")))
        return code_change_define(c, place, span_trim(field_of(&v->form, "definition")), (struct span){0},
                                  field_of(&v->form, "same").len > 0, e);
    if (span_eq(go, SPAN("rename")))
        return code_change_rename(c, place, span_trim(field_of(&v->form, "name")), e);
    if (span_eq(go, SPAN("merge")) || span_eq(go, SPAN("split"))) {
        const struct codebook *book = &c->book.codebook;
        bool merges = span_eq(go, SPAN("merge"));
        size_t into[INTO_MAX] = {0}, n = 0;

        for (size_t i = 0; i < v->form.n; i++) {
            if (!span_eq(v->form.at[i].name, SPAN("into")))
                continue;
            if (n == INTO_MAX)
                return err_set(e, ST_INPUT, "at most %d codes can take its place", INTO_MAX);
            into[n] = codebook_find(book, book->codes[place].facet, v->form.at[i].value, e);
            if (into[n] == SIZE_MAX)
                return ST_INPUT;
            if (into[n++] == place)
                return err_set(e, ST_INPUT, "a code cannot take its own place");
        }
        if (merges ? n != 1 : n < 2)
            return err_set(e, ST_INPUT,
                           merges ? "choose the one code that stays" : "choose two codes or more; add them first");
        return merges ? code_change_merge(c, place, into[0], e) : code_change_split(c, place, into, n, e);
    }
    return err_set(e, ST_INPUT, "there is no such change");
}

static enum status MUST_USE put_change(struct visit *v, struct span why, struct err *e)
{
    static const char *const actions[] = {"add", "define", "rename", "merge", "split"};
    size_t nth = span_place(field_of(&v->form, "go"), actions, ARRAY_LEN(actions));
    struct span list = field_of(&v->form, "facet"), code = field_of(&v->form, "code");
    struct code_change c;
    struct code_changed changed;

    if (nth == ARRAY_LEN(actions) || why.len == 0 || why.len > ACT_TEXT_MAX)
        return err_set(e, ST_INPUT, "say what changes and why, in at most %d bytes", ACT_TEXT_MAX);
    enum status status = code_change_begin(&c, v->worker->db, v->coder, why, e);

    if (status == ST_OK && !is_list_of_codes(c.book.facets, list))
        status = err_set(e, ST_INPUT, "there is no such facet");
    if (status == ST_OK && nth == 0) {
        code = span_trim(field_of(&v->form, "name"));
        status = add(v, &c, list, e);
    } else if (status == ST_OK) {
        size_t place = codebook_find(&c.book.codebook, list, code, e);
        status = place != SIZE_MAX ? change(v, &c, place, span_of(actions[nth]), e) : ST_INPUT;
    }
    return code_change_end(&c, status, actions[nth], list, code, &changed, e);
}

/* Of anybody who codes. */
static enum status MUST_USE put_memo(struct visit *v, struct err *e)
{
    const struct codebook *c = &v->worker->book.codebook;
    struct memo memo = {.coder = v->coder, .text = field_of(&v->form, "memo"), .list = field_of(&v->form, "facet")};
    size_t place = memo.list.len > 0 ? codebook_find(c, memo.list, field_of(&v->form, "code"), e) : SIZE_MAX;

    if (memo.list.len > 0 && place == SIZE_MAX)
        return ST_INPUT;
    memo.code = place != SIZE_MAX ? c->codes[place].name : SPAN("");
    return memo_write(v->worker->db, &memo, false, e);
}

enum status code_change_form(struct visit *v)
{
    bool memo = span_eq(field_of(&v->form, "go"), SPAN("memo"));
    char id[POST_ID_TEXT_SIZE];
    int64_t post_id;

    if (!v->is_owner && !memo)
        return answer_refuse(v, 403, "Only an owner of the study changes the codebook.");
    pthread_mutex_lock(&v->web->writing);
    enum status status = memo ? put_memo(v, &v->error) : put_change(v, span_trim(field_of(&v->form, "why")), &v->error);
    pthread_mutex_unlock(&v->web->writing);
    if (status != ST_OK)
        return status;
    return post_id_read(field_of(&v->form, "post"), &post_id) ? answer_see(v, "/code/%s", post_id_text(post_id, id))
                                                              : answer_see(v, "/codebook");
}

/* --- the history, and what follows from it --- */

enum status codebook_history(struct visit *v, struct err *e)
{
    struct sql *reviews = db_reviews(v->worker->db, v->coder);
    struct db_review review;
    struct db_code_change change;
    bool open = false; /* the settling is */
    size_t n = 0;
    enum status status = discussion_is_open(v->worker->db, &open, e);

    while (db_review_next(v->worker->db, reviews, &review, &status, e)) {
        if (n == 0)
            buf_add_text(v->out, "<h2>Check these labels again</h2>\n<ul>\n");
        if (!page_subject(v->out, "<li>", review.problem_id, ": "))
            continue;
        n++;
        page_text(v->out, "", review.code, ", ");
        page_text(v->out, "", review.facet, "</li>\n");
    }
    buf_add_text(v->out, n > 0 ? "</ul>\n" : "");
    for (n = 0; db_code_change_next(v->worker->db, &change, &status, e); n++) {
        /* The reason may name the first example of a code: a decision, which others see after the settling. */
        bool shown = open || span_eq(change.changed_by, v->coder);
        if (n == 0)
            html(v->out, SPAN("changes"));
        html(v->out, SPAN("change-row"), html_number(v, change.version), change.changed_at, change.changed_by,
             change.action, change.facet, change.code, shown ? change.reason : SPAN("shown after the settling"));
    }
    buf_add_text(v->out, n > 0 ? "</tbody></table>\n" : "");
    return status;
}
