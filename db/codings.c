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

static struct db_coding coding_of(struct db *db)
{
    const enum sql which = SQL_CODING_EACH;
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

enum status db_coding_each(struct db *db, const struct db_coding_query *query,
                           void (*each)(void *ctx, const struct db_coding *coding), void *ctx,
                           struct err *e)
{
    const struct facets *facets;
    struct coded coded;
    enum status status = db_facets(db, &facets, e);
    bool row = status == ST_OK;

    if (status != ST_OK)
        return status;
    sql_bind_text(db, SQL_CODING_EACH, 1, query->coder);
    sql_bind_int(db, SQL_CODING_EACH, 2, query->unjudged);
    sql_bind_text(db, SQL_CODING_EACH, 3, query->posts);
    while (status == ST_OK) {
        status = sql_row(db, SQL_CODING_EACH, &row, e);
        if (!row)
            break;
        struct db_coding coding = coding_of(db);
        status = read_codes(db, facets, &coding, &coded, e);
        coding.codes = coded.of;
        if (coded.decided_at[0] != '\0')
            coding.decided_at = span_of(coded.decided_at);
        if (status == ST_OK)
            each(ctx, &coding);
    }
    if (row)
        sql_reset(db, SQL_CODING_EACH);
    return status;
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

enum status db_population_each(struct db *db, enum db_population population,
                               void (*each)(void *ctx, const struct db_item *item), void *ctx,
                               struct err *e)
{
    static const enum sql statements[DB_POPULATIONS] = {
        [DB_CANDIDATES] = SQL_POPULATION_CANDIDATES,
        [DB_QUESTIONS] = SQL_POPULATION_QUESTIONS,
        [DB_PROBLEMS] = SQL_POPULATION_PROBLEMS,
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
