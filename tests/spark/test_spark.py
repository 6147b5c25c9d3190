"""ppmine-spark gives what one machine gives, or fails with a word: run by `make test-spark`.

    test_spark.py PROGRAM [NAME...]

One session of Spark on two threads serves all tests but those that need a cluster of two workers.
What one machine gives is `ppmine match --stdin`, sorted.
"""

import bz2
import contextlib
import glob
import gzip
import hashlib
import io
import json
import lzma
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "scripts", "spark"), os.path.join(ROOT, "bench", "spark")]
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else shutil.which("ppmine")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]

import cluster  # noqa: E402
from ppmine_spark.__main__ import main as ppmine_spark  # noqa: E402

SETTINGS = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2",
            "spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
SAMPLE = os.path.join(ROOT, "studies", "dlperf", "sample", "Posts.xml")


def sha256_of_lines(data):
    return hashlib.sha256(b"".join(sorted(data.splitlines(True)))).hexdigest()


def one_machine(path, *arguments):
    with open(path, "rb") as posts:
        return subprocess.run([PROGRAM, "-q", "match", "--stdin", *arguments], stdin=posts,
                              stdout=subprocess.PIPE, check=True).stdout


def read_folder(folder):
    data = b""
    for path in sorted(glob.glob(os.path.join(folder, "part-*"))):
        with open(path, "rb") as file:
            data += file.read()
    return data


def bgzf(data):
    """As bgzip writes it: members of at most 64 KiB, an empty one at the end."""
    members = b""
    for at in [*range(0, len(data), 65280), len(data)]:
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        text = data[at:at + 65280] if at < len(data) else b""
        packed = packer.compress(text) + packer.flush()
        head = struct.pack("<4BI2BH2BHH", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(packed) + 25)
        members += head + packed + struct.pack("<II", zlib.crc32(text), len(text))
    return members


def zstd_frames(data, size):
    return b"".join(subprocess.run(["zstd", "-qc"], input=data[at:at + size],
                                   stdout=subprocess.PIPE, check=True).stdout
                    for at in range(0, len(data), size))


class OnSpark(unittest.TestCase):
    """Files, a session, and how to run a job."""

    shipped = None

    @classmethod
    def setUpClass(cls):
        from pyspark.sql import SparkSession
        from ppmine_spark.job import Shipped
        cls.folder = tempfile.mkdtemp(prefix="test-spark-")
        builder = SparkSession.builder.appName("test").master("local[2]")
        for key, value in SETTINGS.items():
            builder = builder.config(key, value)
        cls.shipped = Shipped(builder.getOrCreate())
        cls.dump = cls.make_dump("dump.xml", 12)

    @classmethod
    def tearDownClass(cls):
        cls.shipped.spark.stop()
        shutil.rmtree(cls.folder)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, data):
        with open(cls.path(name), "wb") as file:
            file.write(data)
        return cls.path(name)

    @classmethod
    def make_dump(cls, name, mb, long_row_mb=0):
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "spark", "make_dump.py"),
                        "--mb", str(mb), "--long-row-mb", str(long_row_mb), cls.path(name), SAMPLE,
                        os.path.join(ROOT, "tests", "data", "posts.xml")], check=True)
        return cls.path(name)

    def run_job(self, *arguments, program=PROGRAM, uri=False, command="match"):
        """(exit code, what was said, the folder)"""
        out = tempfile.mktemp(prefix="out-", dir=self.folder)
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = ppmine_spark([command, "--program", program, "-o",
                                 "file://" + out if uri else out, *arguments], self.shipped)
        return code, said.getvalue(), out

    def job(self, *arguments, **how):
        code, said, out = self.run_job(*arguments, **how)
        self.assertEqual(code, 0, said)
        return out

    def same(self, found, expected, what=None):
        self.assertGreater(len(expected), 0, what)
        self.assertEqual(sha256_of_lines(found), sha256_of_lines(expected), what)

    def fails(self, word, *arguments, **how):
        code, said, out = self.run_job(*arguments, **how)
        self.assertEqual(code, 3, said)
        self.assertIn(word, said)
        self.assertEqual(glob.glob(out + "*"), [], "a job that failed left something")


