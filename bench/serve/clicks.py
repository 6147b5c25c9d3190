#!/usr/bin/python3
"""Times each click on the page of a study that is settled: 15,440 questions, 3,000 of them coded by two.

    clicks.py [--posts N] [--double N] [--single N] [--rounds N] [--json FILE]

Makes a database of made-up posts and decisions, with facets of all kinds, and serves a copy. Each round writes a label first,
so that nothing is answered from what was computed before it. Prints percentiles beside the target, 100 ms; exit 1 when an
answer failed. Beside each act that settles many labels at once is what SQLite alone needs to copy the same rows.
"""

import argparse
import hashlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests/lib"))
import serve  # noqa: E402

TARGET = 100  # ms, the 95th percentile
FACETS = """facet,title,about,kind,most,required,asks
relevance,,post,yes/no,,,is it about slowness?
cause,Cause,problem,multiple,3,yes,what made it slow?
place,Place,problem,codes,1,no,where?
hours,Hours lost,problem,number,,no,how long did they look?
regression,Regression,problem,yes/no,,no,was it fast before?
words,Words,problem,text,,no,the words that say so
"""
WORDS = "slow loop disk cache queue thread model batch memory wait copy index query page lock time call read write".split()


def make_study(folder):
    os.makedirs(folder, exist_ok=True)
    lines = ["facet,category,code,short_name,definition,aliases"]
    lines += [f"cause,,cause {i:02},,Give it when part {i} is slow.," for i in range(25)]
    lines += [f"place,,place {i},,," for i in range(8)]
    for name, text in (("study.ini", "name = slow\ntags = python\n"), ("keywords.txt", "slow\n"), ("facets.csv", FACETS),
                       ("codebook.csv", "\n".join(lines) + "\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def make_posts(path, n, rng):
    with open(path, "w", encoding="utf-8") as file:
        file.write("<posts>\n")
        for i in range(1, n + 1):
            text = " ".join(rng.choices(WORDS, k=120))
            file.write(f'<row Id="{i}" PostTypeId="1" CreationDate="20{10 + i % 14}-01-01T00:00:00.000" Score="1" Title="Case {i}'
                       f' is slow" Tags="&lt;python&gt;" Body="&lt;p&gt;It is slow: {text}.&lt;/p&gt;" />\n')
        file.write("</posts>\n")


def opinion(rng, of):
    """What a coder says; `of`: what the first one said, with whom they agree mostly."""
    if of is not None and rng.random() < 0.8:
        return of
    if rng.random() < 0.3:
        return {"relevance": False}
    return {"relevance": True, "cause": rng.sample([f"cause {i:02}" for i in range(25)], rng.choice((1, 1, 2))),
            "place": [f"place {rng.randrange(8)}"], "hours": [str(rng.randrange(1, 20))],
            "regression": [rng.choice(("yes", "no"))], "words": [" ".join(rng.choices(WORDS, k=4))]}


def decide(db, coder, post, said, at):
    for facet, value in said.items():
        value = json.dumps(value, separators=(",", ":"))
        key = json.dumps([coder, str(post), facet, json.loads(value), at], separators=(",", ":"))
        db.execute("INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version,"
                   " reason) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
                   (hashlib.sha256(key.encode()).hexdigest(), at, coder, str(post), post, facet, value, "it says so"))


def make_database(args):
    with open(os.path.join(ROOT, "schema.sql"), "rb") as file:
        schema = hashlib.sha256(file.read()).hexdigest()[:12]
    database = os.path.join(args.folder, f"clicks-{args.posts}-{args.double}-{args.single}-{schema}.db")
    if os.path.exists(database):
        return database
    rng = random.Random(1)
    study, posts = os.path.join(args.folder, "clicks-study"), os.path.join(args.folder, "clicks.xml")
    make_study(study)
    make_posts(posts, args.posts, rng)
    ppmine = [args.ppmine, "-q", "-d", database + ".part"]
    for words in (["init", "--study", study], ["load", posts], ["match"]):
        subprocess.run([*ppmine, *words], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(database + ".part") as db:
        db.executemany("INSERT INTO coder VALUES (?, 0)", [("ann",), ("bob",)])
        for i, post in enumerate(rng.sample(range(1, args.posts + 1), args.double + args.single)):
            said = opinion(rng, None)
            decide(db, "ann", post, said, f"2026-01-01T00:00:{i % 60:02}.{i % 1000:03}Z")
            if i < args.double:
                decide(db, "bob", post, opinion(rng, said), f"2026-01-02T00:00:{i % 60:02}.{i % 1000:03}Z")
    db.close()
    subprocess.run([*ppmine, "label", "merge", database + ".part"], check=True, stdout=subprocess.DEVNULL)
    os.rename(database + ".part", database)
    return database


def clicks(post):
    """(name, what asks for it) of one round."""
    pages = ["/code", f"/code/{post}", "/screen", "/settle", "/settle?single=ann", "/settle?names=hidden", "/overruled", "/agreement",
             "/results", "/results?by=year", "/search?words=slow", "/search?words=cache+lock&judged=yes", "/search?code=", "/codebook", "/keys",
             "/agreement/agreement.csv"]
    yield "decide", lambda s: s.api("/api/decide", {"post_id": post, "codes": {"place": [f"place {post % 8}"]}})
    for page in pages:
        yield page.replace(str(post), "ID"), lambda s, page=page: s.follow(page)
    yield "decide again", lambda s: s.api("/api/decide", {"post_id": post, "codes": {"place": [f"place {(post + 1) % 8}"]}})
    yield "/agreement again", lambda s: s.get("/agreement")
    yield "settle one", settle_one


def processor_seconds(server):
    return time.clock_gettime(~server.process.pid << 3 | 2)  # of that process, as clock_getcpuclockid says


def most_memory(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return round(int(file.read().split("VmHWM:")[1].split()[0]) / 1024)


def timed(server, ask):
    """The answer, with the seconds that it took, and those of processors, which a busy machine does not lengthen."""
    busy, began = processor_seconds(server), time.monotonic()
    answer = ask(server)
    if not hasattr(answer, "seconds"):
        answer.seconds, answer.busy = time.monotonic() - began, processor_seconds(server) - busy
    return answer


def settle_one(server):
    page = server.get("/settle").text
    subject = page.split('name="subject" value="')[1].split('"')[0]
    facet = page.split('name="facet" value="')[1].split('"')[0]
    value = page.split('name="value" value="')[1].split('"')[0]
    return timed(server, lambda s: s.form("/settle", {"subject": subject, "facet": facet, "value": value}))


def measure(server, rounds, posts, times):
    rng = random.Random(2)
    for _ in range(rounds):
        for name, ask in clicks(rng.randrange(1, posts + 1)):
            answer = timed(server, ask)
            if answer.status not in (200, 303) and not (name.startswith("decide") and answer.status == 400):
                raise SystemExit(f"bench-clicks: {name}: {answer.status} {answer.text[:300]}")
            times.setdefault(name, []).append((1000 * answer.seconds, 1000 * answer.busy))


def copy_to(path, database):
    for end in ("", "-wal", "-shm", "-screen"):
        if os.path.exists(path + end):
            os.remove(path + end)
    with sqlite3.connect(database) as old, sqlite3.connect(path) as new:
        old.backup(new)
    os.sync()


def settle_many(server, fields, database):
    """How many decisions it wrote, the processor's time, and that of SQLite for the same rows from a file beside."""
    before, after = database + ".before", database + ".after"
    copy_to(before, database)
    busy = 1000 * timed(server, lambda s: s.form("/settle", fields)).busy
    copy_to(after, database)
    db = sqlite3.connect(before, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("ATTACH ? AS after", (after,))
    began = time.process_time()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT OR IGNORE INTO coder SELECT * FROM after.coder")
    n = {}
    for table, key in (("decision", "decision_id"), ("judgement", "post_id, coder"),
                       ("label", "subject, facet, coder, place"), ("problem", "problem_id")):
        same = " AND ".join(f"b.{column} = a.{column}" for column in key.split(", "))
        whose = "coder = 'merged'" if table != "problem" else "true"
        n[table] = db.execute(f"INSERT INTO main.{table} SELECT * FROM after.{table} AS a WHERE {whose} AND NOT EXISTS"
                              f" (SELECT 1 FROM main.{table} AS b WHERE {same})").rowcount
    db.execute("COMMIT")
    bare = 1000 * (time.process_time() - began)
    db.close()
    for path in (before, after):
        for end in ("", "-wal", "-shm"):
            if os.path.exists(path + end):
                os.remove(path + end)
    return {"decisions": n["decision"], "rows": sum(n.values()), "processor_ms": round(busy), "sqlite_ms": round(bare)}


def percentile(found, share, which):
    found = sorted(each[which] for each in found)
    return found[min(len(found) - 1, int(share * len(found)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--posts", type=int, default=15_440)
    parser.add_argument("--double", type=int, default=3_000)
    parser.add_argument("--single", type=int, default=12_440, help="coded by one coder")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--ppmine", default=os.path.join(ROOT, "build/ppmine"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/bench/serve"))
    parser.add_argument("--json", help="a file for everything measured")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    os.environ["PPMINE"] = args.ppmine
    copy, times, bulk = os.path.join(args.folder, "clicks.db"), {}, {}
    copy_to(copy, make_database(args))
    with serve.Server(copy, "ann") as server:
        server.form("/settle", {"go": "open", "sure": "yes"})
        measure(server, 2, args.posts, {})
        measure(server, args.rounds, args.posts, times)
        for name, fields in (("agree on all", {"go": "agreed"}), ("take all of one", {"go": "single", "coder": "ann"})):
            bulk[name] = settle_many(server, fields, copy)
        after = {}
        measure(server, args.rounds, args.posts, after)
        memory = most_memory(server)
        times |= {f"settled: {name}": found for name, found in after.items()}
    print(f"{args.posts} posts, {args.double} coded by two, {args.single} by one; load average {os.getloadavg()[0]:.1f}"
          f" on {os.cpu_count()} processors")
    print(f"{'click':34}{'p50 ms':>9}{'p95 ms':>9}{'processor p95':>15}   target {TARGET} ms")
    for name, found in times.items():
        p95 = percentile(found, 0.95, 0)
        print(f"{name:34}{percentile(found, 0.5, 0):9.1f}{p95:9.1f}{percentile(found, 0.95, 1):15.1f}"
              f"   {'reached' if p95 <= TARGET else 'MISSED'}")
    for name, found in bulk.items():
        print(f"{name}: {found['decisions']} decisions, {found['rows']} rows: {found['processor_ms']} ms of the processor;"
              f" SQLite alone {found['sqlite_ms']} ms")
    print(f"most memory: {memory} MiB")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"posts": args.posts, "double": args.double, "single": args.single, "rounds": args.rounds,
                       "load": round(os.getloadavg()[0], 1), "processors": os.cpu_count(), "memory_mib": memory, "bulk": bulk,
                       "clicks": {name: {"p50_ms": round(percentile(found, 0.5, 0), 1), "p95_ms": round(percentile(found, 0.95, 0), 1),
                                         "processor_p95_ms": round(percentile(found, 0.95, 1), 1)}
                                  for name, found in times.items()}}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
