/* bench assess: what existing approaches do about the problems, published and measured. */
#include "cli/options.h"
#include "results/bench.h"

#include "check/check.h"
#include "report/report.h"

#include <math.h>

static const char *const formats[] = {"text", "csv", "json", "markdown", "html", NULL};
static const enum report_format kinds[] = {REPORT_AS_TEXT, REPORT_AS_CSV, REPORT_AS_JSON,
                                           REPORT_AS_MARKDOWN, REPORT_AS_HTML};

/* What is measured; documentation is published only. */
enum approach { PROFILER, XLA, CHECK, APPROACHES };

static const char *const approach_names[] = {"profiler", "xla", "check"};
static const char *const approach_titles[] = {"Profiler", "XLA", "ppmine check"};
static const int published_as[] = {BENCH_PROFILER, BENCH_XLA, -1};

/* As the study writes them; "applied" is every one but the first. */
static const char *const published_names[] = {"not applied", "not solved", "partially solved",
                                              "solved"};

static const char *const grade_columns[BENCH_GRADES] = {"not_applicable", "not_solved",
                                                        "partially_solved", "solved"};

enum { RULES_MAX = 16 };

struct row {
    const struct bench_case *c;
    struct bench_problem problem;
    struct bench_assessment measured;
    bool is_measured;
    struct bench_opinion check;
    char rule[RULES_MAX];
};

struct state {
    const struct bench_cases *cases;
    struct bench_study study;
    struct row *rows;
    size_t n;
};

/* --- what ppmine check says --- */

static enum status findings_of(struct bench_findings *out, int side, struct check_run *run,
                               struct err *e)
{
    size_t n;
    enum status status = check_go(run, e);
    const struct check_finding *found = check_findings(run, &n);

    if (status != ST_OK)
        return status;
    out->unreadable |= check_totals(run).unreadable > 0;
    out->items[side] = mem_zero(n + 1, sizeof *out->items[side]);
    for (size_t i = 0; i < n; i++)
        out->items[side][i] = (struct bench_finding){found[i].rule->id,
                                                     found[i].severity >= CHECK_WARNING};
    out->n[side] = n;
    return ST_OK;
}

/* One script by itself, as if it were the only file. */
static enum status check_side(struct bench_findings *out, int side, const char *path,
                              struct err *e)
{
    enum { SCRIPT_MAX = 1 << 20 };
    struct check_options options = {0};
    struct buf content = {0};
    enum status status = file_read_regular(path, SCRIPT_MAX, &content, e);

    /* What rules judge by themselves, those that only note by default, too: known code is no draw from
     * the code of others, which is what the defaults are for. */
    check_list_add(&options.warn, SPAN("PP"));
    struct check_run *run = check_new(&options);
    if (status == ST_OK) {
        check_add_content(run, side == BENCH_BUGGY ? "buggy.py" : "fixed.py", buf_span(&content));
        status = findings_of(out, side, run, e);
    }
    check_free(run);
    check_options_clear(&options);
    buf_clear(&content);
    return status;
}

static enum status check_case(struct row *row, const char *dir, struct err *e)
{
    static const char *const names[] = {"buggy.py", "fixed.py"};
    struct bench_findings findings = {0};
    struct buf path = {0};
    const char *rule = NULL;
    enum status status = ST_OK;

    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++) {
        buf_reset(&path);
        buf_addf(&path, "%s/%s/%s", dir, row->c->id, names[side]);
        status = check_side(&findings, side, buf_cstr(&path), e);
    }
    if (status == ST_OK) {
        row->check = bench_judge_findings(&findings, &rule);
        snprintf(row->rule, sizeof row->rule, "%s", rule != NULL ? rule : "");
    }
    for (int side = 0; side < BENCH_SIDES; side++)
        mem_free(findings.items[side]);
    buf_clear(&path);
    return status;
}

/* --- a row for each case --- */

/* NULL: not measured. */
static const struct bench_opinion *opinion_of(const struct row *r, enum approach a)
{
    if (a == CHECK)
        return &r->check;
    if (!r->is_measured)
        return NULL;
    return a == XLA ? &r->measured.xla_opinion : &r->measured.profile_opinion;
}

