/* keywords derive: n-grams that set problem posts apart, to choose keywords from. */
#include "base/stat/stat.h"
#include "cli/command.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"
#include "base/log.h"

#include <inttypes.h>

static enum status MUST_USE print_ngrams(const struct invocation *in, struct derivation *derivation, size_t order,
                                         const struct table_list *report)
{
    uint64_t n = in->values.n, min_posts = in->values.min_posts, top = in->values.top;
    AT_END(mem_end) struct derived_ngram *ngrams;
    AT_END(table_clear) struct table t;
    size_t count = derivation_rank(derivation, n, min_posts, (enum derivation_order)order, &ngrams);

    table_init(&t, "ngrams", "N-grams that set problem posts apart",
               "ngram; n int; problems int; others int; occurrences int; tf_idf real.4; "
               "log_likelihood real.4");
    for (size_t i = 0; i < count && (top == 0 || i < top); i++) {
        const struct derived_ngram *g = &ngrams[i];
        table_add_row(&t, table_text(g->ngram), table_int((int64_t)g->n), table_int((int64_t)g->problems),
                      table_int((int64_t)g->others), table_int((int64_t)g->occurrences), table_real(g->tf_idf),
                      table_real(g->log_likelihood));
    }
    if (count == 0)
        log_warn("no n-gram%s is in %" PRIu64 " or more of the %" PRIu64 " problem posts%s",
                 n > 0 ? " of that length" : "", min_posts, derivation_posts(derivation, true),
                 min_posts > 1 ? "; give a smaller --min-posts" : "");
    else if (top > 0 && count > top)
        log_info("%zu n-grams; printed %" PRIu64 ", left out %" PRIu64 " after them: --top 0 prints all", count, top,
                 (uint64_t)count - top);
    table_print_with(&t, report, &in->out);
    return count > 0 ? ST_OK : ST_NO;
}

static enum status MUST_USE count(struct invocation *in, struct derivation **out, struct mine_missed *missed,
                                  struct table_list *report, struct err *e)
{
    struct mine_derive_how how = {.report = report,
                                  .problems = in->values.problems,
                                  .others = in->values.others,
                                  .outside = in->values.outside,
                                  .encoding = in->values.encoding};
    const char *counts = in->values.counts;
    enum status status = refuse(
        e,
        {counts != NULL && (how.problems != NULL || how.others != NULL || how.outside != NULL),
         "--counts has the posts counted already, without --problems, --others and --outside"},
        {how.outside != NULL && how.others != NULL, "--outside has the posts to compare with, without --others"},
        {in->values.recall_flag && how.outside == NULL,
         "--recall needs --outside FILE, a judged sample of 'sample --of outside'"},
        {counts == NULL && how.problems == NULL, "name the problem posts with --problems FILE, an id on each line"});

    if (status == ST_OK && counts != NULL)
        return mine_derive_counts(counts, out, e);
    THEN(status, invocation_open_db(in, DB_READ, e));
    return status == ST_OK ? mine_derive(in->db, &how, out, missed, e) : status;
}

static enum status run_derive(struct invocation *in, struct err *e)
{
    static const char *const orders[] = {"tfidf", "llr", "df", NULL};
    struct derivation *derivation = NULL;
    struct mine_missed missed = {0};
    struct design_share share = {0};
    AT_END(table_list_clear) struct table_list report = {0};
    size_t order = BY_TF_IDF;
    enum status status = option_choice(in, &in->values.sort, orders, &order, e);

