"""What an editor shows is what the command line finds in the same text.

    check_editor.py PPMINE FOLDER [SEED [STEPS]]

A project of cases of the rules, with a pyproject.toml, a .gitignore and a folder that is left out, is edited at random: documents
are opened, changed, saved, closed and renamed. After each step the diagnostics are compared with a run over a copy that has the
unsaved texts on disk, by rule and range in units of UTF-16.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import check_cases

ALL = ["--impact", "low", "--certainty", "likely"]
NEAREST = "[tool.ppmine]\nignore = [\"PP\"]\n"
CONFIG = """[tool.ppmine]
exclude = ["pkg/c1/"]
[tool.ppmine.per-file-ignores]
"pkg/c2/*" = ["PP3", "PP4", "PP6"]
"""
INSERTED = ["# 😀é", "x_ = '😀'; ", "((", "'''", "\t", "pass", "import torch\n", "import tensorflow as tf\n", "# ppmine: ignore\n", "\n\n", "\r\n"]


class Editor:
    def __init__(self, ppmine, root, start):
        self.server = subprocess.Popen([ppmine, "-q", "check", "--lsp", *ALL], cwd=start, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.root, self.texts, self.version = root, {}, 0
        self.send(id=1, method="initialize", params={"capabilities": {}})
        self.receive()

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def receive(self):
        length = int(self.server.stdout.readline().split(b":")[1])
        self.server.stdout.readline()
        return json.loads(self.server.stdout.read(length))

    def uri(self, name):
        return "file://" + os.path.join(self.root, name).replace(" ", "%20")

    def shown(self):
        """The next diagnostics: the file, and their rules and ranges."""
        params = self.receive()["params"]
        name = os.path.relpath(params["uri"][7:].replace("%20", " "), self.root)
        return name, sorted((d["code"], *(d["range"][end][at] for end in ("start", "end") for at in ("line", "character")))
                            for d in params["diagnostics"])

    def tell(self, method, name, **params):
        self.version += 1
        self.send(method="textDocument/" + method,
                  params={"textDocument": {"uri": self.uri(name), "languageId": "python", "version": self.version,
                                           **({"text": self.texts[name]} if method == "didOpen" else {})}, **params})

    def end(self):
        self.send(id=2, method="shutdown")
        self.receive()
        self.send(method="exit")
        assert self.server.wait() == 0


def units(line, column):
    """The code units before a column of the command line."""
    return len(line[:column - 1].encode("utf-16-le")) // 2


def found_in(ppmine, root, texts):
    done = subprocess.run([ppmine, "-q", "check", *ALL, "--format", "json", "."], cwd=root, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = {name: [] for name in texts}
    for f in json.loads(done.stdout)["findings"]:
        if f["file"] in texts:
            lines = texts[f["file"]].split("\n")
            found[f["file"]].append((f["rule"], f["line"] - 1, units(lines[f["line"] - 1], f["column"]), f["end_line"] - 1,
                                     units(lines[f["end_line"] - 1], f["end_column"])))
    return {name: sorted(all_of) for name, all_of in found.items()}


def put(root, name, text):
    os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
    with open(os.path.join(root, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def edited(chance, text):
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    act = chance.random()
    if act < .3:
        where = chance.randrange(len(text) + 1)
        return text[:where] + chance.choice(INSERTED) + text[where:]
    if act < .5:
        del lines[at]
    elif act < .7:
        lines.insert(chance.randrange(len(lines) + 1), lines[at])
    elif act < .8:
        lines[at] += "  # 😀 ppmine: ignore"
    else:
        lines[at] = "'😀'; " + lines[at] if not lines[at].startswith(" ") else lines[at] + " "
    return "\n".join(lines)


def begin(chance, cases, root):
    os.makedirs(os.path.join(root, ".git"))
    put(root, "pyproject.toml", CONFIG)
    put(root, ".gitignore", "c3/\n")
    for number in (0, 4):  # the table that is nearest to a file is the file's
        put(root, "pkg/c%d/pyproject.toml" % number, NEAREST)
    several = [case for case in cases if len(case.files) > 1]
    chosen = chance.sample(several, 4) + chance.sample([case for case in cases if len(case.files) == 1], 8)
    disk = {}
    for number, case in enumerate(chosen):
        for name, lines in case.files.items():
            if name.endswith(".py"):
                disk[f"pkg/c{number} x/{name}" if number == 5 else f"pkg/c{number}/{name}"] = "\n".join(lines)
    for name, text in disk.items():
        put(root, name, text)
    return disk


def run(ppmine, cases, seed, steps):
    chance = random.Random(seed)
    folder = os.path.realpath(tempfile.mkdtemp())
    root, copy = os.path.join(folder, "project"), os.path.join(folder, "copy")
    disk = begin(chance, cases, root)
    shutil.copytree(root, copy)
    editor = Editor(ppmine, root, chance.choice(["/", root, os.path.join(root, "pkg")]))
    compared = 0
    for step in range(steps):
        closed = sorted(set(disk) - set(editor.texts))
        act = chance.choice(["open", "edit", "edit", "edit", "save", "close", "rename"])
        name = chance.choice(closed if act == "open" and closed else sorted(editor.texts) or closed)
        waited = 1
        if name not in editor.texts:
            act, editor.texts[name] = "open", disk[name]
            editor.tell("didOpen", name)
        elif act in ("open", "edit"):
            editor.texts[name] = chance.choice([edited(chance, editor.texts[name]), disk[name]] + [edited(chance, disk[name])] * 3)
            put(copy, name, editor.texts[name])
            editor.tell("didChange", name, contentChanges=[{"text": "wrong"}, {"text": editor.texts[name]}])
        elif act == "save":
            disk[name] = editor.texts[name]
            put(root, name, disk[name])
            editor.tell("didSave", name)
            waited = len(editor.texts)
        else:
            del editor.texts[name]
            if act == "rename":
                disk[name.replace(".py", "_.py")] = disk.pop(name)
                os.rename(os.path.join(root, name), os.path.join(root, name.replace(".py", "_.py")))
                os.remove(os.path.join(copy, name))
                name = name.replace(".py", "_.py")
            put(copy, name, disk[name])
            editor.tell("didClose", name.replace("_.py", ".py") if act == "rename" else name)
            assert editor.shown()[1] == []
            waited = len(editor.texts)
        wanted = found_in(ppmine, copy, editor.texts)
        for _ in range(waited):
            name, shown = editor.shown()
            assert shown == wanted[name], (f"seed {seed}, step {step}: {act} {name}: the editor shows", shown, wanted[name], folder)
            compared += len(shown)
    editor.end()
    shutil.rmtree(folder)
    return compared


def main():
    ppmine, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    seed, steps = (int(text) for text in (sys.argv[3:] + ["1", "60"][len(sys.argv) - 3:])[:2])
    cases = [case for rule in sorted(os.listdir(root)) for case in check_cases.read_cases(os.path.join(root, rule, "bad.py"))]
    compared = run(ppmine, cases, seed, steps)
    assert compared > 10 or steps < 60, compared
    print(f"seed {seed}: {compared} diagnostics are what the command line finds")


if __name__ == "__main__":
    main()
