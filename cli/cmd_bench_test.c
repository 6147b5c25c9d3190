/* bench test: does a script compute what a case computes? */
#include "cli/options.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/signals.h"

enum { SCRIPT_MAX = 1 << 20 };

/* What is tested: the files that the operands name, else buggy.py. */
struct tested {
    size_t n;
    struct bench_trial *trials;
    struct buf *texts;
    struct buf own[BENCH_SIDES]; /* of the case */
};

static void tested_clear(struct tested *t)
{
    for (size_t i = 0; i < t->n; i++)
        buf_clear(&t->texts[i]);
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&t->own[side]);
    mem_free(t->texts);
    mem_free(t->trials);
}

static enum status run_bench_test(struct invocation *in, struct err *e)
{
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    const struct bench_case *c = NULL;
    AT_END(bench_measuring_clear) struct bench_measuring m = {.in_use = -1};
    AT_END(tested_clear) struct tested tested = {0};
    enum status status = bench_case_given(&cases, &c, in, e);

    if (status == ST_OK) {
        size_t n_files = in->n_operands - 1;
        status = bench_case_scripts(tested.own, c, cases.dir, e);
        tested.n = n_files > 0 ? n_files : 1;
        tested.trials = mem_zero(tested.n, sizeof *tested.trials);
        tested.texts = mem_zero(tested.n, sizeof *tested.texts);
        for (size_t i = 0; i < n_files && status == ST_OK; i++)
            status = file_read_regular(in->operands[i + 1], SCRIPT_MAX, &tested.texts[i], e);
        for (size_t i = 0; i < tested.n; i++)
            tested.trials[i].text = buf_span(n_files > 0 ? &tested.texts[i] : &tested.own[BENCH_BUGGY]);
    }
    THEN(status, bench_measuring_given(&m, in, e));
    m.setting.cases_dir = cases.dir;
    signals_catch();
    THEN(status, bench_ask_versions(&m.setting, e));
    THEN(status, bench_try(c, &m.setting, tested.trials, tested.n, e));
    if (status != ST_OK)
        return status;
    AT_END(table_clear) struct table t;

    table_init(&t, "bench-test", "What scripts compute", "script; outcome; why <100");
    for (size_t i = 0; i < tested.n; i++) {
        const struct bench_trial *trial = &tested.trials[i];
        table_add_row(&t, table_text(span_of(in->n_operands > 1 ? in->operands[i + 1] : "buggy.py")),
                      table_text(span_of(bench_trial_names[trial->outcome])), table_text(span_of(trial->why)));
        status = trial->outcome != BENCH_TRIAL_SAME ? ST_NO : status;
    }
    table_print(&t, &in->out);
    return status;
}

const struct command command_bench_test = {
    .name = "bench test",
    .summary = "Test whether scripts compute the same as a case",
    .operands = "ID [FILE…]",
    .options = OPTIONS(BENCH_CASES_OPTION, BENCH_RUNNING_OPTIONS, OUTPUT_OPTIONS),
    .description = "Runs fixed.py and each FILE once, and compares what they computed: weights after training,\n"
                   "outputs, items consumed, steps. Without a FILE it tests buggy.py. Nothing is timed. A case\n"
                   "that hangs or exhausts the memory is run at a smaller size, at which both scripts end.\n\n"
                   "An outcome is 'same', 'differs' or 'fails'. The end of a FILE, where ppcase.digest() is called,\n"
                   "must be as in fixed.py.",
    .examples = EXAMPLES({"ppmine bench test 51228131", "buggy.py and fixed.py compute the same"},
                         {"ppmine bench test 51228131 task/mine.py", "my fix computes the same"}),
    .nothing = "a script fails, or computes a different result",
    .run = run_bench_test,
};
