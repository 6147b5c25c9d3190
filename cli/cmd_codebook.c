/* codebook add, define, rename, merge, split, history, review: changes of the codebook. */
#include "cli/options.h"
#include "label/coding/decisions.h"
#include "label/coding/memo.h"
#include "label/code_table.h"
#include "base/table/table.h"
#include "base/log.h"

/* A change of the code that the first operand names: begins, finds the code, calls that of the command, and ends. */
static enum status run_change(struct invocation *in, struct err *e);

/* --- codebook add --- */

static struct span text_or_absent(const char *text)
{
    return text != NULL ? span_trim(span_of(text)) : (struct span){0};
}

static enum status MUST_USE add_code(const struct invocation *in, struct code_change *c, struct span list,
                                     struct span name, struct err *e)
{
    const struct codebook *book = &c->book.codebook;
    const struct facets *facets = c->book.facets;
    const char *rule = in->values.rule, **names = in->values.versus.at;
    size_t n = in->values.versus.n, versus[GIVEN_MAX];
    struct db_code code = {
        .facet = list,
        .category = text_or_absent(in->values.category),
        .name = name,
        .short_name = text_or_absent(in->values.short_name),
        .definition = text_or_absent(in->values.definition),
    };
    enum status status = ST_OK;
    bool has_any = codebook_has_categories(book, list), is_new = code.category.len > 0;

    /* Reports a new category, which may be a typing error. Tables of facets with a shared list show none, so the list
     * keeps having none. */
    for (size_t i = 0; i < book->n_codes; i++)
        is_new &= !span_eq(book->codes[i].facet, list) || !span_eq(book->codes[i].category, code.category);
    if (!has_any && code.category.len > 0 && facets_share(facets, facets_list(facets, list)) > 1)
        return usage_error(in, e, "a %s has no --category", list.ptr);
    if (has_any && code.category.len == 0)
        return usage_error(in, e, "a %s needs a --category; `ppmine codebook list` lists those there are", list.ptr);
    if (is_new)
        log_info("'%.*s' is a new category of the facet '%s'", SPAN_ARG(code.category), list.ptr);
    if (rule != NULL && n == 0)
        status = usage_error(in, e, "--rule needs --versus");
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = code_option(in, book, list, "--versus", names[i], &versus[i], e);
    THEN(status, code_change_add(c, &code, versus, n, span_of(rule), e));
    if (status == ST_OK && in->values.example != NULL)
        status = code_change_example(c, list, span_of(in->values.example), e);
    return status;
}

static enum status run_codebook_add(struct invocation *in, struct err *e)
{
    struct span name = span_trim(span_of(in->operands[0])), list = SPAN("");
    size_t place = SIZE_MAX;
    struct code_change c;
    enum status status = code_change_option(&c, in, e);

    THEN(status, list_option(in, NULL, &place, e));
    if (status == ST_OK && place == SIZE_MAX) {
        AT_END(buf_clear) struct buf lists = {0};
        facets_add_lists(invocation_facets(in), " or ", &lists);
        status = usage_error(in, e, "--facet is needed: %s", buf_cstr(&lists));
    } else if (status == ST_OK) {
        list = invocation_facets(in)->lists[place];
        status = add_code(in, &c, list, name, e);
    }
    status = code_change_say(&c, status, "add", list, name, e);
    if (status == ST_OK && text_or_absent(in->values.definition).len == 0)
        log_info("'%.*s' has no definition: codebook define gives it one, so that coders use the code in the same way",
                 SPAN_ARG(name));
    return status;
}

