"""What runs on an executor: a piece of a file goes through ppmine.

As a module, records(task) gives blocks of whole lines that ppmine printed. As a program, for
rdd.pipe, it reads tasks from standard input, one JSON object on each line, and prints the lines; the
last line for each task is COUNTS and what ppmine counted, or FAILED and why it failed.

ppmine reads its bytes of a plain local file itself; of others it gets them through a pipe, in large
blocks. Python looks at no record but for where the first and the last one begin.

Standard library only, and pyarrow for files that are not local.
"""

import fcntl
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import uuid

try:
    from . import pieces
except ImportError:  # as a program: beside it
    import pieces

BLOCK = 1 << 20
COUNTS, FAILED = "#counts ", "#failed "
SHIPPED = "shipped:"  # before an argument that is the name of a file that came with the job
WORDS_MAX = 4000
LINES_OF_SPARK = "lines of Spark"  # the kind of a piece that is no part of a file
F_SETPIPE_SZ = getattr(fcntl, "F_SETPIPE_SZ", 1031)


class Failed(Exception):
    """A task that cannot be done; with words for the user."""


# --- the program and the study, which travel with the job ---

def find_program(task):
    """The program that was shipped with the job, else the one on the executor's PATH."""
    name = task["program"]
    shipped = os.path.join(task["files"], name) if task["files"] else name
    if os.path.isfile(shipped):
        if not os.access(shipped, os.X_OK):
            os.chmod(shipped, 0o755)  # shipping files does not keep modes everywhere
        return os.path.abspath(shipped)
    found = shutil.which(name)
    if found is None:
        raise Failed(f"the program {name} is not on this executor ({os.uname().nodename}): it is"
                     f" neither at {shipped} nor on the PATH; ship it with --program or --files")
    return found


def unpack_study(task):
    """The folder of the study that was shipped as a tar file; it is unpacked once."""
    if not task.get("study"):
        return None
    packed = os.path.join(task["files"], task["study"])
    folder = packed + ".d"
    if os.path.isdir(folder):
        return folder
    if not os.path.isfile(packed):
        raise Failed(f"the study is not on this executor: no {packed}; ship it with --study")
    fresh = tempfile.mkdtemp(dir=os.path.dirname(packed) or ".")
    with tarfile.open(packed) as tar:
        for member in tar.getmembers():
            if not member.isfile() or os.path.basename(member.name) != member.name:
                raise Failed(f"{packed}: {member.name} is no file of a study")
            tar.extract(member, fresh)
    try:
        os.rename(fresh, folder)
    except OSError:  # another task was faster
        shutil.rmtree(fresh)
    return folder


# --- files ---

def open_file(path):
    """A binary file, local or of any file system that pyarrow knows."""
    if path.startswith("file:"):
        path = "/" + path[len("file:"):].lstrip("/")
    if "://" not in path:
        return open(path, "rb", buffering=0)
    from pyarrow import fs
    system, inside = fs.FileSystem.from_uri(path)
    return system.open_input_file(inside)


def _boundary(file, piece, at):
    """Where the first record begins whose mark is at `at` or behind it."""
    size = piece["size"]
    if at <= 0 or at >= size:
        return min(max(at, 0), size)
    file.seek(at)
    base, text = at, b""
    while True:
        more = file.read(BLOCK)
        text += more
        found = pieces.find_record(piece["form"], text, 0)
        if found is not None:
            return base + found[1]
        if not more:
            return size
        kept = text[-pieces.MARK_BYTES:]
        base += len(text) - len(kept)
        text = kept


def _set_range(piece, file):
    """The bytes of the records of a piece, where they are not compressed."""
    size = file.seek(0, os.SEEK_END)
    if size != piece["size"]:
        raise Failed(f"{piece['path']}: it has {size} bytes, and had {piece['size']} when the job was"
                     " planned: do not change files while they are read")
    piece["begin"], piece["stop"] = piece["start"], piece["end"]
    if piece["kind"] == pieces.PLAIN:
        piece["begin"] = _boundary(file, piece, piece["start"])
        piece["stop"] = max(piece["begin"], _boundary(file, piece, piece["end"]))


