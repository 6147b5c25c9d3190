/* match: keyword hits and candidates, of the database or of posts on standard input. */
#include "cli/command.h"
#include "screen/post_counter.h"
#include "match/corpus/trial_tables.h"
#include "match/corpus/derived.h"
#include "label/label.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"

#include <inttypes.h>

/* --- the candidates --- */

struct candidates {
    struct table_output out;
    uint64_t limit; /* 0: all */
};

struct collected {
    struct table table;
    bool text; /* for people, to whom the day of a date says enough */
};

static void add_candidate(void *ctx, const struct db_candidate *c)
{
    enum { DAY_LENGTH = 10 };
    struct collected *collected = ctx;
    struct table *t = &collected->table;
    struct span created = c->created_at;

    if (collected->text && created.len > DAY_LENGTH)
        created.len = DAY_LENGTH;
    post_id_cell(t, c->post_id);
    table_add_int(t, c->n_hits);
    table_add_text(t, c->keywords);
    table_add_text(t, c->title);
    table_add_text(t, created);
    table_add_text(t, c->url);
}

static void print_rest(const struct invocation *in, int64_t shown, int64_t all)
{
    if (all == 0)
        log_info("no candidates; see 'ppmine keywords' for what the keywords find");
    else if (shown < all)
        log_info("the first %lld of %lld candidates; --limit 0 prints all, or: sqlite3 %s "
                 "\"SELECT * FROM candidate\"",
                 (long long)shown, (long long)all, in->db_path);
}

static enum status MUST_USE read_wanted(struct candidates *out, const struct invocation *in, struct err *e)
{
    enum status status = output_option(in, TABLE_AS_TEXT, &out->out, e);

    out->limit = out->out.format == TABLE_AS_TEXT ? 20 : 0;
    return status == ST_OK ? option_number(in, "limit", 0, INT64_MAX, &out->limit, e) : status;
}

static enum status MUST_USE print_candidates(const struct invocation *in, const struct candidates *wanted,
                              struct err *e)
{
    static const struct table_column columns[] = {
        {.name = "post_id", .kind = TABLE_INT},     {.name = "n_hits", .kind = TABLE_INT},      {.name = "keywords", .max_width = 36},
        {.name = "title", .max_width = 60},     {.name = "created_at"}, {.name = "url"},
    };
    int64_t all = 0, limit = wanted->limit > 0 ? (int64_t)wanted->limit : -1;
    bool text = wanted->out.format == TABLE_AS_TEXT;
    struct collected collected = {.text = text};
    struct table *t = &collected.table;

    table_init(t, "candidates", "Candidates", columns, ARRAY_LEN(columns));
    enum status status = db_candidate_each(in->db, limit, add_candidate, &collected, e);
    if (status == ST_OK)
        status = db_candidate_count(in->db, &all, e);
    if (status == ST_OK && (all > 0 || !text))
        table_print(t, &wanted->out);
    if (status == ST_OK && text)
        print_rest(in, (int64_t)table_rows(t), all);
    table_clear(t);
    return status;
}

/* --- the matching --- */

static bool tries(const struct invocation *in)
{
    return option_given(in, "keywords") && !option_given(in, "replace");
}

static enum status MUST_USE try_keywords(struct invocation *in, const struct mine_how *how,
                                         const struct candidates *wanted, struct err *e)
{
    struct mine_trial trial = {.before = {0}};
    enum status status = invocation_open_db(in, DB_READ, e);

    signals_catch();
    if (status == ST_OK)
        status = mine_try(in->db, how, &trial, e);
    if (status == ST_OK)
        mine_trial_print(&trial, wanted->limit, &wanted->out);
    mine_trial_clear(&trial);
    return status;
}

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
    if (n.other_hits > 0)
        log_info("hits in posts that are no candidates of this study, such as answers: %" PRId64, n.other_hits);
    if (n.n_given_up > 0)
        log_warn("%zu searches of patterns of hints.csv took too many steps and were given up; -v"
                 " tells which", n.n_given_up);
    return ST_OK;
}

