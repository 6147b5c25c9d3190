/* Reads the CSV files of tests/data/agreement, and says how far results are from them. */
#pragma once

#include "base/base.h"
#include "base/files.h"

#include <math.h>
#include <stdlib.h>

enum { GOLDEN_COLUMNS = 16, GOLDEN_FILE_MAX = 1 << 20, GOLDEN_NAMES = 40 };

struct golden {
    struct buf file;
    struct span rest;
    struct span cell[GOLDEN_COLUMNS];
    size_t n_cells, n_rows;
};

static void golden_open(struct golden *g, const char *name)
{
    struct buf path = {0};
    struct err e;
    struct span line;
    const char *root = getenv("ROOT");

    *g = (struct golden){0};
    buf_addf(&path, "%s/tests/data/agreement/%s", root != NULL ? root : ".", name);
    if (file_read(buf_cstr(&path), GOLDEN_FILE_MAX, &g->file, &e) != ST_OK)
        fail_msg("%s", e.text);
    buf_clear(&path);
    g->rest = buf_span(&g->file);
    assert_true(span_cut(&g->rest, '\n', &line) && span_starts(line, SPAN("#")));
    assert_true(span_cut(&g->rest, '\n', &line)); /* names of the columns */
}

/* The next row; at the end closes the file, which must have had `least` rows. */
static bool golden_next(struct golden *g, size_t least)
{
    struct span line;

    if (!span_cut(&g->rest, '\n', &line)) {
        assert_true(g->n_rows >= least);
        buf_clear(&g->file);
        return false;
    }
    g->n_rows++;
    memset(g->cell, 0, sizeof g->cell);
    for (g->n_cells = 0; span_cut(&line, ',', &g->cell[g->n_cells]); g->n_cells++)
        assert_true(g->n_cells + 1 < GOLDEN_COLUMNS);
    return true;
}

static uint64_t golden_u64(struct span s)
{
    uint64_t value = 0;

    assert_true(span_u64(s, UINT64_MAX, &value));
    return value;
}

static double golden_double(struct span s) /* NAN when empty or "-" */
{
    char text[64];

    if (s.len == 0 || span_eq(s, SPAN("-")))
        return NAN;
    assert_true(s.len < sizeof text);
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    char *end;
    double value = strtod(text, &end);
    assert_true(*end == '\0');
    return value;
}

/* The worst deviation of each statistic; printed at the end when $WORST is set. */
static struct worst {
    const char *name;
    double deviation;
    size_t n;
} worst[GOLDEN_NAMES];

static void golden_note(const char *name, double deviation)
{
    size_t i = 0;

    while (worst[i].name != NULL && strcmp(worst[i].name, name) != 0)
        i++;
    assert_true(i + 1 < GOLDEN_NAMES);
    worst[i].name = name;
    worst[i].deviation = fmax(worst[i].deviation, deviation);
    worst[i].n++;
}

static void golden_report(void)
{
    for (size_t i = 0; getenv("WORST") != NULL && worst[i].name != NULL; i++)
        printf("%-28s %5zu values, worst %.1e\n", worst[i].name, worst[i].n, worst[i].deviation);
}

/* Fails unless both are NAN, or equal, or nearer than `limit`: of the value when `relative`. */
static void golden_check(const struct golden *g, const char *name, double got, double want, double limit, bool relative)
{
    double deviation = got == want ? 0 : fabs(got - want) / (relative ? fabs(want) : 1);

    if (isnan(got) && isnan(want))
        return;
    if (!(deviation <= limit))
        fail_msg("row %zu: %s is %.17g, not %.17g", g->n_rows, name, got, want);
    golden_note(name, deviation);
}

static void golden_near(const struct golden *g, const char *name, double got, double want)
{
    golden_check(g, name, got, want, 1e-9, fabs(want) > 1);
}
