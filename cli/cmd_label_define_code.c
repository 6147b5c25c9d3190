/* label define-code: another definition or short name of a code. */
#include "cli/options.h"
#include "db/codebook.h"

static enum status MUST_USE define(struct invocation *in, struct code_change *c, size_t place,
                                   struct err *e)
{
    const char *definition = option_text(in, "definition", NULL);
    const char *short_name = option_text(in, "short-name", NULL);
    struct span none = {0};

    if (definition == NULL && short_name == NULL)
        return err_set(e, ST_USAGE, "label define-code: --definition or --short-name is missing");
    return code_change_define(c, place,
                              definition != NULL ? span_trim(span_of(definition)) : none,
                              short_name != NULL ? span_trim(span_of(short_name)) : none,
                              option_given(in, "same-meaning"), e);
}

static enum status run_label_define_code(struct invocation *in, struct err *e)
{
    return code_change_run(in, "define", define, e);
}

static const struct option_spec options[] = {
    {"definition", '\0', "TEXT", "when to give the code"},
    {"short-name", '\0', "NAME", "name for narrow tables"},
    {"same-meaning", '\0', NULL, "only the wording changed: no label must be checked again"},
    {"facet", '\0', "FACET", "facet of the code, when several facets have it"},
    CODE_CHANGE_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label define-code 'program hang' --definition 'No end within a day.'"
     " --by ann --why 'coders differed'", "and list the hangs in label review"},
    {NULL, NULL},
};

const struct command command_label_define_code = {
    .name = "label define-code",
    .summary = "Change the definition of a code",
    .operands = "CODE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "Labels given under the older definition must be checked again: `label review` lists them.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_define_code,
};
