/*
 * thread_set: questions by site and id; of mine only. A thread is a question with its answers.
 */
#pragma once

#include "base/map.h"

#include "base/post/post.h"

struct thread_key {
    struct span site; /* ptr NULL: of posts that do not say it */
    int64_t id;
};

#define MAP_NAME thread_map
#define MAP_KEY struct thread_key
#define MAP_HASH(key, secret) map_hash_number(map_hash_span((key).site, secret) + (uint64_t)(key).id, secret)
#define MAP_EQUAL(a, b) ((a).id == (b).id && span_eq((a).site, (b).site))
#include "base/map.h"

struct thread_set {
    struct buf content;
    struct thread_map map;
};

/* Reads lines of "ID" or "SITE ID", # for comments. All-zero is a valid empty set. ST_INPUT with
 * file:line for anything else. */
enum status MUST_USE thread_set_load(struct thread_set *set, const char *path, struct err *e);
void thread_set_clear(struct thread_set *set);
/* Whether the post, or the one it answers (POST_ABSENT: none), is in the set. */
bool thread_set_has(const struct thread_set *set, struct span site, int64_t id, int64_t parent);
