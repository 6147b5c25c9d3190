/* label history: what was decided, when, with which codebook, and what of it was undone. */
#include "cli/options.h"
#include "coding/coders.h"
#include "db/decisions.h"
#include "label/label.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "decided_at"}, {.name = "coder"}, {.name = "subject"}, {.name = "facet"},
    {.name = "value", .max_width = 60}, {.name = "codebook_version", .kind = TABLE_INT},
    {.name = "undone"}, {.name = "reason", .max_width = 60},
};

static void add_event(void *ctx, const struct db_event *event)
{
    struct table *t = ctx;

    table_add_text(t, event->decided_at);
    table_add_text(t, event->coder);
    table_add_text(t, event->subject);
    table_add_text(t, event->facet);
    table_add_text(t, event->value);
    table_add_int(t, event->codebook_version);
    table_add_text(t, event->undone ? SPAN("yes") : (struct span){0});
    table_add_text(t, event->reason);
}

/* ptr NULL for all coders. */
static enum status MUST_USE whose(const struct invocation *in, struct buf *name,
                                  struct span *coder, struct err *e)
{
    *coder = (struct span){0};
    if (option_given(in, "all-coders") && option_given(in, "coder"))
        return err_set(e, ST_USAGE, "label history: --coder or --all-coders, not both");
    if (option_given(in, "all-coders"))
        return ST_OK;
    enum status status = coder_option(in, name, e);
    *coder = buf_span(name);
    return status;
}

static enum status run_label_history(struct invocation *in, struct err *e)
{
    struct table_output out;
    int64_t post_id = 0;
    struct buf name = {0};
    struct span coder;
    struct table t;
    enum status status = whose(in, &name, &coder, e);

    table_init(&t, "label-history", "Decisions", columns, ARRAY_LEN(columns));
    if (status == ST_OK)
        status = output_option(in, TABLE_AS_TEXT, &out, e);
    if (status == ST_OK && in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &post_id))
        status = err_set(e, ST_USAGE, "label history: '%s': expected the id of a post",
                         in->operands[0]);
    if (status == ST_OK && coder.ptr != NULL)
        status = coder_must_exist(in->db, coder, e);
    if (status == ST_OK)
        status = db_event_each(in->db, coder, post_id, add_event, &t, e);
    status = table_end(&t, status, &out);
    buf_clear(&name);
    return status;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    {"all-coders", '\0', NULL, "list the decisions of all coders; not for coders who code blind"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label history --coder ann", NULL},
    {"ppmine label history --all-coders 48051647", "all that was decided about a post"},
    {NULL, NULL},
};

const struct command command_label_history = {
    .name = "label history",
    .summary = "List decisions: what, when, and with which codebook",
    .operands = "[POST]",
    .max_operands = 1,
    .options = options,
    .description =
        "Prints every decision, the oldest first, with those that were undone.",
    .examples = examples,
    .nothing = "there is no decision",
    .needs = NEEDS_DB_READ,
    .run = run_label_history,
};
