#!/bin/bash
# One checker: what is found in a project is what is found in its files, each checked by itself, from any folder,
# from standard input and in an editor. The projects are the cases of the rules that have several files, each in a
# project of its own, and all of them in one.
set -eu

python3 - "$PPMINE" "$ROOT" <<'EOF'
import json, os, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(sys.argv[2], "tests/lib"))
import check_cases

ppmine, tests = sys.argv[1], os.path.join(sys.argv[2], "tests/check")
folder = os.path.realpath(tempfile.mkdtemp())

def check(where, *paths, stdin=None):
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "json", *paths], cwd=where,
                          input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)["findings"]
    return {(f["rule"], os.path.normpath(os.path.join(where, f["file"])), f["line"], f["impact"], f["certainty"],
             f["message"]) for f in found}

def files_of(root):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(root) for name in names if name.endswith(".py"))

def compare(root, say):
    """Gives what is found in the project."""
    whole, alone = check(root, "."), set()
    for path in files_of(root):
        found = check(root, os.path.relpath(path, root))
        strange = [f for f in found if f[1] != path]
        assert not strange, (say, "found in a file that was not asked for", strange)
        alone |= found
    assert whole == alone, (say, "only in the project", whole - alone, "only in its files", alone - whole)
    return whole

cases = []
for rule in sorted(os.listdir(tests)):
    for kind in "bad.py", "good.py":
        for case in check_cases.read_cases(os.path.join(tests, rule, kind)):
            if len(case.files) > 1 and len(cases) < 40 and not os.path.exists(os.path.join(folder, rule + str(case.number))):
                cases.append(case)
                check_cases.write_files(case, os.path.join(folder, rule + str(case.number)))
assert len(cases) >= 20, len(cases)

# Each by itself: the folder that the program was started in is the project.
found = {}
for name in sorted(os.listdir(folder)):
    found[name] = compare(os.path.join(folder, name), name)
several = [name for name in found if found[name]]
assert len(several) >= 10, several

# The facts of another file are what makes some of these findings.
lone, gained = tempfile.mkdtemp(), 0
for name in several:
    for path in {f[1] for f in found[name]}:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.makedirs(os.path.join(lone, name), exist_ok=True)
        with open(os.path.join(lone, name, "main.py"), "w", encoding="utf-8") as file:
            file.write(text)
        by_itself = {f[0] + f[5] for f in check(os.path.join(lone, name), "main.py")}
        gained += any(f[0] + f[5] not in by_itself for f in found[name] if f[1] == path)
assert gained >= 5, gained

# From elsewhere, by .git: absolute, from a folder below, from standard input, with an older content on disk.
for name in several[:5]:
    root = os.path.join(folder, name)
    os.mkdir(os.path.join(root, ".git"))
    for path in sorted({f[1] for f in found[name]}):
        wanted = {f for f in found[name] if f[1] == path}
        assert check("/", path) == wanted, ("from /", path)
        assert check(os.path.dirname(path), os.path.basename(path)) == wanted, ("from its folder", path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write("import nothing\n")
        assert check(root, "--stdin-name", os.path.relpath(path, root), "-", stdin=text) == wanted, ("stdin", path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

# A package without a mark around it, with a folder that is none: what it is called, and what it has, does not depend on where the
# program was started.
site = os.path.join(os.path.realpath(tempfile.mkdtemp()), "site")
tested = os.path.join(site, "pkg", "tests", "try.py")
os.makedirs(os.path.dirname(tested))
with open(os.path.join(site, "pkg", "__init__.py"), "w", encoding="utf-8") as file:
    file.write("import torch\n")
with open(tested, "w", encoding="utf-8") as file:
    file.write("from pkg import torch\n\nout = torch.zeros(0)\nfor x in range(9000):\n    out = torch.cat([out, x])\n")
wanted = check(site, ".")
assert wanted, "nothing in the package"
for where in "/", site, os.path.join(site, "pkg"), os.path.dirname(tested):
    assert check(where, tested) == wanted, ("the file, from", where)
    assert check(where, os.path.join(site, "pkg")) == wanted, ("the package, from", where)
shutil.rmtree(os.path.dirname(site))

# In an editor: opened, edited, and edited again after a file beside it changed on disk.
server = None

def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()

def receive():
    length = int(server.stdout.readline().split(b":")[1])
    server.stdout.readline()
    return json.loads(server.stdout.read(length))

def shown(method, path, text):
    document = {"uri": "file://" + path, "languageId": "python", "version": 1}
    if method == "didOpen":
        document["text"] = text
    send(method="textDocument/" + method, params={"textDocument": document, "contentChanges": [{"text": text}]})
    return sorted((d["code"], d["range"]["start"]["line"] + 1) for d in receive()["params"]["diagnostics"])

for name in several[:5]:
    root = os.path.join(folder, name)
    server = subprocess.Popen([ppmine, "-q", "check", "--all", "--lsp", "--no-config"], cwd="/", stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    send(id=1, method="initialize", params={"capabilities": {}})
    receive()
    path = sorted(f[1] for f in found[name])[0]
    wanted = sorted((f[0], f[2]) for f in found[name] if f[1] == path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert shown("didOpen", path, text) == wanted, ("opened", path)
    assert shown("didChange", path, text + "\n") == wanted, ("edited", path)
    others = [other for other in files_of(root) if other != path]
    kept = {other: open(other, encoding="utf-8").read() for other in others}
    for other in others:
        with open(other, "w", encoding="utf-8") as file:
            file.write("import nothing\n")
    changed = sorted((f[0], f[2]) for f in check(root, path))
    assert shown("didChange", path, text) == changed, ("a file beside it changed", path)
    for other in others:
        with open(other, "w", encoding="utf-8") as file:
            file.write(kept[other])
    assert shown("didChange", path, text) == wanted, ("and changed back", path)
    send(id=2, method="shutdown")
    receive()
    send(method="exit")
    assert server.wait() == 0

# All of them in one project, without what follows from the rest of it: each file once more.
for name in list(found):
    shutil.rmtree(os.path.join(folder, name, ".git"), ignore_errors=True)
    if name not in several[:6]:
        shutil.rmtree(os.path.join(folder, name))
assert len(compare(folder, "all in one")) >= 6
shutil.rmtree(folder)
shutil.rmtree(lone)
EOF
