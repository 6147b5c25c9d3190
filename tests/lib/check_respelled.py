"""Spells the cases of tests/check in other ways, which must not change what the checker finds.

    check_respelled.py PPMINE FOLDER [RULE...]

Python's own ast module takes a case apart and writes it again:

    layout      parentheses, quotes and line breaks as ast.unparse() sets them
    aliases     modules under other names: import numpy as np_; from torch import nn as nn_
    dotted      modules under their full names: torch.nn.Linear for nn.Linear
    from        what one module gives, under its own name: from torch.nn import Linear
    keywords    keyword arguments the other way round

Comments go first, since some rules read them. A finding is the same when it has the rule, the impact, the
certainty and the statement, counted from the file's first. What a way of spelling cannot say is left as it was;
the last line counts what was compared.
"""
import ast
import concurrent.futures
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize

import check_cases


def names_bound(tree):
    """Names that something other than an import binds, anywhere."""
    bound = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return bound


def imports_of(tree, own):
    """[(statement, alias, name bound)] of the modules of others, where the name means nothing else in the file."""
    bound, seen = names_bound(tree), {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                seen.setdefault(name, []).append((node, alias))
    found = []
    for name, places in seen.items():
        node, alias = places[0]
        module = alias.name if isinstance(node, ast.Import) else node.module or ""
        relative = isinstance(node, ast.ImportFrom) and node.level > 0
        if len(places) == 1 and name not in bound and not relative and module.split(".")[0] not in own \
                and alias.name != "*" and module.split(".")[0] != "__future__":
            found.append((node, alias, name))
    return found


class Renamed(ast.NodeTransformer):
    """Names as other expressions."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return self.names[node.id]() if node.id in self.names else node


def as_aliases(tree, own):
    names = {}
    for node, alias, name in imports_of(tree, own):
        if isinstance(node, ast.Import) and alias.asname is None and "." in alias.name:
            continue  # import a.b binds a
        alias.asname = name + "_"
        names[name] = lambda name=name: ast.Name(name + "_", ast.Load())
    return Renamed(names).visit(tree)


def dotted(path):
    node = ast.Name(path[0], ast.Load())
    for part in path[1:]:
        node = ast.Attribute(node, part, ast.Load())
    return node


MODULES = {"torch.nn", "torch.nn.functional", "torch.optim", "torch.utils.data", "tensorflow", "tensorflow.keras",
           "numpy", "torch", "tensorflow.keras.layers", "pandas"}


def as_dotted(tree, own):
    bound, names = names_bound(tree), {}
    for node, alias, name in imports_of(tree, own):
        full = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        if full not in MODULES or full.split(".")[0] in bound or len(node.names) > 1:
            continue
        names[name] = lambda full=full: dotted(full.split("."))
        node.names = [ast.alias(full, None)]
        node.__class__ = ast.Import
    return Renamed(names).visit(tree)


class Attributes(ast.NodeTransformer):
    """torch.nn.Linear as Linear, for what begins with a capital; it notes what it took."""

    def __init__(self, modules, taken):
        self.modules, self.taken, self.found = modules, taken, {}

    def visit_Attribute(self, node):
        path, at = [], node
        while isinstance(at, ast.Attribute):
            path.insert(0, at.attr)
            at = at.value
        if isinstance(at, ast.Name) and at.id in self.modules and isinstance(node.ctx, ast.Load) and len(path) == 1 \
                and path[0][0].isupper() and path[0] not in self.taken:
            self.found.setdefault(at.id, set()).add(path[0])
            return ast.Name(path[0], ast.Load())
        self.generic_visit(node)
        return node


def as_from(tree, own):
    found = imports_of(tree, own)
    modules = {}
    for node, alias, name in found:
        full = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        if full in MODULES and len(node.names) == 1:
            modules[name] = (node, full)
    taken = names_bound(tree) | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = Attributes(modules, taken)
    tree = attributes.visit(tree)
    for name, classes in attributes.found.items():
        node, full = modules[name]
        for body in (getattr(n, "body", None) for n in ast.walk(tree)):
            if isinstance(body, list) and node in body:
                body.insert(body.index(node) + 1,
                            ast.ImportFrom(full, [ast.alias(c, None) for c in sorted(classes)], 0))
    return tree


def as_keywords(tree, own):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and all(k.arg is not None for k in node.keywords):
            node.keywords.reverse()
    return tree


WAYS = {"layout": lambda tree, own: tree, "aliases": as_aliases, "dotted": as_dotted, "from": as_from,
        "keywords": as_keywords}


def statements(text):
    """Where statements begin: (line, column from 1), without imports, in order."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.Import, ast.ImportFrom)):
            first = min([node] + getattr(node, "decorator_list", []), key=lambda n: n.lineno)
            found.append((first.lineno, node.col_offset + 1 if first is node else 1))
    return sorted(found)


def findings(ppmine, files, folder):
    """{(file, statement, rule, impact, certainty): [message]}"""
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "json"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode()}")
    begins, found = {name: statements(text) for name, text in files.items()}, {}
    for f in json.loads(done.stdout)["findings"]:
        place = (f["line"], f["column"])
        number = sum(begin <= place for begin in begins[f["file"]])
        found.setdefault((f["file"], number, f["rule"], f["impact"], f["certainty"]), []).append(f["message"])
    return {key: len(messages) for key, messages in found.items()}


