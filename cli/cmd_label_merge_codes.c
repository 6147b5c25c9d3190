/* label merge-codes: labels with one code count as of another from now on. */
#include "cli/options.h"
#include "db/codebook.h"

static enum status MUST_USE merge(struct invocation *in, struct code_change *c, size_t from,
                                  struct err *e)
{
    const char *into_text = option_text(in, "into", NULL);
    const struct code *codes = c->book.codebook.codes;
    size_t into = SIZE_MAX;

    if (into_text == NULL)
        return err_set(e, ST_USAGE, "label merge-codes: --into CODE is needed");
    enum status status =
        code_option(in, &c->book.codebook, codes[from].facet, "--into", into_text, &into, e);
    if (status == ST_OK && from == into)
        return err_set(e, ST_USAGE, "label merge-codes: '%.*s' is one code",
                       (int)codes[from].name.len, codes[from].name.ptr);
    return status == ST_OK ? code_change_merge(c, from, into, e) : status;
}

static enum status run_label_merge_codes(struct invocation *in, struct err *e)
{
    return code_change_run(in, "merge", merge, e);
}

static const struct option_spec options[] = {
    {"into", '\0', "CODE", "the code that stays (required)"},
    {"facet", '\0', "FACET", "facet of the codes, when several facets have them"},
    CODE_CHANGE_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label merge-codes 'not using batch API' --into 'not using efficient API'"
     " --by ann --why 'coders cannot tell them apart'", NULL},
    {NULL, NULL},
};

const struct command command_label_merge_codes = {
    .name = "label merge-codes",
    .summary = "Merge a code into another",
    .operands = "CODE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "The code is no longer given. Its names become aliases of the other code, and its labels\n"
        "count for the other code. `label review` lists the labels that had both codes and now have\n"
        "one.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_merge_codes,
};
