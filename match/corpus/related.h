/*
 * related: candidates that say nearly the same, or link to each other: who codes one may want to see the
 * other. Nothing is left out because of it.
 */
#pragma once

#include "base/post/relations.h"
#include "db/db.h"

enum { MINE_RELATED_POSTS_MAX = 50000 }; /* candidates; of more than these none are related */

/* Reads all candidates: 10,000 take about a second. *out needs post_relations_clear in any case. */
enum status MUST_USE mine_related_read(struct post_relations *out, struct db *db, struct err *e);
