"""Starts Spark with as little processor time as possible. On one machine that is most of what Spark costs
(docs/scale.md has the figures), since the JVM only hands out tasks, and Python looks at no post.
"""

import atexit
import os
import shlex
import sys
import tempfile

# The JVM does nothing that is worth to be optimized.
CHEAP = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
QUIET = "-Xlog:disable -Xlog:all=error:stderr"
SECONDS_TO_ARCHIVE = 120


def _python_of_workers():
    """A program that starts Python with the PySpark that this process has. Spark would put its
    pyspark.zip first: Python then compiles all of it at each start, and reads the directory of the
    archive again in each task."""
    import pyspark
    installed = os.path.dirname(os.path.dirname(os.path.abspath(pyspark.__file__)))
    descriptor, path = tempfile.mkstemp(prefix="ppmine-spark-python-")
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nPYTHONPATH={shlex.quote(installed)} exec {shlex.quote(sys.executable)} "
                   '"$@"\n')
    os.chmod(path, 0o700)
    atexit.register(os.remove, path)
    return path


class Session:
    """What is started: `spark` is a context, or a session where there are no contexts."""

    def __init__(self, master, way, settings, archive=None):
        self.archive, self.fresh = archive, None
        start = _start_context
        if way == "arrow" or (master or "").startswith("sc://"):
            start = _start_session
        if master is None or not master.startswith("local"):
            self.spark = start(master, settings)
            return
        try:
            self.spark = start(master, {**self._local_settings(), **settings})
        except Exception:
            if archive is None:
                raise
            # Java ends at once where an archive is damaged, or cannot be made: its own found no place.
            print(f"ppmine-spark: warning: Java cannot {'make' if self.fresh else 'use'} {archive}; this run"
                  " goes on without it. Remove a file that is damaged", file=sys.stderr)
            self.archive = self.fresh = None
            self.spark = start(master, {**self._local_settings(), **settings})

    def _local_settings(self):
        if "PYSPARK_PYTHON" not in os.environ:
            os.environ["PYSPARK_PYTHON"] = _python_of_workers()
        flags = CHEAP
        if self.archive is not None and os.path.isfile(self.archive):
            flags += f" {QUIET} -XX:SharedArchiveFile={self.archive}"
        elif self.archive is not None:
            self.fresh = f"{self.archive}.{os.getpid()}"
            flags += f" {QUIET} -XX:ArchiveClassesAtExit={self.fresh}"
        return {"spark.driver.extraJavaOptions": flags}

    def close(self):
        """Where an archive of classes is made, after the JVM has written it."""
        if self.fresh is None:
            return
        from pyspark import SparkContext
        java = SparkContext._gateway.proc
        java.stdin.close()
        java.wait(SECONDS_TO_ARCHIVE)
        if os.path.isfile(self.fresh):
            os.rename(self.fresh, self.archive)


def _start_session(master, settings):
    from pyspark.sql import SparkSession
    builder = SparkSession.builder.appName("ppmine-spark")
    if master is not None:
        builder = builder.remote(master) if master.startswith("sc://") else builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _start_context(master, settings):
    from pyspark import SparkConf, SparkContext
    conf = SparkConf().setAppName("ppmine-spark").setAll(settings.items())
    if master is not None:
        conf.setMaster(master)
    return SparkContext.getOrCreate(conf)
