/* keywords derive: n-grams that set problem posts apart, to choose keywords from. */
#include "cli/command.h"
#include "cli/table.h"
#include "db/posts.h"
#include "db/study.h"
#include "mine/study_set.h"

#include <inttypes.h>

struct deriving {
    struct derivation *derivation;
    struct post_ids {
        struct bitset ids;
        uint64_t wanted, found;
    } problems, others;
    bool all_others; /* every held question that is no problem */
    enum text_options text;
    bool problem_pass;
    struct buf title, body;
};

/* --- lists of ids --- */

/* A line is an id; "65160023_1" is the problem _1 of that post; other columns and '#' comments may
 * follow. */
static bool read_id(struct span line, uint64_t *id)
{
    size_t len = 0;

    while (len < line.len && line.ptr[len] >= '0' && line.ptr[len] <= '9')
        len++;
    if (len < line.len && strchr("_,;\t #", line.ptr[len]) == NULL)
        return false;
    return span_u64((struct span){line.ptr, len}, POST_ID_MAX, id) && *id > 0;
}

static enum status read_ids(struct post_ids *list, const char *path, struct err *e)
{
    struct buf content = {0};
    struct span rest, line;
    uint64_t id;
    enum status status = file_read(path, STUDY_FILE_MAX, &content, e);

    rest = buf_span(&content);
    if (span_starts(rest, SPAN("\xef\xbb\xbf")))
        rest = (struct span){rest.ptr + 3, rest.len - 3};
    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (!read_id(line, &id))
            status = err_set(e, ST_INPUT, "%s:%zu: expected a post id at the start of the line",
                             path, n);
        else if (!bitset_has(&list->ids, (uint32_t)id)) {
            bitset_add(&list->ids, (uint32_t)id);
            list->wanted++;
        }
    }
    if (status == ST_OK && list->wanted == 0)
        status = err_set(e, ST_INPUT, "%s: no post id in it", path);
    buf_clear(&content);
    return status;
}

/* --- counting --- */

static bool is_wanted(struct deriving *d, const struct post *post)
{
    bool problem = bitset_has(&d->problems.ids, (uint32_t)post->post_id);

    if (d->problem_pass)
        return problem;
    if (problem)
        return false;
    return d->all_others ? post->type == POST_QUESTION
                         : bitset_has(&d->others.ids, (uint32_t)post->post_id);
}

static enum status count_post(void *ctx, const struct post *post, struct err *e)
{
    struct deriving *d = ctx;

    (void)e;
    if (!is_wanted(d, post))
        return ST_OK;
    buf_reset(&d->title);
    buf_reset(&d->body);
    text_from_title(&d->title, post->title);
    text_from_html(&d->body, post->body_html, d->text);
    struct span texts[] = {buf_span(&d->title), buf_span(&d->body)};
    derivation_add(d->derivation, texts, ARRAY_LEN(texts), d->problem_pass);
    if (d->problem_pass)
        d->problems.found++;
    else
        d->others.found++;
    return ST_OK;
}

static void say_missing(const struct post_ids *list, const char *path)
{
    if (list->found < list->wanted)
        log_warn("%s: %" PRIu64 " of %" PRIu64 " posts are not in the database", path,
                 list->wanted - list->found, list->wanted);
}

static enum status count_posts(struct deriving *d, struct invocation *in, struct err *e)
{
    d->problem_pass = true;
    enum status status = db_post_each_text(in->db, count_post, d, e);
    d->problem_pass = false;
    if (status == ST_OK)
        status = db_post_each_text(in->db, count_post, d, e);
    if (status != ST_OK)
        return status;
    say_missing(&d->problems, option_text(in, "problems", ""));
    if (!d->all_others)
        say_missing(&d->others, option_text(in, "others", ""));
    if (d->problems.found == 0 || d->others.found == 0)
        return err_set(e, ST_INPUT, "the database holds none of the %s posts; load or fetch them "
                                    "first", d->problems.found == 0 ? "problem" : "other");
    return ST_OK;
}

/* --- printing --- */

