/*
 * checking: the checker on a command line. ppmine check and ppcheck have the same options, read them by the
 * same table, and print the same; ppmine check can do more, see struct checking_more. For cli only.
 */
#pragma once

#include "check/check.h"
#include "cli/command.h"

/* What a command line asks for. */
struct checking {
    struct check_options options;
    struct check_why_not why_not; /* where options.why_not is set */
    size_t format, fail_on;       /* an index of check_formats, an impact */
    struct buf input;             /* of "-" */
};

/* What a program does besides; functions that are NULL are things that it does not do. */
struct checking_more {
    /* Once the options are read: before the checker is confined. */
    enum status (*begin)(struct invocation *in, struct checking *a, void *ctx, struct err *e);
    /* Instead of printing; *done says that it was asked for. */
    enum status (*instead)(struct invocation *in, struct checking *a, void *ctx, bool *done, struct err *e);
    /* With what was found, which is printed also when this fails. */
    enum status (*keep)(struct invocation *in, struct checking *a, const struct check_run *c, void *ctx, struct err *e);
    void *ctx;
};

/* All of the command. */
enum status MUST_USE checking_run(struct invocation *in, const struct checking_more *more, struct err *e);
/* The first n operands, or this folder where there are none. */
enum status MUST_USE checking_add(struct invocation *in, size_t n, struct checking *a, struct check_run *c,
                                  struct err *e);

#define CHECKING_OPERANDS "[FILE|FOLDER|-]…"
#define CHECKING_NOTHING "a finding is shown whose impact is that of --fail-on or higher"
#define CHECKING_DESCRIPTION \
    "Checks Python files and Jupyter notebooks that use TensorFlow, Keras or PyTorch. Files\n" \
    "that .gitignore names are skipped. Findings that are certain and have high or medium\n" \
    "impact are shown; the others are counted. Only --fix changes files; it fixes the findings\n" \
    "that are shown.\n" \
    "\n" \
    "A comment hides a finding of its line: # ppmine: ignore[PP301] reason. In pyproject.toml,\n" \
    "the table [tool.ppmine] may set select, ignore, trust, exclude, target, impact, certainty,\n" \
    "fail-on and the table per-file-ignores.\n"

/* clang-format off */
#define CHECKING_OPTIONS \
    {"format", 'f', TEXT(format, "FORMAT"), "print text (default), json, sarif, github, csv or html"}, \
    {"select", '\0', TEXT(select, "RULES"), \
     "report these rules only: PP301; PP1 selects all rules that begin with PP1"}, \
    {"ignore", '\0', TEXT(ignore, "RULES"), "do not report these rules"}, \
    {"trust", '\0', TEXT(trust, "RULES"), "treat likely findings of these rules as certain"}, \
    {"per-file-ignores", '\0', TEXT(per_file_ignores, "PATTERN:RULES"), "do not report these rules in files that match the pattern"}, \
    {"exclude", '\0', TEXT(exclude, "PATTERNS"), "skip files and folders that match a pattern, as in .gitignore"}, \
    {"no-gitignore", '\0', FLAG(no_gitignore), "also check files that .gitignore names"}, \
    {"no-config", '\0', FLAG(no_config), "do not read pyproject.toml"}, \
    {"target", '\0', TEXT(target, "VERSION"), "check the code as tf1 or tf2 (default: guessed from the code)"}, \
    {"all", '\0', FLAG(all), "show all findings: --impact low --certainty likely"}, \
    {"impact", '\0', TEXT(impact, "LEVEL"), "show findings from this impact on: low, medium (default) or high"}, \
    {"certainty", '\0', TEXT(certainty, "LEVEL"), "show findings from this certainty on: likely or certain (default)"}, \
    {"fail-on", '\0', TEXT(fail_on, "LEVEL"), "exit with 1 when this impact is shown: low, medium, high (default) or never"}, \
    {"fix", '\0', FLAG(fix), "write the fixes into the files; findings that are left unfixed count for --fail-on"}, \
    {"diff", '\0', FLAG(diff), "print what --fix would change"}, \
    {"statistics", '\0', FLAG(statistics), "print the number of findings of each rule"}, \
    {"profile", '\0', TEXT(profile, "FILE"), "order findings by the time that a profiler measured: Scalene, py-spy, cProfile, PyTorch"}, \
    {"baseline", '\0', TEXT(baseline, "FILE"), "leave out the findings of FILE"}, \
    {"write-baseline", '\0', TEXT(write_baseline, "FILE"), "write the findings to FILE, for --baseline"}, \
    {"explain", '\0', TEXT(explain, "RULE"), "print the page of a rule and exit"}, \
    {"why-not", '\0', TEXT(why_not, "PLACE"), "say which rules looked there, and what is known: RULE[:FILE[:LINE]] or FILE:LINE"}, \
    {"rules", '\0', FLAG(rules), "list the rules and exit"}, \
    {"stdin-name", '\0', TEXT(stdin_name, "PATH"), "use this path for what comes on standard input"}, \
    {"lsp", '\0', FLAG(lsp), "run as a language server on standard input and output"}, \
    {"jobs", 'j', NUMBER(jobs, "N", 1, 64, 0), "read files with N threads (default: one for each processor)"}
/* clang-format on */
