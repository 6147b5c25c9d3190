#!/usr/bin/python3
"""Chooses the settings of screening by cross-validation over labelled sets, and measures the stopping rule on each.

    choose.py --data DIR --results FILE.json [--seeds 3] [--stop-seeds 100] [--stopping] [--peer]
    choose.py --results FILE.json [--print PART]    prints what was measured

A set is a CSV (id, title, body, included; see sets.py). Sets whose names are alike up to the first '.' have the same texts
and are held out together. Every figure is kept in FILE as soon as it is there, so that a run that was stopped goes on; a
figure is of one version of the program, which is kept with it.
"""

import argparse
import csv
import io
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PPMINE = os.environ.get("PPMINE") or os.path.join(os.path.dirname(os.path.dirname(HERE)), "build/ppmine")
# One step from the settings of screen/settings.c in each direction that matters; "" are these settings.
CANDIDATES = ("", "cost=0.2", "cost=0.8", "ratio=10", "ratio=60", "bayes_share=0.35", "bayes_share=0.65", "bayes_from=0",
              "bayes_from=0.06", "bayes_from=0.12", "bayes_from=0.48", "title_count=1")


def simulate(path, *options):
    return subprocess.run([PPMINE, "-q", "screen", "simulate", path, "--warm-start", "nothing", *options], check=True,
                          capture_output=True, text=True).stdout


def saved(path, candidate, seeds):
    chosen = [word for setting in candidate.split() for word in ("--with", setting)]
    return json.loads(simulate(path, "--seeds", str(seeds), "--format", "json", *chosen))["wss95"]


def stopping(path, seeds):
    rows = list(csv.DictReader(io.StringIO(simulate(path, "--seeds", str(seeds), "--each", "--format", "csv"))))
    return {"runs": len(rows), "reached": sum(float(row["stop_recall"]) >= 0.95 for row in rows),
            "worst": min(float(row["stop_recall"]) for row in rows),
            "saved": statistics.mean(float(row["stop_saved"]) for row in rows)}


def warm(path, seeds):
    """With what the study knows: work saved, and recall beside that of its keywords."""
    done = subprocess.run([PPMINE, "screen", "simulate", path, "--seeds", str(seeds), "--format", "json"], check=True,
                          capture_output=True, text=True)
    said, at = json.loads(done.stdout), json.loads(done.stdout)["recall_at"]
    if "keywords" not in at:
        return {"wss95": said["wss95"]}
    return {"wss95": said["wss95"], "keywords": float(done.stderr.split("recall ")[1].split(",")[0]), "as_many": at["keywords"],
            "twice": at["twice keywords"]}


def of_peer(path, seeds):
    import peer
    texts, included = peer.load(path)
    features = peer.vectorise(texts)
    return statistics.mean(peer.wss95(included, peer.simulate(features, included, seed)) for seed in range(seeds))


class Results:
    """What was measured: kind, set, candidate."""

    def __init__(self, path, version):
        self.path = path
        self.kept = {"version": version}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.kept = json.load(file)
            if self.kept["version"] != version:
                print(f"{path}: measured with {self.kept['version']}, this is {version}", file=sys.stderr)

    def get(self, kind, name, key, make):
        place = self.kept.setdefault(kind, {}).setdefault(name, {})
        if key in place:
            return
        place[key] = make()
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.kept, file, indent=1, sort_keys=True)
            file.write("\n")
        os.replace(self.path + ".new", self.path)


def group(name):
    return name.split(".")[0]


def best(wss, names):
    """The candidate with the highest mean over these sets; the current settings where none is above them."""
    candidates = [c for c in CANDIDATES if all(c in wss[name] for name in names)]
    return max(candidates, key=lambda c: (statistics.mean(wss[name][c] for name in names), c == ""))


def table(heads, rows):
    print("\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
                    + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]))


def mean(values):
    return f"{statistics.mean(values):.3f}"


def print_choice(kept, wss, peers):
    """Each set alone: the settings as they are, those chosen without it, and the best of all candidates for it."""
    before = kept["before"]["wss95"]
    rows, held = [], []
    for name in sorted(wss):
        chosen = best(wss, [other for other in wss if group(other) != group(name)])
        held.append(wss[name][chosen])
        rows.append((name, f"{before[name]:.3f}", f"{wss[name]['']:.3f}", chosen or "as now", f"{held[-1]:.3f}", f"{max(wss[name].values()):.3f}",
                     f"{peers[name]:.3f}" if name in peers else ""))
    rows.append(("mean", mean(before.values()), mean(one[""] for one in wss.values()), "", mean(held),
                 mean(max(one.values()) for one in wss.values()), mean(peers.values())))
    table(("set", kept["before"]["model"], "now", "chosen on the others", "held out", "best for it", "u4"), rows)


