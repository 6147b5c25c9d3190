"""What a disk has after a power cut, by what a program asked of the kernel.

record() runs a program under strace and makes of its calls a list of events about the files below one
folder. State(recording, n) is that folder after the first n events, in one of three ways:

    killed   all is there, as when only the process ended
    synced   only what fsync or fdatasync of a file, and for its name of the folder, asked for
    random   that, and of the rest a part by chance, as disks do: writes in any order, cut at 512 bytes;
             of the names of a folder the first few, since a journal keeps their order

`without` leaves out syncs, so that a test can show that it would notice if the program lacked them.
-shm files of SQLite are made again from the log and are not followed.
"""

import os
import re
import subprocess

SECTOR = 512
# More of one call than strace prints would be a write that is not known.
LONGEST = 16 << 20

CALLS = ("open openat openat2 creat close close_range dup dup2 dup3 fcntl lseek write writev pwrite64 pwritev "
         "pwritev2 ftruncate truncate fallocate copy_file_range sendfile splice rename renameat renameat2 link "
         "linkat symlink symlinkat unlink unlinkat rmdir mkdir mkdirat mknod mknodat fsync fdatasync syncfs sync "
         "mmap chdir fchdir clone clone3 fork vfork sendto sendmsg").split()


class Unknown(Exception):
    """A call about a followed file that is not modelled: better no verdict than a wrong one."""


def strace(log, *more, calls=CALLS):
    return ["strace", "-f", "--seccomp-bpf", "-qq", "-xx", "-y", "-s", str(LONGEST), "-e", "trace=" + ",".join(calls), "-e",
            "signal=none", "-o", log, *more]


# --- reading what strace wrote ---

LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)$", re.S)
TOKEN = re.compile(r'"[^"]*"|[\[{(]|[\]})]|,|[^",\[\](){}]+')


class Call:
    def __init__(self, pid, name, arguments, result, path):
        self.pid, self.name, self.arguments, self.result, self.path = pid, name, arguments, result, path

    def fd(self, i):
        return int(re.match(r"-?\d+", self.arguments[i]).group())

    def number(self, i):
        return int(self.arguments[i], 0)

    def bytes(self, i):
        return literal(self.arguments[i])


def literal(text):
    """The bytes of a string that strace printed with -xx."""
    if not text.startswith('"') or text.endswith("..."):
        raise Unknown(f"not a whole string: {text[:80]}")
    body = text[1:text.rindex('"')]
    return bytes.fromhex(body.replace("\\x", ""))


def split(text):
    """The arguments of a call."""
    parts, depth = [""], 0
    for token in TOKEN.findall(text):
        if token == "," and depth == 0:
            parts.append("")
            continue
        depth += (token in "[{(") - (token in "]})") if len(token) == 1 else 0
        parts[-1] += token
    return [p.strip() for p in parts]


def decoded(path):
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)), path)


def finished(pid, name, text):
    """A Call of what follows the name; None when it has no result (exit, or killed)."""
    end = text.rfind(") = ")
    if end < 0:
        end = text.rfind(" = ")
        if end < 0 or not text[:end].rstrip().endswith(")"):
            return None
        before, after = text[:end].rstrip()[:-1], text[end + 3:]
    else:
        before, after = text[:end], text[end + 4:]
    result = re.match(r"(0x[0-9a-f]+|-?\d+|\?)(?:<([^>]*)>)?", after)
    if result is None or result.group(1) == "?":
        return None
    path = decoded(result.group(2)) if result.group(2) else None
    return Call(pid, name, split(before), int(result.group(1), 0), path)


def calls_of(log):
    """Each call when it ended, but a sync when it began: what is written meanwhile may not be in it."""
    begun, late = {}, []
    with open(log, encoding="ascii", errors="replace") as lines:
        for line in lines:
            line = line.rstrip("\n")
            match = LINE.match(line)
            if match is None:
                continue
            pid, name, rest = int(match.group(1)), match.group(2), match.group(3)
            if rest.endswith("<unfinished ...>"):
                place = len(late)
                late.append(None)
                begun[pid] = (rest[:-len("<unfinished ...>")].rstrip(), place)
                continue
            place = None
            if " resumed>" in line[:80] and pid in begun:
                start, place = begun.pop(pid)
                rest = start + rest
            call = finished(pid, name, rest)
            if call is None:
                continue
            if place is not None and name in ("fsync", "fdatasync"):
                late[place] = call
            elif place is not None and name in ("clone", "clone3", "fork", "vfork"):
                late[place] = call # the child's calls come before its parent hears of it
            else:
                late.append(call)
    return [call for call in late if call is not None]


