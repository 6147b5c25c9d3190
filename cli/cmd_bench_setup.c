/* bench setup: the Python environment that cases are run with. */
#define _GNU_SOURCE
#include "base/run_lock.h"
#include "cli/options.h"
#include "results/bench.h"

#include <limits.h>
#include <stdlib.h>

/* <dir>-setup-lock: beside the folder, which is cleared with all that is in it. */
static enum status lock(const char *dir, int *fd, struct err *e)
{
    struct buf file = {0}, parent = {0};
    char real[PATH_MAX];
    struct span name = span_of(realpath(dir, real) != NULL ? real : dir);

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    size_t cut = name.len;
    while (cut > 0 && name.ptr[cut - 1] != '/')
        cut--;
    buf_add(&parent, name.ptr, cut);
    buf_addf(&file, "%.*s-setup-lock", (int)name.len, name.ptr);
    enum status status = folders_make(buf_cstr(&parent), e);
    if (status == ST_OK)
        status = run_lock_wait(buf_cstr(&file), dir, fd, e);
    buf_clear(&file);
    buf_clear(&parent);
    return status;
}

/* What is ready needs no lock, so that it can be read-only. */
static enum status make_locked(const char *dir, const char *python, const char *requirements,
                               bool *made, struct err *e)
{
    bool ready;
    int fd = -1;
    enum status status = bench_environment_ready(&ready, dir, requirements, e);

    *made = false;
    if (status != ST_OK || ready)
        return status;
    status = lock(dir, &fd, e);
    if (status == ST_OK)
        status = bench_environment_make(dir, python, requirements, made, e);
    run_lock_release(fd);
    return status;
}

static enum status make(const char *dir, const struct invocation *in, struct err *e)
{
    bool made;
    struct err stopped = {0};
    struct buf python = {0}, requirements = {0};

    bench_data_path(&requirements, "requirements.txt");
    enum status status =
        make_locked(dir, option_text(in, "python", "python3"),
                    option_text(in, "requirements", buf_cstr(&requirements)), &made, e);

    if (status == ST_OK)
        status = bench_environment_python(&python, dir, &stopped);
    if (status == ST_OK) {
        log_info("%s %s", dir, made ? "is ready" : "was ready");
        printf("%s\n", buf_cstr(&python));
    }
    buf_clear(&python);
    buf_clear(&requirements);
    return status;
}

static enum status run_bench_setup(struct invocation *in, struct err *e)
{
    const char *given = option_text(in, "dir", NULL);
    struct buf dir = {0};
    enum status status = ST_OK;

    signals_catch();
    if (given != NULL)
        buf_add_text(&dir, given);
    else
        status = bench_environment_dir(&dir, e);
    if (status == ST_OK)
        status = make(buf_cstr(&dir), in, e);
    buf_clear(&dir);
    return status;
}

static const struct option_spec options[] = {
    {"dir", '\0', "DIR", "where (default: $XDG_CACHE_HOME/ppmine/bench)"},
    {"python", '\0', "FILE", "the Python to begin with (default: python3)"},
    {"requirements", '\0', "FILE", "packages with hashes (default: bench/requirements.txt)"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine bench setup", "once; takes minutes, and 1.5 GB of disk"},
    {NULL, NULL},
};

const struct command command_bench_setup = {
    .name = "bench setup",
    .summary = "Make the Python environment that cases are run with",
    .options = options,
    .description =
        "Makes a virtual environment with TensorFlow for the CPU by pip, every package at its fixed\n"
        "version and checked by its hash, and prints the path of its Python. When it is there\n"
        "already, nothing is done; one that was left half-made is made anew. While another 'bench setup'\n"
        "makes the same one, this one waits for it, and then finds it ready.",
    .examples = examples,
    .needs = NEEDS_NO_DB,
    .run = run_bench_setup,
};
