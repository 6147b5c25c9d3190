/* What a checker of others finds in the scripts of a case, scored against the lines that the fix changes. */
#include "bench/tool.h"

#include "base/files.h"
#include "base/ini.h"
#include "bench/pair.h"
#include "bench/runs.h"

#include <jansson.h>

enum { TOOL_MAX = 64 * 1024, PRINTED_MAX = 64 << 20, SECONDS_MAX = 3600, SECONDS_DEFAULT = 60 };

static const char SCRIPT[] = "program.py", PRINTED[] = "printed";

/* --- the description of a tool --- */

static const char *const output_names[] = {"sarif", "json", "lines"};

static enum status bad(const struct ini_line *l, const char *expected, struct err *e)
{
    return err_set(e, ST_INPUT, "%s:%zu: %.*s = %.*s: expected %s", l->path, l->line,
                   (int)(l->key.len < 100 ? l->key.len : 100), l->key.ptr,
                   (int)(l->value.len < 200 ? l->value.len : 200), l->value.ptr, expected);
}

static enum status read_setting(void *ctx, const struct ini_line *l, struct err *e)
{
    struct bench_tool *t = ctx;

    if (!span_eq(l->section, SPAN("tool")))
        return err_set(e, ST_INPUT, "%s:%zu: unknown section [%.*s]; expected [tool]", l->path, l->line,
                       (int)(l->section.len < 100 ? l->section.len : 100), l->section.ptr);
    if (l->key.ptr == NULL)
        return ST_OK;
    if (l->value.len == 0)
        return bad(l, "a value", e);
    if (span_eq(l->key, SPAN("name")))
        t->name = arena_text(&t->arena, l->value);
    else if (span_eq(l->key, SPAN("command")))
        t->command = arena_text(&t->arena, l->value);
    else if (span_eq(l->key, SPAN("output"))) {
        t->output = (enum bench_tool_output)span_place(l->value, output_names, ARRAY_LEN(output_names));
        return t->output < ARRAY_LEN(output_names) ? ST_OK : bad(l, "sarif, json or lines", e);
    } else if (span_eq(l->key, SPAN("exit_most")))
        return span_u64(l->value, 125, &t->exit_most) ? ST_OK : bad(l, "a number up to 125", e);
    else if (span_eq(l->key, SPAN("seconds")))
        return span_u64(l->value, SECONDS_MAX, &t->seconds) && t->seconds > 0
                   ? ST_OK
                   : bad(l, "whole seconds from 1 to 3600", e);
    else
        return bad(l, "one of the keys name, command, output, exit_most, seconds", e);
    return ST_OK;
}

enum status bench_tool_read(struct bench_tool *out, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    enum status status;

    *out = (struct bench_tool){.name = "", .command = "", .exit_most = 1, .seconds = SECONDS_DEFAULT};
    status = file_read_regular(path, TOOL_MAX, &content, e);
    THEN(status, ini_each(buf_span(&content), path, read_setting, out, e));
    if (status == ST_OK && (out->name[0] == '\0' || out->command[0] == '\0'))
        status = err_set(e, ST_INPUT, "%s: '%s' is missing; add it to [tool]", path,
                         out->name[0] == '\0' ? "name" : "command");
    if (status == ST_OK && strstr(out->command, "{file}") == NULL)
        status = err_set(e, ST_INPUT, "%s: command has no {file}, the place of the script", path);
    return status;
}

void bench_tool_clear(struct bench_tool *t)
{
    arena_clear(&t->arena);
}

/* --- what it printed --- */

static void add_finding(struct bench_tool_findings *out, const char *rule, json_int_t line, json_int_t end_line,
                        struct arena *arena)
{
    if (line > 0)
        array_add(out, {arena_text(arena, span_of(rule)), (size_t)line, (size_t)(end_line < line ? line : end_line)});
}

/* The first word of capitals and digits, as PERF401, W0612 and PP301 are; else "". */
static struct span rule_of(struct span text)
{
    static const char stops[] = " \t:[](),";
    size_t from = 0, capitals = 0, digits = 0;

