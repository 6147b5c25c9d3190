#!/bin/bash
# On a terminal one key answers, without Enter; other keys ask again; the terminal is left as it was.
set -eu

ppmine -q init
ppmine -q load "$ROOT/studies/dlperf/sample/Posts.xml"
cat >press.py <<'EOP'
import fcntl, os, pty, select, signal, subprocess, sys, termios

PROMPT = b"q(uit): "


def press(coder, keys, ahead=b""):
    """Each key when it is asked for, some ahead of that; returns the exit code and how often it asked."""
    ours, theirs = pty.openpty()
    os.write(ours, ahead)
    before = termios.tcgetattr(theirs)
    run = subprocess.Popen(["ppmine", "-q", "screen", "--coder", coder], stdin=theirs, stdout=theirs,
                           stderr=theirs, start_new_session=True,
                           preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    said, asked, pressed = b"", 0, 0
    while run.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            said += os.read(ours, 65536)
        while said.count(PROMPT) > asked: # one read may bring two
            asked += 1
            if asked <= len(ahead):
                continue
            assert pressed < len(keys), "it asks more often than keys were pressed"
            os.write(ours, keys[pressed])
            pressed += 1
    assert pressed == len(keys), (pressed, keys)
    assert termios.tcgetattr(theirs) == before, "the terminal is not what it was"
    return run.returncode, asked


assert press("ann", [b"y", b"n", b"x", b"u", b"q"]) == (0, 5)
assert press("bob", [b"y\n", b"n\n", b"u\n", b"\x03"]) == (-signal.SIGINT, 4)  # Enter is no answer
assert press("cyd", [b"n", b"\x04"]) == (0, 2)
# Pressed twice: the second key is not an answer about the next post, which was not shown yet.
assert press("fay", [b"nn", b"yyy", b"q"]) == (0, 3)
# Typed before the first question, while the terminal still gathers lines
assert press("dan", [b"q"], ahead=b"n") == (0, 2)
assert press("eve", [], ahead=b"\x04") == (0, 1)
EOP
timeout 120 python3 press.py
answers() { sqlite3 ppmine.db "SELECT group_concat(answer, ' ') FROM (SELECT answer FROM screening_read WHERE coder = '$1' ORDER BY place)"; }
for coder in ann bob cyd dan fay; do answers "$coder"; done >said
printf 'yes no unsure\nyes no unsure\nno\nno\nno yes\n' | diff - said
