#!/usr/bin/python3
"""What the answers of a language model would save, by its sensitivity and precision: model.py DATA > bench/screen/model.csv

DATA is a folder with review-virus.csv and review-nudging.csv (id, title, body, included); see README.md. Means of four seeds.
"""

import csv
import json
import os
import subprocess
import sys

PPMINE = os.environ.get("PPMINE") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/ppmine")
MODELS = ("", "0.756,0.096", "1,0.096", "0.9,0.15", "1,0.3")
SETS = ("review-virus", "review-nudging")
FIGURES = ("wss95", "stop_saved", "stop_recall")


def simulate(path, model):
    given = ["--model", model] if model else []
    said = subprocess.run([PPMINE, "-q", "screen", "simulate", path, "--warm-start", "nothing", "--seeds", "4", "--format", "json",
                           *given], check=True, capture_output=True, text=True).stdout
    return [f"{json.loads(said)[figure]:.3f}" for figure in FIGURES]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["model", *(f"{name} {figure}" for name in SETS for figure in FIGURES)])
    for model in MODELS:
        out.writerow([model, *(cell for name in SETS for cell in simulate(os.path.join(sys.argv[1], name + ".csv"), model))])
        sys.stdout.flush()


main()
