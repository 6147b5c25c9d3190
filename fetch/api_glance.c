/*
 * A glance at the bytes of an answer, before it is read as JSON.
 *
 * Within a string of JSON a quotation mark has a backslash before it. So the bytes "backoff" with a
 * mark at each end are either a name, or a string that holds nothing else; and with a colon behind
 * them a name. An answer in which a wrapper's name stands twice, or has blanks before its colon, or
 * is written with \u, is not one that the API writes; nothing is made of it.
 */
#include "fetch/api.h"

/* The digits behind the only such name; POST_ABSENT for any other text. */
static int64_t number_behind(struct span s, size_t at)
{
    size_t end = at;
    int64_t number;

    while (end < s.len && s.ptr[end] >= '0' && s.ptr[end] <= '9')
        end++;
    return span_i64((struct span){s.ptr + at, end - at}, &number) ? number : POST_ABSENT;
}

/* Where the value of a name begins that stands there once; SIZE_MAX otherwise. */
static size_t only_value(struct span s, struct span name)
{
    size_t at = span_find(s, name);

    if (at == SIZE_MAX || span_find(span_after(s, at + name.len), name) != SIZE_MAX)
        return SIZE_MAX;
    at += name.len;
    return at < s.len && s.ptr[at] == ':' ? at + 1 : SIZE_MAX;
}

bool api_glance(struct span bytes, struct api_glance *out)
{
    struct span text = span_trim(bytes);
    size_t more = only_value(text, SPAN("\"has_more\""));
    size_t quota = only_value(text, SPAN("\"quota_remaining\""));

    if (text.len == 0 || text.ptr[text.len - 1] != '}' || more == SIZE_MAX || quota == SIZE_MAX ||
        !span_starts(span_after(text, more), SPAN("true")) || span_find(text, SPAN("\"backoff\"")) != SIZE_MAX ||
        span_find(text, SPAN("\"error_id\"")) != SIZE_MAX)
        return false;
    out->quota_remaining = number_behind(text, quota);
    struct span rest = text, name = SPAN("\"last_activity_date\":");
    out->last_activity = POST_ABSENT; /* then the largest */
    for (size_t at; (at = span_find(rest, name)) != SIZE_MAX; rest = span_after(rest, at + name.len)) {
        int64_t number = number_behind(rest, at + name.len);
        if (number != POST_ABSENT && (out->last_activity == POST_ABSENT || number > out->last_activity))
            out->last_activity = number;
    }
    return out->quota_remaining != POST_ABSENT && out->last_activity != POST_ABSENT;
}
