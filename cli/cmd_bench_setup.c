/* bench setup: the Python environment that cases are run with. */
#include "cli/bench_cases.h"

static enum status make(const char *dir, const struct invocation *in, struct err *e)
{
    bool made;
    struct err stopped = {0};
    struct buf python = {0}, requirements = {0};

    bench_data_path(&requirements, "requirements.txt");
    enum status status =
        bench_environment_make(dir, option_text(in, "python", "python3"),
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
        "already, nothing is done; one that was left half-made is made anew.",
    .examples = examples,
    .needs = NEEDS_NO_DB,
    .run = run_bench_setup,
};
