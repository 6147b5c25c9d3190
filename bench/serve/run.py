#!/usr/bin/python3
"""Times the pages of ppmine serve under the load of many coders at once, with wrk.

    run.py [--posts N] [--candidates N] [--coders N] [--seconds N] [--json FILE]

Makes the database of bench/label once (100,000 candidates, each judged by three coders), copies it and
serves the copy. Each coder has a link of their own and does what a browser does: the next post, its page,
then a "no" or four codes, each saved. First with a pause before each request, as people have, then without
any, which shows what the server can do at most. A page for each coder before that does not count. Before the load a headless
Chromium shows posts, and says when it first painted each. Prints percentiles, the largest page and the most memory in one table
beside the targets; exit 1 when a request failed or an act is not in the file. The database and its copy stay in --folder: a second
run makes neither again.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGETS = {"next": 50, "page": 50, "save": 20}  # ms, the 95th percentile
WORDS = {"next": "next post", "page": "its page", "save": "saving"}
PAINT_TARGET, PAGE_TARGET, MEMORY_TARGET = 300, 100_000, 100  # ms, bytes, MiB
PAINTS = 20


def load_label():
    spec = importlib.util.spec_from_file_location("label_run", os.path.join(ROOT, "bench/label/run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def say(text):
    print(f"bench-serve: {text}", file=sys.stderr, flush=True)


def copy_database(source, target):
    for end in ("-wal", "-shm", "-screen"):
        if os.path.exists(target + end):
            os.remove(target + end)
    with sqlite3.connect(source) as old, sqlite3.connect(target) as new:
        old.backup(new)
    os.sync()  # else the first checkpoint waits for the whole copy


class Server:
    def __init__(self, args, database):
        team = os.path.join(args.folder, "team.txt")
        if os.path.exists(team):
            os.remove(team)
        command = [args.ppmine, "-q", "-d", database, "serve", "--coders", team]
        tokens = [subprocess.run([*command, "--invite", f"u{i:03}"], check=True, capture_output=True, text=True)
                  .stdout.strip().split("=")[1] for i in range(args.coders)]
        self.token = tokens[0]
        self.process = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.cookies = os.path.join(args.folder, "cookies.txt")
        with open(self.cookies, "w", encoding="ascii") as file:
            for token in tokens:
                with urllib.request.urlopen(f"{self.address}/launch?token={token}") as answer:
                    file.write(answer.headers["Set-Cookie"].split(";")[0] + "\n")

    def warm(self):
        """Opens each connection to the database."""
        def ask(cookie):
            request = urllib.request.Request(f"{self.address}/code", headers={"Cookie": cookie})
            with urllib.request.urlopen(request) as answer:
                return answer.status
        with open(self.cookies, encoding="ascii") as file, ThreadPoolExecutor(32) as pool:
            assert set(pool.map(ask, file.read().split())) == {200}

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1]) / 1024

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def first_paints(server):
    """Milliseconds to the first paint of posts, and the bytes of their pages, as the browser says; None without one."""
    sys.path.insert(0, os.path.join(ROOT, "tests/lib"))
    import webdriver  # pylint: disable=import-outside-toplevel
    if not webdriver.is_there():
        say("there is no chromium with chromedriver: the first paint is not measured")
        return None
    times, sizes = [], []
    with webdriver.Browser() as browser:
        browser.go(f"{server.address}/launch?token={server.token}")
        browser.wait("return document.body.dataset.ready")
        for _ in range(PAINTS):
            before = browser.script("return location.pathname")
            browser.press("l")  # the next post, as a coder gets it
            browser.wait("return location.pathname !== arguments[0] && document.body.dataset.ready", before)
            paint, size = browser.wait("const [page] = performance.getEntriesByType('navigation'), paint ="
                                       " performance.getEntriesByName('first-contentful-paint');"
                                       " return paint.length > 0 && [paint[0].startTime, page.transferSize]")
            times.append(paint)
            sizes.append(size)
    return {"n": len(times), "p50_ms": percentile(sorted(times), 0.5), "p95_ms": percentile(sorted(times), 0.95),
            "largest_bytes": max(sizes)}


def percentile(times, share):
    return times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def measure(args, server, pause, seconds):
    busy = server.processor_seconds()
    done = subprocess.run(["wrk", "-t", str(args.coders), "-c", str(args.coders), "-d", f"{seconds}s",
                           "--timeout", "20s", "-s", os.path.join(HERE, "load.lua"), server.address, "--",
                           server.cookies, str(pause), server.address],
                          capture_output=True, text=True, check=False)
    lines = dict(re.findall(r"^(next|page|save|faults|largest) ?(.*)$", done.stdout, re.M))
    if done.returncode != 0 or "largest" not in lines:
        raise SystemExit(f"wrk: {done.stdout}{done.stderr}")
    if not lines["faults"].startswith("0 "):
        raise SystemExit(f"requests failed: {lines['faults']}")
    result = {"pause_ms": pause, "load_average": os.getloadavg()[0], "largest_bytes": int(lines["largest"])}
    for name in TARGETS:
        times = sorted(float(t) for t in lines[name].split())
        result[name] = {"n": len(times), **{f"p{int(100 * share)}": percentile(times, share)
                                            for share in (0.5, 0.95, 0.99)}}
    n = sum(result[name]["n"] for name in TARGETS)
    result["processor_ms"] = (server.processor_seconds() - busy) * 1000 / max(n, 1)
    return result


def report(args, result):
    words = f"{result['pause_ms']} ms before each request" if result["pause_ms"] else "no pause"
    print(f"\n{args.coders} coders, {words}; load average {result['load_average']:.1f}"
          f" on {os.cpu_count()} processors")
    print(f"{'':12}{'answers':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}   target of p95")
    for name, target in TARGETS.items():
        r = result[name]
        print(f"{WORDS[name]:12}{r['n']:9}{r['p50']:9.1f}{r['p95']:9.1f}{r['p99']:9.1f}   < {target} ms")
    print(f"processor time {result['processor_ms']:.2f} ms for each answer")


def summary(results):
    """One line for each target: what was measured with pauses, as people make them."""
    run, paint = results["runs"][0], results["paint"]
    rows = [(f"{WORDS[name]}, p95", run[name]["p95"], target, "ms") for name, target in TARGETS.items()]
    if paint is not None:
        rows += [("first paint, p95", paint["p95_ms"], PAINT_TARGET, "ms"),
                 ("page in the browser", paint["largest_bytes"] / 1000, PAGE_TARGET / 1000, "kB")]
    rows += [("largest page", max(r["largest_bytes"] for r in results["runs"]) / 1000, PAGE_TARGET / 1000, "kB"),
             ("most memory", results["memory_mib"], MEMORY_TARGET, "MiB"),
             ("confirmed, not in the file", max(0, results["saved"] - results["kept"]), 1, "acts")]
    print(f"\n{results['posts']} posts, {results['candidates']} candidates, {results['coders']} coders;"
          f" load average {run['load_average']:.1f} on {os.cpu_count()} processors")
    print(f"{'target':28}{'measured':>10}{'below':>8}")
    for name, value, target, unit in rows:
        print(f"{name:28}{value:10.1f}{target:8} {unit:5}{'reached' if value < target else 'MISSED'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--problems", type=int, default=60_000)
    parser.add_argument("--coders", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--pause", type=int, default=200, help="ms before each request")
    parser.add_argument("--ppmine", default=os.path.join(ROOT, "build/ppmine"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/bench/serve"))
    parser.add_argument("--json", help="a file for everything measured")
    args = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("bench-serve: there is no wrk; scripts/deps build bench installs it")
    os.makedirs(args.folder, exist_ok=True)
    label = argparse.Namespace(**{**vars(args), "folder": os.path.join(os.path.dirname(args.folder), "label")})
    database, _ = load_label().make_database(label)
    copy = os.path.join(args.folder, "serve.db")
    say("copying the database")
    copy_database(database, copy)
    server = Server(args, copy)
    results = {"posts": args.posts, "candidates": args.candidates, "coders": args.coders, "runs": []}
    try:
        server.warm()
        results["paint"] = first_paints(server)
        for pause in (args.pause, 0):
            results["runs"].append(measure(args, server, pause, args.seconds))
            report(args, results["runs"][-1])
        results["memory_mib"] = server.memory()
    finally:
        server.stop()
    saved = sum(run["save"]["n"] for run in results["runs"])
    with sqlite3.connect(copy) as db:
        # The judgement that a code implies is none that was sent.
        kept = db.execute("SELECT count(*) FROM decision WHERE coder LIKE 'u%' AND value <> 'true'").fetchone()[0]
    if not saved <= kept <= saved + 3 * args.coders:  # a run ends amid requests
        raise SystemExit(f"{saved} acts were confirmed, {kept} are in the file")
    results["saved"], results["kept"] = saved, kept
    summary(results)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
