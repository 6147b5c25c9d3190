"""Makes labelled texts for tests of screening: labelled_texts.py N INCLUDED SEED [html|alike]. Writes a CSV
with the columns id, title, body and included. The texts are random words; those that are included
have words of their own, and a third of them a keyword of the study;
with "alike" they have not."""

import csv
import random
import sys

COMMON = ["model", "layer", "error", "version", "install", "tensor", "loss", "keras", "input",
          "shape", "python", "import", "dataset", "output", "weights", "compile", "fit", "callback",
          "lambda", "merge", "docs", "example", "windows", "wheel", "metric", "save", "load"]
SOUGHT = ["seconds", "epoch", "gpu", "usage", "memory", "waiting", "throughput", "utilization"]
KEYWORDS = ["slow", "faster", "performance"]


def text(rng, included, n):
    words = rng.choices(COMMON, k=n)
    if included:
        words += rng.choices(SOUGHT, k=max(2, n // 5))
        if rng.random() < 1 / 3:
            words.append(rng.choice(KEYWORDS))
    elif rng.random() < 0.2:
        words += rng.choices(SOUGHT, k=2)
    rng.shuffle(words)
    return " ".join(words)


def main():
    n, n_included, seed = map(int, sys.argv[1:4])
    rng = random.Random(seed)
    included = [1] * n_included + [0] * (n - n_included)
    rng.shuffle(included)
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["id", "title", "body", "included"])
    for i, answer in enumerate(included):
        own = answer and sys.argv[4:] != ["alike"]
        body = text(rng, own, rng.randint(10, 40))
        if sys.argv[4:] == ["html"]:
            body = f"<p>{body}</p><pre><code>slow slow</code></pre>"
        rows.writerow([1000 + i, text(rng, own, 5), body, answer])


main()
