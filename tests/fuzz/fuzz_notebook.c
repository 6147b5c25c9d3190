/*
 * Any bytes as a notebook. Whatever another reader of JSON takes for a notebook is one for check
 * too, and has the code cells that the other one sees.
 */
#include "base/log.h"
#include "check/session/run.h"

#include <jansson.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void add_text(struct buf *out, const json_t *text)
{
    buf_add(out, json_string_value(text), json_string_length(text));
}

/* The source of a code cell; false for what no editor writes. */
static bool add_source(struct buf *out, const json_t *cell)
{
    const json_t *source = json_object_get(cell, "source");
    size_t n = json_array_size(source);

    if (json_is_string(source))
        add_text(out, source);
    for (size_t i = 0; i < n; i++) {
        if (!json_is_string(json_array_get(source, i)))
            return false;
        add_text(out, json_array_get(source, i));
    }
    buf_add_char(out, '\n');
    return json_is_string(source) || json_is_array(source);
}

/* Magic becomes a comment, so one letter of a line may differ; nothing else may. */
static void compare(struct span expected, struct span code)
{
    require(expected.len == code.len);
    for (size_t i = 0; i < code.len; i++)
        require(code.ptr[i] == expected.ptr[i] || code.ptr[i] == '#');
}

static void check_cells(const json_t *root, const struct source *s)
{
    const json_t *cells = json_object_get(root, "cells");
    struct buf expected = {0};
    bool plain = json_is_array(cells) && json_object_get(root, "worksheets") == NULL;
    size_t n = json_array_size(cells);

    for (size_t i = 0; plain && i < n; i++) {
        const json_t *cell = json_array_get(cells, i);
        const char *kind = json_string_value(json_object_get(cell, "cell_type"));
        plain = json_is_object(cell) && kind != NULL && json_object_get(cell, "input") == NULL;
        if (plain && strcmp(kind, "code") == 0)
            plain = add_source(&expected, cell);
    }
    if (plain)
        compare(buf_span(&expected), buf_span(&s->code));
    buf_clear(&expected);
}

static void check_run_of(struct span notebook)
{
    struct check_options options = {.jobs = 1};
    struct check_run *c = check_new(&options);
    struct err e = {0};
    size_t n;

    check_add_content(c, "a.ipynb", notebook);
    require(check_go(c, &e) == ST_OK);
    const struct check_finding *f = check_findings(c, &n);
    for (size_t i = 0; i < n; i++)
        require(f[i].cell > 0 && f[i].line > 0 && f[i].n_edits == 0);
    check_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = {(const char *)data, size};
    struct source s = {.path = (char[]){"a.ipynb"}, .given = text, .has_given = true};
    struct err e = {0};

    log_set_level(LOG_QUIET);
    /* Keys that stand twice are told from each other by nobody. */
    json_t *root = json_loadb(text.ptr, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    enum status status = notebook_read(&s, &e);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
    if (status == ST_OK && json_is_object(root))
        check_cells(root, &s);
    json_decref(root);
    buf_clear(&s.code);
    mem_free(s.cells);
    check_run_of(text);
    return 0;
}
