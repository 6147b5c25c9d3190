#!/usr/bin/env python3
"""Can the comparison of buggy.py and fixed.py fail? Makes wrong fixes from fixed.py, as a wrong fix is made:
less data, fewer steps, a skipped call, another constant, another operation, another type of numbers. Each
must be refused, which means that it fails, or that it computes something else than buggy.py.

One that computes the same is in equivalent.csv with the reason, or the run fails. Needs the Python of an
environment with TensorFlow. Prints a line of CSV for each mutant: case, line of fixed.py, kind, change,
outcome (differs, fails, same), and for `same` the reason.
"""

import argparse
import ast
import configparser
import copy
import csv
import difflib
import hashlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent / "cases"
KINDS = ["less data", "fewer steps", "skipped call", "other constant", "other operation", "other type"]
FIELDS = ["case", "line", "kind", "change", "outcome", "reason", "scripts"]
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "CUDA_VISIBLE_DEVICES": "",
               "TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "2", "TF_NUM_INTEROP_THREADS": "2"}

# What a mutant imports.
HELPERS = '''
import numpy

def less(data):
    """The first half."""
    if hasattr(data, "take") and hasattr(data, "cardinality"):
        count = int(data.cardinality())
        return data.take(count // 2 if count > 1 else 1)
    if hasattr(data, "graph"):
        import tensorflow as tf
        return data[:tf.shape(data)[0] // 2]
    count = data.shape[0] if hasattr(data, "shape") else len(data)
    if count < 2:
        raise TypeError("no half of it")
    return data[:count // 2]

def narrow(data):
    """Through integers of four bits."""
    if isinstance(data, (list, tuple)):
        return type(data)(map(narrow, data))
    if hasattr(data, "graph") or hasattr(data, "numpy"):
        import tensorflow as tf
        return tf.cast(tf.cast(data, tf.int64) % 16, data.dtype)
    array = numpy.asarray(data)
    if array.dtype.kind not in "iuf":
        raise TypeError("no numbers")
    return (array.astype("int64") % 16).astype(array.dtype)
'''


# --- mutants ---

