/* help: what --help and --version print. scripts/completion and scripts/man-pages read it, too: a line with two blanks
 * and '-' is an option; before "Options:", one with two blanks and a letter is a command. */
#include "base/sandbox.h"
#include "base/visible.h"
#include "cli/command.h"

#include <link.h>

enum { HELP_COLUMN = 25, LINE_WIDTH = 90 };

/* "  left        right", in columns of a terminal. */
static void print_row(FILE *out, struct span left, const char *right)
{
    AT_END(buf_clear) struct buf row = {0};

    buf_add_padded(&row, left, HELP_COLUMN, false);
    fprintf(out, "  %s  %s\n", buf_cstr(&row), right);
}

static void print_options(FILE *out, const char *heading, const struct option_spec *spec, struct invocation *in)
{
    AT_END(buf_clear) struct buf left = {0}, help = {0};

    if (spec == NULL || spec->name == NULL)
        return;
    fprintf(out, "\n%s:\n", heading);
    for (; spec->name != NULL; spec++) {
        buf_reset(&left);
        if (spec->short_name != '\0')
            buf_addf(&left, "-%c, ", spec->short_name);
        buf_addf(&left, "--%s%s%s", spec->name, spec->argument != NULL ? " " : "",
                 spec->argument != NULL ? spec->argument : "");
        buf_reset(&help);
        help_add(&help, spec->help, in);
        print_row(out, buf_span(&left), buf_cstr(&help));
    }
}

/* --- examples --- */

static bool is_option(const struct option_spec *spec, struct span name)
{
    for (; spec != NULL && spec->name != NULL; spec++)
        if (span_eq(span_of(spec->name), name))
            return true;
    return false;
}

void help_example(FILE *out, const char *what, const char *line)
{
    if (what != NULL)
        fprintf(out, "  # %s\n", what);
    fprintf(out, "  $ %s\n", line);
}

static void print_examples(FILE *out, struct invocation *in)
{
    const struct example *example = in->command->examples;
    bool all = true;

    if (example == NULL || example->line == NULL)
        return;
    fputs("\nExamples:\n", out);
    for (; example->line != NULL; example++) {
        bool here = true; /* has the command every option of the line? Those of facets are the study's */
        for (const char *at = example->line; in->command->facet_option != NULL && (at = strstr(at, " --")) != NULL;) {
            at += 3;
            struct span name = {at, strcspn(at, " =")};
            here &= is_option(invocation_options(in), name) || is_option(global_options, name);
        }
        if (here)
            help_example(out, example->what, example->line);
        all = all && here;
    }
    if (!all)
        help_own_examples(out, in);
}

static void print_exit_code(FILE *out, int code, const char *what)
{
    if (what != NULL)
        fprintf(out, "  %d  %s\n", code, what);
}

/* Adds " text" to the last line of *usage, or begins a new one. */
static void add_usage(struct buf *usage, size_t *line_start, const char *text)
{
    static const char indent[] = "\n             ";

    if (text_width((struct span){usage->ptr + *line_start, usage->len - *line_start}) + 1 + text_width(span_of(text)) >
        LINE_WIDTH) {
        *line_start = usage->len + 1;
        buf_add_text(usage, indent);
    }
    buf_addf(usage, " %s", text);
}

