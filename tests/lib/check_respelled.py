"""Spells the cases of tests/check in other ways, which must not change what the checker finds.

    check_respelled.py PPCHECK FOLDER [RULE...]

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
import itertools
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


def findings(ppcheck, cases):
    """[{(file, statement, rule, impact, certainty): number}] of cases, {name: text} each. One start looks at all: each case has
    a folder of its own, from which no import leads into another."""
    if not cases:
        return []
    with tempfile.TemporaryDirectory() as folder:
        for number, files in enumerate(cases):
            for name, text in files.items():
                path = os.path.join(folder, str(number), name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
        done = subprocess.run([ppcheck, "-q", "--no-config", "--all", "--format", "json"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode()}")
    begins, found = {}, [{} for _ in cases]
    for f in json.loads(done.stdout)["findings"]:
        number, name = f["file"].split("/", 1)
        if f["file"] not in begins:
            begins[f["file"]] = statements(cases[int(number)][name])
        at = sum(begin <= (f["line"], f["column"]) for begin in begins[f["file"]])
        key = (name, at, f["rule"], f["impact"], f["certainty"])
        found[int(number)][key] = found[int(number)].get(key, 0) + 1
    return found


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


AS_IT_IS = "as it is"


def spellings(case):
    """{way: {name: text}}: the case as it is, without comments, and the ways that differ from all before."""
    texts = {name: "\n".join(lines) for name, lines in case.files.items()}
    if any(not name.endswith(".py") for name in texts) or "ppmine:" in "".join(texts.values()):
        return {}
    alone = len(texts) == 1  # a name of one file is used in others
    try:
        texts = {name: without_comments(text) for name, text in texts.items()}
        found = {AS_IT_IS: texts, "layout": respelled(texts, "layout")}
    except (SyntaxError, ValueError, tokenize.TokenError):
        return {}
    if found["layout"] == texts:
        del found["layout"]
    for way in WAYS:
        if way == "keywords" or alone and way != "layout":
            files = respelled(texts, way)
            if files not in found.values():
                found[way] = files
    return found


def all_at_once(ppcheck, spelled):
    """{way: {number of the case: its findings}}"""
    found = {}
    for way in (AS_IT_IS, *WAYS):
        numbers = [number for number, ways in enumerate(spelled) if way in ways]
        found[way] = dict(zip(numbers, findings(ppcheck, [spelled[number][way] for number in numbers])))
    return found


def differences(ppcheck, case, ways, wanted, together):
    """As lines. `wanted` is found in the case alone, `together` beside all other cases, {way: findings}. A guess may go by a
    name that another case defines: where something differs, all ways are looked at alone."""
    if any(got != wanted for got in together.values()):
        together = {way: findings(ppcheck, [files])[0] for way, files in ways.items()}
    return [f"{case.place()}: {case.title}: other {way}: {key[0]}, statement {key[1]}: "
            f"{key[2]} {key[3]}, {key[4]}: {wanted.get(key, 0)} before, {got.get(key, 0)} now"
            for way, got in together.items() for key in sorted(wanted.keys() | got.keys())
            if wanted.get(key, 0) != got.get(key, 0)]


def main():
    ppcheck, root = os.path.abspath(sys.argv[1]), os.path.relpath(sys.argv[2])
    rules = sys.argv[3:] or sorted(os.listdir(root))
    cases = [case for rule in rules for name in ("bad.py", "good.py")
             for case in check_cases.read_cases(os.path.join(root, rule, name))]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        spelled = list(pool.map(spellings, cases, chunksize=16))
        alone = list(pool.map(findings, itertools.repeat(ppcheck), [[ways[AS_IT_IS]] if ways else [] for ways in spelled],
                              chunksize=16))
    together, wrong = all_at_once(ppcheck, spelled), []
    for number, case in enumerate(cases):
        if spelled[number]:
            wrong += differences(ppcheck, case, spelled[number], alone[number][0],
                                 {way: found[number] for way, found in together.items() if number in found})
    print("".join(f"{line}\n" for line in wrong), end="")
    print(f"{len(cases)} cases, {sum(max(len(ways) - 1, 0) for ways in spelled)} other spellings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
