/* label split-code: a code gives way to others, and its labels must be decided anew. */
#include "cli/options.h"
#include "db/codebook.h"

static enum status MUST_USE split(struct invocation *in, struct code_change *c, size_t from,
                                  struct err *e)
{
    const char *names[GIVEN_MAX];
    size_t n = option_texts(in, "into", names), into[GIVEN_MAX];
    const struct code *codes = c->book.codebook.codes;
    enum status status = ST_OK;

    if (n < 2)
        return err_set(e, ST_USAGE, "label split-code: --into CODE is needed twice or more; make the"
                       " codes with label add-code first");
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        status = code_option(in, &c->book.codebook, codes[from].facet, "--into", names[i],
                             &into[i], e);
        if (status == ST_OK && into[i] == from)
            status = err_set(e, ST_USAGE, "label split-code: '%.*s' gives way to the others; it"
                             " cannot be one of them", (int)codes[from].name.len,
                             codes[from].name.ptr);
    }
    return status == ST_OK ? code_change_split(c, from, into, n, e) : status;
}

static enum status run_label_split_code(struct invocation *in, struct err *e)
{
    return code_change_run(in, "split", split, e);
}

static const struct option_spec options[] = {
    {"into", '\0', "CODE…", "a code that replaces it; at least two (required)"},
    {"facet", '\0', "FACET", "facet of the codes, when several facets have them"},
    CODE_CHANGE_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label split-code training --into 'data preparation' --into evaluation"
     " --by ann --why 'too broad'", "its labels are listed by label review"},
    {NULL, NULL},
};

const struct command command_label_split_code = {
    .name = "label split-code",
    .summary = "Split a code into others",
    .operands = "CODE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "The code is no longer given. Its labels stay, also in the statistics, until they are\n"
        "decided again: `label review` lists them. Create new codes with `label add-code` first.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_split_code,
};
