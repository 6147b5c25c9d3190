"""SIGINT and SIGTERM in each wait of each command: it ends within a second, with 128 and the number or by the signal,
and leaves a database that is whole, no half of a file and nothing in TMPDIR.
"""

import concurrent.futures
import glob
import os
import pty
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

import writers

MOST = float(os.environ.get("MOST", "1.3"))  # seconds; a busy machine needs the rest to notice
FAULTS, SLOWEST = [], [0.0, ""]


class Wait:
    """`line`: after ppmine -q -d p.db. What it waits for: a terminal, a pipe on its standard input, a lock that
    another one has, or what `before` made in its folder."""

    def __init__(self, name, *line, terminal=False, lock=False, before=None, busy=False, env=None):
        self.name, self.line, self.terminal, self.lock = name, line, terminal, lock
        self.before, self.busy, self.env = before, busy, env or {}


def fifo(folder):
    os.mkfifo(os.path.join(folder, "fifo"))


def tree(folder):
    text = writers.CODE + "".join(f"def f{i}(x):\n    return tf.map_fn(lambda y: y + {i}, x)\n" for i in range(300))
    for i in range(400):
        writers.write(os.path.join(folder, "code", f"m{i}.py"), text)


def slow_7z(folder):
    os.mkdir(os.path.join(folder, "bin"))
    for name in ("7z", "7zz", "7za"):
        path = os.path.join(folder, "bin", name)
        writers.write(path, "#!/bin/sh\nexec sleep 100\n")
        os.chmod(path, 0o755)
    with open(os.path.join(folder, "posts.7z"), "wb") as file:
        with open(f"{writers.ROOT}/tests/fuzz/corpus/fuzz_archive/raw-7z-lzma", "rb") as archive:
            file.write(archive.read()[1:])


def deaf_server():
    """Takes connections and says nothing."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(50)
    return listening


def waits(post, port):
    fetch = ("fetch", "--api-url", f"http://127.0.0.1:{port}/2.3", "--tag", "keras", "--from", "2018-01-02")
    note = ("label", "set", post, "--coder", "eve", "--problem", "yes")
    return [
        Wait("a FIFO", "load", "fifo", before=fifo), Wait("standard input", "load", "-"),
        Wait("standard input", "stem"), Wait("standard input", "match", "--stdin"),
        Wait("a FIFO", "match", "--keywords", "fifo", "--replace", before=fifo),
        Wait("a FIFO", "label", "import", "fifo", "--coder", "eve", before=fifo),
        Wait("standard input", "label", "import", "-", "--coder", "eve"),
        Wait("a FIFO", "agree", "--csv", "fifo", "--columns", "a,b", before=fifo), Wait("standard input", "check", "--lsp"),
        Wait("a terminal", "label", "code", "--coder", "eve", terminal=True),
        Wait("a terminal", "screen", "--coder", "eve", terminal=True),
        Wait("a lock", *note, lock=True), Wait("a lock", "match", lock=True), Wait("a lock", "load", "more.xml", lock=True),
        Wait("a lock", "label", "merge", "bob.db", lock=True),
        Wait("a lock", "screen", "--coder", "ann", "--answer", "no", post, lock=True),
        Wait("the network", *fetch), Wait("the network", *fetch[:3], "--refresh"),
        Wait("the network", "label", "model", "fake", "--api-url", f"http://127.0.0.1:{port}/v1", "--model", "small",
             "--posts", "ids.txt", "--yes"),
        Wait("requests", "serve", "--coder", "ann", "--port", "0", "--no-browser"),
        Wait("many files", "check", "--no-config", "code", before=tree, busy=True),
        Wait("a program", "load", "posts.7z", before=slow_7z),
        Wait("the command of a user", "check", "--no-config", "--try", "--same", "x", "code/fix.py", "--", "sleep", "100"),
    ]


def begin(wait, folder):
    """The process, and what keeps its standard input open."""
    env = {**os.environ, "TMPDIR": os.path.abspath(folder + "-tmp"), "PPMINE_BUSY_TIMEOUT_MS": "100000",
           "PPMINE_API_KEY": "x", **wait.env}
    if os.path.isdir(f"{folder}/bin"):
        env["PATH"] = os.path.abspath(folder + "/bin") + ":" + env["PATH"]
    if wait.terminal:
        held, end = pty.openpty()
    else:
        end, held = os.pipe()
    database = [] if wait.line[0] in ("agree", "check") else ["-d", "p.db"]
    with open(f"{folder}/said", "wb") as said:
        process = subprocess.Popen([writers.PROGRAM, "-q", *database, *wait.line], cwd=folder, stdin=end, env=env,
                                   stdout=end if wait.terminal else said, stderr=said, start_new_session=True)
    os.close(end)
    return process, held


def state(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0]


def until_it_waits(process, busy):
    asleep = 0
    for _ in range(400):
        if process.poll() is not None:
            return False
        asleep = asleep + 1 if busy or state(process.pid) == "S" else 0
        if asleep >= 6:
            return True
        time.sleep(0.05)
    return True


def try_one(job):
    number, wait, signum = job
    folder, what = f"w{number}", f"{signum.name}, {wait.name}: {' '.join(wait.line)[:50]}"
    shutil.copytree("base", folder)
    os.mkdir(f"{folder}-tmp")
    if wait.before:
        wait.before(folder)
    db = sqlite3.connect(f"{folder}/p.db", check_same_thread=False, isolation_level=None)
    if wait.lock:
        db.execute("BEGIN IMMEDIATE")
    process, held = begin(wait, folder)
    with open(f"{folder}/said", encoding="utf-8", errors="replace") as said:
        if not until_it_waits(process, wait.busy):
            FAULTS.append(f"{what}: it does not wait: {process.returncode}: {said.read()[-200:]}")
        start = time.monotonic()
        process.send_signal(signum)
        try:
            rc = process.wait(30)
        except subprocess.TimeoutExpired:
            rc = "never ends"
            process.kill()
            process.wait()
        took = time.monotonic() - start
        if rc not in (128 + signum, -signum):
            FAULTS.append(f"{what}: exit code {rc}: {said.read()[-300:]}")
    if took > SLOWEST[0]:
        SLOWEST[:] = took, what
    if took > MOST:
        FAULTS.append(f"{what}: after {took:.2f} s")
    os.close(held)
    db.close()
    try:
        writers.content(f"{folder}/p.db")
    except ValueError as e:
        FAULTS.append(f"{what}: {e}")
    left = glob.glob(f"{folder}/**/*-unfinished", recursive=True) + os.listdir(f"{folder}-tmp")
    if left:
        FAULTS.append(f"{what}: left {left}")
    shutil.rmtree(folder)


def main():
    writers.prepare()
    with deaf_server() as server:
        todo = waits(writers.WORDS["other"], server.getsockname()[1])
        jobs = [(n, *pair) for n, pair in enumerate((w, s) for w in todo for s in (signal.SIGINT, signal.SIGTERM))]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(try_one, jobs))
    print("\n".join(FAULTS[:40]))
    print(f"{len(jobs)} signals, {len(FAULTS)} faults; the slowest end took {SLOWEST[0]:.2f} s ({SLOWEST[1]})")
    sys.exit(FAULTS != [])


if __name__ == "__main__":
    main()