    THEN(status, count(in, &derivation, &missed, &report, e));
    if (in->values.outside != NULL) {
        /* Candidates are read whole, the other questions by the sample. */
        const struct design_part found = {missed.found, missed.found, missed.found};
        const struct design_part without = {missed.without, missed.drawn, missed.missed};

        design_recall(&found, 1, &without, 1, 0.95, &share);
    }
    if (status == ST_OK && in->values.recall_flag) {
        AT_END(table_clear) struct table t;

        table_init(&t, "recall", "Recall of the keywords",
                   "recall share; low share; high share; problems_found int; "
                   "problems real.1 = of about; sample int; missed_in_sample int; without_keyword int");
        table_add_row(&t, table_real(share.share), table_real(share.low), table_real(share.high),
                      table_int((int64_t)missed.found), table_real(share.among), table_int((int64_t)missed.drawn),
                      table_int((int64_t)missed.missed), table_int((int64_t)missed.without));
        table_print_with(&t, &report, &in->out);
    } else if (status == ST_OK) {
        if (in->values.outside != NULL) {
            if (share.reason == STATISTIC_NO_DATA)
                log_warn("neither a candidate nor a post of the sample is a problem, so recall is not known");
            else
                log_info("the keywords find %.0f %% of the problems (95 %% interval %.0f to %.0f): %" PRIu64 " of about"
                         " %.0f; %" PRIu64 " of the %" PRIu64 " posts of the sample are problems",
                         100 * share.share, 100 * share.low, 100 * share.high, missed.found, share.among, missed.missed,
                         missed.drawn);
        }
        status = print_ngrams(in, derivation, order, &report);
    }
    derivation_free(derivation);
    return status;
}

const struct command command_keywords_derive = {
    .name = "keywords derive",
    .summary = "Rank n-grams that are typical of problem posts",
    .options = OPTIONS(
        TEXT("problems", problems, "FILE",
             "file with ids of posts that report a problem, one on each line (required without --counts)", 'p'),
        TEXT("others", others, "FILE", "file with ids of posts to compare with (default: every other question)", 'o'),
        TEXT("outside", outside, "FILE", "file of 'sample --of outside', judged: derive from what the set misses"),
        FLAG("recall", recall_flag,
             "with --outside: print the recall of the keywords, with its interval, and no n-grams"),
        ENCODING_OPTION, TEXT("counts", counts, "FILE", "rank what 'match --stdin --part ngrams' counted of pieces"),
        NUMBER("n", n, "N", 1, 2, 0, "rank n-grams of N words only, 1 or 2"),
        NUMBER("top", top, "N", 0, INT64_MAX, 50, "print N n-grams; 0: all (default: 50)"),
        NUMBER("min-posts", min_posts, "N", 1, INT64_MAX, 2,
               "rank n-grams that occur in at least N problem posts (default: 2)"),
        TEXT("sort", sort, "BY", "order by tfidf, llr (log-likelihood ratio) or df (problem posts)"), OUTPUT_OPTIONS),
    .description =
        "Counts the stemmed 1-grams and 2-grams of two lists of posts in the database, and ranks\n"
        "them by TF-IDF, log-likelihood ratio or document frequency. The published keywords were\n"
        "found in this way: by hand, among the 2-grams with a high TF-IDF in posts judged to be\n"
        "problems.\n\n"
        "With --outside the problems that the keywords of the last match miss are compared with the other\n"
        "posts of a sample, which was drawn at random from the questions without a keyword, and judged:\n"
        "'sample --of outside --format csv' draws it, and its second column gets yes or no. In a file of\n"
        "ids alone, its problems are those that --problems lists too. --problems has all problems among the\n"
        "candidates. Then recall is known: the share of the problems that the keywords find.\n\n"
        "With --counts no database is used: the file has the lines of 'match --stdin --part ngrams' of one\n"
        "or more pieces of a dump, one after the other. They are added up.\n\n"
        "JSON is a report: the n-grams or the recall, and the table `rows` of what was read of each list.",
    .examples = EXAMPLES(
        {"ppmine keywords derive --problems yes.txt --others no.txt --n 2", NULL},
        {"ppmine keywords derive --problems yes.txt --outside sample.txt", "from problems that no keyword finds"},
        {"ppmine keywords derive --problems yes.txt --outside sample.txt --recall", "how many they find"},
        {"ppmine keywords derive --counts counts.tsv", "from pieces that were counted apart"}),
    .nothing = "no n-gram was found",
    .needs = NEEDS_DB_PATH,
    .run = run_derive,
};
