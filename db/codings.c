/*
 * Reading for people who code and for samples of what they code: whole rows, where labels.c reads
 * decision by decision.
 */
#include "db/decisions.h"
#include "db/labels.h"
#include "db/posts.h"
#include "db/sql.h"

enum status db_coder_get(struct db *db, struct span coder, bool *exists, bool *is_merged,
                         struct err *e)
{
    sql_bind_text(db, SQL_CODER_GET, 1, coder);
    enum status status = sql_row(db, SQL_CODER_GET, exists, e);
    *is_merged = *exists && sql_int(db, SQL_CODER_GET, 0) != 0;
    sql_reset(db, SQL_CODER_GET);
    return status;
}

/* The codes of a coding, facet by facet. */
struct coded {
    struct db_codes of[FACETS_MAX];
    int64_t ids[FACETS_MAX][FACET_CODES_MAX];
    char decided_at[TIME_TEXT_SIZE]; /* the newest; empty: no codes */
};

static void add_code(struct db *db, const struct facets *facets, struct coded *coded)
{
    const enum sql which = SQL_CODES_OF;
    struct span name = sql_text(db, which, 0), at = sql_text(db, which, 2);
    size_t facet = 0;

    while (facet < facets->n && !span_eq(facets->items[facet].name, name))
        facet++;
    if (facet == facets->n || coded->of[facet].n == FACET_CODES_MAX)
        return;
    coded->ids[facet][coded->of[facet].n++] = sql_int(db, which, 1);
    if (at.len == TIME_TEXT_SIZE - 1 && memcmp(at.ptr, coded->decided_at, at.len) > 0)
        memcpy(coded->decided_at, at.ptr, at.len);
}

static enum status MUST_USE read_codes(struct db *db, const struct facets *facets,
                                       const struct db_coding *coding, struct coded *coded,
                                       struct err *e)
{
    memset(coded->decided_at, 0, sizeof coded->decided_at);
    for (size_t i = 0; i < facets->n; i++)
        coded->of[i] = (struct db_codes){coded->ids[i], 0};
    sql_bind_text(db, SQL_CODES_OF, 1, coding->subject);
    sql_bind_text(db, SQL_CODES_OF, 2, coding->coder);
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_CODES_OF, &row, e);
        if (!row)
            return status;
        add_code(db, facets, coded);
    }
}

static struct db_coding coding_of(struct db *db, enum sql which)
{
    int64_t judgement = sql_int(db, which, 3);

    return (struct db_coding){
        .subject = sql_text(db, which, 0),
        .post_id = sql_int(db, which, 1),
        .coder = sql_text(db, which, 2),
        .is_judged = judgement != POST_ABSENT,
        .is_problem = judgement == 1,
        .decided_at = sql_text(db, which, 4),
        .url = sql_text(db, which, 5),
        .title = sql_text(db, which, 6),
    };
}

static enum status MUST_USE walk_codings(struct db *db, enum sql which,
                                         void (*each)(void *ctx, const struct db_coding *coding),
                                         void *ctx, struct err *e)
{
    const struct facets *facets;
    struct coded coded;
    enum status status = db_facets(db, &facets, e);
    bool row;

    while (status == ST_OK) {
        status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_coding coding = coding_of(db, which);
        status = read_codes(db, facets, &coding, &coded, e);
        coding.codes = coded.of;
        if (coded.decided_at[0] != '\0')
            coding.decided_at = span_of(coded.decided_at);
        if (status == ST_OK)
            each(ctx, &coding);
    }
    sql_reset(db, which);
    return status;
}

enum status db_coding_each(struct db *db, const struct db_coding_query *query,
                           void (*each)(void *ctx, const struct db_coding *coding), void *ctx,
                           struct err *e)
{
    sql_bind_text(db, SQL_CODING_EACH, 1, query->coder);
    sql_bind_int(db, SQL_CODING_EACH, 2, query->unjudged);
    sql_bind_text(db, SQL_CODING_EACH, 3, query->posts);
    sql_bind_int(db, SQL_CODING_EACH, 4, query->noted);
    return walk_codings(db, SQL_CODING_EACH, each, ctx, e);
}

enum status db_coding_of_post(struct db *db, struct span coder, int64_t post_id,
                              void (*each)(void *ctx, const struct db_coding *coding), void *ctx,
                              struct err *e)
{
    sql_bind_text(db, SQL_CODING_OF_POST, 1, coder);
    sql_bind_int(db, SQL_CODING_OF_POST, 2, post_id);
    return walk_codings(db, SQL_CODING_OF_POST, each, ctx, e);
}

enum status db_posts_absent(struct db *db, struct span posts, int64_t *n, struct err *e)
{
    bool row;

    sql_bind_text(db, SQL_POSTS_ABSENT, 1, posts);
    enum status status = sql_row(db, SQL_POSTS_ABSENT, &row, e);
    *n = row ? sql_int(db, SQL_POSTS_ABSENT, 0) : 0;
    sql_reset(db, SQL_POSTS_ABSENT);
    return status;
}

enum status db_standing_each(struct db *db, struct span posts,
                             void (*each)(void *ctx, const struct db_standing *post), void *ctx,
                             struct err *e)
{
    const enum sql which = posts.ptr != NULL ? SQL_STANDING_EACH : SQL_STANDING_EACH_CODED;

    if (posts.ptr != NULL)
        sql_bind_text(db, which, 1, posts);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_standing post = {
            .post_id = sql_int(db, which, 0),
            .is_answer = sql_int(db, which, 1) != 0,
            .question_id = sql_int_or_zero(db, which, 2),
            .is_candidate = sql_int(db, which, 3) != 0,
        };
        each(ctx, &post);
    }
}

enum status db_verdict_each(struct db *db,
                            void (*each)(void *ctx, int64_t post_id, bool is_problem), void *ctx,
                            struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_VERDICT_EACH, &row, e);
        if (!row)
            return status;
        each(ctx, sql_int(db, SQL_VERDICT_EACH, 0), sql_int(db, SQL_VERDICT_EACH, 1) != 0);
    }
}

enum status db_population_each(struct db *db, enum db_population population,
                               void (*each)(void *ctx, const struct db_item *item), void *ctx,
                               struct err *e)
{
    static const enum sql statements[DB_POPULATIONS] = {
        [DB_CANDIDATES] = SQL_POPULATION_CANDIDATES,
        [DB_QUESTIONS] = SQL_POPULATION_QUESTIONS,
        [DB_PROBLEMS] = SQL_POPULATION_PROBLEMS,
        [DB_OUTSIDE] = SQL_POPULATION_OUTSIDE,
    };
    const enum sql which = statements[population];

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_item item = {
            .item_id = sql_text(db, which, 0),
            .post_id = sql_int(db, which, 1),
            .created_at = sql_text(db, which, 2),
            .tags = sql_text(db, which, 3),
            .url = sql_text(db, which, 4),
        };
        each(ctx, &item);
    }
}
