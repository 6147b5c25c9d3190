/* ids: ids that follow from content, so that they are the same in every copy of a study. schema.sql defines them. */
#pragma once

#include "db/db.h"

/* Of a decision, a note or a message; value is JSON. */
void db_decision_id(struct span coder, struct span subject, struct span facet, struct span value,
                    struct span decided_at, char out[SHA256_TEXT_SIZE]);

/* A value that coders wrote for a facet (facet_is_written) has an id as codes have, in their table too. */
#define DB_VALUES_FROM (INT64_C(1) << 52) /* ids below are of codes of the codebook */
int64_t db_value_id(struct span list, struct span value);
