/*
 * stat: agreement of coders, intervals, tests, samples, and what summarises measured values. May
 * include base. Pure computation: no I/O, no state; safe to call from several threads.
 *
 * A header for each topic; other rooms include this one.
 */
#pragma once

#include "base/stat/agreement.h"
#include "base/stat/design.h"
#include "base/stat/draw.h"
#include "base/stat/numbers.h"
#include "base/stat/statistics.h"
