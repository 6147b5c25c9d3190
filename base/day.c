/* day: dates that people type, and the days of times. */
#include "base/day.h"

bool day_has_form(struct span text, struct span picture)
{
    if (text.len < picture.len)
        return false;
    for (size_t i = 0; i < picture.len; i++) {
        bool digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        if (picture.ptr[i] == '0' ? !digit : text.ptr[i] != picture.ptr[i])
            return false;
    }
    return true;
}

static unsigned two_digits(const char *p)
{
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

static bool in_calendar(const char *t)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year = two_digits(t) * 100 + two_digits(t + 2);
    unsigned month = two_digits(t + 5);
    unsigned day = two_digits(t + 8);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (month < 1 || month > 12 || day < 1)
        return false;
    if (day > days[month - 1] + (unsigned)(month == 2 && leap))
        return false;
    return two_digits(t + 11) < 24 && two_digits(t + 14) < 60 && two_digits(t + 17) < 61;
}

bool date_read(struct span text, char out[TIME_TEXT_SIZE])
{
    struct span seconds = SPAN("0000-00-00T00:00:00");
    char fraction[] = "000", midnight[sizeof "0000-00-00T00:00:00"];

    if (text.len == strlen("0000-00-00")) {
        snprintf(midnight, sizeof midnight, "%.*sT00:00:00", SPAN_ARG(text));
        text = span_of(midnight);
    }
    if (!day_has_form(text, seconds) || !in_calendar(text.ptr))
        return false;
    struct span rest = {text.ptr + seconds.len, text.len - seconds.len};
    if (rest.len > 0 && rest.ptr[rest.len - 1] == 'Z')
        rest.len--;
    if (rest.len == 1 || (rest.len > 0 && rest.ptr[0] != '.'))
        return false;
    for (size_t i = 1; i < rest.len; i++) {
        if (rest.ptr[i] < '0' || rest.ptr[i] > '9')
            return false;
        if (i <= 3)
            fraction[i - 1] = rest.ptr[i];
    }
    memcpy(out, text.ptr, seconds.len);
    snprintf(out + seconds.len, TIME_TEXT_SIZE - seconds.len, ".%sZ", fraction);
    return true;
}

bool day_is(struct span s)
{
    char time[TIME_TEXT_SIZE];

    return s.len == strlen("2021-03-04") && date_read(s, time);
}

struct span day_of(struct span time)
{
    enum { DAY = sizeof "2021-03-04" - 1 };

    return (struct span){time.ptr, time.len < DAY ? time.len : DAY};
}

bool day_or_time_read(struct span s, char out[TIME_TEXT_SIZE])
{
    bool is_day = s.len == strlen("2021-03-04");
    bool is_time = s.len == strlen("2021-03-04T12:30:00Z") || s.len == strlen("2021-03-04T12:30:00.000Z");

    out[0] = '\0';
    return (is_day || (is_time && s.ptr[s.len - 1] == 'Z' && s.ptr[17] < '6')) && date_read(s, out);
}