static struct span published(const struct row *r, enum approach a)
{
    return published_as[a] < 0 ? (struct span){0} : r->problem.approaches[published_as[a]];
}

static void add_text(struct report_table *t, struct span text)
{
    report_add_text(t, text.len > 0 ? text : (struct span){0});
}

static void add_grade(struct report_table *t, const struct bench_opinion *o)
{
    report_add_text(t, span_of(o != NULL ? bench_grade_names[o->grade] : "not measured"));
}

static void add_status_table(struct report *r, const struct state *s)
{
    struct report_table *t = report_table_add(r, "assess-cases", "Approaches, case by case");

    report_column_add(t, "problem_id", "Problem", REPORT_TEXT);
    report_column_add(t, "root_cause", "Root cause", REPORT_TEXT);
    report_column_add(t, "profiler_published", "Profiler, published", REPORT_TEXT);
    report_column_add(t, "profiler", "measured", REPORT_TEXT);
    report_column_add(t, "xla_published", "XLA, published", REPORT_TEXT);
    report_column_add(t, "xla", "measured", REPORT_TEXT);
    report_column_add(t, "documentation_published", "Documentation, published", REPORT_TEXT);
    report_column_add(t, "check", "ppmine check", REPORT_TEXT);
    report_column_add(t, "rule", "Rule", REPORT_TEXT);
    for (size_t i = 0; i < s->n; i++) {
        const struct row *row = &s->rows[i];
        report_add_text(t, span_of(row->c->id));
        add_text(t, row->problem.root_cause);
        for (enum approach a = PROFILER; a <= XLA; a++) {
            add_text(t, published(row, a));
            add_grade(t, opinion_of(row, a));
        }
        add_text(t, row->problem.approaches[BENCH_DOCUMENTATION]);
        add_grade(t, &row->check);
        add_text(t, span_of(row->rule));
    }
    report_note(t, "Documentation is read and not run, so it is as published.");
}

static void add_figures_table(struct report *r, const struct state *s)
{
    static const char *const way_names[BENCH_WAYS] = {"", "clusters", "functions", ""};
    struct report_table *t = report_table_add(r, "assess-figures", "What the grades rest on");

    report_column_add(t, "problem_id", "Problem", REPORT_TEXT);
    report_column_add(t, "metric", "Metric", REPORT_TEXT);
    report_column_add(t, "xla_way", "XLA compiled", REPORT_TEXT);
    report_column_add(t, "compilations", "Compilations", REPORT_REAL);
    report_column_add(t, "compile_seconds", "s", REPORT_REAL);
    report_column_add(t, "xla_gain", "Buggy over buggy with XLA", REPORT_REAL);
    report_column_add(t, "xla_gain_net", "without compiling", REPORT_REAL);
    report_column_add(t, "fixed_gain", "buggy over fixed", REPORT_REAL);
    report_column_add(t, "entry", "Costly entry", REPORT_TEXT);
    report_column_add(t, "place", "Place", REPORT_INT);
    for (enum approach a = PROFILER; a < APPROACHES; a++) {
        char name[32];
        snprintf(name, sizeof name, "%s_why", approach_names[a]);
        report_column_add(t, name, approach_titles[a], REPORT_TEXT);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct row *row = &s->rows[i];
        const struct bench_xla *x = &row->measured.xla;
        report_add_text(t, span_of(row->c->id));
        report_add_text(t, span_of(bench_metric_names[row->c->metric]));
        add_text(t, span_of(way_names[x->way]));
        report_add_real(t, x->compilations);
        report_add_real(t, x->compile_seconds);
        report_add_real(t, x->buggy / x->figure);
        report_add_real(t, x->buggy / x->net);
        report_add_real(t, x->buggy / x->fixed);
        add_text(t, span_of(row->measured.entry));
        if (row->measured.place > 0)
            report_add_int(t, (int64_t)row->measured.place);
        else
            report_add_absent(t);
        for (enum approach a = PROFILER; a < APPROACHES; a++) {
            const struct bench_opinion *o = opinion_of(row, a);
            add_text(t, span_of(o != NULL ? o->why : ""));
        }
    }
}

