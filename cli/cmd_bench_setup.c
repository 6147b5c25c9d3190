/* bench setup: the Python environments that cases are run with. */
#include "base/run_lock.h"
#include "cli/options.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"

#include <limits.h>

/* --- making one --- */

/* <dir>-setup-lock: beside the folder, which is cleared with all that is in it. */
static enum status lock(const char *dir, int *fd, struct err *e)
{
    AT_END(buf_clear) struct buf parent = {0};
    char real[PATH_MAX];
    struct span name = span_of(realpath(dir, real) != NULL ? real : dir);

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    size_t cut = name.len;
    while (cut > 0 && name.ptr[cut - 1] != '/')
        cut--;
    buf_add(&parent, name.ptr, cut);
    AT_END(mem_end) char *file = mem_addf("%.*s-setup-lock", SPAN_ARG(name));
    enum status status = folders_make(buf_cstr(&parent), e);
    return status == ST_OK ? run_lock_wait(file, dir, fd, e) : status;
}

/* --- which --- */

static enum status make_named(const struct invocation *in, const char *folder, const char *name, struct err *e)
{
    const char *file = in->values.requirements, *dir = in->values.dir;
    struct bench_environment environment;
    bool ready = false, made = false;
    int fd = -1;
    struct err stopped = {0};
    AT_END(buf_clear) struct buf base = {0}, python = {0};
    AT_END(arena_clear) struct arena arena = {0};
    enum status status = file != NULL ? bench_environment_read(&environment, file, dir, &arena, e)
                                      : bench_environment_named(&environment, folder, name, &arena, e);

    if (status == ST_OK && dir != NULL)
        environment.dir = dir;
    status = name_command(in, status, e);
    THEN(status, bench_environment_ready(&ready, environment.dir, environment.requirements, e));
    if (status == ST_OK && !ready) { /* what is ready needs no lock, so that it can be read-only */
        status = lock(environment.dir, &fd, e);
        THEN(status, bench_environment_base(&base, &environment, in->values.python, e));
        THEN(status, bench_environment_make(environment.dir, buf_cstr(&base), environment.requirements, &made, e));
        run_lock_release(fd);
    }
    THEN(status, bench_environment_python(&python, &environment, &stopped));
    if (status == ST_OK) {
        log_info("%s %s", environment.dir, made ? "is ready" : "was ready");
        printf("%s\n", buf_cstr(&python));
        fflush(stdout);
    }
    return status;
}

static enum status list(const char *folder, const struct table_output *out, struct err *e)
{
    AT_END(bench_environments_clear) struct bench_environments environments;
    struct table t;
    enum status status = bench_environments_load(&environments, folder, e);

    table_init(&t, "bench-environments", "Python environments",
               "environment; python; tensorflow; keras; ready boolean; dir");
    for (size_t i = 0; i < environments.items.n && status == ST_OK; i++) {
        const struct bench_environment *one = &environments.items.at[i];
        bool ready = false;
        status = bench_environment_ready(&ready, one->dir, one->requirements, e);
        table_add_row(&t, table_text(span_of(one->name)), table_text(span_of(one->wanted)),
                      table_text(span_of(one->tensorflow)), table_text(span_of(one->keras)),
                      table_text(ready ? SPAN("1") : SPAN("0")), table_text(span_of(one->dir)));
    }
    return table_end(&t, status, out);
}

static enum status run_bench_setup(struct invocation *in, struct err *e)
{
    AT_END(buf_clear) struct buf folder = {0};
    enum status status = ST_OK;

    if (in->values.requirements != NULL && in->n_operands > 0)
        return usage_error(in, e, "NAME or --requirements, not both");
    if ((in->values.dir != NULL || in->values.requirements != NULL) && in->n_operands > 1)
        return usage_error(in, e, "--dir is for one environment");
    signals_catch();
    bench_data_path(&folder, "environments");
    if (in->values.list)
        status = list(buf_cstr(&folder), &in->out, e);
    else if (in->n_operands == 0)
        status = make_named(in, buf_cstr(&folder), BENCH_ENVIRONMENT, e);
    for (size_t i = 0; i < in->n_operands && status == ST_OK && !in->values.list; i++)
        status = make_named(in, buf_cstr(&folder), in->operands[i], e);
    return status;
}

const struct command command_bench_setup = {
    .name = "bench setup",
    .summary = "Install the Python environments that cases need",
    .operands = "[NAME…]",
    .options = OPTIONS(
        FLAG("list", list, "list the environments, and which are complete"),
        TEXT("dir", dir, "DIR", "folder of the environment (default: one in $XDG_CACHE_HOME/ppmine/environments)"),
        TEXT("python", python, "FILE",
             "make the environment with this Python (default: one of the version that it needs)"),
        TEXT("requirements", requirements, "FILE",
             "make an environment of the packages in FILE, which must have hashes"),
        OUTPUT_OPTIONS),
    .description = "Installs virtual environments with TensorFlow for the CPU by pip. Every package has a\n"
                   "fixed version and is checked by its hash. Prints the path of each environment's Python.\n"
                   "Without NAME it installs " BENCH_ENVIRONMENT ", for which the cases are written.\n"
                   "bench/environments has a file for each environment.\n\n"
                   "Each environment has its own folder, named by a hash of its packages. So several\n"
                   "environments can exist together, and none changes while a run uses it. A complete\n"
                   "environment is not touched; an incomplete one is made again. If another `bench setup` is\n"
                   "making the same environment, this one waits and then uses it.",
    .nothing = "with --list: there are no environments",
    .examples = EXAMPLES({"ppmine bench setup", "once; needs some minutes and 1.5 GB of disk"},
                         {"ppmine bench setup --list", NULL},
                         {"ppmine bench setup tf2.15 tf2.21", "two releases of TensorFlow, side by side"}),
    .online = true,
    .run = run_bench_setup,
};
