/* Reads the cases of the benchmark, where they are: case.ini and the scripts beside it. */
#include "base/files.h"
#include "base/ini.h"
#include "base/log.h"
#include "bench/bench.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { INI_MAX = 64 * 1024, SCRIPT_MAX = 1 << 20, SECONDS_MAX = 24 * 3600, MEMORY_MB_MAX = 1 << 20, ID_MAX = 64 };

const char *const bench_metric_names[] = {
    "cpu_time",    "exhaustion", "hang",      "init_time", "memory_growth", "peak_memory", "peak_memory_total",
    "step_growth", "time",       "work_time", NULL};

const char *const bench_metric_units[] = {"s", "", "", "s", "KB/step", "KB", "KB", "x", "s", "s"};

const char *const bench_fidelity_names[] = {"not stated", "faithful", "stand-in", NULL};

const char *const bench_script_names[] = {"buggy.py", "fixed.py"};

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
        while (rest.len > 0 && rest.ptr[--rest.len] != '/') {
        }
    AT_END(mem_end) char *installed = mem_addf("%.*s/share/ppmine/bench/%s", SPAN_ARG(rest), name);
    if (access(installed, F_OK) == 0)
        buf_set(out, span_of(installed));
}

/* --- values --- */

struct reader {
    struct bench_case *out;
    const char *path;
    size_t line;
    struct span section;
    unsigned seen; /* a bit for each key */
    struct arena *arena;
    struct err *e;
};

static bool read_problem_id(const struct reader *r, struct span value)
{
    return span_eq(value, span_of(r->out->id));
}

static bool read_metric(const struct reader *r, struct span value)
{
    r->out->metric = (enum bench_metric)span_place(value, bench_metric_names, BENCH_METRICS);
    return r->out->metric < BENCH_METRICS;
}

static bool read_fidelity(const struct reader *r, struct span value)
{
    size_t place = span_place(value, bench_fidelity_names, BENCH_FIDELITIES);

    r->out->fidelity = place < BENCH_FIDELITIES ? (enum bench_fidelity)place : BENCH_FIDELITY_UNKNOWN;
    return r->out->fidelity != BENCH_FIDELITY_UNKNOWN;
}

static bool is_certainty(const struct reader *r, struct span value)
{
    (void)r;
    return span_is_word(value, "high medium low");
}

static bool read_gpu(const struct reader *r, struct span value)
{
    r->out->gpu = span_eq(value, SPAN("yes"));
    return r->out->gpu || span_eq(value, SPAN("no"));
}

static bool read_tolerance(const struct reader *r, struct span value)
{
    char text[32], *end;

    r->out->exact = span_eq(value, SPAN("exact"));
    r->out->uncompared = span_eq(value, SPAN("none"));
    if (r->out->exact || r->out->uncompared)
        return true;
    snprintf(text, sizeof text, "%.*s", (int)(value.len < 31 ? value.len : 31), value.ptr);
    r->out->tolerance = strtod(text, &end);
    return value.len <= 31 && end != text && *end == '\0' && r->out->tolerance > 0 && r->out->tolerance < 1;
}

static bool is_small(const struct reader *r, struct span value)
{
    (void)r;
    return span_has(value, " = ");
}

static bool is_environment(const struct reader *r, struct span value)
{
    return bench_is_environment(arena_text(r->arena, value));
}

/* --- keys --- */

enum { NONE, REQUIRED, MAY_BE_EMPTY };