# --- from calls to events ---


class Node:
    """A file, a folder or a link: what is in it now."""

    def __init__(self, number, kind, target=None):
        self.number, self.kind, self.target = number, kind, target
        self.size, self.names = 0, {}


class Opened:
    def __init__(self, node, append):
        self.node, self.append, self.at = node, append, 0


class Process:
    def __init__(self, folder, files=None):
        self.folder, self.files = folder, {} if files is None else files


def is_followed(name):
    return not name.endswith("-shm")


def snapshot(folder):
    """{name: bytes, {…} for a folder, ("link", target)}"""
    found = {}
    for entry in os.scandir(folder):
        if not is_followed(entry.name):
            continue
        if entry.is_symlink():
            found[entry.name] = ("link", os.readlink(entry.path))
        elif entry.is_dir():
            found[entry.name] = snapshot(entry.path)
        elif entry.is_file():
            with open(entry.path, "rb") as file:
                found[entry.name] = file.read()
    return found


class Recording:
    """The folder before, and the events."""

    def __init__(self, folder, before):
        self.root_path = os.path.realpath(folder)
        self.base, self.events, self.kinds, self.named = {}, [], {}, {}
        self.root = self.plant(before)
        self.processes = {}

    def node(self, kind, target=None):
        node = Node(len(self.kinds), kind, target)
        self.kinds[node.number] = (kind, target) # of all that ever was
        return node

    def plant(self, content):
        if isinstance(content, dict):
            node = self.node("folder")
            for name, below in content.items():
                node.names[name] = self.plant(below)
                self.named[node.names[name].number] = name
            self.base[node.number] = {n: b.number for n, b in node.names.items()}
        elif isinstance(content, tuple):
            node = self.node("link", content[1])
        else:
            node = self.node("file")
            node.size = len(content)
            self.base[node.number] = content
        return node

    # --- names ---

    def place(self, path):
        """(folder, name) of a path below the root, or None."""
        if path != self.root_path and not path.startswith(self.root_path + "/"):
            return None
        parts = [p for p in path[len(self.root_path):].split("/") if p not in ("", ".")]
        if not parts:
            return (None, "")
        if ".." in parts:
            raise Unknown(path)
        folder = self.root
        for part in parts[:-1]:
            folder = folder.names.get(part)
            if folder is None or folder.kind != "folder":
                return None
        return (folder, parts[-1]) if is_followed(parts[-1]) else None

    def found(self, path):
        place = self.place(path)
        if place is None:
            return None
        return self.root if place[0] is None else place[0].names.get(place[1])

    def absolute(self, process, text, at=None):
        path = literal(text).decode("utf-8", "surrogateescape")
        folder = process.folder
        if at is not None and not at.startswith("AT_FDCWD"):
            folder = decoded(re.search(r"<([^>]*)>", at).group(1))
        return os.path.normpath(os.path.join(folder, path))

    def link(self, path, node):
        folder, name = self.place(path)
        folder.names[name] = node
        self.named.setdefault(node.number, name)
        self.events.append(("link", folder.number, name, node.number))

    def unlink(self, path):
        place = self.place(path)
        if place is None:
            return
        if place[0].names.pop(place[1], None) is None:
            raise Unknown(f"{path}: removed, but never made")
        self.events.append(("unlink", place[0].number, place[1]))

    def rename(self, old, new, flags="0"):
        here, there = self.place(old), self.place(new)
        if here is None and there is None:
            return
        if here is None or there is None or flags not in ("0", "RENAME_NOREPLACE"):
            raise Unknown(f"rename {old} {new} {flags}")
        node = here[0].names.pop(here[1])
        there[0].names[there[1]] = node
        if here[0] is there[0]:
            self.events.append(("rename", here[0].number, here[1], there[1], node.number))
        else:
            self.events.append(("link", there[0].number, there[1], node.number))
            self.events.append(("unlink", here[0].number, here[1]))

    # --- calls ---

    def process(self, pid):
        if pid not in self.processes:
            self.processes[pid] = Process(self.root_path)
        return self.processes[pid]

    def opened(self, call, process, flags):
        process.files.pop(call.result, None)
        if call.path is None or self.place(call.path) is None:
            return
        node = self.found(call.path)
        if node is None:
            if "O_CREAT" not in flags:
                raise Unknown(f"{call.path}: opened, but never made")
            node = self.node("file")
            self.link(call.path, node)
        elif "O_TRUNC" in flags and node.size > 0:
            self.truncate(node, 0)
        process.files[call.result] = Opened(node, "O_APPEND" in flags)

    def truncate(self, node, size):
        node.size = size
        self.events.append(("trunc", node.number, size))

    def write(self, node, at, data):
        node.size = max(node.size, at + len(data))
        self.events.append(("write", node.number, at, data))

    def in_order(self, process, fd, data):
        """write and writev: at the place of the descriptor."""
        if fd in (1, 2) and fd not in process.files:
            if fd == 1:
                self.events.append(("said", data))
            return
        file = process.files.get(fd)
        if file is None:
            return
        at = file.node.size if file.append else file.at
        self.write(file.node, at, data)
        file.at = at + len(data)

    def take(self, call):
        if call.result < 0:
            return
        process = self.process(call.pid)
        handler = getattr(self, "on_" + HANDLERS.get(call.name, call.name), None)
        if handler is None:
            raise Unknown(call.name)
        handler(call, process)

    def on_open(self, call, process):
        self.opened(call, process, call.arguments[1])

    def on_openat(self, call, process):
        self.opened(call, process, call.arguments[2])

    def on_creat(self, call, process):
        self.opened(call, process, "O_CREAT|O_TRUNC")

    def on_close(self, call, process):
        process.files.pop(call.fd(0), None)

    def on_close_range(self, call, process):
        last = call.number(1)
        for fd in [f for f in process.files if call.number(0) <= f <= last]:
            if "CLOEXEC" not in call.arguments[2]:
                process.files.pop(fd)

    def on_dup(self, call, process):
        file = process.files.get(call.fd(0))
        process.files.pop(call.result, None)
        if file is not None:
            process.files[call.result] = file

    def on_fcntl(self, call, process):
        if call.arguments[1].startswith("F_DUPFD"):
            self.on_dup(call, process)

    def on_lseek(self, call, process):
        if call.fd(0) in process.files:
            process.files[call.fd(0)].at = call.result

    def on_write(self, call, process):
        if "socket:" in decoded(call.arguments[0]):
            self.on_sendto(call, process)
        elif call.fd(0) in process.files or call.fd(0) == 1:
            self.in_order(process, call.fd(0), call.bytes(1)[:call.result])

    def on_writev(self, call, process):
        if "socket:" in decoded(call.arguments[0]):
            self.on_sendto(call, process)
        elif call.fd(0) in process.files or call.fd(0) == 1:
            data = b"".join(literal(t) for t in re.findall(r'iov_base=("[^"]*"(?:\.\.\.)?)', call.arguments[1]))
            self.in_order(process, call.fd(0), data[:call.result])

    def on_pwrite64(self, call, process):
        file = process.files.get(call.fd(0))
        if file is not None:
            self.write(file.node, call.number(3), call.bytes(1)[:call.result])

    def on_pwritev(self, call, process):
        if call.fd(0) in process.files:
            raise Unknown("pwritev")

    def on_ftruncate(self, call, process):
        file = process.files.get(call.fd(0))
        if file is not None:
            self.truncate(file.node, call.number(1))

    def on_truncate(self, call, process):
        node = self.found(self.absolute(process, call.arguments[0]))
        if node is not None:
            self.truncate(node, call.number(1))

    def on_fallocate(self, call, process):
        file = process.files.get(call.fd(0))
        if file is None:
            return
        if call.arguments[1] != "0":
            raise Unknown("fallocate " + call.arguments[1])
        if call.number(2) + call.number(3) > file.node.size:
            self.truncate(file.node, call.number(2) + call.number(3))

    def on_copying(self, call, process):
        if any(re.match(r"\d+", a) and int(re.match(r"\d+", a).group()) in process.files
               for a in (call.arguments[0], call.arguments[2])):
            raise Unknown(call.name)

    def on_rename(self, call, process):
        self.rename(self.absolute(process, call.arguments[0]), self.absolute(process, call.arguments[1]))

    def on_renameat(self, call, process):
        a = call.arguments
        self.rename(self.absolute(process, a[1], a[0]), self.absolute(process, a[3], a[2]),
                    a[4] if len(a) > 4 else "0")

    def on_link(self, call, process):
        self.hard(self.absolute(process, call.arguments[0]), self.absolute(process, call.arguments[1]))

    def on_linkat(self, call, process):
        a = call.arguments
        self.hard(self.absolute(process, a[1], a[0]), self.absolute(process, a[3], a[2]))

    def hard(self, old, new):
        if self.place(new) is None:
            return
        node = self.found(old)
        if node is None:
            raise Unknown(f"link of {old}")
        self.link(new, node)

    def on_symlink(self, call, process):
        path = self.absolute(process, call.arguments[1])
        if self.place(path) is not None:
            self.link(path, self.node("link", os.fsdecode(call.bytes(0))))

    def on_symlinkat(self, call, process):
        path = self.absolute(process, call.arguments[2], call.arguments[1])
        if self.place(path) is not None:
            self.link(path, self.node("link", os.fsdecode(call.bytes(0))))

    def on_unlink(self, call, process):
        self.unlink(self.absolute(process, call.arguments[0]))

    def on_unlinkat(self, call, process):
        self.unlink(self.absolute(process, call.arguments[1], call.arguments[0]))

    def on_mkdir(self, call, process):
        self.make(self.absolute(process, call.arguments[0]))

    def on_mkdirat(self, call, process):
        self.make(self.absolute(process, call.arguments[1], call.arguments[0]))

    def make(self, path):
        if self.place(path) is not None:
            self.link(path, self.node("folder"))

    def on_mknod(self, call, process):
        text = call.arguments[1 if call.name == "mknodat" else 0]
        if self.place(self.absolute(process, text)) is not None:
            raise Unknown(call.name)

    def on_fsync(self, call, process):
        file = process.files.get(call.fd(0))
        if file is not None:
            self.events.append(("sync", file.node.number))

    def on_syncfs(self, call, process):
        raise Unknown(call.name) # of the whole disk: nothing here needs it

    def on_mmap(self, call, process):
        fd = re.match(r"\d+", call.arguments[4])
        if (fd and int(fd.group()) in process.files and "MAP_SHARED" in call.arguments[3] and
                "PROT_WRITE" in call.arguments[2]):
            raise Unknown("a file that is written through memory")

    def on_chdir(self, call, process):
        process.folder = self.absolute(process, call.arguments[0])

    def on_fchdir(self, call, process):
        process.folder = decoded(re.search(r"<([^>]*)>", call.arguments[0]).group(1))

    def on_clone(self, call, process):
        if call.result == 0:
            return
        files = process.files if "CLONE_FILES" in " ".join(call.arguments) else dict(process.files)
        self.processes[call.result] = Process(process.folder, files)

    def on_sendto(self, call, _):
        """On a connection: the answer of a server."""
        if 'iov_base=' in call.arguments[1]:
            text = re.search(r'iov_base=("[^"]*")', call.arguments[1]).group(1)
        else:
            text = call.arguments[1]
        if text.startswith('"'):
            self.events.append(("said", literal(text)))


