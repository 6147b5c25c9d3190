/*
 * remarks: what one coder wrote beside their codes, as the cells "reason" and "note" of a sheet have it.
 * Private notes are those of the coder who is named, never of others.
 */
#pragma once

#include "db/db.h"

#define MAP_NAME reason_map /* by "subject\nfacet" */
#define MAP_KEY struct span
/* clang-format off */
#define MAP_VALUE struct { struct span reason, decided_at; uint64_t place; }
/* clang-format on */
#include "base/map.h"
#include "base/maps.h"

/* All-zero is empty. */
struct remarks {
    struct reason_map given;
    struct text_pairs reasons, notes, noes; /* noes: when the coder last said no to a post */
    uint64_t n_events;
    struct arena arena;
};

enum status MUST_USE remarks_read(struct remarks *r, struct db *db, struct span coder, struct err *e);
/* The newest reason that was not undone, nor of a code that a later no withdrew, about the subject. len 0: none. Not that of the judgement where a
 * post has several problems: it would be in several rows, and a change of one would leave the others. */
struct span remarks_reason(const struct remarks *r, struct span subject);
/* All notes about the subject, the oldest first, each beginning a line. len 0: none. */
struct span remarks_note(const struct remarks *r, struct span subject);
void remarks_clear(struct remarks *r);
