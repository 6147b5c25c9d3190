/* bench run: runs cases, and says which problems show themselves here. */
#include "cli/options.h"
#include "bench/store/store.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"

#include <math.h>

/* --- which cases --- */

/* Only cases of which the option of the facet that groups them gives a part. */
static enum status keep_group(struct bench_chosen *out, const struct invocation *in, struct err *e)
{
    AT_END(bench_study_clear) struct bench_study study;
    enum status status = bench_study_load(&study, e);
    const struct facet *facet = study.group.facet;
    const char *values[GIVEN_MAX];
    size_t n = status == ST_OK ? option_of_facet(in, facet, values) : 0;

    if (n == 0)
        return status;
    n = 0;
    for (size_t i = 0; i < out->n; i++)
        if (span_find_any_case(bench_study_find(&study, out->items[i]->id).group, span_of(values[0])) != SIZE_MAX)
            out->items[n++] = out->items[i];
    out->n = n;
    if (n == 0) {
        log_warn("no case has a %s with '%s' in its name", facet->name.ptr, values[0]);
        status = ST_NO;
    }
    return status;
}

/* --- the command --- */

static enum status run_chosen(const struct bench_chosen *chosen, struct bench_setting *s, const struct invocation *in,
                              struct err *e)
{
    unsigned jobs = (unsigned)in->values.jobs;
    bool faulty = false; /* a case is broken, or its scripts are not equivalent */
    struct bench_lock lock = {-1, -1};
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(table_clear) struct table t;
    struct bench_summary one;
    enum status status = bench_ask_versions(s, e);

    table_init(&t, "bench-run", "Results of the benchmark",
               "problem_id; verdict; metric; buggy real.3; fixed real.3; unit; ratio real.3; "
               "low real.3; high real.3; why <100");
    /* Until what was written is read for the table. */
    THEN(status, bench_lock(&lock, s->results_dir, e));
    if (status == ST_OK && jobs > 1)
        log_warn("cases that run side by side slow each other; --jobs 1 measures");
    THEN(status, bench_run_cases(chosen->items, chosen->n, s, jobs, e));
    /* What stood in the folder may have been measured before there was a database. */
    for (size_t i = 0; i < chosen->n && status == ST_OK && s->resume && s->keep != NULL; i++)
        status = bench_store_add(s->keep_ctx, chosen->items[i]->id, e);
    for (size_t i = 0; i < chosen->n && status == ST_OK; i++) {
        status = bench_summary_read(&one, s->results_dir, chosen->items[i]->id, &arena, e);
        if (status == ST_OK) {
            table_add_row(&t, table_text(span_of(one.id)), table_text(span_of(bench_verdict_names[one.verdict])),
                          table_text(span_of(one.metric)), table_real(one.medians[BENCH_BUGGY]),
                          table_real(one.medians[BENCH_FIXED]), table_text(span_of(one.unit)), table_real(one.ratio),
                          table_real(one.low), table_real(one.high), table_text(span_of(one.why)));
            faulty |= one.verdict == BENCH_BROKEN || one.verdict == BENCH_NOT_EQUIVALENT;
        }
        status = status == ST_NO ? ST_OK : status;
    }
    if (status == ST_OK)
        table_print(&t, &in->out);
    bench_unlock(&lock);
    return status == ST_OK && faulty ? ST_NO : status;
}

static enum status run_bench_run(struct invocation *in, struct err *e)
{
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    struct bench_chosen chosen = {0};
    struct bench_store store = {bench_db_path(in), option_or(in->values.results, BENCH_RESULTS_DIR)};
    struct bench_measuring m = {.in_use = -1,
                                .setting = {.n_runs = in->values.runs,
                                            .most_runs = in->values.most,
                                            .narrow = 1 + (double)in->values.narrow / 100,
                                            .seed = in->values.seed,
                                            .resume = in->values.resume,
                                            .gpu = in->values.gpu,
                                            .machine = in->values.machine,
                                            .results_dir = store.results_dir,
                                            .keep = store.path != NULL ? bench_store_keep : NULL,
                                            .keep_ctx = &store}};
    struct bench_setting *s = &m.setting;
    enum status status = bench_cases_given(&cases, in, e);

