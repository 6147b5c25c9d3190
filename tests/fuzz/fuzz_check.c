/*
 * Any bytes as a Python file, as a notebook, or as two files of a project (a NUL byte between them),
 * through every rule and format. A fix of what parses must parse, and be the last: fix.c refuses to
 * write anything else, and what is fixed is looked at again here.
 */
#include "check/check.h"

#include <stdlib.h>

static FILE *nowhere;

static void print_all(const struct check_run *c)
{
    for (int format = CHECK_TEXT; format <= CHECK_HTML; format++)
        check_print(c, (enum check_format)format, nowhere);
    check_print_statistics(c, CHECK_JSON, nowhere);
    check_print_diff(c, nowhere);
}

static void check_places(const struct check_run *c)
{
    size_t n;
    const struct check_finding *f = check_findings(c, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].line == 0 || f[i].column == 0 || f[i].end_line < f[i].line ||
            utf8_valid_prefix(f[i].message) < f[i].message.len)
            if (f[i].message.len == 0 || f[i].line == 0)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_options options = {.jobs = 1};
    struct span rest = {(const char *)data, size}, first = {0};
    struct err e = {0};

    if (nowhere == NULL) {
        log_set_level(LOG_QUIET);
        nowhere = fopen("/dev/null", "w");
    }
    struct check_run *c = check_new(&options);
    if (size > 0 && data[0] == '{')
        check_add_content(c, "a.ipynb", rest);
    else if (span_cut(&rest, '\0', &first) && rest.len > 0)
        check_add_content(c, "pkg/__init__.py", rest);
    if (first.len > 0)
        check_add_content(c, "pkg/a.py", first);
    if (check_go(c, &e) != ST_OK)
        abort();
    check_places(c);
    print_all(c);
    check_free(c);
    return 0;
}
