/* Reads the cases of the benchmark: case.ini and the scripts beside it. */
#define _GNU_SOURCE
#include "base/files.h"
#include "base/ini.h"
#include "base/log.h"
#include "bench/bench.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <unistd.h>

enum { INI_MAX = 64 * 1024, SCRIPT_MAX = 1 << 20, SECONDS_MAX = 24 * 3600, MEMORY_MB_MAX = 1 << 20, ID_MAX = 64 };

const char *const bench_metric_names[] = {
    "cpu_time",    "exhaustion", "hang",      "init_time", "memory_growth", "peak_memory", "peak_memory_total",
    "step_growth", "time",       "work_time", NULL};

const char *const bench_metric_units[] = {"s", "", "", "s", "KB/step", "KB", "KB", "x", "s", "s"};

const char *const bench_fidelity_names[] = {"not stated", "faithful", "stand-in", NULL};

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

static enum status bad(const struct reader *r, const char *key, struct span value, const char *expected)
{
    return err_set(r->e, ST_INPUT, "%s:%zu: %s = %.*s: expected %s", r->path, r->line, key,
                   (int)(value.len < 200 ? value.len : 200), value.ptr, expected);
}

static const char *keep(const struct reader *r, struct span s)
{
    return arena_text(r->arena, s);
}

static enum status read_problem_id(const struct reader *r, struct span value)
{
    if (!span_eq(value, span_of(r->out->id)))
        return bad(r, "problem_id", value, "the name of the folder");
    return ST_OK;
}

static enum status read_summary(const struct reader *r, struct span value)
{
    r->out->summary = keep(r, value);
    return ST_OK;
}

static enum status read_fix(const struct reader *r, struct span value)
{
    r->out->fix = keep(r, value);
    return ST_OK;
}

static enum status read_metric(const struct reader *r, struct span value)
{
    struct buf list = {0};
    enum status status;

    for (size_t i = 0; i < BENCH_METRICS; i++) {
        if (span_eq(value, span_of(bench_metric_names[i]))) {
            r->out->metric = (enum bench_metric)i;
            buf_clear(&list);
            return ST_OK;
        }
        buf_addf(&list, "%s%s", i > 0 ? ", " : "one of ", bench_metric_names[i]);
    }
    status = bad(r, "metric", value, buf_cstr(&list));
    buf_clear(&list);
    return status;
}

static enum status read_fidelity(const struct reader *r, struct span value)
{
    for (int i = BENCH_FAITHFUL; i < BENCH_FIDELITIES; i++)
        if (span_eq(value, span_of(bench_fidelity_names[i])))
            r->out->fidelity = (enum bench_fidelity)i;
    if (r->out->fidelity == BENCH_FIDELITY_UNKNOWN)
        return bad(r, "fidelity", value, "faithful or stand-in");
    return ST_OK;
}

static enum status read_certainty(const struct reader *r, struct span value)
{
    r->out->certainty = keep(r, value);
    if (!span_eq(value, SPAN("high")) && !span_eq(value, SPAN("medium")) && !span_eq(value, SPAN("low")))
        return bad(r, "certainty", value, "high, medium or low");
    return ST_OK;
}

static enum status read_made_from(const struct reader *r, struct span value)
{
    r->out->made_from = keep(r, value);
    return ST_OK;
}

static enum status read_fidelity_reason(const struct reader *r, struct span value)
{
    r->out->fidelity_reason = keep(r, value);
    return ST_OK;
}

static enum status read_costly(const struct reader *r, struct span value)
{
    r->out->costly = keep(r, value);
    return ST_OK;
}

static enum status read_tensorflow(const struct reader *r, struct span value)
{
    if (!span_u64(value, 2, &r->out->tensorflow) || r->out->tensorflow == 0)
        return bad(r, "tensorflow", value, "1 or 2");
    return ST_OK;
}

static enum status read_pytorch(const struct reader *r, struct span value)
{
    if (!span_u64(value, 2, &r->out->pytorch) || r->out->pytorch == 0)
        return bad(r, "pytorch", value, "1 or 2");
    return ST_OK;
}

static enum status read_gpu(const struct reader *r, struct span value)
{
    r->out->gpu = span_eq(value, SPAN("yes"));
    if (!r->out->gpu && !span_eq(value, SPAN("no")))
        return bad(r, "gpu", value, "yes or no");
    return ST_OK;
}

static enum status read_reason(const struct reader *r, struct span value)
{
    r->out->reason = keep(r, value);
    return ST_OK;
}

static enum status read_environment(const struct reader *r, int side, struct span value)
{
    r->out->environments[side] = keep(r, value);
    if (!bench_is_environment(r->out->environments[side]))
        return bad(r, side == BENCH_BUGGY ? "buggy" : "fixed", value,
                   "the name of a file of environments, without .txt");
    return ST_OK;
}

