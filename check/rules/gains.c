/* gains: what fixing what a rule finds gained in the benchmark, from check/rules/gains.csv. */
#include "base/csv.h"
#include "check/rules/rules.h"

#include <math.h>
#include <stdlib.h>

static const char NAME[] = "gains.csv";

enum { RULE, CASE, VERDICT, METRIC, RATIO, LOW, HIGH, DATE, MACHINE, PROCESSORS, OTHERS, FRAMEWORK, CHANGES };

/* Those above in their order, then those that nothing here asks for. */
static const char *const columns_of[] = {"rule",    "problem_id", "verdict", "metric",     "ratio",  "low",
                                         "high",    "date",       "machine", "processors", "others", "framework",
                                         "changes", "buggy",      "fixed",   "unit"};

static double number(struct span s)
{
    char text[64], *end;

    snprintf(text, sizeof text, "%.*s", (int)(s.len < 63 ? s.len : 63), s.ptr);
    double value = strtod(text, &end);
    return end == text || *end != '\0' ? NAN : value;
}

/* "12", "1.7", and "1.04" where a tenth would say too much */
static void add_factor(struct buf *out, double value)
{
    buf_addf(out, value < 1.2 ? "%.2f" : value < 10 ? "%.1f" : "%.0f", value);
}

/* What a measurement comes to. It gains where the interval is above 1 and the ratio is a twentieth or more above it. It
 * gains nothing where that is not so and the interval ends below what bench takes for reproduced. */
enum outcome { GAINS, GAINS_NOTHING, UNDECIDED, FAILS, NOT_MEASURED };

static const double LEAST_GAIN = 1.05, CLEAR_GAIN = 1.5, OTHERS_MOST = 0.1;

struct gain {
    enum outcome outcome;
    double ratio, low, high;
    bool is_busy; /* others used the processors meanwhile */
    struct span problem_id, verdict, metric, machine, processors, framework, date;
    struct span changes; /* defaults of the framework that both scripts set otherwise; empty: none */
};

/* The next of the rule's; false at the end, and where *status is not ST_OK. */
static bool next_gain(struct csv_reader *r, const struct check_rule *rule, struct gain *out, enum status *status,
                      struct err *e)
{
    while (csv_walk(r, columns_of, ARRAY_LEN(columns_of), status, e)) {
        if (!span_eq(csv_cell(r, RULE), span_of(rule->id)))
            continue;
        *out = (struct gain){
            .ratio = number(csv_cell(r, RATIO)),
            .low = number(csv_cell(r, LOW)),
            .high = number(csv_cell(r, HIGH)),
            .is_busy = number(csv_cell(r, OTHERS)) > OTHERS_MOST,
            .problem_id = csv_cell(r, CASE),
            .verdict = csv_cell(r, VERDICT),
            .metric = csv_cell(r, METRIC),
            .machine = csv_cell(r, MACHINE),
            .processors = csv_cell(r, PROCESSORS),
            .framework = csv_cell(r, FRAMEWORK),
            .date = csv_cell(r, DATE),
            .changes = csv_cell(r, CHANGES),
        };
        if (isnan(out->ratio))
            out->outcome = span_eq(out->verdict, SPAN("reproduced")) ? FAILS : NOT_MEASURED;
        else if (out->low > 1 && out->ratio >= LEAST_GAIN)
            out->outcome = GAINS;
        else
            out->outcome = out->high < CLEAR_GAIN ? GAINS_NOTHING : UNDECIDED;
        bool has_ratio = csv_cell(r, RATIO).len > 0;
        if (has_ratio == !isnan(out->ratio) && has_ratio == !isnan(out->low) && has_ratio == !isnan(out->high))
            return true;
        *status = err_set(e, ST_INPUT, "%s:%zu: ratio, low and high are numbers, or all three are empty", NAME,
                          r->line);
    }
    return false;
}

/* --- on a page --- */

enum status check_gains(struct buf *out, const struct check_rule *rule, struct err *e)
{
    static const char *const words[] = {
        [GAINS] = "", [GAINS_NOTHING] = "no difference measured: ", [UNDECIDED] = "undecided: "};
    enum status status = ST_OK;
    struct csv_reader r;
    struct gain g;

    csv_open(&r, rule_page(span_of(NAME)), NAME);
    for (size_t n = 0; next_gain(&r, rule, &g, &status, e); n++) {
        if (n == 0)
            buf_add_text(out, "\n## Measured\n\nBuggy over fixed, with its 95 % interval:\n\n");
        buf_addf(out, "- case %.*s: ", SPAN_ARG(g.problem_id));
        if (g.outcome == NOT_MEASURED)
            buf_addf(out, "no figure: %.*s", SPAN_ARG(g.verdict));
        else if (g.outcome == FAILS)
            buf_add_text(out, "buggy.py fails, fixed.py does not");
        else {
            buf_addf(out, "%s%.*s ", words[g.outcome], SPAN_ARG(g.metric));
            add_factor(out, g.ratio);
            buf_add_text(out, " times (");
            add_factor(out, g.low);
            buf_add_text(out, " to ");
            add_factor(out, g.high);
            buf_add_char(out, ')');
        }
        if (g.date.len > 0)
            buf_addf(out, ", %.*s processors (%.*s%s), %.*s, %.*s", SPAN_ARG(g.processors), SPAN_ARG(g.machine),
                     g.is_busy ? ", busy" : "", SPAN_ARG(g.framework), SPAN_ARG(g.date));
        if (g.changes.len > 0)
            buf_addf(out, ", with %.*s", SPAN_ARG(g.changes));
        buf_add_char(out, '\n');
    }
    return status;
}

