/*
 * profile: what a profiler recorded of the program that is checked. For check only.
 *
 * profile_read.c reads the file of a profiler into places of the project; profile.c joins them with findings.
 * Time of other files (libraries) is that of the line of the project that called them.
 */
#pragma once

#include "base/map.h"
#include "check/session/run.h"

/* A line of a source, or with profile.by_function the function that begins there: its decorators too. */
struct profile_place {
    double all;    /* time while it ran, with what it called; with profile.flat, without other lines of the project */
    double own;    /* time while it was the innermost place of the project */
    double waits;  /* of `all`, in which it waited for a GPU */
    double aside;  /* in other threads and processes than the main one */
    uint64_t seen; /* for the reader: the sample that it is counted in; calls that are open */
};

#define MAP_NAME place_map /* by profile_key */
#define MAP_KEY uint64_t
#define MAP_VALUE struct profile_place
#include "base/map.h"

#define MAP_NAME call_map /* the numbers of a place and of one that it called: the time of such calls */
#define MAP_KEY uint64_t
#define MAP_VALUE double
#include "base/map.h"

#define MAP_NAME file_map /* a file as the profiler names it: 1 + its source; 0: none */
#define MAP_KEY struct span
#define MAP_VALUE uint32_t
#include "base/bitset.h"
#include "base/map.h"

struct profile {
    const char *path, *kind; /* "Scalene", … */
    bool by_function;        /* places are functions */
    bool flat;               /* no call is known: time of a function that a line calls is not in the line */
    double total;            /* of the main thread; never 0 */
    struct place_map places;
    struct call_map calls; /* also through libraries; empty where no call is known */
    struct file_map files;
    struct bitset moved; /* sources whose code is not as the profiler saw it */
    struct arena arena;
};

static inline uint64_t profile_key(uint32_t source, uint32_t line)
{
    return (uint64_t)source << 32 | line;
}

/* Reads the file for the sources of the run, which were parsed. ST_INPUT with what is wrong in it. */
enum status MUST_USE profile_read(struct profile *out, const char *path, const struct check_run *c, struct err *e);
void profile_clear(struct profile *p);

/* Says of each finding what the profile does, and sets c->hot. ST_INPUT when nothing of it is of this program. */
enum status MUST_USE profile_join(struct check_run *c, struct project *p, const struct profile *profile, struct err *e);
/* The call that begins in the line, else the first that does. 0: nothing does. */
uint32_t node_at(const struct py_file *f, uint32_t line);
/* By the share of time; what has none comes last. */
void profile_order(struct check_run *c);
