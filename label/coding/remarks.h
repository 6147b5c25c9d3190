/* remarks: what one coder wrote beside their codes, as the cells "reason" and "note" of a sheet have it. Never another
 * coder's private notes. */
#pragma once

#include "base/maps.h"
#include "db/db.h"

/* All-zero is empty. */
struct remarks {
    struct text_pairs reasons, notes; /* of a subject */
    struct arena arena;
};

enum status MUST_USE remarks_read(struct remarks *r, struct db *db, struct span coder, struct err *e);
/* The newest reason about the subject, neither undone nor of a withdrawn code; len 0: none. Not the judgement's where a
 * post has several problems: it would be in several rows, and a change of one would leave the others. */
struct span remarks_reason(const struct remarks *r, struct span subject);
/* All notes about the subject, the oldest first, each beginning a line. len 0: none. */
struct span remarks_note(const struct remarks *r, struct span subject);
void remarks_clear(struct remarks *r);
