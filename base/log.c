#define _GNU_SOURCE
#include "base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

static enum log_level current_level = LOG_NORMAL;
static bool line_drawn; /* a progress line stands on the terminal */

static void wipe_line(void)
{
    if (line_drawn)
        fputs("\r\033[K", stderr);
    line_drawn = false;
}

static void say(const char *kind, const char *fmt, va_list args)
{
    wipe_line();
    fputs("ppmine: ", stderr);
    fputs(kind, stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
}

void log_set_level(enum log_level level)
{
    current_level = level;
}

enum log_level log_get_level(void)
{
    return current_level;
}

void log_error(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say("error: ", fmt, args);
    va_end(args);
}

void log_warn(const char *fmt, ...)
{
    va_list args;

    if (current_level < LOG_NORMAL)
        return;
    va_start(args, fmt);
    say("warning: ", fmt, args);
    va_end(args);
}

void log_info(const char *fmt, ...)
{
    va_list args;

    if (current_level < LOG_NORMAL)
        return;
    va_start(args, fmt);
    say("", fmt, args);
    va_end(args);
}

void log_debug(const char *fmt, ...)
{
    va_list args;

    if (current_level < LOG_VERBOSE)
        return;
    va_start(args, fmt);
    say("", fmt, args);
    va_end(args);
}

void progress_begin(struct progress *p, const char *label, uint64_t total)
{
    *p = (struct progress){.label = label, .total = total, .started = time_monotonic()};
    p->drawn = p->started;
    p->active = current_level >= LOG_NORMAL && isatty(STDERR_FILENO) == 1;
}

static void draw_bar(const struct progress *p, double now, const char *note)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    uint64_t done = p->done < p->total ? p->done : p->total;
    size_t filled = (size_t)((double)done / (double)p->total * WIDTH);

    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s [%s] %3.0f %%", p->label, bar, 100.0 * (double)done / (double)p->total);
    if (done > 0 && now - p->started > 1)
        fprintf(stderr, ", %.0f s left",
                (now - p->started) * ((double)p->total / (double)done - 1));
    fprintf(stderr, "  %s\033[K", note);
}

void progress_update(struct progress *p, uint64_t done, const char *note)
{
    p->done = done;
    if (!p->active)
        return;
    double now = time_monotonic();
    if (now - p->drawn < 0.1)
        return;
    p->drawn = now;
    line_drawn = true;
    if (p->total > 0)
        draw_bar(p, now, note);
    else
        fprintf(stderr, "\r%s %" PRIu64 "  %s\033[K", p->label, done, note);
}

void progress_end(struct progress *p)
{
    if (p->active)
        wipe_line();
    p->active = false;
}
