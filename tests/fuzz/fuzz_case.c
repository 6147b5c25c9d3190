/* Any bytes as the case.ini of a case of the benchmark: what is read can be run as it says, whatever it
 * is; the rest is refused with words and a place. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_case(const struct bench_case *c, const char *id)
{
    const char *const texts[] = {c->summary,         c->fix,    c->certainty, c->made_from,
                                 c->fidelity_reason, c->costly, c->reason,    c->small};

    require(strcmp(c->id, id) == 0);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        require(texts[i] != NULL && strchr(texts[i], '\n') == NULL);
    require(c->summary[0] != '\0' && c->fix[0] != '\0');
    require(c->metric < BENCH_METRICS && c->fidelity < BENCH_FIDELITIES);
    require(c->tensorflow <= 2 && c->seconds > 0 && c->memory_mb > 0);
    require(c->exact || c->uncompared || (isfinite(c->tolerance) && c->tolerance > 0 && c->tolerance < 1));
    require(!c->exact || !c->uncompared);
    for (int side = 0; side < BENCH_SIDES; side++) {
        const char *environment = c->environments[side];
        /* It becomes the name of a file. */
        require(environment[0] == '\0' || bench_is_environment(environment));
        require(strchr(environment, '/') == NULL && environment[0] != '.');
    }
    require((c->environments[BENCH_BUGGY][0] == '\0') == (c->environments[BENCH_FIXED][0] == '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bench_case c, again;
    struct arena arena = {0};
    struct err e = {0};
    struct span content = {(const char *)data, size};
    enum status status = bench_case_read(&c, "51228131", content, "case.ini", &arena, &e);

    if (status == ST_OK) {
        check_case(&c, "51228131");
        require(bench_case_read(&again, "51228131", content, "case.ini", &arena, &e) == ST_OK);
        require(strcmp(c.small, again.small) == 0 && c.metric == again.metric);
    } else {
        require(status == ST_INPUT && strncmp(e.text, "case.ini", 8) == 0);
    }
    arena_clear(&arena);
    return 0;
}
