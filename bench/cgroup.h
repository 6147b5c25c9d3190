/*
 * cgroup: groups of processes that the kernel keeps within a memory limit (cgroup v2). For bench only.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst. A group is a folder. "memory" must be in its
 * cgroup.controllers and in the parent's cgroup.subtree_control; a parent other than the root then has no process of
 * its own ("No Internal Process Constraint"). A user needs write access to a folder and its cgroup.procs
 * ("Delegation"). Where something is missing or forbidden, nothing is reported or changed: the caller has another way.
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

/* Prepares this process's group: moves this process into a group below it, if it must have no process and has no other
 * one. `root` comes before every path ("" except in tests). False: no groups can be made here; nothing has changed. */
bool cgroup_open(struct cgroup_home *h, const char *root);
/* Ends and removes the groups that the owner and its children made below it, and moves the owner back. In another
 * process it only clears *h. */
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
