/* keywords derive: n-grams that set problem posts apart, to choose keywords from. */
#include "cli/command.h"
#include "mine/mine.h"
#include "table/table.h"

#include <inttypes.h>

static void print_ngrams(struct derivation *derivation, size_t n, uint64_t min_posts, size_t order,
                         uint64_t top, const struct table_output *out)
{
    static const struct table_column columns[] = {
        {.name = "ngram"}, {.name = "n", .kind = TABLE_INT},
        {.name = "problems", .kind = TABLE_INT}, {.name = "others", .kind = TABLE_INT},
        {.name = "occurrences", .kind = TABLE_INT},
        {.name = "tf_idf", .kind = TABLE_REAL, .decimals = 4},
        {.name = "log_likelihood", .kind = TABLE_REAL, .decimals = 4},
    };
    struct derived_ngram *ngrams;
    struct table t;
    size_t count = derivation_rank(derivation, n, min_posts, (enum derivation_order)order,
                                   &ngrams);

    table_init(&t, "ngrams", "N-grams that set problem posts apart", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < count && (top == 0 || i < top); i++) {
        const struct derived_ngram *g = &ngrams[i];
        table_add_text(&t, g->ngram);
        table_add_int(&t, (int64_t)g->n);
        table_add_int(&t, (int64_t)g->problems);
        table_add_int(&t, (int64_t)g->others);
        table_add_int(&t, (int64_t)g->occurrences);
        table_add_real(&t, g->tf_idf);
        table_add_real(&t, g->log_likelihood);
    }
    table_print(&t, out);
    table_clear(&t);
    mem_free(ngrams);
}

static enum status MUST_USE count(struct invocation *in, struct derivation **out, struct err *e)
{
    struct mine_derive_how how = {option_text(in, "problems", NULL),
                                  option_text(in, "others", NULL)};
    const char *counts = option_text(in, "counts", NULL);

    if (counts != NULL && (how.problems != NULL || how.others != NULL))
        return err_set(e, ST_USAGE, "--counts has the posts counted already, without --problems and --others");
    if (counts != NULL)
        return mine_derive_counts(counts, out, e);
    if (how.problems == NULL)
        return err_set(e, ST_USAGE, "name the problem posts with --problems FILE, an id on each "
                                    "line");
    enum status status = invocation_open_db(in, DB_READ, e);
    return status == ST_OK ? mine_derive(in->db, &how, out, e) : status;
}

static enum status run_derive(struct invocation *in, struct err *e)
{
    static const char *const orders[] = {"tfidf", "llr", "df", NULL};
    struct derivation *derivation = NULL;
    size_t order = BY_TF_IDF;
    struct table_output out;
    uint64_t n = 0, top = 50, min_posts = 2;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = option_choice(in, "sort", orders, &order, e);
    if (status == ST_OK)
        status = option_number(in, "n", 1, 2, &n, e);
    if (status == ST_OK)
        status = option_number(in, "top", 0, INT64_MAX, &top, e);
    if (status == ST_OK)
        status = option_number(in, "min-posts", 1, INT64_MAX, &min_posts, e);
    if (status == ST_OK)
        status = count(in, &derivation, e);
    if (status == ST_OK)
        print_ngrams(derivation, n, min_posts, order, top, &out);
    derivation_free(derivation);
    return status;
}

static const struct option_spec options[] = {
    {"problems", 'p', "FILE",
     "file with ids of posts that report a problem, one on each line (required without --counts)"},
    {"others", 'o', "FILE",
     "file with ids of posts to compare with (default: every other question)"},
    {"counts", '\0', "FILE", "rank what 'match --stdin --part ngrams' counted of pieces"},
    {"n", '\0', "N", "rank n-grams of N words only, 1 or 2"},
    {"top", '\0', "N", "print N n-grams; 0: all (default: 50)"},
    {"min-posts", '\0', "N", "rank n-grams that occur in at least N problem posts (default: 2)"},
    {"sort", '\0', "BY", "order by tfidf, llr (log-likelihood ratio) or df (problem posts)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine keywords derive --problems yes.txt --others no.txt --n 2", NULL},
    {"ppmine keywords derive --counts counts.tsv", "of pieces that were counted apart"},
    {NULL, NULL},
};

const struct command command_keywords_derive = {
    .name = "keywords derive",
    .summary = "Rank n-grams that are typical of problem posts",
    .options = options,
    .description =
        "Counts the stemmed 1-grams and 2-grams of two lists of posts in the database, and ranks\n"
        "them by TF-IDF, log-likelihood ratio or document frequency. The published keywords were\n"
        "found in this way: by hand, among the 2-grams with a high TF-IDF in posts judged to be\n"
        "problems.\n"
        "\n"
        "With --counts no database is used: the file has the lines of 'match --stdin --part ngrams' of one\n"
        "or more pieces of a dump, one after the other. They are added up.",
    .examples = examples,
    .nothing = "no n-gram was found",
    .needs = NEEDS_DB_PATH,
    .run = run_derive,
};
