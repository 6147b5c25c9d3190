/* results: JSON files of a folder of results. For bench only. */
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
/* Writes <dir>/<id>.json, whole or not at all; the folder is made when it is missing. */
enum status MUST_USE result_write(struct span json, const char *dir, const char *id, struct err *e);

/* ST_INPUT with file:line for what is not JSON. *o is NULL or the caller's. */
enum status MUST_USE result_load(json_t **o, const char *path, struct err *e);
const char *result_kept_text(const json_t *o, const char *key, struct arena *arena); /* or "" */
/* Whether its case_sha256 is that of the case as it is now. */
bool result_same_case(const json_t *o, const struct bench_case *c, const struct bench_setting *s);
double result_number(const json_t *value); /* NAN: none */
