/* Which tags belong to a study: patterns with stars. */
#include "base/study/study.h"

/* `*` stands for any characters. Remembers only the last star: an earlier one never needs to take
 * more once a later one is reached. */
static bool glob(struct span pattern, struct span text)
{
    size_t p = 0, t = 0;
    size_t star = SIZE_MAX, star_text = 0;

    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

size_t study_tag_place(const struct study *s, struct span tag)
{
    size_t i = 0;

    while (i < s->n_tags && !glob(s->tags[i], tag))
        i++;
    return i;
}

bool study_has_tag(const struct study *s, struct span tag)
{
    return study_tag_place(s, tag) < s->n_tags;
}

bool study_has_date(const struct study *s, struct span date)
{
    if (date.len < 10)
        return false;
    return (s->from[0] == '\0' || memcmp(date.ptr, s->from, 10) >= 0) &&
           (s->to[0] == '\0' || memcmp(date.ptr, s->to, 10) <= 0);
}

bool study_may_have_tag(const struct study *s, struct span text)
{
    if (span_find(text, SPAN("&#")) != SIZE_MAX)
        return true; /* any letter may be written as a number */
    for (size_t i = 0; i < s->n_tags; i++) {
        struct span literal = s->tags[i], start;
        /* What stands before the first '*', if only tags' own letters, which nothing escapes. */
        if (!span_cut(&literal, '*', &start) || memchr(start.ptr, '&', start.len) != NULL ||
            span_find(text, start) != SIZE_MAX)
            return true;
    }
    return false;
}
