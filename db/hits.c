/* hits: reads those of a post. */
#include "db/hits.h"

#include "db/sql.h"

SQL(HIT_EACH, "SELECT h.field, k.keyword, iif(h.field = 'title', t.title, t.body), h.\"start\","
              "  h.\"end\" FROM hit AS h JOIN keyword AS k USING (keyword_id)"
              " JOIN post_text AS t USING (post_id)"
              " WHERE h.post_id = :post_id ORDER BY h.field DESC, h.\"start\", k.keyword_id");

enum status db_hit_each(struct db *db, int64_t post_id, void (*each)(void *ctx, const struct db_hit_text *hit),
                        void *ctx, struct err *e)
{
    struct sql *which = SQL_HIT_EACH;

    sql_bind_int(db, which, ":post_id", post_id);
    enum status status = ST_OK;
    while (sql_next(db, which, &status, e)) {
        struct db_hit_text hit = {.field = sql_text(db, which, 0),
                                  .keyword = sql_text(db, which, 1),
                                  .text = sql_text(db, which, 2),
                                  .start = (size_t)sql_int(db, which, 3),
                                  .end = (size_t)sql_int(db, which, 4)};
        if (hit.start <= hit.end && hit.end <= hit.text.len) /* people may write these rows too */
            each(ctx, &hit);
    }
    return status;
}