class Equality(OnSpark):
    """What one machine finds."""

    def test_all_ways(self):
        expected = one_machine(self.dump)
        for way in ("rdd", "pipe", "arrow"):
            out = self.job("--way", way, "--piece-mb", "1", self.dump)
            self.same(read_folder(out), expected, way)
            # Where executors cannot write files that the driver sees, Spark carries the lines.
            out = self.job("--way", way, "--piece-mb", "2", self.dump, uri=True)
            self.same(read_folder(out), expected, way + " through Spark")

    def test_real_dumps(self):
        paths = sorted(glob.glob(os.path.join(os.environ.get("PPMINE_DUMPS", "/nowhere"), "*",
                                              "Posts.xml")))
        paths = [path for path in paths
                 if "not-a-dump" not in path and os.path.getsize(path) > 0]
        if not paths:
            self.skipTest("no real dumps in $PPMINE_DUMPS")
        for path in paths:
            out = self.job("--piece-mb", "1", path)
            self.assertEqual(sha256_of_lines(read_folder(out)), sha256_of_lines(one_machine(path)),
                             path)
        out = self.job("--piece-mb", "1", *paths)
        self.same(read_folder(out), b"".join(one_machine(path) for path in paths))

    def test_compressed(self):
        with open(self.dump, "rb") as file:
            data = file.read()
        expected = one_machine(self.dump)
        packed = {
            "bz2": bz2.compress(data, 1), "zst": zstd_frames(data, 700_001), "bgz": bgzf(data),
            "gz": gzip.compress(data, 1), "xz": lzma.compress(data, preset=0),
        }
        paths = []
        for name, content in packed.items():
            paths.append(self.write("dump." + name, content))
        out = self.job("--piece-mb", "1", *paths)
        self.same(read_folder(out), expected * len(paths))

    def test_ndjson_and_threads(self):
        posts = self.write("posts.ndjson", one_machine(self.dump, "--posts"))
        self.same(read_folder(self.job("--piece-mb", "1", posts)), one_machine(posts))
        # Whole threads of the candidates, in a second pass, for load --ndjson.
        with open(posts, "rb") as file:
            found = [json.loads(line) for line in file]
        ids = {post.get("parent_id") or post["post_id"] for post in found}
        of = self.write("ids", "".join(f"{n}\n" for n in sorted(ids)[:200]).encode())
        arguments = ("--posts", "--of", of)
        out = self.job("--piece-mb", "1", *arguments, self.dump)
        self.same(read_folder(out), one_machine(self.dump, *arguments))
        merged = self.write("threads.ndjson", read_folder(out))
        database = self.path("threads.db")
        subprocess.run([PROGRAM, "-q", "-d", database, "init"], check=True)
        subprocess.run([PROGRAM, "-q", "-d", database, "load", "--ndjson", "--all-tags", "--strict",
                        merged], check=True)

    def test_study_keywords_and_site(self):
        study = self.path("study")
        shutil.copytree(os.path.join(ROOT, "studies", "dlperf"), study)
        with open(os.path.join(study, "keywords.txt"), "w", encoding="utf-8") as file:
            file.write("train\nlearn rate\n")
        out = self.job("--study", study, "--site", "example.org", "--piece-mb", "4", self.dump)
        expected = one_machine(self.dump, "--study", study, "--site", "example.org")
        self.same(read_folder(out), expected)
        words = self.write("words.txt", b"layer\n")
        out = self.job("--keywords", words, "--piece-mb", "4", self.dump)
        self.same(read_folder(out), one_machine(self.dump, "--keywords", words))

    def test_parquet(self):
        import pyarrow.parquet as pq
        out = self.job("--to", "parquet", "--piece-mb", "2", self.dump)
        posts = [json.loads(line) for line in one_machine(self.dump, "--posts").splitlines()]
        found = {row["post_id"]: row for row in pq.read_table(out + "/post").to_pylist()}
        self.assertEqual(len(found), len(posts))
        for post in posts:
            row = found[post["post_id"]]
            for name in row:
                self.assertEqual(row[name], post.get(name), (post["post_id"], name))
        hits = sorted((post["post_id"], hit["field"], hit["start"], hit["end"], hit["keyword"])
                      for post in posts for hit in post["hits"])
        rows = pq.read_table(out + "/hit").to_pylist()
        self.assertEqual(sorted((row["post_id"], row["field"], row["start"], row["end"],
                                 row["keyword"]) for row in rows), hits)
        candidates = {row["post_id"]: row for row in pq.read_table(out + "/candidate").to_pylist()}
        for post in posts:
            row = candidates.pop(post["post_id"])
            self.assertEqual(row["n_hits"], len(post["hits"]))
            self.assertEqual(row["keywords"],
                             ", ".join(sorted({hit["keyword"] for hit in post["hits"]})))
        self.assertEqual(candidates, {})
        counted = {row["keyword"]: (row["posts"], row["hits"])
                   for row in pq.read_table(out + "/keyword").to_pylist()}
        for keyword, (n_posts, n_hits) in counted.items():
            self.assertEqual(n_posts, len({hit[0] for hit in hits if hit[4] == keyword}))
            self.assertEqual(n_hits, len([hit for hit in hits if hit[4] == keyword]))
        # And back in: Parquet as input.
        again = self.job("--input", "parquet", out + "/post")
        plain = self.write("plain.ndjson", one_machine(self.dump, "--posts"))
        self.same(read_folder(again), one_machine(plain))

    def test_row_of_100_mb(self):
        dump = self.make_dump("long.xml", 30, 100)
        code, said, out = self.run_job("--piece-mb", "8", dump)
        self.assertEqual(code, 0, said)
        self.same(read_folder(out), one_machine(dump))
        self.assertIn("left out", said)

    def test_any_cut(self):
        """Every way to cut a small file gives the same records."""
        from ppmine_spark import pieces, worker
        with open(os.path.join(ROOT, "tests", "data", "posts.xml"), "rb") as file:
            rows = file.read()
        lines = b"".join(b'{"post_id": %d, "title": "slower %s"}\n' % (n, b"x" * (n % 9))
                         for n in range(1, 60)).rstrip(b"\n")
        seed = random.Random(7)
        for name, data in (("cut.xml", rows), ("cut.ndjson", lines)):
            path = self.write(name, data)
            expected, size = one_machine(path), len(data)
            kind = pieces.plan_file(path, io.BytesIO(data), size, size)[0]
            for _ in range(12):
                cuts = [0, *sorted(seed.sample(range(1, size), 5)), size]
                found, n_bytes = b"", 0
                for start, end in zip(cuts, cuts[1:]):
                    counts = []
                    task = {"piece": dict(kind, start=start, end=end), "number": 0, "files": "",
                            "program": PROGRAM, "arguments": ["match", "--stdin"], "study": None}
                    found += b"".join(worker.records(task, counts.append))
                    n_bytes += counts[0]["bytes"]
                self.same(found, expected, (name, cuts))
                self.assertEqual(n_bytes, size, (name, cuts))