/* What becomes of the posts that are judged is known only before the candidates are replaced. */
static enum status MUST_USE replace(struct invocation *in, const struct mine_how *how,
                                    struct err *e)
{
    struct mine_trial trial = {.before = {0}};
    enum status status = mine_try(in->db, how, &trial, e);

    if (status == ST_OK)
        status = match_database(in, how, e);
    if (status == ST_OK)
        mine_trial_say(&trial);
    mine_trial_clear(&trial);
    return status;
}

static enum status match_stdin(struct invocation *in, const struct mine_how *mine,
                               struct err *e)
{
    struct mine_stream_how how = {
        .mine = *mine,
        .strict = option_given(in, "strict"),
        .whole_posts = option_given(in, "posts"),
        .threads_path = option_text(in, "of", NULL),
        .is_piece = option_given(in, "piece-at"),
        .length = UINT64_MAX,
        .counts_path = option_text(in, "counts", NULL),
        .problems_path = option_text(in, "problems", NULL),
        .others_path = option_text(in, "others", NULL),
    };
    static const char *const parts[] = {"hits", "ngrams", "shingles", "features", NULL};
    size_t part = MINE_PART_NONE;
    struct study study = {0};
    enum status status = option_choice(in, "part", parts, &part, e);

    how.part = (enum mine_part)part;
    how.features = &screen_post_counter;
    if (status == ST_OK && (how.part == MINE_PART_NGRAMS) != (how.problems_path != NULL))
        status = err_set(e, ST_USAGE, "--part ngrams and --problems FILE go together");
    if (option_given(in, "site"))
        how.site = span_of(option_text(in, "site", ""));
    if (status == ST_OK)
        status = option_number(in, "piece-at", 0, INT64_MAX, &how.offset, e);
    if (status == ST_OK)
        status = option_number(in, "bytes", 0, INT64_MAX, &how.length, e);
    if (status == ST_OK)
        status = study_load(&study, option_text(in, "study", NULL), e);
    if (how.counts_path == NULL)
        invocation_confine(NULL, 0, false);
    if (status == ST_OK)
        status = mine_stream(&study, &how, stdout, e);
    study_clear(&study);
    return status;
}

/* An option that would do nothing is a misunderstanding. */
static enum status check_options(const struct invocation *in, struct err *e)
{
    static const char *const of_stdin[] = {"study", "strict", "posts", "of", "site",
                                           "piece-at", "bytes", "counts", "part", "problems",
                                           "others"};
    static const char *const of_database[] = {"limit", "format", "replace"};

