/* images: those that posts show, kept with the posts. */
#include "db/images.h"

#include <inttypes.h>

#include "db/sql.h"

enum status db_image_post_each(struct db *db,
                               void (*each)(void *ctx, struct span body_html, struct span url),
                               void *ctx, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_IMAGE_POST_EACH, &row, e);
        if (!row)
            return status;
        each(ctx, sql_text(db, SQL_IMAGE_POST_EACH, 0), sql_text(db, SQL_IMAGE_POST_EACH, 1));
    }
}

enum status db_image_put(struct db *db, const struct db_image *image, struct err *e)
{
    const enum sql which = SQL_IMAGE_PUT;
    bool failed = image->failed.ptr != NULL;

    sql_bind_text(db, which, 1, image->url);
    sql_bind_text(db, which, 2, image->asked_at);
    sql_bind_text(db, which, 3, image->failed);
    sql_bind_int(db, which, 4, image->may_pass);
    sql_bind_text(db, which, 5, failed ? (struct span){0} : image->type);
    sql_bind_int(db, which, 6, failed ? POST_ABSENT : image->width);
    sql_bind_int(db, which, 7, failed ? POST_ABSENT : image->height);
    sql_bind_blob(db, which, 8, failed ? (struct span){0} : image->bytes);
    return sql_done(db, which, e);
}

enum status db_image_find(struct db *db, struct span url, struct db_image_known *out, struct err *e)
{
    const enum sql which = SQL_IMAGE_FIND;
    bool row;

    *out = (struct db_image_known){0};
    sql_bind_text(db, which, 1, url);
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    *out = (struct db_image_known){
        .image_id = sql_int(db, which, 0),
        .is_kept = sql_text(db, which, 1).ptr == NULL,
        .may_pass = sql_int(db, which, 2) == 1,
        .tries = sql_int(db, which, 3),
        .width = sql_int_or_zero(db, which, 4),
        .height = sql_int_or_zero(db, which, 5),
    };
    sql_reset(db, which);
    return ST_OK;
}

enum status db_image_get(struct db *db, int64_t image_id,
                         void (*each)(void *ctx, struct span type, struct span bytes), void *ctx,
                         struct err *e)
{
    const enum sql which = SQL_IMAGE_GET;
    bool row;

    sql_bind_int(db, which, 1, image_id);
    enum status status = sql_row(db, which, &row, e);
    if (status == ST_OK && !row)
        return err_set(e, ST_NO, "There is no image %" PRId64 ".", image_id);
    if (!row)
        return status;
    each(ctx, sql_text(db, which, 0), sql_blob(db, which, 1));
    sql_reset(db, which);
    return ST_OK;
}

enum status db_image_bytes(struct db *db, int64_t *n, struct err *e)
{
    bool row;

    *n = 0;
    enum status status = sql_row(db, SQL_IMAGE_BYTES, &row, e);
    if (!row)
        return status;
    *n = sql_int(db, SQL_IMAGE_BYTES, 0);
    sql_reset(db, SQL_IMAGE_BYTES);
    return ST_OK;
}