static enum status read_buggy_environment(const struct reader *r, struct span value)
{
    return read_environment(r, BENCH_BUGGY, value);
}

static enum status read_fixed_environment(const struct reader *r, struct span value)
{
    return read_environment(r, BENCH_FIXED, value);
}

static enum status read_seconds(const struct reader *r, struct span value)
{
    if (!span_u64(value, SECONDS_MAX, &r->out->seconds) || r->out->seconds == 0)
        return bad(r, "seconds", value, "whole seconds from 1 to 86400");
    return ST_OK;
}

static enum status read_memory(const struct reader *r, struct span value)
{
    if (!span_u64(value, MEMORY_MB_MAX, &r->out->memory_mb) || r->out->memory_mb == 0)
        return bad(r, "memory_mb", value, "whole megabytes from 1 to 1048576");
    return ST_OK;
}

static enum status read_tolerance(const struct reader *r, struct span value)
{
    char text[32], *end;

    r->out->exact = span_eq(value, SPAN("exact"));
    r->out->uncompared = span_eq(value, SPAN("none"));
    if (r->out->exact || r->out->uncompared)
        return ST_OK;
    snprintf(text, sizeof text, "%.*s", (int)(value.len < 31 ? value.len : 31), value.ptr);
    r->out->tolerance = strtod(text, &end);
    if (value.len > 31 || end == text || *end != '\0' || !(r->out->tolerance > 0) || r->out->tolerance >= 1)
        return bad(r, "tolerance", value, "exact, none, or a number above 0 and below 1");
    return ST_OK;
}

static enum status read_small(const struct reader *r, struct span value)
{
    r->out->small = keep(r, value);
    if (strstr(r->out->small, " = ") == NULL)
        return bad(r, "small", value, "NAME = VALUE");
    return ST_OK;
}

/* --- keys --- */

static const struct {
    const char *section, *name;
    enum status (*read)(const struct reader *r, struct span value);
    bool required, may_be_empty;
} keys[] = {
    {"case", "problem_id", read_problem_id, true, false},
    {"case", "summary", read_summary, true, false},
    {"case", "fix", read_fix, true, false},
    {"origin", "fidelity", read_fidelity, false, false},
    {"origin", "certainty", read_certainty, false, false},
    {"origin", "made_from", read_made_from, false, false},
    {"origin", "reason", read_fidelity_reason, false, false},
    {"measure", "metric", read_metric, true, false},
    {"measure", "costly", read_costly, false, true},
    {"needs", "tensorflow", read_tensorflow, false, false},
    {"needs", "pytorch", read_pytorch, false, false},
    {"needs", "gpu", read_gpu, false, false},
    {"needs", "reason", read_reason, false, true},
    {"environments", "buggy", read_buggy_environment, false, false},
    {"environments", "fixed", read_fixed_environment, false, false},
    {"limits", "seconds", read_seconds, true, false},
    {"limits", "memory_mb", read_memory, true, false},
    {"digest", "tolerance", read_tolerance, true, false},
    {"digest", "small", read_small, false, false},
};

static enum status unknown_key(const struct reader *r, struct span key)
{
    struct buf list = {0};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (span_eq(r->section, span_of(keys[i].section)))
            buf_addf(&list, "%s%s", list.len > 0 ? ", " : "", keys[i].name);
    err_set(r->e, ST_INPUT, "%s:%zu: unknown key '%.*s' in [%.*s]; its keys are: %s", r->path, r->line,
            (int)(key.len < 100 ? key.len : 100), key.ptr, (int)r->section.len, r->section.ptr, buf_cstr(&list));
    buf_clear(&list);
    return ST_INPUT;
}

static enum status read_setting(struct reader *r, struct span key, struct span value)
{
    size_t i = 0;

    while (i < ARRAY_LEN(keys) &&
           !(span_eq(r->section, span_of(keys[i].section)) && span_eq(key, span_of(keys[i].name))))
        i++;
    if (i == ARRAY_LEN(keys))
        return unknown_key(r, key);
    if ((r->seen & 1U << i) != 0)
        return err_set(r->e, ST_INPUT, "%s:%zu: '%s' is given twice", r->path, r->line, keys[i].name);
    r->seen |= 1U << i;
    if (value.len == 0 && !keys[i].may_be_empty)
        return err_set(r->e, ST_INPUT, "%s:%zu: '%s' has no value", r->path, r->line, keys[i].name);
    return keys[i].read(r, value);
}

static enum status unknown_section(const struct reader *r)
{
    struct buf list = {0};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (i == 0 || strcmp(keys[i].section, keys[i - 1].section) != 0)
            buf_addf(&list, "%s%s", i > 0 ? ", " : "", keys[i].section);
    err_set(r->e, ST_INPUT, "%s:%zu: unknown section [%.*s]; they are: %s", r->path, r->line,
            (int)(r->section.len < 100 ? r->section.len : 100), r->section.ptr, buf_cstr(&list));
    buf_clear(&list);
    return ST_INPUT;
}