/* --- counts --- */

/* The place in bench_grade_names of a published status, as near as they come; -1: none. */
static int published_grade(struct span status)
{
    for (int i = 0; i < (int)ARRAY_LEN(published_names); i++)
        if (span_eq(status, span_of(published_names[i])))
            return i;
    return -1;
}

static void add_summary(struct report *r, const struct state *s)
{
    struct report_table *t = report_table_add(r, "assess-summary", "Approaches, in numbers");

    report_column_add(t, "approach", "Approach", REPORT_TEXT);
    report_column_add(t, "status", "Status", REPORT_TEXT);
    report_column_add(t, "published", "Published", REPORT_INT);
    report_column_add(t, "measured", "Measured", REPORT_INT);
    for (enum approach a = PROFILER; a < APPROACHES; a++)
        for (int grade = 0; grade < BENCH_GRADES; grade++) {
            int64_t told = 0, found = 0;
            for (size_t i = 0; i < s->n; i++) {
                const struct bench_opinion *o = opinion_of(&s->rows[i], a);
                told += published_grade(published(&s->rows[i], a)) == grade;
                found += o != NULL && (int)o->grade == grade;
            }
            report_add_text(t, span_of(approach_titles[a]));
            report_add_text(t, span_of(bench_grade_names[grade]));
            if (published_as[a] >= 0)
                report_add_int(t, told);
            else
                report_add_absent(t);
            report_add_int(t, found);
        }
    report_note(t, "The study says \"not applied\" where this table says \"not applicable\".");
}

static void add_agreement(struct report *r, const struct state *s)
{
    struct report_table *t =
        report_table_add(r, "assess-agreement", "Published against measured");

    report_column_add(t, "approach", "Approach", REPORT_TEXT);
    report_column_add(t, "published", "Published", REPORT_TEXT);
    for (int grade = 0; grade < BENCH_GRADES; grade++)
        report_column_add(t, grade_columns[grade], bench_grade_names[grade], REPORT_INT);
    report_column_add(t, "not_measured", "not measured", REPORT_INT);
    for (enum approach a = PROFILER; a <= XLA; a++)
        for (int from = 0; from < (int)ARRAY_LEN(published_names); from++) {
            int64_t counts[BENCH_GRADES + 1] = {0};
            for (size_t i = 0; i < s->n; i++) {
                const struct bench_opinion *o = opinion_of(&s->rows[i], a);
                if (published_grade(published(&s->rows[i], a)) == from)
                    counts[o != NULL ? (int)o->grade : BENCH_GRADES]++;
            }
            report_add_text(t, span_of(approach_titles[a]));
            report_add_text(t, span_of(published_names[from]));
            for (size_t i = 0; i < ARRAY_LEN(counts); i++)
                report_add_int(t, counts[i]);
        }
}

static void print(const struct state *s, enum report_format format)
{
    struct report r = {0};

    add_status_table(&r, s);
    add_figures_table(&r, s);
    add_summary(&r, s);
    add_agreement(&r, s);
    report_print(&r, format, stdout);
    report_clear(&r);
}

/* --- the command --- */

static enum status load_row(struct row *row, const struct state *s, const char *results,
                            struct err *e)
{
    enum status status = bench_assessment_read(&row->measured, results, row->c->id, e);

    row->problem = bench_study_find(&s->study, row->c->id);
    row->is_measured = status == ST_OK;
    if (status == ST_OK || status == ST_NO)
        status = check_case(row, s->cases->dir, e);
    return status;
}

static enum status load(struct state *s, const struct bench_chosen *chosen, const char *results,
                        struct err *e)
{
    enum status status = bench_study_load(&s->study, e);
    size_t missing = 0;

    s->rows = mem_zero(chosen->n + 1, sizeof *s->rows);
    for (size_t i = 0; i < chosen->n && status == ST_OK; i++) {
        struct row *row = &s->rows[s->n++];
        row->c = chosen->items[i];
        status = load_row(row, s, results, e);
        missing += !row->is_measured;
    }
    if (status == ST_OK && missing > 0)
        log_info("%zu of %zu cases are not measured in %s; --run measures them", missing, s->n,
                 results);
    return status;
}

