/* campaign history: what was said of findings, by whom and when, and which scans saw one. */
#include "cli/command.h"
#include "cli/table.h"
#include "db/campaign.h"

static const struct table_column columns[] = {
    {"at", false, 0},     {"finding", false, 0}, {"what", false, 0},     {"scan", true, 0},
    {"commit", false, 12}, {"by", false, 0},     {"happened", false, 0}, {"undone", false, 0},
    {"url", false, 0},    {"reason", false, 60},
};

static void add_event(void *ctx, const struct db_finding_event *event)
{
    struct table *t = ctx;

    table_add(t, event->at);
    table_add(t, event->finding_id);
    table_add(t, event->what);
    if (event->scan_id != 0)
        table_add_int(t, event->scan_id);
    else
        table_add(t, (struct span){0});
    table_add(t, event->commit);
    table_add(t, event->by);
    table_add(t, event->happened);
    table_add(t, event->undone ? SPAN("yes") : (struct span){0});
    table_add(t, event->url);
    table_add(t, event->reason);
}

static enum status run_campaign_history(struct invocation *in, struct err *e)
{
    char id[DB_FINDING_ID_LEN + 1];
    struct span finding = {0};
    size_t format = TABLE_TEXT;
    struct table t;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    table_init(&t, columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK && in->n_operands > 0) {
        status = db_finding_find(in->db, span_of(in->operands[0]), id, e);
        finding = span_of(id);
    }
    if (status == ST_OK)
        status = db_finding_event_each(in->db, finding, add_event, &t, e);
    return table_end(&t, status, (enum table_format)format);
}

static const struct option_spec options[] = {
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign history 5e1f", "states, and the scans that could see it"},
    {"ppmine campaign history --format csv > history.csv", "all that was ever said"},
    {NULL, NULL},
};

const struct command command_campaign_history = {
    .name = "campaign history",
    .summary = "List what was said of findings, by whom and when",
    .operands = "[FINDING]",
    .max_operands = 1,
    .options = options,
    .description =
        "The oldest first; what was undone says so. Of one finding, the scans that could see it\n"
        "stand between: found, or gone. The exit code is 1 when there is nothing.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_history,
};
