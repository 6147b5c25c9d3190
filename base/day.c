/* day: dates that people type, and the days of times. */
#include "base/day.h"

/* Digits where the form has '0', else the same. */
static bool has_form(struct span s, const char *form)
{
    if (s.len != strlen(form))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (form[i] == '0' ? s.ptr[i] < '0' || s.ptr[i] > '9' : s.ptr[i] != form[i])
            return false;
    return true;
}

static unsigned number(struct span s, size_t at, size_t len)
{
    unsigned value = 0;

    for (size_t i = at; i < at + len; i++)
        value = 10 * value + (unsigned)(s.ptr[i] - '0');
    return value;
}

bool day_is(struct span s)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (!has_form(s, "0000-00-00"))
        return false;
    unsigned year = number(s, 0, 4), month = number(s, 5, 2), day = number(s, 8, 2);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12)
        return false;
    return day >= 1 && day <= days[month - 1] + (leap && month == 2 ? 1U : 0U);
}

struct span day_of(struct span time)
{
    enum { DAY = sizeof "2021-03-04" - 1 };

    return (struct span){time.ptr, time.len < DAY ? time.len : DAY};
}

bool day_or_time_read(struct span s, char out[TIME_TEXT_SIZE])
{
    struct span day = day_of(s), rest = {s.ptr + day.len, s.len - day.len};
    bool seconds = has_form(rest, "T00:00:00Z");

    out[0] = '\0';
    if (!day_is(day) || (rest.len > 0 && !seconds && !has_form(rest, "T00:00:00.000Z")))
        return false;
    if (rest.len > 0 && (number(rest, 1, 2) > 23 || number(rest, 4, 2) > 59 || number(rest, 7, 2) > 59))
        return false;
    snprintf(out, TIME_TEXT_SIZE, "%.10s%.9s.%.3sZ", day.ptr, rest.len > 0 ? rest.ptr : "T00:00:00",
             rest.len > 0 && !seconds ? rest.ptr + 10 : "000");
    return true;
}
