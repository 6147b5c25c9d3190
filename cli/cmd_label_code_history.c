/* label code-history: what became of the codebook. */
#include "cli/command.h"
#include "cli/table.h"
#include "db/codebook.h"

static const struct table_column columns[] = {
    {"version", true, 0}, {"changed_at", false, 0}, {"changed_by", false, 0}, {"action", false, 0},
    {"facet", false, 0},  {"code", false, 0},       {"became", false, 0},     {"reason", false, 60},
};

static void add_change(void *ctx, const struct db_code_change *change)
{
    struct table *t = ctx;

    table_add_int(t, change->version);
    table_add(t, change->changed_at);
    table_add(t, change->changed_by);
    table_add(t, change->action);
    table_add(t, change->facet);
    table_add(t, change->code);
    table_add(t, change->became);
    table_add(t, change->reason);
}

static enum status run_label_code_history(struct invocation *in, struct err *e)
{
    size_t format = TABLE_TEXT;
    struct table t;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    table_init(&t, columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = db_code_change_each(in->db, add_change, &t, e);
    return table_end(&t, status, (enum table_format)format);
}

static const struct option_spec options[] = {
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label code-history", NULL},
    {NULL, NULL},
};

const struct command command_label_code_history = {
    .name = "label code-history",
    .summary = "List what became of the codebook: who changed what, when and why",
    .options = options,
    .description =
        "One row for each version after the first. The exit code is 1 when nothing was changed.",
    .examples = examples,
    .needs = NEEDS_DB_READ,
    .run = run_label_code_history,
};
