/* bench assess: what existing approaches do about the problems, published and measured. */
#include "cli/options.h"
#include "bench/tool.h"
#include "bench/store/store.h"

#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "check/check.h"

#include <math.h>

/* What is measured; documentation is published only. */
enum approach { PROFILER, XLA, CHECK, APPROACHES };

static const char *const approach_names[] = {"profiler", "xla", "check"};
static const char *const approach_titles[] = {"Profiler", "XLA", "ppmine check"};
static const int published_as[] = {BENCH_PROFILER, BENCH_XLA, -1};

/* What is measured has words of its own: the rules are ours, and not those of the study. */
static const char *const own_words[APPROACHES][BENCH_GRADES] = {
    {"not applicable", "not told apart", "in the first 10 of buggy.py alone", "in the first 3 of buggy.py alone"},
    {"not applicable", "no gain", "a part of the gain", "the gain of the fix"},
    {"not applicable", "silent", "found in part", "found"},
};

/* The same rule on what it was not made for. */
struct chance {
    size_t n, told_apart;
};

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

/* One script by itself, as if it were the only file. */
static enum status check_side(struct bench_findings *out, int side, const char *path, struct err *e)
{
    enum { SCRIPT_MAX = 1 << 20 };
    AT_END(check_options_clear) struct check_options options = {0};
    AT_END(buf_clear) struct buf content = {0};
    size_t n = 0;
    enum status status = file_read_regular(path, SCRIPT_MAX, &content, e);

    /* All findings of rules, also those that are only likely right: known code is not a sample of others' code, for
     * which the defaults are. */
    check_list_add(&options.trust, SPAN("PP"));
    struct check_run *run = check_new(&options);
    if (status == ST_OK) {
        check_add_content(run, side == BENCH_BUGGY ? "buggy.py" : "fixed.py", buf_span(&content));
        status = check_go(run, e);
    }
    const struct check_finding *found = check_findings(run, &n);
    if (status == ST_OK) {
        out->unreadable |= check_totals(run).unreadable > 0;
        out->items[side] = mem_zero(n + 1, sizeof *out->items[side]);
        out->n[side] = n;
        for (size_t i = 0; i < n; i++)
            out->items[side][i] = (struct bench_finding){found[i].rule->id, found[i].impact > CHECK_LOW &&
                                                                                found[i].certainty == CHECK_CERTAIN};
    }
    check_free(run);
    return status;
}

static enum status check_case(struct row *row, const char *dir, struct err *e)
{
    static const char *const names[] = {"buggy.py", "fixed.py"};
    struct bench_findings findings = {0};
    AT_END(buf_clear) struct buf path = {0};
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

static struct table_cell grade_of(enum approach a, const struct bench_opinion *o)
{
    return table_text(span_of(o != NULL ? own_words[a][o->grade] : "not measured"));
}

static void add_figures(struct table *t, const struct row *row)
{
    static const char *const way_names[BENCH_WAYS] = {"", "", "clusters", "functions", ""};
    const struct bench_xla *x = &row->measured.xla;

    table_add_row(t, table_text(span_of(bench_metric_names[row->c->metric])), table_some(span_of(way_names[x->way])),
                  table_real(x->compilations), table_real(x->compile_seconds), table_real(x->buggy / x->figure),
                  table_real(x->buggy / x->net), table_real(x->buggy / x->fixed),
                  table_some(span_of(row->measured.entry)),
                  row->measured.place > 0 ? table_int((int64_t)row->measured.place) : table_absent());
    for (enum approach a = PROFILER; a < APPROACHES; a++) {
        const struct bench_opinion *o = opinion_of(row, a);
        table_add_row(t, table_some(span_of(o != NULL ? o->why : "")));
    }
}

/* --- counts --- */

/* Each status of the approach that cases have, as the study published it. */
static void add_published(struct table_list *r, const struct state *s)
{
    static const char *const titles[BENCH_APPROACHES] = {"Profiler", "XLA", "documentation"};
    static const char *const statuses[] = {"not applied", "applied", "not solved", "partially solved", "solved"};
    struct table *t = table_list_add(r, "assess-published", "What the study published of these cases");

    table_columns(t, "approach = Approach; status = Status; cases int = Cases");
    for (size_t a = 0; a < BENCH_APPROACHES; a++)
        for (size_t k = 0; k < ARRAY_LEN(statuses); k++) {
            int64_t n = 0;
            for (size_t i = 0; i < s->n; i++)
                n += span_eq(s->rows[i].problem.approaches[a], span_of(statuses[k]));
            if (n == 0)
                continue;
            table_add_row(t, table_text(span_of(titles[a])), table_text(span_of(statuses[k])), table_int(n));
        }
}

static void add_chance(struct chance *chance, const struct bench_case *c, const struct bench_profile *buggy,
                       const struct bench_profile *fixed)
{
    enum bench_grade grade = bench_judge_profiles(c, buggy, fixed, NULL, NULL).grade;

    chance->n += grade != BENCH_NOT_APPLICABLE;
    chance->told_apart += grade == BENCH_SOLVED;
}

static void add_summary(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "assess-measured", "What is measured here");
    struct chance shuffled = {0, 0}, exchanged = {0, 0};
    struct bench_versions versions = {0};

