/* refused: posts of an input that cannot be used, counted and named. */
#include "fetch/refused.h"

#include <inttypes.h>

enum { NAMED = 20 };

void refused_add(struct refused *r, uint64_t offset, int64_t id, const char *why)
{
    r->n++;
    if (r->n > NAMED && log_get_level() < LOG_VERBOSE) {
        if (r->n == NAMED + 1)
            log_warn("%s: more rows that cannot be used; --verbose names them all", r->source);
        return;
    }
    if (id > 0)
        log_warn("%s: byte %" PRIu64 ": post %" PRId64 " left out: %s", r->source, offset, id, why);
    else
        log_warn("%s: byte %" PRIu64 ": left out: %s", r->source, offset, why);
}

enum status refused_end(const struct refused *r, bool strict, struct err *e)
{
    const char *plural = r->n == 1 ? "" : "s";

    if (r->n == 0)
        return ST_OK;
    if (strict)
        return err_set(e, ST_INPUT, "%s: %" PRIu64 " row%s could not be used (see above)",
                       r->source, r->n, plural);
    log_warn("%s: %" PRIu64 " row%s could not be used", r->source, r->n, plural);
    return ST_OK;
}