/* --- of a finding --- */

/* What is measured, in words that follow "13×". */
static const struct {
    const char *metrics, *words;
} kinds[] = {
    {"time work_time cpu_time init_time", "faster"},
    {"step_growth", "less slowdown from step to step"},
    {"memory_growth", "less memory growth"},
    {"peak_memory peak_memory_total", "less memory"},
};

struct range {
    size_t n;
    double least, most;
};

/* All that is measured of a rule with the framework's defaults, or without them. */
struct measured {
    struct range ranges[ARRAY_LEN(kinds)];
    size_t n, n_null; /* pairs that are decided; those without a difference */
    struct buf where; /* "TensorFlow 2.15.1, 2 processors, tf.data's autotune off" */
};

enum { WITH_DEFAULTS, WITH_CHANGES, SETTINGS };

/* Once each. */
static void add_where(struct buf *where, struct span words)
{
    if (words.len == 0 || span_find(buf_span(where), words) != SIZE_MAX)
        return;
    buf_add_text(where, where->len > 0 ? ", " : "");
    buf_add_span(where, words);
}

static void add_measured(struct measured *all, const struct gain *g)
{
    AT_END(buf_clear) struct buf processors = {0};

    if (g->outcome == NOT_MEASURED || g->outcome == UNDECIDED)
        return;
    all->n++;
    all->n_null += g->outcome == GAINS_NOTHING;
    add_where(&all->where, g->framework);
    buf_addf(&processors, "%.*s processors", SPAN_ARG(g->processors));
    add_where(&all->where, buf_span(&processors));
    add_where(&all->where, g->is_busy ? SPAN("a busy machine") : SPAN(""));
    add_where(&all->where, g->changes);
    for (size_t i = 0; i < ARRAY_LEN(kinds) && g->outcome == GAINS; i++) {
        struct range *r = &all->ranges[i];
        if (!span_is_word(g->metric, kinds[i].metrics))
            continue;
        r->least = r->n == 0 || g->ratio < r->least ? g->ratio : r->least;
        r->most = r->n == 0 || g->ratio > r->most ? g->ratio : r->most;
        r->n++;
    }
}

static void say_measured(struct buf *out, struct measured *all)
{
    const char *before = "";
    size_t len = out->len;

    if (all->n > 0 && all->n_null == all->n) {
        buf_addf(out, "no difference measured in our benchmark (%s)", buf_cstr(&all->where));
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        const struct range *r = &all->ranges[i];
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
    if (out->len > len && all->n_null > 0)
        buf_addf(out, " after the fix in our benchmark, no difference in %zu of %zu pairs (%s)", all->n_null, all->n,
                 buf_cstr(&all->where));
    else if (out->len > len)
        buf_addf(out, " after the fix in our benchmark (%s)", buf_cstr(&all->where));
}

/* --- after findings --- */

/* Says what fixing such code gained, where the rule takes it for worth a change. What gained nothing is not worth
 * one: its impact is low. Pairs that change a default of the framework speak where no other is decided. */
static void add_gains(struct rule_findings *all, const struct check_rule *rule)
{
    struct measured settings[SETTINGS] = {0};
    AT_END(buf_clear) struct buf gains = {0};
    enum status status = ST_OK;
    struct err ignored; /* --explain tells it */
    struct csv_reader r;
    struct gain g;

    csv_open(&r, rule_page(span_of(NAME)), NAME);
    while (next_gain(&r, rule, &g, &status, &ignored))
        add_measured(&settings[g.changes.len > 0 ? WITH_CHANGES : WITH_DEFAULTS], &g);
    struct measured *speaks = &settings[settings[WITH_DEFAULTS].n > 0 ? WITH_DEFAULTS : WITH_CHANGES];
    bool is_null = status == ST_OK && speaks->n > 0 && speaks->n_null == speaks->n;
    if (status == ST_OK)
        say_measured(&gains, speaks);
    for (size_t i = 0; i < SETTINGS; i++)
        buf_clear(&settings[i].where);
    struct span gain = arena_copy(&all->arena, buf_span(&gains));
    for (size_t n = 0; n < all->n && gain.len > 0; n++) {
        struct check_finding *f = &all->items[n]->f;
        if (f->rule != rule)
            continue;
        if (is_null)
            f->impact = CHECK_LOW;
        if (is_null || f->impact > CHECK_LOW)
            f->gain = gain;
    }
}

void rule_add_gains(struct rule_findings *all)
{
    for (size_t k = 0; k < n_rules && all->n > 0; k++)
        add_gains(all, &rules[k].about);
}
