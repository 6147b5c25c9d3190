#!/bin/bash
# The language server, spoken to as an editor does: diagnostics on open and change, code actions
# whose edits, applied, leave nothing to report, errors for what it does not know.
set -eu

python3 - "$PPMINE" <<'EOF'
import json, os, subprocess, sys

def begin():
    return subprocess.Popen([sys.argv[1], "-q", "check", "--lsp", "--no-config", "--impact", "low"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

server = begin()

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

# What comes before initialize, after shutdown, or of a document that is not open, changes nothing. Names of headers
# have any case.
server = begin()
send(id=1, method="textDocument/codeAction", params={})
assert receive()["error"]["code"] == -32002
change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
opened = {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": "import tensorflow as tf\n"}}
send(method="textDocument/didOpen", params=opened)
body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "initialize"}).encode()
server.stdin.write(b"content-LENGTH: %d\r\nContent-Type: x\r\n\r\n%s" % (len(body), body))
server.stdin.flush()
assert receive()["id"] == 2
send(method="textDocument/didChange", params=change)
send(method="textDocument/didClose", params=change)
send(method="textDocument/didOpen", params=opened)
assert receive()["params"] == {"uri": uri, "diagnostics": []}
send(method="textDocument/didClose", params=opened)
assert receive()["params"] == {"uri": uri, "diagnostics": []}
send(method="textDocument/didChange", params=change)
send(id=3, method="textDocument/codeAction", params={"textDocument": {"uri": uri}, "range": found["range"]})
assert receive() == {"jsonrpc": "2.0", "id": 3, "result": []}
send(id=4, method="shutdown")
assert receive()["id"] == 4
send(method="textDocument/didOpen", params=opened)
send(id=5, method="shutdown")
assert receive()["error"]["code"] == -32600
send(method="exit")
assert server.wait(20) == 0

# A file that others import: edited and saved, what is found in those is told, as it is when they are checked.
folder = os.path.realpath("two")
os.makedirs(folder + "/.git")
texts = {"data.py": "import tensorflow as tf\n\ndef read(x):\n    return tf.io.decode_png(x)\n",
         "train.py": "import tensorflow as tf\nfrom data import read\n\nds = tf.data.TFRecordDataset('x').map(read)\n"}
server = begin()
send(id=1, method="initialize", params={"capabilities": {}})
receive()
shown = {}

def tell(method, name, count):
    document = {"uri": f"file://{folder}/{name}", "version": 1, "languageId": "python", "text": texts[name]}
    send(method="textDocument/" + method, params={"textDocument": document, "contentChanges": [{"text": texts[name]}]})
    for _ in range(count):
        said = receive()["params"]
        shown[os.path.basename(said["uri"])] = sorted((d["code"], d["severity"], d["range"]["start"]["line"] + 1)
                                                      for d in said["diagnostics"])

def checked():
    done = subprocess.run([sys.argv[1], "-q", "check", "--no-config", "--impact", "low", "--certainty", "certain",
                           "--format", "json", folder], capture_output=True)
    levels = {"high": 2, "medium": 3, "low": 4}
    found = [(f["file"], f["rule"], levels[f["impact"]], f["line"]) for f in json.loads(done.stdout)["findings"]]
    return {name: sorted(f[1:] for f in found if f[0].endswith("/" + name)) for name in texts}

for name in texts:
    tell("didOpen", name, 1)
light = texts["data.py"].replace("tf.io.decode_png(x)", "x")
heavy = texts["data.py"]
said = []
for texts["data.py"] in light, heavy:
    tell("didChange", "data.py", 1)
    for name in texts:
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(texts[name])
    tell("didSave", "data.py", 2)
    assert shown == checked(), (shown, checked())
    said.append(shown["train.py"])
assert said[0] != said[1], said
send(id=2, method="shutdown")
receive()
send(method="exit")
assert server.wait(20) == 0

# An editor that dies is no success.
gone = subprocess.run([sys.argv[1], "-q", "check", "--lsp"], input=b"", capture_output=True)
assert gone.returncode == 3, gone
EOF
