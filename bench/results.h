/* results: JSON files of a folder of results, and what writing and reading them have in common. For bench only. */
#pragma once

#include "bench/bench.h"

#include <jansson.h>

json_t *result_real(double value);  /* null for NAN */
json_t *result_text(const char *s); /* "" for what is not UTF-8 */
/* How the memory limit of some runs was kept, when it was by groups for n_grouped of them. */
const char *result_limit(size_t n_runs, size_t n_grouped);
/* `called` NULL: it has no name. */
json_t *result_machine(const char *called, const char *limit);
json_t *result_versions(const struct bench_setting *s);
/* Writes <dir>/<id>.json, whole or not at all; the folder is made when it is missing. *json is what is written. */
enum status MUST_USE result_write(const json_t *o, const char *dir, const char *id, struct buf *json, struct err *e);

/* The same file: ST_NO when there is none, ST_INPUT with file:line for what is not JSON. *o is NULL or the caller's. */
enum status MUST_USE result_load(json_t **o, const char *dir, const char *id, struct err *e);
const char *result_kept_text(const json_t *o, const char *key, struct arena *arena); /* or "" */
/* Whether its case_sha256 is that of the case as it is now. */
bool result_same_case(const json_t *o, const struct bench_case *c, const struct bench_setting *s);
double result_number(const json_t *value); /* NAN: none */

enum { BENCH_RESULT_FORMAT = 1 };

/* The metric is that a run fails. */
static inline bool bench_is_failure(enum bench_metric metric)
{
    return metric == BENCH_HANG || metric == BENCH_EXHAUSTION;
}

/* The failure that a case is about; at a small size there must be none. */
bool bench_fails_so(enum bench_metric metric, const struct bench_run *run);

/* Appends JSON text. */
void bench_dump(const json_t *o, size_t flags, struct buf *out);
/* The name in a result's "machine", or one made of processor and memory. */
const char *bench_machine_name(const json_t *machine, struct arena *arena);
/* Sets verdict, why, medians and ratio from runs that all ended well; or, where the metric is a failure, verdict and
 * why from how often each side failed. */
void bench_judge_ratio(struct bench_result *r);
void bench_judge_failure(enum bench_metric metric, struct bench_result *r);

/* --- assessments --- */

void assess_init(struct bench_assessment *a);
/* <results_dir>/assessment/<id>.json */
enum status MUST_USE assess_write(const struct bench_assessment *a, const struct bench_case *c,
                                  const struct bench_setting *s, struct err *e);
/* There is one, of the case as it is now. */
bool assess_stands(const struct bench_case *c, const struct bench_setting *s);
