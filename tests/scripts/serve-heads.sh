#!/bin/bash
# ppmine serve over real sockets: a head that a proxy may read otherwise than we do is refused and nothing after it
# is answered; 600 connections that send nothing or half a head, from one address as behind a proxy, keep nobody out.
set -eu
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

"$PPMINE" -q -d t.db init
"$PPMINE" -q -d t.db load "$ROOT/studies/dlperf/sample/Posts.xml"
unset PPMINE_NOW
exec python3 -B - <<'PYTHON'
import os, socket, sys, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def ask(server, data):
    """All that comes until the other side ends it."""
    said = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as c:
        c.sendall(data)
        try:
            while got := c.recv(65536):
                said += got
        except ConnectionResetError:  # it did not read what followed
            pass
    return said

GET, POST, ALSO = b"GET /style.css HTTP/1.1\r\n", b"POST /api/decide HTTP/1.1\r\n", b"GET /page.js HTTP/1.1\r\nHost: %s\r\n\r\n"
CHUNKS, CHUNKED, TEN = b"2\r\n{}\r\n0\r\n\r\n", b"Transfer-Encoding: chunked\r\n", b"v" * 200
REFUSED = {  # name: (first line, header lines after Host, body)
    "two lengths": (POST, b"Content-Length: 2\r\nContent-Length: 3\r\n", b"{} "),
    "the same length twice": (POST, b"Content-Length: 2\r\nContent-Length: 2\r\n", b"{}"),
    "a list of lengths": (POST, b"Content-Length: 2, 2\r\n", b"{}"),
    "a sign": (POST, b"Content-Length: +2\r\n", b"{}"),
    "a negative length": (POST, b"Content-Length: -2\r\n", b"{}"),
    "a hexadecimal length": (POST, b"Content-Length: 0x2\r\n", b"{}"),
    "an empty length": (POST, b"Content-Length: \r\n", b"{}"),
    "a length and chunks": (POST, b"Content-Length: 12\r\n" + CHUNKED, CHUNKS),
    "chunks and a length": (POST, CHUNKED + b"Content-Length: 12\r\n", CHUNKS),
    "a blank before the colon": (POST, b"Transfer-Encoding : chunked\r\n", CHUNKS),
    "a tab before the colon": (POST, b"Content-Length\t: 2\r\n", b"{}"),
    "another encoding": (POST, b"Transfer-Encoding: xchunked\r\n", CHUNKS),
    "two encodings": (POST, b"Transfer-Encoding: gzip, chunked\r\n", CHUNKS),
    "encodings twice": (POST, CHUNKED + b"Transfer-Encoding: identity\r\n", CHUNKS),
    "chunks in HTTP/1.0": (b"POST /api/decide HTTP/1.0\r\n", CHUNKED, CHUNKS),
    "a control character before chunked": (POST, b"Transfer-Encoding:\x0bchunked\r\n", CHUNKS),
    "a negative chunk": (POST, CHUNKED, b"-1\r\n{}\r\n0\r\n\r\n"),
    "a chunk with a sign": (POST, CHUNKED, b"+2\r\n{}\r\n0\r\n\r\n"),
    "a chunk of 0x": (POST, CHUNKED, b"0x2\r\n{}\r\n0\r\n\r\n"),
    "a chunk without its end": (POST, CHUNKED, b"2\r\n{}XX0\r\n\r\n"),
    "NUL in a value": (GET, b"X: a\0b\r\nY: c\r\n", b""),
    "NUL in the last value": (GET, b"X: a\0b\r\n", b""),
    "NUL after the last value": (GET, b"X: a\0\0\r\n", b""),
    "NUL in a name": (GET, b"X\0: a\r\n", b""),
    "NUL before a value": (GET, b"X:\0 a\r\n", b""),
    "NUL in the address": (b"GET /style.css\0x HTTP/1.1\r\n", b"", b""),
    "NUL after the method": (b"GET\0 /style.css HTTP/1.1\r\n", b"", b""),
    "NUL after the version": (b"GET /style.css HTTP/1.1\0\r\n", b"", b""),
    "a folded line": (GET, b"X: a\r\n b\r\nY: c\r\n", b""),
    "a folded last line": (GET, b"X: a\r\n b\r\n", b""),
    "a folded Host": (GET, b" .evil.example\r\n", b""),
    "a lone LF": (GET, b"X: a\nY: b\r\n", b""),
    "a lone LF at the end": (GET, b"X: a\n", b""),
    "a lone LF after the first line": (b"GET /style.css HTTP/1.1\n", b"", b""),
    "a lone CR": (GET, b"X: a\rContent-Length: 5\r\n", b""),
    "two CR": (GET, b"X: a\r\r\n", b""),
    "a control character": (GET, b"X: \x01\r\n", b""),
    "no colon": (GET, b"X\r\n", b""),
    "no name": (GET, b": x\r\n", b""),
    "a blank in a name": (GET, b"X Y: x\r\n", b""),
    "Host twice": (GET, b"Host: evil.example\r\n", b""),
    "Origin twice": (GET, b"Origin: http://a\r\nOrigin: http://a\r\n", b""),
    "an address with a host": (b"GET http://evil.example/style.css HTTP/1.1\r\n", b"", b""),
    "an address with our host": (b"GET http://%s/style.css HTTP/1.1\r\n", b"", b""),
    "CONNECT": (b"CONNECT evil.example:80 HTTP/1.1\r\n", b"", b""),
    "two blanks in the first line": (b"GET  /style.css HTTP/1.1\r\n", b"", b""),
    "HTTP/1.2": (b"GET /style.css HTTP/1.2\r\n", b"", b""),
    "no version": (b"GET /style.css\r\n", b"", b""),
}
TAKEN = {
    "plain": (GET, b"", b""),
    "blanks around values": (GET, b"X:   a  \r\nY:b\r\nZ:\r\n", b""),
    "bytes that are not ASCII": (GET, "X: é\r\n".encode(), b""),
    "a large head": (GET, b"".join(b"X-%d: %s\r\n" % (i, TEN) for i in range(120)), b""),
    "a query": (b"GET /style.css?a=%41&b=2 HTTP/1.1\r\n", b"", b""),
    "a length": (b"GET /style.css HTTP/1.1\r\n", b"Content-Length: 2\r\n", b"{}"),
    "chunks": (b"GET /style.css HTTP/1.1\r\n", CHUNKED, CHUNKS),
}

