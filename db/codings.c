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

static int64_t or_zero(int64_t code)
{
    return code != POST_ABSENT ? code : 0;
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
        .codes = {[DB_SYMPTOM] = {or_zero(sql_int(db, which, 4)), or_zero(sql_int(db, which, 5))},
                  [DB_ROOT_CAUSE] = {or_zero(sql_int(db, which, 6))},
                  [DB_INTRODUCING_STAGE] = {or_zero(sql_int(db, which, 7))},
                  [DB_EXPOSING_STAGE] = {or_zero(sql_int(db, which, 8))}},
        .decided_at = sql_text(db, which, 9),
        .url = sql_text(db, which, 10),
        .title = sql_text(db, which, 11),
    };
}

enum status db_coding_each(struct db *db, const struct db_coding_query *query,
                           void (*each)(void *ctx, const struct db_coding *coding), void *ctx,
                           struct err *e)
{
    sql_bind_text(db, SQL_CODING_EACH, 1, query->coder);
    sql_bind_int(db, SQL_CODING_EACH, 2, query->unjudged);
    sql_bind_text(db, SQL_CODING_EACH, 3, query->posts);
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_CODING_EACH, &row, e);
        if (!row)
            return status;
        struct db_coding coding = coding_of(db);
        each(ctx, &coding);
    }
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
