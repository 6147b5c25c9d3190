/*
 * api_item: texts of the Stack Exchange API; private to fetch.
 */
#pragma once

#include "fetch/fetch.h"

/* `s` without one layer of the references that a safe filter puts into it; in the arena, or
 * `s` itself. */
struct span api_unescape(struct arena *arena, struct span s);
