/* load: the data of a database, and what its coders said. */
#include "report/report.h"

static void add_code(void *ctx, const struct db_code *code)
{
    report_data_code(ctx, code);
}

static void add_problem(void *ctx, const struct db_problem *problem)
{
    report_data_problem(ctx, problem);
}

static void add_assessment(void *ctx, const struct db_assessment *assessment)
{
    report_data_assessment(ctx, assessment);
}

enum status report_data_load(struct report_data *d, struct db *db, struct err *e)
{
    enum status status = db_code_each(db, add_code, d, e);

    if (status == ST_OK)
        status = db_problem_each(db, add_problem, d, e);
    if (status == ST_OK)
        status = db_assessment_each(db, add_assessment, d, e);
    return status;
}

/* --- ratings --- */

const char *const report_rated_facets[DB_FACETS] = {
    [DB_IDENTIFICATION] = "identification",
    [DB_SYMPTOM] = "symptom",
    [DB_ROOT_CAUSE] = "root-cause",
    [DB_INTRODUCING_STAGE] = "introducing-stage",
    [DB_EXPOSING_STAGE] = "exposing-stage",
};

/* Code ids of the database and their places in the ratings of a facet. */
struct reading {
    struct report_ratings *ratings;
    struct span code_facet; /* "stage" for both kinds of stages */
    const struct report_rated *wanted;
    struct {
        int64_t code_id;
        int32_t place;
    } codes[REPORT_RATED_CODES_MAX];
    size_t n_codes;
    bool too_many;
    size_t n_spelled;
};

static void add_rated_code(void *ctx, const struct db_code *code)
{
    struct reading *r = ctx;

    if (!span_eq(code->facet, r->code_facet))
        return;
    size_t place = report_ratings_code(r->ratings, code->name);
    if (place == SIZE_MAX || r->n_codes == REPORT_RATED_CODES_MAX) {
        r->too_many = true;
        return;
    }
    r->codes[r->n_codes].code_id = code->code_id;
    r->codes[r->n_codes++].place = (int32_t)place;
}

static int32_t place_of(const struct reading *r, int64_t code_id)
{
    for (size_t i = 0; code_id != 0 && i < r->n_codes; i++)
        if (r->codes[i].code_id == code_id)
            return r->codes[i].place;
    return REPORT_NO_CODE;
}

static int32_t first_code(struct reading *r, const struct db_label *label)
{
    if (label->spelling.ptr == NULL || r->wanted->ignore_spelling)
        return place_of(r, label->codes[0]);
    size_t place = report_ratings_code(r->ratings, label->spelling);
    r->too_many |= place == SIZE_MAX;
    r->n_spelled++;
    return place == SIZE_MAX ? REPORT_NO_CODE : (int32_t)place;
}

static bool is_wanted(const struct report_rated *wanted, const struct db_label *label)
{
    for (size_t i = 0; i < wanted->n_coders; i++)
        if (span_eq(wanted->coders[i], label->coder))
            return true;
    return wanted->n_coders == 0 && !label->coder_is_merged;
}

static void add_label(void *ctx, const struct db_label *label)
{
    struct reading *r = ctx;
    struct report_rating rating;

    if (!is_wanted(r->wanted, label))
        return;
    rating.codes[0] = r->ratings->yes_no ? label->is_problem : first_code(r, label);
    rating.codes[1] = r->ratings->yes_no ? REPORT_NO_CODE : place_of(r, label->codes[1]);
    if (rating.codes[0] == REPORT_NO_CODE)
        return;
    rating.coder = report_ratings_coder(r->ratings, label->coder);
    if (rating.coder == SIZE_MAX) {
        r->too_many = true;
        return;
    }
    rating.subject = report_ratings_subject(r->ratings, label->subject);
    report_ratings_add(r->ratings, &rating);
}

static enum status read_labels(struct reading *r, struct db *db, enum db_facet facet,
                               struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < r->wanted->n_coders; i++)
        report_ratings_coder(r->ratings, r->wanted->coders[i]);
    if (r->ratings->yes_no) {
        report_ratings_code(r->ratings, SPAN("no"));
        report_ratings_code(r->ratings, SPAN("yes"));
    } else {
        status = db_code_each(db, add_rated_code, r, e);
    }
    if (status == ST_OK)
        status = db_label_each(db, facet, add_label, r, e);
    if (status == ST_OK && r->too_many)
        status = err_set(e, ST_INPUT, "%s: more than %d coders or %d codes", r->ratings->facet,
                         REPORT_CODERS_MAX, REPORT_RATED_CODES_MAX);
    return status;
}

enum status report_ratings_load(struct report_ratings *ratings, struct db *db, enum db_facet facet,
                                const struct report_rated *wanted, size_t *n_spelled,
                                struct err *e)
{
    struct reading *r = mem_zero(1, sizeof *r);

    *ratings = (struct report_ratings){.facet = report_rated_facets[facet],
                                       .yes_no = facet == DB_IDENTIFICATION};
    r->ratings = ratings;
    r->wanted = wanted;
    r->code_facet = facet == DB_SYMPTOM      ? SPAN("symptom")
                    : facet == DB_ROOT_CAUSE ? SPAN("root cause")
                                             : SPAN("stage");
    enum status status = read_labels(r, db, facet, e);
    *n_spelled = r->n_spelled;
    mem_free(r);
    return status;
}
