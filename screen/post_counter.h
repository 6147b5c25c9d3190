/*
 * post_counter: screening's features of posts, counted by `match --stdin --part features`.
 */
#pragma once

#include "match/corpus/mine.h"

extern const struct mine_counter screen_post_counter;
