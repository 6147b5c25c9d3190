"""Power cuts in every command that writes: power_cut.py CUTS [SEED [COMMAND]]

Records each command once (disk.py), and judges what a disk may have after a cut at CUTS places of all
together, chosen by SEED; CUTS 0: a few commands, for seconds. After each cut
- the database is whole, and what it contains is that of before the command or of after it; where it commits
  in parts, no work of people is lost;
- the files are the old or the new ones;
- what the command had told by then (its end with 0, an answer) is there, if only what was synced is;
- the command runs again, and then nothing is left over.
At the end, syncs are taken away, kind by kind; the judgement has to be another one.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import disk
import writers
from serve import Server

CUTS, SEED = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
ONLY = sys.argv[3] if len(sys.argv) > 3 else None
FEW = ("init", "load", "serve", "label set", "export", "check", "label merge", "bench checkout")
RNG = random.Random(SEED)
FAULTS = []
COUNT = {"commands": 0, "cuts": 0, "starts": 0}


def content_of(tree, database):
    """Of a database and its log, in a folder of its own."""
    if database is None or database not in tree:
        return None
    shutil.rmtree("look", ignore_errors=True)
    disk.lay({n: c for n, c in tree.items() if n.startswith(database)}, "look")
    return writers.content(os.path.join("look", database))


class Judge:
    """What one recorded command may leave."""

    def __init__(self, command, recording, status):
        self.command, self.recording, self.status = command, recording, status
        self.end = len(recording.events)
        self.old = disk.State(recording, 0, "killed").tree()
        self.new = disk.State(recording, self.end, "killed").tree()
        self.before = content_of(self.old, command.database)
        self.after = content_of(self.new, command.database)

    def faults(self, tree, told):
        """Words about what is wrong in `tree`; `told`: the command had ended with 0."""
        try:
            now = content_of(tree, self.command.database)
        except ValueError as e:
            return [f"the database is damaged: {e}"]
        found = []
        if told and now != self.after:
            found.append(f"acknowledged, and lost: {writers.difference(now, self.after)}")
        elif self.command.parts:
            found += [f"{t}: rows of before are lost" for t in writers.lost_rows(self.before, now)]
        elif now not in (self.before, self.after):
            found.append(f"neither as before nor as after: {writers.difference(now, self.after)}")
        for name in self.command.files:
            found += self.file_faults(name, tree.get(name), self.old.get(name), self.new.get(name), told)
        return found

    def file_faults(self, name, now, old, new, told):
        if name.endswith(("-unfinished", "/.run-lock")): # who runs is no result
            return []
        whole = self.command.files and name in ("study", "package")
        if isinstance(now, dict) and isinstance(new, dict) and not whole:
            both = sorted({**now, **new})
            before = old if isinstance(old, dict) else {}
            return [fault for n in both
                    for fault in self.file_faults(f"{name}/{n}", now.get(n), before.get(n), new.get(n), told)
                    if not n.endswith("-unfinished")]
        if told and now != new:
            return [f"{name}: acknowledged, and {'lost' if now is None or now == old else 'not whole'}"]
        if now is None and (old is None or isinstance(new, dict)):
            return []
        if now == {} and isinstance(new, dict) and not whole:
            return []
        return [] if now in (old, new) else [f"{name}: neither the old nor the new one"]

    def start_again(self, tree):
        """Words about the next start; what it leaves."""
        COUNT["starts"] += 1
        shutil.rmtree("again", ignore_errors=True)
        disk.lay(tree, "again")
        command = self.command
        line = command.arguments() if command.name != "serve" else \
            [writers.PROGRAM, "-q", "-d", "p.db", "label", "set", writers.WORDS["post"], "--coder", "ann", "--problem",
             "no"]
        done = subprocess.run(line, cwd="again", input=command.stdin, capture_output=True, check=False, timeout=600)
        same = tree == self.old
        if done.returncode not in ((0, self.status) if same else range(7)):
            return [f"the next start: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"]
        if left := writers.left_in("again"):
            return [f"left after the next start: {', '.join(left)}"]
        try:
            writers.content(os.path.join("again", command.database or "p.db"))
        except ValueError as e:
            return [f"the next start damaged the database: {e}"]
        return []

    def answer_faults(self, n):
        """At an answer, what was synced is what a kill would leave."""
        states = [content_of(disk.State(self.recording, n, way).tree(), self.command.database)
                  for way in ("synced", "killed")]
        return [] if states[0] == states[1] else [f"answered, and lost: {writers.difference(*states)}"]

    def cut(self, n, way, seed, without=None):
        tree = disk.State(self.recording, n, way, random.Random(seed), without).tree()
        return tree, self.faults(tree, told=n == self.end and self.status in (0, 1))


def serve(command, log):
    """A session of requests; the recording of it."""
    before = disk.snapshot("run")
    here = os.getcwd()
    with open("traced", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nexec " + " ".join(f"'{a}'" for a in disk.strace(log)) + f" -- '{writers.PROGRAM}' \"$@\"\n")
    os.chmod("traced", 0o755)
    os.environ["PPMINE"] = here + "/traced"
    os.chdir("run")
    try:
        server = Server("p.db", "ann")
    finally:
        os.chdir(here)
        os.environ["PPMINE"] = writers.PPMINE
    for i, post in enumerate((writers.WORDS["post"], writers.WORDS["third"]) * 3):
        body = {"post_id": int(post), "note": f"note {i}"} if i % 2 else {"post_id": int(post), "is_problem": i % 4 == 0}
        answer = server.api("/api/decide", body)
        assert answer.status == 200, answer.text
    with open(log, encoding="ascii", errors="replace") as file:
        os.kill(int(file.readline().split()[0]), signal.SIGTERM)
    server.process.wait(60)
    server.process.stdout.close()
    return disk.recording_of(log, "run", before)


# Has a database open until its standard input ends. A process of its own: this one opens the file to read its
# bytes, and closing it gives up the locks of SQLite.
OTHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("SELECT count(*) FROM post").fetchone()
print(flush=True)
sys.stdin.read()
"""


