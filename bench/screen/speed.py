#!/usr/bin/python3
"""Times screening on many made-up posts, with scikit-learn as the peer in the same run.

    speed.py [--posts N] [--peer-posts N] [--answers N] [--folder DIR] [--json FILE]

First ranking (posts are read, ranked and kept in a file), later starts (from that file), and how long the
next post takes after an answer that comes a second after the post was shown. scikit-learn reads a tenth of
the posts unless told otherwise: its memory grows with them. Says the load of the machine: times under
load mean little; processor time depends less on it. Keeps posts and database in the folder. Targets are
reported, never enforced.
"""

import argparse
import html
import json
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PPMINE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build/ppmine")
CODER = f"ann{int(time.time())}"  # who has no answers of an earlier run
ROW = re.compile(r' Body="([^"]*)".* Title="([^"]*)"')
# Targets, for a million posts on two processors.
FIRST_SECONDS, FIRST_MB, START_SECONDS, NEXT_MS = 60, 2000, 1, 100


def prepare(folder, posts):
    dump, database = os.path.join(folder, f"{posts}.xml"), os.path.join(folder, f"{posts}.db")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(database):
        making = database + ".part"
        subprocess.run([sys.executable, os.path.join(HERE, "make_posts.py"), str(posts), "1", dump],
                       check=True)
        for command in (["init"], ["load", dump], ["match", "--limit", "1"]):
            subprocess.run([PPMINE, "-q", "-d", making, *command], check=True,
                           stdout=subprocess.DEVNULL)
        os.rename(making, database)
    if os.path.exists(database + "-screen"):
        os.unlink(database + "-screen")
    return dump, database


def forget(*paths):
    """Takes files out of memory, as after a start of the machine."""
    for path in paths:
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measure(command):
    begun = time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.PIPE)
    said = run.stdout.read()
    used = os.wait4(run.pid, 0)[2]
    return {"wall_s": time.monotonic() - begun, "processor_s": used.ru_utime + used.ru_stime,
            "memory_mb": used.ru_maxrss / 1e3}, said


def print_times(what, times, target="", reached=None):
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"{what:34}{times['wall_s']:9.2f}{times['processor_s']:11.2f}{times['memory_mb']:9.0f}"
          f"  {target} {verdict}", flush=True)


def start(what, database, seconds, megabytes=None):
    times = measure([PPMINE, "-q", "-d", database, "screen", "--coder", CODER, "--next"])[0]
    reached = times["wall_s"] <= seconds and (not megabytes or times["memory_mb"] <= megabytes)
    within = f"{seconds} s" + (f", {megabytes} MB" if megabytes else "")
    print_times(what, times, within, reached)
    return times


def answer(database, n):
    run = subprocess.Popen([PPMINE, "-q", "-d", database, "screen", "--coder", CODER,
                            "--no-answers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)

    def shown():
        return any(line.startswith("post ") for line in iter(run.stdout.readline, ""))

    shown()
    waits = []
    for i in range(n):
        time.sleep(1)
        begun = time.monotonic()
        run.stdin.write("y\n" if i % 3 == 0 else "n\n")
        run.stdin.flush()
        shown()
        waits.append(1e3 * (time.monotonic() - begun))
    run.stdin.close()
    run.wait()
    waits.sort()
    waits = {"median_ms": statistics.median(waits), "p95_ms": waits[-(-95 * n // 100) - 1],
             "longest_ms": waits[-1]}
    print(f"next post, {n} answers: median {waits['median_ms']:.0f} ms, 95 % within"
          f" {waits['p95_ms']:.0f} ms, longest {waits['longest_ms']:.0f} ms  {NEXT_MS} ms"
          f" {'reached' if waits['longest_ms'] < NEXT_MS else 'MISSED'}", flush=True)
    return waits


def peer_rank(dump, posts):
    """In a process of its own, so that its memory is its own: reading, a first ranking, then models of
    one more answer each."""
    import numpy as np
    import peer

    with open(dump, encoding="utf-8") as file:
        rows = (ROW.search(line) for line in file)
        texts = [html.unescape(row[2] + " " + re.sub("<[^>]*>", " ", html.unescape(row[1])))
                 for row, _ in zip(filter(None, rows), range(posts))]
    begun, used = time.monotonic(), time.process_time()
    features = peer.vectorise(texts)
    waits = []
    for n in range(100, 106):
        again = time.monotonic()
        np.argmax(peer.scores(features, np.arange(n), np.arange(n) % 3 == 0))
        waits.append(1e3 * (time.monotonic() - again))
        if n == 100:
            first = {"wall_s": time.monotonic() - begun, "processor_s": time.process_time() - used}
    print(json.dumps({**first, "next_ms": statistics.median(waits)}))


def peer_times(dump, posts):
    times, said = measure([sys.executable, os.path.abspath(__file__), "--peer-rank", dump,
                           "--peer-posts", str(posts)])
    if not said:
        print(f"scikit-learn, {posts} posts: it ended without a ranking ({times['memory_mb']:.0f} MB)")
        return times
    times = {**times, **json.loads(said)}
    print_times(f"scikit-learn, {posts} posts", times)
    print(f"scikit-learn, next post: {times['next_ms']:.0f} ms (median of 6)", flush=True)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--peer-posts", type=int)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--folder", default="build/bench/screen")
    parser.add_argument("--json")
    parser.add_argument("--peer-rank", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer_rank:
        peer_rank(args.peer_rank, args.peer_posts)
        return
    dump, database = prepare(args.folder, args.posts)
    files = (database, database + "-screen")
    print(f"\n{args.posts} posts, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n\n"
          f"{'':34}{'wall, s':>9}{'processor':>11}{'MB':>9}  target")
    results = {"posts": args.posts, "load": os.getloadavg()[0], "processors": os.cpu_count()}
    results["first"] = start("first ranking", database, FIRST_SECONDS, FIRST_MB)
    results["start"] = start("start, files in memory", database, START_SECONDS)
    forget(*files)
    results["start_cold"] = start("start, files on disk", database, START_SECONDS)
    results["next"] = answer(database, args.answers)
    results["start_answers"] = start(f"start after {args.answers} answers", database, START_SECONDS)
    results["peer"] = peer_times(dump, args.peer_posts or args.posts // 10)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


main()
