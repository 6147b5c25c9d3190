/* site: the sites of a study, and ids that name theirs. */
#include "base/study/study.h"

enum { SECONDS = 37 }; /* what may follow the first letter: nothing, a letter, a digit */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

int64_t study_site_code(struct span short_name)
{
    int64_t second = 0;

    if (short_name.len < 1 || short_name.len > 2 || !is_lower(short_name.ptr[0]))
        return 0;
    if (short_name.len == 2) {
        const char *found = memchr(letters, short_name.ptr[1], sizeof letters - 1);
        if (found == NULL)
            return 0;
        second = found - letters + 1;
    }
    return 1 + (short_name.ptr[0] - 'a') * SECONDS + second;
}

size_t study_site_short(int64_t code, char out[2])
{
    int64_t second = (code - 1) % SECONDS;

    out[0] = letters[(code - 1) / SECONDS % 26];
    if (second == 0)
        return 1;
    out[1] = letters[second - 1];
    return 2;
}

int64_t study_code_of(const struct study *s, struct span site)
{
    for (size_t i = 0; i < s->n_sites; i++)
        if (span_eq(site, s->sites[i].name) || span_eq(site, s->sites[i].short_name))
            return study_site_code(s->sites[i].short_name);
    return span_eq(site, s->site) ? 0 : -1;
}

int64_t study_id(int64_t code, int64_t number)
{
    if (number < -STUDY_ID_MAX || number > STUDY_ID_MAX)
        return INT64_MIN;
    return number + (number < 0 ? -code : code) * (STUDY_ID_MAX + 1);
}

int64_t study_id_code(int64_t id)
{
    return id == INT64_MIN ? 0 : (id < 0 ? -id : id) >> STUDY_ID_BITS;
}

int64_t study_id_number(int64_t id)
{
    if (id == INT64_MIN)
        return id;
    return id < 0 ? -(-id & STUDY_ID_MAX) : id & STUDY_ID_MAX;
}

void study_add_sites(struct buf *out, const struct study *s)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < s->n_sites; i++) {
        buf_add_text(out, i > 0 ? "," : "");
        buf_add_json(out, s->sites[i].short_name);
        buf_add_char(out, ':');
        buf_add_json(out, s->sites[i].name);
    }
    buf_add_char(out, '}');
}