    for (size_t i = 0; i <= text.len; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        if (strchr(stops, c) != NULL) {
            if (capitals > 0 && digits > 0 && capitals + digits == i - from)
                return (struct span){text.ptr + from, i - from};
            from = i + 1;
            capitals = digits = 0;
        } else {
            capitals += c >= 'A' && c <= 'Z';
            digits += c >= '0' && c <= '9';
        }
    }
    return (struct span){0};
}

static void read_line(struct bench_tool_findings *out, struct span line, struct arena *arena)
{
    struct span rest = line, name, number, column;
    uint64_t at, ignored;

    if (!span_cut(&rest, ':', &name) || !span_cut(&rest, ':', &number) ||
        !span_u64(span_trim(number), SIZE_MAX / 2, &at) || name.len == 0)
        return;
    struct span text = rest;
    if (span_cut(&rest, ':', &column) && span_u64(span_trim(column), SIZE_MAX / 2, &ignored))
        text = rest;
    add_finding(out, arena_text(arena, rule_of(text)), (json_int_t)at, 0, arena);
}

/* Reads what a tool printed. SARIF and JSON: ST_INPUT for anything else. Findings without a line are
 * left out; lines that do not look like `file:line: text` are, too. Texts go to the arena. */
static enum status MUST_USE parse_output(struct bench_tool_findings *out, enum bench_tool_output output,
                                         struct span printed, struct arena *arena, struct err *e)
{
    json_error_t fault;
    struct span line;
    const json_t *run, *result;
    size_t i, k;

    if (output == BENCH_TOOL_LINES) {
        while (span_cut(&printed, '\n', &line))
            read_line(out, line, arena);
        return ST_OK;
    }
    json_auto_t *root = json_loadb(printed.len > 0 ? printed.ptr : "", printed.len, 0, &fault);
    if (root == NULL)
        return err_set(e, ST_INPUT, "its output is not JSON: line %d: %s", fault.line, fault.text);
    if (output == BENCH_TOOL_JSON) {
        json_array_foreach(json_is_array(root) ? root : json_object_get(root, "findings"), i, result)
            add_finding(out, json_string_value(json_object_get(result, "rule")),
                        json_integer_value(json_object_get(result, "line")),
                        json_integer_value(json_object_get(result, "end_line")), arena);
        return ST_OK;
    }
    const json_t *runs = json_object_get(root, "runs");
    if (!json_is_array(runs))
        return err_set(e, ST_INPUT, "its output is not SARIF: there is no list 'runs'");
    json_array_foreach(runs, i, run)
        json_array_foreach(json_object_get(run, "results"), k, result) {
            const json_t *where = json_array_get(json_object_get(result, "locations"), 0);
            const json_t *region = json_object_get(json_object_get(where, "physicalLocation"), "region");
            add_finding(out, json_string_value(json_object_get(result, "ruleId")),
                        json_integer_value(json_object_get(region, "startLine")),
                        json_integer_value(json_object_get(region, "endLine")), arena);
        }
    return ST_OK;
}

/* --- runs --- */

static enum status run_tool(const struct bench_tool *t, const char *dir, struct err *e)
{
    AT_END(buf_clear) struct buf command = {0};
    AT_END(bench_process_clear) struct bench_process p;

    /* The shell command, which prints to a file: SARIF needs more than is kept of other output. */
    static const struct span file = {"{file}", 6};
    struct span rest = span_of(t->command);

