/*
 * post_counter: how many posts have each of screening's features, for more posts than one machine reads: counts
 * of parts are added up. `match --stdin --part features` writes a line for each feature, "FINGERPRINT TAB posts".
 */
#pragma once

#include "match/corpus/mine.h"

extern const struct mine_counter screen_post_counter;
