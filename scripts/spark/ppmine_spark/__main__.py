"""The command ppmine-spark."""

import argparse
import json
import os
import shutil
import sys
import time


def _parser():
    parser = argparse.ArgumentParser(
        prog="ppmine-spark",
        description="Match the keywords of a study in posts, on Apache Spark.",
        epilog="exit codes: 0 done, 2 wrong command line, 3 wrong input or a failed job;"
               " README.md has examples")
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    match = sub.add_parser(
        "match", help="find the posts that contain keywords",
        description="Finds the posts that contain keywords in dumps (Posts.xml), NDJSON or Parquet,"
                    " and writes them to a folder, as `ppmine match --stdin` prints them or as"
                    " Parquet. The result is made only if every byte was read.")
    match.add_argument("inputs", nargs="+", metavar="FILE",
                       help="a path that every executor can read, or a URI of a file system")
    match.add_argument("-o", "--output", required=True, metavar="DIR",
                       help="write to DIR, which must not exist")
    match.add_argument("--input", choices=("auto", "parquet"), default="auto",
                       help="files are dumps or NDJSON (auto), or Parquet with the columns of post")
    match.add_argument("--to", choices=("ndjson", "parquet"), default="ndjson",
                       help="write NDJSON, or Parquet: post, hit, candidate, keyword (default: ndjson)")
    match.add_argument("--posts", action="store_true",
                       help="with ndjson: whole posts, for `ppmine load --ndjson`")
    match.add_argument("--of", metavar="FILE",
                       help="print the questions in FILE and their answers, hit or not")
    match.add_argument("--site", metavar="NAME", help="the site of posts that do not name theirs")
    match.add_argument("--study", metavar="DIR", help="folder of the study (default: the built-in)")
    match.add_argument("--keywords", metavar="FILE", help="use the keywords of FILE")
    match.add_argument("--verbatim", action="store_true", help="compare keywords without stemming")
    match.add_argument("--include-code", action="store_true", help="match the text inside <pre> too")
    match.add_argument("--strict", action="store_true",
                       help="treat a post that cannot be used as an error")
    match.add_argument("--piece-mb", type=int, default=128, metavar="N",
                       help="read N MiB in a task (default: 128)")
    match.add_argument("--way", choices=("rdd", "pipe", "arrow"), default="rdd",
                       help="run ppmine below an RDD, with rdd.pipe, or below mapInArrow, for where"
                            " there are no RDDs, as in Spark Connect (default: rdd)")
    match.add_argument("--program", default=None, metavar="FILE",
                       help="the ppmine that is sent to executors (default: from the PATH)")
    match.add_argument("--no-ship", dest="ship", action="store_false",
                       help="do not send it: executors have it on their PATH")
    match.add_argument("--python", default="python3", metavar="FILE",
                       help="with --way pipe: Python of the executors (default: python3)")
    match.add_argument("--master", default=None, metavar="URL",
                       help="of Spark, such as local[2] or spark://host:7077"
                            " (default: that of spark-submit or of the configuration)")
    match.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                       help="a setting of Spark; may be given several times")
    match.add_argument("--counts", metavar="FILE", help="write what was read and found, as JSON")
    return parser


def _check(parser, options):
    if options.piece_mb < 1:
        parser.error("--piece-mb must be at least 1")
    if options.posts and options.to == "parquet":
        parser.error("--posts goes with --to ndjson; Parquet always has whole posts")
    if "://" not in options.output and os.path.lexists(options.output):
        parser.error(f"{options.output} exists; remove it, or choose another folder")
    for name in ("keywords", "of", "study"):
        value = getattr(options, name)
        if value is not None and not os.path.exists(value):
            parser.error(f"--{name}: {value} does not exist")
    if options.program is None:
        options.program = shutil.which("ppmine") if options.ship else "ppmine"
    if options.program is None or (options.ship and not os.path.isfile(options.program)):
        parser.error("the program ppmine is not here; build it, and name it with --program")


def _session(options):
    from pyspark.sql import SparkSession
    builder = SparkSession.builder.appName("ppmine-spark")
    if options.master is not None and options.master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # The JVM hands out tasks, and does nothing that is worth to be optimized.
        builder = builder.config("spark.driver.extraJavaOptions",
                                 "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    if options.master is not None:
        builder = builder.remote(options.master) if options.master.startswith("sc://") \
            else builder.master(options.master)
    for setting in options.conf:
        key, _, value = setting.partition("=")
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _cause(error):
    """Of what Spark says, the line that the worker wrote: the rest are frames of Java and Python."""
    lines = [line for line in str(error).split("\n") if line.strip()]
    for mark in ("worker.Failed: ", "pieces.BadFile: ", "Error: "):
        found = [line.split(mark, 1)[1] if "." in mark else line for line in lines if mark in line]
        if found:
            return found[0].strip()
    return lines[0] if lines else repr(error)


def main(arguments=None, shipped=None):
    """`shipped`: of a session that is there already, and stays; None: one of its own."""
    parser = _parser()
    options = parser.parse_args(arguments)
    _check(parser, options)
    from .job import Job, JobError, Shipped
    began = time.monotonic()
    own = None if shipped is not None else _session(options)
    started = time.monotonic() - began
    out = options.output if "://" in options.output else os.path.abspath(options.output)
    try:
        counts = Job(shipped or Shipped(own), options).run(options.inputs, out)
    except JobError as error:
        print(f"ppmine-spark: error: {error}", file=sys.stderr)
        return 3
    except Exception as error:  # Spark has many, with the worker's words inside
        print(f"ppmine-spark: error: the job failed: {_cause(error)}", file=sys.stderr)
        return 3
    finally:
        if own is not None:
            own.stop()
    for words in counts.pop("words"):
        print(words, file=sys.stderr)
    counts["seconds"] = round(time.monotonic() - began, 3)
    counts["seconds_of_start"] = round(started, 3)
    print(f"ppmine-spark: {counts['bytes']} bytes in {counts['pieces']} pieces, "
          f"{counts['posts_read']} posts read, {counts['posts']} with {counts['hits']} hits; "
          f"{counts['seconds']} s, {counts['seconds_of_start']} s of them to start Spark",
          file=sys.stderr)
    if options.counts is not None:
        with open(options.counts, "w", encoding="utf-8") as file:
            json.dump(counts, file)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
