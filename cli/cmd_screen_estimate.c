/* screen estimate: recall of the keywords and of the screening, from a random sample. */
#include "cli/screen_options.h"
#include "stat/stat.h"
#include "table/table.h"

#include <math.h>
#include <stdlib.h>

struct sampled {
    uint64_t number;
    struct screening_post post;
};

struct estimate {
    struct ARRAY_OF(struct sampled) posts;
    size_t n_sample; /* the first ones in the random order */
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

/* Posts that were read for another reason than the sample were read whole; of the others the sample
 * says how they are. */
enum part { PART_READ_HIT, PART_READ, PART_HIT, PART_REST, PARTS };

static enum part part_of(const struct screening_post *post)
{
    bool read = is_answered(post) && post->stratum != DB_SCREEN_RANDOM;

    return read ? post->has_hit ? PART_READ_HIT : PART_READ : post->has_hit ? PART_HIT : PART_REST;
}

/* What is counted, and what is asked of it. */
enum question { SHARE, KEYWORD_RECALL, KEYWORD_PRECISION, SCREENING_RECALL, QUESTIONS };

static const struct {
    const char *id, *words;
} questions[] = {
    [SHARE] = {"share", "share of all posts that are looked for"},
    [KEYWORD_RECALL] = {"keyword_recall", "recall of the keywords"},
    [KEYWORD_PRECISION] = {"keyword_precision", "precision of the keywords"},
    [SCREENING_RECALL] = {"screening_recall", "recall of the screening"},
};

static void count_post(struct design_stratum *s, enum question question, enum part part, bool yes,
                       bool hit)
{
    bool among = question == SHARE ? true : question == KEYWORD_PRECISION ? hit : yes;
    bool with = question == SHARE || question == KEYWORD_PRECISION ? yes
                : question == KEYWORD_RECALL                       ? hit
                                                                   : part <= PART_READ;

    s->drawn++;
    s->among += among;
    s->with += among && with;
}

/* Parts of which the sample has nothing are joined: those with a hit to the others. */
static size_t join_parts(struct design_stratum *strata)
{
    size_t n = 0;
    struct design_stratum *hit = &strata[PART_HIT], *rest = &strata[PART_REST];

    if ((hit->drawn == 0) != (rest->drawn == 0) && hit->population > 0 && rest->population > 0) {
        *rest = (struct design_stratum){hit->population + rest->population,
                                        hit->drawn + rest->drawn, hit->among + rest->among,
                                        hit->with + rest->with};
        *hit = (struct design_stratum){0};
    }
    for (size_t i = 0; i < PARTS; i++)
        if (strata[i].population > 0)
            strata[n++] = strata[i];
    return n;
}

static void ask(const struct estimate *e, enum question question, double confidence,
                struct design_share *out)
{
    struct design_stratum strata[PARTS] = {{0}};

    for (size_t i = 0; i < e->posts.n; i++) {
        const struct screening_post *post = &e->posts.at[i].post;
        enum part part = part_of(post);
        strata[part].population++;
        if (part <= PART_READ || i < e->n_sample)
            count_post(&strata[part], question, part, post->answer == DB_SCREEN_YES,
                       post->has_hit);
    }
    /* Of all parts that are samples, the recall of a screening needs but the sum. */
    if (question == SCREENING_RECALL || question == SHARE) {
        strata[PART_REST].population += strata[PART_HIT].population;
        strata[PART_REST].drawn += strata[PART_HIT].drawn;
        strata[PART_REST].among += strata[PART_HIT].among;
        strata[PART_REST].with += strata[PART_HIT].with;
        strata[PART_HIT] = (struct design_stratum){0};
    }
    design_ratio(strata, join_parts(strata), confidence, out);
}

/* --- the sample --- */

/* The first posts of the random order that are answered, all of them: a sample of as many. */
static enum status MUST_USE settle_sample(struct estimate *e, const struct invocation *in,
                                          const struct screen_session *s, uint64_t wanted,
                                          struct err *err)
{
    size_t answered = 0, missing = 0;

