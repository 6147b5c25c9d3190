/* screen estimate: recall of the keywords and of the screening, from a random sample. */
#include "cli/screen_options.h"
#include "label/coding/disputes.h"
#include "report/report.h"
#include "base/table/table.h"
#include "base/log.h"

#include <math.h>

struct sampled {
    uint64_t number;
    struct screening_post post;
};

/* A post that has a code. */
struct coded {
    int64_t post_id;
    struct span code;
};

struct estimate {
    struct ARRAY_OF(struct sampled) posts;
    size_t n_sample;                     /* the first ones in the random order */
    struct ARRAY_OF(struct coded) codes; /* by code, then by post */
    struct arena arena;
};

static void add_post(void *ctx, const struct screening_post *post)
{
    struct estimate *e = ctx;

    array_add(&e->posts, (struct sampled){post->number, *post});
}

static int compare(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->post.post_id > y->post.post_id) - (x->post.post_id < y->post.post_id);
}

static bool is_answered(const struct screening_post *post)
{
    return post->is_read && post->answer != DB_SCREEN_UNSURE;
}

/* --- strata --- */

/* Posts that were read for another reason than the sample count as they are; the sample estimates the others. */
enum part { PART_READ_HIT, PART_READ, PART_HIT, PART_REST, PARTS };

static enum part part_of(const struct screening_post *post)
{
    bool read = is_answered(post) && post->stratum != DB_SCREEN_RANDOM;

    return read ? post->has_hit ? PART_READ_HIT : PART_READ : post->has_hit ? PART_HIT : PART_REST;
}

/* What is asked. */
enum question { SHARE, KEYWORD_RECALL, KEYWORD_PRECISION, SCREENING_RECALL, QUESTIONS };

static const struct {
    const char *id, *words;
} questions[] = {
    [SHARE] = {"share", "share of posts that are relevant"},
    [KEYWORD_RECALL] = {"keyword_recall", "recall of the keywords"},
    [KEYWORD_PRECISION] = {"keyword_precision", "precision of the keywords"},
    [SCREENING_RECALL] = {"screening_recall", "recall of the screening"},
};

/* Posts that were read, or are in the sample. */
static bool is_drawn(const struct estimate *e, size_t i)
{
    return part_of(&e->posts.at[i].post) <= PART_READ || i < e->n_sample;
}

/* The parts, and both that are samples as one. */
struct parts {
    struct design_part of[PARTS], unread;
};

static void count_parts(const struct estimate *e, struct parts *p)
{
    *p = (struct parts){.unread = {0}};
    for (size_t i = 0; i < e->posts.n; i++) {
        const struct screening_post *post = &e->posts.at[i].post;
        struct design_part *part = &p->of[part_of(post)];
        part->population++;
        part->drawn += is_drawn(e, i);
        part->seen += is_drawn(e, i) && post->answer == DB_SCREEN_YES;
    }
    const struct design_part *hit = &p->of[PART_HIT], *rest = &p->of[PART_REST];
    p->unread = (struct design_part){hit->population + rest->population, hit->drawn + rest->drawn,
                                     hit->seen + rest->seen};
}

static void ask(const struct parts *p, enum question question, double confidence, struct design_share *out)
{
    const struct design_part all[] = {p->of[PART_READ_HIT], p->of[PART_READ], p->unread};
    const struct design_part hit[] = {p->of[PART_READ_HIT], p->of[PART_HIT]};
    const struct design_part rest[] = {p->of[PART_READ], p->of[PART_REST]};

    if (question == SHARE)
        design_share(all, 3, confidence, out);
    else if (question == KEYWORD_PRECISION)
        design_share(hit, 2, confidence, out);
    else if (question == KEYWORD_RECALL)
        design_recall(hit, 2, rest, 2, confidence, out);
    else
        design_recall(all, 2, &p->unread, 1, confidence, out);
}

/* --- codes --- */

static void add_code(void *ctx, struct span code, int64_t post_id)
{
    struct estimate *e = ctx;
    struct coded *last = e->codes.n > 0 ? &e->codes.at[e->codes.n - 1] : NULL;
    bool same = last != NULL && span_eq(last->code, code);

    array_add(&e->codes, (struct coded){post_id, same ? last->code : arena_copy(&e->arena, code)});
}

static bool has_code(const struct coded *codes, size_t n, int64_t post_id)
{
    return n > 0 && bsearch(&post_id, codes, n, sizeof *codes, number_order) != NULL;
}

/* All that have any code of the facet, by post. */
static struct coded *copy_by_post(const struct estimate *e)
{
    struct coded *all = mem_zero(e->codes.n + 1, sizeof *all);

    if (e->codes.n > 0)
        memcpy(all, e->codes.at, e->codes.n * sizeof *all);
    qsort(all, e->codes.n, sizeof *all, number_order);
    return all;
}

static enum status MUST_USE read_codes(struct estimate *e, struct invocation *in, struct err *err)
{
    size_t facet = 0, uncoded = 0;
    enum status status = facet_option(in, &facet, err);

