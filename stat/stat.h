/*
 * stat: agreement of coders, intervals, tests, samples, and what summarises measured values. May
 * include base. Pure computation: no I/O, no state; safe to call from several threads.
 *
 * A header for each topic; other rooms include this one.
 */
#ifndef STAT_H
#define STAT_H

#include "stat/agreement.h"
#include "stat/design.h"
#include "stat/draw.h"
#include "stat/exact.h"
#include "stat/numbers.h"
#include "stat/statistics.h"
#include "stat/summary.h"

#endif
