/* Reads the lines in which a script reports what it measured. */
#include "base/utf8.h"
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { VERSIONS_MAX = 4096, ENTRIES_MAX = 32 * 1024, LOG_LINE_MAX = 1024 };

void bench_marks_init(struct bench_marks *m)
{
    *m = (struct bench_marks){0};
    m->work_seconds = m->work_rss_before_kb = m->work_peak_rss_kb = NAN;
    m->ready = m->work_began = m->work_rounds = NAN;
}

void bench_marks_clear(struct bench_marks *m)
{
    array_clear(&m->step_seconds);
    array_clear(&m->step_rss_kb);
    array_clear(&m->values);
    array_clear(&m->compiled_at);
    array_clear(&m->compile_seconds);
    buf_clear(&m->versions);
    buf_clear(&m->entries);
    buf_clear(&m->log_line);
    buf_clear(&m->line);
    bench_marks_init(m);
}

/* A finite number. */
static bool number_of(struct span s, double *value)
{
    char text[64], *end;

    if (s.len == 0 || s.len >= sizeof text)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    if (strspn(text, "+-.0123456789eE") < s.len) /* no hexadecimal ones, and no names */
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

/* A figure below 0 is none: times and sizes are meant. */
static void set_figure(double *figure, struct span rest)
{
    double value;

    if (number_of(span_trim(rest), &value) && value >= 0)
        *figure = value;
}

static void set_numbers(struct bench_numbers *list, struct span rest, size_t max, double least)
{
    struct span word;
    double value;

    list->n = 0;
    while (list->n < max && span_cut(&rest, ' ', &word))
        if (number_of(word, &value) && value >= least)
            array_add(list, value);
}

static void set_digest(char out[BENCH_DIGEST_SIZE], struct span rest)
{
    rest = span_trim(rest);
    if (rest.len < BENCH_DIGEST_SIZE)
        snprintf(out, BENCH_DIGEST_SIZE, "%.*s", (int)rest.len, rest.ptr);
}

static void add_line(struct buf *lines, struct span rest, size_t max)
{
    if (lines->len + rest.len > max)
        return;
    buf_add_span(lines, span_trim(rest));
    buf_add_char(lines, '\n');
}

static void read_mark(struct bench_marks *m, struct span key, struct span rest)
{
    if (span_eq(key, SPAN("work_seconds")))
        set_figure(&m->work_seconds, rest);
    else if (span_eq(key, SPAN("work_rss_before_kb")))
        set_figure(&m->work_rss_before_kb, rest);
    else if (span_eq(key, SPAN("work_peak_rss_kb")))
        set_figure(&m->work_peak_rss_kb, rest);
    else if (span_eq(key, SPAN("ready")))
        set_figure(&m->ready, rest);
    else if (span_eq(key, SPAN("step_seconds")))
        set_numbers(&m->step_seconds, rest, BENCH_STEPS_MAX, 0);
    else if (span_eq(key, SPAN("step_rss_kb")))
        set_numbers(&m->step_rss_kb, rest, BENCH_STEPS_MAX, 0);
    else if (span_eq(key, SPAN("values")))
        set_numbers(&m->values, rest, BENCH_VALUES_MAX, -HUGE_VAL);
    else if (span_eq(key, SPAN("digest")))
        set_digest(m->digest, rest);
    else if (span_eq(key, SPAN("exact")))
        set_digest(m->exact, rest);
    else if (span_eq(key, SPAN("version")))
        add_line(&m->versions, rest, VERSIONS_MAX);
    else if (span_eq(key, SPAN("entry")))
        add_line(&m->entries, rest, ENTRIES_MAX);
    else if (span_eq(key, SPAN("work_rounds")))
        set_figure(&m->work_rounds, rest);
    else if (span_eq(key, SPAN("work_began")))
        set_figure(&m->work_began, rest);
}

/* Keeps a limited part of a line without an end, and of a line that can no longer be a mark only its beginning. */
static void add_part(struct bench_marks *m, struct span part)
{
    static const struct span begin = {"ppcase ", 7};
    struct span line;

    m->line_too_long = m->line_too_long || m->line.len + part.len > BENCH_LINE_MAX;
    if (m->line_too_long)
        return;
    buf_add_span(&m->line, part);
    line = buf_span(&m->line);
    line.len = line.len < begin.len ? line.len : begin.len;
    m->line_too_long = !span_starts(begin, line);
}

void bench_marks_feed(struct bench_marks *m, struct span bytes)
{
    while (bytes.len > 0) {
        const char *end = memchr(bytes.ptr, '\n', bytes.len);
        size_t len = end != NULL ? (size_t)(end - bytes.ptr) : bytes.len;
        add_part(m, (struct span){bytes.ptr, len});
        if (end == NULL)
            return;
        struct span line = buf_span(&m->line), key;

        if (!m->line_too_long && span_starts(line, SPAN("ppcase "))) {
            line = span_after(line, 7);
            if (utf8_valid_prefix(line) == line.len && span_cut(&line, ' ', &key))
                read_mark(m, key, line);
        }
        buf_reset(&m->line);
        m->line_too_long = false;
        bytes = (struct span){end + 1, bytes.len - len - 1};
    }
}

/* --- the log of TensorFlow --- */

/* Of "2026-11-21 15:52:59.727985: …", the time of day as UTC, in seconds since 1970; NAN for other beginnings. */
static double log_time(struct span line)
{
    char text[sizeof "2026-11-21 15:52:59."]; /* strptime needs an end, and a line has none */
    struct tm t = {0};
    uint64_t micro;

    snprintf(text, sizeof text, "%.*s", SPAN_ARG(line));
    if (line.len < 26 || strptime(text, "%Y-%m-%d %H:%M:%S.", &t) != text + sizeof text - 1 ||
        !span_u64((struct span){line.ptr + 20, 6}, 999999, &micro))
        return NAN;
    return (double)timegm(&t) + (double)micro / 1e6;
}

/* "269 ms" and the like, in seconds; NAN for what is not a duration. */
static double duration(struct span text)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};
    struct span number;
    double value;

    if (!span_cut(&text, ' ', &number) || !number_of(number, &value))
        return NAN;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (span_starts(text, span_of(units[i].unit)))
            return value * units[i].seconds;
    return NAN;
}

void bench_marks_feed_log(struct bench_marks *m, struct span bytes)
{
    while (bytes.len > 0) {
        const char *end = memchr(bytes.ptr, '\n', bytes.len);
        size_t len = end != NULL ? (size_t)(end - bytes.ptr) : bytes.len;
        size_t room = LOG_LINE_MAX - m->log_line.len;
        buf_add(&m->log_line, bytes.ptr, len < room ? len : room);
        if (end == NULL)
            return;
        static const struct span compiled = {"Compilation of XLA executable time: ", 36};
        struct span line = buf_span(&m->log_line);
        size_t at = span_find(line, compiled);

        if (at != SIZE_MAX && m->compiled_at.n < BENCH_STEPS_MAX) {
            double seconds = duration(span_after(line, at + compiled.len));
            array_add(&m->compiled_at, log_time(line));
            array_add(&m->compile_seconds, isnan(seconds) ? 0 : seconds);
        }
        buf_reset(&m->log_line);
        bytes = (struct span){end + 1, bytes.len - len - 1};
    }
}
