/* label rename-code: another name for a code; the old one becomes an alias. */
#include "cli/options.h"
#include "db/codebook.h"

static enum status MUST_USE rename_code(struct invocation *in, struct code_change *c, size_t place,
                                        struct err *e)
{
    return code_change_rename(c, place, span_trim(span_of(in->operands[1])), e);
}

static enum status run_label_rename_code(struct invocation *in, struct err *e)
{
    return code_change_run(in, "rename", rename_code, e);
}

static const struct option_spec options[] = {
    {"facet", '\0', "FACET", "facet of the code, when several facets have it"},
    CODE_CHANGE_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label rename-code 'program hang' 'endless run' --by ann --why 'clearer'",
     "labels stay what they are"},
    {NULL, NULL},
};

const struct command command_label_rename_code = {
    .name = "label rename-code",
    .summary = "Rename a code",
    .operands = "CODE NAME",
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .description =
        "The old name stays as an alias. Labels given under it stay valid: none must be checked\n"
        "again.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_rename_code,
};