static enum status check_section(const struct reader *r)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (span_eq(r->section, span_of(keys[i].section)))
            return ST_OK;
    return unknown_section(r);
}

static enum status read_line(void *ctx, const struct ini_line *l, struct err *e)
{
    struct reader *r = ctx;

    (void)e; /* is r->e */
    r->line = l->line;
    r->section = l->section;
    return l->key.ptr == NULL ? check_section(r) : read_setting(r, l->key, l->value);
}

enum status bench_case_read(struct bench_case *out, const char *id, struct span content, const char *path,
                            struct arena *arena, struct err *e)
{
    struct reader r = {.out = out, .path = path, .arena = arena, .e = e};
    enum status status;

    *out = (struct bench_case){.summary = "",
                               .fix = "",
                               .certainty = "",
                               .made_from = "",
                               .fidelity_reason = "",
                               .costly = "",
                               .reason = "",
                               .small = "",
                               .environments = {"", ""}};
    out->id = keep(&r, span_of(id));
    status = ini_each(content, path, read_line, &r, e);
    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(keys); i++)
        if (keys[i].required && (r.seen & 1U << i) == 0)
            status = err_set(e, ST_INPUT, "%s: '%s' is missing; add a line '%s = …' to [%s]", path, keys[i].name,
                             keys[i].name, keys[i].section);
    if (status == ST_OK && (out->environments[BENCH_BUGGY][0] == '\0') != (out->environments[BENCH_FIXED][0] == '\0'))
        status = err_set(e, ST_INPUT, "%s: [environments] names one of buggy and fixed; name both", path);
    if (status == ST_OK && out->fidelity == BENCH_STAND_IN && out->fidelity_reason[0] == '\0')
        status = err_set(e, ST_INPUT,
                         "%s: a stand-in needs a reason; add a line 'reason = …' to"
                         " [origin]",
                         path);
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

/* `dir` as it was given, for messages. */
static enum status add_case(struct bench_cases *c, const char *dir, const char *id, struct err *e)
{
    struct buf path = {0}, content = {0};
    enum status status = ST_OK;

    buf_addf(&path, "%s/%s/case.ini", dir, id);
    bool there = access(buf_cstr(&path), F_OK) == 0;
    if (there && !bench_is_id(id)) {
        log_warn("%s is skipped: the name of a case has 1 to %d characters of a-z, 0-9, '_' and '-'", buf_cstr(&path),
                 ID_MAX - 1);
        there = false;
    }
    if (there)
        status = read_inside(dir, buf_cstr(&path), INI_MAX, &content, e);
    if (there && status == ST_OK) {
        struct bench_case read;
        status = bench_case_read(&read, id, buf_span(&content), buf_cstr(&path), &c->arena, e);
        if (status == ST_OK)
            array_add(&c->items, read);
    }
    buf_clear(&path);
    buf_clear(&content);
    return status;
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
    DIR *folder = opendir(absolute);
    if (folder == NULL)
        return err_set(e, ST_IO, "%s: %s; --cases DIR says where the cases are", dir, strerror(errno));
    while (status == ST_OK && (errno = 0, entry = readdir(folder)) != NULL)
        status = add_case(out, dir, entry->d_name, e);
    if (status == ST_OK && errno != 0)
        status = err_set(e, ST_IO, "%s: cannot be read to its end: %s", dir, strerror(errno));
    closedir(folder);
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
    static const char *const names[] = {"buggy.py", "fixed.py"};
    struct buf path = {0};
    enum status status = ST_OK;

    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++) {
        buf_reset(&path);
        buf_addf(&path, "%s/%s/%s", cases_dir, c->id, names[side]);
        status = read_inside(cases_dir, buf_cstr(&path), SCRIPT_MAX, &texts[side], e);
    }
    buf_clear(&path);
    return status;
}

void bench_case_sha256(char out[BENCH_SHA256_SIZE], const struct bench_case *c, const struct buf texts[BENCH_SIDES])
{
    struct sha256_ctx sha;
    struct buf facts = {0};
    uint8_t bytes[SHA256_DIGEST_SIZE];

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
    sha256_update(&sha, facts.len, (const uint8_t *)facts.ptr);
    for (int side = 0; side < BENCH_SIDES; side++)
        sha256_update(&sha, texts[side].len, (const uint8_t *)texts[side].ptr);
    sha256_digest(&sha, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    buf_clear(&facts);
}

bool bench_case_is(const struct bench_case *c, const char *cases_dir, const char *sha256)
{
    struct buf texts[BENCH_SIDES] = {{0}};
    char now[BENCH_SHA256_SIZE] = "";
    struct err e = {0};

    if (bench_case_scripts(texts, c, cases_dir, &e) == ST_OK)
        bench_case_sha256(now, c, texts);
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&texts[side]);
    return now[0] != '\0' && strcmp(now, sha256) == 0;
}