    /* Of each case, the profiles of all other cases, and its own with buggy and fixed exchanged. */
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->n; k++) {
            const struct bench_profile *of = s->rows[k].measured.profiles;
            if (i == k)
                add_chance(&exchanged, s->rows[i].c, &of[BENCH_FIXED], &of[BENCH_BUGGY]);
            else
                add_chance(&shuffled, s->rows[i].c, &of[BENCH_BUGGY], &of[BENCH_FIXED]);
        }
    table_columns(t, "approach = Approach; result = Result; cases int = Cases");
    for (enum approach a = PROFILER; a < APPROACHES; a++)
        for (int grade = 0; grade < BENCH_GRADES; grade++) {
            int64_t found = 0;
            for (size_t i = 0; i < s->n; i++) {
                const struct bench_opinion *o = opinion_of(&s->rows[i], a);
                found += o != NULL && (int)o->grade == grade;
            }
            table_add_row(t, table_text(span_of(approach_titles[a])), table_text(span_of(own_words[a][grade])),
                          table_int(found));
        }
    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].is_measured)
            bench_versions_count(&versions, s->cases, s->rows[i].c, s->rows[i].measured.case_sha256);
    bench_versions_note(t, &versions, "assessments");
    table_note(t, "These are results of our own rules, which are not the study's: do not compare the"
                  " two tables line by line.");
    if (shuffled.n > 0)
        table_note(t,
                   "Profiler: an operation that the mistake makes costly is in the first 3 of buggy.py and"
                   " not of fixed.py. By chance: with the profiles of another pair in %zu of %zu (%.0f %%),"
                   " with buggy.py and fixed.py exchanged in %zu of %zu.",
                   shuffled.told_apart, shuffled.n, 100.0 * (double)shuffled.told_apart / (double)shuffled.n,
                   exchanged.told_apart, exchanged.n);
    table_note(t, "ppmine check: the cases are by the authors of its rules. What it finds in programs"
                  " of others is in check/evidence.");
}

/* Published and measured of each case, counted; pairs that no case has are left out. */
static void add_both(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "assess-both", "Published and measured, case by case");

    table_columns(t, "approach = Approach; published = Published; measured = Measured; cases int = Cases");
    for (enum approach a = PROFILER; a <= XLA; a++)
        for (size_t i = 0; i < s->n; i++) {
            struct span status = published(&s->rows[i], a);
            const struct bench_opinion *o = opinion_of(&s->rows[i], a);
            int64_t n = 0;
            bool is_first = status.len > 0 && o != NULL;
            for (size_t k = 0; k < s->n && is_first; k++) {
                const struct bench_opinion *other = opinion_of(&s->rows[k], a);
                bool same = other != NULL && other->grade == o->grade && span_eq(published(&s->rows[k], a), status);
                n += same;
                is_first = !same || k >= i;
            }
            if (!is_first)
                continue;
            table_add_row(t, table_text(span_of(approach_titles[a])), table_text(status),
                          table_text(span_of(own_words[a][o->grade])), table_int(n));
        }
}

/* A CSV file is one table: all that is known of a case in its row. */
static void print(const struct state *s, const struct table_output *out)
{
    AT_END(table_list_clear) struct table_list r = {0};
    bool one = out->format == TABLE_AS_CSV;
    struct table *t = table_list_add(&r, one ? "assess" : "assess-cases", "Approaches, case by case");
    struct table *figures = one ? t : table_list_add(&r, "assess-figures", "What the results rest on");

    table_columns(t,
                  "problem_id = Problem; %s = %s; profiler_published = Profiler, published; profiler = measured;"
                  " xla_published = XLA, published; xla = measured; documentation_published = Documentation, published;"
                  " check = ppmine check; rule = Rule",
                  s->study.group.column, s->study.group.facet->title.ptr);
    if (!one)
        table_columns(figures, "problem_id = Problem");
    table_columns(figures, "metric = Metric; xla_way = XLA compiled; compilations real = Compilations; "
                           "compile_seconds real = s; xla_gain real = Buggy over buggy with XLA; "
                           "xla_gain_net real = without compiling; fixed_gain real = buggy over fixed; "
                           "entry = Costly entry; place int = Place");
    for (enum approach a = PROFILER; a < APPROACHES; a++)
        table_columns(figures, "%s_why = %s", approach_names[a], approach_titles[a]);
    for (size_t i = 0; i < s->n; i++) {
        const struct row *row = &s->rows[i];
        table_add_row(t, table_text(span_of(row->c->id)), table_some(row->problem.group));
        for (enum approach a = PROFILER; a <= XLA; a++)
            table_add_row(t, table_some(published(row, a)), grade_of(a, opinion_of(row, a)));
        table_add_row(t, table_some(row->problem.approaches[BENCH_DOCUMENTATION]), grade_of(CHECK, &row->check),
                      table_some(span_of(row->rule)));
        if (!one)
            table_add_text(figures, span_of(row->c->id));
        add_figures(figures, row);
    }
    if (!one) {
        table_note(t, "Documentation is read and not run, so it is as published.");
        add_published(&r, s);
        add_summary(&r, s);
        add_both(&r, s);
    }
    table_list_print(&r, out);
}

