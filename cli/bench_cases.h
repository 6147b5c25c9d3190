/*
 * bench_cases: the cases of the benchmark beside what the study says of their problems. Of cli only.
 */
#ifndef CLI_BENCH_CASES_H
#define CLI_BENCH_CASES_H

#include "bench/bench.h"
#include "cli/command.h"

enum bench_approach { BENCH_PROFILER, BENCH_XLA, BENCH_DOCUMENTATION, BENCH_APPROACHES };

/* Of a problem of the study that is built in; texts are "" where the study has none. */
struct bench_problem {
    struct span id, symptom, root_cause;
    struct span approaches[BENCH_APPROACHES]; /* as published: "not solved", … */
};

struct bench_study {
    struct bench_problem *items;
    size_t n, capacity;
    struct arena arena;
};

enum status MUST_USE bench_study_load(struct bench_study *out, struct err *e);
void bench_study_clear(struct bench_study *s);
/* The one of that id; one without anything when there is none. */
struct bench_problem bench_study_find(const struct bench_study *s, const char *id);

/* Where cases or requirements.txt are when no option says so: below ./bench, else where they were
 * installed with this program; bench/NAME when they are nowhere. */
void bench_data_path(struct buf *out, const char *name);
/* Reads the cases of --cases. */
enum status MUST_USE bench_cases_given(struct bench_cases *out, const struct invocation *in,
                                       struct err *e);
/* Cases; the list is freed with mem_free. */
struct bench_chosen {
    const struct bench_case **items;
    size_t n;
};

/* Those that the operands name, each once; without operands all. */
enum status MUST_USE bench_cases_named(struct bench_chosen *out, const struct bench_cases *cases,
                                       const struct invocation *in, struct err *e);
/* The path of --python, or of the Python of 'bench setup'. */
enum status MUST_USE bench_python_given(struct buf *out, const struct invocation *in,
                                        struct err *e);
/* Waits until no other process measures into the folder of results, which is made when it is missing;
 * *fd is for run_lock_release. ST_NO when a signal stopped that. */
enum status MUST_USE bench_results_lock(const char *dir, int *fd, struct err *e);
/* Does the text have this part, in any case of ASCII letters? */
bool bench_contains(struct span text, const char *part);
/* ST_OK, and an empty summary (metric "") where there is no result. */
enum status MUST_USE bench_last_result(struct bench_summary *out, const char *dir, const char *id,
                                       struct arena *arena, struct err *e);

#define BENCH_RESULTS_DIR "bench-results"

/* For tables of options. */
#define BENCH_CASES_OPTION {"cases", '\0', "DIR", "the folder of cases (default: bench/cases)"}
#define BENCH_RESULTS_OPTION \
    {"results", '\0', "DIR", "the folder of results (default: " BENCH_RESULTS_DIR ")"}
#define BENCH_RESULTS_READ_OPTION \
    {"results", '\0', "DIR", "results in this folder, not those of the database"}
#define BENCH_MACHINE_READ_OPTION \
    {"machine", '\0', "NAME", "of this machine in the database (default: the last that ran)"}

#endif
