/* derive: the n-grams of two lists of posts of a database. */
#include "match/corpus/derived.h"
#include "label/facet_table.h"
#include "db/posts.h"
#include "db/study.h"
#include "match/corpus/mine.h"
#include "label/post_ids.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"

#include <inttypes.h>

struct deriving {
    struct derivation *derivation;
    struct post_ids problems, others;
    bool all_others;               /* every held question that is not a problem */
    struct post_ids outside;       /* wanted 0: not given */
    struct post_judgements judged; /* those of `outside` */
    size_t n_problems;             /* that --problems lists; behind them are those of `outside` */
    struct id_set held;            /* listed posts that the database has */
    struct id_set without;         /* a keyword: the questions that are not candidates */
    struct mine_missed *missed;
    struct table_list *report;
    int64_t unfit; /* a post of `outside` that is a candidate or no question; 0: there is none */
    enum text_options text;
    bool problem_pass;
    struct buf title, body;
};

/* --- counting --- */

static bool is_wanted(struct deriving *d, const struct post *post)
{
    bool problem = post_ids_have(&d->problems, post->post_id);

    if (d->outside.wanted > 0 && !post_ids_have(&d->outside, post->post_id))
        return false;
    if (d->problem_pass)
        return problem;
    if (problem)
        return false;
    if (d->outside.wanted > 0)
        return true;
    return d->all_others ? post->type == POST_QUESTION : post_ids_have(&d->others, post->post_id);
}

static enum status count_post(void *ctx, const struct post *post, struct err *e)
{
    struct deriving *d = ctx;

    (void)e;
    if (d->problem_pass && (d->outside.wanted == 0 || post->type == POST_QUESTION) &&
        (post_ids_have(&d->problems, post->post_id) || post_ids_have(&d->others, post->post_id) ||
         post_ids_have(&d->outside, post->post_id)))
        id_set_add(&d->held, post->post_id, NULL);
    if (d->problem_pass && d->outside.wanted > 0) {
        /* What the list of judged posts says of the keywords. */
        bool listed = post_ids_have(&d->outside, post->post_id);
        bool problem = post_ids_have(&d->problems, post->post_id);
        bool outside = id_set_has(&d->without, post->post_id);
        if (listed && !outside)
            d->unfit = post->post_id;
        d->missed->found += post->type == POST_QUESTION && !outside && problem;
        d->missed->without += outside;
        d->missed->drawn += outside && listed;
        d->missed->missed += outside && listed && problem;
    }
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

/* What became of each post of a list. */
static void account(struct deriving *d, struct post_ids *list, size_t n)
{
    uint64_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t id = list->ids.at[i].key;
        const char *why = NULL;
        if (!id_set_has(&d->held, id))
            why = d->outside.wanted > 0 ? "no question in the database" : "not in the database";
        else if (list == &d->others && post_ids_have(&d->problems, id))
            why = "a problem, as the other list says";
        else if (list == &d->problems && id_set_has(&d->without, id) && !post_ids_have(&d->outside, id))
            why = "without a keyword, and not in the sample";
        if (why != NULL)
            refused_leave(&list->left, REFUSED_NO_BYTE, id, why);
        kept += why == NULL;
    }
    refused_account(&list->left, "ids", kept);
    table_list_account(d->report, &list->left, "ids", kept);
}

static enum status count_posts(struct deriving *d, struct db *db, const struct mine_derive_how *how, struct err *e)
{
    d->problem_pass = true;
    enum status status = db_post_each_text(db, count_post, d, e);
    d->problem_pass = false;
    THEN(status, db_post_each_text(db, count_post, d, e));
    if (status != ST_OK)
        return status;
    account(d, &d->problems, d->n_problems);
    if (how->others != NULL)
        account(d, &d->others, d->others.ids.n);
    if (how->outside != NULL) {
        account(d, &d->outside, d->outside.ids.n);
        if (d->unfit != 0)
            return err_set(e, ST_INPUT,
                           "%s: post %" PRId64 " is a candidate or no question; the list is of questions in"
                           " which no keyword was found",
                           how->outside, d->unfit);
        if (d->missed->drawn == 0)
            return err_set(e, ST_INPUT, "%s: none of its posts is in the database", how->outside);
        return ST_OK;
    }
    if (d->problems.found > 0 && d->others.found > 0)
        return ST_OK;
    return d->problems.found == 0 || how->others != NULL
               ? err_set(e, ST_INPUT, "%s: none of its posts can be used (see above)",
                         d->problems.found == 0 ? how->problems : how->others)
               : err_set(e, ST_INPUT, "the database contains no question that %s does not list", how->problems);
}

