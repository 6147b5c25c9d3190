"""Laws of ppmine check, over the cases of tests/check in other layouts.

    check_laws.py PPMINE FOLDER [SEED [ROUNDS]]

1. The patch of --diff makes of the files what --fix makes of them.
2. After --fix, Python is still Python, no name is used that nothing binds, nothing that was fixed is found, and no rule
   finds more. A second --fix changes nothing.
3. The line ends, the byte order mark and the end of a file stay; what has no fix stays byte for byte.
4. With the baseline that is written nothing is found, also when lines move and their ends change.
5. With a comment behind each line that has a finding nothing is found, and each comment hides something.
"""
import ast
import builtins
import collections
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize

import check_cases

OPTIONS = ["--no-config", "--no-gitignore", "--all", "--trust", "PP"]
HEADS = ["if True:", "def outer():", "class Outer:", "with open('x') as q_:", "for q_ in range(3):", "if a_:\n    pass\nelse:"]
FILES = 20


def read(ppmine, root, *options):
    done = subprocess.run([ppmine, "check", *OPTIONS, *options, "."], cwd=root, capture_output=True, check=False)
    assert done.returncode in (0, 1), (options, done.stderr)
    return done


def findings(ppmine, root, *options):
    return json.loads(read(ppmine, root, "--format", "json", *options).stdout)["findings"]


def tokens(text):
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def deeper(text, head):
    """The program as the body of a block; lines inside of strings stay."""
    inside = {line for token in tokens(text) if token.type == tokenize.STRING
              for line in range(token.start[0] + 1, token.end[0] + 1)}
    lines = [line if number in inside or not line.strip() else "    " + line
             for number, line in enumerate(text.split("\n"), 1)]
    return "\n".join([head, *lines, "    pass"])


def respell(chance, text):
    if chance.random() < .3 and tokens(text):
        text = deeper(text, chance.choice(HEADS))
    if chance.random() < .3:
        text = '"""é 😀"""\nfrom __future__ import annotations\n' + text
    if chance.random() < .2 and "'''" not in text and '"""' not in text:
        text = re.sub(r"(?m)^( {4})+", lambda blanks: "\t" * (len(blanks.group()) // 4), text)
    if chance.random() < .3:
        text = text.rstrip("\n")
    if chance.random() < .35:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if chance.random() < .2 else b"") + text.encode()


def contents(root):
    found = {}
    for at, folders, names in os.walk(root):
        folders[:] = [folder for folder in folders if folder != ".git"]
        for name in names:
            with open(os.path.join(at, name), "rb") as file:
                found[os.path.relpath(os.path.join(at, name), root)] = file.read()
    return found


def write(root, files):
    os.makedirs(os.path.join(root, ".git"), exist_ok=True)
    for name, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        with open(os.path.join(root, name), "wb") as file:
            file.write(content)


def parsed(content):
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError):
        return None


def unbound(tree):
    bound, used = set(dir(builtins)), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif hasattr(node, "name") and isinstance(node.name, str):
            bound.add(node.name)
    return used - bound


def check_fixed(name, old, new, before, after):
    fixable = [f for f in before if f["fix"]]
    assert (old != new) == bool(fixable), (name, "is changed without a finding, or is not changed")
    if parsed(old):
        assert parsed(new), (name, "is no Python any more", new)
        assert unbound(parsed(new)) <= unbound(parsed(old)), (name, "uses what nothing binds", new)
    assert not [f for f in after if f["fix"]], (name, "can be fixed again", after)
    more = collections.Counter(f["rule"] for f in after) - collections.Counter(f["rule"] for f in before if not f["fix"])
    assert not more, (name, "has new findings", more)
    assert old.startswith(b"\xef\xbb\xbf") == new.startswith(b"\xef\xbb\xbf"), (name, "the byte order mark")
    assert old.endswith(b"\n") == new.endswith(b"\n"), (name, "the end")
    ends = [(text.count(b"\n"), text.count(b"\r\n")) for text in (old, new)]
    assert (ends[0][1] == 0 and ends[1][1] == 0) or (ends[0][0] == ends[0][1] and ends[1][0] == ends[1][1]), (name, "ends")


