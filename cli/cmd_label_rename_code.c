/* label rename-code: another name for a code; the old one becomes an alias. */
#include "cli/code_change.h"
#include "db/codebook.h"

static enum status MUST_USE rename_code(struct code_change *c, size_t place, struct err *e)
{
    struct span name = span_trim(span_of(c->in->operands[1]));
    const struct code *code = &c->book.codebook.codes[place];
    const char *facet = codebook_facet(code->facet);
    struct err why;
    bool is_alias = codebook_find(&c->book.codebook, facet, name, &why) == place;
    enum status status = ST_OK;

    if (span_eq(code->name, name))
        return err_set(e, ST_INPUT, "'%.*s' is its name already", (int)name.len, name.ptr);
    if (!is_alias) /* an alias may become the name */
        status = code_change_name_is_new(c, facet, name, e);
    code_change_became(c, name);
    return status == ST_OK ? db_code_rename(c->in->db, c->book.code_ids[place], name, e) : status;
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
