/* The fixes as a unified diff. The edits are known: a hunk is a run of edited lines with three lines around it. */
#include "base/visible.h"
#include "check/session/run.h"

#include <unistd.h>

enum { CONTEXT = 3 };

struct lines ARRAY_OF(struct span);

/* Each with its end. */
static struct lines lines_of(struct span text)
{
    struct lines l = {0};

    for (size_t len; text.len > 0; text = span_after(text, len)) {
        const char *end = memchr(text.ptr, '\n', text.len);
        len = end != NULL ? (size_t)(end - text.ptr) + 1 : text.len;
        array_add(&l, (struct span){text.ptr, len});
    }
    return l;
}

static void add_line(struct buf *out, char mark, struct span line)
{
    buf_add_char(out, mark);
    buf_add_span(out, line);
    if (line.len == 0 || line.ptr[line.len - 1] != '\n')
        buf_add_text(out, "\n\\ No newline at end of file\n");
}

/* A change: lines a … of the old become lines b … of the new. */
struct change {
    size_t a, a_end, b, b_end;
};

/* The next difference, up to where the two agree again, within a window that is wide enough for our edits. */
static bool next_change(const struct lines *old, const struct lines *new, struct change *c)
{
    enum { WINDOW = 800 };
    size_t a = c->a_end, b = c->b_end;

    while (a < old->n && b < new->n &&span_eq(old->at[a], new->at[b])) {
        a++;
        b++;
    }
    if (a == old->n && b == new->n)
        return false;
    *c = (struct change){a, old->n, b, new->n};
    for (size_t lines = 1; lines < WINDOW; lines++)
        for (size_t d = 0; d <= lines; d++)
            if (a + d < old->n && b + lines - d < new->n &&span_eq(old->at[a + d], new->at[b + lines - d])) {
                c->a_end = a + d;
                c->b_end = b + lines - d;
                return true;
            }
    return true;
}

static void add_hunk(struct buf *out, const struct lines *old, const struct lines *new, const struct change *changes,
                     size_t n)
{
    const struct change *first = &changes[0], *last = &changes[n - 1];
    size_t before = first->a < CONTEXT ? first->a : CONTEXT;
    size_t after = old->n - last->a_end < CONTEXT ? old->n - last->a_end : CONTEXT;
    size_t a = first->a - before, b = first->b - before;

    size_t old_lines = last->a_end + after - a, new_lines = last->b_end + after - b;
    buf_addf(out, "@@ -%zu,%zu +%zu,%zu @@\n", a + (old_lines > 0), old_lines, b + (new_lines > 0), new_lines);
    for (size_t i = 0; i < n; i++) {
        for (; a < changes[i].a; a++)
            add_line(out, ' ', old->at[a]);
        for (; a < changes[i].a_end; a++)
            add_line(out, '-', old->at[a]);
        for (b = changes[i].b; b < changes[i].b_end; b++)
            add_line(out, '+', new->at[b]);
    }
    for (; after > 0; after--, a++)
        add_line(out, ' ', old->at[a]);
}

/* As Git writes names, in quotes where a terminal, or a reader of patches, could take them wrongly. */
static void add_name(struct buf *out, const char *mark, char side, const char *path)
{
    static const char short_form[] = {['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v',
                                      ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};

    if (text_is_clean(span_of(path)) && strpbrk(path, "\"\\") == NULL) {
        buf_addf(out, "%s%c/%s\n", mark, side, path);
        return;
    }
    buf_addf(out, "%s\"%c/", mark, side);
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;
        if (c < sizeof short_form && short_form[c] != '\0')
            buf_addf(out, "\\%c", short_form[c]);
        else if (c < 0x20 || c >= 0x7f)
            buf_addf(out, "\\%03o", (unsigned)c);
        else
            buf_add_char(out, (char)c);
    }
    buf_add_text(out, "\"\n");
}

static void add_diff(struct buf *out, const char *path, struct span before, struct span after)
{
    AT_END(array_end) struct lines old = lines_of(before);
    AT_END(array_end) struct lines new = lines_of(after);
    /* Those of one hunk: no more than there are lines, since a line that is alike is behind each. */
    AT_END(mem_end) struct change *near = mem_zero(old.n + 1, sizeof *near);
    struct change next = {0};
    size_t n = 0;

    if (old.at == NULL || new.at == NULL) /* no fix is in an empty file, or leaves one */
        return;
    add_name(out, "--- ", 'a', path);
    add_name(out, "+++ ", 'b', path);
    while (next_change(&old, &new, &next)) {
        if (n > 0 && next.a - near[n - 1].a_end > 2 * (size_t)CONTEXT) {
            add_hunk(out, &old, &new, near, n);
            n = 0;
        }
        near[n++] = next;
    }
    if (n > 0)
        add_hunk(out, &old, &new, near, n);
}

void check_add_diff(const struct check_run *c, const bool *chosen, struct buf *out)
{
    for (size_t i = 0; i < c->n_findings; i++) {
        const char *path = c->findings[i].path;
        AT_END(buf_clear) struct buf fixed = {0};
        if (i == first_of_path(c, path) && check_changed(c, path, chosen, &fixed, NULL))
            add_diff(out, path, source_bytes(source_find(c, path)), buf_span(&fixed));
    }
}

void check_print_diff(const struct check_run *c, enum check_format format, FILE *out)
{
    AT_END(buf_clear) struct buf text = {0}, shown = {0};

    check_add_diff(c, NULL, &text);
    if (format == CHECK_HTML)
        print_html_lines(&shown, buf_span(&text));
    /* A patch must have the bytes of the code, so that only a terminal gets it cleaned. */
    else if (isatty(fileno(out)) == 1)
        buf_add_clean_lines(&shown, buf_span(&text));
    else
        buf_add_span(&shown, buf_span(&text));
    if (shown.len > 0)
        fwrite(shown.ptr, 1, shown.len, out);
}
