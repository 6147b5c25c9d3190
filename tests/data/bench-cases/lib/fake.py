"""Prints marks as real cases do, without numpy."""

import contextlib
import hashlib
import time


def say(key, *values):
    print("\nppcase", key, *values, flush=True)


def resident_kb(field="VmRSS"):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":"))


@contextlib.contextmanager
def work():
    say("work_rss_before_kb", resident_kb())
    begin = time.perf_counter()
    yield
    say("work_seconds", format(time.perf_counter() - begin, ".6f"))
    say("work_peak_rss_kb", resident_kb("VmHWM"))


def steps(n):
    seconds, resident = [], []
    for i in range(n):
        begin = time.perf_counter()
        yield i
        seconds.append(time.perf_counter() - begin)
        resident.append(resident_kb())
    say("step_seconds", *(format(s, ".6f") for s in seconds))
    say("step_rss_kb", *resident)


def digest(*numbers):
    say("digest", "sha256:" + hashlib.sha256(repr(numbers).encode()).hexdigest())
    say("values", *numbers)
