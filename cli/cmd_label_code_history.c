/* label code-history: what became of the codebook. */
#include "cli/command.h"
#include "db/codebook.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "version", .kind = TABLE_INT}, {.name = "changed_at"}, {.name = "changed_by"},
    {.name = "action"}, {.name = "facet"}, {.name = "code"}, {.name = "became"},
    {.name = "reason", .max_width = 60},
};

static void add_change(void *ctx, const struct db_code_change *change)
{
    struct table *t = ctx;

    table_add_int(t, change->version);
    table_add_text(t, change->changed_at);
    table_add_text(t, change->changed_by);
    table_add_text(t, change->action);
    table_add_text(t, change->facet);
    table_add_text(t, change->code);
    table_add_text(t, change->became);
    table_add_text(t, change->reason);
}

static enum status run_label_code_history(struct invocation *in, struct err *e)
{
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    table_init(&t, "code-history", "Changes of the codebook", columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = db_code_change_each(in->db, add_change, &t, e);
    return table_end(&t, status, &out);
}

static const struct option_spec options[] = {
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label code-history", NULL},
    {NULL, NULL},
};

const struct command command_label_code_history = {
    .name = "label code-history",
    .summary = "List the changes of the codebook: who changed what, when and why",
    .options = options,
    .description =
        "Prints one row for each version after the first.",
    .examples = examples,
    .nothing = "the codebook was never changed",
    .needs = NEEDS_DB_READ,
    .run = run_label_code_history,
};
