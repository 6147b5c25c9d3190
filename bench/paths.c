/* paths: where the data of the benchmark and the folder of results are. */
#define _GNU_SOURCE
#include "base/run_lock.h"
#include "bench/bench.h"

#include <limits.h>
#include <unistd.h>

void bench_data_path(struct buf *out, const char *name)
{
    char program[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program);
    struct span rest = {program, len > 0 ? (size_t)len : 0};

    buf_addf(out, "bench/%s", name);
    if (access(buf_cstr(out), F_OK) == 0 || rest.len == 0)
        return;
    /* <prefix>/bin/ppmine has it in <prefix>/share/ppmine/bench. */
    for (int i = 0; i < 2; i++)
        while (rest.len > 0 && rest.ptr[--rest.len] != '/') {}
    struct buf installed = {0};
    buf_addf(&installed, "%.*s/share/ppmine/bench/%s", (int)rest.len, rest.ptr, name);
    if (access(buf_cstr(&installed), F_OK) == 0) {
        buf_reset(out);
        buf_add_span(out, buf_span(&installed));
    }
    buf_clear(&installed);
}

enum status bench_results_lock(const char *dir, int *fd, struct err *e)
{
    struct buf file = {0};
    enum status status = folders_make(dir, e);

    buf_addf(&file, "%s/.run-lock", dir);
    *fd = -1;
    if (status == ST_OK)
        status = run_lock_wait(buf_cstr(&file), dir, fd, e);
    buf_clear(&file);
    return status;
}
