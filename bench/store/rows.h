/*
 * bench: what cases of the benchmark came to, on which machine, with every run. Part of db.h, which
 * includes it.
 */
#pragma once

#include "db/db.h"

/* The machine, in the state in which it ran a case. Absent: ptr NULL, or 0. */
struct db_bench_setup {
    struct span machine; /* its name */
    struct span processor, os, kernel, architecture, memory_limit;
    int64_t processors, memory_kb;
    struct span versions; /* a JSON object with texts */
};

/* Numbers that there are none of are NAN. Lists are JSON arrays. */
struct db_bench_run {
    int64_t place; /* from 1 */
    bool fixed;    /* else buggy */
    bool warm_up, lacked_memory;
    struct span ended;
    int64_t code, peak_kb, sampled_peak_kb, out_bytes, err_bytes;
    double metric, wall_seconds, user_seconds, system_seconds;
    double work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds;
    struct span digest, said, computed, step_seconds, step_rss_kb;
    struct span samples; /* [[seconds, KB], …] */
};

struct db_bench_result {
    struct span sha256; /* what makes it the same as another */
    struct db_bench_setup setup;
    struct span problem_id, finished_at, verdict, why, metric, unit;
    struct span case_sha256; /* of the case as it was; ptr NULL: not known */
    double buggy, fixed, ratio, ratio_low, ratio_high, load_after;
    int64_t seed, limit_seconds, limit_memory_mb;
    const struct db_bench_run *runs;
    size_t n_runs;
};

/* Keeps a result with its runs, or nothing of it, in its own transaction. *known: it is there
 * already, and nothing was done. */
enum status MUST_USE db_bench_put(struct db *db, const struct db_bench_result *result, bool *known, struct err *e);

struct db_bench_machine {
    struct span machine, last_at;
    int64_t cases, results;
};

/* Calls back for each machine, the one that was measured last first. */
enum status MUST_USE db_bench_machine_each(struct db *db,
                                           void (*each)(void *ctx, const struct db_bench_machine *machine), void *ctx,
                                           struct err *e);
/* Calls back for the last result of each case on a machine, by problem; without sha256, limits, runs
 * and what the machine is. */
enum status MUST_USE db_bench_last_each(struct db *db, struct span machine,
                                        void (*each)(void *ctx, const struct db_bench_result *result), void *ctx,
                                        struct err *e);
