/* codebook list: the codebook, and how to tell its codes apart. */
#include "cli/options.h"
#include "label/coding/categories.h"
#include "label/coding/stored_codebook.h"
#include "base/table/table.h"
#include "base/visible.h"
#include "report/report.h"

#include <unistd.h>

/* --- the categories --- */

/* ST_NO: none has a definition. */
static enum status print_categories(const struct categories *c, struct span list, const struct table_output *out)
{
    AT_END(table_clear) struct table t;

    table_init(&t, "categories", "Categories", "facet; category; definition");
    for (size_t i = 0; i < c->rows.items.n; i++)
        for (size_t cell = 0; cell < CATEGORY_CELLS; cell++)
            if (list.ptr == NULL || span_eq(c->rows.items.at[i].cells[CATEGORY_FACET], list))
                table_add_row(&t, table_some(c->rows.items.at[i].cells[cell]));
    enum status status = table_rows(&t) > 0 ? ST_OK : ST_NO;
    table_print(&t, out);
    return status;
}

/* --- the codes, for reading --- */

static void add_text(struct buf *out, struct span text, const char *before, size_t width)
{
    enum { INDENT = 4 };
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_text(&clean, before);
    buf_add_clean(&clean, text);
    if (text.len > 0)
        buf_add_wrapped(out, buf_span(&clean), INDENT, width);
}

/* The codes of the list, or the one at `only` (not SIZE_MAX). Lines fit the terminal; in a pipe a text is one line. */
static void print_for_reading(const struct codebook *c, struct span list, size_t only)
{
    AT_END(buf_clear) struct buf out = {0};
    size_t width = terminal_width(stdout);

    for (size_t i = 0; i < c->n_codes; i++) {
        const struct code *code = &c->codes[i];
        if (only != SIZE_MAX ? i != only : list.ptr != NULL && !span_eq(code->facet, list))
            continue;
        /* "symptom, Time: slow execution time (slow)", its definition and aliases. */
        buf_addf_clean(&out, "%.*s, %.*s%s%.*s", SPAN_ARG(code->facet), SPAN_ARG(code->category),
                       code->category.len > 0 ? ": " : "", SPAN_ARG(code->name));
        if (code->short_name.len > 0 && !span_eq(code->short_name, code->name))
            buf_addf_clean(&out, " (%.*s)", SPAN_ARG(code->short_name));
        buf_add_char(&out, '\n');
        add_text(&out, code->definition, "", width);
        add_text(&out, code->aliases, "also: ", width);
    }
    fwrite(out.ptr, 1, out.len, stdout);
}

/* --- the guide --- */

/* Memos about a code, or (list.ptr NULL) about all; nothing where there are none. */
static enum status MUST_USE print_memos(const struct invocation *in, struct span list, struct span code, struct err *e)
{
    AT_END(table_clear) struct table t;

    table_init(&t, "codebook-memos", "Memos", "");
    enum status status = in->db != NULL ? memo_table(&t, in->db, list, code, false, e) : ST_OK;
    if (status == ST_OK && table_rows(&t) > 0) {
        fputs("\n", stdout);
        table_print(&t, &in->out);
    }
    return status;
}

/* As text, the code or the two come first, and memos about the code last. */
static enum status MUST_USE print_guide(const struct invocation *in, const struct codebook *c, struct span list,
                                        struct err *e)
{
    size_t one = 0, other = SIZE_MAX; /* places of the codes; SIZE_MAX: without --versus */
    const char *versus = in->values.versus_text;
    bool text = in->out.format == TABLE_AS_TEXT;
    AT_END(table_clear) struct table t;
    enum status status = code_option(in, c, list, "--code", option_or(in->values.code, ""), &one, e);

    table_init(&t, "guide", "How to tell codes apart", "facet; code; versus; rule");
    if (status == ST_OK && versus != NULL) /* of the same list */
        status = code_option(in, c, c->codes[one].facet, "--versus", versus, &other, e);
    /* What is said about the two codes, whichever is told from the other; without --versus, about one and any. */
    for (size_t i = 0; i < c->n_rules && status == ST_OK; i++) {
        const struct disambiguation *rule = &c->rules[i];
        bool there = rule->code == one && (other == SIZE_MAX || rule->versus == other);
        bool back = rule->versus == one && (other == SIZE_MAX || rule->code == other);
        if (there || back)
            table_add_row(&t, table_text(c->codes[rule->code].facet), table_text(c->codes[rule->code].name),
                          table_text(c->codes[rule->versus].name), table_text(rule->rule));
    }
    if (status == ST_OK && text)
        print_for_reading(c, list, one);
    if (status == ST_OK && text && other != SIZE_MAX)
        print_for_reading(c, list, other);
    if (status == ST_OK && table_rows(&t) == 0)
        status = text && other == SIZE_MAX ? ST_OK : ST_NO;
    else if (status == ST_OK) {
        fputs(text ? "\n" : "", stdout);
        table_print(&t, &in->out);
    }
    for (size_t i = one; (status == ST_OK || status == ST_NO) && text && i != SIZE_MAX;
         i = i == one ? other : SIZE_MAX) {
        enum status memos = print_memos(in, c->codes[i].facet, c->codes[i].name, e);
        status = memos == ST_OK ? status : memos;
    }
    return status;
}

/* --- the command --- */

