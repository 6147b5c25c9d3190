/* sample: a random sample of candidates, questions or problems, that anybody can draw again. */
#include "base/stat/stat.h"
#include "cli/command.h"
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "db/study.h"
#include "label/label.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/refused.h"

#include <inttypes.h>
#include <math.h>

static const char *const populations[] = {"candidates", "questions", "problems", "outside", NULL};
static const char *const nouns[] = {"candidates", "questions", "problems", "questions outside of the candidates"};

enum stratify { BY_NOTHING, BY_TAG, BY_YEAR };

static const char *const stratify_words[] = {"", "tag", "year", NULL};

struct item {
    struct span item_id, created_at, url;
    int64_t post_id;
    uint64_t stratum_key; /* a year, or the place of a tag in study.ini */
};

enum { CODERS_MAX = 64 };

struct sampling {
    enum db_population population;
    enum stratify by;
    uint64_t n; /* 0: from confidence and margin */
    double confidence, margin;
    uint64_t seed;
    struct study study;
    struct id_list excluded;
    size_t n_excluded;
    bool *used; /* of each id of `excluded` */
    struct refused left;
    struct table_list report; /* of what was read */
    struct ARRAY_OF(struct item) items;
    struct span *strata; /* names */
    uint64_t *sizes;
    uint32_t *stratum; /* of each item */
    size_t n_strata;
    struct span coders[CODERS_MAX]; /* to whom the sample is assigned */
    size_t n_coders;                /* 0: to nobody */
    double overlap;                 /* the share that all of them code */
    struct arena arena;
};

/* --- the population --- */

enum { UNKNOWN_YEAR = 10000 }; /* behind all years */

/* The first tag pattern of the study that any tag of the post fits, so that a post is in one. */
static uint64_t tag_of(const struct study *study, struct span tags)
{
    size_t first = study->n_tags;
    struct span tag;

    while (span_cut(&tags, ' ', &tag)) {
        size_t place = study_tag_place(study, tag);
        first = place < first ? place : first;
    }
    return first;
}

static void add_item(void *ctx, const struct db_item *item)
{
    struct sampling *s = ctx;
    char post_id[POST_ID_TEXT_SIZE];
    /* Of a problem, its post's id leaves it out too. */
    size_t own = id_list_find(&s->excluded, item->item_id);
    size_t of_post = id_list_find(&s->excluded, span_of(post_id_text(item->post_id, post_id)));

    if (own != SIZE_MAX || of_post != SIZE_MAX) {
        if (own != SIZE_MAX)
            s->used[own] = true;
        if (of_post != SIZE_MAX)
            s->used[of_post] = true;
        s->n_excluded++;
        refused_leave(&s->left, REFUSED_NO_BYTE, item->post_id, "listed by --exclude");
        return;
    }
    struct span year = {item->created_at.ptr, 4};
    struct item kept = {.item_id = arena_copy(&s->arena, item->item_id),
                        .url = arena_copy(&s->arena, item->url),
                        .post_id = item->post_id};
    if (s->by == BY_TAG)
        kept.stratum_key = tag_of(&s->study, item->tags);
    else if (s->by == BY_YEAR &&
             (item->created_at.len < year.len || !span_u64(year, UNKNOWN_YEAR - 1, &kept.stratum_key)))
        kept.stratum_key = UNKNOWN_YEAR;
    if (item->created_at.ptr != NULL)
        kept.created_at = arena_copy(&s->arena, item->created_at);
    array_add(&s->items, kept);
}

/* --- strata --- */

static struct span stratum_name(struct sampling *s, uint64_t key)
{
    char year[24];

    if (s->by == BY_NOTHING)
        return (struct span){0};
    if (s->by == BY_TAG)
        return key < s->study.n_tags ? s->study.tags[key] : SPAN("other");
    if (key == UNKNOWN_YEAR)
        return SPAN("unknown");
    snprintf(year, sizeof year, "%04" PRIu64, key);
    return arena_copy(&s->arena, span_of(year));
}

