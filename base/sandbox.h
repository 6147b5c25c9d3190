/* sandbox: gives up, for the rest of the process, what a reader of strangers' data does not need: the network, other
 * programs, files outside of a few folders. An error in a parser then leads nowhere. Landlock (Linux 5.13) guards
 * files, seccomp the rest (Linux 3.17; amd64 and arm64). Where the kernel lacks them, nothing is given up, and
 * log_debug says so. */
#pragma once

#include "base/base.h"

int sandbox_landlock(void); /* the version of its interface; 0: there is none */
bool sandbox_has_seccomp(void);

enum sandbox_of {
    SANDBOX_READER,          /* starts no programs */
    SANDBOX_STARTS_PROGRAMS, /* which are confined as well */
    SANDBOX_STRANGER, /* a program that nobody has read: what it changes of the attributes of files is only pretended */
};

/* Writing and making files stays possible below `folders` (n of them, may be 0), and through what is open. Other
 * processes get no signals (Linux 6.12). Call it while the process has one thread. False: part was not given up. */
bool sandbox_enter(const char *const *folders, size_t n, enum sandbox_of who);
