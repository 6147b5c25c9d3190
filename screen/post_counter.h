/*
 * post_counter: screening's features of posts, counted by `match --stdin --part features`.
 */
#ifndef SCREEN_POST_COUNTER_H
#define SCREEN_POST_COUNTER_H

#include "match/corpus/mine.h"

extern const struct mine_counter screen_post_counter;

#endif