static enum status measure(const struct bench_chosen *chosen, const struct bench_cases *cases,
                           const struct invocation *in, struct err *e)
{
    struct bench_measuring m = {
        .setting = {.n_runs = 3, .seed = 1, .patience = 1, .cases_dir = cases->dir,
                    .results_dir = option_text(in, "results", BENCH_RESULTS_DIR),
                    .resume = !option_given(in, "again")}};
    enum status status = option_number(in, "patience", 1, 100, &m.setting.patience, e);

    if (status == ST_OK)
        status = bench_measuring_given(&m, in, e);
    if (status == ST_OK)
        status = bench_ask_versions(&m.setting, e);
    if (status == ST_OK)
        status = bench_assess_cases(chosen->items, chosen->n, &m.setting, e);
    bench_measuring_clear(&m);
    return status;
}

static void clear(struct state *s)
{
    for (size_t i = 0; i < s->n; i++)
        bench_assessment_clear(&s->rows[i].measured);
    mem_free(s->rows);
    bench_study_clear(&s->study);
}

static enum status run_bench_assess(struct invocation *in, struct err *e)
{
    size_t format = 0;
    struct bench_lock lock = {-1, -1};
    const char *results = option_text(in, "results", BENCH_RESULTS_DIR);
    struct bench_cases cases = {0};
    struct bench_chosen chosen = {0};
    struct state s = {.cases = &cases};
    enum status status = option_choice(in, "format", formats, &format, e);

    if (status == ST_OK)
        status = bench_cases_given(&cases, in, e);
    if (status == ST_OK)
        status = bench_cases_named(&chosen, &cases, in, e);
    signals_catch();
    if (status == ST_OK && (option_given(in, "run") || option_given(in, "again"))) {
        status = bench_lock(&lock, results, e);
        if (status == ST_OK)
            status = measure(&chosen, &cases, in, e);
    }
    if (status == ST_OK)
        status = load(&s, &chosen, results, e);
    bench_unlock(&lock);
    if (status == ST_OK)
        print(&s, kinds[format]);
    clear(&s);
    mem_free(chosen.items);
    bench_cases_clear(&cases);
    return status;
}

static const struct option_spec options[] = {
    {"run", '\0', NULL, "measure the cases that were not, or have changed since"},
    {"again", '\0', NULL, "measure all of the cases, also those that were"},
    {"runs", '\0', "N", "rounds of buggy, with XLA, and fixed (default: 3)"},
    {"patience", '\0', "N", "N times the cases' time limits, on a busy machine (default: 1)"},
    BENCH_CASES_OPTION,
    BENCH_RESULTS_OPTION,
    BENCH_MEASURING_OPTIONS,
    {"format", 'f', "FORMAT", "text, csv, json, markdown or html"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine bench assess", "what was measured, beside what the study found"},
    {"ppmine bench assess --run", "measures first; Ctrl-C, and it goes on where it was"},
    {"ppmine bench assess 63838440 --again --runs 5", NULL},
    {"ppmine bench assess --format html > assess.html", NULL},
    {NULL, NULL},
};

const struct command command_bench_assess = {
    .name = "bench assess",
    .summary = "Say what profiler, XLA, documentation and check do about the problems",
    .operands = "[ID…]",
    .min_operands = 0,
    .max_operands = SIZE_MAX,
    .options = options,
    .description =
        "Approaches against cases: what the study published, and what is measured. XLA: the buggy\n"
        "script with XLA against both scripts without. TensorFlow's Profiler: whether it puts what the\n"
        "mistake makes costly (case.ini says it) among its first entries. ppmine check: whether it\n"
        "finds something in the buggy script that it does not find in the fixed one. Documentation is\n"
        "as published. The man page has the rule for each grade.\n"
        "\n"
        "Without --run nothing is run but check, and the assessments of earlier runs are printed.\n"
        "They are in assessment/ID.json of the folder of results. While another run measures on this\n"
        "machine, --run waits for its end; while others use the processors, it does as 'bench run' does.",
    .examples = examples,
    .needs = NEEDS_NO_DB,
    .run = run_bench_assess,
};
