/* campaign report: how many findings were reported, confirmed, fixed, refused. */
#include "cli/command.h"

#include "report/report.h"

static bool is_empty(const struct table_list *r)
{
    size_t rows = 0;

    for (size_t i = 0; i < r->n; i++)
        rows += table_rows(r->tables[i]);
    return rows == 0;
}

static enum status run_campaign_report(struct invocation *in, struct err *e)
{
    size_t table = SIZE_MAX;
    struct table_output out;
    uint64_t confidence = 95;
    struct table_list r = {0};
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = option_choice(in, "table", report_campaign_ids, &table, e);
    if (status == ST_OK)
        status = option_number(in, "confidence", 50, 99, &confidence, e);
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = report_campaign(&r, in->db, table < SIZE_MAX ? report_campaign_ids[table] : NULL,
                                 (double)confidence / 100, e);
    if (status == ST_OK && is_empty(&r)) {
        log_warn("%s has no scans of projects: `ppmine -d %s check .` makes one", in->db_path,
                 in->db_path);
        status = ST_NO;
    }
    if (status == ST_OK)
        table_list_print(&r, &out);
    table_list_clear(&r);
    return status;
}

static const struct option_spec options[] = {
    {"table", 't', "ID", "print one table: campaign, campaign-project or campaign-rule"},
    {"confidence", '\0', "PERCENT", "level of the intervals (default: 95)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign report", NULL},
    {"ppmine campaign report --table campaign-rule --format csv", NULL},
    {NULL, NULL},
};

const struct command command_campaign_report = {
    .name = "campaign report",
    .summary = "Count findings that were reported, confirmed, fixed, refused",
    .options = options,
    .description =
        "Counts are total, by project and by rule. A confirmed or fixed finding counts as reported,\n"
        "and a fixed one as confirmed. Shares have Wilson intervals.",
    .examples = examples,
    .nothing = "no project was scanned",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_report,
};