def is_call(node, *names):
    """A call of ….name(…) or name(…)."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
    return name in names


def helped(name, node):
    return ast.Call(ast.Name(name, ast.Load()), [node], [])


def short(node):
    text = re.sub(r"\s+", " ", ast.unparse(node))
    return text if len(text) <= 60 else text[:57] + "..."


SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mod,
           ast.Mod: ast.FloorDiv, ast.MatMult: ast.Mult, ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.Eq: ast.NotEq}
OTHER = {"reduce_sum": "reduce_max", "reduce_min": "reduce_max", "reduce_mean": "reduce_sum",
         "reduce_max": "reduce_min", "minimum": "maximum", "maximum": "minimum", "argmin": "argmax",
         "argmax": "argmin", "tanh": "sigmoid", "sigmoid": "tanh", "square": "abs", "sqrt": "square",
         "fft2d": "ifft2d", "relu": "tanh", "abs": "square", "adjust_contrast": "adjust_brightness"}
COUNTS = re.compile(r"epochs|steps|STEPS|EPOCHS|CALLS|LEAPS|range")


def of_constant(node, parent):
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or getattr(parent, "arg", "") == "verbose":
        return
    counts = is_call(parent, "range") or (
        isinstance(parent, (ast.keyword, ast.Assign)) and COUNTS.search(ast.unparse(parent)))
    if isinstance(value, float):
        yield "other constant", f"{value} is {value * 1.5 + 0.01:.6g}", ast.Constant(value * 1.5 + 0.01)
        return
    if counts and value > 1:
        yield "fewer steps", f"{value} is {value - 1}", ast.Constant(value - 1)
    yield "other constant", f"{value} is {value + 1}", ast.Constant(value + 1)
    if value > 3:
        yield "other constant", f"{value} is {value // 2}", ast.Constant(value // 2)


def of_call(node, functions):
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if is_call(owner, "Dataset", *NAMES_OF_DATASETS) or isinstance(owner, ast.Call):
            yield "skipped call", f"no .{node.func.attr}()", owner
        if node.func.attr in OTHER:
            changed = copy.deepcopy(node)
            changed.func.attr = OTHER[node.func.attr]
            yield "other operation", f"{node.func.attr} is {changed.func.attr}", changed
    if is_call(node, "steps", "work", "size", "digest", "range", "Sequential", "Input", "Consumed"):
        return
    if node.args and isinstance(node.args[0], (ast.Name, ast.Subscript, ast.Call, ast.BinOp)) and \
            not getattr(node.args[0], "id", "").isupper() and getattr(node.args[0], "id", None) not in functions:
        yield "skipped call", f"{short(node.args[0])} for {short(node)}", node.args[0]
    for i, arg in enumerate(node.args[:2]):
        if isinstance(arg, (ast.Name, ast.Subscript)) and not is_call(node, "run") and \
                not (isinstance(arg, ast.Name) and (arg.id.isupper() or arg.id in functions)):
            for kind, name in (("less data", "less"), ("other type", "narrow")):
                changed = copy.deepcopy(node)
                changed.args[i] = helped(name, changed.args[i])
                yield kind, f"{name}({short(arg)}) in {short(node)}", changed


NAMES_OF_DATASETS = ["from_tensor_slices", "TFRecordDataset", "TextLineDataset", "map", "batch", "repeat",
                     "cache", "prefetch"]


def of_node(node, parent, functions):
    """(kind, change, what takes its place), of a node."""
    if isinstance(node, ast.Constant):
        yield from of_constant(node, parent)
    elif isinstance(node, ast.Call):
        yield from of_call(node, functions)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        other = SWAPPED[type(node.op)]
        yield ("other operation", f"{type(node.op).__name__} is {other.__name__}",
               ast.BinOp(node.left, other(), node.right))
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        other = SWAPPED[type(node.ops[0])]
        yield ("other operation", f"{type(node.ops[0]).__name__} is {other.__name__}",
               ast.Compare(node.left, [other()], node.comparators))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "skipped call", f"no {short(node)}", ast.Pass()
    if isinstance(parent, ast.Return) and isinstance(node, ast.expr):
        yield "other type", f"narrow({short(node)})", helped("narrow", node)
    looped = isinstance(parent, (ast.For, ast.comprehension)) and node is parent.iter
    if looped and not is_call(node, "work", "steps") or is_call(parent, "steps") and isinstance(node, ast.expr):
        yield "less data", f"less({short(node)})", helped("less", node)


def names_in(nodes):
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def places(tree, buggy, fixed):
    """Statements of the fix, then of the marked part, then of what these need; not what makes their inputs."""
    new, old = fixed.split("\n"), buggy.split("\n")
    changed = {i + 1 for tag, _, _, first, last in difflib.SequenceMatcher(None, old, new, False).get_opcodes()
               if tag != "equal" for i in range(first, last)}
    body = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and not is_apart(s)]
    marked = [s for s in body if isinstance(s, (ast.With, ast.For)) and "ppcase.work()" in head(s)]
    marked_lines = {n for s in marked for n in range(s.lineno, s.end_lineno + 1)}
    needed, wanted = set(), names_in(marked) | names_in(s for s in body if s.lineno in changed)
    for _ in range(4):
        for s in tree.body:
            if isinstance(s, (ast.FunctionDef, ast.ClassDef, ast.Assign)) and not is_apart(s) and \
                    (getattr(s, "name", None) in wanted or names_in(getattr(s, "targets", [])) & wanted):
                needed |= set(range(s.lineno, s.end_lineno + 1))
                wanted |= names_in([s])
    return [changed, marked_lines, needed]


def head(s):
    return ast.unparse(s).split("\n")[0]


def is_apart(s):
    """Imports, inputs, and what is compared, are no part of a fix."""
    text = head(s) if hasattr(s, "body") else ast.unparse(s)
    return isinstance(s, (ast.Import, ast.ImportFrom)) or re.search(
        r"default_rng|\brng\.|set_(random_)?seed|ppcase\.(digest)|[Cc]onsumed|^\"|^'|disable_v2|__main__", text) is not None


def replaced(source, node, new):
    """The source with another expression or statement in place of one; lines after it keep their number."""
    lines = source.encode().split(b"\n")
    begin, end = node.lineno - 1, node.end_lineno - 1
    text = ast.unparse(ast.fix_missing_locations(new))
    text = text if isinstance(new, ast.stmt) else f"({text})"
    first, last = lines[begin][:node.col_offset], lines[end][node.end_col_offset:]
    lines[begin:end + 1] = [first + text.encode() + last]
    return b"\n".join(lines).decode()


def named_mutants(name, fixed):
    """Those of named.csv."""
    with open(HERE / "named.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["case"] == name:
                if fixed.count(row["old"]) != 1:
                    sys.exit(f"named.csv: {name} has {fixed.count(row['old'])} times {row['old']}, expected one")
                line = fixed[:fixed.index(row["old"])].count("\n") + 1
                yield {"line": line, "kind": "by hand", "change": row["change"],
                       "source": fixed.replace(row["old"], row["new"])}


def mutants_of(name, buggy, fixed):
    """{line, kind, change, source}: kinds in turn, those of the fix itself first."""
    yield from named_mutants(name, fixed)
    tree = ast.parse(fixed)
    ranks = places(tree, buggy, fixed)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    aside = {n for s in ast.walk(tree) if isinstance(s, ast.stmt) and is_apart(s)
             for n in range(s.lineno, (s.lineno if hasattr(s, "body") else s.end_lineno) + 1)}
    functions = {s.name for s in ast.walk(tree) if isinstance(s, (ast.FunctionDef, ast.ClassDef))}
    queues = {kind: [] for kind in KINDS}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        place = next((i for i, lines in enumerate(ranks) if line in lines), None)
        if place is None or line in aside:
            continue
        for kind, change, new in of_node(node, parents.get(node), functions):
            queues[kind].append((place, line, change, replaced(fixed, node, new)))
    for queue in queues.values():
        queue.sort(key=lambda m: m[:2])
    seen = {fixed}
    while any(queues.values()):
        for kind, queue in queues.items():
            if queue:
                _, line, change, source = queue.pop(0)
                if source not in seen:
                    seen.add(source)
                    yield {"line": line, "kind": kind, "change": change, "source": source}


# --- runs ---

class Marks:
    """What a run printed of what it computed; ended is None for one that ended well."""

    def __init__(self, output, ended):
        self.ended = ended
        self.of = {}
        for line in output.split("\n"):
            word, _, rest = line.partition(" ")
            if word == "ppcase" and rest.split()[:1]:
                self.of[rest.split()[0]] = rest.split()[1:]


def agree(case, a, b):
    """As bench_runs_agree() of bench/judge.c says it."""
    if a.of.get("digest") == b.of.get("digest"):
        return True
    x, y = (list(map(float, m.of.get("values", []))) for m in (a, b))
    if case["tolerance"] == "exact" or not x or len(x) != len(y) or a.of.get("exact") != b.of.get("exact"):
        return False
    return all(abs(i - j) <= float(case["tolerance"]) * max(abs(i), abs(j)) for i, j in zip(x, y))


def run_forked(path, log):
    """A child of this process, which has TensorFlow already; returns its process id."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(path.parent)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        status = 1
        try:
            sys.path.insert(0, str(path.parent))
            exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__", "__file__": str(path)})
            status = 0
        except BaseException as error:
            print(type(error).__name__, str(error)[:200], file=sys.stderr)
        sys.stdout.flush()
        os._exit(status)
    return pid


