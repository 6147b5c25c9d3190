/* bench info, checkout, diff: one case of the benchmark, for people and for other tools. */
#include "base/output_file.h"
#include "bench/pair.h"
#include "cli/options.h"
#include "bench/store/store.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"
#include "base/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const char *const version_names[BENCH_SIDES] = {"buggy", "fixed"};

/* --- what the three have in common --- */

/* The case of the first operand with its scripts; ST_USAGE for one that is not there. */
struct pair {
    struct bench_cases cases;
    const struct bench_case *c;
    struct buf texts[BENCH_SIDES];
};

static enum status pair_open(struct pair *p, struct invocation *in, struct err *e)
{
    enum status status = bench_case_given(&p->cases, &p->c, in, e);

    return status == ST_OK ? bench_case_scripts(p->texts, p->c, p->cases.dir, e) : status;
}

static void pair_clear(struct pair *p)
{
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&p->texts[side]);
    bench_cases_clear(&p->cases);
}

/* --- bench info --- */

/* In text a line for each fact, in other formats a column. */
struct sheet {
    struct table t;
    bool is_tall;
    struct ARRAY_OF(struct span) values; /* of the arena */
    struct arena arena;
};

static void add_fact(void *ctx, struct span name, struct span value)
{
    struct sheet *s = ctx;

    if (s->is_tall) {
        if (value.len == 0)
            return;
        table_add_row(&s->t, table_text(name), table_text(value));
        return;
    }
    table_column_add_span(&s->t, name, (struct span){0}, TABLE_TEXT);
    array_add(&s->values, arena_copy(&s->arena, value));
}

static enum status add_facts(struct sheet *s, const struct pair *p, struct err *e)
{
    static const char *const majors[] = {"", "1", "2"};
    const struct bench_case *c = p->c;
    char sha256[SHA256_TEXT_SIZE];
    AT_END(array_end) struct bench_places places = {0};
    AT_END(buf_clear) struct buf text = {0};
    AT_END(mem_end)
    char *url = mem_addf("https://stackoverflow.com/questions/%.*s", (int)strcspn(c->id, "_"), c->id);

    add_fact(s, SPAN("url"), span_of(url));
    enum status status = bench_study_labels(c->id, add_fact, s, e);
    /* "12-14 20": the lines of buggy.py that the fix changes. */
    bench_fix_places(buf_span(&p->texts[BENCH_BUGGY]), buf_span(&p->texts[BENCH_FIXED]), &places);
    for (size_t i = 0; i < places.n; i++) {
        buf_addf(&text, "%s%zu", i > 0 ? " " : "", places.at[i].first);
        if (places.at[i].last > places.at[i].first)
            buf_addf(&text, "-%zu", places.at[i].last);
    }
    bench_case_sha256(sha256, c, p->texts);
    const char *const facts[][2] = {
        {"summary", c->summary},
        {"fix", c->fix},
        {"buggy_lines", buf_cstr(&text)},
        {"metric", bench_metric_names[c->metric]},
        {"fidelity", bench_fidelity_names[c->fidelity]},
        {"certainty", c->certainty},
        {"made_from", c->made_from},
        {"reason", c->fidelity_reason},
        {"tensorflow", majors[c->tensorflow]},
        {"pytorch", majors[c->pytorch]},
        {"gpu", c->gpu ? "yes" : "no"},
        {"environment_buggy", c->environments[BENCH_BUGGY]},
        {"environment_fixed", c->environments[BENCH_FIXED]},
        {"case_sha256", sha256},
    };
    for (size_t i = 0; i < ARRAY_LEN(facts); i++)
        add_fact(s, span_of(facts[i][0]), span_of(facts[i][1]));
    return status;
}

static enum status run_bench_info(struct invocation *in, struct err *e)
{
    AT_END(pair_clear) struct pair p = {.c = NULL};
    struct sheet s = {.is_tall = false};
    enum status status = pair_open(&p, in, e);

    if (status == ST_OK) {
        s.is_tall = in->out.format == TABLE_AS_TEXT;
        table_init(&s.t, "bench-info", "A case of the benchmark", s.is_tall ? "fact; value" : "");
        status = add_facts(&s, &p, e);
        for (size_t i = 0; i < s.values.n; i++)
            table_add_text(&s.t, s.values.at[i]);
        if (status == ST_OK)
            table_print(&s.t, &in->out);
        table_clear(&s.t);
    }
    array_clear(&s.values);
    arena_clear(&s.arena);
    return status;
}

