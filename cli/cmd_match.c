/* match: keyword hits and candidates, of the database or of posts on standard input. */
#include "cli/command.h"
#include "cli/report_candidates.h"
#include "db/derived.h"
#include "db/posts.h"
#include "db/study.h"
#include "mine/post_hints.h"
#include "mine/post_text.h"
#include "mine/stream.h"
#include "mine/study_set.h"
#include "mine/text_functions.h"

#include <inttypes.h>

/* --- the database --- */

struct matching {
    struct db *db;
    struct post_text text;
    struct post_hints hints;
    struct progress progress;
    int64_t n_posts, n_hits, n_facts;
    size_t n_given_up; /* searches for facts */
};

static enum status go_on(struct err *e)
{
    if (!signals_stop_asked())
        return ST_OK;
    return err_set(e, (enum status)signals_exit_code(),
                   "stopped; the database has the matches it had before");
}

static enum status put_hits(struct matching *m, int64_t post_id, enum field field, struct err *e)
{
    const struct hit *hits;
    size_t n = post_text_find(&m->text, field, &hits);
    enum status status = ST_OK;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        struct db_hit hit = {.post_id = post_id,
                             .field = field_name(field),
                             .start = (int64_t)hits[i].start,
                             .end = (int64_t)hits[i].end,
                             .keyword_id = (int64_t)hits[i].keyword + 1};
        status = db_hit_put(m->db, &hit, e);
    }
    m->n_hits += (int64_t)n;
    return status;
}

static enum status match_post(void *ctx, const struct post *post, struct err *e)
{
    struct matching *m = ctx;

    post_text_extract(&m->text, post->title, post->body_html);
    enum status status = db_text_put(m->db, post->post_id, buf_span(&m->text.text[FIELD_TITLE]),
                                     buf_span(&m->text.text[FIELD_BODY]), e);
    for (enum field field = FIELD_TITLE; status == ST_OK && field < FIELDS; field++)
        status = put_hits(m, post->post_id, field, e);
    progress_update(&m->progress, (uint64_t)++m->n_posts, "");
    return status == ST_OK ? go_on(e) : status;
}

static enum status put_facts(void *ctx, const struct post *post, struct err *e)
{
    struct matching *m = ctx;
    const struct hint_list *list =
        post_hints_find(&m->hints, HINT_FACTS, post->title, post->body_html);
    enum status status = ST_OK;

    for (size_t i = 0; i < list->n_facts && status == ST_OK; i++) {
        struct db_fact fact = {.post_id = post->post_id,
                               .fact = list->facts[i].fact,
                               .value = list->facts[i].value,
                               .words = list->facts[i].words,
                               .field = span_of(list->facts[i].field)};
        status = db_fact_put(m->db, &fact, e);
    }
    m->n_facts += (int64_t)list->n_facts;
    m->n_given_up += list->losses.given_up;
    post_hints_tell_losses(&m->hints, post->post_id);
    progress_update(&m->progress, m->progress.done + 1, "");
    return status == ST_OK ? go_on(e) : status;
}

/* Of the candidates, which are known by now: to look for facts takes longer than for keywords. */
static enum status put_all_facts(struct matching *m, struct err *e)
{
    int64_t n_candidates;
    enum status status = db_candidate_count(m->db, &n_candidates, e);

    if (m->hints.hints == NULL || status != ST_OK)
        return status;
    progress_begin(&m->progress, "facts", (uint64_t)n_candidates);
    status = db_candidate_each_text(m->db, put_facts, m, e);
    progress_end(&m->progress);
    return status;
}

static enum status put_keywords(struct db *db, const struct match_set *set, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < match_set_size(set); i++) {
        const struct keyword *k = match_set_keyword(set, i);
        struct db_keyword row = {.keyword_id = (int64_t)i + 1,
                                 .keyword = k->text,
                                 .stems = k->stems,
                                 .n_words = (int64_t)k->n_words,
                                 .dead = k->dead,
                                 .note = k->note};
        status = db_keyword_put(db, &row, e);
    }
    return status;
}

struct match_options_given {
    const char *keywords_path;
    enum match_options match;
    enum text_options text;
};

