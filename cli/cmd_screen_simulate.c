/* screen simulate: how much reading a screening of labelled texts would have saved. */
#include "cli/screen_options.h"
#include "label/rows.h"
#include "screen/simulation.h"
#include "report/report.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"

#include <math.h>

enum { SEEDS_MAX = 100000 };

/* Shares of the texts after which recall is told. */
static const double shares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5};

/* --- measures over all seeds --- */

struct summary {
    double mean, least, most;
};

static void add_value(struct summary *s, double value, size_t n)
{
    s->mean += value / (double)n;
    s->least = value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
}

static const struct summary no_summary = {0, INFINITY, -INFINITY};

static struct summary recall_after(const struct simulation *s, size_t n)
{
    struct summary sum = no_summary;

    for (size_t i = 0; i < s->n_seeds; i++)
        add_value(&sum, screen_recall_at(&s->trial, &s->outcomes[i], n), s->n_seeds);
    return sum;
}

static size_t texts_of_share(const struct simulation *s, double share)
{
    return (size_t)llround(share * (double)s->texts.texts.n);
}

/* As many texts as the keywords find, or twice as many. */
static size_t texts_of_keywords(const struct simulation *s, size_t times)
{
    size_t n = times * s->n_hits;

    return n < s->texts.texts.n ? n : s->texts.texts.n;
}

enum measure { WSS95, ATD, STOP_SAVED, STOP_RECALL };

static struct summary measure(const struct simulation *s, enum measure place)
{
    struct summary sum = no_summary;

    for (size_t i = 0; i < s->n_seeds; i++) {
        const struct screen_outcome *o = &s->outcomes[i];
        const double values[] = {o->wss95, o->atd, o->stop_saved, o->stop_recall};
        add_value(&sum, values[place], s->n_seeds);
    }
    return sum;
}

static const struct {
    const char *id, *words;
} measures[] = {
    [WSS95] = {"wss95", "work saved at 95 % recall (WSS@95)"},
    [ATD] = {"atd", "average time to discovery"},
    [STOP_SAVED] = {"stop_saved", "saved by the stopping rule"},
    [STOP_RECALL] = {"stop_recall", "recall where it stops"},
};

/* --- output --- */

static void add_json_number(struct buf *out, double value)
{
    if (isfinite(value))
        buf_addf(out, "%.6g", value);
    else
        buf_add_text(out, "null");
}

static void print_json(const struct simulation *s, FILE *file)
{
    AT_END(buf_clear) struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(measures); i++) {
        buf_addf(&out, "%c\"%s\":", i == 0 ? '{' : ',', measures[i].id);
        add_json_number(&out, measure(s, (enum measure)i).mean);
    }
    buf_add_text(&out, ",\"recall_at\":{");
    for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
        buf_addf(&out, "\"%g\":", shares[i]);
        add_json_number(&out, recall_after(s, texts_of_share(s, shares[i])).mean);
        buf_add_char(&out, ',');
    }
    buf_add_text(&out, "\"keywords\":");
    add_json_number(&out, recall_after(s, texts_of_keywords(s, 1)).mean);
    buf_add_text(&out, ",\"twice keywords\":");
    add_json_number(&out, recall_after(s, texts_of_keywords(s, 2)).mean);
    buf_addf(&out, "},\"seeds\":%zu}\n", s->n_seeds);
    fwrite(out.ptr, 1, out.len, file);
}

static void add_summary(struct table *t, struct span what, struct summary sum)
{
    table_add_row(t, table_text(what), table_real(sum.mean), table_real(sum.least), table_real(sum.most));
}

static void fill_summary(struct table *t, const struct simulation *s)
{
    table_init(t, "screen-simulate", "Simulated screenings", "measure; mean real.3; least real.3; most real.3");
    table_note(t, "%zu texts, %zu of them included; %zu seeds.", s->texts.texts.n, s->texts.n_included, s->n_seeds);
    for (size_t i = 0; i < ARRAY_LEN(measures); i++)
        add_summary(t, span_of(measures[i].words), measure(s, (enum measure)i));
    char what[80];

    for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
        size_t n = texts_of_share(s, shares[i]);
        snprintf(what, sizeof what, "recall after %g %% (%zu texts)", 100 * shares[i], n);
        add_summary(t, span_of(what), recall_after(s, n));
    }
    for (size_t times = 1; times <= 2 && s->n_hits > 0; times++) {
        size_t n = texts_of_keywords(s, times);
        snprintf(what, sizeof what, "recall after %s as the keywords find (%zu)",
                 times == 1 ? "as many" : "twice as many", n);
        add_summary(t, span_of(what), recall_after(s, n));
    }
}