const struct command command_bench_info = {
    .name = "bench info",
    .summary = "Print labels, fix and changed lines of a case",
    .operands = "ID",
    .options = OPTIONS(BENCH_CASES_OPTION, OUTPUT_OPTIONS),
    .description = "Labels are those of the built-in study. buggy_lines are the lines of buggy.py that the fix\n"
                   "changes, without comments. Where the fix only adds lines, they are the lines before and\n"
                   "after the addition. case_sha256 changes with the scripts, the metric and the limits.",
    .examples = EXAMPLES({"ppmine bench info 51228131", NULL},
                         {"ppmine bench info 51228131 --format json", "for another tool"}),
    .run = run_bench_info,
};

/* --- bench checkout --- */

static enum status run_bench_checkout(struct invocation *in, struct err *e)
{
    AT_END(pair_clear) struct pair p = {.c = NULL};
    const char *dir = in->operands[1], *version = in->values.version_text;

    if (version != NULL && !span_is_any(span_of(version), version_names, BENCH_SIDES))
        return usage_error(in, e, "--version %s: expected buggy or fixed", version);
    enum status status = pair_open(&p, in, e);
    THEN(status, folders_make(dir, e));
    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++)
        if (version == NULL || strcmp(version, version_names[side]) == 0) {
            AT_END(buf_clear) struct buf text = {0};
            AT_END(mem_end) char *path = mem_addf("%s/%s.py", dir, version_names[side]);
            if (in->values.stripped)
                bench_strip(buf_span(&p.texts[side]), &text);
            else
                buf_add(&text, p.texts[side].ptr, p.texts[side].len);
            status = output_file_write(path, OUTPUT_NEW, buf_span(&text), e);
        }
    if (status == ST_OK)
        log_info("%s: checked out into %s", p.c->id, dir);
    return status;
}

const struct command command_bench_checkout = {
    .name = "bench checkout",
    .summary = "Write the scripts of a case into a folder",
    .operands = "ID DIR",
    .options = OPTIONS(TEXT("version", version_text, "NAME", "buggy or fixed (default: both)"),
                       FLAG("stripped", stripped, "leave out comments and docstrings, which name the mistake"),
                       BENCH_CASES_OPTION),
    .description = "The folder is made if it is missing. An existing script is never replaced. With\n"
                   "--stripped, lines keep their numbers. The scripts import ppcase: run them with the folder\n"
                   "bench/lib in PYTHONPATH.",
    .examples = EXAMPLES(
        {"ppmine bench checkout 51228131 pair", "pair/buggy.py and pair/fixed.py"},
        {"ppmine bench checkout 51228131 task --version buggy --stripped", "a task for a tool or a model"}),
    .run = run_bench_checkout,
};

/* --- bench diff --- */

static enum status run_bench_diff(struct invocation *in, struct err *e)
{
    AT_END(pair_clear) struct pair p = {.c = NULL};
    AT_END(buf_clear) struct buf diff = {0}, out = {0};
    char piece[4096];
    int ends[2];
    pid_t child;
    ssize_t n;
    enum status status = pair_open(&p, in, e);

    if (status != ST_OK)
        return status;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(e, ST_IO, "diff: %s", strerror(errno));
    AT_END(mem_end)
    char *buggy = mem_addf("%s/%s/buggy.py", p.cases.dir, p.c->id),
         *fixed = mem_addf("%s/%s/fixed.py", p.cases.dir, p.c->id);
    const char *const argv[] = {"diff", "-u", "--label", "buggy.py", "--label", "fixed.py", "--", buggy, fixed, NULL};
    int fault = program_start(argv, NULL, STDIN_FILENO, ends[1], false, &child);
    close(ends[1]);
    while (fault == 0 && ((n = read(ends[0], piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)))
        buf_add(&diff, piece, n > 0 ? (size_t)n : 0);
    close(ends[0]);
    if (fault != 0)
        return err_set(e, ST_IO, "diff: %s; install diffutils", strerror(fault));
    int code = program_end(child);
    if (code != 0 && code != 1)
        return err_set(e, ST_IO, "diff failed");
    if (isatty(STDOUT_FILENO) == 1)
        buf_add_clean_lines(&out, buf_span(&diff));
    else
        buf_add_span(&out, buf_span(&diff));
    if (out.len > 0)
        fwrite(out.ptr, 1, out.len, stdout);
    return ST_OK;
}

const struct command command_bench_diff = {
    .name = "bench diff",
    .summary = "Print what the fix of a case changes",
    .operands = "ID",
    .options = OPTIONS(BENCH_CASES_OPTION),
    .description = "A unified diff of buggy.py and fixed.py, made by diff(1).",
    .examples = EXAMPLES({"ppmine bench diff 51228131", NULL}),
    .run = run_bench_diff,
};
