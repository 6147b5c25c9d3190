#!/usr/bin/env python3
"""Compares what check --try says of PyTorch programs with a comparison made by hand with hyperfine:

    bench/torch/try.py [--python FILE] [--tensorflow FILE] [--runs N] [--projects DIR] > check/evidence/tried.csv

Small projects are made of pairs of bench/cases/pytorch, and of bench/cases/tensorflow where --tensorflow names a Python that has
it; by hand, fixed.py takes the place of buggy.py. One program
has a change that must be refused: its items are changed by chance, and workers draw other numbers. With --projects,
programs of others in DIR (OWNER+NAME each) run as well, on images drawn at random in place of MNIST; by hand, lines
are replaced. ppmine is build/ppmine, or $PPMINE.
"""
import argparse
import csv
import gzip
import json
import os
import random
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PPMINE = os.path.abspath(os.environ.get("PPMINE", os.path.join(ROOT, "build", "ppmine")))
COLUMNS = ["program", "rule", "change", "result", "times_faster", "low", "high", "by_hand", "hand_low",
           "hand_high", "agrees", "why"]
PAIRS = {"pytorch": ["pp601", "pp602", "pp603", "pp613", "pp616", "pp618", "pp619"],
         "tensorflow": ["pp301", "pp412"]}
# Reads the program with seeds, as the projects set none.
SEEDED = ("import random, runpy, sys; import numpy, torch; random.seed(1); numpy.random.seed(1); "
          "torch.manual_seed(1); sys.path.insert(0, ''); sys.argv = sys.argv[1:]; "
          "runpy.run_path(sys.argv[0], run_name='__main__')")
# Of a project: the program, its folder below, its arguments, where it looks for MNIST, what it prints, the rule, and
# the lines that are replaced by hand.
PROJECTS = [
    ("eriklindernoren+PyTorch-GAN", "implementations/cgan", "cgan.py",
     ["--n_epochs", "1", "--batch_size", "32", "--sample_interval", "40"], "data/mnist", r"D loss: [-0-9.]+", [
         ("PP602", [("    batch_size=opt.batch_size,\n    shuffle=True,\n",
                     "    batch_size=opt.batch_size,\n    shuffle=True,\n    num_workers=2,\n")]),
         ("PP601", [("    gen_imgs = generator(z, labels)\n    save_image",
                     "    with torch.no_grad():\n        gen_imgs = generator(z, labels)\n    save_image")])]),
    ("pytorch+examples", "vae", "main.py", ["--no-accel", "--epochs", "1"], "data", r"Average loss: [0-9.]+", [
        ("PP603", [("train_loss += loss.item()", "train_loss += loss.detach().double()"),
                   ("    print('====> Epoch", "    train_loss = float(train_loss)\n    print('====> Epoch")])]),
]


def write_mnist(folder, n):
    """Images and labels drawn at random, in the form of MNIST."""
    drawn = random.Random(1)
    raw = os.path.join(folder, "MNIST", "raw")
    os.makedirs(raw)
    for part in ("train", "t10k"):
        for name, head, body in ((f"{part}-images-idx3-ubyte", struct.pack(">IIII", 2051, n, 28, 28),
                                  drawn.randbytes(n * 784)),
                                 (f"{part}-labels-idx1-ubyte", struct.pack(">II", 2049, n),
                                  bytes(drawn.randrange(10) for _ in range(n)))):
            with open(os.path.join(raw, name), "wb") as file:
                file.write(head + body)
            with gzip.open(os.path.join(raw, name + ".gz"), "wb") as file:
                file.write(head + body)


