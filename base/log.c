/* What the program says on stderr: messages, and a line of progress. */
#include "base/files.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>
#include <unistd.h>

static enum log_level current_level = LOG_NORMAL;
static const char *program_name = "ppmine";
static bool line_drawn; /* a progress line stands on the terminal */

static void wipe_line(void)
{
    if (line_drawn)
        fputs("\r\033[K", stderr);
    line_drawn = false;
}

void log_set_program(const char *name)
{
    program_name = name;
}

void log_set_level(enum log_level level)
{
    current_level = level;
}

enum log_level log_get_level(void)
{
    return current_level;
}

/* In one piece, so that messages of several threads do not mix. */
void log_say(enum log_level from, const char *kind, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0}, line = {0};
    va_list args;

    if (current_level < from)
        return;
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_addf(&line, "%s: %s", program_name, kind);
    buf_add_clean(&line, buf_span(&text));
    buf_add_char(&line, '\n');
    wipe_line();
    fwrite(line.ptr, 1, line.len, stderr);
}

size_t log_output(struct span lines)
{
    AT_END(buf_clear) struct buf clean = {0};
    size_t len = utf8_whole(lines);

    buf_add_clean_lines(&clean, (struct span){lines.ptr, len});
    wipe_line();
    if (clean.len > 0)
        fwrite(clean.ptr, 1, clean.len, stderr);
    return len;
}

/* --- progress --- */

void progress_begin(struct progress *p, const char *label, uint64_t total)
{
    *p = (struct progress){.label = label, .total = total, .started = time_monotonic()};
    p->drawn = p->started;
    p->active = current_level >= LOG_NORMAL && isatty(STDERR_FILENO) == 1;
}

/* One line of the terminal: a longer one would not be wiped whole. */
static void draw(const struct progress *p, double now, const char *note)
{
    AT_END(buf_clear) struct buf line = {0};
    size_t width = terminal_width(stderr);

    buf_add_clean(&line, span_of(p->label));
    if (p->total > 0) {
        enum { WIDTH = 24 };
        uint64_t done = p->done < p->total ? p->done : p->total;
        double share = (double)done / (double)p->total;

        buf_add_text(&line, " [");
        for (int i = 0; i < WIDTH; i++)
            buf_add_char(&line, i < (int)(share * WIDTH) ? '#' : '.');
        buf_addf(&line, "] %3.0f %%", 100.0 * share);
        if (done > 0 && now - p->started > 1)
            buf_addf(&line, ", %.0f s left", (now - p->started) * (1 / share - 1));
    } else {
        buf_addf(&line, " %" PRIu64, p->done);
    }
    buf_add_text(&line, "  ");
    buf_add_clean(&line, span_of(note));
    struct span shown = buf_span(&line);
    if (width > 1)
        shown = text_cut(shown, width - 1, NULL);
    fprintf(stderr, "\r%.*s\033[K", SPAN_ARG(shown));
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
    draw(p, now, note);
}

void progress_end(struct progress *p)
{
    if (p->active)
        wipe_line();
    p->active = false;
}