    THEN(status, bench_cases_named(&chosen, &cases, in, e));
    THEN(status, keep_group(&chosen, in, e));
    THEN(status, bench_measuring_given(&m, in, e));
    if (option_setting(in, &in->values.runs) != NULL && option_setting(in, &in->values.most) == NULL)
        s->most_runs = s->n_runs;
    if (status == ST_OK && s->most_runs < s->n_runs)
        status = usage_error(in, e, "--most %u is less than --runs %u", (unsigned)s->most_runs, (unsigned)s->n_runs);
    if (status == ST_OK && s->machine != NULL && !bench_is_machine(s->machine))
        status = usage_error(in, e, "--machine '%.100s' is not a name: 1 to 200 characters of UTF-8, on one line",
                             s->machine);
    if (status == ST_OK && store.path != NULL)
        status = bench_store_check(&store, e);
    s->cases_dir = cases.dir;
    signals_catch();
    THEN(status, run_chosen(&chosen, s, in, e));
    mem_free(chosen.items);
    bench_measuring_clear(&m);
    return status;
}

static struct option_spec option_of(const struct facet *facet, struct arena *arena)
{
    if (facet->benchmark != FACET_GROUPS)
        return (struct option_spec){0};
    const char *help = arena_addf(arena, "run only cases whose %s has TEXT in its name", facet->name.ptr).ptr;
    return (struct option_spec){.name = facet->option.ptr, .argument = "TEXT", .help = help};
}

const struct command command_bench_run = {
    .name = "bench run",
    .summary = "Run cases, and say which problems can be reproduced here",
    .operands = "[ID…]",
    .options = OPTIONS(
        FACET_OPTIONS,
        NUMBER("runs", runs, "N", 1, BENCH_RUNS_MAX, 5, "runs of each script, after the warm-up (default: 5 or more)"),
        NUMBER("most", most, "N", 1, BENCH_RUNS_MAX, 15,
               "run up to N rounds while the interval is wide (default: 15, or --runs)"),
        NUMBER("narrow", narrow, "PERCENT", 1, 1000, 25,
               "call an interval wide if it is wider than this (default: 25)"),
        NUMBER("jobs", jobs, "N", 1, 64, 1, "run N cases at a time (default: 1, since cases disturb each other)", 'j'),
        NUMBER("seed", seed, "N", 0, INT64_MAX, 1, "seed of the bootstrap (default: 1)"), BENCH_CASES_OPTION,
        BENCH_RESULTS_OPTION, TEXT("machine", machine, "NAME", "name of this machine (default: processor and memory)"),
        FLAG("resume", resume, "skip cases that already have a valid result"),
        FLAG("gpu", gpu, "let scripts use the GPU, and sample its use (NVML)"), BENCH_MEASURING_OPTIONS,
        OUTPUT_OPTIONS),
    .facet_option = option_of,
    .built_in_facets = true,
    .description = "Runs buggy.py and fixed.py in turn, compares their results, and computes the ratio of the\n"
                   "medians of what the case measures. A problem is reproduced when buggy over fixed is at\n"
                   "least 1.5 and the lower end of its 95 % interval is above 1.2, or when only buggy.py fails\n"
                   "as the case says. The results of such a pair are compared at a smaller size, at which both\n"
                   "scripts end.\n\n"
                   "Each result, with every run, is a JSON file in the folder of results, and also goes to the\n"
                   "database: that of -d or $PPMINE_DB, or ppmine.db if there is one. It is stored when its\n"
                   "case is done, so an interruption loses none. While another run measures on this machine,\n"
                   "this one waits for its end.\n\n"
                   "Times are measured only on an idle machine. If other programs use more than a tenth of a\n"
                   "processor, nothing is measured (exit code 6). With --when-idle it waits before each round,\n"
                   "and repeats a round that was disturbed. With --anyway it measures at once. Results say how\n"
                   "much other programs used.\n\n"
                   "The memory limit is enforced by a cgroup where the kernel allows it, and otherwise on\n"
                   "sampled resident memory; the result says which. All processes of a run are killed when it\n"
                   "ends, and after Ctrl-C too.",
    .examples = EXAMPLES(
        {"ppmine bench run", "all cases, five times each or more"},
        {"ppmine bench run --when-idle --resume", "only cases that have no result on this machine yet"},
        {"ppmine bench run 51228131 --runs 3", NULL}, {"ppmine bench run --root-cause 'computation graph'", NULL},
        {"ppmine -d so.db bench run --machine laptop", "results also go into the database"}),
    .nothing = "a case is broken, its scripts are not equivalent, or no case has the root cause",
    .needs = NEEDS_DB_PATH,
    .run = run_bench_run,
};