def tried(folder, rule, same, command, runs):
    """The rows of check --try."""
    done = subprocess.run([PPMINE, "-q", "check", "--try", "--all", "--no-config", "--select", rule, "--same", same,
                           "--runs", str(runs), "--format", "json", "--", *command],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{folder}: {rule}: exit code {done.returncode}: {done.stderr}")
    return [row for row in json.loads(done.stdout) if row["rule"]]


def by_hand(folders, command, runs):
    """The ratio of hyperfine's medians, and the ratios of their quartiles, the nearest and the farthest."""
    times = []
    for folder in folders:
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            subprocess.run(["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(2 * runs),
                            "--export-json", out.name, shlex.join(command)], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            times.append(sorted(json.load(out)["results"][0]["times"]))
    before, after = times
    quarter = len(before) // 4
    return (statistics.median(before) / statistics.median(after), before[quarter] / after[-1 - quarter],
            before[-1 - quarter] / after[quarter])


def row_of(program, row, hand):
    def text(value):
        return "" if value is None else f"{value:.3f}"
    agrees = ""
    if hand and row["low"] is not None:
        agrees = "yes" if row["low"] <= hand[2] and hand[1] <= row["high"] else "no"
    return [program, row["rule"], row["change"], row["result"], text(row["times_faster"]), text(row["low"]),
            text(row["high"]), *(text(v) for v in hand or (None,) * 3), agrees, row["why"] or ""]


def project_of(folder, family, case, side):
    """A folder with a script of the pair as train.py."""
    os.makedirs(folder)
    shutil.copy(os.path.join(ROOT, "bench", "cases", family, case, side + ".py"), os.path.join(folder, "train.py"))
    shutil.copy(os.path.join(ROOT, "bench", "lib", "ppcase.py"), folder)
    return folder


def try_pairs(scratch, args):
    for family, python in (("pytorch", args.python), ("tensorflow", args.tensorflow)):
        command = [python, "train.py"]
        for case in PAIRS[family] if python else []:
            folders = [project_of(os.path.join(scratch, case + side), family, case, side) for side in ("buggy", "fixed")]
            hand = by_hand(folders, command, args.runs)
            for row in tried(folders[0], case.upper(), "^ppcase digest.*", command, args.runs):
                yield row_of(case, row, hand)


def try_refused(scratch, args):
    """Images are turned by chance, in the process that trains or in workers, which draw other numbers."""
    folder = project_of(os.path.join(scratch, "turned"), "pytorch", "pp602", "buggy")
    path = os.path.join(folder, "train.py")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    line = "        return torch.from_numpy(np.array(image))"
    if text.count(line) != 1:
        sys.exit("pp602 has no such line")
    turned = "        if torch.rand(()) < 0.5:\n            image = image.transpose(Image.FLIP_LEFT_RIGHT)\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(line, turned + line))
    for row in tried(folder, "PP602", "^ppcase digest.*", [args.python, "train.py"], args.runs):
        if row["result"] != "another result":
            sys.exit(f"a change of the result was not refused: {row}")
        yield row_of("pp602, turned by chance", row, None)


def changed_copy(folder, script, replacements):
    copy = folder + "-by-hand"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    path = os.path.join(copy, script)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in replacements:
        if text.count(old) != 1:
            sys.exit(f"{path}: not one '{old}'")
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return copy


def try_projects(scratch, args):
    for name, below, script, options, data, same, changes in PROJECTS:
        # Programs look for MNIST above their folder; --try copies the folder, and the data with it.
        folder = os.path.join(scratch, name)
        shutil.copytree(os.path.join(args.projects, name, below), folder)
        path = os.path.join(folder, script)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("../" * (below.count("/") + 1) + data, data))
        write_mnist(os.path.join(folder, data), args.images)
        os.makedirs(os.path.join(folder, "results"), exist_ok=True)
        command = [args.python, "-c", SEEDED, script, *options]
        for rule, replacements in changes:
            hand = by_hand([folder, changed_copy(folder, script, replacements)], command, args.runs)
            for row in tried(folder, rule, same, command, args.runs):
                yield row_of(f"{name}/{below}", row, hand)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--tensorflow", help="a Python with TensorFlow, for its pairs")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--images", type=int, default=320)
    parser.add_argument("--projects")
    args = parser.parse_args()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    with tempfile.TemporaryDirectory() as scratch:
        for kind in (try_pairs, try_refused) + ((try_projects,) if args.projects else ()):
            for row in kind(scratch, args):
                out.writerow(row)
                sys.stdout.flush()


if __name__ == "__main__":
    main()
