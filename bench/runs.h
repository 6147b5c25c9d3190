/* runs: how scripts of cases are run, for what runs them. For bench only. */
#pragma once

#include "bench/bench.h"

#include <signal.h>
#include <sys/types.h>

/* The Pythons of a case's sides: of its environments, else of the setting. ST_NO, with the reason, when an environment
 * is missing. `out` is empty, and needs bench_sides_clear in any case. */
enum status MUST_USE run_pythons_find(struct buf out[BENCH_SIDES], const struct bench_case *c,
                                      const struct bench_setting *s, struct err *e);

/* Runs the text as a script in a new folder below `scratch`, which it may destroy. `c` is for limits
 * and may be NULL. Under XLA and the Profiler the limits are wider, unless the case is about them. */
enum status MUST_USE run_script(struct bench_process *p, const struct bench_setting *s, const struct bench_case *c,
                                const char *python, enum bench_way way, const char *scratch, const char *name,
                                struct span text, struct err *e);
/* Takes lists out of *p, which is cleared all the same afterwards. */
void run_keep(struct bench_run *run, const struct bench_case *c, struct bench_process *p);
void run_clear(struct bench_run *run);
uint64_t run_threads(const struct bench_setting *s);
/* Whether the case can be run here; else *why has the reason. */
bool run_may(const struct bench_case *c, const struct bench_setting *s, struct err *why);

/* One case, in a worker; ST_NO when it was told to stop. It says itself what went wrong. */
typedef enum status run_work(const struct bench_case *c, const struct bench_setting *s);

struct run_kind {
    run_work *work;
    /* Whether there is a result that need not be made again: asked with `resume`. */
    bool (*stands)(const struct bench_case *c, const struct bench_setting *s);
};

enum status MUST_USE run_below_workers(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                                       unsigned jobs, const struct run_kind *kind, struct err *e);

/* --- folders --- */

/* A new folder below $TMPDIR, else /tmp. Locked while open: one left behind is not. All-zero is a closed one. */
struct scratch {
    struct buf path;
    int fd; /* of the folder, when path is not empty */
};

enum status MUST_USE scratch_open(struct scratch *s, struct err *e);
/* Removes it with everything in it. */
void scratch_close(struct scratch *s);
/* Removes the folders that this user's killed runs left behind, ends what still runs there, and reports it. */
void scratch_remove_left(void);
/* A folder with everything in it; links are not followed. */
void scratch_remove_tree(const char *path);

/* --- what of the processors others use --- */

/* Seconds of all processors since boot, used by anybody, guests and hypervisor included; NAN without /proc/stat. */
double machine_busy_seconds(void);
/* Of these, what this process has used itself. */
double machine_own_seconds(void);

/* As `when` says, continues, or refuses with ST_IO, or waits while others use the processors, with a message that
 * `what` begins. ST_NO when a signal stopped the waiting. */
enum status MUST_USE machine_wait_idle(enum bench_when when, const char *what, struct err *e);

/* More than this of a processor for others, and a figure is theirs as well. */
#define MACHINE_OTHERS_MOST 0.1

/* --- the processes of a run, as /proc shows them --- */

/* What is resident in the one process, in KB; 0 when it is gone. */
uint64_t proc_resident_kb(pid_t pid);
/* What is resident in all that descends from this process, or is in the session of `leader`. */
uint64_t proc_family_kb(pid_t leader);
/* Sends SIGKILL to every child of this process. */
void proc_kill_children(void);
/* Sends SIGKILL to every process whose home is below the folder of a run; returns their number. */
size_t proc_kill_of_home(const char *folder);
/* Kills and reaps until this process has no child: what a run left behind has become ours, or will
 * when its own parent dies. Its use of processors and memory is added to *p, unless NULL. */
void process_reap_rest(struct bench_process *p);

/* For waiting: takes SIGINT, SIGTERM, SIGHUP and SIGQUIT out of a mask, or with `stops` false adds them. They are let
 * in while waiting only, and the first one only: the second would end this process before it has cleaned up. */
void process_let_in(sigset_t *mask, bool stops);
/* Blocks them, and SIGCHLD, until the mask that is stored in *before is set again. */
void process_shut_out(sigset_t *before);

/* --- memory and load of a machine's NVIDIA GPUs, by NVML, the library of their driver, which is loaded when the
 * program runs. Source: NVIDIA, NVML API Reference Guide. --- */

struct gpu;

struct gpu_state {
    uint64_t used_kb;    /* of all devices together, of all users */
    double busy_percent; /* of the last moments, the mean over the devices */
};

/* NULL where there is no such library, or no device. The caller closes it; NULL may be closed. */
struct gpu *gpu_open(void);
void gpu_close(struct gpu *g);
/* False when the driver does not answer. */
bool gpu_look(const struct gpu *g, struct gpu_state *out);