static enum status begin_run(struct db *db, const struct match_options_given *given,
                             int64_t *run_id, struct err *e)
{
    struct buf parameters = {0};
    struct db_run run = {.command = "match"};

    buf_addf(&parameters, "{\"verbatim\":%s,\"include_code\":%s,\"keywords\":",
             given->match & MATCH_VERBATIM ? "true" : "false",
             given->text & TEXT_INCLUDE_CODE ? "true" : "false");
    buf_add_json(&parameters, span_of(given->keywords_path ? given->keywords_path : "study"));
    buf_add_char(&parameters, '}');
    run.parameters = buf_span(&parameters);
    enum status status = db_run_begin(db, &run, run_id, e);
    buf_clear(&parameters);
    return status;
}

/* Everything derived is made anew in one transaction, so nobody ever sees half of it, and nothing
 * of another keyword set stays. */
static enum status rebuild(struct matching *m, const struct match_set *set, bool answers_too,
                           struct err *e)
{
    int64_t questions, answers, others;
    enum status status = db_derived_clear(m->db, e);

    if (status == ST_OK)
        status = put_keywords(m->db, set, e);
    if (status == ST_OK)
        status = db_post_count(m->db, &questions, &answers, &others, e);
    if (status != ST_OK)
        return status;
    progress_begin(&m->progress, "matching", (uint64_t)(questions + answers + others));
    status = db_post_each_text(m->db, match_post, m, e);
    progress_end(&m->progress);
    if (status == ST_OK)
        status = db_derived_finish(m->db, answers_too, e);
    if (status == ST_OK)
        status = put_all_facts(m, e);
    return status;
}

static enum status end_run(struct matching *m, int64_t run_id, int64_t *n_candidates,
                           struct err *e)
{
    struct buf counts = {0};
    enum status status = db_candidate_count(m->db, n_candidates, e);

    buf_addf(&counts, "{\"posts\":%" PRId64 ",\"hits\":%" PRId64 ",\"candidates\":%" PRId64
                      ",\"facts\":%" PRId64 "}",
             m->n_posts, m->n_hits, *n_candidates, m->n_facts);
    if (status == ST_OK)
        status = db_run_end(m->db, run_id, "done", buf_span(&counts), e);
    buf_clear(&counts);
    return status;
}

static enum status match_in_transaction(struct matching *m, const struct match_set *set,
                                        const struct study *study,
                                        const struct match_options_given *given,
                                        int64_t *n_candidates, struct err *e)
{
    int64_t run_id;
    enum status status = db_begin(m->db, e);

    if (status == ST_OK)
        status = begin_run(m->db, given, &run_id, e);
    if (status == ST_OK)
        status = rebuild(m, set, study->candidate_answers, e);
    if (status == ST_OK)
        status = end_run(m, run_id, n_candidates, e);
    if (status == ST_OK)
        status = db_commit(m->db, e);
    if (status == ST_OK)
        status = db_checkpoint(m->db, e);
    return status;
}

static enum status match_database(struct invocation *in, const struct match_options_given *given,
                                  struct err *e)
{
    struct matching m = {.db = in->db};
    struct study study;
    struct match_set *set = NULL;
    struct buf content = {0};
    struct db_text functions = text_functions();
    int64_t n_candidates = 0;

    signals_catch();
    enum status status = db_use_text(in->db, &functions, e);
    memset(&study, 0, sizeof study);
    if (status == ST_OK)
        status = db_study_load(&study, in->db, e);
    if (status == ST_OK)
        status = study_set(&set, &study, given->keywords_path, given->match, &content, e);
    if (status == ST_OK)
        status = post_hints_init(&m.hints, &study, NULL, e);
    if (status == ST_OK) {
        post_text_init(&m.text, set, &study, given->text);
        status = match_in_transaction(&m, set, &study, given, &n_candidates, e);
        post_text_clear(&m.text);
    }
    if (status == ST_OK)
        log_info("%s: %" PRId64 " posts, %" PRId64 " hits, %" PRId64 " candidates", in->db_path,
                 m.n_posts, m.n_hits, n_candidates);
    if (status == ST_OK && m.n_given_up > 0)
        log_warn("%zu searches of patterns of hints.csv took too many steps and were given up; -v"
                 " tells which", m.n_given_up);
    post_hints_clear(&m.hints);
    match_set_free(set);
    buf_clear(&content);
    study_clear(&study);
    return status;
}

/* --- standard input --- */

