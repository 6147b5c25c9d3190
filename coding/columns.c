/* columns: the columns of a sheet of codings. */
#include "coding/columns.h"

#include "db/decisions.h"

const struct coding_spec coding_specs[CODING_COLUMNS] = {
    [CODING_PROBLEM_ID] = {"problem_id", NULL, DB_FACETS, 0, 13},
    [CODING_POST_ID] = {"post_id", NULL, DB_FACETS, 0, 11},
    [CODING_CODER] = {"coder", NULL, DB_FACETS, 0, 12},
    [CODING_IS_PROBLEM] = {"is_problem", NULL, DB_IDENTIFICATION, 0, 11},
    [CODING_SYMPTOM1] = {"symptom1", "symptom", DB_SYMPTOM, 0, 26},
    [CODING_SYMPTOM2] = {"symptom2", "symptom", DB_SYMPTOM, 1, 26},
    [CODING_ROOT_CAUSE] = {"root_cause", "root cause", DB_ROOT_CAUSE, 0, 30},
    [CODING_INTRODUCING] = {"introducing_stage", "stage", DB_INTRODUCING_STAGE, 0, 20},
    [CODING_EXPOSING] = {"exposing_stage", "stage", DB_EXPOSING_STAGE, 0, 20},
    [CODING_DECIDED_AT] = {"decided_at", NULL, DB_FACETS, 0, 25},
    [CODING_URL] = {"url", NULL, DB_FACETS, 0, 46},
    [CODING_TITLE] = {"title", NULL, DB_FACETS, 0, 80},
    [CODING_ERROR] = {"error", NULL, DB_FACETS, 0, 80},
};

enum status coding_codebook(struct stored_codebook *out, struct db *db, struct err *e)
{
    struct err why = {0};
    enum status status = stored_codebook_load(out, db, &why);

    if (status == ST_OK || (status == ST_INPUT && out->n_held == 0))
        return ST_OK;
    *e = why;
    return status;
}