/* --- measuring --- */

static enum status measure(const struct bench_chosen *chosen, const struct bench_cases *cases,
                           const struct invocation *in, struct err *e)
{
    struct bench_measuring m = {.in_use = -1,
                                .setting = {.n_runs = in->values.runs,
                                            .seed = 1,
                                            .patience = in->values.patience,
                                            .cases_dir = cases->dir,
                                            .results_dir = option_or(in->values.results, BENCH_RESULTS_DIR),
                                            .resume = !in->values.again}};
    enum status status = bench_measuring_given(&m, in, e);

    THEN(status, bench_ask_versions(&m.setting, e));
    THEN(status, bench_assess_cases(chosen->items, chosen->n, &m.setting, e));
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

/* --- a checker of others: each case, and precision and recall with intervals --- */

struct totals {
    uint64_t cases, found, at_place, silent;
    uint64_t findings, findings_at_place;
};

static const double CONFIDENCE = 0.95;

static void add_share(struct table *t, const char *what, uint64_t n, uint64_t of)
{
    struct proportion share;

    wilson_interval(n, of, CONFIDENCE, &share);
    table_add_row(t, table_text(span_of(what)), table_int((int64_t)n), table_int((int64_t)of),
                  table_real(of > 0 ? share.share : NAN), table_real(of > 0 ? share.low : NAN),
                  table_real(of > 0 ? share.high : NAN));
}

/* Runs the tool that the file describes on the cases and prints its scores. ST_NO when it was interrupted. */
static enum status MUST_USE assess_tool(const char *path, const struct bench_chosen *chosen, const char *cases_dir,
                                        const struct table_output *out, struct err *e)
{
    const struct span yes = SPAN("yes"), no = SPAN("no");
    AT_END(bench_tool_clear) struct bench_tool tool;
    AT_END(table_list_clear) struct table_list r = {0};
    struct totals totals = {.cases = 0};
    enum status status = bench_tool_read(&tool, path, e);
    struct table *t = table_list_add(&r, "tool-cases", "Cases");

    table_columns(t, "problem_id = Problem; fidelity = Fidelity; found = Found; at_place = at the place; "
                     "silent_on_fixed = silent on fixed; rule = Rule; findings_buggy int = Findings in buggy; "
                     "findings_fixed int = in fixed");
    for (size_t i = 0; i < chosen->n && status == ST_OK; i++) {
        struct bench_score score;
        struct err why = {0};
        status = bench_tool_score(&score, &tool, chosen->items[i], cases_dir, &tool.arena, &why);
        if (status == ST_OK) {
            bool counts = chosen->items[i]->fidelity != BENCH_STAND_IN;
            table_add_row(t, table_text(span_of(chosen->items[i]->id)),
                          table_text(span_of(bench_fidelity_names[chosen->items[i]->fidelity])),
                          table_text(score.found ? yes : no), table_text(score.at_place ? yes : no),
                          table_text(score.silent ? yes : no), table_some(span_of(score.rule)),
                          table_int((int64_t)score.n_buggy), table_int((int64_t)score.n_fixed));
            /* A stand-in shows another problem than its label says, so it is shown and not counted. */
            totals.cases += counts;
            totals.found += counts && score.found;
            totals.at_place += counts && score.at_place;
            totals.silent += counts && score.silent;
            totals.findings += counts ? score.n_buggy : 0;
            totals.findings_at_place += counts ? score.n_at_place : 0;
        } else if (status != ST_NO) {
            status = err_set(e, status, "%s: %s", chosen->items[i]->id, why.text);
        }
    }
    if (out->format != TABLE_AS_CSV) {
        struct table *summary = table_list_add(&r, "tool-summary", "Scores");

        table_columns(summary,
                      "score = Score; n int = n; of int = of; share share = Share; low share = Low; high share = High");
        add_share(summary, "recall: found", totals.found, totals.cases);
        add_share(summary, "recall: found at the place", totals.at_place, totals.cases);
        add_share(summary, "silent on fixed", totals.silent, totals.cases);
        add_share(summary, "precision: findings at the place", totals.findings_at_place, totals.findings);
        table_note(summary,
                   "Tool: %s. Stand-ins are not counted. Found: a rule has more findings in buggy.py"
                   " than in fixed.py. At the place: one of them is at most %d lines from a line that"
                   " the fix changes. Intervals: Wilson, 95 %%.",
                   tool.name, BENCH_PLACE_NEAR);
    }
    if (status == ST_OK)
        table_list_print(&r, out);
    return status;
}

/* --- the command --- */

static enum status run_bench_assess(struct invocation *in, struct err *e)
{
    struct bench_lock lock = {-1, -1};
    const char *results = option_or(in->values.results, BENCH_RESULTS_DIR);
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    struct bench_chosen chosen = {0};
    AT_END(clear) struct state s = {.cases = &cases};
    size_t missing = 0;
    enum status status = bench_cases_given(&cases, in, e);

    THEN(status, bench_cases_named(&chosen, &cases, in, e));
    signals_catch();
    const char *tool = in->values.tool;
    if (status == ST_OK && tool != NULL)
        status = assess_tool(tool, &chosen, cases.dir, &in->out, e);
    if (status == ST_OK && tool == NULL && (in->values.run || in->values.again)) {
        status = bench_lock(&lock, results, e);
        THEN(status, measure(&chosen, &cases, in, e));
    }
    if (status == ST_OK && tool == NULL)
        status = bench_study_load(&s.study, e);
    s.rows = mem_zero(chosen.n + 1, sizeof *s.rows);
    for (size_t i = 0; i < chosen.n && status == ST_OK && tool == NULL; i++) {
        struct row *row = &s.rows[s.n++];
        row->c = chosen.items[i];
        status = bench_assessment_read(&row->measured, results, row->c->id, e);
        row->problem = bench_study_find(&s.study, row->c->id);
        row->is_measured = status == ST_OK;
        if (status == ST_OK || status == ST_NO)
            status = check_case(row, cases.dir, e);
        missing += !row->is_measured;
    }
    bench_unlock(&lock);
    if (status == ST_OK && missing > 0)
        log_info("%zu of %zu cases are not measured in %s; --run measures them", missing, s.n, results);
    if (status == ST_OK && tool == NULL)
        print(&s, &in->out);
    mem_free(chosen.items);
    return status;
}

const struct command command_bench_assess = {
    .name = "bench assess",
    .summary = "Grade profiler, XLA, documentation and check on the cases",
    .operands = "[ID…]",
    .options = OPTIONS(
        TEXT("tool", tool, "FILE", "score the checker that this file describes, and nothing else"),
        FLAG("run", run, "measure the cases that have no assessment, or changed since"),
        FLAG("again", again, "measure all cases again"),
        NUMBER("runs", runs, "N", 1, BENCH_RUNS_MAX, 3, "rounds of buggy, with XLA, and fixed (default: 3)"),
        NUMBER("patience", patience, "N", 1, 100, 1,
               "multiply the cases' time limits by N, on a busy machine (default: 1)"),
        BENCH_CASES_OPTION, BENCH_RESULTS_OPTION, BENCH_MEASURING_OPTIONS, OUTPUT_OPTIONS),
    .description = "Compares approaches on the cases: the study's published grades and the measured ones. XLA:\n"
                   "the buggy script with XLA against both scripts without. TensorFlow's Profiler: does it\n"
                   "list what the mistake makes costly (see case.ini) among its first entries in the buggy\n"
                   "script, and not in the fixed one? ppmine check:\n"
                   "does it find something in the buggy script that it does not find in the fixed one?\n"
                   "Documentation: as published. The man page has the rule for each grade.\n\n"
                   "Without --run, only check is run, and earlier assessments are printed. They are in\n"
                   "assessment/ID.json of the folder of results. --run waits while another run measures on\n"
                   "this machine. On a busy machine it behaves as `bench run` does.",
    .examples = EXAMPLES({"ppmine bench assess", "measured grades beside those of the study"},
                         {"ppmine bench assess --run", "measure first; run it again after Ctrl-C to continue"},
                         {"ppmine bench assess 63838440 --again --runs 5", NULL},
                         {"ppmine bench assess --tool ruff.ini", "another checker, on the same cases"},
                         {"ppmine bench assess --format html > assess.html", NULL}),
    .run = run_bench_assess,
};
