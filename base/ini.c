/* ini: reads files of sections with settings. */
#include "base/ini.h"

#include "base/utf8.h"

enum status ini_each(struct span content, const char *path,
                     enum status (*each)(void *ctx, const struct ini_line *line, struct err *e), void *ctx,
                     struct err *e)
{
    struct ini_line l = {.path = path};
    struct span text;
    enum status status = ST_OK;

    if (utf8_valid_prefix(content) < content.len || (content.len > 0 && memchr(content.ptr, '\0', content.len) != NULL))
        return err_set(e, ST_INPUT, "%s: not UTF-8 text; save it as UTF-8", path);
    while (status == ST_OK && span_cut(&content, '\n', &text)) {
        l.line++;
        text = span_trim(text);
        if (text.len == 0 || text.ptr[0] == '#')
            continue;
        size_t equals = span_find(text, SPAN("="));
        l.key = l.value = (struct span){0};
        if (text.len > 2 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']') {
            l.section = span_trim((struct span){text.ptr + 1, text.len - 2});
        } else if (equals == SIZE_MAX || l.section.len == 0) {
            return err_set(e, ST_INPUT, "%s:%zu: expected '[section]', 'key = value' or '# comment'", path, l.line);
        } else {
            l.key = span_trim((struct span){text.ptr, equals});
            l.value = span_trim(span_after(text, equals + 1));
        }
        status = each(ctx, &l, e);
    }
    return status;
}
