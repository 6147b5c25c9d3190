/* campaign scans: which version of which project was looked at. */
#include "cli/command.h"
#include "cli/table.h"
#include "db/campaign.h"

static const struct table_column columns[] = {
    {"scan", true, 0},          {"project", false, 30}, {"commit", false, 12}, {"code_at", false, 0},
    {"tool_version", false, 0}, {"files", true, 0},     {"unread", true, 0},   {"found", true, 0},
    {"ignored", true, 0},       {"baseline", true, 0},
};

static void add_scan(void *ctx, const struct db_scan_row *scan)
{
    struct table *t = ctx;

    table_add_int(t, scan->scan_id);
    table_add(t, scan->project);
    table_add(t, scan->commit);
    table_add(t, scan->code_at);
    table_add(t, scan->tool_version);
    table_add_int(t, scan->files);
    table_add_int(t, scan->unread);
    table_add_int(t, scan->found);
    table_add_int(t, scan->ignored);
    table_add_int(t, scan->baseline);
}

static enum status run_campaign_scans(struct invocation *in, struct err *e)
{
    struct span project = {0};
    size_t format = TABLE_TEXT;
    struct table t;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    if (option_given(in, "project"))
        project = span_of(option_text(in, "project", ""));
    table_init(&t, columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = db_scan_each(in->db, project, add_scan, &t, e);
    return table_end(&t, status, (enum table_format)format);
}

static const struct option_spec options[] = {
    {"project", '\0', "NAME", "the scans of this project"},
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign scans", NULL},
    {NULL, NULL},
};

const struct command command_campaign_scans = {
    .name = "campaign scans",
    .summary = "List the scans that check kept: projects, versions, how much was found",
    .options = options,
    .description =
        "In the order of the code's dates, project by project. The exit code is 1 when there is\n"
        "none.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_scans,
};