    if (status == ST_OK && facet == FACET_JUDGES)
        status = err_set(err, ST_USAGE, "screen estimate: --facet: expected a facet with codes");
    THEN(status, db_screen_code_each(in->db, invocation_facets(in)->items[facet].name, add_code, e, err));
    if (status != ST_OK)
        return status;
    AT_END(mem_end) struct coded *any = copy_by_post(e);
    for (size_t i = 0; i < e->posts.n; i++) {
        const struct screening_post *post = &e->posts.at[i].post;
        uncoded += is_answered(post) && post->answer == DB_SCREEN_YES && !has_code(any, e->codes.n, post->post_id);
    }
    if (uncoded > 0)
        log_warn("posts that were answered yes and have no code of this facet yet: %zu; the shares are"
                 " those of the coded ones",
                 uncoded);
    return ST_OK;
}

/* --- the sample --- */

/* The first posts of the random order that are answered, all of them: a sample of as many. */
static enum status MUST_USE settle_sample(struct estimate *e, const struct screen_session *s, uint64_t wanted,
                                          struct err *err)
{
    size_t answered = 0, missing = 0;

    if (wanted > e->posts.n)
        return err_set(err, ST_INPUT, "screen estimate: --sample %llu is more than the %zu posts that there are",
                       (unsigned long long)wanted, e->posts.n);
    while (answered < e->posts.n && is_answered(&e->posts.at[answered].post))
        answered++;
    e->n_sample = wanted > 0 ? (size_t)wanted : answered;
    for (size_t i = 0; i < e->n_sample; i++)
        missing += !is_answered(&e->posts.at[i].post);
    if (missing == 0 && e->n_sample >= 2)
        return ST_OK;
    log_info("%zu of the sample's %zu posts are not judged yet; to judge them: ppmine screen"
             " --coder '%.*s' --order random --seed %llu",
             e->n_sample >= 2 ? missing : 1, e->n_sample >= 2 ? e->n_sample : (size_t)1, SPAN_ARG(s->how.coder),
             (unsigned long long)s->how.seed);
    return ST_NO;
}

/* --- the command --- */

static void add_share(struct table *t, struct span id, struct span words, const struct design_share *share)
{
    table_add_row(t, table_text(id), table_text(words), table_real(share->share), table_real(share->low),
                  table_real(share->high), table_real(share->with), table_real(share->among),
                  table_text(span_of(statistic_words(share->reason))));
}

static void fill_codes(struct table *t, const struct estimate *e, double confidence)
{
    AT_END(mem_end) struct coded *any = copy_by_post(e);
    struct design_share share;

    for (size_t start = 0, end; start < e->codes.n; start = end) {
        struct span code = e->codes.at[start].code;
        for (end = start + 1; end < e->codes.n && span_eq(e->codes.at[end].code, code); end++)
            continue;
        /* The share of the posts with any code that have this one. */
        struct design_domain d = {0};

        for (size_t i = 0; i < e->posts.n; i++) {
            const struct screening_post *post = &e->posts.at[i].post;
            bool read = part_of(post) <= PART_READ, drawn = !read && is_drawn(e, i);
            bool among = has_code(any, e->codes.n, post->post_id);
            bool with = has_code(e->codes.at + start, end - start, post->post_id);
            d.known_among += read && among;
            d.known_with += read && with;
            d.population += !read;
            d.drawn += drawn;
            d.among += drawn && among;
            d.with += drawn && with;
        }
        design_domain_share(&d, confidence, &share);
        add_share(t, code, SPAN("share of the posts with a code"), &share);
    }
}

static void fill(struct table *t, const struct estimate *e, double confidence, bool codes)
{
    struct parts parts;

    table_init(t, "screen-estimate", "Estimates from a random sample",
               "id; estimate; value share; low share; high share; found real.1; of real.1; "
               "reason = no interval");
    count_parts(e, &parts);
    for (size_t i = 0; i < QUESTIONS && !codes; i++) {
        struct design_share share;
        ask(&parts, (enum question)i, confidence, &share);
        add_share(t, span_of(questions[i].id), span_of(questions[i].words), &share);
    }
    if (codes)
        fill_codes(t, e, confidence);
}

/* --- how posts came to be read, and how many others each of them is weighed as --- */

/* weight NAN: they have several. */
static void add_from(struct table *t, const char *from, const struct design_part *s, double weight,
                     const struct design_share *share)
{
    table_add_row(t, table_text(span_of(from)), table_int((int64_t)s->population), table_int((int64_t)s->drawn),
                  table_int((int64_t)s->seen), table_real(weight), table_real(share->share), table_real(share->low),
                  table_real(share->high), table_text(span_of(statistic_words(share->reason))));
}