HANDLERS = {"openat2": "openat", "dup2": "dup", "dup3": "dup", "pwritev2": "pwritev", "copy_file_range": "copying",
            "sendfile": "copying", "splice": "copying", "renameat2": "renameat", "rmdir": "unlink",
            "mknodat": "mknod", "fdatasync": "fsync", "sync": "syncfs", "clone3": "clone", "fork": "clone",
            "vfork": "clone", "sendmsg": "sendto"}


def record(arguments, folder, log, stdin=b"", env=None):
    """Runs a program in `folder`; (Recording, what subprocess.run says). A recording that does not lead to
    what the folder has afterwards is wrong, and an error."""
    before = snapshot(folder)
    done = subprocess.run([*strace(log), "--", *arguments], cwd=folder, input=stdin, capture_output=True,
                          timeout=600, check=False, env=env)
    return recording_of(log, folder, before), done


def recording_of(log, folder, before):
    recording = Recording(folder, before)
    for call in calls_of(log):
        recording.take(call)
    there = State(recording, len(recording.events), "killed").tree()
    here = snapshot(folder)
    if there != here:
        raise Unknown(f"the recording leads to another folder: {differences(there, here)}")
    return recording


def differences(a, b):
    names = sorted(n for n in {**a, **b} if a.get(n) != b.get(n))
    return ", ".join(f"{n} ({length(a.get(n))} and {length(b.get(n))})" for n in names)