/* What is kept is a text, or a number from 1; or neither, and `read` keeps it. */
static const struct key {
    const char *section, *name;
    int rule;
    bool (*read)(const struct reader *r, struct span value); /* or looks at it; NULL: any text */
    size_t text, number;                                     /* place in struct bench_case; 0: none */
    uint64_t most;
    const char *expected; /* NULL: one of the metrics */
} keys[] = {
/* clang-format off */
#define TEXT(member, expected) offsetof(struct bench_case, member), 0, 0, expected
#define NUMBER(member) 0, offsetof(struct bench_case, member)
    {"case", "problem_id", REQUIRED, read_problem_id, 0, 0, 0, "the name of the folder"},
    {"case", "summary", REQUIRED, NULL, TEXT(summary, NULL)},
    {"case", "fix", REQUIRED, NULL, TEXT(fix, NULL)},
    {"origin", "fidelity", NONE, read_fidelity, 0, 0, 0, "faithful or stand-in"},
    {"origin", "certainty", NONE, is_certainty, TEXT(certainty, "high, medium or low")},
    {"origin", "made_from", NONE, NULL, TEXT(made_from, NULL)},
    {"origin", "reason", NONE, NULL, TEXT(fidelity_reason, NULL)},
    {"measure", "metric", REQUIRED, read_metric, 0, 0, 0, NULL},
    {"measure", "costly", MAY_BE_EMPTY, NULL, TEXT(costly, NULL)},
    {"needs", "tensorflow", NONE, NULL, NUMBER(tensorflow), 2, "1 or 2"},
    {"needs", "pytorch", NONE, NULL, NUMBER(pytorch), 2, "1 or 2"},
    {"needs", "gpu", NONE, read_gpu, 0, 0, 0, "yes or no"},
    {"needs", "reason", MAY_BE_EMPTY, NULL, TEXT(reason, NULL)},
    {"environments", "buggy", NONE, is_environment,
     TEXT(environments[BENCH_BUGGY], "the name of a file of environments, without .txt")},
    {"environments", "fixed", NONE, is_environment,
     TEXT(environments[BENCH_FIXED], "the name of a file of environments, without .txt")},
    {"limits", "seconds", REQUIRED, NULL, NUMBER(seconds), SECONDS_MAX, "whole seconds from 1 to 86400"},
    {"limits", "memory_mb", REQUIRED, NULL, NUMBER(memory_mb), MEMORY_MB_MAX,
     "whole megabytes from 1 to 1048576"},
    {"digest", "tolerance", REQUIRED, read_tolerance, 0, 0, 0, "exact, none, or a number above 0 and below 1"},
    {"digest", "small", NONE, is_small, TEXT(small, "NAME = VALUE")},
    /* clang-format on */
};

static enum status read_setting(struct reader *r, struct span key, struct span value)
{
    size_t i = 0;

    while (i < ARRAY_LEN(keys) &&
           !(span_eq(r->section, span_of(keys[i].section)) && span_eq(key, span_of(keys[i].name))))
        i++;
    if (i == ARRAY_LEN(keys)) {
        AT_END(buf_clear) struct buf list = {0};

        for (size_t k = 0; k < ARRAY_LEN(keys); k++)
            if (span_eq(r->section, span_of(keys[k].section)))
                buf_addf(&list, "%s%s", list.len > 0 ? ", " : "", keys[k].name);
        return err_set(r->e, ST_INPUT, "%s:%zu: unknown key '%.*s' in [%.*s]; its keys are: %s", r->path, r->line,
                       (int)(key.len < 100 ? key.len : 100), key.ptr, SPAN_ARG(r->section), buf_cstr(&list));
    }
    if ((r->seen & 1U << i) != 0)
        return err_set(r->e, ST_INPUT, "%s:%zu: '%s' is given twice", r->path, r->line, keys[i].name);
    r->seen |= 1U << i;
    if (value.len == 0 && keys[i].rule != MAY_BE_EMPTY)
        return err_set(r->e, ST_INPUT, "%s:%zu: '%s' has no value", r->path, r->line, keys[i].name);
    uint64_t *number = (uint64_t *)((char *)r->out + keys[i].number);
    AT_END(buf_clear) struct buf metrics = {0};

