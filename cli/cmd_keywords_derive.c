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

static enum status run_derive(struct invocation *in, struct err *e)
{
    static const char *const orders[] = {"tfidf", "llr", "df", NULL};
    struct mine_derive_how how = {option_text(in, "problems", NULL),
                                  option_text(in, "others", NULL)};
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
    if (status == ST_OK && how.problems == NULL)
        return err_set(e, ST_USAGE, "name the problem posts with --problems FILE, an id on each "
                                    "line");
    if (status == ST_OK)
        status = mine_derive(in->db, &how, &derivation, e);
    if (status == ST_OK)
        print_ngrams(derivation, n, min_posts, order, top, &out);
    derivation_free(derivation);
    return status;
}

static const struct option_spec options[] = {
    {"problems", 'p', "FILE", "ids of posts that report a problem, one on each line (required)"},
    {"others", 'o', "FILE", "ids of posts to compare with (default: every other question)"},
    {"n", '\0', "N", "rank n-grams of N words only, 1 or 2"},
    {"top", '\0', "N", "print N n-grams; 0: all (default: 50)"},
    {"min-posts", '\0', "N", "rank n-grams that occur in at least N problem posts (default: 2)"},
    {"sort", '\0', "BY", "order by tfidf, llr (log-likelihood ratio) or df (problem posts)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine keywords derive --problems yes.txt --others no.txt --n 2", NULL},
    {NULL, NULL},
};

const struct command command_keywords_derive = {
    .name = "keywords derive",
    .summary = "Rank n-grams that set problem posts apart",
    .options = options,
    .description =
        "Counts the stemmed 1-grams and 2-grams of two lists of posts in the database, and ranks\n"
        "them by TF-IDF, log-likelihood ratio or document frequency. The published keywords were\n"
        "derived so: 2-grams with a high TF-IDF in posts judged to be problems, then chosen by\n"
        "hand.",
    .examples = examples,
    .nothing = "no n-gram was found",
    .needs = NEEDS_DB_READ,
    .run = run_derive,
};
