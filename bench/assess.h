/* assess: the parts of an assessment that is measured and kept. For bench only. */
#pragma once

#include "bench/bench.h"

void assess_init(struct bench_assessment *a);
/* <results_dir>/assessment/<id>.json */
enum status MUST_USE assess_write(const struct bench_assessment *a, const struct bench_case *c,
                                  const struct bench_setting *s, struct err *e);
/* There is one, of the case as it is now. */
bool assess_stands(const struct bench_case *c, const struct bench_setting *s);
