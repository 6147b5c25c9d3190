"""Every command, with one allocation or one system call that fails: torture.py CALLS SEED FAIL_ALLOC.SO

Of each kind of call CALLS runs, each with another call that fails, chosen by SEED from those that the command
makes by itself (what the loader does before is left out); CALLS 0: a few runs, for seconds. After each run
- the command ended with a documented exit code, not by a signal, and with words unless it ended with 0 or 1;
- the database is whole, and has as many rows in each table as before the command, or as after it: as after
  it when the command ended with 0;
- the command runs again, and then nothing is left over.
"""

import os
import random
import re
import shutil
import subprocess
import sys

import disk
import writers

CALLS, SEED, PRELOAD = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
RNG = random.Random(SEED)
FAULTS = []
COUNT = {"commands": 0, "runs": 0, "failed": 0}
FEW = ("init", "label set", "export", "stats")

# Call: the errors that a kernel may answer with.
ERRORS = {
    "openat": ("EACCES", "EMFILE", "EIO"), "read": ("EIO",), "pread64": ("EIO",), "write": ("ENOSPC", "EIO"),
    "pwrite64": ("ENOSPC", "EIO"), "writev": ("ENOSPC",), "fsync": ("EIO",), "fdatasync": ("EIO", "ENOSPC"),
    "ftruncate": ("EIO",), "rename": ("ENOSPC", "EACCES"), "link": ("EPERM", "ENOSPC"), "unlink": ("EACCES",),
    "mkdir": ("ENOSPC",), "mmap": ("ENOMEM",), "munmap": ("ENOMEM",), "newfstatat": ("EACCES",), "fstat": ("EIO",),
    "lseek": ("EINVAL",), "fcntl": ("EAGAIN", "ENOLCK"), "flock": ("ENOLCK",), "getdents64": ("EIO",),
    "getrandom": ("ENOSYS",), "fchmod": ("EPERM",), "clone3": ("EAGAIN",), "clone": ("EAGAIN",), "pipe2": ("EMFILE",),
    "poll": ("EINTR",),
}
# What the next start may answer when it has been done before.
DOCUMENTED = range(7)


def run(command, wrapper=(), env=None):
    return subprocess.run([*wrapper, *command.arguments()], cwd="run", input=command.stdin, capture_output=True,
                          check=False, timeout=600, env=env)


def sizes(folder, command):
    """{table: number of rows}, or None."""
    if command.database is None:
        return None
    found = writers.content(os.path.join(folder, command.database))
    # How often a command ran is no part of what it does.
    return found and {t: len(rows) for t, rows in found.items() if t not in ("run", "sqlite_stat1", "sqlite_stat4")}


def calls_made(command):
    """{call: (first, last)} of the first process, after what the loader does."""
    writers.fresh(command, "run")
    before = sizes("run", command)
    log = os.path.abspath("log")
    done = run(command, disk.strace(log, calls=list(ERRORS)))
    if done.returncode not in (0, 1):
        sys.exit(f"{command.title()}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}")
    with open(log, encoding="ascii", errors="replace") as file:
        lines = [line for line in file if disk.LINE.match(line) and " resumed>" not in line[:80]]
    first = lines[0].split()[0]
    names = [disk.LINE.match(line).group(2) for line in lines if line.split()[0] == first]
    texts = [line for line in lines if line.split()[0] == first]
    loaded = max((i for i, t in enumerate(texts) if names[i] == "openat" and
                  re.search(r"\.so(\.|$)", disk.decoded(t.split('"')[1]))), default=0)
    loaded = next((i for i in range(loaded, len(names)) if names[i] == "munmap"), loaded)
    made = {}
    for name in ERRORS:
        n, early = names.count(name), names[:loaded + 1].count(name)
        if n > early:
            made[name] = (early + 1, n)
    return made, before, sizes("run", command), done.returncode


def allocations_made(command):
    writers.fresh(command, "run")
    path = os.path.abspath("allocations")
    if os.path.exists(path):
        os.remove(path)
    run(command, env={**os.environ, "LD_PRELOAD": PRELOAD, "COUNT_ALLOCS": path})
    with open(path, encoding="ascii") as file:
        return int(file.read())