def length(content):
    return "absent" if content is None else len(content)


# --- after a power cut ---


class State:
    """The folder after the first `n` events; the way is killed, synced or random (then by `rng`).
    `without(event, recording)` true: that sync is left out."""

    def __init__(self, recording, n, way, rng=None, without=None):
        self.recording, self.rng = recording, rng
        self.files, self.folders, self.pending = {}, {}, {}
        for number, content in recording.base.items():
            if isinstance(content, dict):
                self.folders[number] = dict(content)
            else:
                self.files[number] = bytearray(content)
        for event in recording.events[:n]:
            if event[0] == "sync":
                if without is None or not without(event, recording):
                    self.flush(event[1])
            elif event[0] != "said":
                self.pending.setdefault(event[1], []).append(event)
        for number in list(self.pending):
            if way == "killed":
                self.flush(number)
            elif way == "random":
                self.flush_some(number)

    def flush(self, number):
        for event in self.pending.pop(number, ()):
            self.apply(event)

    def flush_some(self, number):
        rng, events = self.rng, self.pending.pop(number)
        if events[0][0] in ("link", "unlink", "rename"):
            for event in events[:rng.randrange(len(events) + 1)]:
                self.apply(event)
            return
        share = rng.choice((0.1, 0.5, 0.9, 1))
        for event in events:
            if rng.random() >= share:
                continue
            if event[0] == "write" and rng.random() < 0.3:
                self.tear(event)
            else:
                self.apply(event)

    def tear(self, event):
        """Some sectors of a write."""
        _, number, at, data = event
        start = 0
        while start < len(data):
            end = min(len(data), start + SECTOR - (at + start) % SECTOR)
            if self.rng.random() < 0.5:
                self.apply(("write", number, at + start, data[start:end]))
            start = end

    def apply(self, event):
        kind, number = event[:2]
        if kind == "write":
            _, _, at, data = event
            file = self.files.setdefault(number, bytearray())
            if len(file) < at:
                file.extend(bytes(at - len(file)))
            file[at:at + len(data)] = data
        elif kind == "trunc":
            file = self.files.setdefault(number, bytearray())
            del file[event[2]:]
            file.extend(bytes(event[2] - len(file)))
        else:
            names = self.folders.setdefault(number, {})
            if kind == "link":
                names[event[2]] = event[3]
            elif kind == "unlink":
                names.pop(event[2], None)
            else:
                names.pop(event[2], None)
                names[event[3]] = event[4]

    def tree(self, number=None):
        """As snapshot() has it."""
        found = {}
        for name, below in self.folders.get(self.recording.root.number if number is None else number, {}).items():
            kind, target = self.recording.kinds[below]
            if kind == "folder":
                found[name] = self.tree(below)
            elif kind == "link":
                found[name] = ("link", target)
            else:
                found[name] = bytes(self.files.get(below, b""))
        return found


def lay(tree, folder):
    """Writes what tree() says into a new folder."""
    os.mkdir(folder)
    for name, content in tree.items():
        path = os.path.join(folder, name)
        if isinstance(content, dict):
            lay(content, path)
        elif isinstance(content, tuple):
            os.symlink(content[1], path)
        else:
            with open(path, "wb") as file:
                file.write(content)
