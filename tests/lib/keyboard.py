"""Drives a program in a pseudo-terminal: types keys, reads what it shows, counts both."""
import errno
import os
import pty
import re
import select
import signal
import termios
import time


class Keyboard:
    def __init__(self, argv, rows=40, columns=110, **variables):
        self.seen, self.n_keys, self.status = "", 0, None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", **variables})
            os.execvp(argv[0], argv)
        import fcntl
        import struct
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """What came within that time; None at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return ""
        try:
            data = os.read(self.fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.seen += data.decode(errors="replace")
        return data or None

    def wait_for(self, pattern, seconds=20):
        """Until the pattern is shown; then what was before is forgotten."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen)):
            if self.read(0.2) is None or time.monotonic() > end:
                raise SystemExit(f"not shown: {pattern!r}, but: {self.seen[-2000:]!r}")
        before, self.seen = self.seen[:found.start()], self.seen[found.end():]
        return before

    def type(self, keys):
        self.n_keys += len(keys)
        os.write(self.fd, keys.encode())

    def is_raw(self):
        return not termios.tcgetattr(self.fd)[3] & (termios.ICANON | termios.ECHO)

    def wait_raw(self, raw, seconds=20):
        end = time.monotonic() + seconds
        while self.is_raw() != raw:
            if time.monotonic() > end:
                raise SystemExit(f"the terminal does not become {'raw' if raw else 'as before'}")
            time.sleep(0.01)

    def kill(self, number=signal.SIGKILL):
        os.kill(self.pid, number)
        return self.end()

    def end(self, seconds=20):
        """Its exit code, negative for a signal."""
        end = time.monotonic() + seconds
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif self.read(0.05) is None:
                time.sleep(0.02)
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise SystemExit(f"it does not end; shown: {self.seen[-500:]!r}")
        return self.status
