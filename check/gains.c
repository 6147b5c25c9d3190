/* gains: what fixing what a rule finds gained in the benchmark, from check/gains.csv. */
#include "check/check.h"
#include "check/page.h"

#include <math.h>
#include <stdlib.h>

static const char NAME[] = "gains.csv";

enum { RULE, CASE, METRIC, BUGGY, FIXED, UNIT, RATIO, LOW, HIGH, DATE, PROCESSORS, TENSORFLOW,
       COLUMNS };

static const char *const columns_of[COLUMNS] = {
    "rule", "problem_id", "metric", "buggy", "fixed", "unit",
    "ratio", "low", "high", "date", "processors", "tensorflow",
};

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

static enum status add_row(struct buf *out, const struct csv_reader *r, const size_t *columns,
                           bool first, struct err *e)
{
    double ratio = number(r->fields[columns[RATIO]]), low = number(r->fields[columns[LOW]]);
    double high = number(r->fields[columns[HIGH]]);
    struct span id = r->fields[columns[CASE]], metric = r->fields[columns[METRIC]];
    struct span processors = r->fields[columns[PROCESSORS]], date = r->fields[columns[DATE]];
    struct span tensorflow = r->fields[columns[TENSORFLOW]];

    if (isnan(ratio) || isnan(low) || isnan(high))
        return err_set(e, ST_INPUT, "%s:%zu: ratio, low and high are numbers", NAME, r->line);
    if (first)
        buf_add_text(out, "\n## Measured\n\nBuggy over fixed, with its 95 % interval:\n\n");
    buf_addf(out, "- case %.*s: %.*s ", (int)id.len, id.ptr, (int)metric.len, metric.ptr);
    add_factor(out, ratio);
    buf_add_text(out, " times (");
    add_factor(out, low);
    buf_add_text(out, " to ");
    add_factor(out, high);
    buf_addf(out, "), %.*s processors, TensorFlow %.*s, %.*s\n", (int)processors.len,
             processors.ptr, (int)tensorflow.len, tensorflow.ptr, (int)date.len, date.ptr);
    return ST_OK;
}

static struct span table(void)
{
    for (size_t i = 0; i < rule_page_count; i++)
        if (span_eq(rule_pages[i].name, SPAN("gains.csv")))
            return rule_pages[i].content;
    return (struct span){"", 0};
}

enum status check_gains(struct buf *out, const struct check_rule *rule, struct err *e)
{
    struct csv_reader r;
    size_t columns[COLUMNS];
    bool first = true;

    csv_open(&r, table(), NAME);
    enum status status = csv_header(&r, columns_of, COLUMNS, columns, e);
    while (status == ST_OK && (status = csv_record(&r, e)) == ST_OK) {
        if (!span_eq(r.fields[columns[RULE]], span_of(rule->id)))
            continue;
        status = add_row(out, &r, columns, first, e);
        first = false;
        if (status != ST_OK)
            break;
    }
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}
