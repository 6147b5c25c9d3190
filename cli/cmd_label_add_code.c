/* label add-code: a new code, and which codes it is to be told from. */
#include "cli/code_change.h"
#include "db/codebook.h"

static bool has_category(const struct codebook *c, const char *facet, struct span category)
{
    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, span_of(facet)) &&
            span_eq(c->codes[i].category, category))
            return true;
    return false;
}

/* Stages have no category, the others have one; a new one is said, for it may be a slip. */
static enum status MUST_USE check_category(const struct code_change *c, const char *facet,
                                           struct span category, struct err *e)
{
    bool is_stage = strcmp(facet, "stage") == 0;

    if (is_stage && category.len > 0)
        return err_set(e, ST_USAGE, "label add-code: a stage has no --category");
    if (!is_stage && category.len == 0)
        return err_set(e, ST_USAGE, "label add-code: a %s needs a --category; `ppmine label codes`"
                       " lists those there are", facet);
    if (!is_stage && !has_category(&c->book.codebook, facet, category))
        log_info("'%.*s' is a new category of the facet '%s'", (int)category.len, category.ptr,
                 facet);
    return ST_OK;
}

/* The labels of the codes that the new one is set against were given when there was no choice. */
static enum status MUST_USE set_against(struct code_change *c, const char *facet, int64_t code_id,
                                        struct err *e)
{
    const char *names[GIVEN_MAX], *rule = option_text(c->in, "rule", NULL);
    size_t n = option_texts(c->in, "versus", names), place;
    enum status status = ST_OK;

    if (rule != NULL && n == 0)
        return err_set(e, ST_USAGE, "label add-code: --rule goes with --versus");
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        status = code_option(c->in, &c->book.codebook, facet, "--versus", names[i], &place, e);
        if (status != ST_OK)
            break;
        code_change_look_again(c, c->book.code_ids[place]);
        if (rule != NULL)
            status = db_disambiguation_put(c->in->db, code_id, c->book.code_ids[place],
                                           span_of(rule), e);
    }
    return status;
}

static struct span text_or_absent(const struct invocation *in, const char *option)
{
    const char *text = option_text(in, option, NULL);

    return text != NULL ? span_trim(span_of(text)) : (struct span){0};
}

static enum status MUST_USE add_code(struct code_change *c, const char *facet, struct span name,
                                     struct err *e)
{
    struct db_code code = {
        .facet = span_of(facet),
        .category = text_or_absent(c->in, "category"),
        .name = name,
        .short_name = text_or_absent(c->in, "short-name"),
        .definition = text_or_absent(c->in, "definition"),
    };
    int64_t code_id = 0;
    enum status status = check_category(c, facet, code.category, e);

    if (status == ST_OK)
        status = code_change_name_is_new(c, facet, name, e);
    if (status == ST_OK && code.short_name.len > 0)
        status = code_change_name_is_new(c, facet, code.short_name, e);
    if (status == ST_OK)
        status = db_code_put(c->in->db, &code, &code_id, e);
    code_change_became(c, name);
    return status == ST_OK ? set_against(c, facet, code_id, e) : status;
}

static enum status run_label_add_code(struct invocation *in, struct err *e)
{
    struct span name = span_trim(span_of(in->operands[0]));
    size_t facet = SIZE_MAX;
    struct code_change c;
    enum status status = code_change_begin(&c, in, e);

    if (status == ST_OK)
        status = option_choice(in, "facet", code_facets, &facet, e);
    if (status == ST_OK && facet == SIZE_MAX)
        status = err_set(e, ST_USAGE, "label add-code: --facet is needed: symptom, root cause or"
                         " stage");
    if (status == ST_OK)
        status = add_code(&c, code_facets[facet], name, e);
    return code_change_end(&c, status, "add", facet != SIZE_MAX ? span_of(code_facets[facet])
                                                                : SPAN(""), name, e);
}

static const struct option_spec options[] = {
    {"facet", '\0', "FACET", "symptom, root cause or stage (required)"},
    {"category", '\0', "NAME", "category of a symptom or a root cause"},
    {"definition", '\0', "TEXT", "when to give the code"},
    {"short-name", '\0', "NAME", "name for narrow tables"},
    {"versus", '\0', "CODE…", "labels with this code must be checked again"},
    {"rule", '\0', "TEXT", "with --versus: how to tell the two codes apart"},
    CODE_CHANGE_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label add-code 'slow shutdown' --facet symptom --category Time --versus 'program hang'"
     " --by ann --why 'four posts of the second round'", "and look at the hangs again"},
    {NULL, NULL},
};

const struct command command_label_add_code = {
    .name = "label add-code",
    .summary = "Add a code to the codebook",
    .operands = "NAME",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "Each change of the codebook raises its version by one; `label code-history` lists the\n"
        "changes. Labels with a code of --versus are listed by `label review`, to be checked again.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_add_code,
};
