/* process: the processes of a run, as /proc shows them. For bench only. */
#pragma once

#include "bench/bench.h"

#include <signal.h>
#include <sys/types.h>

/* What is resident in the one process, in KB; 0 when it is gone. */
uint64_t proc_resident_kb(pid_t pid);
/* What is resident in all that descends from this process, or is in the session of `leader`. */
uint64_t proc_family_kb(pid_t leader);
/* Sends SIGKILL to every child of this process. */
void proc_kill_children(void);
/* Sends SIGKILL to every process whose home is below the folder, which is that of a run; returns how
 * many there were. */
size_t proc_kill_of_home(const char *folder);
/* Kills and reaps until this process has no child: what a run left behind has become ours, or will
 * when its own parent dies. Its use of processors and memory is added to *p, unless NULL. */
void process_reap_rest(struct bench_process *p);

/* For waiting: takes SIGINT, SIGTERM, SIGHUP and SIGQUIT out of a mask, or with `stops` false adds them. They are let in
 * while waiting only, and the first one only: the second would end this process before it has cleaned up. */
void process_let_in(sigset_t *mask, bool stops);
/* Blocks them, and SIGCHLD, until the mask that is stored in *before is set again. */
void process_shut_out(sigset_t *before);
