/* machine: what of the processors others use. For bench only. */
#pragma once

#include "bench/bench.h"

/* Seconds of all processors together since the machine began: used by anybody, this process's guests and
 * what a hypervisor took included; NAN where /proc/stat does not say. */
double machine_busy_seconds(void);
/* Of these, what this process has used itself. */
double machine_own_seconds(void);

/* As `when` has it: goes on, or says on `what` others keep the processors busy and waits, or refuses with
 * ST_IO. ST_NO when a signal stopped the waiting. */
enum status MUST_USE machine_wait_idle(enum bench_when when, const char *what, struct err *e);

/* More than this of a processor for others, and a figure is theirs as well. */
#define MACHINE_OTHERS_MOST 0.1
