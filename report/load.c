/* load: the data of a database. */
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
