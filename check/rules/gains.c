/* gains: what fixing what a rule finds gained in the benchmark, from check/rules/gains.csv. */
#include "base/csv.h"
#include "check/rules/page.h"
#include "check/rules/rules.h"

#include <math.h>
#include <stdlib.h>

static const char NAME[] = "gains.csv";

enum { RULE, CASE, METRIC, BUGGY, FIXED, UNIT, RATIO, LOW, HIGH, DATE, PROCESSORS, FRAMEWORK, CHANGES, COLUMNS };

static const char *const columns_of[COLUMNS] = {"rule",       "problem_id", "metric", "buggy", "fixed",
                                                "unit",       "ratio",      "low",    "high",  "date",
                                                "processors", "framework",  "changes"};

static double number(struct span s)
{
    char text[64], *end;

    snprintf(text, sizeof text, "%.*s", (int)(s.len < 63 ? s.len : 63), s.ptr);
    double value = strtod(text, &end);
    return end == text || *end != '\0' ? NAN : value;
}

/* "12", "1.7" */
static void add_factor(struct buf *out, double value)
{
    buf_addf(out, value < 10 ? "%.1f" : "%.0f", value);
}

struct gain {
    double ratio, low, high;
    struct span problem_id, metric, processors, framework, date;
    struct span changes; /* defaults of the framework that both scripts set otherwise; empty: none */
};

/* Of the record that was read. */
static enum status read_gain(const struct csv_reader *r, const size_t *columns, struct gain *out, struct err *e)
{
    *out = (struct gain){
        .ratio = number(r->fields.at[columns[RATIO]]),
        .low = number(r->fields.at[columns[LOW]]),
        .high = number(r->fields.at[columns[HIGH]]),
        .problem_id = r->fields.at[columns[CASE]],
        .metric = r->fields.at[columns[METRIC]],
        .processors = r->fields.at[columns[PROCESSORS]],
        .framework = r->fields.at[columns[FRAMEWORK]],
        .date = r->fields.at[columns[DATE]],
        .changes = r->fields.at[columns[CHANGES]],
    };
    if (isnan(out->ratio) || isnan(out->low) || isnan(out->high))
        return err_set(e, ST_INPUT, "%s:%zu: ratio, low and high are numbers", NAME, r->line);
    return ST_OK;
}

static struct span table(void)
{
    for (size_t i = 0; i < rule_page_count; i++)
        if (span_eq(rule_pages[i].name, SPAN("gains.csv")))
            return rule_pages[i].content;
    return (struct span){"", 0};
}

/* Calls `use` with each of the rule's. */
static enum status each_gain(const struct check_rule *rule, void (*use)(void *ctx, const struct gain *gain), void *ctx,
                             struct err *e)
{
    struct csv_reader r;
    size_t columns[COLUMNS];
    struct gain gain;

    csv_open(&r, table(), NAME);
    enum status status = csv_header(&r, columns_of, COLUMNS, columns, e);
    while (status == ST_OK && (status = csv_record(&r, e)) == ST_OK) {
        if (!span_eq(r.fields.at[columns[RULE]], span_of(rule->id)))
            continue;
        status = read_gain(&r, columns, &gain, e);
        if (status == ST_OK)
            use(ctx, &gain);
    }
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}

/* --- on a page --- */

struct list {
    struct buf *out;
    bool begun;
};

static void add_to_list(void *ctx, const struct gain *g)
{
    struct list *list = ctx;

    if (!list->begun)
        buf_add_text(list->out, "\n## Measured\n\nBuggy over fixed, with its 95 % interval:\n\n");
    list->begun = true;
    buf_addf(list->out, "- case %.*s: %.*s ", (int)g->problem_id.len, g->problem_id.ptr, (int)g->metric.len,
             g->metric.ptr);
    add_factor(list->out, g->ratio);
    buf_add_text(list->out, " times (");
    add_factor(list->out, g->low);
    buf_add_text(list->out, " to ");
    add_factor(list->out, g->high);
    buf_addf(list->out, "), %.*s processors, %.*s, %.*s", (int)g->processors.len, g->processors.ptr,
             (int)g->framework.len, g->framework.ptr, (int)g->date.len, g->date.ptr);
    if (g->changes.len > 0)
        buf_addf(list->out, ", with %.*s", (int)g->changes.len, g->changes.ptr);
    buf_add_char(list->out, '\n');
}