def run_alone(path, log):
    with open(log, "w") as out:
        return subprocess.Popen([sys.executable, path], cwd=path.parent, stdout=out, stderr=out,
                                start_new_session=True).pid


def marks_of(source, case, seconds):
    """Runs it to its end, or for so long."""
    with tempfile.TemporaryDirectory() as folder:
        path, log = pathlib.Path(folder, "script.py"), os.path.join(folder, "log")
        path.write_text(source if source in case["texts"] else with_helpers(source))
        pathlib.Path(folder, "ppmutant.py").write_text(HELPERS)
        os.environ.update(TMPDIR=folder, HOME=folder)
        pid = (run_alone if "multiprocessing" in source else run_forked)(path, log)
        end, ended = time.monotonic() + seconds, (0, 0)
        while ended[0] == 0 and time.monotonic() < end:
            time.sleep(0.02)
            ended = os.waitpid(pid, os.WNOHANG)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if ended[0] == 0:
            os.waitpid(pid, 0)
            return Marks("", f"no end in {seconds} s")
        output = pathlib.Path(log).read_text(errors="replace")
        return Marks(output, None if ended[1] == 0 else output.strip().split("\n")[-1][:160])


def with_helpers(source):
    """The import is in the place of a blank line or beside the first import, so that lines keep their number."""
    return re.sub(r"^import ppcase$", "import ppcase; from ppmutant import less, narrow", source, count=1, flags=re.M)


# --- cases ---

