/* label review: labels that the codebook has changed under. */
#include "cli/options.h"
#include "coding/coders.h"
#include "db/codebook.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "problem_id"}, {.name = "facet"}, {.name = "coder"}, {.name = "code"},
    {.name = "version", .kind = TABLE_INT}, {.name = "action"}, {.name = "changed_at"},
    {.name = "changed_by"}, {.name = "reason", .max_width = 60},
};

static void add_review(void *ctx, const struct db_review *review)
{
    struct table *t = ctx;

    table_add_text(t, review->problem_id);
    table_add_text(t, review->facet);
    table_add_text(t, review->coder);
    table_add_text(t, review->code);
    table_add_int(t, review->change.version);
    table_add_text(t, review->change.action);
    table_add_text(t, review->change.changed_at);
    table_add_text(t, review->change.changed_by);
    table_add_text(t, review->change.reason);
}

static enum status run_label_review(struct invocation *in, struct err *e)
{
    const char *coder = option_text(in, "coder", NULL);
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    table_init(&t, "label-review", "Labels to look at again", columns, ARRAY_LEN(columns));
    if (status == ST_OK && (coder != NULL) == option_given(in, "all-coders"))
        status = err_set(e, ST_USAGE, "label review: --coder NAME, or --all-coders, which shows"
                         " what others coded");
    if (status == ST_OK && coder != NULL)
        status = coder_must_exist(in->db, span_of(coder), e);
    if (status == ST_OK)
        status = db_review_each(in->db, coder != NULL ? span_of(coder) : (struct span){0},
                                add_review, &t, e);
    return table_end(&t, status, &out);
}

static const struct option_spec options[] = {
    {"coder", 'c', "NAME", "list the labels of this coder"},
    {"all-coders", '\0', NULL, "list the labels of all coders; not for coders who code blind"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label review --coder ann", NULL},
    {NULL, NULL},
};

const struct command command_label_review = {
    .name = "label review",
    .summary = "List labels to check again since the codebook changed",
    .options = options,
    .description =
        "Setting a label again, even to the same code, takes it off the list.",
    .examples = examples,
    .nothing = "nothing is left to check",
    .needs = NEEDS_DB_READ,
    .run = run_label_review,
};