def request(server, line, lines, body, last):
    host = server.host.encode()
    return line.replace(b"%s", host) + b"Host: " + host + b"\r\n" + lines + (b"Connection: close\r\n" if last else b"") + b"\r\n" + body

with Server("t.db", "ann") as s:
    for name, (line, lines, body) in REFUSED.items():
        said = ask(s, request(s, line, lines, body, False) + ALSO % s.host.encode())
        assert said.startswith(b"HTTP/1.1 400 "), (name, said[:200])
        assert b" 200 OK" not in said, (name, "what followed was answered", said[:2000])
    for name, (line, lines, body) in TAKEN.items():
        said = ask(s, request(s, line, lines, body, False) + request(s, GET, b"", b"", True))
        assert said.count(b"HTTP/1.1 200 OK") == 2, (name, said[:300])
    # A head that comes byte by byte is the same head.
    with socket.create_connection(("127.0.0.1", s.port), timeout=20) as c:
        for part in request(s, GET, b"X: " + b"a" * 3000 + b"\r\nY: b\r\n", b"", True):
            c.sendall(bytes([part]))
        assert c.recv(100).startswith(b"HTTP/1.1 200 OK")

    # --- connections that send nothing ---
    def page(kept):
        kept.sendall(b"GET /code/140 HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n" % (s.host.encode(), s.cookie.encode()))
        head = b""
        while b"\r\n\r\n" not in head:
            got = kept.recv(1)
            assert got, "the connection of a coder was ended"
            head += got
        left = int(head.lower().split(b"content-length: ")[1].split()[0])
        while left > 0:
            left -= len(kept.recv(left))
        assert head.startswith(b"HTTP/1.1 200 OK"), head

    kept = socket.create_connection(("127.0.0.1", s.port), timeout=20)
    page(kept)
    began = time.monotonic()
    silent = []
    for i in range(600):
        c = socket.create_connection(("127.0.0.1", s.port), timeout=20)
        c.sendall([b"", b"GET /code HTTP/1.1\r\nHost: x\r\n", b"POST /api/decide HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"][i % 3])
        silent.append(c)
        if i % 100 == 50:
            asked = time.monotonic()
            assert s.get("/code/140").status == 200
            page(kept)
            assert time.monotonic() - asked < 2, time.monotonic() - asked
    asked = time.monotonic()
    assert s.get("/code/140").status == 200
    page(kept)
    assert time.monotonic() - asked < 2, time.monotonic() - asked
    # Those that are left go too.
    last = silent[-3:-1]
    for c in last:
        c.settimeout(16)
        assert c.recv(100) == b"", "a connection that sends nothing stays"
    assert 8 < time.monotonic() - began
    for c in silent:
        c.close()
PYTHON
