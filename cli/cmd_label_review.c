/* label review: labels that the codebook has changed under. */
#include "cli/options.h"
#include "cli/table.h"
#include "coding/coders.h"
#include "db/codebook.h"

static const struct table_column columns[] = {
    {"problem_id", false, 0}, {"facet", false, 0},      {"coder", false, 0},
    {"code", false, 0},       {"version", true, 0},     {"action", false, 0},
    {"changed_at", false, 0}, {"changed_by", false, 0}, {"reason", false, 60},
};

static void add_review(void *ctx, const struct db_review *review)
{
    struct table *t = ctx;

    table_add(t, review->problem_id);
    table_add(t, review->facet);
    table_add(t, review->coder);
    table_add(t, review->code);
    table_add_int(t, review->change.version);
    table_add(t, review->change.action);
    table_add(t, review->change.changed_at);
    table_add(t, review->change.changed_by);
    table_add(t, review->change.reason);
}

static enum status run_label_review(struct invocation *in, struct err *e)
{
    const char *coder = option_text(in, "coder", NULL);
    size_t format = TABLE_TEXT;
    struct table t;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    table_init(&t, columns, ARRAY_LEN(columns));
    if (status == ST_OK && (coder != NULL) == option_given(in, "all-coders"))
        status = err_set(e, ST_USAGE, "label review: --coder NAME, or --all-coders, which shows"
                         " what others coded");
    if (status == ST_OK && coder != NULL)
        status = coder_must_exist(in->db, span_of(coder), e);
    if (status == ST_OK)
        status = db_review_each(in->db, coder != NULL ? span_of(coder) : (struct span){0},
                                add_review, &t, e);
    return table_end(&t, status, (enum table_format)format);
}

static const struct option_spec options[] = {
    {"coder", 'c', "NAME", "the labels of this coder"},
    {"all-coders", '\0', NULL, "those of all; not for coders who code blind"},
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label review --coder ann", NULL},
    {NULL, NULL},
};

const struct command command_label_review = {
    .name = "label review",
    .summary = "List labels that must be looked at again since the codebook changed",
    .options = options,
    .description =
        "To set a label anew, be it the same, takes it off the list. The exit code is 1 when nothing\n"
        "is left to do.",
    .examples = examples,
    .needs = NEEDS_DB_READ,
    .run = run_label_review,
};
