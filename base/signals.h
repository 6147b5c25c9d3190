/* signals: how a command is told to end. */
#pragma once

#include "base/base.h"

/* SIGINT, SIGTERM, SIGQUIT and SIGHUP end the process at once, and take along what output_file has not given
 * its name yet. A SIGHUP that was ignored stays so (nohup). */
void signals_end_cleanly(void);
/* From then on they only set a flag, so that a command can commit and end. A second SIGINT ends the process at
 * once; so does a second that went by, unless PPMINE_STOP_UNHURRIED is set. */
void signals_catch(void);
bool signals_stop_asked(void);
int signals_exit_code(void); /* 128 + the signal's number */
/* Ends what another thread waits for in a call of the kernel; after signals_catch. */
void signals_wake(pthread_t thread);