def print_candidates(_kept, wss, _peers):
    rows = []
    for c in CANDIDATES:
        with_it = [one for one in wss.values() if c in one]
        if with_it:
            rows.append((c or "now", len(with_it), mean(one[c] for one in with_it), mean(one[""] for one in with_it),
                         sum(one[c] > one[""] for one in with_it)))
    table(("settings", "sets", "mean", "now, on these", "sets better than now"), rows)


def of_runs(kept, kind):
    """The only measurement of each set."""
    return {name: one for name, ones in kept.get(kind, {}).items() for one in ones.values()}


def print_stopping(kept, _wss, _peers):
    ones = of_runs(kept, "stopping")
    table(("set", "runs", "recall at least 0.95", "worst recall", "saved"),
          [(name, one["runs"], one["reached"], f"{one['worst']:.3f}", f"{100 * one['saved']:.1f} %")
           for name, one in sorted(ones.items())])
    keep = sum(one["reached"] >= 0.95 * one["runs"] for one in ones.values())
    print(f"\nThe rule keeps its promise, a recall of at least 0.95 in 95 of 100, on {keep} of {len(ones)} sets, and saves "
          f"{100 * statistics.mean(one['saved'] for one in ones.values()):.1f} % of the reading in the mean.")


def print_warm(kept, wss, _peers):
    table(("set", "cold", "warm", "keywords", "as many", "twice"),
          [(name, f"{wss[name]['']:.3f}", *(f"{one[key]:.3f}" for key in ("wss95", "keywords", "as_many", "twice")))
           for name, one in sorted(of_runs(kept, "warm").items()) if one.get("keywords")])


def print_short(kept, wss, _peers):
    rows, stop = [], of_runs(kept, "stopping")
    for name in sorted(wss):
        one = stop.get(name)
        rows.append((name, f"{wss[name]['']:.3f}", f"{one['reached']} of {one['runs']}" if one else "not measured",
                     f"{100 * one['saved']:.1f} %" if one else ""))
    table(("set", "WSS@95", "screenings that stopped at 95 % recall or more", "saved"), rows)


PARTS = {"choice": print_choice, "candidates": print_candidates, "stopping": print_stopping, "warm": print_warm, "short": print_short}


def measure(args):
    paths = {name[:-4]: os.path.join(args.data, name) for name in sorted(os.listdir(args.data)) if name.endswith(".csv")}
    paths = dict(sorted(paths.items(), key=lambda item: os.path.getsize(item[1])))
    version = subprocess.run([PPMINE, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    results = Results(args.results, version)
    for c in CANDIDATES if not args.stopping else ():
        for name, path in paths.items():
            results.get("wss95", name, f"{c} seeds={args.seeds}", lambda: saved(path, c, args.seeds))
    for name, path in paths.items():
        results.get("stopping", name, f"seeds={args.stop_seeds}", lambda: stopping(path, args.stop_seeds))
    for name, path in paths.items() if not args.stopping else ():
        results.get("warm", name, f"seeds={args.seeds}", lambda: warm(path, args.seeds))
    for name, path in paths.items() if args.peer else ():
        results.get("u4", name, f"seeds={args.seeds}", lambda: of_peer(path, args.seeds))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    parser.add_argument("--results", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--stop-seeds", type=int, default=100)
    parser.add_argument("--stopping", action="store_true", help="measure the stopping rule alone")
    parser.add_argument("--print", choices=PARTS, action="append")
    parser.add_argument("--peer", action="store_true")
    args = parser.parse_args()
    if args.data:
        measure(args)
    with open(args.results, encoding="utf-8") as file:
        kept = json.load(file)
    wss = {name: {key.rpartition(" seeds=")[0]: value
                  for key, value in one.items()} for name, one in kept["wss95"].items()}
    peers = of_runs(kept, "u4")
    for part in args.print or PARTS:
        PARTS[part](kept, wss, peers)
        print()


if __name__ == "__main__":
    main()