    if (keys[i].text > 0)
        *(const char **)((char *)r->out + keys[i].text) = arena_text(r->arena, value);
    if ((keys[i].read == NULL || keys[i].read(r, value)) &&
        (keys[i].number == 0 || (span_u64(value, keys[i].most, number) && *number > 0)))
        return ST_OK;
    for (size_t k = 0; k < BENCH_METRICS; k++)
        buf_addf(&metrics, "%s%s", k > 0 ? ", " : "one of ", bench_metric_names[k]);
    return err_set(r->e, ST_INPUT, "%s:%zu: %s = %.*s: expected %s", r->path, r->line, keys[i].name,
                   (int)(value.len < 200 ? value.len : 200), value.ptr,
                   keys[i].expected != NULL ? keys[i].expected : buf_cstr(&metrics));
}

static enum status read_line(void *ctx, const struct ini_line *l, struct err *e)
{
    struct reader *r = ctx;
    AT_END(buf_clear) struct buf list = {0};

    (void)e; /* is r->e */
    r->line = l->line;
    r->section = l->section;
    if (l->key.ptr != NULL)
        return read_setting(r, l->key, l->value);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (span_eq(r->section, span_of(keys[i].section)))
            return ST_OK;
        if (i == 0 || strcmp(keys[i].section, keys[i - 1].section) != 0)
            buf_addf(&list, "%s%s", i > 0 ? ", " : "", keys[i].section);
    }
    return err_set(r->e, ST_INPUT, "%s:%zu: unknown section [%.*s]; they are: %s", r->path, r->line,
                   (int)(r->section.len < 100 ? r->section.len : 100), r->section.ptr, buf_cstr(&list));
}

enum status bench_case_read(struct bench_case *out, const char *id, struct span content, const char *path,
                            struct arena *arena, struct err *e)
{
    struct reader r = {.out = out, .path = path, .arena = arena, .e = e};
    enum status status;

    *out = (struct bench_case){.id = arena_text(arena, span_of(id)), .environments = {"", ""}};
    out->summary = out->fix = out->certainty = out->made_from = out->fidelity_reason = "";
    out->costly = out->reason = out->small = "";
    status = ini_each(content, path, read_line, &r, e);
    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(keys); i++)
        if (keys[i].rule == REQUIRED && (r.seen & 1U << i) == 0)
            status = err_set(e, ST_INPUT, "%s: '%s' is missing; add a line '%s = …' to [%s]", path, keys[i].name,
                             keys[i].name, keys[i].section);
    if (status == ST_OK && (out->environments[BENCH_BUGGY][0] == '\0') != (out->environments[BENCH_FIXED][0] == '\0'))
        status = err_set(e, ST_INPUT, "%s: [environments] names one of buggy and fixed; name both", path);
    if (status == ST_OK && out->fidelity == BENCH_STAND_IN && out->fidelity_reason[0] == '\0')
        status = err_set(e, ST_INPUT, "%s: a stand-in needs a reason; add a line 'reason = …' to [origin]", path);
    return status;
}

/* --- the folder --- */

bool bench_is_id(const char *name)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");

    return len > 0 && len < ID_MAX && name[len] == '\0';
}

/* A file of a case. A link may not lead out of the folder of cases: what is read is printed and run. */
static enum status read_inside(const char *cases_dir, const char *path, size_t max, struct buf *out, struct err *e)
{
    if (access(path, F_OK) == 0 && !path_is_inside(cases_dir, path))
        return err_set(e, ST_INPUT, "%s: a link that leads out of %s; put a copy in its place", path, cases_dir);
    return file_read_regular(path, max, out, e);
}

static int by_id(const void *a, const void *b)
{
    const struct bench_case *x = a, *y = b;

    return strcmp(x->id, y->id);
}

enum status bench_cases_load(struct bench_cases *out, const char *dir, struct err *e)
{
    char absolute[PATH_MAX];
    struct dirent *entry;
    enum status status = ST_OK;