/* Strata that have items, in the order of their keys, which are small numbers. */
static void make_strata(struct sampling *s)
{
    uint64_t most = 0;

    for (size_t i = 0; i < s->items.n; i++)
        most = s->items.at[i].stratum_key > most ? s->items.at[i].stratum_key : most;
    uint64_t *sizes = mem_zero((size_t)most + 1, sizeof *sizes);
    AT_END(mem_end) uint32_t *places = mem_zero((size_t)most + 1, sizeof *places);
    for (size_t i = 0; i < s->items.n; i++)
        sizes[s->items.at[i].stratum_key]++;
    s->sizes = mem_zero((size_t)most + 1, sizeof *s->sizes);
    s->strata = mem_zero((size_t)most + 1, sizeof *s->strata);
    for (uint64_t key = 0; key <= most; key++) {
        if (sizes[key] == 0)
            continue;
        places[key] = (uint32_t)s->n_strata;
        s->strata[s->n_strata] = stratum_name(s, key);
        s->sizes[s->n_strata++] = sizes[key];
    }
    s->stratum = mem_zero(s->items.n + 1, sizeof *s->stratum);
    for (size_t i = 0; i < s->items.n; i++)
        s->stratum[i] = places[s->items.at[i].stratum_key];
    mem_free(sizes);
}

/* --- how many --- */

static enum status MUST_USE read_options(const struct invocation *in, struct sampling *s, struct err *e)
{
    bool by_margin = in->values.confidence != NULL || in->values.margin != NULL;
    size_t population = DB_CANDIDATES, by = BY_NOTHING;
    enum status status = option_choice(in, &in->values.of, populations, &population, e);

    THEN(status, option_choice(in, &in->values.stratify, stratify_words + 1, &by, e));
    THEN(status, option_percent(in, &in->values.confidence, 50, 99.99, &s->confidence, e));
    THEN(status, option_percent(in, &in->values.margin, 0.1, 50, &s->margin, e));
    if (status == ST_OK && by_margin == (s->n > 0))
        status = err_set(e, ST_USAGE, "sample: say how many with --n, or how exactly with --confidence and --margin%s",
                         by_margin ? "; not both" : "");
    s->population = (enum db_population)population;
    s->by = in->values.stratify != NULL ? (enum stratify)(by + 1) : BY_NOTHING;
    if (status == ST_OK && s->population == DB_OUTSIDE && s->by != BY_NOTHING)
        status = err_set(e, ST_USAGE,
                         "sample: --of outside draws every question with the same chance, as recall needs it;"
                         " leave out --stratify");
    return status;
}

/* --assign ann,bob */
static enum status MUST_USE read_coders(const struct invocation *in, struct sampling *s, struct err *e)
{
    struct span names = span_of(option_or(in->values.assign, "")), name;
    AT_END(buf_clear) struct buf coder = {0};
    struct err why = {0};
    enum status status = ST_OK;

    while (status == ST_OK && span_cut(&names, ',', &name)) {
        buf_reset(&coder);
        status = coder_name_check(span_trim(name), &coder, &why);
        bool bad = status == ST_OK && (memchr(coder.ptr, ';', coder.len) != NULL || s->n_coders == CODERS_MAX ||
                                       span_eq(buf_span(&coder), SPAN("merged")));
        for (size_t i = 0; i < s->n_coders && status == ST_OK; i++)
            bad |= span_eq(s->coders[i], buf_span(&coder));
        if (status != ST_OK || bad)
            status = err_set(e, ST_USAGE,
                             "sample: --assign '%s': expected the names of coders, at most %d, each once,"
                             " without ';' and not 'merged'%s%s",
                             in->values.assign, CODERS_MAX, bad ? "" : "; a name ", bad ? "" : why.text);
        else
            s->coders[s->n_coders++] = arena_copy(&s->arena, buf_span(&coder));
    }
    THEN(status, refuse(e, {s->n_coders == 1, "sample: --assign needs two names or more: ann,bob"},
                        {s->n_coders > 0 && s->population == DB_OUTSIDE,
                         "sample: --of outside makes a sheet that is judged itself; leave out --assign"},
                        {in->values.overlap != NULL && s->n_coders == 0, "sample: --overlap needs --assign"}));
    THEN(status, option_percent(in, &in->values.overlap, 0, 100, &s->overlap, e));
    const char *text = in->values.overlap;
    if (status == ST_OK && text != NULL && s->overlap > 0 && s->overlap < 0.01 && strchr(text, '%') == NULL)
        status = err_set(e, ST_USAGE, "sample: --overlap '%s' is less than 1 %%: a fifth is 20; or write '%s%%'", text,
                         text);
    return status;
}

