"""A standalone cluster of Spark on this machine: a master and workers of PySpark's own jars, on loopback."""

import contextlib
import glob
import os
import signal
import subprocess
import time

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
SECONDS_TO_START = 240


class Cluster:
    """`url` is the master's; workers[n] keeps its files in `folder`/work<n>."""

    def __init__(self, folder, n_workers=2, enter=None):
        """`enter`: called in each process before it starts."""
        import pyspark
        self.home, self.folder, self.enter = os.path.dirname(pyspark.__file__), folder, enter
        self.processes = []
        self.start("master", MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self.wait_for("master", "Starting Spark master at").split(" at ")[-1].strip()
        self.workers = [self.start(f"worker{n}", WORKER, "--host", "127.0.0.1", "--cores", "1",
                                   "--memory", "1g", "--webui-port", "0", "--work-dir",
                                   os.path.join(folder, f"work{n}"), self.url)
                        for n in range(n_workers)]
        for n in range(n_workers):
            self.wait_for(f"worker{n}", "Successfully registered")

    def start(self, name, *arguments):
        with open(os.path.join(self.folder, name + ".log"), "wb") as log:
            process = subprocess.Popen([os.path.join(self.home, "bin", "spark-class"), *arguments],
                                       stdout=log, stderr=log, start_new_session=True,
                                       preexec_fn=self.enter,
                                       env=dict(os.environ, SPARK_LOCAL_IP="127.0.0.1"))
        self.processes.append(process)
        return process

    def wait_for(self, name, word):
        path = os.path.join(self.folder, name + ".log")
        for _ in range(SECONDS_TO_START * 5):
            with open(path, encoding="utf-8", errors="replace") as log:
                text = log.read()
            for line in text.split("\n"):
                if word in line:
                    return line
            time.sleep(0.2)
        raise RuntimeError(f"{name} did not say {word!r}: {text[-2000:]}")

    def stop(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def kill_worker(worker):
    """With its executor and what that started, which have sessions of their own. How many they were."""
    victims, found = {worker.pid}, True
    while found:
        found = False
        for entry in glob.glob("/proc/[0-9]*/stat"):
            with contextlib.suppress(OSError), open(entry, encoding="utf-8") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
                pid = int(entry.split("/")[2])
                if int(fields[1]) in victims and pid not in victims:
                    victims.add(pid)
                    found = True
    for pid in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(victims)