def similar_posts(n, seed):
    """Questions of which many were asked again with a few words changed, and answers, as NDJSON."""
    words = ["".join(seed.choice("abcdefghiklmnoprstu") for _ in range(seed.randint(2, 9)))
             for _ in range(4000)]
    lines = []

    def add(text):
        half, post_id = len(text) // 6, len(lines) + 1
        post = {"post_id": post_id, "post_type": "question", "title": " ".join(text[:half]),
                "body_html": "<p>" + " ".join(text[half:]) + "</p><pre>" + text[0] + "</pre>",
                "tags": ["keras", seed.choice(words)], "created_at": "2019-01-01T00:00:00Z"}
        if post_id % 5 == 0:
            post.update(post_type="answer", parent_id=post_id - 1)
            del post["tags"], post["title"]
        lines.append(json.dumps(post))

    while len(lines) < n:
        text = [seed.choice(words) for _ in range(seed.randint(6, 200))]
        for changed in range(seed.choice((1, 1, 4, 12))):
            copy = list(text)
            for _ in range(changed // 2):
                copy[seed.randrange(len(copy))] = seed.choice(words)
            add(copy)
    seed.shuffle(lines)
    return "".join(line + "\n" for line in lines).encode()


class Counting(OnSpark):
    """Numbers that need all posts, against the command that has them in one database."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.posts = cls.write("similar.ndjson", similar_posts(4000, random.Random(5)))
        cls.problems = cls.write("problems", b"".join(b"%d\n" % n for n in range(1, 4000, 7)))
        cls.others = cls.write("others", b"".join(b"%d\n" % n for n in range(2, 4000, 3)))
        cls.database = cls.path("counting.db")
        cls.one("init")
        cls.one("load", "--ndjson", "--all-tags", cls.posts)

    @classmethod
    def one(cls, *arguments, **how):
        return subprocess.run([PROGRAM, "-q", "-d", cls.database, *arguments], check=True,
                              stdout=subprocess.PIPE, **how).stdout

    def counted(self, command, *arguments, **how):
        """What the command gives of pieces of 1 MiB; there are several, or it is no test."""
        self.assertGreater(os.path.getsize(self.posts), 3 << 20)
        found = read_folder(self.job("--piece-mb", "1", *arguments, self.posts, command=command, **how))
        self.assertGreater(found.count(b"\n"), 200)
        return found

    def test_ngrams(self):
        for others in ([], ["--others", self.others]):
            lists = ["--problems", self.problems, *others]
            for way in ("rdd", "pipe", "arrow"):
                counts = self.write("counts.tsv", self.counted("ngrams", "--way", way, *lists))
                for sort in ("tfidf", "llr", "df"):
                    ranking = ["keywords", "derive", "--top", "0", "--min-posts", "1", "--sort", sort,
                               "--format", "csv"]
                    self.assertEqual(self.one(*ranking, "--counts", counts), self.one(*ranking, *lists))

    def test_similar(self):
        for least in (60, 70, 100):
            rows = self.one("similar", "--min", str(least), "--format", "csv").splitlines()[1:]
            expected = b"".join(b",".join(row.split(b",")[:3]) + b"\n" for row in rows)
            self.assertEqual(self.counted("similar", "--min", str(least)), expected)
        self.assertEqual(self.counted("similar", "--min", "100", uri=True), expected)
        again = shutil.copy(self.posts, self.path("again.ndjson"))
        self.fails("is there 2 times", self.posts, again, command="similar")

    def test_features(self):
        """The features of the matrix that screening keeps beside the database."""
        self.one("screen", "--coder", "ann", "--next", "--format", "json")
        with open(self.database + "-screen", "rb") as file:
            head, matrix = file.read(112), file.read()
        n_rows, n_features, n_entries = struct.unpack("<3Q", head[88:])
        at = (n_rows + 1) * 8 + (n_entries * 4 + 7) // 8 * 8
        expected = set(struct.unpack(f"<{n_features}Q", matrix[at:at + n_features * 8]))
        entries = struct.unpack(f"<{n_entries}I", matrix[(n_rows + 1) * 8:][:n_entries * 4])
        lines = [line.split(b"\t") for line in self.counted("features").splitlines()]
        self.assertEqual({int(feature, 16) for feature, _ in lines}, expected)
        self.assertEqual(len(lines), n_features)
        self.assertEqual(sum(int(texts) for _, texts in lines), len(entries))


class Start(OnSpark):
    """A session of its own, whose Java loads its classes from an archive."""

    def test_class_archive(self):
        archive, expected = self.path("classes.jsa"), one_machine(self.dump)
        for state in ("made", "used", "damaged"):
            if state == "damaged":
                self.write("classes.jsa", bytes(20 << 20))
            out = self.path("out-" + state)
            done = subprocess.run(
                [sys.executable, "-B", os.path.join(ROOT, "scripts", "spark", "ppmine-spark"), "match",
                 "--master", "local[2]", "--program", PROGRAM, "--class-archive", archive, "-o", out,
                 *(f"--conf={key}={value}" for key, value in SETTINGS.items()), self.dump],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 0, (state, done.stderr[-2000:]))
            self.assertEqual(done.stdout, b"", state)
            self.same(read_folder(out), expected, state)
            if state == "made" and b"cannot make" in done.stderr:
                return  # this Java has no archive of its own
            self.assertGreater(os.path.getsize(archive), 10 << 20)
        self.assertEqual(glob.glob(archive + ".*"), [])


class Failures(OnSpark):
    """A job that cannot be whole fails, and keeps nothing."""

    def script(self, name, text):
        path = self.write(name, b"#!/bin/sh\n" + text.encode())
        os.chmod(path, 0o755)
        return path

    def test_executor_without_program(self):
        for way in ("rdd", "pipe", "arrow"):
            self.fails("is not on this executor", "--no-ship", "--way", way, self.dump,
                       program="ppmine-that-nobody-has")

    def test_program_that_reads_too_little(self):
        liar = self.script("liar", 'while [ "$1" != --counts ]; do shift; done\n'
                                   'echo \'{"bytes":1,"posts_read":0,"posts":0,"hits":0,'
                                   '"watermarks":0,"refused":0}\' >"$2"\n')
        self.fails("ppmine read 1 of", self.dump, program=liar)

    def test_program_that_fails(self):
        self.fails("ended with 3: no disk", self.dump,
                   program=self.script("failing", "cat >/dev/null; echo no disk >&2; exit 3\n"))

    def test_damaged_files(self):
        with open(self.dump, "rb") as file:
            data = file.read()
        packed = bz2.compress(data, 1)
        self.fails("damaged block", "--piece-mb", "1", self.write(
            "damaged.bz2", packed[:900_000] + b"\0" * 64 + packed[900_064:]))
        self.fails("ends in the middle", "--piece-mb", "1", self.write(
            "short.bz2", packed[:-40_000]))
        frames = zstd_frames(data, 700_001)
        self.fails("ends in the middle of a frame", "--piece-mb", "1", self.write(
            "short.zst", frames[:-1000]))
        self.fails("ends", "--piece-mb", "1", self.write("short.gz", gzip.compress(data, 1)[:-1000]))

    def test_no_such_file(self):
        self.fails("nothing.xml", self.path("nothing.xml"))

    def test_strict(self):
        bad = self.write("bad.ndjson", b'{"post_id": 1, "title": "slower"}\n{"post_id": "x"}\n')
        self.fails("could not be used", "--strict", bad)


class Cluster(unittest.TestCase):
    """Two workers of Spark's own cluster on this machine; one of them is killed in the middle."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="test-spark-cluster-")
        self.cluster = None

    def tearDown(self):
        if self.cluster is not None:
            self.cluster.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def test_killed_worker(self):
        self.cluster = cluster.Cluster(self.folder)
        dump = os.path.join(self.folder, "dump.xml")
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "spark", "make_dump.py"),
                        "--mb", "16", dump, SAMPLE], check=True)
        # Each start leaves a file that says which executor it is of, and takes its time, so that the
        # kill is in the middle of a task.
        starts = os.path.join(self.folder, "starts")
        os.mkdir(starts)
        slow = os.path.join(self.folder, "slow-ppmine")
        with open(slow, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\npwd >"$(mktemp {starts}/XXXXXX)"\nsleep 2\nexec {PROGRAM} "$@"\n')
        os.chmod(slow, 0o755)
        out = os.path.join(self.folder, "out")
        settings = dict(SETTINGS, **{"spark.executor.memory": "512m", "spark.cores.max": "2",
                                     "spark.driver.host": "127.0.0.1"})
        with open(os.path.join(self.folder, "job.log"), "wb") as log:
            job = subprocess.Popen(
                [sys.executable, os.path.join(ROOT, "scripts", "spark", "ppmine-spark"), "match",
                 "--master", self.cluster.url, "--program", slow, "--piece-mb", "1", "-o", out,
                 *(f"--conf={key}={value}" for key, value in settings.items()), dump],
                stdout=log, stderr=log, start_new_session=True)
        self.cluster.processes.append(job)
        seen = set()
        while job.poll() is None:
            fresh, seen = set(os.listdir(starts)) - seen, set(os.listdir(starts))
            if len(seen) >= 4 and any(self.is_of(os.path.join(starts, name), "work0") for name in fresh):
                break
            time.sleep(0.1)
        self.assertIsNone(job.poll(), "the job ended before a worker could be killed")
        self.assertGreater(cluster.kill_worker(self.cluster.workers[0]), 1, "the worker has no executor yet")
        code = job.wait(timeout=300)
        with open(os.path.join(self.folder, "job.log"), encoding="utf-8", errors="replace") as log:
            self.assertEqual(code, 0, log.read()[-3000:])
        n_pieces = -(-os.path.getsize(dump) >> 20)
        self.assertGreater(len(os.listdir(starts)), n_pieces, "nothing was lost with the worker")
        self.assertEqual(sha256_of_lines(read_folder(out)), sha256_of_lines(one_machine(dump)))

    def is_of(self, start, worker):
        with open(start, encoding="utf-8") as file:
            return f"/{worker}/" in file.read()


if __name__ == "__main__":
    ran = unittest.main(verbosity=2, exit=False).result
    bad = len(ran.failures) + len(ran.errors)
    print(f"{ran.testsRun - bad} passed, {bad} failed", flush=True)
    sys.exit(bad > 0)
