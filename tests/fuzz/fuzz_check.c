/*
 * Any bytes as a Python file, or as two files of a project (a NUL byte between them), through every
 * rule and format. Fixes are applied again and again: what parsed must still parse, and there must
 * come an end. mutate_python.c makes the inputs.
 */
#include "base/log.h"
#include "check/session/run.h"

#include <stdlib.h>

/* Fixes that clash with others wait for the next round, so a few rounds are in order. */
enum { ROUNDS_MAX = 12 };

static FILE *nowhere;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void print_all(const struct check_run *c)
{
    for (int format = CHECK_TEXT; format <= CHECK_HTML; format++)
        check_print(c, (enum check_format)format, nowhere);
    check_print_statistics(c, CHECK_JSON, nowhere);
    check_print_diff(c, CHECK_TEXT, nowhere);
    check_print_diff(c, CHECK_HTML, nowhere);
}

static void check_places(const struct check_run *c, size_t size)
{
    size_t n;
    const struct check_finding *f = check_findings(c, &n);

    for (size_t i = 0; i < n; i++) {
        require(f[i].line > 0 && f[i].column > 0 && f[i].end_line >= f[i].line);
        require(f[i].message.len > 0);
        require(i == 0 || strcmp(f[i - 1].path, f[i].path) <= 0);
        for (size_t k = 0; k < f[i].n_edits; k++)
            require(f[i].edits[k].start <= f[i].edits[k].end && f[i].edits[k].end <= size);
    }
}

static struct check_run *run(const struct check_options *o, struct span a, struct span b)
{
    struct check_run *c = check_new(o);
    struct err e = {0};

    check_add_content(c, "pkg/a.py", a);
    if (b.len > 0)
        check_add_content(c, "pkg/__init__.py", b);
    require(check_go(c, &e) == ST_OK);
    return c;
}

static bool has_errors(const struct check_run *c)
{
    const struct source *s = source_find(c, "pkg/a.py");

    return s->file.n_nodes > 0 && s->file.has_errors;
}

/* Fixes a.py until nothing is left to fix. */
static void fix_all(const struct check_options *o, struct span a, struct span b)
{
    struct buf now = {0};
    bool fixed = true, errors = true;

    buf_add_span(&now, a);
    for (int round = 0; fixed; round++) {
        struct buf next = {0};
        struct check_run *c = run(o, buf_span(&now), b);
        require(round < ROUNDS_MAX);
        require(errors || !has_errors(c));
        errors = has_errors(c);
        fixed = check_changed(c, "pkg/a.py", NULL, &next, NULL);
        check_free(c);
        if (fixed) {
            buf_clear(&now);
            now = next;
        } else {
            buf_clear(&next);
        }
    }
    buf_clear(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_options options = {.jobs = 1};
    struct span rest = {(const char *)data, size}, first = {"", 0};
    size_t n;

    if (nowhere == NULL) {
        log_set_level(LOG_QUIET);
        nowhere = fopen("/dev/null", "w");
    }
    if (!span_cut(&rest, '\0', &first))
        first = SPAN("");
    /* Rules that are off by default, too. */
    check_list_add(&options.select, SPAN("PP"));
    struct check_run *c = run(&options, first, rest);
    check_places(c, size);
    print_all(c);
    bool fixable = false;
    const struct check_finding *f = check_findings(c, &n);
    for (size_t i = 0; i < n; i++)
        fixable = fixable || (f[i].n_edits > 0 && strcmp(f[i].path, "pkg/a.py") == 0);
    check_free(c);
    if (fixable)
        fix_all(&options, first, rest);
    check_options_clear(&options);
    return 0;
}
