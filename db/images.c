/* images: those that posts show, kept with the posts. */
#include "db/images.h"

#include <inttypes.h>

#include "db/sql.h"

SQL(IMAGE_PUT, "INSERT INTO image (url, asked_at, tries, failed, may_pass, type, width, height, bytes)"
               " VALUES (:url, :asked_at, 1, :failed, :may_pass, :type, :width, :height, :bytes)"
               " ON CONFLICT (url) DO UPDATE SET asked_at = excluded.asked_at, tries = tries + 1,"
               "  failed = excluded.failed, may_pass = excluded.may_pass, type = excluded.type,"
               "  width = excluded.width, height = excluded.height, bytes = excluded.bytes");

enum status db_image_put(struct db *db, const struct db_image *image, struct err *e)
{
    struct sql *which = SQL_IMAGE_PUT;
    bool failed = image->failed.ptr != NULL;

    sql_bind(db, which, BIND(":url", image->url), BIND(":asked_at", image->asked_at), BIND(":failed", image->failed),
             BIND(":may_pass", image->may_pass), BIND(":type", failed ? (struct span){0} : image->type),
             BIND(":width", failed ? POST_ABSENT : image->width),
             BIND(":height", failed ? POST_ABSENT : image->height));
    sql_bind_blob(db, which, ":bytes", failed ? (struct span){0} : image->bytes);
    return sql_done(db, which, e);
}

SQL(IMAGE_FIND, "SELECT image_id, failed IS NULL, may_pass, tries, ifnull(width, 0), ifnull(height, 0) FROM image"
                " WHERE url = :url");

enum status db_image_find(struct db *db, struct span url, struct db_image_known *out, struct err *e)
{
    enum status status = ST_OK;

    *out = (struct db_image_known){0};
    sql_bind_text(db, SQL_IMAGE_FIND, ":url", url);
    while (sql_next_into(db, SQL_IMAGE_FIND, &status, e, INTO(out->image_id), INTO(out->is_kept), INTO(out->may_pass),
                         INTO(out->tries), INTO(out->width), INTO(out->height)))
        continue;
    return status;
}

SQL(IMAGE_GET, "SELECT type, bytes FROM image WHERE image_id = :image_id AND failed IS NULL");

enum status db_image_get(struct db *db, int64_t image_id, void (*each)(void *ctx, struct span type, struct span bytes),
                         void *ctx, struct err *e)
{
    enum status status = ST_OK;
    bool found = false;

    sql_bind_int(db, SQL_IMAGE_GET, ":image_id", image_id);
    for (; sql_next(db, SQL_IMAGE_GET, &status, e); found = true)
        each(ctx, sql_text(db, SQL_IMAGE_GET, 0), sql_blob(db, SQL_IMAGE_GET, 1));
    return status == ST_OK && !found ? err_set(e, ST_NO, "There is no image %" PRId64 ".", image_id) : status;
}
