/* The one error record: a status and words. */
#include "base/utf8.h"
#include "base/visible.h"

enum status err_set(struct err *e, enum status status, const char *fmt, ...)
{
    char text[sizeof e->text];
    AT_END(buf_clear) struct buf clean = {0};
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    e->status = status;
    struct span said = span_of(text);
    if (said.len + 1 == sizeof text) /* it may have been cut within a character */
        said.len = utf8_whole(said);
    buf_add_clean(&clean, said);
    said = buf_span(&clean);
    if (said.len >= sizeof e->text)
        said.len = utf8_whole((struct span){said.ptr, sizeof e->text - 1});
    if (said.len > 0)
        memcpy(e->text, said.ptr, said.len);
    e->text[said.len] = '\0';
    return status;
}