# --- feeding ---

def _texts_of(piece, file):
    if piece["kind"] in (pieces.PLAIN, pieces.WHOLE):
        return _range_of(piece, file)
    return pieces.own_texts(piece, pieces.texts(piece, file))


def _range_of(piece, file):
    at, end = piece["begin"], piece["stop"]
    file.seek(at)
    while at < end:
        text = file.read(min(BLOCK, end - at))
        if not text:
            raise Failed(f"ends at byte {at}, not at {end}: it became shorter")
        at += len(text)
        yield text


class Feeder(threading.Thread):
    """Writes texts into a pipe. `error` says why it could not, `fed` how many bytes it was."""

    def __init__(self, texts, pipe):
        super().__init__(daemon=True)
        self.texts, self.pipe = texts, pipe
        self.fed, self.error = 0, None

    def run(self):
        try:
            for text in self.texts:
                self._write(text)
        except BrokenPipeError:
            pass  # the program ended early, and says why
        except Exception as error:  # whatever it is, the piece is not whole
            self.error = error
        finally:
            os.close(self.pipe)

    def _write(self, data):
        view = memoryview(data)
        while view:
            done = os.write(self.pipe, view[:BLOCK])
            self.fed += done
            view = view[done:]


# --- a task ---

def _find_argument(task, argument):
    if not argument.startswith(SHIPPED):
        return argument
    path = os.path.join(task["files"], argument[len(SHIPPED):])
    if not os.path.isfile(path):
        raise Failed(f"the file {path} is not on this executor ({os.uname().nodename})")
    return path


def _command(task, counts, own_read):
    piece = task["piece"]
    arguments = [_find_argument(task, argument) for argument in task["arguments"]]
    command = [find_program(task), *arguments, "--counts", f"/dev/fd/{counts}"]
    if piece["kind"] not in (pieces.WHOLE, LINES_OF_SPARK):
        command += ["--piece-at", str(piece["begin"])]
    if own_read:
        command += ["--bytes", str(piece["stop"] - piece["begin"])]
    study = unpack_study(task)
    return command + (["--study", study] if study else [])


def name_of(piece):
    name = piece["path"]
    if piece["kind"] in (pieces.WHOLE, LINES_OF_SPARK):
        return name
    return f"{name}, bytes {piece['start']} to {piece['end']}"


def _lines(stream):
    """Blocks of whole lines."""
    rest = b""
    while True:
        data = stream.read(BLOCK)
        if not data:
            break
        end = data.rfind(b"\n") + 1
        if end == 0:
            rest += data
            continue
        yield rest + data[:end]
        rest = data[end:]
    if rest:
        yield rest