static void fill_from(struct table *t, const struct estimate *e, double confidence)
{
    struct design_part all = {0};
    struct design_share share;
    struct parts parts;

    table_init(t, "screen-weights", "Weights of posts",
               "from; posts int; judged int; yes int; weight real.3; share share; low share; "
               "high share; reason = no interval");
    for (size_t i = 0; i < DB_SCREEN_STRATA; i++) {
        /* Of the posts that came to be read so; for random: of all posts that were not read otherwise. */
        enum db_screen_stratum from = (enum db_screen_stratum)i;
        struct design_part s = {0};

        for (size_t k = 0; k < e->posts.n; k++) {
            const struct screening_post *post = &e->posts.at[k].post;
            bool whole = part_of(post) <= PART_READ, random = from == DB_SCREEN_RANDOM;
            if (whole ? post->stratum != from : !random)
                continue;
            s.population++;
            s.drawn += is_drawn(e, k);
            s.seen += is_drawn(e, k) && post->answer == DB_SCREEN_YES;
        }
        double weight = s.drawn > 0 ? (double)s.population / (double)s.drawn : NAN;
        design_share(&s, 1, confidence, &share);
        add_from(t, db_screen_strata[i], &s, weight, &share);
        all.population += s.population;
        all.drawn += s.drawn;
        all.seen += s.seen;
    }
    count_parts(e, &parts);
    ask(&parts, SHARE, confidence, &share);
    add_from(t, "all", &all, NAN, &share);
}

/* The codes are those that are settled. */
static enum status MUST_USE add_unsettled(struct table *t, struct invocation *in, struct err *err)
{
    struct db_settled of[FACETS_MAX];
    bool wanted[FACETS_MAX] = {false};
    AT_END(buf_clear) struct buf words = {0};
    size_t facet = 0;
    enum status status = facet_option(in, &facet, err);

    THEN(status, db_settled_read(in->db, of, err));
    if (status != ST_OK)
        return status;
    wanted[facet] = true;
    report_settled_add(&words, invocation_facets(in), of, wanted, ". ");
    table_caveat(t, buf_span(&words));
    return ST_OK;
}

static enum status MUST_USE estimate(struct invocation *in, const struct screen_session *s, uint64_t wanted,
                                     const struct table_output *out, struct err *err)
{
    struct estimate e = {0};
    struct table t;

    screening_each(s->screening, add_post, &e);
    qsort(e.posts.at, e.posts.n, sizeof *e.posts.at, compare);
    enum status status = settle_sample(&e, s, wanted, err);
    bool codes = in->values.facet != NULL;
    if (status == ST_OK && codes)
        status = read_codes(&e, in, err);
    if (status == ST_OK) {
        if (in->values.from_flag)
            fill_from(&t, &e, s->how.rule.confidence);
        else
            fill(&t, &e, s->how.rule.confidence, codes);
        table_note(&t,
                   "A random sample of %zu of %zu posts; %g %% intervals, which follow exactly from what the"
                   " sample can contain; none of what was counted completely.",
                   e.n_sample, e.posts.n, 100 * s->how.rule.confidence);
        if (codes)
            status = add_unsettled(&t, in, err);
        log_info("a random sample of %zu of %zu posts; %g %% intervals", e.n_sample, e.posts.n,
                 100 * s->how.rule.confidence);
        table_print(&t, out);
        table_clear(&t);
    }
    array_clear(&e.posts);
    array_clear(&e.codes);
    arena_clear(&e.arena);
    return status;
}

static enum status run_screen_estimate(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    enum status status = ST_OK;

    if (in->values.from_flag && in->values.facet != NULL)
        status = usage_error(in, e, "--from or --facet, not both");
    THEN(status, screen_session_open(&session, in, e));
    THEN(status, estimate(in, &session, in->values.sample, &in->out, e));
    screen_session_close(&session);
    return status;
}

const struct command command_screen_estimate = {
    .name = "screen estimate",
    .summary = "Estimate what keywords and screening found, from a random sample",
    .options = OPTIONS(
        CODER_OPTION,
        NUMBER("sample", sample, "N", 2, UINT32_MAX, 0, "use the first N posts in random order (default: all judged)"),
        TEXT("facet", facet, "FACET", "estimate how common the codes of a facet are"),
        FLAG("from", from_flag, "print how posts came to be read, and the weight of each"), SCREEN_OPTIONS,
        OUTPUT_OPTIONS),
    .description = "Prints with intervals: the share of posts that are relevant; the recall and the precision\n"
                   "of the keywords; the recall of the screening. The sample is the first posts in the random\n"
                   "order of the seed; the coder must have judged them all. For other posts that the coder\n"
                   "judged, that judgement is used; the sample is extrapolated to the remaining posts.\n\n"
                   "With --facet, it prints how common each code is among all posts that have a code of the\n"
                   "facet. The codes are those that the coders agreed on (`label resolve`).\n\n"
                   "With --from, it prints how posts came to be read, the weight of each in the estimates (the\n"
                   "posts that a random one is extrapolated to; 1 for the others), and the shares of yes.",
    .examples = EXAMPLES(
        {"ppmine screen --coder ann --order random", "judge the sample, then"},
        {"ppmine screen estimate --coder ann --sample 300", "share, and recall of keywords and screening"},
        {"ppmine screen estimate --coder ann --facet root-cause", "how common root causes are"},
        {"ppmine screen estimate --coder ann --from --format latex", "the weights, for the paper"}),
    .nothing = "the sample is not judged yet",
    .needs = NEEDS_DB_READ,
    .run = run_screen_estimate,
};
