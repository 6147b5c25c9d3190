"""fetch, rebuild, init --change and bench run, killed (SIGKILL) at random moments: kills.py KILLS SEED, KILLS in all.

One to six lives end somewhere between the start of the command and a little after its usual end; nobody disturbs the last
one. After each kill
- the database is whole, and no row of people's work, no answer of a server and no result that stood before is lost;
- what was acknowledged is there: the words that a command says at its end, the requests before the last two (they are sent
  ahead), each case that bench run named with its verdict;
- a result is a whole file, or none; no process of a run goes on.
In the end the database is that of a run without any kill, nothing is left beside it, and what was kept was not asked for or
measured again.
"""

import atexit
import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request

import writers

KILLS, SEED = int(sys.argv[1]), int(sys.argv[2])
RNG = random.Random(SEED)
TMP = os.path.abspath("temporary")

POSTS = """SELECT post_id, post_type, parent_id, title, tags, score, view_count, answer_count, created_at, last_edited_at,
           last_activity_at, deleted_at, owner_user_id, owner_display_name, content_license, body_sha256 FROM post ORDER BY 1;
           SELECT comment_id, post_id, user_id, score, edited, deleted_at, body_html FROM comment ORDER BY 1;
           SELECT user_id, display_name, link FROM author ORDER BY 1; SELECT count(*) FROM revision"""
WINDOWS = "; SELECT tag, created_from, created_to, page, caught_up_at IS NULL FROM api_window; SELECT * FROM api_list"
RESULTS = "SELECT DISTINCT problem_id, verdict FROM bench_result ORDER BY 1, 2"


def rows(path, queries):
    with sqlite3.connect(path) as db:
        found = [db.execute(query).fetchall() for query in queries.split(";")]
    db.close()
    return found


def fail(what, *words):
    sys.exit(f"{what}: " + " ".join(str(w) for w in words))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Killed:
    """A command in a folder: what it makes, what of that the next life may not lose, and what else is to be so after a kill."""

    def begin(self, folder):
        pass

    def content(self, folder):
        return rows(f"{folder}/{self.database}", POSTS)

    def kept(self, folder):
        return set()

    def look(self, what, folder, before, ends):
        if lost := before - self.kept(folder):
            fail(what, "what was kept is lost:", lost)


class Fetch(Killed):
    name, database = "fetch", "empty.db"

    def begin(self, folder):
        self.since = self.log()["requests"]

    def log(self):
        with urllib.request.urlopen(writers.WORDS["api"].replace("/2.3", "/_violations")) as answer:
            return json.load(answer)

    def asked(self):
        with urllib.request.urlopen(writers.WORDS["api"].replace("/2.3", f"/_log?since={self.since}")) as answer:
            return [r["path"].removeprefix("/2.3") + "?" + r["query"] for r in json.load(answer)]

    def line(self):
        return ["fetch", "--api-url", writers.WORDS["api"], "--tag", "keras", "--from", "2018-01-02", "--to", "2020-12-31",
                "--format", "json"]

    def content(self, folder):
        return rows(f"{folder}/{self.database}", POSTS + WINDOWS)

    def kept(self, folder):
        return {row[0] for row in rows(f"{folder}/{self.database}", "SELECT request FROM api_answer")[0]}

    def look(self, what, folder, before, ends):
        super().look(what, folder, before, ends)
        asked, kept = self.asked(), self.kept(folder)
        # Who is done asks whether there is news.
        if again := {a for a in before & set(asked) if "sort=activity" not in a}:
            fail(what, "asked again, although kept:", again)
        if len(missing := [a for a in asked if a not in kept]) > 2:
            fail(what, "asked and not kept:", missing)


class Rebuild(Killed):
    name, database = "rebuild", "made.db"

    def line(self):
        return ["rebuild", "fetched.db"]

    def kept(self, folder):
        return set(self.content(folder)[0])


class Change(Killed):
    name, database = "init --change", "p.db"

    def line(self):
        return ["init", "--change", "--study", "theirs", *writers.COCODER]

    def content(self, folder):
        found = writers.content(f"{folder}/{self.database}")
        return {t: r for t, r in found.items() if t not in ("run", "sqlite_stat1", "sqlite_stat4")}

    def look(self, what, folder, before, ends):
        if (now := self.content(folder)) not in ends:
            fail(what, "half is done:", writers.difference(now, ends[1]))


class Bench(Killed):
    """Cases of half a second each."""
    name, database, cases = "bench run", "p.db", ("one", "two")

    def line(self):
        return ["bench", "run", "--anyway", "--cases", "cases", "--python", sys.executable, "--results", "results", "--runs", "1",
                "--machine", "m", "--resume", *self.cases]

    def content(self, folder):
        return [rows(f"{folder}/{self.database}", RESULTS), sorted((i, json.loads(t)["verdict"]) for i, t in self.kept(folder))]

    def kept(self, folder):
        return {(os.path.basename(path)[:-5], read(path)) for path in glob.glob(f"{folder}/results/*.json")}

    def look(self, what, folder, before, ends):
        super().look(what, folder, before, ends)
        now = [case for case, text in self.kept(folder) if json.loads(text)["problem_id"] == case]
        for line in read(f"{folder}/said").splitlines():
            case = line.removeprefix("ppmine: ").partition(":")[0]
            if case in self.cases and case not in now:
                fail(what, "said and not kept:", line)
        stored = {case for case, _ in rows(f"{folder}/{self.database}", RESULTS)[0]}
        if len(apart := stored ^ set(now)) > 1:
            fail(what, "more than the one at hand is in one of database and folder:", apart)


