/* What people see: text without a byte that a terminal takes for a command, and how wide it is. */
#include "base/utf8.h"
#include "base/visible.h"

#include <sys/ioctl.h>
#include <uniwidth.h>

/* Controls (C0, DEL, C1), marks that change the direction of writing (UAX #9 and the deprecated ones
 * after them), ends of lines and paragraphs, and what sets text above other text. */
static const struct {
    uint32_t first, last;
} commands[] = {
    {0x00, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x206f}, {0xfff9, 0xfffb},
};

bool is_command_character(uint32_t code_point)
{
    for (size_t i = 0; i < ARRAY_LEN(commands) && code_point >= commands[i].first; i++)
        if (code_point <= commands[i].last)
            return true;
    return false;
}

/* Of a text the bytes at its start that are printable ASCII. */
static size_t plain_len(struct span s)
{
    size_t i = 0;

    while (i < s.len && s.ptr[i] >= 0x20 && s.ptr[i] < 0x7f)
        i++;
    return i;
}

/* Adds what is valid UTF-8. */
static void add_valid(struct buf *b, struct span s, bool lines)
{
    size_t kept = 0, i = 0;

    while ((i += plain_len((struct span){s.ptr + i, s.len - i})) < s.len) {
        uint32_t c;
        size_t len = utf8_decode(s.ptr + i, s.ptr + s.len, &c);
        bool stays = lines && (c == '\n' || c == '\t');
        if (!stays && is_command_character(c)) {
            buf_add(b, s.ptr + kept, i - kept);
            buf_add_char(b, '?');
            kept = i + len;
        }
        i += len;
    }
    buf_add(b, s.ptr + kept, s.len - kept);
}

void buf_add_clean(struct buf *b, struct span s)
{
    while (s.len > 0)
        add_valid(b, utf8_cut(&s), false);
}

void buf_add_clean_lines(struct buf *b, struct span s)
{
    while (s.len > 0)
        add_valid(b, utf8_cut(&s), true);
}

void buf_addf_clean(struct buf *b, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_add_clean(b, buf_span(&text));
}

bool text_is_clean(struct span s)
{
    size_t i = 0;

    if (utf8_valid_prefix(s) < s.len)
        return false;
    while ((i += plain_len((struct span){s.ptr + i, s.len - i})) < s.len) {
        uint32_t c;
        i += utf8_decode(s.ptr + i, s.ptr + s.len, &c);
        if (is_command_character(c))
            return false;
    }
    return true;
}

/* --- columns --- */

struct span text_cut(struct span s, size_t width, size_t *taken)
{
    size_t i = 0, used = 0;

    while (i < s.len) {
        uint32_t c = (unsigned char)s.ptr[i];
        size_t len = c < 0x80 ? 1 : utf8_decode(s.ptr + i, s.ptr + s.len, &c);
        /* As terminals do, characters of ambiguous width (Greek, box drawing) are taken as narrow. */
        int columns = c >= 0x20 && c < 0x7f ? 1 : uc_width(c, "UTF-8");
        size_t w = columns > 0 ? (size_t)columns : 0;
        if (w > width - used)
            break;
        used += w;
        i += len;
    }
    if (taken != NULL)
        *taken = used;
    return (struct span){s.ptr, i};
}

size_t text_width(struct span s)
{
    size_t width;

    text_cut(s, SIZE_MAX, &width);
    return width;
}

void buf_add_padded(struct buf *b, struct span s, size_t width, bool right)
{
    size_t used = text_width(s), blanks = used < width ? width - used : 0;

    buf_reserve(b, s.len + blanks);
    if (!right)
        buf_add_span(b, s);
    for (; blanks > 0; blanks--)
        buf_add_char(b, ' ');
    if (right)
        buf_add_span(b, s);
}

void buf_add_wrapped(struct buf *b, struct span text, size_t indent, size_t width)
{
    size_t used = 0; /* of the line, without the indent */
    struct span word;

    buf_add_padded(b, SPAN(""), indent, false);
    while (span_cut(&text, ' ', &word)) {
        if (width > 0 && used > 0 && indent + used + 1 + text_width(word) > width) {
            buf_add_char(b, '\n');
            buf_add_padded(b, SPAN(""), indent, false);
            used = 0;
        }
        if (used > 0)
            buf_add_char(b, ' ');
        buf_add_span(b, word);
        used += text_width(word) + (used > 0);
    }
    buf_add_char(b, '\n');
}

size_t terminal_width(FILE *stream)
{
    struct winsize size;
    int fd = fileno(stream);

    return fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void buf_add_markup(struct buf *b, char c)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *found = c != '\0' ? strchr(special, c) : NULL;

    if (found != NULL)
        buf_add_text(b, names[found - special]);
    else
        buf_add_char(b, c);
}