static void print(const struct invocation *in, const struct simulation *s, const struct table_output *out)
{
    bool each = in->values.each, reads = in->values.reads;
    struct table t;

    if (out->format == TABLE_AS_JSON && !each && !reads) {
        print_json(s, out->file);
        return;
    }
    if (reads) {
        table_init(&t, "screen-reads", "Order of reading", "seed int; place int; id; included int");
        for (size_t i = 0; i < s->n_seeds; i++)
            for (size_t place = 0; place < s->texts.texts.n; place++) {
                uint32_t row = s->outcomes[i].order[place];
                table_add_row(&t, table_int((int64_t)(s->trial.seed + i)), table_int((int64_t)place + 1),
                              table_text(s->texts.ids.at[row]), table_int(s->texts.included.at[row]));
            }
    } else if (each) {
        table_init(&t, "screen-simulate", "Simulated screenings",
                   "seed int; read_95 int = read for 95 %; wss95 real = WSS@95; "
                   "atd real = time to discovery; stopped_at int = stopped at; "
                   "stop_saved real = saved; stop_recall real = recall");
        for (size_t i = 0; i < s->n_seeds; i++) {
            const struct screen_outcome *o = &s->outcomes[i];
            table_add_row(&t, table_int((int64_t)(s->trial.seed + i)), table_int((int64_t)o->read_95),
                          table_real(o->wss95), table_real(o->atd), table_int((int64_t)o->stopped_at),
                          table_real(o->stop_saved), table_real(o->stop_recall));
        }
    } else {
        fill_summary(&t, s);
    }
    table_print(&t, out);
    table_clear(&t);
}

/* --- the plot --- */

enum { POINTS = 400 };

static enum status MUST_USE draw(const struct simulation *s, const char *folder, struct err *e)
{
    size_t n = s->texts.texts.n, n_points = n < POINTS ? n : POINTS;
    double texts = (double)n, included = (double)s->texts.n_included;
    AT_END(mem_end) struct report_recall_point *points = mem_zero(n_points + 1, sizeof *points);
    /* clang-format off */
    struct report_recall r = {.points = points, .n = n_points + 1, .n_screenings = s->n_seeds,
                              .keywords_read = NAN, .keywords_recall = NAN, .stopped = NAN};
    /* clang-format on */
    double saved = measure(s, STOP_SAVED).mean;

    for (size_t i = 0; i <= n_points; i++) {
        size_t n_read = i * n / n_points;
        struct summary sum = recall_after(s, n_read);
        points[i] = (struct report_recall_point){(double)n_read / texts, sum.mean, sum.least, sum.most};
    }
    if (s->n_hits > 0) {
        r.keywords_read = (double)s->n_hits / texts;
        r.keywords_recall = (double)s->n_hits_included / included;
    }
    if (saved > 0)
        r.stopped = 1 - saved;
    return report_plot_recall(&r, folder, true, e);
}

/* --- what is said beside it --- */

static void tell(const struct simulation *s, const char *path)
{
    double included = (double)s->texts.n_included, found = (double)s->n_hits_included;

    log_info("%s: %zu texts, %zu included", path, s->texts.texts.n, s->texts.n_included);
    if (s->texts.n_included == 0)
        log_info("no text is included: there is nothing to find, and nothing to measure");
    else if (s->n_hits == 0)
        log_info("no text contains a keyword of the study");
    else
        log_info("the study's keywords find %zu texts, %zu of them included: recall %.3f, precision %.3f", s->n_hits,
                 s->n_hits_included, found / included, found / (double)s->n_hits);
}

/* --- the command --- */

/* "0.9,0.1" */
static enum status MUST_USE read_model(const struct invocation *in, struct simulation_how *how, struct err *e)
{
    const char *text = in->values.model;
    char *end;

    if (text == NULL)
        return ST_OK;
    how->sensitivity = strtod(text, &end);
    how->precision = end != text && *end == ',' ? strtod(end + 1, &end) : 0;
    if (*end == '\0' && how->sensitivity > 0 && how->sensitivity <= 1 && how->precision > 0 && how->precision <= 1)
        return ST_OK;
    return usage_error(in, e, "--model '%s': expected sensitivity and precision above 0 and up to 1, such as 0.9,0.1",
                       text);
}