static enum status MUST_USE print_codes(const struct invocation *in, const struct codebook *c,
                                        const struct categories *categories, size_t nth_list, struct err *e)
{
    const struct table_output *out = &in->out;
    struct span list = nth_list != SIZE_MAX ? c->lists[nth_list] : (struct span){0};
    AT_END(table_list_clear) struct table_list r = {0};
    struct table t;

    /* As a paper appends them. */
    if (in->values.report) {
        if (in->db == NULL)
            return usage_error(in, e, "--report counts labels: it needs a database; ppmine init makes one");
        enum status status = report_codebook(&r, in->db, c, nth_list, 0.95, e);
        if (status == ST_OK && in->values.with_memos)
            status = memo_table(table_list_add(&r, "codebook-memos", "Memos"), in->db, (struct span){0}, SPAN(""),
                                false, e);
        if (status == ST_OK)
            table_list_print(&r, out);
        return status;
    }
    if (in->values.code != NULL)
        return print_guide(in, c, list, e);
    if (in->values.categories)
        return print_categories(categories, list, out);
    /* Columns of codebook.csv, so that --format csv --raw gives one. */
    table_init(&t, "codebook", "Codebook", "facet; category; code; short_name; definition; aliases");
    for (size_t i = 0; i < c->n_codes; i++) {
        const struct code *code = &c->codes[i];
        if (list.ptr == NULL || span_eq(code->facet, list))
            table_add_row(&t, table_text(code->facet), table_some(code->category), table_text(code->name),
                          table_some(code->short_name), table_some(code->definition), table_some(code->aliases));
    }
    if (out->format == TABLE_AS_TEXT && terminal_width(stdout) > 0)
        print_for_reading(c, list, SIZE_MAX);
    else
        table_print(&t, out);
    table_clear(&t);
    if (out->format == TABLE_AS_TEXT && categories->rows.items.n > 0) {
        fputs("\n", stdout);
        (void)print_categories(categories, list, out);
    }
    return in->values.with_memos ? print_memos(in, (struct span){0}, SPAN(""), e) : ST_OK;
}

static enum status run_codebook_list(struct invocation *in, struct err *e)
{
    size_t list = SIZE_MAX;
    bool stored = (in->values.db != NULL) || access(in->db_path, F_OK) == 0;
    AT_END(study_clear) struct study study = {0};
    AT_END(facets_clear) struct facets facets = {0};
    AT_END(stored_codebook_clear) struct stored_codebook book = {0};
    AT_END(categories_clear) struct categories categories = {0};
    const struct option_values *o = &in->values;
    enum status status = list_option(in, NULL, &list, e);

    THEN(status, refuse(e, {o->versus_text != NULL && o->code == NULL, "codebook list: --versus needs --code"},
                        {o->categories && o->code != NULL, "codebook list: --categories and --code cannot be combined"},
                        {o->with_memos && !o->report && in->out.format != TABLE_AS_TEXT,
                         "codebook list: --with-memos needs --report, or text; as data: codebook memo"}));
    if (stored) {
        THEN(status, invocation_open_db(in, DB_READ, e));
        THEN(status, stored_codebook_load(&book, in->db, e));
        THEN(status, categories_of_db(&categories, in->db, e));
    } else { /* of the study that is built in */
        THEN(status, study_load(&study, NULL, e));
        THEN(status, facets_of_study(&facets, &study, e));
        THEN(status, codebook_of_study(&book.codebook, &facets, &study, e));
        THEN(status, categories_read(&categories, study_file(&study, "categories.csv"), e));
    }
    THEN(status, print_codes(in, &book.codebook, &categories, list, e));
    return status;
}

const struct command command_codebook_list = {
    .name = "codebook list",
    .summary = "List the codebook, or how to tell its codes apart",
    .options = OPTIONS(
        TEXT("facet", facet, "FACET", "list only the codes of {lists}"),
        TEXT("code", code, "CODE", "print this code, and how to tell it from others"),
        TEXT("versus", versus_text, "CODE", "with --code: print these two codes, and how to tell them apart"),
        FLAG("report", report, "print how often each code was given, with examples and agreement"),
        FLAG("categories", categories, "print the definitions of categories alone"),
        FLAG("with-memos", with_memos, "print memos too, of the codes and of the study"), OUTPUT_OPTIONS),
    .description = "Prints the codebook of the database, or of the built-in study when there is no database. A\n"
                   "code is named by its name, short name or alias, in any case, with or without its category:\n"
                   "'out of memory', 'Memory: OOM'. On a terminal, definitions are wrapped; elsewhere nothing is\n"
                   "cut. As text, the definitions of categories follow, and the memos about the code of --code. With\n"
                   "--code and a format other than text, only the guide's rules are printed.\n\n"
                   "--report prints each code with its definition, in how many problems it was settled, the first\n"
                   "three of them, and the specific agreement of the coders on it: a codebook as papers append it.",
    .examples = EXAMPLES(
        {"ppmine codebook list", "the codebook of the study"},
        {"ppmine codebook list --code 'program hang' --versus 'slow execution time'", "the guide's words for the pair"},
        {"ppmine codebook list --report --format latex > appendix.tex", "the appendix of a paper"},
        {"ppmine codebook list --report --with-memos --format markdown", "the same, with what the team wrote down"},
        {"ppmine codebook list --categories --format csv", "meanings of the categories"}),
    .nothing = "with --versus, or --code as data, the guide says nothing about these codes; with --categories,"
               " no category has a definition",
    .needs = NEEDS_DB_PATH,
    .run = run_codebook_list,
};