def faults(command, done, before, after, status, silent):
    code = done.returncode
    if code not in DOCUMENTED:
        return [f"exit code {code}: {done.stderr.decode(errors='replace')[-300:]}"]
    if code > 1 and not done.stderr and not silent:
        return [f"exit code {code} without a word"]
    COUNT["failed"] += code > 1
    try:
        now = sizes("run", command)
    except ValueError as e:
        return [f"the database is damaged: {e}"]
    if code in (0, status) and now != after and code == status:
        return [f"exit code {code}, but {difference(now, after)}"]
    if not command.parts and now not in (before, after):
        return [f"half is done: {difference(now, after)}"]
    again = run(command)
    if again.returncode not in DOCUMENTED:
        return [f"the next start: exit code {again.returncode}: {again.stderr.decode(errors='replace')[-300:]}"]
    if now == before != after and again.returncode != status:
        return [f"the next start: exit code {again.returncode}: {again.stderr.decode(errors='replace')[-300:]}"]
    left = writers.left_in("run")
    return [f"left after the next start: {', '.join(left)}"] if left else []


def difference(now, after):
    if now is None or after is None:
        return "there is no database"
    return ", ".join(f"{t}: {now.get(t)} rows, not {after.get(t)}" for t in {**now, **after}
                     if now.get(t) != after.get(t))


def one(command, what, wrapper, env, known):
    writers.fresh(command, "run")
    done = run(command, wrapper, env)
    COUNT["runs"] += 1
    silent = False
    if wrapper:
        with open("injected", encoding="ascii", errors="replace") as file:
            hits = [line for line in file if "(INJECTED)" in line]
        silent = any(re.match(r"\d+ +writev?\(2[<,]", line) for line in hits)
    FAULTS.extend(f"{command.title()}: {what}: {fault}" for fault in faults(command, done, *known, silent))


def torture(command, each):
    made, before, after, status = calls_made(command)
    COUNT["commands"] += 1
    known = (before, after, status)
    kinds = list(made) if CALLS else RNG.sample(list(made), min(4, len(made)))
    for name in kinds:
        first, last = made[name]
        # The first and the last of their kind are where beginnings and ends are.
        places = sorted({first, last, *(RNG.randint(first, last) for _ in range(each))})
        for n in RNG.sample(places, min(each, len(places))):
            error = RNG.choice(ERRORS[name])
            wrapper = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", os.path.abspath("injected"), "-e", f"trace={name}",
                       "-e", f"inject={name}:error={error}:when={n}"]
            one(command, f"{name} {n} of {last} fails with {error}", wrapper, None, known)
    n = allocations_made(command)
    for _ in range(each * 2):
        which = RNG.randint(1, n)
        env = {**os.environ, "LD_PRELOAD": PRELOAD, "FAIL_ALLOC": str(which)}
        if RNG.random() < 0.5:
            env["FAIL_ALLOC_ON"] = "1"
        one(command, f"allocation {which} of {n} fails{' and all after it' if 'FAIL_ALLOC_ON' in env else ''}", (), env,
            known)


def main():
    writers.must_be_complete()
    writers.prepare()
    # Those of a server have tests of their own, with faults of the network.
    commands = [writers.filled(c) for c in writers.WRITING + writers.READING
                if c.name != "serve" and not c.server and not c.slow and not c.name.startswith("bench test")]
    if not CALLS:
        commands = [c for c in commands if c.name in FEW]
    only = os.environ.get("ONLY", "")
    for command in [c for c in commands if c.title().startswith(only)]:
        torture(command, CALLS or 1)
    shutil.rmtree("run", ignore_errors=True)
    print("\n".join(FAULTS[:60]))
    print(f"{COUNT['commands']} commands, {COUNT['runs']} runs, {COUNT['failed']} of them with an error, "
          f"{len(FAULTS)} faults; seed {SEED}")
    sys.exit(1 if FAULTS or not COUNT["failed"] else 0)


if __name__ == "__main__":
    main()