    *out = (struct bench_cases){0};
    if (realpath(dir, absolute) == NULL)
        return err_set(e, ST_IO, "%s: %s; --cases DIR says where the cases are", dir, strerror(errno));
    out->dir = mem_text(span_of(absolute));
    AT_END(dir_end) DIR *folder = opendir(absolute);
    if (folder == NULL)
        return err_set(e, ST_IO, "%s: %s; --cases DIR says where the cases are", dir, strerror(errno));
    while (status == ST_OK && (errno = 0, entry = readdir(folder)) != NULL) {
        /* `dir` as it was given, for messages. */
        AT_END(buf_clear) struct buf content = {0};
        AT_END(mem_end) char *path = mem_addf("%s/%s/case.ini", dir, entry->d_name);
        bool there = access(path, F_OK) == 0;
        if (there && !bench_is_id(entry->d_name)) {
            log_warn("%s is skipped: the name of a case has 1 to %d characters of a-z, 0-9, '_' and '-'", path,
                     ID_MAX - 1);
            there = false;
        }
        if (there)
            status = read_inside(dir, path, INI_MAX, &content, e);
        if (there && status == ST_OK) {
            struct bench_case read;
            status = bench_case_read(&read, entry->d_name, buf_span(&content), path, &out->arena, e);
            if (status == ST_OK)
                array_add(&out->items, read);
        }
    }
    if (status == ST_OK && errno != 0)
        status = err_set(e, ST_IO, "%s: cannot be read to its end: %s", dir, strerror(errno));
    array_sort(&out->items, by_id);
    return status;
}

void bench_cases_clear(struct bench_cases *c)
{
    array_clear(&c->items);
    mem_free(c->dir);
    arena_clear(&c->arena);
    *c = (struct bench_cases){0};
}

const struct bench_case *bench_cases_find(const struct bench_cases *c, const char *id)
{
    for (size_t i = 0; i < c->items.n; i++)
        if (strcmp(c->items.at[i].id, id) == 0)
            return &c->items.at[i];
    return NULL;
}

/* --- its scripts --- */

enum status bench_case_scripts(struct buf texts[BENCH_SIDES], const struct bench_case *c, const char *cases_dir,
                               struct err *e)
{
    enum status status = ST_OK;

    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++) {
        AT_END(mem_end) char *path = mem_addf("%s/%s/%s", cases_dir, c->id, bench_script_names[side]);
        status = read_inside(cases_dir, path, SCRIPT_MAX, &texts[side], e);
    }
    return status;
}

void bench_sides_clear(struct buf (*texts)[BENCH_SIDES])
{
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&(*texts)[side]);
}

void bench_case_sha256(char out[SHA256_TEXT_SIZE], const struct bench_case *c, const struct buf texts[BENCH_SIDES])
{
    struct sha256_ctx sha;
    AT_END(buf_clear) struct buf facts = {0};

    /* Lengths keep one script's end from passing for the other's begin. */
    buf_addf(&facts, "%s %ju s %ju MB %s%.17g %zu %zu\n", bench_metric_names[c->metric], (uintmax_t)c->seconds,
             (uintmax_t)c->memory_mb,
             c->exact        ? "exact"
             : c->uncompared ? "none"
                             : "",
             c->exact ? 0 : c->tolerance, texts[BENCH_BUGGY].len, texts[BENCH_FIXED].len);
    if (c->environments[BENCH_BUGGY][0] != '\0')
        buf_addf(&facts, "%s %s\n", c->environments[BENCH_BUGGY], c->environments[BENCH_FIXED]);
    if (c->small[0] != '\0')
        buf_addf(&facts, "small %s\n", c->small);
    sha256_init(&sha);
    sha256_add(&sha, buf_span(&facts));
    for (int side = 0; side < BENCH_SIDES; side++)
        sha256_add(&sha, buf_span(&texts[side]));
    sha256_text(&sha, out);
}

bool bench_case_is(const struct bench_case *c, const char *cases_dir, const char *sha256)
{
    AT_END(bench_sides_clear) struct buf texts[BENCH_SIDES] = {{0}, {0}};
    char now[SHA256_TEXT_SIZE];
    struct err e = {0};

    if (bench_case_scripts(texts, c, cases_dir, &e) != ST_OK)
        return false;
    bench_case_sha256(now, c, texts);
    return strcmp(now, sha256) == 0;
}
