#!/usr/bin/python3
"""Times screening on many made-up posts, beside scikit-learn on a tenth of them.

    speed.py [--posts N] [--folder DIR]

First ranking (posts are read, ranked and kept in a file), second start (from that file), and how long the
next post takes after an answer that comes a second after the post was shown. Says the load of the machine:
times under load mean little. Keeps posts and database in the folder.
"""

import argparse
import html
import os
import re
import subprocess
import sys
import time

import numpy as np

import peer

HERE = os.path.dirname(os.path.abspath(__file__))
PPMINE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build/ppmine")
ANSWERS = 40
ROW = re.compile(r' Body="([^"]*)".* Title="([^"]*)"')


def prepare(folder, posts):
    dump, database = os.path.join(folder, f"{posts}.xml"), os.path.join(folder, f"{posts}.db")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(database):
        subprocess.run([sys.executable, os.path.join(HERE, "make_posts.py"), str(posts), "1", dump],
                       check=True)
        for command in (["init"], ["load", dump], ["match", "--limit", "1"]):
            subprocess.run([PPMINE, "-q", "-d", database, *command], check=True,
                           stdout=subprocess.DEVNULL)
    if os.path.exists(database + "-screen"):
        os.unlink(database + "-screen")
    return dump, database


def start(what, database):
    begun = time.monotonic()
    run = subprocess.Popen([PPMINE, "-q", "-d", database, "screen", "--coder", "ann", "--next"],
                           stdout=subprocess.DEVNULL)
    used = os.wait4(run.pid, 0)[2]
    print(f"{what:14} {time.monotonic() - begun:7.2f} s, {used.ru_utime + used.ru_stime:7.2f} s of"
          f" processors, {used.ru_maxrss / 1e3:.0f} MB", flush=True)


def answer(database):
    run = subprocess.Popen([PPMINE, "-q", "-d", database, "screen", "--coder", "ann",
                            "--no-answers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)

    def shown():
        return any(line.startswith("post ") for line in iter(run.stdout.readline, ""))

    shown()
    waits = []
    for i in range(ANSWERS):
        time.sleep(1)
        begun = time.monotonic()
        run.stdin.write("y\n" if i % 3 == 0 else "n\n")
        run.stdin.flush()
        shown()
        waits.append(time.monotonic() - begun)
    run.stdin.close()
    run.wait()
    waits.sort()
    print(f"next post      {1e3 * waits[ANSWERS // 2]:.0f} ms (median), {1e3 * waits[-1]:.0f} ms"
          " (longest)", flush=True)


def scikit_learn(dump, posts):
    with open(dump, encoding="utf-8") as file:
        rows = (ROW.search(line) for line in file)
        texts = [html.unescape(row[2] + " " + re.sub("<[^>]*>", " ", html.unescape(row[1])))
                 for row, _ in zip(filter(None, rows), range(posts))]
    begun = time.monotonic()
    features = peer.vectorise(texts)
    peer.scores(features, np.arange(100), np.arange(100) % 3 == 0)
    print(f"scikit-learn   {time.monotonic() - begun:7.2f} s for a first ranking of {posts} posts",
          flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--folder", default="build/bench/screen")
    args = parser.parse_args()
    dump, database = prepare(args.folder, args.posts)
    print(f"\n{args.posts} posts, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    start("first ranking", database)
    start("second start", database)
    answer(database)
    scikit_learn(dump, args.posts // 10)


main()