def recorded(command, shared=False):
    """The Judge of one run. `shared`: another process has the database open, so that the log stays."""
    writers.fresh(command, "run")
    log = os.path.abspath("log")
    if command.name == "serve":
        return Judge(command, serve(command, log), 0)
    other = None
    if shared:
        other = subprocess.Popen([sys.executable, "-c", OTHER, os.path.join("run", command.database)],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        other.stdout.readline()
    recording, done = disk.record(command.arguments(), "run", log, command.stdin)
    if other is not None:
        other.communicate()
    if done.returncode not in (0, 1):
        raise disk.Unknown(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}")
    return Judge(command, recording, done.returncode)


def report(command, where, found):
    FAULTS.extend(f"{command.title()}: {where}: {fault}" for fault in found)


def look_at(command, cuts):
    try:
        judge = recorded(command)
    except disk.Unknown as first:
        # strace may print what two threads did at once in another order: one recording of a hundred, seen of serve.
        print(f"{command.title()}: recorded again, since {first}")
        try:
            judge = recorded(command)
        except disk.Unknown as e:
            report(command, "recorded", [str(e)])
            return
    COUNT["commands"] += 1
    if judge.new == judge.old or judge.end < 3:
        report(command, "recorded", ["it writes nothing: a weak test"])
        return
    _, found = judge.cut(judge.end, "synced", 0)
    COUNT["cuts"] += 1
    report(command, "after its end", found)
    for _ in range(cuts):
        n, seed = RNG.randrange(1, judge.end + 1), RNG.randrange(1 << 30)
        way = RNG.choice(("synced", "random", "random"))
        tree, found = judge.cut(n, way, seed)
        COUNT["cuts"] += 1
        report(command, f"event {n} of {judge.end}, {way}, seed {seed}", found or judge.start_again(tree))
    if command.answers:
        said = [n + 1 for n, event in enumerate(judge.recording.events) if event[0] == "said"]
        if not said:
            report(command, "recorded", ["it answers nothing: a weak test"])
        for n in RNG.sample(said, min(len(said), 4 + cuts)):
            COUNT["cuts"] += 1
            report(command, f"event {n} of {judge.end}, an answer", judge.answer_faults(n))


def look_at_shared(command):
    """Where somebody else has the database open, too: its end tells the same."""
    try:
        judge = recorded(command, shared=True)
    except disk.Unknown as e:
        report(command, "recorded with others", [str(e)])
        return
    _, found = judge.cut(judge.end, "synced", 0)
    COUNT["cuts"] += 1
    report(command, "after its end, with others", found)


# --- that the judgement sees what it has to ---


def named(recording, number):
    return recording.named.get(number, "")


MUTATIONS = {
    "of folders": lambda event, r: r.kinds[event[1]][0] == "folder",
    "of files": lambda event, r: r.kinds[event[1]][0] == "file",
    "of unfinished files": lambda event, r: r.kinds[event[1]][0] == "file" and "unfinished" in named(r, event[1]),
    "of the log": lambda event, r: named(r, event[1]).endswith("-wal"),
}
# Command, what follows, the syncs, whether a database is shared.
MUTANTS = [
    ("export", "--table", "of folders", False),
    ("export", "--table", "of unfinished files", False),
    ("export", "--package", "of folders", False),
    ("export", "--package", "of files", False),
    ("init", None, "of folders", False),
    ("init", None, "of files", False),
    ("label set", None, "of files", False),
    ("label set", None, "of the log", True),
    ("bench checkout", None, "of unfinished files", False),
    ("serve", None, "of the log", False),
]


def check_mutants(commands):
    for name, option, which, shared in MUTANTS:
        for command in [c for c in commands if c.name == name and (option is None or option in c.line)][:1]:
            judge = recorded(command, shared)
            without = MUTATIONS[which]
            if not any(e[0] == "sync" and without(e, judge.recording) for e in judge.recording.events):
                report(command, f"without syncs {which}", ["there are none: nothing was tried"])
                continue
            if command.answers:
                last = max(n + 1 for n, event in enumerate(judge.recording.events) if event[0] == "said")
                synced = content_of(disk.State(judge.recording, last, "synced", without=without).tree(), "p.db")
                caught = synced != content_of(disk.State(judge.recording, last, "killed").tree(), "p.db")
            else:
                caught = judge.cut(judge.end, "synced", 0, without)[1]
            if not caught:
                report(command, f"without syncs {which}", ["the judgement is the same: a weak test"])


def check_reading():
    """What is said to write nothing leaves each byte as it was."""
    for command in [writers.filled(c) for c in writers.READING]:
        writers.fresh(command, "run")
        before = disk.snapshot("run")
        done = subprocess.run(command.arguments(), cwd="run", input=command.stdin, capture_output=True, check=False,
                              timeout=600)
        if done.returncode not in (0, 1):
            report(command, "run", [f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"])
        if disk.snapshot("run") != before:
            report(command, "run", [f"it writes: {disk.differences(before, disk.snapshot('run'))}"])


def main():
    writers.must_be_complete()
    server = writers.start_server()
    try:
        writers.prepare()
        commands = [writers.filled(c) for c in writers.WRITING
                    if ONLY is None or c.title().startswith(ONLY)]
        if CUTS == 0:
            commands = [c for c in commands if c.name in FEW]
        commands = [c for c in commands if CUTS > 0 or not c.slow]
        each = -(-CUTS // len(commands)) if CUTS else 1
        for command in commands:
            look_at(command, each)
        for command in [c for c in commands if c.database == "p.db" and not c.parts]:
            if CUTS or command.name == "label set":
                look_at_shared(command)
        if ONLY is None:
            check_mutants(commands)
            if CUTS:
                check_reading()
    finally:
        server.terminate()
        server.wait()
    print("\n".join(FAULTS[:40]))
    print(f"{COUNT['commands']} commands, {COUNT['cuts']} cuts, {COUNT['starts']} starts after one, "
          f"{len(FAULTS)} faults; seed {SEED}")
    sys.exit(1 if FAULTS else 0)


main()
