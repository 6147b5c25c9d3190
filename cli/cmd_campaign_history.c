/* campaign history: what was said of findings, by whom and when, and which scans saw one. */
#include "cli/command.h"
#include "db/campaign.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "at"}, {.name = "finding"}, {.name = "what"}, {.name = "scan", .kind = TABLE_INT},
    {.name = "commit", .max_width = 12}, {.name = "by"}, {.name = "happened"}, {.name = "undone"},
    {.name = "url"}, {.name = "reason", .max_width = 60},
};

static void add_event(void *ctx, const struct db_finding_event *event)
{
    struct table *t = ctx;

    table_add_text(t, event->at);
    table_add_text(t, event->finding_id);
    table_add_text(t, event->what);
    if (event->scan_id != 0)
        table_add_int(t, event->scan_id);
    else
        table_add_absent(t);
    table_add_text(t, event->commit);
    table_add_text(t, event->by);
    table_add_text(t, event->happened);
    table_add_text(t, event->undone ? SPAN("yes") : (struct span){0});
    table_add_text(t, event->url);
    table_add_text(t, event->reason);
}

static enum status run_campaign_history(struct invocation *in, struct err *e)
{
    char id[DB_FINDING_ID_LEN + 1];
    struct span finding = {0};
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    table_init(&t, "campaign-history", "What was said of findings", columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK && in->n_operands > 0) {
        status = db_finding_find(in->db, span_of(in->operands[0]), id, e);
        finding = span_of(id);
    }
    if (status == ST_OK)
        status = db_finding_event_each(in->db, finding, add_event, &t, e);
    return table_end(&t, status, &out);
}

static const struct option_spec options[] = {
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign history 5e1f", "states, and the scans that could see it"},
    {"ppmine campaign history --format csv > history.csv", "all that was ever said"},
    {NULL, NULL},
};

const struct command command_campaign_history = {
    .name = "campaign history",
    .summary = "List the states of findings: who set them and when",
    .operands = "[FINDING]",
    .max_operands = 1,
    .options = options,
    .description =
        "The oldest comes first; states that were undone say so. For one finding, the list also has\n"
        "the scans that could see it, each with found or gone.",
    .examples = examples,
    .nothing = "there is no such finding or event",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_history,
};
