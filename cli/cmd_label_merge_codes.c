/* label merge-codes: labels with one code count as of another from now on. */
#include "cli/code_change.h"

static enum status MUST_USE merge(struct code_change *c, size_t from, size_t into, struct err *e)
{
    const struct code *codes = c->book.codebook.codes;
    int64_t from_id = c->book.code_ids[from], into_id = c->book.code_ids[into];

    if (from == into)
        return err_set(e, ST_USAGE, "label merge-codes: '%.*s' is one code", (int)codes[from].name.len,
                       codes[from].name.ptr);
    code_change_became(c, codes[into].name);
    code_change_look_again(c, into_id);
    return db_code_retire(c->in->db, from_id, c->change.version, into_id, e);
}

static enum status run_label_merge_codes(struct invocation *in, struct err *e)
{
    const char *into_text = option_text(in, "into", NULL);
    struct code code = {0};
    size_t from, into;
    struct code_change c;
    enum status status = code_change_begin(&c, in, e);

    if (status == ST_OK && into_text == NULL)
        status = err_set(e, ST_USAGE, "label merge-codes: --into CODE is needed");
    if (status == ST_OK)
        status = code_change_find(&c, "the code", in->operands[0], &from, e);
    if (status == ST_OK) {
        code = c.book.codebook.codes[from];
        status = code_option(in, &c.book.codebook, codebook_facet(code.facet), "--into", into_text,
                             &into, e);
    }
    if (status == ST_OK)
        status = merge(&c, from, into, e);
    return code_change_end(&c, status, "merge", code.facet, code.name, e);
}

static const struct option_spec options[] = {
    {"into", '\0', "CODE", "the code that stays; needed"},
    {"facet", '\0', "FACET", "of the codes, where several have them"},
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
        "The code is no longer given; its names become aliases of the other one, and its labels\n"
        "count as of that one. Labels that had both codes have one now, and label review lists\n"
        "them.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_merge_codes,
};