def respelled(texts, way):
    own = {name.split("/")[0].removesuffix(".py") for name in texts}
    return {name: ast.unparse(ast.fix_missing_locations(WAYS[way](ast.parse(text), own))) + "\n"
            for name, text in texts.items()}


def without_comments(text):
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip()
    return "\n".join(lines)


def check_case(ppmine, case):
    """What differs, as lines; and how many spellings were compared."""
    texts = {name: "\n".join(lines) for name, lines in case.files.items()}
    if any(not name.endswith(".py") for name in texts) or "ppmine:" in "".join(texts.values()):
        return [], 0
    alone = len(texts) == 1  # a name of one file is used in others
    try:
        texts = {name: without_comments(text) for name, text in texts.items()}
        plain = respelled(texts, "layout")
    except (SyntaxError, ValueError, tokenize.TokenError):
        return [], 0
    wrong, count, seen = [], 0, [texts]
    with tempfile.TemporaryDirectory() as folder:
        wanted = findings(ppmine, texts, os.path.join(folder, "as-it-is"))
        for way in WAYS:
            if way not in ("layout", "keywords") and not alone:
                continue
            files = plain if way == "layout" else respelled(texts, way)
            if files in seen:
                continue
            seen.append(files)
            count += 1
            got = findings(ppmine, files, os.path.join(folder, way))
            for key in sorted(wanted.keys() | got.keys()):
                if wanted.get(key, 0) != got.get(key, 0):
                    wrong.append(f"{case.place()}: {case.title}: other {way}: {key[0]}, statement {key[1]}: "
                                 f"{key[2]} {key[3]}, {key[4]}: {wanted.get(key, 0)} before, {got.get(key, 0)} now")
    return wrong, count


def main():
    ppmine, root = os.path.abspath(sys.argv[1]), os.path.relpath(sys.argv[2])
    rules = sys.argv[3:] or sorted(os.listdir(root))
    cases = [case for rule in rules for name in ("bad.py", "good.py")
             for case in check_cases.read_cases(os.path.join(root, rule, name))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda case: check_case(ppmine, case), cases))
    for wrong, _ in done:
        print("".join(f"{line}\n" for line in wrong), end="")
    print(f"{len(cases)} cases, {sum(count for _, count in done)} other spellings")
    return 1 if any(wrong for wrong, _ in done) else 0


if __name__ == "__main__":
    sys.exit(main())
