#define _GNU_SOURCE
#include "cli/bench_cases.h"

#include "base/run_lock.h"
#include "study/study.h"

#include <limits.h>
#include <unistd.h>

/* --- the study --- */

enum { PROBLEM_ID, PROBLEM_SYMPTOM, PROBLEM_ROOT_CAUSE, PROBLEM_COLUMNS = 8 };
static const char *const problem_columns[PROBLEM_COLUMNS] = {
    "problem_id",       "symptom1",       "root_cause", "symptom2", "post_id", "created_at",
    "introducing_stage", "exposing_stage",
};

enum { ASSESSED_ID, ASSESSED_PROFILER, ASSESSED_COLUMNS = 6 };
static const char *const assessed_columns[ASSESSED_COLUMNS] = {
    "problem_id", "profiler", "xla", "documentation", "post_id", "library",
};

static struct bench_problem *find(const struct bench_study *s, struct span id)
{
    for (size_t i = 0; i < s->n; i++)
        if (span_eq(s->items[i].id, id))
            return &s->items[i];
    return NULL;
}

static struct bench_problem *find_or_add(struct bench_study *s, struct span id)
{
    struct bench_problem *found = find(s, id);

    if (found != NULL)
        return found;
    if (s->n == s->capacity) {
        s->capacity = s->capacity * 2 + 256;
        s->items = mem_resize(s->items, s->capacity, sizeof *s->items);
    }
    s->items[s->n] = (struct bench_problem){.id = arena_copy(&s->arena, id)};
    return &s->items[s->n++];
}

static void add_problem(struct bench_study *s, const struct csv_reader *r, const size_t *columns)
{
    struct bench_problem *p = find_or_add(s, r->fields[columns[PROBLEM_ID]]);

    p->symptom = arena_copy(&s->arena, r->fields[columns[PROBLEM_SYMPTOM]]);
    p->root_cause = arena_copy(&s->arena, r->fields[columns[PROBLEM_ROOT_CAUSE]]);
}

static void add_assessment(struct bench_study *s, const struct csv_reader *r,
                           const size_t *columns)
{
    struct bench_problem *p = find_or_add(s, r->fields[columns[ASSESSED_ID]]);

    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        p->approaches[i] = arena_copy(&s->arena, r->fields[columns[ASSESSED_PROFILER + i]]);
}

static enum status read_file(struct bench_study *s, const struct study *study, const char *name,
                             const char *const *names, size_t n,
                             void (*add)(struct bench_study *, const struct csv_reader *,
                                         const size_t *),
                             struct err *e)
{
    struct csv_reader r;
    size_t columns[PROBLEM_COLUMNS];

    csv_open(&r, study_file(study, name), name);
    enum status status = csv_header(&r, names, n, columns, e);
    while (status == ST_OK && (status = csv_record(&r, e)) == ST_OK)
        add(s, &r, columns);
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}

enum status bench_study_load(struct bench_study *out, struct err *e)
{
    struct study study;
    enum status status = study_load(&study, NULL, e);

    *out = (struct bench_study){0};
    if (status == ST_OK)
        status = read_file(out, &study, "problems.csv", problem_columns, PROBLEM_COLUMNS,
                           add_problem, e);
    if (status == ST_OK)
        status = read_file(out, &study, "assessment.csv", assessed_columns, ASSESSED_COLUMNS,
                           add_assessment, e);
    study_clear(&study);
    return status;
}

void bench_study_clear(struct bench_study *s)
{
    mem_free(s->items);
    arena_clear(&s->arena);
    *s = (struct bench_study){0};
}

struct bench_problem bench_study_find(const struct bench_study *s, const char *id)
{
    const struct bench_problem *found = find(s, span_of(id));

    return found != NULL ? *found : (struct bench_problem){.id = span_of(id)};
}

/* --- options --- */

