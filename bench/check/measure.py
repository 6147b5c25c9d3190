"""Times and memory of a whole process, for the two programs beside this file."""
import os
import subprocess
import time


def measure(command, text=None, runs=1):
    """Processor seconds (user + system) and wall seconds, the least of the runs; peak resident kB."""
    best = wall = None
    peak = 0
    for _ in range(runs):
        started = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        process.stdin.write(text or b"")
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        seconds = usage.ru_utime + usage.ru_stime
        elapsed = time.monotonic() - started
        best = seconds if best is None else min(best, seconds)
        wall = elapsed if wall is None else min(wall, elapsed)
        peak = max(peak, usage.ru_maxrss)
    return best, wall, peak
