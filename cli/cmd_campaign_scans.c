/* campaign scans: which version of which project was looked at. */
#include "cli/command.h"
#include "db/campaign.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "scan", .kind = TABLE_INT}, {.name = "project", .max_width = 30},
    {.name = "commit", .max_width = 12}, {.name = "code_at"}, {.name = "tool_version"},
    {.name = "files", .kind = TABLE_INT}, {.name = "unread", .kind = TABLE_INT},
    {.name = "found", .kind = TABLE_INT}, {.name = "ignored", .kind = TABLE_INT},
    {.name = "baseline", .kind = TABLE_INT},
};

static void add_scan(void *ctx, const struct db_scan_row *scan)
{
    struct table *t = ctx;

    table_add_int(t, scan->scan_id);
    table_add_text(t, scan->project);
    table_add_text(t, scan->commit);
    table_add_text(t, scan->code_at);
    table_add_text(t, scan->tool_version);
    table_add_int(t, scan->files);
    table_add_int(t, scan->unread);
    table_add_int(t, scan->found);
    table_add_int(t, scan->ignored);
    table_add_int(t, scan->baseline);
}

static enum status run_campaign_scans(struct invocation *in, struct err *e)
{
    struct span project = {0};
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (option_given(in, "project"))
        project = span_of(option_text(in, "project", ""));
    table_init(&t, "campaign-scans", "Scans", columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = db_scan_each(in->db, project, add_scan, &t, e);
    return table_end(&t, status, &out);
}

static const struct option_spec options[] = {
    {"project", '\0', "NAME", "list the scans of this project"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign scans", NULL},
    {NULL, NULL},
};

const struct command command_campaign_scans = {
    .name = "campaign scans",
    .summary = "List the scans that check kept: project, version, number of findings",
    .options = options,
    .description =
        "Scans are ordered by project and date of the code.",
    .examples = examples,
    .nothing = "there is no scan",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_scans,
};
