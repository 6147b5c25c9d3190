"""The job: what is planned on the driver, run on executors, and checked before anything is kept.

Each partition is one piece (see pieces.py) and one process of ppmine. Where executors and driver share
a file system, the process writes its lines into a new file there, and Spark carries nothing but the
name of the file and what was counted; each try has a file of its own, and Spark gives the counts of one
try. Elsewhere Spark carries the lines too, and commits those of a task once. In both cases the driver
looks for the counts of every piece, and makes the result only when none is missing.
"""

import atexit
import hashlib
import json
import os
import shutil
import tarfile
import tempfile
import zipfile

import pyarrow as pa

from . import columns, pieces, reduce, worker

STAGE = "number bigint, kind string, line string"
LINES_PER_BATCH = 4096


class JobError(Exception):
    """A job that failed, with words for the user."""


# --- the plan ---

def _size_of(path):
    system, inside = _file_system(path)
    return system.get_file_info(inside).size


def plan(paths, piece_size, n_cores):
    """The pieces of all files, the largest first, so that none is begun last."""
    found, paths = [], [path if "://" in path else os.path.abspath(path) for path in paths]
    sizes = [_size_of(path) or 0 for path in paths]
    if piece_size is None:
        piece_size = pieces.size_of_pieces(sum(sizes), n_cores)
    for path, size in zip(paths, sizes):
        try:
            with worker.open_file(path) as file:
                found += pieces.plan_file(path, file, size, piece_size)
        except (OSError, pieces.BadFile) as error:
            raise JobError(f"{path}: {error}") from error
    return sorted(found, key=lambda piece: piece["start"] - piece["end"])


# --- on an executor ---

def _batches(number, blocks, counts):
    """Arrow batches of the lines in blocks; the last has the counts."""
    for block in blocks:
        lines = block.removesuffix(b"\n").split(b"\n")
        for at in range(0, len(lines), LINES_PER_BATCH):
            yield _batch(number, "line", lines[at:at + LINES_PER_BATCH])
    yield _batch(number, "counts", [json.dumps(counts[0]).encode()])


def _batch(number, kind, lines):
    return pa.RecordBatch.from_arrays(
        [pa.array([number] * len(lines), pa.int64()), pa.array([kind] * len(lines), pa.string()),
         pa.array(lines, pa.string())], ["number", "kind", "line"])


def _files_here():
    from pyspark import SparkFiles
    return SparkFiles.getRootDirectory()


def run_pieces(tasks):
    """For mapInArrow: a function of batches that hold numbers of tasks."""
    def run(batches):
        for batch in batches:
            for number in batch.column(0).to_pylist():
                task, counts = dict(tasks[number], files=_files_here()), []
                yield from _batches(number, worker.records(task, counts.append), counts)
    return run


def run_piece(task):
    """For flatMap: the lines of a task, as rows."""
    counts = []
    for block in worker.records(dict(task, files=_files_here()), counts.append):
        for line in block.decode().removesuffix("\n").split("\n"):
            yield task["number"], "line", line
    yield task["number"], "counts", json.dumps(counts[0])


def run_lines(task):
    """For mapInArrow: a function of batches that hold posts as JSON, each with its line end."""
    def run(batches):
        from pyspark import TaskContext
        number, counts = TaskContext.get().partitionId(), []
        blocks = worker.records_of_lines(dict(task, files=_files_here()), batches, counts.append)
        yield from _batches(number, blocks, counts)
    return run


def take_piped(line):
    """A line that worker.py printed, as a row of the folder."""
    if line.startswith(worker.FAILED):
        raise worker.Failed(json.loads(line[len(worker.FAILED):]))
    if line.startswith(worker.COUNTS):
        number, counts = line[len(worker.COUNTS):].split(" ", 1)
        return int(number), "counts", counts
    return -1, "line", line


# --- on the driver ---

