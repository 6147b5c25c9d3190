/* campaign list: findings, where they stand now, and what became of them. */
#include "cli/command.h"
#include "db/campaign.h"
#include "table/table.h"

static const char *const states[] = {"none", "reported", "confirmed", "fixed", "refused", NULL};

static const struct table_column columns[] = {
    {.name = "finding"}, {.name = "project", .max_width = 30}, {.name = "rule"},
    {.name = "severity"}, {.name = "file", .max_width = 40}, {.name = "line", .kind = TABLE_INT},
    {.name = "cell", .kind = TABLE_INT}, {.name = "function", .max_width = 30}, {.name = "seen"},
    {.name = "commit", .max_width = 12}, {.name = "since", .kind = TABLE_INT},
    {.name = "since_commit", .max_width = 12}, {.name = "remark"}, {.name = "state"},
    {.name = "url"}, {.name = "message", .max_width = 60},
};

static void add_optional(struct table *t, int64_t value)
{
    if (value == 0)
        table_add_absent(t);
    else
        table_add_int(t, value);
}

/* What to think of before believing what `seen` says. */
static struct span remark(const struct db_finding *f)
{
    if (f->gone_since != 0 && f->tool_differs)
        return SPAN("another tool");
    if (f->still_found && !f->returned)
        return SPAN("still found");
    return f->returned ? SPAN("came back") : (struct span){0};
}

static void add_finding(void *ctx, const struct db_finding *f)
{
    struct table *t = ctx;

    table_add_text(t, f->finding_id);
    table_add_text(t, f->project);
    table_add_text(t, f->rule);
    table_add_text(t, f->severity);
    table_add_text(t, f->file);
    table_add_int(t, f->line);
    add_optional(t, f->cell);
    table_add_text(t, f->function);
    table_add_text(t, f->seen);
    table_add_text(t, f->commit);
    add_optional(t, f->gone_since);
    table_add_text(t, f->gone_commit);
    table_add_text(t, remark(f));
    table_add_text(t, f->state);
    table_add_text(t, f->url);
    table_add_text(t, f->message);
}

static enum status MUST_USE read_query(const struct invocation *in, struct db_finding_query *q,
                                       struct err *e)
{
    size_t state = SIZE_MAX, seen = SIZE_MAX;
    enum status status = option_choice(in, "state", states, &state, e);

    if (status == ST_OK)
        status = option_choice(in, "seen", db_seen_names, &seen, e);
    if (option_given(in, "project"))
        q->project = span_of(option_text(in, "project", ""));
    if (option_given(in, "rule"))
        q->rule = span_of(option_text(in, "rule", ""));
    if (state != SIZE_MAX)
        q->state = span_of(states[state]);
    if (seen != SIZE_MAX)
        q->seen = span_of(db_seen_names[seen]);
    return status;
}

static enum status run_campaign_list(struct invocation *in, struct err *e)
{
    struct db_finding_query query = {0};
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    table_init(&t, "campaign-list", "Findings", columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = read_query(in, &query, e);
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = db_finding_each(in->db, &query, add_finding, &t, e);
    return table_end(&t, status, &out);
}

static const struct option_spec options[] = {
    {"project", '\0', "NAME", "list the findings of this project"},
    {"rule", '\0', "RULE", "list the findings of this rule, or of those that begin so: PP1"},
    {"state", '\0', "STATE", "list this state: none, reported, confirmed, fixed or refused"},
    {"seen", '\0', "HOW", "list by how it was last seen: found, ignored, baseline, unread or gone"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign list --state none --seen found", "what could be reported"},
    {"ppmine campaign list --state reported --seen gone", "fixed without an answer?"},
    {"ppmine campaign list --state fixed --seen found", "not fixed after all?"},
    {NULL, NULL},
};

const struct command command_campaign_list = {
    .name = "campaign list",
    .summary = "List findings, with how they were last seen and their state",
    .options = options,
    .description =
        "A finding is gone when a later scan with the same options did not see it; `since` is that\n"
        "scan. This is evidence for a fix, not proof.",
    .examples = examples,
    .nothing = "there is no such finding",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_list,
};
