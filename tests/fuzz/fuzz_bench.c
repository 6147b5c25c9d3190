/* Any bytes as a result of the benchmark. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bench_record record;
    struct err e = {0};
    struct span json = {(const char *)data, size};

    if (bench_record_read(&record, json, "result", &e) == ST_OK) {
        const struct stat_ratio *ratio = &record.result.ratio;
        if (record.identity.len == 0 || !bench_is_id(record.problem_id) || !bench_is_machine(record.machine) ||
            isnan(ratio->ratio) != isnan(ratio->low))
            abort();
    } else if (e.text[0] == '\0' || e.status != ST_INPUT) {
        abort();
    }
    bench_record_clear(&record);
    return 0;
}
