/* body: the text of a body that is HTML, or what people write into issue trackers. */
#include "screen/screen.h"

#include "stem/stem.h"

/* --- plain text --- */

static bool cut_line(struct span *rest, struct span *line)
{
    bool found = span_cut(rest, '\n', line);

    if (found && line->len > 0 && line->ptr[line->len - 1] == '\r')
        line->len--;
    return found;
}

static bool is_fence(struct span line)
{
    struct span text = span_trim(line);

    return span_starts(text, SPAN("```")) || span_starts(text, SPAN("~~~"));
}

/* Appends what follows of it up to "<!--", and leaves the comment out; *inside: it goes on. */
static void add_uncommented(struct buf *out, struct span line, bool *inside)
{
    while (line.len > 0) {
        struct span mark = *inside ? SPAN("-->") : SPAN("<!--");
        size_t at = span_find(line, mark), end = at == SIZE_MAX ? line.len : at;
        if (!*inside)
            buf_add(out, line.ptr, end);
        if (at == SIZE_MAX)
            return;
        end += mark.len;
        line = (struct span){line.ptr + end, line.len - end};
        *inside = !*inside;
    }
}

/* --- the body --- */

/* Tags that a body made of HTML has, and other texts have not. */
static bool looks_like_html(struct span text)
{
    static const char *const tags[] = {"<p>", "</p>", "<br>", "<br/>", "<br />", "<pre>", "<code>", "</li>", "</a>"};

    return span_has_any(text, tags, ARRAY_LEN(tags));
}

void screen_body(const struct screen_text *text, bool only_code, struct buf *out)
{
    if (text->markup == SCREEN_HTML || (text->markup == SCREEN_MARKUP_UNKNOWN && looks_like_html(text->body))) {
        text_from_html(out, text->body, only_code ? TEXT_ONLY_CODE : TEXT_PLAIN);
    } else {
        /* Lines of a paragraph become one; a blank line ends it. Fenced code is left out or all that is
         * kept, and comments of issue templates are left out. */
        struct span plain = text->body;
        bool code = false, comment = false;
        struct span line;

        while (cut_line(&plain, &line)) {
            if (!comment && is_fence(line)) {
                code = !code;
                buf_add_char(out, '\n');
            } else if (code == only_code && code) {
                buf_add_span(out, line);
                buf_add_char(out, '\n');
            } else if (code == only_code) {
                add_uncommented(out, line, &comment);
                buf_add_char(out, span_trim(line).len == 0 ? '\n' : ' ');
            }
        }
    }
}