    buf_add_text(&command, "{ ");
    for (size_t at; (at = span_find(rest, file)) != SIZE_MAX; rest = span_after(rest, at + file.len)) {
        buf_add(&command, rest.ptr, at);
        buf_add_text(&command, SCRIPT);
    }
    buf_add_span(&command, rest);
    buf_addf(&command, "\n} >%s", PRINTED);
    const char *const argv[] = {"/bin/sh", "-c", buf_cstr(&command), NULL};
    struct bench_command c = {.argv = argv, .dir = dir, .seconds = (double)t->seconds};
    enum status status = bench_process_run(&p, &c, e);
    if (status == ST_OK && p.end == BENCH_TIMED_OUT)
        status = err_set(e, ST_IO, "%s was still running after %u s", t->name, (unsigned)t->seconds);
    else if (status == ST_OK && (p.end != BENCH_EXITED || (uint64_t)p.code > t->exit_most))
        status = err_set(
            e, ST_IO, "%s failed with %s %d: %.*s", t->name, p.end == BENCH_EXITED ? "exit code" : "signal", p.code,
            (int)(p.err_tail.len < 300 ? p.err_tail.len : 300), p.err_tail.ptr != NULL ? p.err_tail.ptr : "");
    return status;
}

static enum status findings_of(struct bench_tool_findings *out, const struct bench_tool *t, struct span script,
                               struct arena *arena, struct err *e)
{
    AT_END(scratch_close) struct scratch scratch = {0};
    AT_END(buf_clear) struct buf text = {0}, printed = {0};
    enum status status = scratch_open(&scratch, e);

    bench_strip(script, &text);
    AT_END(mem_end) char *path = mem_addf("%s/%s", buf_cstr(&scratch.path), SCRIPT);
    AT_END(mem_end) char *printed_path = mem_addf("%s/%s", buf_cstr(&scratch.path), PRINTED);
    THEN(status, file_write(path, true, buf_span(&text), path, e));
    THEN(status, run_tool(t, buf_cstr(&scratch.path), e));
    THEN(status, file_read_regular(printed_path, PRINTED_MAX, &printed, e));
    THEN(status, parse_output(out, t->output, buf_span(&printed), arena, e));
    return status;
}

/* --- the score --- */

static size_t count(const struct bench_tool_findings *list, const char *rule)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        n += strcmp(list->at[i].rule, rule) == 0;
    return n;
}

static void score(struct bench_score *out, const struct bench_tool_findings sides[BENCH_SIDES],
                  const struct bench_places *places)
{
    const struct bench_tool_findings *buggy = &sides[BENCH_BUGGY];

    *out = (struct bench_score){.n_buggy = buggy->n, .n_fixed = sides[BENCH_FIXED].n, .rule = ""};
    out->silent = out->n_fixed == 0;
    for (size_t i = 0; i < buggy->n; i++) {
        const struct bench_tool_finding *f = &buggy->at[i];
        bool tells = count(buggy, f->rule) > count(&sides[BENCH_FIXED], f->rule), here = false;
        for (size_t k = 0; tells && k < places->n; k++)
            here |= f->line <= places->at[k].last + BENCH_PLACE_NEAR &&
                    f->end_line + BENCH_PLACE_NEAR >= places->at[k].first;
        out->n_at_place += here;
        if (tells && (!out->found || (here && !out->at_place)))
            out->rule = f->rule;
        out->found |= tells;
        out->at_place |= here;
    }
}

enum status bench_tool_score(struct bench_score *out, const struct bench_tool *t, const struct bench_case *c,
                             const char *cases_dir, struct arena *arena, struct err *e)
{
    AT_END(bench_sides_clear) struct buf texts[BENCH_SIDES] = {{0}, {0}};
    struct bench_tool_findings sides[BENCH_SIDES] = {{0}, {0}};
    AT_END(array_end) struct bench_places places = {0};
    enum status status = bench_case_scripts(texts, c, cases_dir, e);

    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++)
        status = findings_of(&sides[side], t, buf_span(&texts[side]), arena, e);
    if (status == ST_OK) {
        bench_fix_places(buf_span(&texts[BENCH_BUGGY]), buf_span(&texts[BENCH_FIXED]), &places);
        score(out, sides, &places);
    }
    for (int side = 0; side < BENCH_SIDES; side++)
        array_clear(&sides[side]);
    return status;
}
