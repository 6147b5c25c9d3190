/* refused: posts of an input that are not kept, counted and named. */
#include "base/refused.h"

#include "base/log.h"

#include <inttypes.h>

enum { NAMED = 20, REASONS = 64, SAID = 3 };

/* A text that was not seen before is one more reason, up to a number that no file of one form has. */
static void count(struct refused *r, uint64_t offset, int64_t id, const char *why, bool is_part)
{
    const char *text = r->reasons.n < REASONS ? why : "for other reasons";

    r->n_left += !is_part;
    for (size_t i = 0; i < r->reasons.n; i++) {
        struct refused_reason *reason = &r->reasons.at[i];
        if (reason->is_part == is_part &&
            ((reason->given == why && strcmp(reason->why, why) == 0) || strcmp(reason->why, text) == 0)) {
            reason->n++;
            return;
        }
    }
    array_add(&r->reasons, (struct refused_reason){why, mem_text(span_of(text)), 1, offset, id, is_part});
}

static void name(struct refused *r, uint64_t offset, int64_t id, const char *why)
{
    r->n++;
    if (r->n > NAMED && log_get_level() < LOG_VERBOSE) {
        if (r->n == NAMED + 1)
            log_warn("%s: more rows that cannot be used; --verbose names them all", r->source);
        return;
    }
    AT_END(buf_clear) struct buf place = {0};
    if (offset != REFUSED_NO_BYTE)
        buf_addf(&place, "byte %" PRIu64 ": ", offset);
    if (id > 0)
        buf_addf(&place, "post %" PRId64 " ", id);
    log_warn("%s: %sleft out: %s", r->source, buf_cstr(&place), why);
}

void refused_add(struct refused *r, uint64_t offset, int64_t id, const char *why)
{
    if (strcmp(why, SECOND_DOCUMENT) == 0) {
        log_warn("%s: byte %" PRIu64 ": %s", r->source, offset, why);
        return;
    }
    count(r, offset, id, why, false);
    name(r, offset, id, why);
}

void refused_add_part(struct refused *r, uint64_t offset, int64_t id, const char *why)
{
    count(r, offset, id, why, true);
    name(r, offset, id, why);
}

void refused_leave(struct refused *r, uint64_t offset, int64_t id, const char *why)
{
    count(r, offset, id, why, false);
}

static int by_count(const void *a, const void *b)
{
    const struct refused_reason *x = a, *y = b;

    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->why, y->why);
}

enum status refused_end(const struct refused *r, bool strict, uint64_t kept, struct err *e)
{
    const char *plural = r->n == 1 ? "" : "s";

    if (r->n == 0)
        return ST_OK;
    if (strict)
        return err_set(e, ST_INPUT, "%s: %" PRIu64 " row%s could not be used (see above)", r->source, r->n, plural);
    if (kept == 0 && r->n >= r->n_left)
        return err_set(e, ST_INPUT, "%s: nothing in it can be used: %" PRIu64 " row%s left out (see above)", r->source,
                       r->n, plural);
    log_warn("%s: %" PRIu64 " row%s could not be used", r->source, r->n, plural);
    return ST_OK;
}

void refused_say(struct refused *r)
{
    const char *unit = r->unit != NULL ? r->unit : "byte";
    uint64_t rest = 0;
    size_t said = log_get_level() == LOG_VERBOSE ? r->reasons.n : SAID;

    array_sort(&r->reasons, by_count);
    for (size_t i = 0; i < r->reasons.n; i++) {
        const struct refused_reason *reason = &r->reasons.at[i];
        AT_END(buf_clear) struct buf first = {0};
        if (reason->id > 0)
            buf_addf(&first, "post %" PRId64, reason->id);
        if (reason->offset != REFUSED_NO_BYTE)
            buf_addf(&first, "%s%s %" PRIu64, first.len > 0 ? ", " : "", unit, reason->offset);
        if (i >= said)
            rest += reason->n;
        else
            log_info("%s: left out %" PRIu64 ": %s (first: %s)", r->source, reason->n, reason->why,
                     first.len > 0 ? buf_cstr(&first) : "without an id");
    }
    if (rest > 0)
        log_info("%s: left out %" PRIu64 " for %zu other reason%s; -v says them all", r->source, rest,
                 r->reasons.n - said, r->reasons.n - said == 1 ? "" : "s");
}

void refused_account(struct refused *r, const char *things, uint64_t kept)
{
    log_info("%s: %s read: %" PRIu64 "; kept %" PRIu64 ", left out %" PRIu64, r->source, things, kept + r->n_left, kept,
             r->n_left);
    refused_say(r);
    if (kept == 0 && r->n_left > 0)
        log_warn("%s: none of the %s was kept; commonest reason: %s", r->source, things, r->reasons.at[0].why);
}

void refused_json(struct refused *r, struct buf *out)
{
    array_sort(&r->reasons, by_count);
    buf_add_char(out, '[');
    for (size_t i = 0; i < r->reasons.n; i++) {
        const struct refused_reason *reason = &r->reasons.at[i];
        buf_addf(out, "%s{\"why\":", i > 0 ? "," : "");
        buf_add_json(out, span_of(reason->why));
        buf_addf(out, ",\"n\":%" PRIu64, reason->n);
        if (reason->offset != REFUSED_NO_BYTE)
            buf_addf(out, ",\"first_%s\":%" PRIu64, r->unit != NULL ? r->unit : "byte", reason->offset);
        if (reason->id > 0)
            buf_addf(out, ",\"first_id\":%" PRId64, reason->id);
        buf_addf(out, "%s}", reason->is_part ? ",\"is_part\":true" : "");
    }
    buf_add_char(out, ']');
}

void refused_clear(struct refused *r)
{
    for (size_t i = 0; i < r->reasons.n; i++)
        mem_free(r->reasons.at[i].why);
    array_clear(&r->reasons);
}
