/* match: keyword hits and candidates, of the database or of posts on standard input. */
#include "cli/command.h"
#include "cli/report_candidates.h"
#include "mine/mine.h"

#include <inttypes.h>

static enum status match_database(struct invocation *in, const struct mine_how *how,
                                  struct err *e)
{
    struct mine_counts n;

    signals_catch();
    enum status status = mine_database(in->db, how, &n, e);
    if (status != ST_OK)
        return status;
    log_info("%s: %" PRId64 " posts, %" PRId64 " hits, %" PRId64 " candidates", in->db_path, n.posts,
             n.hits, n.candidates);
    if (n.n_given_up > 0)
        log_warn("%zu searches of patterns of hints.csv took too many steps and were given up; -v"
                 " tells which", n.n_given_up);
    return ST_OK;
}

static enum status match_stdin(struct invocation *in, const struct mine_how *how,
                               unsigned threads, struct err *e)
{
    struct study study;
    enum status status = study_load(&study, option_text(in, "study", NULL), e);

    if (status == ST_OK)
        status = mine_stream(&study, how, threads, option_given(in, "strict"), stdout, e);
    study_clear(&study);
    return status;
}

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
    struct mine_how how = {
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
        return match_stdin(in, &how, (unsigned)threads, e);
    status = invocation_open_db(in, DB_WRITE, e);
    if (status == ST_OK)
        status = match_database(in, &how, e);
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
    OUTPUT_OPTIONS,
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
