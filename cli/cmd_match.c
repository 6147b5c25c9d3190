/* match: keyword hits and candidates, of the database or of posts on standard input. */
#include "cli/command.h"
#include "label/rows.h"
#include "screen/screening.h"
#include "match/corpus/derived.h"
#include "label/label.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"

#include <inttypes.h>

/* --- the candidates --- */

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
    table_add_row(t, table_int(c->n_hits), table_text(c->keywords), table_text(c->title), table_text(created),
                  table_text(c->url));
}

static enum status MUST_USE print_candidates(const struct invocation *in, struct err *e)
{
    int64_t all = 0, limit = (int64_t)output_limit(in);
    bool text = in->out.format == TABLE_AS_TEXT;
    struct collected collected = {.text = text};
    struct table *t = &collected.table;

    table_init(t, "candidates", "Candidates", "post_id int; n_hits int; keywords <36; title <60; created_at; url");
    enum status status = db_candidate_each(in->db, limit > 0 ? limit : -1, add_candidate, &collected, e);
    THEN(status, db_candidate_count(in->db, &all, e));
    if (status == ST_OK && (all > 0 || !text))
        table_print(t, &in->out);
    if (status == ST_OK && text) {
        int64_t shown = (int64_t)table_rows(t);
        if (all == 0)
            log_info("no candidates; see 'ppmine keywords' for what the keywords find");
        else if (shown < all)
            log_info("the first %lld of %lld candidates; --limit 0 prints all, or: sqlite3 %s "
                     "\"SELECT * FROM candidate\"",
                     (long long)shown, (long long)all, in->db_path);
    }
    table_clear(t);
    return status;
}

/* --- the matching --- */

static bool tries(const struct invocation *in)
{
    return in->values.keywords != NULL && !in->values.replace;
}

static enum status match_stdin(struct invocation *in, const struct mine_how *mine, struct err *e)
{
    struct mine_stream_how how = {
        .mine = *mine,
        .strict = in->values.strict,
        .whole_posts = in->values.posts_flag,
        .threads_path = in->values.of,
        .is_piece = option_setting(in, &in->values.piece_at) != NULL,
        .offset = in->values.piece_at,
        .length = in->values.bytes,
        .site = span_of(in->values.site),
        .counts_path = in->values.counts,
        .problems_path = in->values.problems,
        .others_path = in->values.others,
    };
    static const char *const parts[] = {"hits", "ngrams", "shingles", "features", NULL};
    size_t part = MINE_PART_NONE;
    AT_END(study_clear) struct study study = {0};
    enum status status = option_choice(in, &in->values.part, parts, &part, e);

    how.part = (enum mine_part)part;
    how.features = &screen_post_counter;
    if (status == ST_OK && (how.part == MINE_PART_NGRAMS) != (how.problems_path != NULL))
        status = err_set(e, ST_USAGE, "--part ngrams and --problems FILE go together");
    THEN(status, study_load_sheets(&study, in->values.study, rows_as_csv, e));
    if (how.counts_path == NULL)
        invocation_confine(NULL, 0, false);
    return status == ST_OK ? mine_stream(&study, &how, stdout, e) : status;
}

/* An option that would do nothing is a misunderstanding. */
static enum status check_options(const struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    const void *const of_stdin[] = {&o->study, &o->strict, &o->posts_flag, &o->of,       &o->site,  &o->piece_at,
                                    &o->bytes, &o->counts, &o->part,       &o->problems, &o->others};
    const void *const of_database[] = {&o->limit, &in->values.format, &o->replace};
    const char *misplaced = o->from_stdin ? option_first(in, of_database, ARRAY_LEN(of_database))
                                          : option_first(in, of_stdin, ARRAY_LEN(of_stdin));

    if (o->from_stdin)
        return misplaced == NULL
                   ? ST_OK
                   : err_set(e, ST_USAGE,
                             "--%s is for the candidates of a database; --stdin prints each post with a hit",
                             misplaced);
    if (o->replace && o->keywords == NULL)
        return err_set(e, ST_USAGE, "--replace needs --keywords FILE");
    if (o->threads > 0 && tries(in))
        return err_set(e, ST_USAGE,
                       "--threads is for --stdin and for a match that writes; --keywords needs --replace for that");
    if (misplaced == NULL)
        return ST_OK;
    return err_set(e, ST_USAGE, "--%s needs --stdin%s", misplaced,
                   o->study != NULL ? "; a database has its study in it" : "");
}

static enum status run_match(struct invocation *in, struct err *e)
{
    struct mine_how how = {
        .keywords_path = in->values.keywords,
        .match = in->values.verbatim ? MATCH_VERBATIM : MATCH_STEMMED,
        .text = in->values.include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN,
        .threads = (unsigned)in->values.threads,
    };
    enum status status = check_options(in, e);

