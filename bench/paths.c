/* paths: where the data of the benchmark and the folder of results are. */
#define _GNU_SOURCE
#include "base/files.h"
#include "base/run_lock.h"
#include "bench/bench.h"

#include <limits.h>
#include <stdlib.h>
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
        while (rest.len > 0 && rest.ptr[--rest.len] != '/') {
        }
    AT_END(mem_end) char *installed = mem_addf("%.*s/share/ppmine/bench/%s", (int)rest.len, rest.ptr, name);
    if (access(installed, F_OK) == 0) {
        buf_reset(out);
        buf_add_span(out, span_of(installed));
    }
}

/* Debian lets all write to /run/lock; where nobody but root may, all use /tmp. */
static const char *machine_lock_file(void)
{
    const char *given = getenv("PPMINE_BENCH_LOCK");

    if (given != NULL && given[0] != '\0')
        return given;
    return access("/run/lock/.", W_OK) == 0 || access("/run/lock/ppmine-bench.lock", F_OK) == 0
               ? "/run/lock/ppmine-bench.lock"
               : "/tmp/ppmine-bench.lock";
}

enum status bench_lock(struct bench_lock *lock, const char *results_dir, struct err *e)
{
    enum status status = results_dir != NULL ? folders_make(results_dir, e) : ST_OK;

    *lock = (struct bench_lock){-1, -1};
    THEN(status, run_lock_wait(machine_lock_file(), "this machine", &lock->machine, e));
    AT_END(mem_end) char *file = mem_addf("%s/.run-lock", results_dir != NULL ? results_dir : "");
    if (status == ST_OK && results_dir != NULL)
        status = run_lock_wait(file, results_dir, &lock->results, e);
    return status;
}

void bench_unlock(const struct bench_lock *lock)
{
    run_lock_release(lock->results);
    run_lock_release(lock->machine);
}
