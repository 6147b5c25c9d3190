/* stat: agreement of coders, intervals, tests, samples, summaries of measured values. May include base. Pure
 * computation: no I/O, no state; safe to call from several threads. Each topic has a header; other rooms use this. */
#pragma once

#include "base/stat/agreement.h"
#include "base/stat/design.h"
#include "base/stat/draw.h"
#include "base/stat/numbers.h"
#include "base/stat/statistics.h"
