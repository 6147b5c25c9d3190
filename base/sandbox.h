/*
 * sandbox: gives up, for the rest of the process, what a reader of strangers' data does not need: the
 * network, other programs, files outside of a few folders. An error in a parser then leads nowhere.
 *
 * Landlock (Linux 5.13) keeps files, seccomp the rest (Linux 3.17; amd64 and arm64). Where the kernel has
 * them not, as on other systems, nothing is given up, and log_debug says so.
 */
#pragma once

#include "base/base.h"

int sandbox_landlock(void); /* the version of its interface; 0: there is none */
bool sandbox_has_seccomp(void);

/* Writing and making files stays possible below `folders` (n of them, may be 0), and through what is
 * open. `programs`: others may be started; they are confined as well. To be called while the process has
 * one thread. False: not all of it was given up. */
bool sandbox_enter(const char *const *folders, size_t n, bool programs);
