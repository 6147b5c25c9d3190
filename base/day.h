/* day: dates that people type, and the days of times. */
#pragma once

#include "base/base.h"
#include "base/files.h"

/* Normalises "2018-01-02T01:12:20", with or without fraction and Z, or the day alone, to TIME_TEXT_SIZE - 1
 * bytes "2018-01-02T01:12:20.000Z"; false when it is no such date. */
bool date_read(struct span text, char out[TIME_TEXT_SIZE]);
/* Does the text begin as a picture in which '0' stands for a digit? */
bool MUST_USE day_has_form(struct span text, struct span picture);
/* "2021-03-04", a day that there is. */
bool MUST_USE day_is(struct span s);
/* The day of a time as the database writes it: its first ten bytes, or all when there are fewer. */
struct span MUST_USE day_of(struct span time);
/* A day, or "2021-03-04T12:30:00Z" with or without milliseconds, as the database writes times. */
bool MUST_USE day_or_time_read(struct span s, char out[TIME_TEXT_SIZE]);
