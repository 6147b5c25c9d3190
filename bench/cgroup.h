/*
 * cgroup: groups of processes that the kernel keeps within a memory limit (cgroup v2). For bench only.
 *
 * By Documentation/admin-guide/cgroup-v2.rst of the kernel: a group is a folder; "memory" must be in cgroup.controllers
 * and be enabled in cgroup.subtree_control of the parent, which may then have no own process, unless it is the root
 * ("No Internal Process Constraint"); who may write to a folder and its cgroup.procs was given it ("Delegation").
 *
 * Where something is missing or not allowed, nothing is said and nothing changed: the caller has another way.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

/* A folder in which groups can be made. All-zero: no folder. */
struct cgroup_home {
    struct buf dir;
    bool moved; /* this process into its own group below it */
    pid_t owner;
};

/* Prepares the group that this process is in: where it must be without a process, and has no other than
 * this one, this one moves into a group below it. `root` is put before every path ("" but for tests).
 * False: no groups can be made here, and all is as it was. */
bool cgroup_open(struct cgroup_home *h, const char *root);
/* Ends and removes the groups that were made below it, by children of the owner too, and moves the owner
 * back. Does nothing in another process than the one that opened it. */
void cgroup_close(struct cgroup_home *h);

/* The group of one run. All-zero is valid for close. */
struct cgroup_run {
    struct buf path;
    int fd; /* of the folder, when is_open */
    bool is_open;
};

struct cgroup_usage {
    uint64_t peak_kb;   /* of all memory that the group was charged with; 0: the kernel does not say */
    bool out_of_memory; /* the limit was reached, and the kernel killed for it */
};

/* Makes a group with the limit; a process has one at a time. */
bool cgroup_run_open(struct cgroup_run *g, const struct cgroup_home *h, uint64_t memory_kb);
/* As fork, but the child begins in the group. -1 with errno where the kernel cannot. */
pid_t cgroup_run_fork(const struct cgroup_run *g);
/* Sends SIGKILL to all in it. */
void cgroup_run_kill(const struct cgroup_run *g);
/* Removes it; all of its processes have been reaped, or are killed. */
struct cgroup_usage cgroup_run_close(struct cgroup_run *g);