static enum status MUST_USE settle_n(struct sampling *s, struct err *e)
{
    const char *what = nouns[s->population];

    if (s->n > s->items.n)
        return err_set(e, ST_INPUT,
                       "sample: --n %" PRIu64 ", but there are only %zu %s%s; give a smaller --n, or take all of them",
                       s->n, s->items.n, what, s->n_excluded > 0 ? " that are not excluded" : "");
    if (s->n > 0)
        return ST_OK;
    enum statistic_reason reason = sample_size(s->confidence, s->margin, s->items.n, &s->n);
    if (reason != STATISTIC_OK)
        return err_set(e, ST_INPUT, "sample: no number of %s: %s", what, statistic_words(reason));
    double z = normal_quantile(0.5 + s->confidence / 2), n0 = z * z / (4 * s->margin * s->margin);
    log_info("n = %" PRIu64 " of N = %zu %s, for %g %% confidence and a margin of %g %%: n0 = z^2/(4 margin^2) = %.2f"
             " with z = %.4f, n = n0/(1 + (n0 - 1)/N), rounded up (Cochran, Sampling Techniques, 1977)",
             s->n, s->items.n, what, 100 * s->confidence, 100 * s->margin, n0, z);
    return ST_OK;
}

/* --- the sample --- */

/* Who codes the nth drawn post, from 0. Posts of all coders are spread evenly, so that an early stop has its share too;
 * the others are dealt in turn. */
static void assign(struct table *t, const struct sampling *s, size_t nth, size_t *of)
{
    const double half = 0.5 + 1e-9; /* as shares such as 0.2 are not sums of powers of two */
    double before = floor((double)nth * s->overlap + half), after = floor((double)(nth + 1) * s->overlap + half);
    bool all = after > before;
    size_t turn = (nth - (size_t)before) % s->n_coders;
    AT_END(buf_clear) struct buf names = {0};

    for (size_t i = 0; i < s->n_coders; i++) {
        if (!all && i != turn)
            continue;
        buf_add_text(&names, names.len > 0 ? ";" : "");
        buf_add_span(&names, s->coders[i]);
        of[i]++;
    }
    of[s->n_coders] += all;
    table_add_text(t, buf_span(&names));
}

static void fill_table(struct table *t, const struct sampling *s, const size_t *drawn, size_t n)
{
    size_t of[CODERS_MAX + 1] = {0};

    for (size_t i = 0; i < n; i++) {
        const struct item *item = &s->items.at[drawn[i]];
        if (s->population == DB_PROBLEMS)
            table_add_text(t, item->item_id);
        post_id_cell(t, item->post_id);
        table_add_row(t, table_text(s->population == DB_OUTSIDE ? (struct span){0} : s->strata[s->stratum[drawn[i]]]),
                      table_text(item->created_at), table_text(item->url));
        if (s->n_coders > 0)
            assign(t, s, i, of);
    }
    for (size_t i = 0; i < s->n_coders; i++)
        log_info("%.*s: %zu, %zu of them for all coders", SPAN_ARG(s->coders[i]), of[i], of[s->n_coders]);
}

struct duplicates {
    size_t n; /* of those drawn */
    int64_t last, first, first_of;
};

static void count_duplicate(void *ctx, int64_t post_id, int64_t other_id, bool is_duplicate)
{
    struct duplicates *d = ctx;

    if (is_duplicate && d->n == 0)
        *d = (struct duplicates){.first = post_id, .first_of = other_id};
    d->n += is_duplicate && d->last != post_id;
    d->last = is_duplicate ? post_id : d->last;
}

static enum status MUST_USE draw(struct invocation *in, struct sampling *s, struct table *t, struct err *e)
{
    uint64_t *shares = mem_zero(s->n_strata, sizeof *shares);
    uint64_t *numbers = mem_zero(s->items.n, sizeof *numbers);
    AT_END(mem_end) size_t *drawn = mem_zero((size_t)s->n, sizeof *drawn);
    enum statistic_reason reason = stratum_shares(s->sizes, s->n_strata, s->n, shares);
    enum status status = ST_OK;