static enum status run_screen_simulate(struct invocation *in, struct err *e)
{
    struct simulation_how how = {.rule = {.recall = 0.95, .confidence = 0.95}};
    const char *plots = in->values.plot;
    AT_END(simulation_clear) struct simulation simulation = {0};
    AT_END(study_clear) struct study study = {0};
    static const char *const starts[] = {"study", "nothing", NULL};
    const struct option_texts *with = &in->values.with;
    size_t start = 0;
    enum status status = option_choice(in, &in->values.warm_start, starts, &start, e);

    how.settings = screen_settings_default();
    how.first_seed = in->values.first_seed;
    THEN(status, option_percent(in, &in->values.recall, 1, 100, &how.rule.recall, e));
    THEN(status, option_percent(in, &in->values.confidence, 50, 99.99, &how.rule.confidence, e));
    for (size_t i = 0; i < with->n && status == ST_OK; i++)
        status = name_command(in, screen_settings_set(&how.settings, with->at[i], e), e);
    THEN(status, read_model(in, &how, e));
    how.n_seeds = (size_t)in->values.seeds;
    how.warm_start = start == 0;
    how.pair = !in->values.no_pair;
    how.learn_from = in->values.learn_from;

    if (status != ST_OK)
        return status;
    signals_catch();
    status = study_load_sheets(&study, in->values.study, rows_as_csv, e);
    how.study = &study;
    THEN(status, simulation_run(&simulation, &how, in->operands[0], e));
    if (status == ST_OK) {
        tell(&simulation, in->operands[0]);
        print(in, &simulation, &in->out);
        if (plots != NULL && simulation.texts.n_included > 0)
            status = draw(&simulation, plots, e);
    }
    return status;
}

const struct command command_screen_simulate = {
    .name = "screen simulate",
    .summary = "Measure how much reading a screening would save",
    .operands = "FILE",
    .options = OPTIONS(
        NUMBER("seeds", seeds, "N", 1, SEEDS_MAX, 5, "simulate N screenings (default: 5)"),
        NUMBER("first-seed", first_seed, "N", 0, UINT64_MAX - SEEDS_MAX, 1, "start with this seed (default: 1)"),
        TEXT("warm-start", warm_start, "FROM", "start from the study (default) or from nothing"), LEARN_FROM_OPTION,
        TEXT("model", model, "SENSITIVITY,PRECISION", "rank by the yes and no of a language model too, simulated"),
        FLAG("no-pair", no_pair, "do not give the model one text of each kind before it starts"),
        TEXT("study", study, "DIR", "use this study folder (default: dlperf)"),
        TEXT("recall", recall, "PERCENT", "stop at this recall (default: 95)"),
        TEXT("confidence", confidence, "PERCENT", "and with this confidence (default: 95)"),
        TEXTS("with", with, "NAME=VALUE…", "change a setting of the model"),
        FLAG("each", each, "print one row for each screening"),
        FLAG("reads", reads, "print the texts of each screening, in the order of reading"),
        TEXT("plot", plot, "DIR", "draw recall over texts read into DIR, with gnuplot"), OUTPUT_OPTIONS),
    .description = "Reads texts whose answers are known, and screens them as `ppmine screen` would: the model\n"
                   "learns from each answer and ranks the texts that are left. FILE is a CSV with the columns\n"
                   "id, title, body and included (1: what is looked for; 0: not); '-' is standard input. A\n"
                   "body is HTML, Markdown or plain text. --format json prints one object: wss95, atd,\n"
                   "stop_saved, stop_recall, recall_at, seeds.\n\n"
                   "With --model each screening begins with the answers of a language model, drawn for each\n"
                   "seed so that it has that sensitivity and precision. They are trusted as far as what is found\n"
                   "agrees with them, and change the order alone: the stopping rule looks at people's answers.",
    .examples = EXAMPLES(
        {"ppmine screen simulate labelled.csv", "five screenings, in one summary"},
        {"ppmine screen simulate labelled.csv --seeds 100 --each --format csv", "one row for each screening"},
        {"ppmine screen simulate labelled.csv --model 0.9,0.1", "value of a model's answers"},
        {"ppmine screen simulate labelled.csv --warm-start nothing --plot plots",
         "without the study's keywords; with a plot"}),
    .run = run_screen_simulate,
};
