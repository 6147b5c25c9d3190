#include "base/base.h"

#include <stdarg.h>

enum status err_set(struct err *e, enum status status, const char *fmt, ...)
{
    va_list args;

    e->status = status;
    va_start(args, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
    return status;
}
