/* bench sources: what the posts of cases say that their pairs do not show. */
#include "base/table/table.h"
#include "bench/sources.h"
#include "bench/store/store.h"
#include "cli/options.h"
#include "db/posts.h"
#include "label/post_hints.h"

#include <inttypes.h>

/* Said once or more in a thread. */
struct said {
    struct span kind, words, place;
    int64_t n;
    bool is_shown; /* by the pair, or by the labels of its problem */
};

#define MAP_NAME said_map
#define MAP_KEY struct span /* kind and words, with a NUL between them */
#define MAP_VALUE struct said
#include "base/map.h"

struct state {
    struct post_hints hints;
    struct bench_study study;
    struct table_list tables;
    struct table *cases, *beyond;
    size_t n_absent;
};

/* One case, and what its thread says. */
struct thread {
    struct state *s;
    const struct bench_case *c;
    struct bench_shown *shown;
    struct said_map said;
    struct buf place; /* "question", "answer 123" */
    const char *field;
    size_t n_posts;
    struct arena arena;
};

/* --- what is said --- */

static struct said *add_said(struct thread *t, struct span kind, struct span words, const char *field)
{
    struct said_map_entry *entry;
    AT_END(buf_clear) struct buf key = {0};

    buf_add_span(&key, kind);
    buf_add_char(&key, '\0');
    buf_add_span(&key, words);
    if (said_map_add(&t->said, buf_span(&key), &entry)) {
        entry->key = arena_copy(&t->arena, buf_span(&key));
        AT_END(mem_end) char *place = mem_addf("%s, %s", buf_cstr(&t->place), field);
        entry->value = (struct said){
            .kind = kind, .words = arena_copy(&t->arena, words), .place = arena_copy(&t->arena, span_of(place))};
    }
    entry->value.n++;
    return &entry->value;
}

static void add_word(void *ctx, enum bench_word kind, struct span words)
{
    struct thread *t = ctx;

    add_said(t, span_of(bench_word_names[kind]), words, t->field)->is_shown = bench_shows(t->shown, kind, words);
}

struct label {
    const char *column; /* "symptom" of symptom1, symptom2 */
    struct span code;
    bool found;
};

static void look_at_label(void *ctx, struct span column, struct span value)
{
    struct label *l = ctx;

    l->found |= span_starts(column, span_of(l->column)) && span_eq(value, l->code);
}

/* The facet of the symptoms alone: a pair makes its cause itself. */
static enum status add_hints(struct thread *t, const struct hint_list *list, struct err *e)
{
    const char *shown = t->s->study.shown.column;
    enum status status = ST_OK;

    for (size_t i = 0; i < list->n_suggestions && status == ST_OK; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        struct label label = {shown, s->name, false};
        if (!span_eq(s->facet, span_of(shown)))
            continue;
        status = bench_study_labels(t->c->id, look_at_label, &label, e);
        AT_END(mem_end) char *words = mem_addf("%.*s: %.*s", SPAN_ARG(s->name), SPAN_ARG(s->words));
        add_said(t, span_of(shown), span_of(words), "words")->is_shown = label.found;
    }
    for (size_t i = 0; i < list->n_facts && status == ST_OK; i++) {
        const struct hint_fact *f = &list->facts[i];
        add_said(t, f->fact, f->value, f->field)->is_shown = bench_shows(t->shown, BENCH_NAME, f->value);
    }
    return status;
}

struct reading {
    struct thread *t;
    enum status status;
    struct err *e;
};

static void read_post(void *ctx, const struct post *post)
{
    struct reading *r = ctx;
    struct thread *t = r->t;

    if (r->status != ST_OK)
        return;
    buf_reset(&t->place);
    if (t->n_posts++ == 0)
        buf_add_text(&t->place, "question");
    else
        buf_addf(&t->place, "answer %" PRId64, post->post_id);
    struct span title = post->title.ptr != NULL ? post->title : SPAN("");
    struct span body = post->body_html.ptr != NULL ? post->body_html : SPAN("");
    r->status = add_hints(t, post_hints_find(&t->s->hints, HINT_ALL, title, body), r->e);
    post_hints_tell_losses(&t->s->hints, &t->s->hints.list.losses, post->post_id);
    for (size_t i = 0; i < HINT_FIELDS; i++) {
        t->field = t->s->hints.texts[i].field;
        bench_words_each(t->s->hints.texts[i].text, i == HINT_CODE, add_word, t);
    }
}

static enum status look_at_case(struct state *s, const struct bench_case *c, const char *cases_dir, struct db *db,
                                struct err *e)
{
    struct thread t = {.s = s, .c = c};
    struct reading reading = {&t, ST_OK, e};
    int64_t shown = 0;
    struct buf texts[BENCH_SIDES] = {{0}};
    enum status status = bench_case_scripts(texts, c, cases_dir, e);

