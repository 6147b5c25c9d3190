/* checking: the command line of ppmine check and ppcheck; ppmine check can do more (checking_more). For cli only. */
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
    TEXT("format", format, "FORMAT", "print text (default), json, sarif, github, csv or html", 'f'), \
    TEXT("select", select, "RULES", "report these rules only: PP301; PP1 selects all rules that begin with PP1"), \
    TEXT("ignore", ignore, "RULES", "do not report these rules"), \
    TEXT("trust", trust, "RULES", "treat likely findings of these rules as certain"), \
    TEXT("per-file-ignores", per_file_ignores, "PATTERN:RULES", "do not report these rules in files that match the pattern"), \
    TEXT("exclude", exclude, "PATTERNS", "skip files and folders that match a pattern, as in .gitignore"), \
    FLAG("no-gitignore", no_gitignore, "also check files that .gitignore names"), \
    FLAG("no-config", no_config, "do not read pyproject.toml"), \
    TEXT("target", target, "VERSION", "check the code as tf1 or tf2 (default: guessed from the code)"), \
    FLAG("all", all, "show all findings: --impact low --certainty likely"), \
    TEXT("impact", impact, "LEVEL", "show findings from this impact on: low, medium (default) or high"), \
    TEXT("certainty", certainty, "LEVEL", "show findings from this certainty on: likely or certain (default)"), \
    TEXT("fail-on", fail_on, "LEVEL", "exit with 1 when this impact is shown: low, medium, high (default) or never"), \
    FLAG("fix", fix, "write the fixes into the files; findings that are left unfixed count for --fail-on"), \
    FLAG("diff", diff, "print what --fix would change"), \
    FLAG("statistics", statistics, "print the number of findings of each rule"), \
    TEXT("profile", profile, "FILE", "order findings by the time that a profiler measured: Scalene, py-spy, cProfile, PyTorch"), \
    TEXT("baseline", baseline, "FILE", "leave out the findings of FILE"), \
    TEXT("write-baseline", write_baseline, "FILE", "write the findings to FILE, for --baseline"), \
    TEXT("explain", explain, "RULE", "print the page of a rule and exit"), \
    TEXT("why-not", why_not, "PLACE", "say which rules looked there, and what is known: RULE[:FILE[:LINE]] or FILE:LINE"), \
    FLAG("rules", rules, "list the rules and exit"), \
    TEXT("stdin-name", stdin_name, "PATH", "use this path for what comes on standard input"), \
    FLAG("lsp", lsp, "run as a language server on standard input and output"), \
    NUMBER("jobs", jobs, "N", 1, 64, 0, "read files with N threads (default: one for each processor)", 'j')
/* clang-format on */
