/*
 * day: dates that people type.
 */
#ifndef BASE_DAY_H
#define BASE_DAY_H

#include "base/base.h"

/* "2021-03-04", a day that there is. */
bool MUST_USE day_is(struct span s);
/* A day, or "2021-03-04T12:30:00Z" with or without milliseconds, as the database writes times. */
bool MUST_USE day_or_time_read(struct span s, char out[TIME_TEXT_SIZE]);

#endif