    if (status == ST_OK) {
        t.shown = bench_shown_new(texts, BENCH_SIDES);
        /* "53424152_1" is a problem of post 53424152; a case of a rule has no post. */
        status = db_thread_each(db, strtoll(c->id, NULL, 10), read_post, &reading, e);
    }
    THEN(status, reading.status);
    if (status == ST_OK)
        table_add_row(s->cases, table_text(span_of(c->id)), table_text(span_of(bench_fidelity_names[c->fidelity])),
                      table_some(span_of(c->certainty)), table_some(span_of(c->made_from)),
                      table_text(t.n_posts > 0 ? SPAN("read") : SPAN("not in the database")));
    for (size_t i = 0; i < t.said.n && status == ST_OK && t.n_posts > 0; i++) {
        const struct said *said = &t.said.at[i].value;
        shown += said->is_shown;
        if (!said->is_shown)
            table_add_row(s->beyond, table_text(span_of(c->id)), table_text(said->kind), table_text(said->words),
                          table_int(said->n), table_text(said->place));
    }
    if (status == ST_OK && t.n_posts > 0)
        table_add_row(s->cases, table_int((int64_t)t.n_posts - 1), table_int((int64_t)t.said.n), table_int(shown));
    else if (status == ST_OK)
        table_add_row(s->cases, table_absent(), table_absent(), table_absent());
    s->n_absent += status == ST_OK && t.n_posts == 0;
    bench_shown_free(t.shown);
    said_map_clear(&t.said);
    arena_clear(&t.arena);
    buf_clear(&t.place);
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&texts[side]);
    return status;
}

/* --- the command --- */

static enum status run_bench_sources(struct invocation *in, struct err *e)
{
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    struct bench_chosen chosen = {0};
    struct state s = {.n_absent = 0};
    enum status status = bench_cases_given(&cases, in, e);

    THEN(status, bench_cases_named(&chosen, &cases, in, e));
    if (status == ST_OK) {
        AT_END(study_clear) struct study study;
        status = study_load(&study, NULL, e);
        THEN(status, post_hints_init(&s.hints, &study, NULL, e));
        THEN(status, bench_study_load(&s.study, e));
    }
    s.cases = table_list_add(&s.tables, "sources", "Posts and pairs");
    table_columns(s.cases, "problem_id = Problem; fidelity = Fidelity; certainty = Certainty; made_from = Made from; "
                           "post = Post; answers int = Answers; said int = Said; shown int = Shown by the pair");
    s.beyond = table_list_add(&s.tables, "sources-beyond", "What posts say that pairs do not show");
    table_columns(s.beyond, "problem_id = Problem; kind = Kind; words = Words; times int = Times; "
                            "place = First place");
    for (size_t i = 0; i < chosen.n && status == ST_OK; i++)
        status = look_at_case(&s, chosen.items[i], cases.dir, in->db, e);
    if (status == ST_OK) {
        table_note(
            s.cases,
            "The posts of %zu of %zu cases are in the database. Said: names, numbers, facts and symptoms of question and"
            " answers, each once; comments are not read.",
            chosen.n - s.n_absent, chosen.n);
        table_note(s.beyond, "A person judges whether the pair should show it: nothing here changes a case.");
        table_list_print(&s.tables, &in->out);
        status = s.n_absent < chosen.n ? ST_OK : ST_NO;
    }
    table_list_clear(&s.tables);
    post_hints_clear(&s.hints);
    bench_study_clear(&s.study);
    mem_free(chosen.items);
    return status;
}

const struct command command_bench_sources = {
    .name = "bench sources",
    .summary = "List what posts say that their cases do not show",
    .operands = "[ID…]",
    .options = OPTIONS(BENCH_CASES_OPTION, OUTPUT_OPTIONS),
    .description = "Compares each case with its post and the answers, where the database has them: from a dump,\n"
                   "or from the API. Prints what occurs in neither script, comments aside: APIs and other names\n"
                   "of code, numbers, facts such as versions, and words for a symptom that is not among the\n"
                   "labels of the problem. With it a person judges whether the case shows what the post is\n"
                   "about; the verdict goes into case.ini. Facts and symptoms are found by the hints of the\n"
                   "built-in study. A post that is not in the database is listed as such.",
    .examples = EXAMPLES({"ppmine -d so.db bench sources 55598516", NULL},
                         {"ppmine -d so.db bench sources --format csv > sources.csv", "all cases, for a spreadsheet"}),
    .nothing = "the database has none of the posts",
    .needs = NEEDS_DB_READ,
    .run = run_bench_sources,
};