enum status check_gains(struct buf *out, const struct check_rule *rule, struct err *e)
{
    struct list list = {.out = out};

    return each_gain(rule, add_to_list, &list, e);
}

/* --- of a finding --- */

/* What is measured, in words that follow "13×". */
static const struct {
    const char *metrics[4], *words;
} kinds[] = {
    {{"time", "work_time", "cpu_time", "init_time"}, "faster"},
    {{"step_growth"}, "less slowdown from step to step"},
    {{"memory_growth"}, "less memory growth"},
    {{"peak_memory", "peak_memory_total"}, "less memory"},
};

struct range {
    size_t n;
    double least, most;
};

/* All that is measured of a rule. */
struct measured {
    struct range ranges[ARRAY_LEN(kinds)];
    struct buf where; /* "TensorFlow 2.15.1, 2 processors, tf.data's autotune off" */
};

/* Once each. */
static void add_where(struct buf *where, struct span words)
{
    if (words.len == 0 || span_find(buf_span(where), words) != SIZE_MAX)
        return;
    buf_add_text(where, where->len > 0 ? ", " : "");
    buf_add_span(where, words);
}

static void widen(void *ctx, const struct gain *g)
{
    struct measured *all = ctx;
    struct range *ranges = all->ranges;

    struct buf processors = {0};

    add_where(&all->where, g->framework);
    buf_addf(&processors, "%.*s processors", (int)g->processors.len, g->processors.ptr);
    add_where(&all->where, buf_span(&processors));
    buf_clear(&processors);
    add_where(&all->where, g->changes);

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        for (size_t k = 0; k < ARRAY_LEN(kinds[i].metrics) && kinds[i].metrics[k] != NULL; k++) {
            if (!span_eq(g->metric, span_of(kinds[i].metrics[k])))
                continue;
            struct range *r = &ranges[i];
            r->least = r->n == 0 || g->ratio < r->least ? g->ratio : r->least;
            r->most = r->n == 0 || g->ratio > r->most ? g->ratio : r->most;
            r->n++;
        }
}

static void in_short(struct buf *out, const struct check_rule *rule)
{
    struct measured all = {0};
    struct err ignored; /* --explain tells it */
    const char *before = "";
    size_t len = out->len;

    if (each_gain(rule, widen, &all, &ignored) == ST_OK) {
        for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
            const struct range *r = &all.ranges[i];
            if (r->n == 0)
                continue;
            buf_add_text(out, before);
            add_factor(out, r->least);
            if (r->n > 1) {
                buf_add_text(out, "–");
                add_factor(out, r->most);
            }
            buf_addf(out, "× %s", kinds[i].words);
            before = ", ";
        }
        if (out->len > len)
            buf_addf(out, " after the fix in our benchmark (%s)", buf_cstr(&all.where));
    }
    buf_clear(&all.where);
}

/* --- after findings --- */

/* Says what fixing such code gained, where the rule takes it for worth a change. */
static void add_gains(struct rule_findings *all, const struct check_rule *rule)
{
    struct buf gains = {0};

    in_short(&gains, rule);
    struct span gain = arena_copy(&all->arena, buf_span(&gains));
    for (size_t n = 0; n < all->n && gain.len > 0; n++) {
        struct check_finding *f = &all->items[n]->f;
        if (f->rule == rule && f->impact > CHECK_LOW)
            f->gain = gain;
    }
    buf_clear(&gains);
}

void rule_add_gains(struct rule_findings *all)
{
    for (size_t k = 0; k < n_rules && all->n > 0; k++)
        add_gains(all, &rules[k].about);
}
