/* label codes: the codebook, and how to tell its codes apart. */
#include "cli/options.h"
#include "coding/published.h"
#include "coding/stored_codebook.h"
#include "table/table.h"

#include <unistd.h>

/* --- the codes --- */

/* Those of codebook.csv, so that --format csv --raw gives one. */
static const struct table_column code_columns[] = {
    {.name = "facet"}, {.name = "category"}, {.name = "code"}, {.name = "short_name"},
    {.name = "definition", .max_width = 60}, {.name = "aliases", .max_width = 30},
};

static struct span or_absent(struct span s)
{
    return s.len > 0 ? s : (struct span){0};
}

static void add_codes(struct table *t, const struct codebook *c, struct span list)
{
    for (size_t i = 0; i < c->n_codes; i++) {
        const struct code *code = &c->codes[i];
        if (list.ptr != NULL && !span_eq(code->facet, list))
            continue;
        table_add_text(t, code->facet);
        table_add_text(t, or_absent(code->category));
        table_add_text(t, code->name);
        table_add_text(t, or_absent(code->short_name));
        table_add_text(t, or_absent(code->definition));
        table_add_text(t, or_absent(code->aliases));
    }
}

/* --- the guide --- */

static const struct table_column rule_columns[] = {
    {.name = "facet"}, {.name = "code"}, {.name = "versus"}, {.name = "rule"},
};

/* What is said about the two codes, whichever is told from the other; `versus` SIZE_MAX: of one
 * code and any other. */
static void add_rules(struct table *t, const struct codebook *c, size_t code, size_t versus)
{
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct disambiguation *rule = &c->rules[i];
        bool there = rule->code == code && (versus == SIZE_MAX || rule->versus == versus);
        bool back = rule->versus == code && (versus == SIZE_MAX || rule->code == versus);
        if (!there && !back)
            continue;
        table_add_text(t, c->codes[rule->code].facet);
        table_add_text(t, c->codes[rule->code].name);
        table_add_text(t, c->codes[rule->versus].name);
        table_add_text(t, rule->rule);
    }
}

static enum status MUST_USE fill_rules(const struct invocation *in, const struct codebook *c,
                                       struct span list, struct table *t, struct err *e)
{
    const char *versus = option_text(in, "versus", NULL);
    size_t one, other = SIZE_MAX;
    enum status status =
        code_option(in, c, list, "--code", option_text(in, "code", ""), &one, e);

    if (status != ST_OK)
        return status;
    if (versus != NULL) /* of the same list */
        status = code_option(in, c, c->codes[one].facet, "--versus", versus, &other, e);
    if (status == ST_OK)
        add_rules(t, c, one, other);
    return status == ST_OK && table_rows(t) == 0 ? ST_NO : status;
}

/* --- the command --- */

/* Of the study that is built in. */
static enum status MUST_USE read_embedded(struct codebook *c, struct err *e)
{
    struct study study;
    struct facets facets = {0};
    enum status status = study_load(&study, NULL, e);

    if (status == ST_OK)
        status = facets_of_study(&facets, &study, e);
    if (status == ST_OK)
        status = codebook_of_study(c, &facets, &study, e);
    facets_clear(&facets);
    study_clear(&study);
    return status;
}

static enum status MUST_USE print_codes(const struct invocation *in, const struct codebook *c,
                                        struct span list, const struct table_output *out,
                                        struct err *e)
{
    bool guide = option_given(in, "code");
    enum status status = ST_OK;
    struct table t;

    if (guide)
        table_init(&t, "guide", "How to tell codes apart", rule_columns, ARRAY_LEN(rule_columns));
    else
        table_init(&t, "codebook", "Codebook", code_columns, ARRAY_LEN(code_columns));
    if (guide)
        status = fill_rules(in, c, list, &t, e);
    else
        add_codes(&t, c, list);
    if (status == ST_OK)
        table_print(&t, out);
    table_clear(&t);
    return status;
}

static enum status run_label_codes(struct invocation *in, struct err *e)
{
    size_t list = SIZE_MAX;
    struct table_output out;
    bool stored = option_given(in, "db") || access(in->db_path, F_OK) == 0;
    struct stored_codebook book = {0};
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = list_option(in, NULL, &list, e);
    if (status == ST_OK && option_given(in, "versus") && !option_given(in, "code"))
        status = err_set(e, ST_USAGE, "label codes: --versus needs --code");
    if (status == ST_OK && stored)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = stored ? stored_codebook_load(&book, in->db, e)
                        : read_embedded(&book.codebook, e);
    if (status == ST_OK)
        status = print_codes(in, &book.codebook,
                             list != SIZE_MAX ? book.codebook.lists[list] : (struct span){0}, &out,
                             e);
    stored_codebook_clear(&book);
    return status;
}

static const struct option_spec options[] = {
    {"facet", '\0', "FACET", "list only the codes of {lists}"},
    {"code", '\0', "CODE", "print how to tell this code from others, instead of the codes"},
    {"versus", '\0', "CODE", "with --code: print how to tell these two codes apart"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label codes", "the codebook of the study"},
    {"ppmine label codes --code 'program hang' --versus 'slow execution time'",
     "the guide's words for the pair"},
    {NULL, NULL},
};

const struct command command_label_codes = {
    .name = "label codes",
    .summary = "List the codebook, or how to tell its codes apart",
    .options = options,
    .description =
        "Prints the codebook of the database, or of the built-in study when there is no database. A\n"
        "code is named by its name, short name or alias, in any case, with or without its category:\n"
        "'out of memory', 'Memory: OOM'.",
    .examples = examples,
    .nothing = "with --code, the guide says nothing about these codes",
    .needs = NEEDS_DB_PATH,
    .run = run_label_codes,
};
