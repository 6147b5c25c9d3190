"""Runs a script of a case under TensorFlow's Profiler: python -m ppprofile SCRIPT

What ppcase.work marks is profiled. Afterwards the trace that the Profiler wrote is summed up, in
lines that the runner reads, the longest time first:

    ppcase entry SECONDS COUNT NAME

NAME is a type of operation (`MatMul`), a stage of tf.data (`Iterator::Map`), what is listed in
FRAMES, or `eager execution`, the sum of all operations that ran eagerly (the Profiler's overview
gives it as a share). SECONDS is time of its own: what other entries took inside of it is theirs. As
in the Profiler's tables, time on several threads adds up, and an operation too cheap to be traced
is not there.
"""

import collections
import contextlib
import os
import re
import runpy
import sys
import tempfile

EAGER = "EagerLocalExecute: "
EAGER_SUM = "eager execution"
OPERATION = re.compile(r"[^ :]+:([A-Z_][A-Za-z0-9_]*)$")
FUNCTION = re.compile(r"_*(inference|forward|backward|wrapped)_|_*(Stateful|Stateless)?PartitionedCall$")
FRAMES = {"tf.function-graph_building"}
ENTRIES = 200


def entry_of(event):
    """The entry that an event of the trace counts for, or None; and whether it ran eagerly."""
    eager = event.startswith(EAGER)
    if eager:
        name = event[len(EAGER):]
    elif event.startswith("Iterator::"):
        return "Iterator::" + event.split("#")[0].split("::")[-1].split("[")[0], False
    elif event in FRAMES:
        return event, False
    else:
        match = OPERATION.match(event.split("#")[0])
        name = match.group(1) if match else ""
    # What calls a function is no operation: those in the function are.
    return (None, False) if name == "" or FUNCTION.match(name) else (name, eager)


def own_times(events):
    """Of one thread: (begin, duration, entry) to (entry, time of its own), in picoseconds. Events
    of a thread lie in each other or apart."""
    open_events = []  # [end, entry, time of its own]
    for begin, duration, entry in sorted(events, key=lambda e: (e[0], -e[1])):
        while open_events and open_events[-1][0] <= begin:
            yield open_events.pop()[1:]
        if open_events:
            open_events[-1][2] -= min(duration, open_events[-1][0] - begin)
        open_events.append([begin + duration, entry, duration])
    while open_events:
        yield open_events.pop()[1:]


def entries_of(planes):
    """Entries of the planes of a trace: {name: [picoseconds, count]}."""
    sums = collections.defaultdict(lambda: [0, 0])
    for plane in planes:
        entries = {number: entry_of(metadata.name)
                   for number, metadata in plane.event_metadata.items()}
        for line in plane.lines:
            events = [(e.offset_ps, e.duration_ps, entries[e.metadata_id]) for e in line.events
                      if entries.get(e.metadata_id, (None,))[0] is not None]
            for (name, eager), own in own_times(events):
                for key in [name, EAGER_SUM] if eager else [name]:
                    sums[key][0] += own
                    sums[key][1] += 1
    return sums


def planes_of(folder):
    """The planes of the trace in a folder. The place of the protocol differs with the version."""
    try:
        from tensorflow.tsl.profiler.protobuf import xplane_pb2
    except ImportError:
        from tensorflow.core.profiler.protobuf import xplane_pb2
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".xplane.pb"):
                space = xplane_pb2.XSpace()
                with open(os.path.join(where, name), "rb") as trace:
                    space.ParseFromString(trace.read())
                yield from space.planes


def say(sums):
    order = sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))
    for name, (picoseconds, count) in order[:ENTRIES]:
        sys.stdout.write(f"\nppcase entry {picoseconds / 1e12:.9f} {count} {name}\n")
    sys.stdout.flush()


def main(script):
    import ppcase

    folder = tempfile.mkdtemp()

    @contextlib.contextmanager
    def profiled():
        import tensorflow
        tensorflow.profiler.experimental.start(folder)
        try:
            yield
        finally:
            tensorflow.profiler.experimental.stop()

    ppcase.around = profiled
    sys.argv = [script]
    runpy.run_path(script, run_name="__main__")
    say(entries_of(planes_of(folder)))


if __name__ == "__main__":
    main(sys.argv[1])
