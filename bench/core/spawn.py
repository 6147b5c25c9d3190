"""Runs a process and prints: exit code, wall seconds, CPU seconds, peak RSS in bytes.

    python3 -I -S spawn.py STDIN STDOUT PROGRAM ARG0 ARG...

Imports almost nothing: a new process begins with the peak RSS of the one that
starts it, so nothing below this script's own few MB can be seen.
"""

import posix
import sys
from time import perf_counter

fds = [posix.open(sys.argv[1], posix.O_RDONLY),
       posix.open(sys.argv[2], posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC, 0o666)]
actions = [(posix.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(fds)]
actions += [(posix.POSIX_SPAWN_CLOSE, fd) for fd in fds]
start = perf_counter()
pid = posix.posix_spawn(sys.argv[3], sys.argv[4:], posix.environ, file_actions=actions)
_, status, usage = posix.wait4(pid, 0)
wall = perf_counter() - start
print(posix.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime,
      usage.ru_maxrss * 1024)
