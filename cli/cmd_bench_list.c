/* bench list: the cases, what the study says of them, what they need, and how they went. */
#include "cli/options.h"
#include "bench/store/store.h"
#include "base/table/table.h"

static enum status run_bench_list(struct invocation *in, struct err *e)
{
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    AT_END(bench_study_clear) struct bench_study study = {0};
    AT_END(bench_results_clear) struct bench_results last = {0};
    struct bench_results_wanted wanted = {in->values.results, bench_db_path(in), in->values.machine};
    enum status status = bench_cases_given(&cases, in, e);

    THEN(status, bench_study_load(&study, e));
    THEN(status, name_command(in, bench_results_load(&last, &cases, &wanted, &in->db, e), e));
    if (status != ST_OK)
        return status;
    AT_END(table_clear) struct table t;
    AT_END(buf_clear) struct buf needs = {0};

    table_init(&t, "bench-list", "Cases of the benchmark", "problem_id");
    table_columns(&t, "%s <34; %s <28; metric; fidelity; needs <30; result; summary <60", study.group.column,
                  study.shown.column);
    for (size_t i = 0; i < cases.items.n; i++) {
        const struct bench_case *c = &cases.items.at[i];
        struct bench_problem problem = bench_study_find(&study, c->id);
        const char *verdict = bench_summary_is(&last.items[i]) ? bench_verdict_names[last.items[i].verdict] : NULL;

        buf_reset(&needs);
        if (c->tensorflow > 0)
            buf_addf(&needs, "TensorFlow %u", (unsigned)c->tensorflow);
        if (c->pytorch > 0)
            buf_addf(&needs, "%sPyTorch %u", needs.len > 0 ? ", " : "", (unsigned)c->pytorch);
        if (c->gpu)
            buf_addf(&needs, "%sGPU", needs.len > 0 ? ", " : "");
        if (c->reason[0] != '\0')
            buf_addf(&needs, "%s%s", needs.len > 0 ? "; " : "", c->reason);
        table_add_row(&t, table_text(span_of(c->id)), table_text(problem.group), table_text(problem.shown),
                      table_text(span_of(bench_metric_names[c->metric])),
                      table_text(span_of(bench_fidelity_names[c->fidelity])), table_text(span_of(buf_cstr(&needs))),
                      table_text(span_of(verdict)), table_text(span_of(c->summary)));
    }
    table_print(&t, &in->out);
    return ST_OK;
}

const struct command command_bench_list = {
    .name = "bench list",
    .summary = "List the cases of the benchmark",
    .options = OPTIONS(BENCH_CASES_OPTION, BENCH_RESULTS_READ_OPTION, BENCH_MACHINE_READ_OPTION, OUTPUT_OPTIONS),
    .description = "Facets of a problem are those of the built-in study. The result is the last one in the\n"
                   "database, or in the folder bench-results if the database has none. A case is faithful when\n"
                   "it shows what label, title and comment of the study say of the problem. No reader of ours saw\n"
                   "the post; 'bench sources' lists what it says beyond the case. A stand-in shows another problem\n"
                   "like it, and 'bench report' counts it apart.",
    .examples = EXAMPLES({"ppmine bench list", "every case with its last result"},
                         {"ppmine bench list --format csv", NULL}),
    .needs = NEEDS_DB_PATH,
    .run = run_bench_list,
};
