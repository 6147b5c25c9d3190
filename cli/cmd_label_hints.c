/* label hints: what the words of posts suggest. */
#include "cli/options.h"
#include "label/coding/stored_codebook.h"
#include "db/posts.h"
#include "db/study.h"
#include "label/post_hints.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"

#include <unistd.h>

enum { TEXT_MAX = 64 << 20 };

/* All that is suggested has to do with one of these; "fact" is not a facet of the codebook. */
static const char *const others[] = {"fact", NULL};

struct hinting {
    struct post_hints hints;
    struct stored_codebook book;
    struct study study;
    struct table t;
    struct span facet; /* ptr NULL: all */
    enum hint_kinds kinds;
    size_t n_given_up;
    bool found; /* the post that was asked for */
};

static void add_post_id(struct table *t, int64_t post_id)
{
    if (post_id > 0)
        post_id_cell(t, post_id);
    else
        table_add_absent(t);
}

/* post_id 0: a text that is not a post. */
static void add_list(struct hinting *h, int64_t post_id, const struct hint_list *list)
{
    const struct span none = {0};

    for (size_t i = 0; i < list->n_suggestions; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        if (h->facet.ptr != NULL && !span_eq(s->facet, h->facet))
            continue;
        add_post_id(&h->t, post_id);
        table_add_row(&h->t, table_text(s->facet), table_text(s->name), table_text(none), table_int(s->weight),
                      table_text(none), table_text(s->words));
    }
    for (size_t i = 0; i < list->n_facts; i++) {
        const struct hint_fact *f = &list->facts[i];
        add_post_id(&h->t, post_id);
        table_add_row(&h->t, table_text(SPAN("fact")), table_text(f->fact), table_text(f->value), table_text(none),
                      table_text(span_of(f->field)), table_text(f->words));
    }
    h->n_given_up += list->losses.given_up;
    post_hints_tell_losses(&h->hints, &list->losses, post_id);
}

/* --- where the texts come from --- */

static enum status add_post(void *ctx, const struct post *post, struct err *e)
{
    struct hinting *h = ctx;

    h->found = true;
    add_list(h, post->post_id, post_hints_find(&h->hints, h->kinds, post->title, post->body_html));
    if (!signals_stop_asked())
        return ST_OK;
    return err_set(e, (enum status)signals_exit_code(), "stopped");
}

static enum status MUST_USE add_posts(struct invocation *in, struct hinting *h, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < in->n_operands && status == ST_OK; i++) {
        int64_t post_id;
        if (!post_id_read(span_of(in->operands[i]), &post_id))
            return usage_error(in, e, "'%s' is not a post's id", in->operands[i]);
        h->found = false;
        status = db_post_text(in->db, post_id, add_post, h, e);
        if (status == ST_OK && !h->found)
            status = err_set(e, ST_INPUT, "label hints: post %s is not in %s", in->operands[i], in->db_path);
    }
    return status;
}

static enum status MUST_USE add_text(struct hinting *h, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    enum status status = file_read_named(path, TEXT_MAX, &content, e);

    if (status != ST_OK)
        return status;
    struct hint_text text = {"body", buf_span(&content)};
    hints_suggest(h->hints.hints, h->kinds, &text, 1, &h->hints.list);
    add_list(h, 0, &h->hints.list);
    return ST_OK;
}

/* --- the command --- */

/* The study of the database; for a text, without a database, the one that is built in. */
static enum status MUST_USE prepare(struct invocation *in, struct hinting *h, struct err *e)
{
    bool named = in->values.text == NULL || (in->values.db != NULL) || access(in->db_path, F_OK) == 0;
    enum status status = named ? invocation_open_db(in, DB_READ, e) : ST_OK;

    THEN(status, in->db != NULL ? db_study_load(&h->study, in->db, e) : study_load(&h->study, NULL, e));
    THEN(status, post_hints_init(&h->hints, &h->study, in->values.hints, e));
    if (status == ST_OK && h->hints.hints == NULL)
        status = err_set(e, ST_INPUT, "the study '%.*s' has no hints.csv; give one with --hints",
                         SPAN_ARG(h->study.name));
    if (status == ST_OK && in->db != NULL && h->hints.codebook.n_codes > 0) {
        status = stored_codebook_load(&h->book, in->db, e);
        if (status == ST_OK)
            hints_follow(h->hints.hints, &h->book.codebook);
    }
    return status;
}

static enum status run_label_hints(struct invocation *in, struct err *e)
{
    struct hinting h = {.kinds = HINT_ALL};
    size_t facet = SIZE_MAX;
    int sources = (in->n_operands > 0) + in->values.all + (in->values.text != NULL);

    if (sources != 1)
        return err_set(e, ST_USAGE,
                       "label hints: give posts by their ids, or --all for the candidates, or --text FILE%s",
                       sources > 1 ? "; one of them" : "");
    enum status status = list_option(in, others, &facet, e);
    if (status != ST_OK)
        return status;
    signals_catch();
    if (facet != SIZE_MAX) {
        const struct facets *f = invocation_facets(in);
        bool is_list = facet < f->n_lists;
        h.facet = is_list ? f->lists[facet] : span_of(others[facet - f->n_lists]);
        h.kinds = is_list ? HINT_CODES : HINT_FACTS;
    }
    table_init(&h.t, "hints", "Hints", "post_id int; facet; code; value <40; weight int; field; words <60");
    status = prepare(in, &h, e);
    THEN(status, in->values.text != NULL ? add_text(&h, in->values.text, e)
                 : in->values.all        ? db_candidate_each_text(in->db, add_post, &h, e)
                                         : add_posts(in, &h, e));
    if (status == ST_OK)
        table_print(&h.t, &in->out);
    if (status == ST_OK && h.n_given_up > 0)
        log_warn("%zu searches took too many steps and were given up; -v tells which", h.n_given_up);
    if (status == ST_OK && table_rows(&h.t) == 0)
        status = ST_NO;
    table_clear(&h.t);
    post_hints_clear(&h.hints);
    stored_codebook_clear(&h.book);
    study_clear(&h.study);
    return status;
}

const struct command command_label_hints = {
    .name = "label hints",
    .summary = "Suggest codes and facts from the words of posts",
    .operands = "[POST…]",
    .options = OPTIONS(FLAG("all", all, "search all candidates instead of given posts", 'a'),
                       TEXT("text", text, "FILE", "search a plain text file; - is standard input"),
                       TEXT("facet", facet, "FACET", "only {lists,} or fact"),
                       TEXT("hints", hints, "FILE", "use the patterns of FILE (default: the study's hints.csv)"),
                       OUTPUT_OPTIONS),
    .description = "Searches title, text and code of each post for the patterns of the study's hints.csv. For\n"
                   "each code it prints the sum of the weights of the patterns that match, and the words that\n"
                   "they matched; a pattern is added once. The code with the highest sum is first in its\n"
                   "facet. For a fact it prints the value, the field in which it occurs first (title, body, or\n"
                   "code: the text inside <pre>), and the words around it. A suggestion is not a decision, and\n"
                   "nothing is stored.",
    .examples = EXAMPLES({"ppmine label hints --all --format csv > hints.csv", "for all candidates"},
                         {"echo 'TF 2.3 hangs on my GTX 1080' | ppmine label hints --text -", NULL}),
    .nothing = "no pattern matches",
    .needs = NEEDS_DB_PATH,
    .run = run_label_hints,
};
