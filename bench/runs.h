/* runs: how scripts of cases are run, for what runs them. For bench only. */
#pragma once

#include "bench/bench.h"

extern const char *const run_script_names[]; /* by side */

/* The Pythons of a case's sides: those of its environments, else that of the setting. */
struct run_pythons {
    struct buf of[BENCH_SIDES];
};

/* ST_NO, with words, when an environment is not there. *out needs run_pythons_clear in any case. */
enum status MUST_USE run_pythons_find(struct run_pythons *out, const struct bench_case *c,
                                      const struct bench_setting *s, struct err *e);
void run_pythons_clear(struct run_pythons *p);

/* Runs the text as a script in a new folder below `scratch`, which it may destroy. `c` is for limits
 * and may be NULL. Under XLA and the Profiler the limits are wider, unless the case is about them. */
enum status MUST_USE run_script(struct bench_process *p, const struct bench_setting *s, const struct bench_case *c,
                                const char *python, enum bench_way way, const char *scratch, const char *name,
                                struct span text, struct err *e);
/* Takes lists out of *p, which is cleared all the same afterwards. */
void run_keep(struct bench_run *run, const struct bench_case *c, struct bench_process *p);
void run_clear(struct bench_run *run);
uint64_t run_threads(const struct bench_setting *s);
/* Whether the case can be run here; else *why has the reason. */
bool run_may(const struct bench_case *c, const struct bench_setting *s, struct err *why);

/* One case, in a worker; ST_NO when it was told to stop. It says itself what went wrong. */
typedef enum status run_work(const struct bench_case *c, const struct bench_setting *s);

struct run_kind {
    run_work *work;
    /* Whether there is a result that need not be made again: asked with `resume`. */
    bool (*stands)(const struct bench_case *c, const struct bench_setting *s);
};

enum status MUST_USE run_below_workers(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                                       unsigned jobs, const struct run_kind *kind, struct err *e);