def hidden(content, found):
    """The file with a comment behind each line of a finding; None: one of them has no room for it."""
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    lines, read_tokens = text.split("\n"), tokens(text)
    full = {line for token in read_tokens for line in range(token.start[0], token.end[0])}
    comments = {token.start[0]: token.start[1] for token in read_tokens if token.type == tokenize.COMMENT}
    rules = collections.defaultdict(set)
    for f in found:
        rules[f["line"]].add(f["rule"])
    for line, names in rules.items():
        code = lines[line - 1][:comments.get(line)].rstrip()
        if not read_tokens or line in full or code == "" or code.endswith("\\"):
            return None
        lines[line - 1] = f"{code}  # ppmine: ignore[{', '.join(sorted(names))}]"
    return "\n".join(lines).encode()


def check_laws(ppmine, root, files, chance):
    project, fixed, patched, other = (os.path.join(root, name) for name in ("project", "fixed", "patched", "other"))
    write(project, files)
    write(fixed, files)
    write(patched, files)
    shutil.rmtree(os.path.join(patched, ".git"))
    before = findings(ppmine, project)
    patch = read(ppmine, project, "-q", "--diff").stdout
    read(ppmine, fixed, "--fix")
    new = contents(fixed)
    if patch:
        subprocess.run(["git", "init", "-q"], cwd=patched, check=True)
        subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=patched, input=patch, check=True)
    assert contents(patched) == new, "the patch is not what --fix writes"
    after = findings(ppmine, fixed)
    for name, old in files.items():
        check_fixed(name, old, new[name], *([f for f in found if f["file"] == name] for found in (before, after)))
    read(ppmine, fixed, "--fix")
    assert contents(fixed) == new, "a second --fix changes something"

    known = os.path.join(root, "known.csv")
    read(ppmine, project, "--write-baseline", known)
    moved = {name: old if not parsed(old) or b"__future__" in old or b"\xef\xbb\xbf" in old else
             (b"# moved\n\n" + old).replace(b"\r\n", b"\n").replace(b"\n", chance.choice([b"\n", b"\r\n"]))
             for name, old in files.items()}
    write(other, moved)
    for where in project, other:
        assert not findings(ppmine, where, "--baseline", known), ("the baseline", where)

    shutil.rmtree(other)
    hides = {name: hidden(old, [f for f in before if f["file"] == name]) for name, old in files.items() if parsed(old)}
    write(other, {name: content for name, content in hides.items() if content is not None})
    done = read(ppmine, other, "--format", "json")
    left = json.loads(done.stdout)["findings"]
    assert not left, ("not hidden", left)
    assert b"hides nothing" not in done.stderr or len(contents(other)) < len(files), done.stderr
    return len(before), sum(f["fix"] is not None for f in before)


def main():
    ppmine, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    seed, rounds = (int(text) for text in (sys.argv[3:] + ["1", "4"][len(sys.argv) - 3:])[:2])
    cases = [case for rule in sorted(os.listdir(root)) for kind in ("bad.py", "good.py")
             for case in check_cases.read_cases(os.path.join(root, rule, kind))]
    found = fixable = 0
    for number in range(rounds):
        chance = random.Random(seed * 1000 + number)
        files = {f"c{i}/{name}": respell(chance, "\n".join(lines))
                 for i, case in enumerate(chance.sample(cases, FILES)) for name, lines in case.files.items()
                 if name.endswith(".py")}
        with tempfile.TemporaryDirectory() as folder:
            try:
                n, n_fixable = check_laws(ppmine, folder, files, chance)
            except AssertionError:
                print(f"seed {seed}, round {number}", file=sys.stdout, flush=True)
                raise
        found, fixable = found + n, fixable + n_fixable
    print(f"{found} findings, {fixable} with a fix")
    assert found > 5 * rounds, found


if __name__ == "__main__":
    main()