    if (wanted > e->posts.n)
        return err_set(err, ST_INPUT, "screen estimate: --sample %llu is more than the %zu posts"
                       " that there are", (unsigned long long)wanted, e->posts.n);
    while (answered < e->posts.n && is_answered(&e->posts.at[answered].post))
        answered++;
    e->n_sample = option_given(in, "sample") ? (size_t)wanted : answered;
    for (size_t i = 0; i < e->n_sample; i++)
        missing += !is_answered(&e->posts.at[i].post);
    if (missing == 0 && e->n_sample >= 2)
        return ST_OK;
    log_info("%zu of the sample's %zu posts are not judged yet; to judge them: ppmine screen"
             " --coder '%.*s' --order random --seed %llu", e->n_sample >= 2 ? missing : 1,
             e->n_sample >= 2 ? e->n_sample : (size_t)1, (int)s->how.coder.len, s->how.coder.ptr,
             (unsigned long long)s->how.seed);
    return ST_NO;
}

/* --- the command --- */

static void fill(struct table *t, const struct estimate *e, double confidence)
{
    static const struct table_column columns[] = {
        {.name = "id"},
        {.name = "estimate"},
        {.name = "value", .kind = TABLE_SHARE},
        {.name = "low", .kind = TABLE_SHARE},
        {.name = "high", .kind = TABLE_SHARE},
        {.name = "found", .kind = TABLE_REAL, .decimals = 1},
        {.name = "of", .kind = TABLE_REAL, .decimals = 1},
    };

    table_init(t, "screen-estimate", "Estimates from a random sample", columns,
               ARRAY_LEN(columns));
    for (size_t i = 0; i < QUESTIONS; i++) {
        struct design_share share;
        ask(e, (enum question)i, confidence, &share);
        table_add_text(t, span_of(questions[i].id));
        table_add_text(t, span_of(questions[i].words));
        table_add_real(t, share.share);
        table_add_real(t, share.low);
        table_add_real(t, share.high);
        table_add_real(t, share.with);
        table_add_real(t, share.among);
    }
    table_note(t, "A random sample of %zu of %zu posts; %g %% intervals, weighted by how each post"
               " came to be read.", e->n_sample, e->posts.n, 100 * confidence);
}

static enum status MUST_USE estimate(const struct invocation *in, const struct screen_session *s,
                                     uint64_t wanted, const struct table_output *out,
                                     struct err *err)
{
    struct estimate e = {0};
    struct table t;

    screening_each(s->screening, add_post, &e);
    qsort(e.posts.at, e.posts.n, sizeof *e.posts.at, compare);
    enum status status = settle_sample(&e, in, s, wanted, err);
    if (status == ST_OK) {
        fill(&t, &e, s->how.rule.confidence);
        log_info("a random sample of %zu of %zu posts; %g %% intervals", e.n_sample, e.posts.n,
                 100 * s->how.rule.confidence);
        table_print(&t, out);
        table_clear(&t);
    }
    array_clear(&e.posts);
    return status;
}

static enum status run_screen_estimate(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    struct table_output out;
    uint64_t wanted = 0;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = option_number(in, "sample", 2, UINT32_MAX, &wanted, e);
    if (status == ST_OK)
        status = screen_session_open(&session, in, e);
    if (status == ST_OK)
        status = estimate(in, &session, wanted, &out, e);
    screen_session_close(&session);
    return status;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    {"sample", '\0', "N", "use the first N posts in random order (default: all judged)"},
    SCREEN_OPTIONS,
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine screen --coder ann --order random", "judge the sample, then"},
    {"ppmine screen estimate --coder ann --sample 300", "what keywords and screening found"},
    {NULL, NULL},
};

const struct command command_screen_estimate = {
    .name = "screen estimate",
    .summary = "Estimate what keywords and screening found, from a random sample",
    .options = options,
    .description =
        "The first posts in the random order of the seed are a random sample of all posts, once all\n"
        "of them are judged. Posts that the coder judged for another reason count as they are; the\n"
        "sample stands for the others. Says which share of all posts is looked for, what share of\n"
        "it the keywords and the screening found, and how many posts with keywords are looked for.",
    .examples = examples,
    .nothing = "the sample is not judged yet",
    .needs = NEEDS_DB_READ,
    .run = run_screen_estimate,
};
