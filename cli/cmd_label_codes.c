/* label codes: the codebook, and how to tell its codes apart. */
#include "cli/command.h"
#include "cli/published.h"
#include "cli/study_set.h"
#include "cli/table.h"

#include <unistd.h>

/* --- the codes --- */

/* Those of codebook.csv, so that --format csv gives one. */
static const struct table_column code_columns[] = {
    {"facet", false, 0},      {"category", false, 0},    {"code", false, 0},
    {"short_name", false, 0}, {"definition", false, 60}, {"aliases", false, 30},
};

static struct span or_absent(struct span s)
{
    return s.len > 0 ? s : (struct span){0};
}

static void add_codes(struct table *t, const struct codebook *c, const char *facet)
{
    for (size_t i = 0; i < c->n_codes; i++) {
        const struct code *code = &c->codes[i];
        if (facet != NULL && !span_eq(code->facet, span_of(facet)))
            continue;
        table_add(t, code->facet);
        table_add(t, or_absent(code->category));
        table_add(t, code->name);
        table_add(t, or_absent(code->short_name));
        table_add(t, or_absent(code->definition));
        table_add(t, or_absent(code->aliases));
    }
}

/* --- the guide --- */

static const struct table_column rule_columns[] = {
    {"facet", false, 0}, {"code", false, 0}, {"versus", false, 0}, {"rule", false, 0},
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
        table_add(t, c->codes[rule->code].facet);
        table_add(t, c->codes[rule->code].name);
        table_add(t, c->codes[rule->versus].name);
        table_add(t, rule->rule);
    }
}

static const char *const facets[] = {"symptom", "root cause", "stage", NULL};

/* A code by name in the facet, or with NULL in the only one that has it. */
static enum status MUST_USE find_code(const struct codebook *c, const char *facet,
                                      const char *option, const char *text, size_t *code,
                                      struct err *e)
{
    struct err why;

    *code = SIZE_MAX;
    for (size_t i = 0; facets[i] != NULL; i++) {
        if (facet != NULL && strcmp(facet, facets[i]) != 0)
            continue;
        size_t found = codebook_find(c, facets[i], span_of(text), &why);
        if (found != SIZE_MAX && *code != SIZE_MAX)
            return err_set(e, ST_USAGE, "label codes: --%s '%s' is a %.*s and a %s: say which with"
                           " --facet", option, text, (int)c->codes[*code].facet.len,
                           c->codes[*code].facet.ptr, facets[i]);
        if (found != SIZE_MAX)
            *code = found;
    }
    if (*code != SIZE_MAX)
        return ST_OK;
    if (facet != NULL)
        return err_set(e, ST_USAGE, "label codes: --%s: %s", option, why.text);
    return err_set(e, ST_USAGE, "label codes: --%s: no code '%s' in the codebook; `ppmine label"
                   " codes` lists them", option, text);
}

static enum status MUST_USE fill_rules(struct invocation *in, const struct codebook *c,
                                       const char *facet, struct table *t, struct err *e)
{
    const char *versus = option_text(in, "versus", NULL);
    size_t one, other = SIZE_MAX;
    enum status status = find_code(c, facet, "code", option_text(in, "code", ""), &one, e);

    if (status != ST_OK)
        return status;
    if (versus != NULL) {
        char found_facet[32]; /* both are of one facet */
        snprintf(found_facet, sizeof found_facet, "%.*s", (int)c->codes[one].facet.len,
                 c->codes[one].facet.ptr);
        status = find_code(c, found_facet, "versus", versus, &other, e);
    }
    if (status == ST_OK)
        add_rules(t, c, one, other);
    return status == ST_OK && table_rows(t) == 0 ? ST_NO : status;
}

/* --- the command --- */

/* The codebook of the database, or the one that is built in. */
static enum status MUST_USE read_codebook(struct invocation *in, struct codebook *c,
                                          struct err *e)
{
    bool named = option_given(in, "db") || access(in->db_path, F_OK) == 0;
    struct study study = {0};
    enum status status = named ? invocation_open_db(in, DB_READ, e) : ST_OK;

    *c = (struct codebook){0};
    if (status == ST_OK)
        status = in->db != NULL ? study_of_db(&study, in->db, e) : study_load(&study, NULL, e);
    if (status == ST_OK)
        status = study_codebook(c, &study, e);
    if (status == ST_OK && c->n_codes == 0)
        status = err_set(e, ST_INPUT, "the study '%.*s' has no codebook.csv", (int)study.name.len,
                         study.name.ptr);
    study_clear(&study);
    return status;
}

static enum status run_label_codes(struct invocation *in, struct err *e)
{
    bool guide = option_given(in, "code");
    size_t format = TABLE_TEXT, facet = ARRAY_LEN(facets) - 1;
    struct codebook codebook;
    struct table t;
    enum status status = option_choice(in, "format", table_formats, &format, e);

    if (status == ST_OK)
        status = option_choice(in, "facet", facets, &facet, e);
    if (status == ST_OK && option_given(in, "versus") && !guide)
        status = err_set(e, ST_USAGE, "label codes: --versus goes with --code");
    if (status != ST_OK)
        return status;
    if (guide)
        table_init(&t, rule_columns, ARRAY_LEN(rule_columns));
    else
        table_init(&t, code_columns, ARRAY_LEN(code_columns));
    status = read_codebook(in, &codebook, e);
    if (status == ST_OK && guide)
        status = fill_rules(in, &codebook, facets[facet], &t, e);
    else if (status == ST_OK)
        add_codes(&t, &codebook, facets[facet]);
    if (status == ST_OK)
        table_print(&t, (enum table_format)format, SIZE_MAX, stdout);
    table_clear(&t);
    codebook_clear(&codebook);
    return status;
}

static const struct option_spec options[] = {
    {"facet", '\0', "FACET", "only the codes of symptom, root cause or stage"},
    {"code", '\0', "CODE", "how to tell this code from others, instead of the codes"},
    {"versus", '\0', "CODE", "with --code: how to tell these two apart"},
    {"format", 'f', "FORMAT", "text, csv, json or ndjson"},
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
        "Codes are given by name, short name or alias, in any case, with or without the category:\n"
        "'out of memory', 'Memory: OOM'. The codebook is that of the database; without one it is\n"
        "that of the study that is built in. With --code the exit code is 1 where the guide says\n"
        "nothing.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_label_codes,
};