void bench_data_path(struct buf *out, const char *name)
{
    char program[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program);
    struct span rest = {program, len > 0 ? (size_t)len : 0};

    buf_addf(out, "bench/%s", name);
    if (access(buf_cstr(out), F_OK) == 0 || rest.len == 0)
        return;
    /* <prefix>/bin/ppmine has it in <prefix>/share/ppmine/bench. */
    for (int i = 0; i < 2; i++)
        while (rest.len > 0 && rest.ptr[--rest.len] != '/') {}
    struct buf installed = {0};
    buf_addf(&installed, "%.*s/share/ppmine/bench/%s", (int)rest.len, rest.ptr, name);
    if (access(buf_cstr(&installed), F_OK) == 0) {
        buf_reset(out);
        buf_add_span(out, buf_span(&installed));
    }
    buf_clear(&installed);
}

enum status bench_cases_given(struct bench_cases *out, const struct invocation *in, struct err *e)
{
    struct buf path = {0};

    bench_data_path(&path, "cases");
    const char *dir = option_text(in, "cases", buf_cstr(&path));
    enum status status = bench_cases_load(out, dir, e);
    if (status == ST_OK && out->n == 0)
        status = err_set(e, ST_INPUT, "%s has no cases: folders with a case.ini", dir);
    buf_clear(&path);
    return status;
}

static enum status add_named(struct bench_chosen *out, const struct bench_cases *cases,
                             const struct invocation *in, const char *id, struct err *e)
{
    const struct bench_case *found = bench_cases_find(cases, id);

    if (found == NULL)
        return err_set(e, ST_USAGE, "%s: there is no case '%s'; 'bench list' names them",
                       in->command->name, id);
    for (size_t i = 0; i < out->n; i++)
        if (out->items[i] == found)
            return ST_OK;
    out->items[out->n++] = found;
    return ST_OK;
}

enum status bench_cases_named(struct bench_chosen *out, const struct bench_cases *cases,
                              const struct invocation *in, struct err *e)
{
    enum status status = ST_OK;

    *out = (struct bench_chosen){mem_zero(cases->n + 1, sizeof(struct bench_case *)), 0};
    for (size_t i = 0; i < in->n_operands && status == ST_OK; i++)
        status = add_named(out, cases, in, in->operands[i], e);
    for (size_t i = 0; i < cases->n && in->n_operands == 0; i++)
        out->items[out->n++] = &cases->items[i];
    return status;
}

/* Runs are in folders of their own, so a path must be absolute; links stay, since what a virtual
 * environment is depends on them. */
enum status bench_python_given(struct buf *out, const struct invocation *in, struct err *e)
{
    const char *given = option_text(in, "python", NULL);
    struct buf dir = {0};
    char here[PATH_MAX];

    if (given != NULL) {
        if (given[0] != '/' && strchr(given, '/') != NULL && getcwd(here, sizeof here) != NULL)
            buf_addf(out, "%s/", here);
        buf_add_text(out, given);
        return ST_OK;
    }
    enum status status = bench_environment_dir(&dir, e);
    if (status == ST_OK)
        status = bench_environment_python(out, buf_cstr(&dir), e);
    buf_clear(&dir);
    if (status == ST_NO)
        e->status = status = ST_INPUT; /* here it is no answer but a lack */
    return status;
}

enum status bench_results_lock(const char *dir, int *fd, struct err *e)
{
    struct buf file = {0};
    enum status status = folders_make(dir, e);

    buf_addf(&file, "%s/.run-lock", dir);
    *fd = -1;
    if (status == ST_OK)
        status = run_lock_wait(buf_cstr(&file), dir, fd, e);
    buf_clear(&file);
    return status;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool bench_contains(struct span text, const char *part)
{
    size_t len = strlen(part), same;

    for (size_t i = 0; i + len <= text.len; i++) {
        for (same = 0; same < len && lower(text.ptr[i + same]) == lower(part[same]); same++) {}
        if (same == len)
            return true;
    }
    return false;
}

enum status bench_last_result(struct bench_summary *out, const char *dir, const char *id,
                              struct arena *arena, struct err *e)
{
    enum status status = bench_summary_read(out, dir, id, arena, e);

    return status == ST_NO ? ST_OK : status;
}
