#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

void bench_marks_init(struct bench_marks *m)
{
    *m = (struct bench_marks){.work_seconds = NAN, .work_rss_before_kb = NAN,
                              .work_peak_rss_kb = NAN, .ready = NAN};
}

void bench_marks_clear(struct bench_marks *m)
{
    mem_free(m->step_seconds.items);
    mem_free(m->step_rss_kb.items);
    mem_free(m->values.items);
    buf_clear(&m->versions);
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
    while (list->n < max && span_cut(&rest, ' ', &word)) {
        if (!number_of(word, &value) || value < least)
            continue;
        if (list->n == list->capacity) {
            list->capacity = list->capacity * 2 + 16;
            list->items = mem_resize(list->items, list->capacity, sizeof *list->items);
        }
        list->items[list->n++] = value;
    }
}

static void set_digest(struct bench_marks *m, struct span rest)
{
    rest = span_trim(rest);
    if (rest.len < sizeof m->digest)
        snprintf(m->digest, sizeof m->digest, "%.*s", (int)rest.len, rest.ptr);
}

static void add_version(struct bench_marks *m, struct span rest)
{
    if (m->versions.len > 4096)
        return;
    buf_add_span(&m->versions, span_trim(rest));
    buf_add_char(&m->versions, '\n');
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
        set_digest(m, rest);
    else if (span_eq(key, SPAN("version")))
        add_version(m, rest);
}

static void end_line(struct bench_marks *m)
{
    struct span line = buf_span(&m->line), key;

    if (!m->line_too_long && span_starts(line, SPAN("ppcase "))) {
        line = (struct span){line.ptr + 7, line.len - 7};
        if (utf8_valid_prefix(line) == line.len && span_cut(&line, ' ', &key))
            read_mark(m, key, line);
    }
    buf_reset(&m->line);
    m->line_too_long = false;
}

/* Of gigabytes without an end of line, only so much is held; and of a line that cannot be a mark
 * any more, its beginning. */
static void add_part(struct bench_marks *m, struct span part)
{
    static const struct span begin = {"ppcase ", 7};
    struct span line;

    if (m->line_too_long)
        return;
    if (m->line.len + part.len > BENCH_LINE_MAX) {
        m->line_too_long = true;
        return;
    }
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
        end_line(m);
        bytes = (struct span){end + 1, bytes.len - len - 1};
    }
}
