"""The command ppmine-spark."""

import argparse
import json
import os
import shutil
import sys
import time

from .pieces import PIECES_PER_CORE


def _add_input(command):
    command.add_argument("inputs", nargs="+", metavar="FILE",
                         help="a path that every executor can read, or a URI of a file system")
    command.add_argument("-o", "--output", required=True, metavar="DIR",
                         help="write to DIR, which must not exist")
    command.add_argument("--input", choices=("auto", "parquet"), default="auto",
                         help="files are dumps or NDJSON (auto), or Parquet with the columns of post")


def _add_job(command):
    command.add_argument("--study", metavar="DIR", help="folder of the study (default: the built-in)")
    command.add_argument("--strict", action="store_true",
                         help="treat a post that cannot be used as an error")
    command.add_argument("--piece-mb", type=int, default=None, metavar="N",
                         help="read N MiB in a task (default: 128 to 1024, for about"
                              f" {PIECES_PER_CORE} tasks on each processor)")
    command.add_argument("--way", choices=("rdd", "pipe", "arrow"), default="rdd",
                         help="run ppmine below an RDD, with rdd.pipe, or below mapInArrow, for where"
                              " there are no RDDs, as in Spark Connect (default: rdd)")
    command.add_argument("--program", default=None, metavar="FILE",
                         help="the ppmine that is sent to executors (default: from the PATH)")
    command.add_argument("--no-ship", dest="ship", action="store_false",
                         help="do not send it: executors have it on their PATH")
    command.add_argument("--python", default="python3", metavar="FILE",
                         help="with --way pipe: Python of the executors (default: python3)")
    command.add_argument("--master", default=None, metavar="URL",
                         help="of Spark, such as local[2] or spark://host:7077"
                              " (default: that of spark-submit or of the configuration)")
    command.add_argument("--class-archive", metavar="FILE",
                         help="with --master local: Java's classes, loaded from FILE, which is made if"
                              " it is missing (60 MB); Spark starts with a quarter less processor time")
    command.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                         help="a setting of Spark; may be given several times")
    command.add_argument("--counts", metavar="FILE", help="write what was read and found, as JSON")


def _add_match(sub):
    match = sub.add_parser(
        "match", help="find the posts that contain keywords",
        description="Finds the posts that contain keywords in dumps (Posts.xml), NDJSON or Parquet,"
                    " and writes them to a folder, as `ppmine match --stdin` prints them or as"
                    " Parquet. The result is made only if every byte was read.")
    _add_input(match)
    match.add_argument("--to", choices=("ndjson", "parquet"), default="ndjson",
                       help="write NDJSON, or Parquet: post, hit, candidate, keyword (default: ndjson)")
    match.add_argument("--posts", action="store_true",
                       help="with ndjson: whole posts, for `ppmine load --ndjson`")
    match.add_argument("--of", metavar="FILE",
                       help="print the questions in FILE and their answers, hit or not")
    match.add_argument("--site", metavar="NAME", help="the site of posts that do not name theirs")
    match.add_argument("--keywords", metavar="FILE", help="use the keywords of FILE")
    match.add_argument("--verbatim", action="store_true", help="compare keywords without stemming")
    match.add_argument("--include-code", action="store_true", help="match the text inside <pre> too")
    _add_job(match)


def _add_counting(sub, name, **words):
    """A command that adds up what `ppmine match --stdin --part` counts of each piece."""
    command = sub.add_parser(name, **words)
    _add_input(command)
    command.set_defaults(to=name, posts=False, of=None, site=None, keywords=None, verbatim=False,
                         include_code=False)
    return command


def _parser():
    parser = argparse.ArgumentParser(
        prog="ppmine-spark",
        description="Match the keywords of a study in posts, on Apache Spark, and count what needs all"
                    " posts.",
        epilog="exit codes: 0 done, 2 wrong command line, 3 wrong input or a failed job;"
               " README.md has examples")
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_match(sub)
    ngrams = _add_counting(
        sub, "ngrams", help="count n-grams, for `ppmine keywords derive --counts`",
        description="Counts in how many problem posts and others each stem and each pair of"
                    " neighbouring stems occurs. Of n-grams that no problem post has, nothing is written.")
    ngrams.add_argument("--problems", required=True, metavar="FILE",
                        help="ids of posts that report a problem, one on each line")
    ngrams.add_argument("--others", metavar="FILE",
                        help="ids of posts to compare with (default: every other question)")
    _add_job(ngrams)
    similar = _add_counting(
        sub, "similar", help="list pairs of questions that say nearly the same",
        description="Lists the pairs that `ppmine similar` lists: lines of two ids and their"
                    " similarity, the most similar first. All posts must be of one site.")
    similar.add_argument("--min", type=int, default=70, metavar="PERCENT",
                         help="list pairs with at least this share in common, 60 to 100 (default: 70)")
    _add_job(similar)
    features = _add_counting(
        sub, "features", help="count in how many questions each feature of screening is",
        description="Counts the features of `ppmine screen`: lines of a fingerprint and a number of"
                    " questions. Features of one question alone are left out, as screening does.")
    _add_job(features)
    return parser


def _check(parser, options):
    if options.piece_mb is not None and options.piece_mb < 1:
        parser.error("--piece-mb must be at least 1")
    if options.posts and options.to == "parquet":
        parser.error("--posts goes with --to ndjson; Parquet always has whole posts")
    if "://" not in options.output and os.path.lexists(options.output):
        parser.error(f"{options.output} exists; remove it, or choose another folder")
    if options.command == "similar" and not 60 <= options.min <= 100:
        parser.error("--min must be 60 to 100")
    for name in ("keywords", "of", "study", "problems", "others"):
        value = getattr(options, name, None)
        if value is not None and not os.path.exists(value):
            parser.error(f"--{name}: {value} does not exist")
    if options.program is None:
        options.program = shutil.which("ppmine") if options.ship else "ppmine"
    if options.program is None or (options.ship and not os.path.isfile(options.program)):
        parser.error("the program ppmine is not here; build it, and name it with --program")


def _start(options):
    from .session import Session
    settings = dict(setting.partition("=")[::2] for setting in options.conf)
    archive = options.class_archive and os.path.abspath(options.class_archive)
    return Session(options.master, options.way, settings, archive)


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
    own = None if shipped is not None else _start(options)
    started = time.monotonic() - began
    shipped = shipped or Shipped(own.spark)
    out = options.output if "://" in options.output else os.path.abspath(options.output)
    try:
        counts = Job(shipped, options).run(options.inputs, out)
    except JobError as error:
        print(f"ppmine-spark: error: {error}", file=sys.stderr)
        return 3
    except Exception as error:  # Spark has many, with the worker's words inside
        print(f"ppmine-spark: error: the job failed: {_cause(error)}", file=sys.stderr)
        return 3
    finally:
        if own is not None:
            shipped.stop()
            own.close()
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
