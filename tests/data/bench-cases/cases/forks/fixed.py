import fake
import os
import subprocess

MARK = "98765.4321"  # what the test looks for among the processes
subprocess.Popen(["sleep", MARK])
subprocess.Popen(["sleep", MARK], start_new_session=True)
if os.fork() == 0:  # a daemon: forks twice, with a session of its own
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", MARK])
    os._exit(0)
with fake.work():
    total = sum(i * i for i in range(20000))
fake.digest(1)