const struct command command_codebook_add = {
    .name = "codebook add",
    .summary = "Add a code to the codebook",
    .operands = "NAME",
    .options = OPTIONS(TEXT("facet", facet, "FACET", "{lists} (required)"),
                       TEXT("category", category, "NAME", "category, where the facet has categories"),
                       TEXT("definition", definition, "TEXT", "when to give the code"),
                       TEXT("short-name", short_name, "NAME", "name for narrow tables"),
                       TEXTS("versus", versus, "CODE…", "list the labels with this code to be checked again"),
                       TEXT("rule", rule, "TEXT", "with --versus: how to tell the two codes apart"),
                       TEXT("example", example, "PROBLEM", "give the code to this problem, as the coder --by"),
                       CODE_CHANGE_OPTIONS),
    .description = "Each change of the codebook raises its version by one; `codebook history` lists the\n"
                   "changes. Labels with a code of --versus are listed by `codebook review`, to be checked again.\n\n"
                   "For open coding, a study begins without a codebook.csv, or with a few codes; coders add a code\n"
                   "when a problem needs one. --example gives the code to that problem, and the history names it.",
    .examples = EXAMPLES({"ppmine codebook add 'slow shutdown' --facet symptom --category Time --versus 'program hang'"
                          " --by ann --why 'four posts of the second round'",
                          "labels 'program hang' must then be checked again"},
                         {"ppmine codebook add 'waits for a lock' --facet cause --definition 'Another process has it.'"
                          " --example 48048297 --by ann --why 'open coding'",
                          "a code made while reading, with its first example"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_codebook_add,
};

/* --- codebook define --- */

static enum status MUST_USE define(struct invocation *in, struct code_change *c, size_t place, struct err *e)
{
    const char *definition = in->values.definition;
    const char *short_name = in->values.short_name;
    struct span none = {0};

    if (definition == NULL && short_name == NULL)
        return usage_error(in, e, "--definition or --short-name is missing");
    return code_change_define(c, place, definition != NULL ? span_trim(span_of(definition)) : none,
                              short_name != NULL ? span_trim(span_of(short_name)) : none, in->values.same_meaning, e);
}

const struct command command_codebook_define = {
    .name = "codebook define",
    .summary = "Change the definition of a code",
    .operands = "CODE",
    .options = OPTIONS(TEXT("definition", definition, "TEXT", "when to give the code"),
                       TEXT("short-name", short_name, "NAME", "name for narrow tables"),
                       FLAG("same-meaning", same_meaning, "only the wording changed: no label must be checked again"),
                       TEXT("facet", facet, "FACET", "facet of the code, when several facets have it"),
                       CODE_CHANGE_OPTIONS),
    .description = "`codebook review` then lists the labels given under the older definition: they must be\n"
                   "checked again.",
    .examples = EXAMPLES({"ppmine codebook define 'program hang' --definition 'No end within a day.'"
                          " --by ann --why 'coders differed'",
                          "codebook review then lists the labels 'program hang'"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_change,
};

/* --- codebook rename --- */

static enum status MUST_USE rename_code(struct invocation *in, struct code_change *c, size_t place, struct err *e)
{
    return code_change_rename(c, place, span_trim(span_of(in->operands[1])), e);
}

const struct command command_codebook_rename = {
    .name = "codebook rename",
    .summary = "Rename a code",
    .operands = "CODE NAME",
    .options = OPTIONS(TEXT("facet", facet, "FACET", "facet of the code, when several facets have it"),
                       CODE_CHANGE_OPTIONS),
    .description = "The old name stays as an alias. Labels given under it stay valid: none must be checked\n"
                   "again.",
    .examples = EXAMPLES(
        {"ppmine codebook rename 'program hang' 'endless run' --by ann --why 'clearer'", "no label changes"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_change,
};

/* --- codebook merge --- */

static enum status MUST_USE merge(struct invocation *in, struct code_change *c, size_t from, struct err *e)
{
    const char *into_text = in->values.into;
    const struct code *codes = c->book.codebook.codes;
    size_t into = SIZE_MAX;

    if (into_text == NULL)
        return usage_error(in, e, "--into CODE is needed");
    enum status status = code_option(in, &c->book.codebook, codes[from].facet, "--into", into_text, &into, e);
    if (status == ST_OK && from == into)
        return usage_error(in, e, "'%.*s' is one code", SPAN_ARG(codes[from].name));
    return status == ST_OK ? code_change_merge(c, from, into, e) : status;
}

const struct command command_codebook_merge = {
    .name = "codebook merge",
    .summary = "Merge a code into another",
    .operands = "CODE",
    .options = OPTIONS(TEXT("into", into, "CODE", "the code that stays (required)"),
                       TEXT("facet", facet, "FACET", "facet of the codes, when several facets have them"),
                       CODE_CHANGE_OPTIONS),
    .description = "The code can no longer be given. Its names become aliases of the other code, and its\n"
                   "labels become labels of the other code. `codebook review` lists the labels that had both\n"
                   "codes and now have one.",
    .examples = EXAMPLES({"ppmine codebook merge 'not using batch API' --into 'not using efficient API'"
                          " --by ann --why 'coders cannot tell them apart'",
                          NULL}),
    .needs = NEEDS_DB_WRITE,
    .run = run_change,
};

/* --- codebook split --- */

static enum status MUST_USE split(struct invocation *in, struct code_change *c, size_t from, struct err *e)
{
    const char **names = in->values.parts.at;
    size_t n = in->values.parts.n, into[GIVEN_MAX];
    const struct code *codes = c->book.codebook.codes;
    enum status status = ST_OK;

    if (n < 2)
        return err_set(e, ST_USAGE,
                       "codebook split: --into CODE is needed twice or more; make the codes with codebook add first");
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        status = code_option(in, &c->book.codebook, codes[from].facet, "--into", names[i], &into[i], e);
        if (status == ST_OK && into[i] == from)
            status = err_set(e, ST_USAGE, "codebook split: '%.*s' gives way to the others; it cannot be one of them",
                             SPAN_ARG(codes[from].name));
    }
    return status == ST_OK ? code_change_split(c, from, into, n, e) : status;
}

const struct command command_codebook_split = {
    .name = "codebook split",
    .summary = "Split a code into others",
    .operands = "CODE",
    .options = OPTIONS(TEXTS("into", parts, "CODE…", "a code that replaces it; at least two (required)"),
                       TEXT("facet", facet, "FACET", "facet of the codes, when several facets have them"),
                       CODE_CHANGE_OPTIONS),
    .description = "The code can no longer be given. Its labels stay, also in the statistics, until they are\n"
                   "decided again. `codebook review` lists them. Create new codes with `codebook add` first.",
    .examples = EXAMPLES({"ppmine codebook split training --into 'data preparation' --into evaluation"
                          " --by ann --why 'too broad'",
                          "its labels are listed by codebook review"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_change,
};

static enum status run_change(struct invocation *in, struct err *e)
{
    static const struct {
        const struct command *command;
        const char *action;
        enum status (*change)(struct invocation *in, struct code_change *c, size_t place, struct err *e);
    } changes[] = {
        {&command_codebook_define, "define", define},
        {&command_codebook_rename, "rename", rename_code},
        {&command_codebook_merge, "merge", merge},
        {&command_codebook_split, "split", split},
    };
    struct code code = {0};
    struct code_change c;
    size_t i = 0, list = SIZE_MAX, place = SIZE_MAX;
    enum status status = code_change_option(&c, in, e);
    const struct codebook *book = &c.book.codebook;

    while (changes[i].command != in->command)
        i++;
    THEN(status, list_option(in, NULL, &list, e));
    THEN(status, code_option(in, book, list < book->n_lists ? book->lists[list] : (struct span){0}, "the code",
                             in->operands[0], &place, e));
    if (status == ST_OK) {
        code = book->codes[place];
        status = changes[i].change(in, &c, place, e);
    }
    return code_change_say(&c, status, changes[i].action, code.facet, code.name, e);
}

/* --- codebook history --- */

struct history {
    struct table t;
    struct memos memos;
    size_t n_shown; /* of the memos */
};

/* Memos written before a time (ptr NULL: the rest), under the names that codes had. A memo that parts of a code share
 * has copies, one after the other, which are skipped. */
static void add_memos(struct history *h, struct span before)
{
    for (; h->memos.items.at != NULL && h->n_shown < h->memos.items.n; h->n_shown++) {
        const struct memo *m = &h->memos.items.at[h->n_shown], *last = h->n_shown > 0 ? m - 1 : NULL;
        if (before.ptr != NULL && span_order(m->written_at, before) >= 0)
            break;
        if (last != NULL && span_eq(last->written_at, m->written_at) && span_eq(last->named, m->named) &&
            span_eq(last->list, m->list) && span_eq(last->coder, m->coder) && span_eq(last->text, m->text))
            continue;
        table_add_row(&h->t, table_absent(), table_text(m->written_at), table_text(m->coder),
                      table_text(m->undone ? SPAN("memo, undone") : SPAN("memo")), table_text(m->list),
                      table_text(m->named), table_absent(), table_text(m->text));
    }
}

static enum status run_codebook_history(struct invocation *in, struct err *e)
{
    struct history h = {.n_shown = 0};
    struct db_code_change change;

    table_init(&h.t, "codebook-history", "Changes of the codebook",
               "version int; changed_at; changed_by; action; facet; code; became; reason <60");
    enum status status = memos_read(&h.memos, in->db, e);
    while (db_code_change_next(in->db, &change, &status, e)) {
        add_memos(&h, change.changed_at);
        table_add_row(&h.t, table_int(change.version), table_text(change.changed_at), table_text(change.changed_by),
                      table_text(change.action), table_text(change.facet), table_text(change.code),
                      table_text(change.became), table_text(change.reason));
    }
    add_memos(&h, (struct span){0});
    status = table_end(&h.t, status, &in->out);
    memos_clear(&h.memos);
    return status;
}

const struct command command_codebook_history = {
    .name = "codebook history",
    .summary = "List changes of the codebook and memos: who, what, when and why",
    .options = OPTIONS(OUTPUT_OPTIONS),
    .description = "Prints one row for each version after the first, and one for each memo, in the order of time.",
    .examples = EXAMPLES({"ppmine codebook history", NULL}),
    .nothing = "the codebook was never changed, and there is no memo",
    .needs = NEEDS_DB_READ,
    .run = run_codebook_history,
};

/* --- codebook review --- */

static enum status run_codebook_review(struct invocation *in, struct err *e)
{
    const char *coder = in->values.coder;
    struct sql *reviews = db_reviews(in->db, span_of(coder));
    struct db_review review;
    struct table t;
    enum status status = ST_OK;

    table_init(&t, "codebook-review", "Labels to look at again",
               "problem_id; facet; coder; code; version int; action; changed_at; changed_by; "
               "reason <60");
    if ((coder != NULL) == in->values.all_coders)
        status = usage_error(in, e, "--coder NAME, or --all-coders, which shows what others coded");
    if (status == ST_OK && coder != NULL)
        status = coder_must_exist(in->db, span_of(coder), e);
    while (db_review_next(in->db, reviews, &review, &status, e))
        table_add_row(&t, table_text(review.problem_id), table_text(review.facet), table_text(review.coder),
                      table_text(review.code), table_int(review.change.version), table_text(review.change.action),
                      table_text(review.change.changed_at), table_text(review.change.changed_by),
                      table_text(review.change.reason));
    return table_end(&t, status, &in->out);
}

const struct command command_codebook_review = {
    .name = "codebook review",
    .summary = "List labels to check again since the codebook changed",
    .options = OPTIONS(TEXT("coder", coder, "NAME", "list the labels of this coder", 'c'),
                       FLAG("all-coders", all_coders, "list the labels of all coders; not for coders who code blind"),
                       OUTPUT_OPTIONS),
    .description = "Setting a label again, even to the same code, takes it off the list.",
    .examples = EXAMPLES({"ppmine codebook review --coder ann", NULL}),
    .nothing = "nothing is left to check",
    .needs = NEEDS_DB_READ,
    .run = run_codebook_review,
};
