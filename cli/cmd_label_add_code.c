/* label add-code: a new code, and which codes it is to be told from. */
#include "cli/options.h"
#include "db/codebook.h"

static bool has_category(const struct codebook *c, struct span list, struct span category)
{
    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list) && span_eq(c->codes[i].category, category))
            return true;
    return false;
}

/* A new category is said, for it may be a slip. Tables of facets that share a list show no categories, so
 * that such a list keeps having none. */
static enum status MUST_USE check_category(const struct stored_codebook *book, struct span list,
                                           struct span category, struct err *e)
{
    const struct codebook *c = &book->codebook;
    bool has_any = codebook_has_categories(c, list);

    if (!has_any && category.len > 0 &&
        facets_share(book->facets, facets_list(book->facets, list)) > 1)
        return err_set(e, ST_USAGE, "label add-code: a %s has no --category", list.ptr);
    if (has_any && category.len == 0)
        return err_set(e, ST_USAGE, "label add-code: a %s needs a --category; `ppmine label codes`"
                       " lists those there are", list.ptr);
    if (category.len > 0 && !has_category(c, list, category))
        log_info("'%.*s' is a new category of the facet '%s'", (int)category.len, category.ptr,
                 list.ptr);
    return ST_OK;
}

static struct span text_or_absent(const struct invocation *in, const char *option)
{
    const char *text = option_text(in, option, NULL);

    return text != NULL ? span_trim(span_of(text)) : (struct span){0};
}

static enum status MUST_USE add_code(const struct invocation *in, struct code_change *c,
                                     struct span list, struct span name, struct err *e)
{
    const struct codebook *book = &c->book.codebook;
    const char *names[GIVEN_MAX], *rule = option_text(in, "rule", NULL);
    size_t n = option_texts(in, "versus", names), versus[GIVEN_MAX];
    struct db_code code = {
        .facet = list,
        .category = text_or_absent(in, "category"),
        .name = name,
        .short_name = text_or_absent(in, "short-name"),
        .definition = text_or_absent(in, "definition"),
    };
    enum status status = check_category(&c->book, list, code.category, e);

    if (status == ST_OK && rule != NULL && n == 0)
        status = err_set(e, ST_USAGE, "label add-code: --rule needs --versus");
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = code_option(in, book, list, "--versus", names[i], &versus[i], e);
    if (status != ST_OK)
        return status;
    return code_change_add(c, &code, versus, n, span_of(rule), e);
}

static enum status run_label_add_code(struct invocation *in, struct err *e)
{
    struct span name = span_trim(span_of(in->operands[0])), list = SPAN("");
    size_t place = SIZE_MAX;
    struct code_change c;
    enum status status = code_change_option(&c, in, e);

    if (status == ST_OK)
        status = list_option(in, NULL, &place, e);
    if (status == ST_OK && place == SIZE_MAX) {
        struct buf lists = {0};
        facets_add_lists(invocation_facets(in), " or ", &lists);
        status = err_set(e, ST_USAGE, "label add-code: --facet is needed: %s", buf_cstr(&lists));
        buf_clear(&lists);
    } else if (status == ST_OK) {
        list = invocation_facets(in)->lists[place];
        status = add_code(in, &c, list, name, e);
    }
    return code_change_say(&c, status, "add", list, name, e);
}

static const struct option_spec options[] = {
    {"facet", '\0', "FACET", "{lists} (required)"},
    {"category", '\0', "NAME", "category, where the facet has categories"},
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