class Shipped:
    """Files that a session of Spark has sent to its executors. A session sends a name once, so that
    names have a hash of the content in front."""

    def __init__(self, spark):
        """`spark`: a session, or a context without one, which costs less to start."""
        self.names = set()
        self._session = spark if hasattr(spark, "read") else None
        self.is_connect = self._session is not None and not hasattr(spark, "_jsc")
        self.context = None if self.is_connect else getattr(spark, "sparkContext", spark)
        self.folder = tempfile.mkdtemp(prefix="ppmine-spark-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def spark(self):
        """The session. Its classes are loaded when Spark's SQL is needed, and not before."""
        if self._session is None:
            from pyspark.sql import SparkSession
            self._session = SparkSession(self.context)
        return self._session

    def n_cores(self):
        """Of all executors together; Spark Connect does not say it."""
        return 1 if self.is_connect else self.context.defaultParallelism

    def stop(self):
        (self._session or self.context).stop()

    def send(self, path):
        """The name under which executors find the file."""
        with open(path, "rb") as file:
            content = hashlib.sha256(file.read()).hexdigest()[:12]
        name = f"{content}-{os.path.basename(path)}"
        if name not in self.names:
            copy = os.path.join(self.folder, name)
            shutil.copy(path, copy)
            if self.is_connect:
                self.spark.addArtifacts(copy, file=True)
            else:
                self.context.addFile(copy)
            self.names.add(name)
        return name

    def send_folder(self, path):
        """The files of a folder, as a tar file that is the same each time."""
        packed = os.path.join(self.folder, os.path.basename(os.path.abspath(path)) + ".tar")
        with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as tar:
            for name in sorted(os.listdir(path)):
                if os.path.isfile(os.path.join(path, name)):
                    tar.add(os.path.join(path, name), name, filter=_without_owner)
        return self.send(packed)

    def send_package(self):
        """This package; of modules the first that was sent stays."""
        if "package" in self.names:
            return
        here = os.path.dirname(os.path.abspath(__file__))
        packed = os.path.join(self.folder, "ppmine_spark.zip")
        with zipfile.ZipFile(packed, "w") as archive:
            for name in sorted(os.listdir(here)):
                if name.endswith(".py"):
                    archive.write(os.path.join(here, name), f"ppmine_spark/{name}")
        if self.is_connect:
            self.spark.addArtifacts(packed, pyfile=True)
        else:
            self.context.addPyFile(packed)
        self.names.add("package")


def _without_owner(member):
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


class Job:
    """match over files. `shipped` is that of the session, and the same for all of its jobs."""

    def __init__(self, shipped, options):
        self.shipped, self.options = shipped, options
        shipped.send_package()
        self.task = {
            "program": shipped.send(options.program) if options.ship else options.program,
            "study": None if options.study is None else shipped.send_folder(options.study),
            "arguments": self._arguments(), "files": "",
        }

    def _arguments(self):
        options = self.options
        found = ["match", "--stdin", "--threads", "1"]
        if options.to in reduce.REDUCERS:
            found += ["--part", reduce.PARTS[options.to]]
        for name in ("keywords", "of", "problems", "others"):
            path = getattr(options, name, None)
            if path is not None:
                found += [f"--{name}", worker.SHIPPED + self.shipped.send(path)]
        if options.site is not None:
            found += ["--site", options.site]
        if options.posts or options.to == "parquet":
            found.append("--posts")
        return found + [f"--{name}" for name in ("verbatim", "include-code", "strict")
                        if getattr(options, name.replace("-", "_"))]

    def _run_files(self, paths):
        """An RDD or frame of what tasks say, and the pieces that they are about."""
        size = self.options.piece_mb
        found = plan(paths, size and size << 20, self.shipped.n_cores())
        tasks = [dict(self.task, piece=piece, number=number) for number, piece in enumerate(found)]
        if self.options.way == "pipe":
            return self._pipe(tasks).map(take_piped), found
        if self.options.way == "rdd" and not self.shipped.is_connect:
            # Spark's SQL is not even loaded.
            return self.shipped.context.parallelize(tasks, len(tasks)).flatMap(run_piece), found
        numbers = self.shipped.spark.range(0, len(tasks), 1, len(tasks))
        return numbers.mapInArrow(run_pieces(tasks), STAGE), found

    def _pipe(self, tasks):
        from pyspark import SparkFiles
        context = self.shipped.context
        here = os.path.dirname(os.path.abspath(__file__))
        for name in ("worker.py", "pieces.py"):
            if name not in self.shipped.names:
                context.addFile(os.path.join(here, name))
                self.shipped.names.add(name)
        # On a cluster files are in the executor's working folder, which is the pipe's too.
        files = SparkFiles.getRootDirectory() if context.master.startswith("local") else "."
        lines = [json.dumps(dict(task, files=files)) for task in tasks]
        return context.parallelize(lines, len(lines)).pipe(
            f"{self.options.python} {files}/worker.py", checkCode=True)

    def _run_parquet(self, paths):
        from pyspark.sql import functions as f
        frame = self.shipped.spark.read.parquet(*paths)
        posts = frame.select(f.concat(f.to_json(f.struct("*")), f.lit("\n")).alias("post"))
        planned = None if self.shipped.is_connect else [None] * posts.rdd.getNumPartitions()
        return posts.mapInArrow(run_lines(self.task), STAGE), planned

    def run(self, paths, out):
        """The counts of all pieces together. `out` is there when the job is done, and not before."""
        system, inside = _file_system(out)
        unfinished = f"{inside}.unfinished-{os.getpid()}"
        prefix = out[:len(out) - len(inside)]  # such as hdfs://host
        run = self._run_parquet if self.options.input == "parquet" else self._run_files
        try:
            if prefix:
                counts = self._run_through_spark(run, paths, prefix + unfinished)
            else:
                counts = self._run_into_files(run, paths, unfinished)
            system.move(f"{unfinished}/result", inside)
        finally:
            _delete(system, unfinished)
        return counts

    def _run_into_files(self, run, paths, folder):
        """Where all executors share a file system: ppmine writes the lines into files there."""
        lines, result = folder + "/lines", folder + "/result"
        os.makedirs(lines)
        self.task["out"] = lines
        said, planned = run(paths)
        counts = _check(said.collect(), planned)
        found = [counts[number] for number in sorted(counts)]
        for one in found:
            if os.path.getsize(one["out"]) != one["out_bytes"]:
                raise JobError(f"{one['out']} is not as long as it was written; nothing is kept")
        if self.options.to != "ndjson":
            self._write(self.shipped.spark.read.text([one["out"] for one in found]).toDF("line"), result)
        else:
            os.mkdir(result)
            for number, one in enumerate(found):
                if one["out_bytes"] > 0:
                    os.rename(one["out"], f"{result}/part-{number:05d}")
        return _sum(found)

    def _run_through_spark(self, run, paths, folder):
        """Elsewhere: Spark keeps the lines, and commits those of a task once."""
        stage, result = folder + "/stage", folder + "/result"
        said, planned = run(paths)
        if not hasattr(said, "write"):
            said = self.shipped.spark.createDataFrame(said, STAGE)
        said.write.parquet(stage)
        staged = self.shipped.spark.read.schema(STAGE).parquet(stage)
        counts = _check(staged.where("kind = 'counts'").collect(), planned)
        lines, wanted = staged.where("kind = 'line'"), sum(one["lines"] for one in counts.values())
        if lines.count() != wanted:
            raise JobError(f"{lines.count()} of {wanted} lines arrived; nothing is kept")
        if self.options.to != "ndjson":
            self._write(lines.select("line"), result)
        else:
            lines.select("line").write.text(result)
        return _sum(counts.values())

    def _write(self, lines, result):
        if self.options.to == "parquet":
            _write_parquet(lines, result)
            return
        try:
            reduce.REDUCERS[self.options.to](lines, result, self.options)
        except reduce.BadPosts as error:
            raise JobError(str(error)) from error


def _file_system(path):
    from pyarrow import fs
    return fs.FileSystem.from_uri(path)


def _delete(system, path):
    from pyarrow import fs
    if system.get_file_info(path).type == fs.FileType.Directory:
        system.delete_dir(path)


def _check(rows, planned):
    """Counts by piece: each piece ended well, once, and each byte was read once."""
    counts = {number: json.loads(line) for number, _, line in rows}
    if len(counts) != len(rows):
        raise JobError("a piece was counted twice; nothing is kept")
    if planned is not None and len(counts) != len(planned):
        raise JobError(f"{len(planned) - len(counts)} of {len(planned)} pieces are missing; "
                       "nothing is kept")
    read = {}
    for number, piece in enumerate(planned or []):
        if piece is not None and piece["kind"] == pieces.PLAIN:
            read.setdefault((piece["path"], piece["size"]), []).append(counts[number]["bytes"])
    for (path, size), parts in read.items():
        if sum(parts) != size:
            raise JobError(f"{path}: {sum(parts)} of {size} bytes were read; nothing is kept")
    return counts


def _sum(counts):
    total, left_out = {"pieces": 0, "words": []}, {}
    for one in counts:
        total["pieces"] += 1
        for name, value in one.items():
            if name == "words":
                total["words"] += [value] if value else []
            elif name == "left_out":  # the byte of the first is one of its piece, and says nothing of the whole
                for reason in value:
                    left_out[reason["why"]] = left_out.get(reason["why"], 0) + reason["n"]
            elif name not in ("out", "out_bytes", "lines"):
                total[name] = total.get(name, 0) + value
    total["left_out"] = [{"why": why, "n": n} for why, n in sorted(left_out.items(), key=lambda item: -item[1])]
    return total


def _write_parquet(lines, out):
    from pyspark.sql import functions as f
    hits = "array<struct<keyword:string,field:string,start:bigint,end:bigint>>"
    schema = ", ".join(f"{name} {kind}" for name, kind in columns.POST) + f", hits {hits}"
    posts = lines.select(f.from_json("line", schema).alias("p")).select("p.*")
    posts.drop("hits").write.parquet(out + "/post")
    hit = posts.select("site", "post_id", f.explode("hits").alias("h")).select(
        "site", "post_id", "h.field", "h.start", "h.end", "h.keyword")
    hit.write.parquet(out + "/hit")
    # As the view candidate of the database has them.
    posts.where("size(hits) > 0").select(
        "site", "post_id", "title", "url", "created_at",
        f.size("hits").cast("bigint").alias("n_hits"),
        f.array_join(f.array_sort(f.array_distinct("hits.keyword")), ", ").alias("keywords")
    ).write.parquet(out + "/candidate")
    hit.groupBy("keyword").agg(
        f.countDistinct(f.struct("site", "post_id")).alias("posts"),
        f.count("*").alias("hits")).write.parquet(out + "/keyword")