def case_of(name):
    ini = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",))
    ini.read(CASES / name / "case.ini")
    texts = [(CASES / name / (side + ".py")).read_text() for side in ("buggy", "fixed")]
    small, tolerance = ini["digest"].get("small", ""), ini["digest"]["tolerance"]
    whole = "".join("\0".join([*texts, tolerance, small]).split())  # lines may be wrapped anew
    if small:  # as the runner puts it in
        place = re.compile(rf"^{re.escape(small.partition(' = ')[0])} = .*$", re.M)
        texts = [place.sub(small, text) for text in texts]
    return {"name": name, "texts": texts, "tolerance": tolerance,
            "sha": hashlib.sha256(whole.encode()).hexdigest()[:12]}


def equivalents():
    """{(case, change): reason} of mutants that compute the same."""
    with open(HERE / "equivalent.csv", newline="") as file:
        return {(row["case"], row["line"], row["change"]): row["reason"] for row in csv.DictReader(file)}


def rows_of(case, options, known):
    """The mutants of a case, until enough of them were refused for what they compute."""
    buggy, fixed = case["texts"]
    wanted = marks_of(buggy, case, 600)
    if wanted.ended or not agree(case, wanted, marks_of(fixed, case, 600)):
        yield {"case": case["name"], "line": "", "kind": "", "change": "none", "outcome": "BROKEN",
               "reason": wanted.ended or "fixed.py does not compute what buggy.py does", "scripts": case["sha"]}
        return
    refused = tried = 0
    for mutant in mutants_of(case["name"], buggy, fixed):
        if tried >= options.most or (tried >= options.least + 3 and refused >= options.least):
            return
        marks = marks_of(mutant["source"], case, options.seconds)
        outcome = "fails" if marks.ended else "same" if agree(case, wanted, marks) else "differs"
        row = {"case": case["name"], "line": str(mutant["line"]), "kind": mutant["kind"], "change": mutant["change"],
               "outcome": outcome, "reason": marks.ended if options.why and outcome == "fails" else "",
               "scripts": case["sha"]}
        if outcome == "same":
            row["reason"] = known.get((row["case"], row["line"], row["change"]), "")
        refused += outcome == "differs"
        tried += 1
        yield row


KEPT = HERE / "results.csv"


def read_kept():
    with open(KEPT, newline="") as file:
        return list(csv.DictReader(file))


def keep(rows):
    """In the place of what there was of their cases."""
    cases = {row["case"] for row in rows}
    rows = [row for row in (read_kept() if KEPT.exists() else []) if row["case"] not in cases] + rows
    with open(KEPT, "w", newline="") as file:
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(rows, key=lambda row: row["case"]))


def faults_of(case, rows, least):
    """What is wrong with the results of a case."""
    refused = sum(row["outcome"] == "differs" for row in rows)
    if refused < least:
        yield f"{refused} wrong fixes are refused for what they compute, expected {least}"
    for row in rows:
        if row["outcome"] == "BROKEN":
            yield row["reason"]
        elif row["outcome"] == "same" and not row["reason"]:
            yield f"line {row['line']}, {row['change']}: accepted, and equivalent.csv has no reason"
        if row["scripts"] != case["sha"]:
            yield f"its scripts changed; make bench-mutants IDS={case['name']}"
            return


def run(case, options, known):
    rows = []
    for row in rows_of(case, options, known):
        csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n").writerow(row)
        sys.stdout.flush()
        rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser(description=textwrap.dedent(__doc__), formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="(default: all)")
    parser.add_argument("--least", type=int, default=5, help="wrong fixes that must be refused for what they compute")
    parser.add_argument("--most", type=int, default=24, help="wrong fixes to try for that")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of a run")
    parser.add_argument("--why", action="store_true", help="say how those ended that fail")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run none")
    parser.add_argument("--keep", action="store_true", help="put the results into results.csv")
    parser.add_argument("--check", action="store_true", help="check results.csv, and run none")
    options = parser.parse_args()
    names = options.cases or sorted(p.parent.name for p in CASES.glob("*/case.ini"))
    os.environ.update(ENVIRONMENT, PYTHONPATH=str(HERE.parent / "lib"))
    sys.path.insert(0, str(HERE.parent / "lib"))
    known, faults = equivalents(), []
    kept = read_kept() if options.check else []
    if not options.list and not options.check:
        import tensorflow  # noqa: F401: children have it then
        import ppcase  # noqa: F401
    for name in names:
        case = case_of(name)
        if options.list:
            for mutant in mutants_of(name, *case["texts"]):
                print(name, *(mutant[k] for k in FIELDS[1:4]), sep="\t")
            continue
        rows = [row for row in kept if row["case"] == name] if options.check else run(case, options, known)
        if options.keep:
            keep(rows)
        faults += [f"{name}: {fault}" for fault in faults_of(case, rows, options.least)]
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