class Running:
    """The program with a piece on its standard input, or with the given texts."""

    def __init__(self, task, texts=None):
        self.piece = task["piece"]
        self.words = tempfile.TemporaryFile()
        self.counts_file = tempfile.TemporaryFile()
        self.feeder = self.file = self.out = None
        if task.get("out"):
            # Each attempt has a file of its own; the driver takes those of attempts that ended well.
            self.out = open(os.path.join(task["out"], uuid.uuid4().hex), "xb")
        if texts is None:
            self.file = open_file(self.piece["path"])
            _set_range(self.piece, self.file)
        # Compressed files that are read whole are ppmine's own to decompress.
        own_read = (isinstance(self.file, io.FileIO) and
                    self.piece["kind"] in (pieces.PLAIN, pieces.WHOLE))
        if own_read:
            os.lseek(self.file.fileno(), self.piece["begin"], os.SEEK_SET)
            self.process = self._start(task, self.file.fileno(), self.piece["kind"] == pieces.PLAIN)
            return
        reader, writer = os.pipe()
        try:
            fcntl.fcntl(writer, F_SETPIPE_SZ, BLOCK)
        except OSError:
            pass  # more than this user may have: it is slower, and the same
        try:
            self.process = self._start(task, reader, False)
        except BaseException:
            os.close(writer)
            raise
        finally:
            os.close(reader)
        self.feeder = Feeder(_texts_of(self.piece, self.file) if texts is None else texts, writer)
        self.feeder.start()

    def _start(self, task, stdin, own_read):
        counts = self.counts_file.fileno()
        return subprocess.Popen(_command(task, counts, own_read), stdin=stdin,
                                stdout=self.out or subprocess.PIPE, stderr=self.words,
                                pass_fds=(counts,), bufsize=0)

    def _expected(self):
        """How many bytes the program has to read; None: as many as it finds."""
        if self.feeder is not None:
            return self.feeder.fed
        if self.piece["kind"] == pieces.PLAIN:
            return self.piece["stop"] - self.piece["begin"]
        return None

    def end(self):
        """What the program counted; Failed unless all of the piece was read and nothing is missing."""
        if self.feeder is not None:
            self.feeder.join()
        code = self.process.wait()
        self.words.seek(0)
        said = self.words.read(WORDS_MAX).decode("utf-8", "replace").strip()
        name = name_of(self.piece)
        if self.feeder is not None and self.feeder.error is not None:
            raise Failed(f"{name}: {self.feeder.error}")
        if code != 0:
            said = "; ".join(said.split("\n")) or "it said nothing"
            raise Failed(f"{name}: ppmine ended with {code}: {said}")
        self.counts_file.seek(0)
        counts = json.loads(self.counts_file.read())
        expected = self._expected()
        if expected not in (None, counts["bytes"]):
            raise Failed(f"{name}: ppmine read {counts['bytes']} of {expected} bytes")
        counts["words"] = said
        return counts

    def close(self):
        """Ends what still runs, for whatever reason the task is not finished."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.feeder is not None:
            self.feeder.join()
        for file in (self.file, self.counts_file, self.words, self.out, self.process.stdout):
            if file is not None:
                file.close()


def _records(running, counted):
    n_lines = 0
    try:
        if running.out is None:
            for block in _lines(running.process.stdout):
                n_lines += block.count(b"\n")
                yield block
            counted(dict(running.end(), lines=n_lines))
        else:
            counts = running.end()
            counted(dict(counts, out=running.out.name, out_bytes=os.fstat(running.out.fileno()).st_size))
    finally:
        running.close()


def records(task, counted):
    """Blocks of lines that ppmine prints about a piece; counted(counts) at the end. No blocks where
    the task has a folder `out`: there they are in a new file, which the counts name."""
    return _records(Running(task), counted)


def _column_bytes(batches):
    """The bytes of a column of strings, which lie one after the other in Arrow; nobody looks at them."""
    import pyarrow as pa
    for batch in batches:
        column = batch.column(0)
        if column.null_count:
            raise Failed("a post is null")
        wide = pa.types.is_large_string(column.type)
        _, offsets, data = column.buffers()
        if data is None:
            continue
        bounds = memoryview(offsets).cast("q" if wide else "i")
        begin, end = bounds[column.offset], bounds[column.offset + len(column)]
        yield memoryview(data)[begin:end]


def records_of_lines(task, batches, counted):
    """The same of posts as JSON in a column, each with its line end."""
    piece = {"path": "a partition", "kind": LINES_OF_SPARK}
    return _records(Running(dict(task, piece=piece), _column_bytes(batches)), counted)


def main():
    """For rdd.pipe."""
    out = sys.stdout.buffer
    for line in sys.stdin:
        task = json.loads(line)
        counts = []
        try:
            for block in records(task, counts.append):
                out.write(block)
            out.write(f"{COUNTS}{task['number']} {json.dumps(counts[0])}\n".encode())
        except (Failed, pieces.BadFile, OSError, ValueError) as error:
            # On the next stage's side the words reach the user; an exit code alone would not.
            out.write(f"{FAILED}{json.dumps(str(error))}\n".encode())
            out.flush()
            return 1
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
