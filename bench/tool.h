/* tool: what a checker of others finds in the scripts of a case, and how that is scored. */
#pragma once

#include "bench/bench.h"

enum bench_tool_output { BENCH_SARIF, BENCH_TOOL_JSON, BENCH_TOOL_LINES };

/* Of a file that describes a tool; texts are of its arena. */
struct bench_tool {
    const char *name;
    const char *command; /* of the shell; each {file} becomes the name of the script */
    enum bench_tool_output output;
    uint64_t exit_most; /* higher exit codes say that the tool failed */
    uint64_t seconds;   /* limit of one run */
    struct arena arena;
};

/* Reads [tool] name, command, output (sarif, json, lines), exit_most and seconds. ST_INPUT with file:line. *out needs
 * bench_tool_clear in either case. */
enum status MUST_USE bench_tool_read(struct bench_tool *out, const char *path, struct err *e);
void bench_tool_clear(struct bench_tool *t);

struct bench_tool_finding {
    const char *rule; /* or "" */
    size_t line, end_line;
};

struct bench_tool_findings ARRAY_OF(struct bench_tool_finding);

enum { BENCH_PLACE_NEAR = 2 }; /* a finding this many lines beside a place is at it */

struct bench_score {
    size_t n_buggy, n_at_place; /* findings in buggy, and those at a line that the fix changes */
    size_t n_fixed;             /* findings in fixed */
    bool found;                 /* a rule has more findings in buggy than in fixed */
    bool at_place;              /* one of them is at a line that the fix changes */
    bool silent;                /* nothing is found in fixed */
    const char *rule;           /* that found it, at the place where there is one; or "" */
};

/* Runs the tool on both scripts, each alone in a folder as program.py, without comments and docstrings, which would
 * give the answer away. ST_IO when the tool fails. */
enum status MUST_USE bench_tool_score(struct bench_score *out, const struct bench_tool *t, const struct bench_case *c,
                                      const char *cases_dir, struct arena *arena, struct err *e);
