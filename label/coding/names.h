/* names: codes and coders by name, read once a connection: a decision costs no look-up. Internal to label/coding. */
#pragma once

#include "db/sql.h"

/* Facets too: facets_kept gives them afterwards. Before the next; what is read is kept until another connection writes. */
enum status MUST_USE labels_know_names(struct db *db, struct err *e);
/* The name of a code; ptr NULL: there is none of this id. */
struct span labels_code_name(const struct db *db, int64_t code_id);

/* Removes the coder's labels about a post that were decided before a time; makes the post's problems again. */
enum status MUST_USE labels_clear(struct db *db, int64_t post_id, struct span coder, struct span before, struct err *e);
enum status MUST_USE labels_put_problems(struct db *db, int64_t post_id, struct err *e);
