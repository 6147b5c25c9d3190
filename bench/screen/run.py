#!/usr/bin/python3
"""Measures screening against its targets, with scikit-learn as the peer in the same run.

    run.py [--data DIR] [--seeds N] [--json FILE]

Figures of quality do not depend on the load of the machine. Targets are reported, never enforced.
"""

import argparse
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import time

import peer

HERE = os.path.dirname(os.path.abspath(__file__))
PPMINE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build/ppmine")
SEEDS = 5
# Published results of the hypergeometric rule as it is, behind the peer: share that it saves.
STOP_SAVES = {"dl-reports-keras": 0.25, "dl-reports-caffe": 0.00, "review-virus": 0.40,
              "review-nudging": 0.29}
# Recall after twice as many texts as the keywords of the study find.
TWICE = {"dl-reports-keras": 0.95, "dl-reports-caffe": 0.75}


def simulate(path, *options):
    done = subprocess.run([PPMINE, "screen", "simulate", path, *options], check=True,
                          capture_output=True, text=True)
    return done.stdout, done.stderr


def summary(path, *options):
    return json.loads(simulate(path, "--seeds", str(SEEDS), "--format", "json", *options)[0])


def peer_wss95(path):
    texts, included = peer.load(path)
    features = peer.vectorise(texts)
    return statistics.mean(peer.wss95(included, peer.simulate(features, included, seed))
                           for seed in range(SEEDS))


def keywords_recall(path):
    said = simulate(path, "--seeds", "1", "--format", "json")[1]
    return float(said.split("recall ")[1].split(",")[0]) if "recall " in said else 0.0


def verdict(reached):
    return "reached" if reached else "MISSED"


def saving(paths, results):
    print(f"Work saved at 95 % recall (WSS@95), mean of {SEEDS} seeds:\n")
    print(f"{'':18}{'u4':>8}{'ppmine':>8}{'cold':>8}")
    for name, path in paths.items():
        one = results[name] = {"u4": peer_wss95(path), "ppmine": summary(path)["wss95"],
                               "cold": summary(path, "--warm-start", "nothing")["wss95"]}
        print(f"{name:18}{one['u4']:8.3f}{one['ppmine']:8.3f}{one['cold']:8.3f}  "
              f"{verdict(one['ppmine'] >= one['u4'])}", flush=True)
    means = {key: statistics.mean(one[key] for one in results.values())
             for key in ("u4", "ppmine", "cold")}
    print(f"{'mean':18}{means['u4']:8.3f}{means['ppmine']:8.3f}{means['cold']:8.3f}  "
          f"{verdict(means['ppmine'] >= means['u4'] + 0.03)} (by 0.03)\n"
          "cold: without what the study knows before the first answer\n")


def keywords(paths, results):
    print("Recall with the warm start, having read as many texts as the keywords find, and twice:\n")
    print(f"{'':18}{'keywords':>9}{'as many':>9}{'twice':>9}")
    for name, path in paths.items():
        at = summary(path)["recall_at"]
        one = {"keywords": keywords_recall(path), "as_many": at["keywords"],
               "twice": at["twice keywords"]}
        results[name].update(one)
        reached = one["as_many"] >= one["keywords"] and one["twice"] >= TWICE.get(name, 0)
        print(f"{name:18}{one['keywords']:9.3f}{one['as_many']:9.3f}{one['twice']:9.3f}  "
              f"{verdict(reached)}", flush=True)
    print()


def stopping(paths, results, seeds):
    print(f"The stopping rule, 95 % recall at 95 % confidence, {seeds} screenings each:\n")
    print(f"{'':18}{'below 95 %':>11}{'saves':>8}{'seconds':>9}")
    for name, path in paths.items():
        begun = time.monotonic()
        rows = list(csv.DictReader(io.StringIO(
            simulate(path, "--seeds", str(seeds), "--each", "--format", "csv")[0])))
        below = sum(float(row["stop_recall"]) < 0.95 for row in rows) / len(rows)
        saves = statistics.mean(float(row["stop_saved"]) for row in rows)
        results[name].update(stop_below=below, stop_saves=saves)
        reached = below <= 0.05 and saves >= STOP_SAVES.get(name, 0)
        print(f"{name:18}{below:11.3f}{saves:8.3f}{time.monotonic() - begun:9.0f}  "
              f"{verdict(reached)}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="shared/data/screening")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--json")
    args = parser.parse_args()
    names = sorted(os.listdir(args.data)) if os.path.isdir(args.data) else []
    paths = {name[:-4]: os.path.join(args.data, name) for name in names if name.endswith(".csv")}
    results = {}
    if not paths:
        print(f"{args.data}: no labelled texts there (*.csv); name a folder with SCREEN_DATA=")
        sys.exit(1)
    saving(paths, results)
    keywords(paths, results)
    stopping(paths, results, args.seeds)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


main()
