/* options_bench: options of the commands that measure. */
#include "cli/options.h"

#include <unistd.h>

/* "NAME" or "NAME=VALUE", and no name that decides what is measured. */
static enum status check_variable(const struct invocation *in, const char *given, struct err *e)
{
    static const char *const own[] = {"HOME", "TMPDIR", "PYTHONPATH", "TF_NUM_INTRAOP_THREADS",
                                      "TF_NUM_INTEROP_THREADS"};
    size_t len = strcspn(given, "=");
    struct span name = {given, len};

    if (len == 0 || strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") < len)
        return err_set(e, ST_USAGE, "%s: --env '%.100s': expected NAME or NAME=VALUE",
                       in->command->name, given);
    if (span_is_any(name, own, ARRAY_LEN(own)))
        return err_set(e, ST_USAGE, "%s: --env %.*s: the runner sets it%s", in->command->name, (int)len,
                       given, span_starts(name, SPAN("TF_NUM")) ? "; see --threads" : "");
    return ST_OK;
}

static enum status read_variables(struct bench_measuring *m, const struct invocation *in, struct err *e)
{
    enum status status = ST_OK;
    size_t n = option_texts(in, "env", m->variables);

    if (n > BENCH_VARIABLES_MAX)
        return err_set(e, ST_USAGE, "%s: --env is given more than %d times", in->command->name,
                       BENCH_VARIABLES_MAX);
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = check_variable(in, m->variables[i], e);
    m->setting.variables = m->variables;
    m->setting.n_variables = n;
    return status;
}

static enum status read_when(struct bench_measuring *m, const struct invocation *in, struct err *e)
{
    bool waits = option_given(in, "when-idle"), anyway = option_given(in, "anyway");

    if (waits && anyway)
        return err_set(e, ST_USAGE, "%s: --when-idle or --anyway, not both", in->command->name);
    m->setting.when = waits ? BENCH_WHEN_IDLE : anyway ? BENCH_ANYWAY : BENCH_REFUSE_BUSY;
    return ST_OK;
}

enum status bench_measuring_given(struct bench_measuring *m, const struct invocation *in, struct err *e)
{
    enum status status = option_number(in, "runs", 1, BENCH_RUNS_MAX, &m->setting.n_runs, e);

    if (status == ST_OK)
        status = option_number(in, "threads", 1, BENCH_THREADS_MAX, &m->setting.threads, e);
    if (status == ST_OK)
        status = read_variables(m, in, e);
    if (status == ST_OK)
        status = read_when(m, in, e);
    if (status == ST_OK)
        status = bench_python_given(&m->python, in, e);
    m->setting.python = buf_cstr(&m->python);
    if (status == ST_OK)
        m->in_use = bench_environment_use(m->setting.python);
    return status;
}

void bench_measuring_clear(struct bench_measuring *m)
{
    if (m->in_use >= 0)
        close(m->in_use);
    buf_clear(&m->python);
    buf_clear(&m->setting.versions);
}