    if (status != ST_OK)
        return status;
    if (in->values.from_stdin)
        return match_stdin(in, &how, e);
    AT_END(mine_trial_clear) struct mine_trial trial = {.before = {0}};
    status = invocation_open_db(in, tries(in) ? DB_READ : DB_WRITE, e);
    signals_catch();
    /* What becomes of the posts that are judged is known only before the candidates are replaced. */
    if (status == ST_OK && (tries(in) || in->values.replace))
        status = mine_try(in->db, &how, &trial, e);
    if (status == ST_OK && tries(in)) {
        mine_trial_print(&trial, output_limit(in), &in->out);
        return ST_OK;
    }
    struct mine_counts n;
    THEN(status, mine_database(in->db, &how, &n, e));
    if (status != ST_OK)
        return status;
    log_info("%s: %" PRId64 " posts, %" PRId64 " hits, %" PRId64 " candidates", in->db_path, n.posts, n.hits,
             n.candidates);
    if (n.other_hits > 0)
        log_info("hits in posts that are not candidates of this study, such as answers: %" PRId64, n.other_hits);
    if (n.n_given_up > 0)
        log_warn("%zu searches of patterns of hints.csv took too many steps and were given up; -v tells which",
                 n.n_given_up);
    if (in->values.replace)
        mine_trial_say(&trial);
    return print_candidates(in, e);
}

const struct command command_match = {
    .name = "match",
    .summary = "Find the posts that contain keywords",
    .options = OPTIONS(
        FLAG("stdin", from_stdin, "match dump rows or NDJSON posts from standard input"),
        FLAG("verbatim", verbatim, "compare keywords as printed, without stemming them"),
        FLAG("include-code", include_code, "match the text inside <pre> too"),
        TEXT("keywords", keywords, "FILE", "try the keywords of FILE: compare, and write nothing", 'k'),
        FLAG("replace", replace, "with --keywords: write the candidates of FILE, in place of earlier ones"),
        TEXT("study", study, "DIR", "with --stdin: folder of the study (default: the built-in study)"),
        NUMBER("threads", threads, "N", 1, 64, 0, "match with N threads (default: one for each processor)"),
        FLAG("strict", strict, "with --stdin: treat a post that cannot be used as an error"),
        FLAG("posts", posts_flag, "with --stdin: print whole posts, for load --ndjson"),
        TEXT("of", of, "FILE", "with --stdin: print the questions in FILE and their answers, hit or not"),
        TEXT("site", site, "NAME", "with --stdin: posts that name no site are of NAME"),
        NUMBER("piece-at", piece_at, "BYTE", 0, INT64_MAX, 0,
               "with --stdin: the input is the piece of a file that begins at BYTE"),
        NUMBER("bytes", bytes, "N", 0, INT64_MAX, UINT64_MAX,
               "with --stdin: read at most N bytes, of input that is not compressed"),
        TEXT("counts", counts, "FILE", "with --stdin: write the numbers of rows, posts and hits to FILE, as JSON"),
        TEXT("part", part, "WHAT",
             "with --stdin: print hits (default), or what ppmine-spark adds up: ngrams, shingles or features"),
        TEXT("problems", problems, "FILE", "with --part ngrams: as of keywords derive"),
        TEXT("others", others, "FILE", "with --part ngrams: as of keywords derive"),
        NUMBER("limit", limit, "N", 0, INT64_MAX, 20, "print N candidates; 0: all (default: 20 as text, else all)",
               'n'),
        OUTPUT_OPTIONS),
    .description = "Computes the hits (keyword, field, position), the candidates and the full-text index of\n"
                   "the database, in place of earlier ones. Prints the candidates, those with most hits first.\n\n"
                   "--keywords FILE tries another set of keywords. It writes nothing, and prints which\n"
                   "candidates would be gained and lost, in total and for each keyword, and how many of them\n"
                   "were judged to be problems. With --stdin or --replace the set of FILE is used.\n\n"
                   "With --stdin no database is used. The input is Posts.xml of a data dump, a piece of it, or\n"
                   "posts as NDJSON (see docs/posts.md). Each post with a hit is printed as\n"
                   "{\"id\":4,\"hits\":[{\"keyword\":\"run slow\",\"field\":\"title\",\"start\":3,\"end\":15}]}.\n"
                   "Positions are bytes in the field's text. Finding nothing is not an error.\n\n"
                   "--part counts what needs the posts of all pieces. Its lines can be added up by their first\n"
                   "column: ngrams with their posts, for 'keywords derive --counts', and features of screening with\n"
                   "their questions. shingles gives each question with its MinHash bands, for pairs of similar ones.",
    .examples = EXAMPLES({"ppmine match", "fill hits and candidates of ppmine.db"},
                         {"ppmine match --format csv > candidates.csv", NULL},
                         {"ppmine match --keywords other.txt", "effect of other keywords"},
                         {"ppmine match --stdin < Posts.xml", "no database: a line of JSON for each post with a hit"}),
    .needs = NEEDS_DB_PATH,
    .run = run_match,
};