    if (reason != STATISTIC_OK)
        status = err_set(e, ST_INPUT, "sample: no shares of strata: %s", statistic_words(reason));
    for (size_t i = 0; s->by != BY_NOTHING && status == ST_OK && i < s->n_strata; i++)
        log_info("%.*s: %" PRIu64 " of %" PRIu64, SPAN_ARG(s->strata[i]), shares[i], s->sizes[i]);
    for (size_t i = 0; i < s->items.n; i++)
        numbers[i] = draw_number(s->seed, s->items.at[i].item_id);
    if (status == ST_OK) {
        size_t n = draw_items(numbers, s->stratum, s->items.n, shares, drawn);
        fill_table(t, s, drawn, n);
        /* A problem that was asked twice counts twice. */
        struct duplicates d = {0};
        AT_END(buf_clear) struct buf first = {0};
        for (size_t i = 0; i < n && status == ST_OK; i++)
            status = db_post_link_each(in->db, s->items.at[drawn[i]].post_id, count_duplicate, &d, e);
        if (status == ST_OK && d.n > 0) {
            post_id_add(&first, d.first);
            buf_add_text(&first, " of ");
            post_id_add(&first, d.first_of);
            log_info("sample: %zu of the posts drawn were closed as duplicates (first: %s)", d.n, buf_cstr(&first));
        }
    }
    mem_free(shares);
    mem_free(numbers);
    return status;
}

/* What the ids of a file left out; those that left out nothing are said, as the file may be another one. */
static void account(struct sampling *s, const char *file)
{
    AT_END(refused_clear) struct refused idle = {.source = file};

    s->left.source = "sample";
    if (file != NULL)
        refused_account(&s->left, nouns[s->population], s->items.n);
    table_list_account(&s->report, &s->left, nouns[s->population], s->items.n);
    if (file == NULL)
        return;
    AT_END(mem_end) char *why = mem_addf("among the %s there is no such id", nouns[s->population]);
    for (size_t i = 0; i < s->excluded.n; i++) {
        int64_t post_id = 0;
        if (!s->used[i] && problem_id_read(s->excluded.ids[i], &post_id))
            refused_leave(&idle, REFUSED_NO_BYTE, post_id, why);
    }
    refused_account(&idle, "different ids", s->excluded.n - idle.n_left);
    table_list_account(&s->report, &idle, "different ids", s->excluded.n - idle.n_left);
}

static enum status MUST_USE sample(struct invocation *in, struct sampling *s, struct table *t, struct err *e)
{
    const char *exclude = in->values.exclude;
    enum status status = ST_OK;

    if (exclude != NULL)
        status = id_list_read_of(&s->excluded, exclude, (struct span){0}, e);
    s->used = mem_zero(s->excluded.n + 1, sizeof *s->used);
    THEN(status, invocation_open_db(in, DB_READ, e));
    if (status == ST_OK && s->population == DB_OUTSIDE)
        status = db_require_matched(in->db, e);
    if (status == ST_OK && s->by == BY_TAG)
        status = db_study_load(&s->study, in->db, e);
    THEN(status, db_population_each(in->db, s->population, add_item, s, e));
    if (status == ST_OK)
        account(s, exclude);
    if (status == ST_OK && s->items.n == 0) {
        log_info("there are no %s%s", nouns[s->population],
                 s->n_excluded > 0 ? " that are not excluded" : " in the database");
        return ST_NO;
    }
    THEN(status, settle_n(s, e));
    if (status != ST_OK)
        return status;
    make_strata(s);
    return draw(in, s, t, e);
}

static void clear_sampling(struct sampling *s)
{
    study_clear(&s->study);
    id_list_clear(&s->excluded);
    array_clear(&s->items);
    refused_clear(&s->left);
    table_list_clear(&s->report);
    mem_free(s->used);
    mem_free(s->strata);
    mem_free(s->sizes);
    mem_free(s->stratum);
    arena_clear(&s->arena);
}

