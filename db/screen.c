/* screen: what screening reads, and how each post came to be read. */
#include "db/screen.h"

#include "db/sql.h"

const char *const db_screen_answers[] = {"no", "yes", "unsure", NULL};
const char *const db_screen_strata[] = {"ranked", "random", "keyword", "hand", NULL};

enum status db_screen_post_each(struct db *db,
                                enum status (*each)(void *ctx, const struct db_screen_post *post,
                                                    struct err *e),
                                void *ctx, struct err *e)
{
    const enum sql which = SQL_SCREEN_POST_EACH;
    enum status status = ST_OK;

    while (status == ST_OK) {
        bool row;
        status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_screen_post post = {
            .post_id = sql_int(db, which, 0),
            .title = sql_text(db, which, 1),
            .body_html = sql_text(db, which, 2),
            .tags = sql_text(db, which, 3),
        };
        status = each(ctx, &post, e);
    }
    sql_reset(db, which);
    return status;
}

enum status db_screen_hit_each(struct db *db,
                               void (*each)(void *ctx, int64_t post_id, int64_t n_hits), void *ctx,
                               struct err *e)
{
    return sql_each_pair(db, SQL_SCREEN_HIT_EACH, each, ctx, e);
}

enum status db_screen_state(struct db *db, struct buf *state, bool *settled, struct err *e)
{
    bool row;
    enum status status = sql_row(db, SQL_SCREEN_STATE, &row, e);

    *settled = false;
    if (!row)
        return status;
    buf_add_span(state, sql_text(db, SQL_SCREEN_STATE, 0));
    *settled = sql_int_or_zero(db, SQL_SCREEN_STATE, 1) == 0;
    sql_reset(db, SQL_SCREEN_STATE);
    return ST_OK;
}

enum status db_screen_read_put(struct db *db, struct span coder,
                               const struct db_screen_read *read, struct err *e)
{
    const enum sql which = SQL_SCREEN_PUT;
    char now[TIME_TEXT_SIZE];

    time_now(now);
    sql_bind_text(db, which, 1, coder);
    sql_bind_int(db, which, 2, read->post_id);
    sql_bind_text(db, which, 3, span_of(db_screen_answers[read->answer]));
    sql_bind_text(db, which, 4, span_of(db_screen_strata[read->stratum]));
    sql_bind_text(db, which, 5, span_of(now));
    sql_bind_real(db, which, 6, read->score);
    sql_bind_int(db, which, 7, read->n_learned);
    sql_bind_text(db, which, 8, read->model);
    sql_bind_int(db, which, 9, read->seed);
    return sql_done(db, which, e);
}

/* The place of a word that the schema allows. */
static size_t place_of(struct span word, const char *const *words)
{
    size_t place = 0;

    while (words[place + 1] != NULL && !span_eq(word, span_of(words[place])))
        place++;
    return place;
}

enum status db_screen_read_each(struct db *db, struct span coder,
                                void (*each)(void *ctx, const struct db_screen_read *read),
                                void *ctx, struct err *e)
{
    const enum sql which = SQL_SCREEN_EACH;

    sql_bind_text(db, which, 1, coder);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_screen_read read = {
            .post_id = sql_int(db, which, 0),
            .answer = (enum db_screen_answer)place_of(sql_text(db, which, 1), db_screen_answers),
            .stratum = (enum db_screen_stratum)place_of(sql_text(db, which, 2), db_screen_strata),
        };
        each(ctx, &read);
    }
}

static enum status MUST_USE read_strata(struct db *db, enum sql which, struct db_screen_strata *out,
                                        struct err *e)
{
    bool row;
    enum status status = sql_row(db, which, &row, e);

    *out = (struct db_screen_strata){0};
    if (!row)
        return status;
    out->n_posts = sql_int(db, which, 0);
    out->n_ranked = (int64_t)sql_real(db, which, 1);
    out->n_keyword = (int64_t)sql_real(db, which, 2);
    out->n_picked = (int64_t)sql_real(db, which, 3);
    sql_reset(db, which);
    return ST_OK;
}

enum status db_screen_problems(struct db *db, struct db_screen_strata *out, struct err *e)
{
    return read_strata(db, SQL_SCREEN_PROBLEMS, out, e);
}

enum status db_screen_shared(struct db *db, struct db_screen_strata *out, struct err *e)
{
    return read_strata(db, SQL_SCREEN_SHARED, out, e);
}

enum status db_screen_random_each(struct db *db, void (*each)(void *ctx, int64_t post_id),
                                  void *ctx, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_SCREEN_RANDOM, &row, e);
        if (!row)
            return status;
        each(ctx, sql_int(db, SQL_SCREEN_RANDOM, 0));
    }
}

enum status db_screen_code_each(struct db *db, struct span facet,
                                void (*each)(void *ctx, struct span code, int64_t post_id),
                                void *ctx, struct err *e)
{
    const enum sql which = SQL_SCREEN_CODES;

    sql_bind_text(db, which, 1, facet);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        each(ctx, sql_text(db, which, 0), sql_int(db, which, 1));
    }
}
