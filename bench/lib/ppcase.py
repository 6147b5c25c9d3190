"""What the two scripts of a benchmark case share: marks that the runner reads.

A script prints lines `ppcase KEY VALUE...` on stdout; everything else there is ignored.
Units: seconds (monotonic clock), kilobytes of 1024 bytes (as Linux counts them).
Only the standard library and numpy are imported, so importing this costs a case nothing
that TensorFlow would not cost it anyway.
"""

import contextlib
import hashlib
import os
import statistics
import sys
import time

import numpy

SUMMARY_PARTS = 16  # two numbers each: at most 32 `values`
LEAST_SECONDS = 0.2  # of the rounds that are timed, together


def _say(key, *values):
    # A progress bar may have left the cursor in the middle of a line, so every mark begins one.
    sys.stdout.write("\nppcase " + " ".join([key, *map(str, values)]) + "\n")
    sys.stdout.flush()


def _status_kb(field):
    """One figure of /proc/self/status: VmRSS is what is resident now, VmHWM its peak."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1])
    raise RuntimeError("/proc/self/status has no " + field)


def _forget_peak():
    """Set VmHWM back to the present VmRSS (proc(5), clear_refs, value 5). Where the kernel
    refuses, the peak remains that of the process's whole life: never too low, maybe too high."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
            clear.write("5")
    except OSError:
        print("ppcase: cannot reset the peak; it is that of the whole process", file=sys.stderr)


@contextlib.contextmanager
def around():
    """Around what work() times; the Profiler's driver puts its own here."""
    yield


class _Work:
    """The part that is measured: see work()."""

    def _begin(self):
        _forget_peak()
        _say("work_rss_before_kb", _status_kb("VmRSS"))

    def _begin_timing(self):
        _say("work_began", format(time.time(), ".6f"))

    def _end(self, seconds, rounds):
        _say("work_seconds", format(seconds, ".9f"))
        if rounds > 1:
            _say("work_rounds", rounds)
        _say("work_peak_rss_kb", _status_kb("VmHWM"))

    def __enter__(self):
        self._begin()
        self._begin_timing()
        self._around = around()
        self._around.__enter__()
        self._began = time.perf_counter()

    def __exit__(self, *error):
        seconds = time.perf_counter() - self._began
        self._around.__exit__(*error)
        self._end(seconds, 1)

    def __iter__(self):
        self._begin()
        rounds, began = [], time.perf_counter()
        try:
            yield 0
            self._begin_timing()
            with around():
                while sum(rounds) < LEAST_SECONDS:
                    began = time.perf_counter()
                    yield len(rounds) + 1
                    rounds.append(time.perf_counter() - began)
        finally:
            # A round that did not end is all there is only when no other one did.
            seconds = statistics.median(rounds) if rounds else time.perf_counter() - began
            self._end(seconds, len(rounds))


def work():
    """Mark the part that is measured. Prints, in this order:
    work_rss_before_kb  resident memory as the part begins,
    work_began          the time of day as timing begins, in seconds since 1970,
    work_seconds        how long it took, an exception included,
    work_rounds         how many rounds were timed, when there were several,
    work_peak_rss_kb    highest resident memory while it ran (imports and set-up not counted).

    with ppcase.work(): runs the part once. Where the fixed script takes less than LEAST_SECONDS,
    the time of a first call would be most of it: there both scripts say for _ in ppcase.work():
    instead, and do the same in every round. The first round is not timed; others follow until they
    took LEAST_SECONDS together, one at least, and work_seconds is the median of them."""
    return _Work()


def steps(items):
    """Iterate over `items`; time the loop's body for each, and read the resident memory after it.
    The figures are printed when the loop ends (also by break), so that printing costs no step
    anything: `step_seconds` and `step_rss_kb`, one figure per step, in order."""
    seconds, resident = [], []
    try:
        for item in items:
            begin = time.perf_counter()
            yield item
            seconds.append(time.perf_counter() - begin)
            resident.append(_status_kb("VmRSS"))
    finally:
        _say("step_seconds", *(format(s, ".6f") for s in seconds))
        _say("step_rss_kb", *resident)


def ready():
    """Mark the end of getting ready: `ready SECONDS`, counted from the start of the process
    (imports included), as the kernel knows it, to its clock tick (0.01 s)."""
    with open("/proc/self/stat", encoding="utf-8") as stat:
        # The second field is the program's name in brackets, which may hold blanks.
        started = int(stat.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
    _say("ready", format(time.clock_gettime(time.CLOCK_BOOTTIME) - started, ".3f"))


def _canonical(part):
    """The same numbers give the same bytes, however wide the type is that holds them."""
    if isinstance(part, str):
        return numpy.frombuffer(part.encode("utf-8"), dtype=numpy.uint8).astype("<i8")
    array = numpy.asarray(part)
    if array.dtype.kind in "biu":
        return array.astype("<i8")
    if array.dtype.kind == "f":
        return array.astype("<f8")
    if array.dtype.kind == "c":
        return numpy.stack([array.real, array.imag], axis=-1).astype("<f8")
    raise TypeError(f"ppcase.digest takes numbers, arrays of numbers and text, not {array.dtype}")


def _signs(n):
    """n signs that have nothing to do with one another: the top bit of splitmix64."""
    z = numpy.arange(1, n + 1, dtype="<u8") * numpy.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return 1.0 - 2.0 * (z >> numpy.uint64(63)).astype("<f8")


def _summary(flat):
    """At most 32 numbers, for comparison within a tolerance: up to 32 numbers as they are; more are
    cut into 16 parts of n numbers, and each gives its root mean square r and 4 r plus the sum of the
    numbers with signs, over the root of n. A sum of errors that have nothing to do with each other
    is about as large as one of them; a single number that is wrong by r changes it by r over
    the root of n; and another order gives another sum. With 4 r it is not about zero, where no
    error is relative."""
    if flat.size <= 2 * SUMMARY_PARTS:
        return list(flat)
    values = []
    for part in numpy.array_split(flat, SUMMARY_PARTS):
        rms = numpy.sqrt(numpy.mean(numpy.square(part)))
        values += [rms, 4 * rms + numpy.dot(part, _signs(part.size)) / numpy.sqrt(part.size)]
    return values


def digest(*parts):
    """What the script computed, so that buggy and fixed can be compared. A part is a number, an
    array (or list) of numbers, or a text. Prints
    digest sha256:HEX  of types' kinds, shapes and values,
    exact sha256:HEX   the same without the values of floating point, which may differ a little,
    values NUMBER...   a summary of those."""
    arrays = [_canonical(part) for part in parts]
    every, exact = hashlib.sha256(), hashlib.sha256()
    for array in arrays:
        shape = f"{array.dtype.kind}{array.shape}".encode("ascii")
        every.update(shape + array.tobytes())
        exact.update(shape + (array.tobytes() if array.dtype.kind == "i" else b""))
    _say("digest", "sha256:" + every.hexdigest())
    _say("exact", "sha256:" + exact.hexdigest())
    flat = [array.ravel() for array in arrays if array.dtype.kind == "f"]
    _say("values", *(format(v, ".9g") for v in _summary(numpy.concatenate(flat or [[]]))))
