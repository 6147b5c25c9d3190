/* images: those that posts show, and those that could not be had; see the table image. */
#pragma once

#include "db/db.h"

struct db_image {
    struct span url, asked_at;
    struct span failed;      /* why it could not be had; ptr NULL: it is here */
    bool may_pass;           /* of a failure: another run asks again */
    struct span type, bytes; /* "image/png"; ptr NULL after a failure */
    int64_t width, height;
};

/* Over what was known of this address; counts the try. */
enum status MUST_USE db_image_put(struct db *db, const struct db_image *image, struct err *e);

struct db_image_known {
    int64_t image_id; /* 0: it was never asked for */
    bool is_kept, may_pass;
    int64_t tries, width, height;
};

enum status MUST_USE db_image_find(struct db *db, struct span url, struct db_image_known *out, struct err *e);
/* ST_NO when none is kept under this number; `each` is called once otherwise. */
enum status MUST_USE db_image_get(struct db *db, int64_t image_id,
                                  void (*each)(void *ctx, struct span type, struct span bytes), void *ctx,
                                  struct err *e);