static void add_without(void *ctx, const struct db_item *item)
{
    id_set_add(ctx, item->post_id, NULL);
}

static enum status MUST_USE read_outside(struct deriving *d, struct db *db, const struct mine_derive_how *how,
                                         struct err *e)
{
    const struct facets *facets;
    AT_END(buf_clear) struct buf column = {0};
    enum status status = db_facets(db, &facets, e);

    if (status == ST_OK) {
        facet_column(&facets->items[FACET_JUDGES], 0, &column);
        status = post_ids_read_judged(&d->outside, &d->judged, buf_cstr(&column), how->outside, how->encoding, e);
    }
    if (status != ST_OK)
        return status;
    /* Problems of the sample are problems, whether or not the list of problems has them. */
    const struct post_judgements *j = &d->judged;
    for (size_t i = 0; i < j->problems.ids.n; i++)
        d->problems.wanted += id_set_add(&d->problems.ids, j->problems.ids.at[i].key, NULL);
    for (size_t i = 0; i < j->others.ids.n; i++)
        if (post_ids_have(&d->problems, j->others.ids.at[i].key))
            return err_set(e, ST_INPUT, "%s: post %" PRId64 " is not a problem here, but %s lists it", how->outside,
                           j->others.ids.at[i].key, how->problems);
    if (j->open_between)
        log_warn("%s: rows without a judgement, which are left out, some of them before judged ones: %" PRIu64
                 "; the rest is a random sample only if these were not chosen",
                 how->outside, j->n_open);
    status = db_require_matched(db, e);
    return status == ST_OK ? db_population_each(db, DB_OUTSIDE, add_without, &d->without, e) : status;
}

enum status mine_derive(struct db *db, const struct mine_derive_how *how, struct derivation **out,
                        struct mine_missed *missed, struct err *e)
{
    struct deriving d = {.all_others = how->others == NULL, .missed = missed, .report = how->report};
    enum status status = post_ids_read(&d.problems, how->problems, how->encoding, e);

    d.n_problems = d.problems.ids.n;
    if (status == ST_OK && how->others != NULL)
        status = post_ids_read(&d.others, how->others, how->encoding, e);
    if (status == ST_OK && how->outside != NULL)
        status = read_outside(&d, db, how, e);
    *missed = (struct mine_missed){0};
    if (status == ST_OK) {
        AT_END(study_clear) struct study study;
        status = db_study_load(&study, db, e);
        if (status == ST_OK) {
            d.text = study.include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN;
            status = derivation_new(&d.derivation, study.stemmer, e);
        }
    }
    THEN(status, count_posts(&d, db, how, e));
    *out = d.derivation;
    post_ids_clear(&d.problems);
    post_ids_clear(&d.others);
    post_ids_clear(&d.outside);
    post_judgements_clear(&d.judged);
    id_set_clear(&d.without);
    id_set_clear(&d.held);
    buf_clear(&d.title);
    buf_clear(&d.body);
    return status;
}

/* --- counts of parts --- */

enum status mine_derive_counts(const char *path, struct derivation **out, struct err *e)
{
    enum { COUNTS_MAX = INT32_MAX };
    AT_END(buf_clear) struct buf content = {0};
    enum status status = derivation_new(out, SPAN("nltk"), e);

    THEN(status, file_read(path, COUNTS_MAX, &content, e));
    if (status != ST_OK)
        return status;
    struct span rest = buf_span(&content);
    struct span line;
    for (size_t n = 1; span_cut(&rest, '\n', &line); n++)
        if (line.len > 0 && !derivation_read(*out, line))
            return err_set(e, ST_INPUT, "%s:%zu: expected an n-gram and four counts, with tabs between them", path, n);
    if (derivation_posts(*out, true) == 0 || derivation_posts(*out, false) == 0)
        return err_set(e, ST_INPUT, "%s: it counts no %s posts", path,
                       derivation_posts(*out, true) == 0 ? "problem" : "other");
    return ST_OK;
}