static enum status match_stdin(struct invocation *in, const struct match_options_given *given,
                               uint64_t threads, struct err *e)
{
    struct match_stream_options options = {.text = given->text,
                                           .threads = (unsigned)threads,
                                           .strict = option_given(in, "strict")};
    struct study study;
    struct match_set *set = NULL;
    struct buf content = {0};
    enum status status = study_load(&study, option_text(in, "study", NULL), e);

    if (status == ST_OK)
        status = study_set(&set, &study, given->keywords_path, given->match, &content, e);
    if (status == ST_OK) {
        options.set = set;
        options.study = &study;
        status = match_stream(&options, e);
    }
    match_set_free(set);
    buf_clear(&content);
    study_clear(&study);
    return status;
}

/* --- the command --- */

/* An option that would do nothing is a misunderstanding. */
static enum status check_options(const struct invocation *in, struct err *e)
{
    static const char *const of_stdin[] = {"study", "threads", "strict"};
    static const char *const of_database[] = {"limit", "format"};

    if (option_given(in, "stdin")) {
        for (size_t i = 0; i < ARRAY_LEN(of_database); i++)
            if (option_given(in, of_database[i]))
                return err_set(e, ST_USAGE, "--%s is for the candidates of a database; --stdin "
                                            "prints each post with a hit", of_database[i]);
        return ST_OK;
    }
    for (size_t i = 0; i < ARRAY_LEN(of_stdin); i++)
        if (option_given(in, of_stdin[i]))
            return err_set(e, ST_USAGE, "--%s goes with --stdin%s", of_stdin[i],
                           i == 0 ? "; a database has its study in it" : "");
    return ST_OK;
}

static enum status run_match(struct invocation *in, struct err *e)
{
    struct match_options_given given = {
        .keywords_path = option_text(in, "keywords", NULL),
        .match = option_given(in, "verbatim") ? MATCH_VERBATIM : MATCH_STEMMED,
        .text = option_given(in, "include-code") ? TEXT_INCLUDE_CODE : TEXT_PLAIN,
    };
    uint64_t threads = 0;
    struct report report;
    enum status status = check_options(in, e);

    if (status == ST_OK)
        status = option_number(in, "threads", 1, 64, &threads, e);
    if (status == ST_OK)
        status = report_read(&report, in, e);
    if (status != ST_OK)
        return status;
    if (option_given(in, "stdin"))
        return match_stdin(in, &given, threads, e);
    status = invocation_open_db(in, DB_WRITE, e);
    if (status == ST_OK)
        status = match_database(in, &given, e);
    if (status == ST_OK)
        status = report_candidates(in, &report, e);
    return status;
}

static const struct option_spec options[] = {
    {"stdin", '\0', NULL, "match dump rows or NDJSON posts from standard input"},
    {"verbatim", '\0', NULL, "compare keywords as printed, without stemming them"},
    {"include-code", '\0', NULL, "match the text inside <pre> too"},
    {"keywords", 'k', "FILE", "the keyword set (default: the study's)"},
    {"study", '\0', "DIR", "with --stdin: the study (default: dlperf)"},
    {"threads", '\0', "N", "with --stdin: threads that match (default: processors)"},
    {"strict", '\0', NULL, "with --stdin: a post that cannot be used is an error"},
    {"limit", 'n', "N", "candidates to print; 0: all (default: 20 as text, else all)"},
    {"format", 'f', "FORMAT", "of the candidates: text, csv, json or ndjson"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine match", "fill hits and candidates of ppmine.db"},
    {"ppmine match --format csv > candidates.csv", NULL},
    {"ppmine match --stdin < Posts.xml", "no database: a line of JSON for each post with a hit"},
    {NULL, NULL},
};

const struct command command_match = {
    .name = "match",
    .summary = "Find the posts that hold keywords",
    .options = options,
    .description =
        "Fills the database's hits (keyword, field, place), candidates and full-text index anew and\n"
        "prints the candidates, most hits first.\n"
        "\n"
        "With --stdin no database is used: rows of a data dump (a whole Posts.xml or a piece of\n"
        "one) or posts as NDJSON (id, title, body) come in, and each post with a hit goes out as\n"
        "{\"id\":4,\"hits\":[{\"keyword\":\"run slow\",\"field\":\"title\",\"start\":3,\"end\":15}]}.\n"
        "Places are bytes in the field's text; finding nothing is no error.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_match,
};