static void print_ngrams(const struct deriving *d, size_t n, uint64_t min_posts, size_t order,
                         size_t format, uint64_t top)
{
    static const struct table_column columns[] = {
        {"ngram", false, 0},      {"n", true, 0},      {"problems", true, 0},
        {"others", true, 0},      {"occurrences", true, 0}, {"tf_idf", true, 0},
        {"log_likelihood", true, 0},
    };
    struct derived_ngram *ngrams;
    struct table t;
    size_t count = derivation_rank(d->derivation, n, min_posts, (enum derivation_order)order,
                                   &ngrams);

    table_init(&t, columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < count && (top == 0 || i < top); i++) {
        const struct derived_ngram *g = &ngrams[i];
        table_add(&t, g->ngram);
        table_add_int(&t, (int64_t)g->n);
        table_add_int(&t, (int64_t)g->problems);
        table_add_int(&t, (int64_t)g->others);
        table_add_int(&t, (int64_t)g->occurrences);
        table_add_real(&t, g->tf_idf, 4);
        table_add_real(&t, g->log_likelihood, 4);
    }
    table_print(&t, (enum table_format)format, SIZE_MAX, stdout);
    table_clear(&t);
    mem_free(ngrams);
}

static void deriving_clear(struct deriving *d)
{
    derivation_free(d->derivation);
    bitset_clear(&d->problems.ids);
    bitset_clear(&d->others.ids);
    buf_clear(&d->title);
    buf_clear(&d->body);
}

static enum status read_lists(struct deriving *d, struct invocation *in, struct err *e)
{
    const char *problems = option_text(in, "problems", NULL);
    const char *others = option_text(in, "others", NULL);

    if (problems == NULL)
        return err_set(e, ST_USAGE, "name the problem posts with --problems FILE, an id on each "
                                    "line");
    d->all_others = others == NULL;
    enum status status = read_ids(&d->problems, problems, e);
    if (status == ST_OK && others != NULL)
        status = read_ids(&d->others, others, e);
    return status;
}

static enum status begin(struct deriving *d, struct invocation *in, struct err *e)
{
    struct study study;
    enum status status = db_study_load(&study, in->db, e);

    if (status == ST_OK) {
        d->text = study.include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN;
        status = derivation_new(&d->derivation, study.stemmer, e);
    }
    study_clear(&study);
    return status;
}

static enum status run_derive(struct invocation *in, struct err *e)
{
    static const char *const orders[] = {"tfidf", "llr", "df", NULL};
    struct deriving d = {0};
    size_t format = TABLE_TEXT, order = BY_TF_IDF;
    uint64_t n = 0, top = 50, min_posts = 2;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    if (status == ST_OK)
        status = option_choice(in, "sort", orders, &order, e);
    if (status == ST_OK)
        status = option_number(in, "n", 1, 2, &n, e);
    if (status == ST_OK)
        status = option_number(in, "top", 0, INT64_MAX, &top, e);
    if (status == ST_OK)
        status = option_number(in, "min-posts", 1, INT64_MAX, &min_posts, e);
    if (status == ST_OK)
        status = read_lists(&d, in, e);
    if (status == ST_OK)
        status = begin(&d, in, e);
    if (status == ST_OK)
        status = count_posts(&d, in, e);
    if (status == ST_OK)
        print_ngrams(&d, n, min_posts, order, format, top);
    deriving_clear(&d);
    return status;
}

static const struct option_spec options[] = {
    {"problems", 'p', "FILE", "ids of problem posts, one on each line"},
    {"others", 'o', "FILE", "ids of other posts (default: every other question held)"},
    {"n", '\0', "N", "only n-grams of N words, 1 or 2"},
    {"top", '\0', "N", "how many to print; 0: all (default: 50)"},
    {"min-posts", '\0', "N", "only those that N problem posts hold (default: 2)"},
    {"sort", '\0', "BY", "tfidf, llr (log-likelihood) or df (problem posts)"},
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
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
        "Counts the stemmed 1- and 2-grams of two lists of posts in the database and ranks them by\n"
        "TF-IDF, by log-likelihood ratio, or by document frequency. The published keyword set was\n"
        "made so: 2-grams of high TF-IDF in posts judged to be problems, then chosen by hand.",
    .examples = examples,
    .needs = NEEDS_DB_READ,
    .run = run_derive,
};
