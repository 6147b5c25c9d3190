#!/bin/bash
# The language server, spoken to as an editor does: diagnostics on open and change, code actions
# whose edits, applied, leave nothing to report, errors for what it does not know.
set -eu

python3 - "$PPMINE" <<'EOF'
import json, subprocess, sys

server = subprocess.Popen([sys.argv[1], "-q", "check", "--lsp", "--no-config"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()

def receive():
    length = None
    while (line := server.stdout.readline().strip()):
        name, value = line.split(b":")
        if name == b"Content-Length":
            length = int(value)
    return json.loads(server.stdout.read(length))

def offset(text, position):
    line = text.split("\n")[position["line"]]
    units = line.encode("utf-16-le")[:2 * position["character"]]
    before = sum(len(l) + 1 for l in text.split("\n")[:position["line"]])
    return before + len(units.decode("utf-16-le"))

uri = "file:///w/with%20blank/train.py"
# 😀 is two units of UTF-16, one character, four bytes.
text = ('import tensorflow as tf\n\n'
        'x = "😀é"; ds = tf.data.TFRecordDataset(x).map(lambda r: tf.io.decode_png(r))\n')
send(id=1, method="initialize", params={"capabilities": {}})
assert receive()["result"]["capabilities"]["textDocumentSync"]["change"] == 1
send(method="initialized", params={})
send(method="textDocument/didOpen", params={"textDocument": {
    "uri": uri, "languageId": "python", "version": 1, "text": text}})
said = receive()
assert said["method"] == "textDocument/publishDiagnostics" and said["params"]["uri"] == uri, said
[found] = said["params"]["diagnostics"]
assert (found["code"], found["severity"]) == ("PP301", 2), found
start, end = (offset(text, found["range"][k]) for k in ("start", "end"))
assert text[start:end] == "map(lambda r: tf.io.decode_png(r))", text[start:end]

send(id=2, method="textDocument/codeAction", params={
    "textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}})
[action] = receive()["result"]
[edit] = action["edit"]["changes"][uri]
start, end = (offset(text, edit["range"][k]) for k in ("start", "end"))
fixed = text[:start] + edit["newText"] + text[end:]
assert "decode_png(r), num_parallel_calls=tf.data.experimental.AUTOTUNE)" in fixed, fixed

send(method="textDocument/didChange", params={
    "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": fixed}]})
assert receive()["params"]["diagnostics"] == []
send(id=3, method="textDocument/codeAction", params={
    "textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": []}})
assert receive()["result"] == []
send(id="four", method="workspace/symbol", params={})
said = receive()
assert said["id"] == "four" and said["error"]["code"] == -32601, said
send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
assert receive()["params"] == {"uri": uri, "diagnostics": []}

# A notebook is edited as JSON: places are in the JSON, and there is no fix to be applied to it.
code = ['import tensorflow as tf\n', 'a = "😀\t\\"; ds = tf.data.TFRecordDataset(a).map(lambda r: tf.io.decode_png(r))\n', 'b = 1']
for ascii in (True, False):
    for source in (code, "".join(code)):
        cells = [{"cell_type": "markdown", "source": ["x"]}, {"cell_type": "code", "source": source}]
        text = json.dumps({"cells": cells, "nbformat": 4}, indent=1, ensure_ascii=ascii)
        send(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///w/a.ipynb", "text": text}})
        [found] = receive()["params"]["diagnostics"]
        start, end = (offset(text, found["range"][k]) for k in ("start", "end"))
        assert text[start:end] == "map(lambda r: tf.io.decode_png(r))", text[start:end]
        send(id=7, method="textDocument/codeAction", params={"textDocument": {"uri": "file:///w/a.ipynb"},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
        assert receive()["result"] == []

# Half of a surrogate pair, and a NUL: the document is checked all the same.
for odd in ("\ud83d", "\ude00x", "\0"):
    text = 'import tensorflow as tf\nx = "%s"; ds = tf.data.TFRecordDataset(x).map(lambda r: tf.io.decode_png(r))\n' % odd
    send(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///w/odd.py", "text": text}})
    said = receive()
    assert "params" in said, said
    if odd != "\0": # which ends no Python file, but its line
        [found] = said["params"]["diagnostics"]
        units = text.split("\n")[1].encode("utf-16-le", "surrogatepass")
        start, end = (2 * found["range"][k]["character"] for k in ("start", "end"))
        assert units[start:end].decode("utf-16-le") == "map(lambda r: tf.io.decode_png(r))", found

server.stdin.write(b"Content-Length: 3\r\n\r\n{x}")
server.stdin.flush()
assert receive()["error"]["code"] == -32700
send(id=5, method="shutdown")
assert receive()["result"] is None
send(method="exit")
assert server.wait(20) == 0

# An editor that dies is no success.
gone = subprocess.run([sys.argv[1], "-q", "check", "--lsp"], input=b"", capture_output=True)
assert gone.returncode == 3, gone
EOF