def running():
    """Processes of a run of ours, and workers of the killed program: told to stop, they keep what is done first."""
    found, folder = [], os.path.abspath("run")
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{path}/environ", "rb") as file:
                if f"HOME={TMP}/ppmine-bench".encode() in file.read() or os.readlink(f"{path}/cwd") == folder:
                    found.append(path)
        except OSError:
            pass
    return found


def wait_for_end(what):
    until = time.monotonic() + 30
    while (left := running()) and time.monotonic() < until:
        time.sleep(0.02)
    if left:
        fail(what, "processes go on:", left)


def written(folder, database):
    try:
        return os.path.getsize(f"{folder}/{database}-wal") > 0
    except OSError:
        return False


def begin(command, folder):
    with open(f"{folder}/said", "wb") as said, open(f"{folder}/out", "wb") as out:
        return subprocess.Popen([writers.PROGRAM, "-d", command.database, *command.line()], cwd=folder, stdout=out,
                                stderr=said, stdin=subprocess.DEVNULL)


def whole(command, folder, what):
    """An undisturbed run to the end; its seconds."""
    start = time.monotonic()
    status = begin(command, folder).wait(120)
    if status not in (0, 1) or status == 1 and command.name != "bench run": # 1: a case is not reproduced
        fail(what, f"exit code {status}:", read(f"{folder}/said")[-400:])
    return time.monotonic() - start


def copied(command, folder):
    """What a kill left, of which others look at a copy: who opens the database mends it."""
    shutil.rmtree("look", ignore_errors=True)
    shutil.copytree(folder, "look")
    try:
        writers.content(f"look/{command.database}")
    except ValueError as e:
        fail(command.name, "the database is damaged:", e)
    return "look"


def chain(command, most, seconds, ends, number):
    """Up to `most` lives that are killed, and one that is not; the number of kills."""
    shutil.rmtree("run", ignore_errors=True)
    shutil.copytree("base", "run")
    kills, what = 0, f"{command.name}, chain {number}, seed {SEED}"
    for _ in range(RNG.randint(1, most)):
        look = copied(command, "run")
        before, work = command.kept(look), writers.content(f"{look}/{command.database}")
        command.begin("run")
        late = RNG.random() < 0.5 # after its first write; else anywhere
        at = RNG.uniform(0, seconds * 0.3) if late else RNG.uniform(0.002, seconds * 1.05)
        process = begin(command, "run")
        while late and process.poll() is None and not written("run", command.database):
            pass
        try:
            process.wait(at)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        what += f", {'killed' if process.returncode == -9 else 'ended'} after {at * 1000:.0f} ms"
        wait_for_end(what)
        look = copied(command, "run")
        command.look(what, look, before, ends)
        if lost := writers.lost_rows(work, writers.content(f"{look}/{command.database}")):
            fail(what, "rows are lost of", lost)
        if command.name != "bench run" and os.path.getsize("run/out") > 0 and command.content(look) != ends[1]:
            fail(what, "it had said that it is done, and it is not")
        if process.returncode != -signal.SIGKILL:
            break
    command.begin("run")
    before = command.kept(copied(command, "run"))
    whole(command, "run", what + ", then again")
    command.look(what + ", then again", "run", before, ends[1:])
    if (now := command.content("run")) != ends[1]:
        fail(what, "then again: another database than undisturbed:", [a for a, b in zip(now, ends[1]) if a != b][:1])
    if left := writers.left_in("run") + os.listdir(TMP):
        fail(what, "left after the next run:", left)
    return kills


def try_command(command, wanted):
    times, ends = [], []
    for _ in range(3):
        shutil.rmtree("run", ignore_errors=True)
        shutil.copytree("base", "run")
        ends = [command.content("run")]
        command.begin("run")
        times.append(whole(command, "run", f"{command.name}, undisturbed"))
        ends.append(command.content("run"))
    if ends[0] == ends[1]:
        fail(command.name, "it does nothing: a weak test")
    kills = chains = 0
    while kills < wanted:
        chains += 1
        kills += chain(command, min(6, wanted - kills), sorted(times)[1], ends, chains)
        if chains > 50 + wanted * 3:
            fail(command.name, f"only {kills} kills in {chains} chains")
    print(f"{command.name}: {kills} kills, {chains} times to the end, which takes {sorted(times)[1] * 1000:.0f} ms", flush=True)


def main():
    os.mkdir(TMP)
    os.environ["TMPDIR"] = TMP
    writers.prepare()
    server = writers.start_server(2000)
    atexit.register(server.kill)
    writers.quiet(["-d", "empty.db", "init"], "base")
    with open("base/theirs/hints.csv", "a", encoding="utf-8") as file:
        file.write("symptom,program hang,\\bstuck\\b,2\n") # several files change at once
    for case in Bench.cases:
        shutil.copytree(f"{writers.CASES[1]}/near", f"base/cases/{case}")
        with open(f"base/cases/{case}/case.ini", "r+", encoding="utf-8") as file:
            text = file.read().replace("problem_id = near", f"problem_id = {case}")
            file.seek(0)
            file.write(text)
    shutil.copytree(f"{writers.CASES[1]}/../lib", "base/lib")
    for name in ("made.db", "fetched.db"):
        shutil.copy("base/empty.db", f"base/{name}")
    writers.quiet(["-d", "fetched.db", *Fetch().line()], "base")
    commands = [c for c in (Fetch(), Rebuild(), Change(), Bench()) if c.name.startswith(os.environ.get("ONLY", ""))]
    for command in commands:
        try_command(command, KILLS // len(commands))


main()