    if (option_given(in, "stdin")) {
        for (size_t i = 0; i < ARRAY_LEN(of_database); i++)
            if (option_given(in, of_database[i]))
                return err_set(e, ST_USAGE, "--%s is for the candidates of a database; --stdin "
                                            "prints each post with a hit", of_database[i]);
        return ST_OK;
    }
    if (option_given(in, "replace") && !option_given(in, "keywords"))
        return err_set(e, ST_USAGE, "--replace needs --keywords FILE");
    if (option_given(in, "threads") && tries(in))
        return err_set(e, ST_USAGE, "--threads is for --stdin and for a match that writes; --keywords needs --replace"
                                    " for that");
    for (size_t i = 0; i < ARRAY_LEN(of_stdin); i++)
        if (option_given(in, of_stdin[i]))
            return err_set(e, ST_USAGE, "--%s needs --stdin%s", of_stdin[i],
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
    struct candidates wanted;
    uint64_t threads = 0;
    enum status status = check_options(in, e);

    if (status == ST_OK)
        status = option_number(in, "threads", 1, 64, &threads, e);
    how.threads = (unsigned)threads;
    if (status == ST_OK)
        status = read_wanted(&wanted, in, e);
    if (status != ST_OK)
        return status;
    if (option_given(in, "stdin"))
        return match_stdin(in, &how, e);
    if (tries(in))
        return try_keywords(in, &how, &wanted, e);
    status = invocation_open_db(in, DB_WRITE, e);
    if (status == ST_OK)
        status = option_given(in, "replace") ? replace(in, &how, e) : match_database(in, &how, e);
    if (status == ST_OK)
        status = print_candidates(in, &wanted, e);
    return status;
}

static const struct option_spec options[] = {
    {"stdin", '\0', NULL, "match dump rows or NDJSON posts from standard input"},
    {"verbatim", '\0', NULL, "compare keywords as printed, without stemming them"},
    {"include-code", '\0', NULL, "match the text inside <pre> too"},
    {"keywords", 'k', "FILE", "try the keywords of FILE: compare, and write nothing"},
    {"replace", '\0', NULL,
     "with --keywords: write the candidates of FILE, in place of earlier ones"},
    {"study", '\0', "DIR", "with --stdin: folder of the study (default: the built-in study)"},
    {"threads", '\0', "N", "match with N threads (default: one for each processor)"},
    {"strict", '\0', NULL, "with --stdin: treat a post that cannot be used as an error"},
    {"posts", '\0', NULL, "with --stdin: print whole posts, for load --ndjson"},
    {"of", '\0', "FILE", "with --stdin: print the questions in FILE and their answers, hit or not"},
    {"site", '\0', "NAME", "with --stdin: posts that name no site are of NAME"},
    {"piece-at", '\0', "BYTE", "with --stdin: the input is the piece of a file that begins at BYTE"},
    {"bytes", '\0', "N", "with --stdin: read at most N bytes, of input that is not compressed"},
    {"counts", '\0', "FILE",
     "with --stdin: write the numbers of rows, posts and hits to FILE, as JSON"},
    {"part", '\0', "WHAT", "with --stdin: print hits (default), or what ppmine-spark adds up: ngrams, "
                            "shingles or features"},
    {"problems", '\0', "FILE", "with --part ngrams: as of keywords derive"},
    {"others", '\0', "FILE", "with --part ngrams: as of keywords derive"},
    {"limit", 'n', "N", "print N candidates; 0: all (default: 20 as text, else all)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine match", "fill hits and candidates of ppmine.db"},
    {"ppmine match --format csv > candidates.csv", NULL},
    {"ppmine match --keywords other.txt", "what other keywords would change"},
    {"ppmine match --stdin < Posts.xml", "no database: a line of JSON for each post with a hit"},
    {NULL, NULL},
};

const struct command command_match = {
    .name = "match",
    .summary = "Find the posts that contain keywords",
    .options = options,
    .description =
        "Computes the hits (keyword, field, position), the candidates and the full-text index of\n"
        "the database, in place of earlier ones. Prints the candidates, those with most hits first.\n"
        "\n"
        "--keywords FILE tries another set of keywords. It writes nothing, and prints which\n"
        "candidates would be gained and lost, in total and for each keyword, and how many of them\n"
        "were judged to be problems. With --stdin or --replace the set of FILE is used.\n"
        "\n"
        "With --stdin no database is used. The input is Posts.xml of a data dump, a piece of it, or\n"
        "posts as NDJSON (see docs/posts.md). Each post with a hit is printed as\n"
        "{\"id\":4,\"hits\":[{\"keyword\":\"run slow\",\"field\":\"title\",\"start\":3,\"end\":15}]}.\n"
        "Positions are bytes in the field's text. Finding nothing is not an error.\n"
        "\n"
        "--part counts what needs the posts of all pieces. Its lines can be added up by their first\n"
        "column: ngrams with their posts, for 'keywords derive --counts', and features of screening with\n"
        "their questions. shingles gives each question with its MinHash bands, for pairs of similar ones.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_match,
};