static enum status run_sample(struct invocation *in, struct err *e)
{
    AT_END(clear_sampling)
    struct sampling s = {
        .overlap = 0.2, .confidence = 0.95, .margin = 0.05, .n = in->values.n, .seed = in->values.seed};
    struct table t;
    enum status status = read_options(in, &s, e);

    THEN(status, read_coders(in, &s, e));
    if (status != ST_OK)
        return status;
    /* A sheet of what is outside: 'keywords derive --outside' and 'label import' read what is written into the column
     * is_problem, or what the study calls it. */
    AT_END(buf_clear) struct buf name = {0};

    facet_column(&invocation_facets(in)->items[FACET_JUDGES], 0, &name);
    table_init(&t, "sample", "Sample", s.population == DB_PROBLEMS ? "problem_id; post_id int" : "post_id int");
    table_column_add(&t, s.population == DB_OUTSIDE ? buf_cstr(&name) : "stratum", NULL, TABLE_TEXT);
    table_columns(&t, "created_at; url");
    if (s.n_coders > 0)
        table_column_add(&t, "coders", NULL, TABLE_TEXT);
    status = sample(in, &s, &t, e);
    if (status == ST_OK || (status == ST_NO && in->out.format != TABLE_AS_TEXT))
        table_print_with(&t, &s.report, &in->out);
    table_clear(&t);
    return status;
}

const struct command command_sample = {
    .name = "sample",
    .summary = "Draw a random sample of candidates, questions or problems",
    .options = OPTIONS(
        NUMBER("n", n, "N", 1, STATISTIC_TOTAL_MAX, 0, "draw N", 'n'),
        TEXT("confidence", confidence, "PERCENT",
             "without --n: draw as many as an estimate with this confidence needs (default: 95)"),
        TEXT("margin", margin, "PERCENT", "and with this margin of error, plus or minus (default: 5)"),
        TEXT("of", of, "WHAT",
             "candidates (default), questions, problems or outside: questions that are not candidates"),
        TEXT("stratify", stratify, "BY", "draw in proportion from each tag or year"),
        TEXT("exclude", exclude, "FILE", "draw none of the ids that FILE lists"),
        TEXT("assign", assign, "A,B", "add a column with the coders of each post"),
        TEXT("overlap", overlap, "PERCENT", "with --assign: how many of the posts all of them code (default: 20)"),
        NUMBER("seed", seed, "N", 0, UINT64_MAX, 1, "seed of the random numbers (default: 1)"), OUTPUT_OPTIONS),
    .description = "The same seed gives the same sample on every machine, however the database was filled.\n"
                   "Rows are printed in the order in which they were drawn, so the first k rows are the sample\n"
                   "of size k (with --stratify approximately, since shares are rounded). A post with several\n"
                   "tags of the study belongs to the tag that study.ini names first.\n\n"
                   "--assign shares the posts among coders: --overlap of them are for all coders, spread evenly, and\n"
                   "the others for one each, in turn. The column coders says whose they are; `label next`, `label\n"
                   "code`, `label export --template`, `screen` and `serve` with --posts FILE give each coder their\n"
                   "own. What one coder alone coded is taken with `label resolve --single --take`.\n\n"
                   "--of outside draws from the questions in which the last match found no keyword, each with the\n"
                   "same chance. The second column is empty: write yes or no into it, from the first row on, and\n"
                   "'keywords derive --outside FILE --recall' says how many problems the keywords miss.\n\n"
                   "JSON is a report: the table `sample`, and the table `rows` of what was read, kept and left out.",
    .examples = EXAMPLES(
        {"ppmine sample --n 5 --seed 7", "five candidates"},
        {"ppmine sample --confidence 90 --margin 10 --format csv > pilot.csv", "as many as an estimate needs"},
        {"ppmine sample --n 3 --exclude pilot.csv --stratify year", "others, spread over the years"},
        {"ppmine sample --n 20 --assign ann,bob --overlap 20% --format csv > both.csv",
         "assigns posts to coders; label next --posts follows it"},
        {"ppmine sample --of outside --n 20 --format csv > outside.csv", "to judge what the keywords miss"}),
    .nothing = "there is nothing to draw from",
    .needs = NEEDS_DB_PATH,
    .run = run_sample,
};
