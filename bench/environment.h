/* environment: what finding and making Python environments have in common. For bench only. */
#pragma once

#include "bench/bench.h"

/* Written last into an environment. Its content is that of the requirements, so that other ones make it
 * again. Runs that use the environment have a shared lock on it. */
#define ENVIRONMENT_STAMP "ppmine-bench.stamp"

enum { ENVIRONMENT_FILE_MAX = 4 << 20 };