static void print_usage(FILE *out, struct invocation *in)
{
    const struct command *c = in->command;
    AT_END(buf_clear) struct buf usage = {0}, option = {0};
    size_t line_start = 0;

    buf_addf(&usage, "Usage: %s%s%s", program.usage, program.only == NULL ? " " : "",
             program.only == NULL ? c->name : "");
    for (const struct option_spec *o = invocation_options(in); o != NULL && o->name != NULL; o++) {
        buf_reset(&option);
        /* Its text says so, so that help and usage line agree. */
        buf_addf(&option, strstr(o->help, "(required)") != NULL ? "--%s%s%s" : "[--%s%s%s]", o->name,
                 o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
        add_usage(&usage, &line_start, buf_cstr(&option));
    }
    if (c->operands != NULL)
        add_usage(&usage, &line_start, c->operands);
    fprintf(out, "%s\n", buf_cstr(&usage));
}

/* The groups that come first, or all. */
static void print_commands(FILE *out, size_t n_groups)
{
    const char *group = "";

    for (size_t i = 0; i < n_commands; i++) {
        bool begins = strcmp(group, commands[i].group) != 0;
        if (begins && n_groups-- == 0)
            return;
        if (begins)
            fprintf(out, "\n%s:\n", commands[i].group);
        group = commands[i].group;
        print_row(out, span_of(commands[i].command->name), commands[i].command->summary);
    }
}

static void print_program(FILE *out)
{
    fputs("Usage: ppmine [-d FILE] [-q | -v] COMMAND [OPTION...]\n\n"
          "Mines Stack Overflow for performance problems of deep-learning programs, and carries the\n"
          "study of them from raw posts to published numbers. One SQLite file is one study.\n",
          out);
}

void help_print_brief(FILE *out)
{
    enum { FIRST_GROUPS = 2 }; /* what every study uses, and the checker */

    print_program(out);
    print_commands(out, FIRST_GROUPS);
    fputs("\n'ppmine help' lists all commands, 'ppmine help COMMAND' explains one.\n", out);
}

void help_print(FILE *out, struct invocation *in)
{
    const struct command *command = in->command;

    if (command == NULL) {
        print_program(out);
        print_commands(out, n_commands);
        fputs("\nHelp:\n", out);
        print_row(out, SPAN("help"), "Print the help of a command");
        print_options(out, "Options", global_options, in);
        fputs("\nFor more, see 'ppmine COMMAND --help' or 'man ppmine-COMMAND'.\n", out);
    } else {
        print_usage(out, in);
        fprintf(out, "\n%s.\n", command->summary);
        if (command->description != NULL)
            fprintf(out, "\n%s\n", command->description);
        print_options(out, "Options", invocation_options(in), in);
        print_options(out, "Global options", global_options, in);
        print_examples(out, in);
    }
    /* Of a command; of NULL, all that there are. */
    bool online = command == NULL || command->online, db = command == NULL || command->needs != NEEDS_NO_DB;

    fputs("\nExit codes:\n", out);
    print_exit_code(out, 0, "done");
    print_exit_code(out, 1, command == NULL ? "nothing found, or findings present" : command->nothing);
    print_exit_code(out, 2, "the command line is wrong");
    print_exit_code(out, 3,
                    program.only == NULL ? "an input is invalid: a file, or the content of the database"
                                         : "an input is invalid");
    print_exit_code(out, 4, online ? "the network or a server failed" : NULL);
    print_exit_code(out, 5, db ? "the database is missing, locked, damaged, or not a database of ppmine" : NULL);
    print_exit_code(out, 6, "the operating system refused: no such file, no space");
    fputs("  130, 143: stopped by Ctrl-C or SIGTERM; what was committed stays\n", out);
}

/* --- version --- */

/* The name of the file tells the library's own version, which that at build time may not be. */
static int print_library(struct dl_phdr_info *info, size_t size, void *ctx)
{
    AT_END(mem_end) char *path = info->dlpi_name[0] == '/' ? realpath(info->dlpi_name, NULL) : NULL;
    FILE *out = ctx;

    (void)size;
    if (path == NULL)
        return 0;
    const char *name = strrchr(path, '/') + 1;
    if (strncmp(name, "ld-", 3) != 0)
        fprintf(out, "  %s\n", name);
    return 0;
}

void version_print(FILE *out)
{
    int landlock = sandbox_landlock();

    fprintf(out, "%s %s\n", program.name, PPMINE_VERSION);
    fprintf(out, "compiler: %s\n", __VERSION__);
    fprintf(out, "sandbox: %s, %s\n", landlock > 0 ? "Landlock" : "no Landlock",
            sandbox_has_seccomp() ? "seccomp" : "no seccomp");
    fputs("libraries:\n", out);
    dl_iterate_phdr(print_library, out);
}
