#!/usr/bin/env python3
"""Enters the stopping rule of screening in the common test bed of stopping methods, and prints where it stands.

    testbed.py --bed CHECKOUT --data DIR --results FILE.json [--repeats 3] [--every 100]
    testbed.py --results FILE.json         prints what was measured
    testbed.py --same DIR                  shows that Ppmine below stops where the program does

CHECKOUT is a checkout of destiny-evidence/stopping-methods, DIR has labelled sets (sets.py). The orders are made by the rankers of the
test bed with its settings: 100 random texts first, more until five are relevant, then batches. Sets of less than 500 texts
or one relevant in a hundred are left out, as there. Each method is asked after every 100 texts. Methods with a
recall to reach and a confidence are asked for 95 % and 95 %; of the others each setting is a row. Packages: testbed.txt.
"""

import argparse
import csv
import io
import json
import logging
import operator
import os
import random
import re
import subprocess
import sys
import types
from pathlib import Path

import choose

RECALL = CONFIDENCE = 0.95
KEY = "ppmine"
csv.field_size_limit(sys.maxsize)
SMALLEST, RAREST = 500, 0.01  # sets, as in the test bed
LEFT_OUT = {  # settings of which the test bed itself says that they do not work, or that know the answer
    "BUSCAR": lambda setting: setting["bias"] == 1}


class Ppmine:
    """The rule of screen/stopping.c, as a method of the test bed: it sees the number of texts and the labels so far."""
    KEY = KEY

    @classmethod
    def parameter_options(cls):
        yield {"recall_target": RECALL, "confidence_level": CONFIDENCE}

    @staticmethod
    def odds(labels):
        from scipy.stats import beta
        finds = labels.cumsum()
        if not finds.size or finds[-1] == 0:
            return 1.0
        start = int((finds >= (finds[-1] + 1) // 2).argmax()) + 1
        middle = start + (len(labels) - start) // 2
        first, second = int(labels[start:middle].sum()), int(labels[middle:].sum())
        share = beta.ppf(1 - CONFIDENCE, first, second + 1) if first else 0.0
        return min((share / (1 - share)) ** (1 / 3), 2.0) if share > 0.5 else 1.0

    @classmethod
    def p(cls, n_total, labels, recall):
        from scipy.stats import hypergeom, nchypergeom_fisher
        found, odds = int(labels.sum()), cls.odds(labels)
        total, least, seen = int(found / recall + 1e-9) + 1, 1.0, 0
        if total - found > n_total - len(labels):
            return 0.0
        for i in range(len(labels) + 1):
            if i > 0 and not labels[i - 1]:
                continue
            seen += i > 0
            at = found - seen, n_total - i, total - seen, len(labels) - i
            least = min(least, hypergeom.cdf(*at) if odds == 1 else nchypergeom_fisher.cdf(*at, odds))
        return min(1.0, least * (3 if odds <= 1 else 1))

    @classmethod
    def compute(cls, n_total, labels, recall_target=RECALL, confidence_level=CONFIDENCE, **_others):
        p = cls.p(n_total, labels, recall_target)
        return {"KEY": cls.KEY, "safe_to_stop": p < 1 - confidence_level, "score": p}


def same(folder):
    """Ends the program where the rule above and the program part: not before the program's stop, and there."""
    import numpy as np
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        reads = list(csv.DictReader(io.StringIO(choose.simulate(path, "--seeds", "2", "--each", "--reads", "--format", "csv"))))
        stops = list(csv.DictReader(io.StringIO(choose.simulate(path, "--seeds", "2", "--each", "--format", "csv"))))
        for row in stops:
            labels = np.array([read["included"] in ("1", "true", "yes") for read in reads if read["seed"] == row["seed"]], dtype=int)
            at = int(row["stopped_at"])
            found = labels[:at].cumsum()
            for n, expected in ((at - 1, False), (at, True)):
                if n < len(labels) and Ppmine.compute(len(labels), labels[:n])["safe_to_stop"] != expected:
                    sys.exit(f"{name}, seed {row['seed']}: the program stops at {at}, not so here at {n}")
        print(f"{name}: stops where the program does, in {len(stops)} screenings")


# --- the test bed ---

def words_of(text):
    """In the place of its lemmas, whose data NLTK would fetch: words of three letters or more."""
    return " ".join(re.findall(r"[a-z]{3,}", text.lower()))


def once_for_all_settings(estimate):
    """The estimate of SALτ, which takes most of the time, is the same for most of its settings."""
    kept = {}

    def again(*scores, **settings):
        key = (*(one.tobytes() for one in scores), *sorted(settings.items()))
        if key not in kept:
            if len(kept) > 8:
                kept.clear()
            kept[key] = estimate(*scores, **settings)
        return kept[key]
    return again


def enter(checkout):
    """Its modules, without those that would fetch data or language models."""
    sys.path.insert(0, checkout)
    os.chdir(checkout)
    for name, members in (("shared.text_utils", {"process_text_aggressive": words_of}),
                          ("rankings.transformer", {"TransRanker": type("TransRanker", (), {"name": "transformer"})})):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(members)
    from methods import it_methods, salt
    import rankings
    salt.sld = once_for_all_settings(salt.sld)
    logging.disable(logging.CRITICAL)
    return list(it_methods()), rankings


def sets_of(folder):
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        labels = [int(row["included"]) for row in rows]
        if len(rows) >= SMALLEST and sum(labels) / len(rows) >= RAREST:
            yield name[:-4], labels, [row["title"] + " " + row["body"] for row in rows]
        else:
            print(f"{name[:-4]}: left out, {len(rows)} texts, {sum(labels)} relevant", file=sys.stderr)


def rank(data, ranker, seed):
    """With the first seed whose random start has relevant texts and others: it does not always grow as it should."""
    import numpy as np
    for number in range(seed, seed + 100000, 1000):
        random.seed(number)
        np.random.seed(number)
        data.reset()
        ranker.init()
        try:
            while data.has_unseen:
                data.prepare_next_batch()
                ranker.train()
                data.register_predictions(scores=ranker.predict(predict_on_all=False))
            return
        except ValueError:
            continue
    sys.exit(f"{data.KEY}: no start of a hundred has relevant texts and others")


def ranked(data, ranker, repeat, path):
    from shared.dataset import RankedDataset
    rank(data, ranker, repeat)
    data.df = data.df.astype({"score": float, "random": bool, "batch": int, "order": int})
    data.store(path.with_suffix(".feather"))
    path.write_text(json.dumps({"repeat": repeat}), encoding="utf-8")
    return RankedDataset(ranking_info_fp=path)


def orders(rankings, folder, repeats, kept, scratch):
    """The name of each order that is not kept, and its data; each ranker once with each set, before the next one."""
    from shared.dataset import BatchStrategy, Dataset
    sets = []
    for name, labels, texts in sets_of(folder):
        sets.append(Dataset(key=name, labels=labels, texts=texts))
        sets[-1].init(num_random_init=100, batch_strategy=BatchStrategy.DYNAMIC, dyn_min_batch_incl=5, dyn_min_batch_size=100,
                      dyn_growth_rate=0.1, dyn_max_batch_size=600, ngram_range=(1, 1), max_features=7000, min_df=3)
    for repeat in range(1, repeats + 1):
        for ranker in rankings.it_rankers(models=["logreg", "sgd", "lightgbm", "svm"]):
            if ranker.model_params.get("solver") == "newton-cholesky":  # minutes for each order
                continue
            for data in sets:
                ranker.attach_dataset(data)
                name = " ".join([data.KEY, ranker.name, *(["rbf"] if ranker.model_params.get("kernel") == "rbf" else []), str(repeat)])
                if name not in kept:
                    yield name, ranked(data, ranker, repeat, Path(scratch) / f"{name}.json")


def settings_of(method):
    for setting in method.parameter_options():
        wanted = setting.get("recall_target", RECALL) == RECALL and setting.get("confidence_level", CONFIDENCE) == CONFIDENCE
        if wanted and LEFT_OUT.get(method.KEY, lambda _: True)(setting):
            yield dict(setting)


def ask(data, methods, every):
    """Where each method with each setting stops first: texts read and relevant ones among them; all, where it never does."""
    stops, open_ = {}, {}
    for method in methods:
        for setting in settings_of(method):
            words = " ".join(f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}" for key, value in setting.items()
                             if key not in ("recall_target", "confidence_level"))
            open_[f"{method.KEY} {words}".strip()] = method, setting
    all_labels = data.labels
    for _, bounds, (labels, scores, is_prioritised) in data.cum_batches(batch_size=every):
        for name, (method, setting) in list(open_.items()):
            try:
                said = method.compute(n_total=data.n_total, labels=labels, scores=scores, is_prioritised=is_prioritised, bounds=bounds,
                                      full_labels=all_labels, **setting)
            except Exception as error:  # pylint: disable=broad-exception-caught
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                stops[name] = None
                del open_[name]
                continue
            if said["safe_to_stop"]:
                stops[name] = [len(labels), int(labels.sum())]
                del open_[name]
    for name in open_:
        stops[name] = [int(data.n_total), int(data.n_incl)]
    return {"n": int(data.n_total), "relevant": int(data.n_incl), "stops": stops}


def measure(args):
    import tempfile
    import warnings
    warnings.simplefilter("ignore")
    folder, out = os.path.abspath(args.data), os.path.abspath(args.results)
    commit = subprocess.run(["git", "-C", args.git or args.bed, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    kept = {"commit": commit, "every": args.every, "orders": {}}
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            kept = json.load(file)
    methods, rankings = enter(args.bed)
    with tempfile.TemporaryDirectory() as scratch:
        for name, data in orders(rankings, folder, args.repeats, kept["orders"], scratch):
            kept["orders"][name] = ask(data, [*methods, Ppmine], args.every)
            with open(out + ".new", "w", encoding="utf-8") as file:
                json.dump(kept, file, separators=(",", ":"), sort_keys=True)
                file.write("\n")
            os.replace(out + ".new", out)
            print(name, file=sys.stderr, flush=True)


# --- the tables ---

DRAWS = 200


def by_set(orders):
    """The orders of each set: sets count alike, however many orders they have."""
    sets = {}
    for name, one in orders:
        sets.setdefault(name.split(" ")[0], []).append(one)
    return list(sets.values())


def shares_of(order):
    """What each method and setting made of an order, which draws ask for hundreds of times: reached, recall, saved."""
    if "shares" not in order:
        order["shares"] = {name: (stop[1] / order["relevant"] >= RECALL, stop[1] / order["relevant"], 1 - stop[0] / order["n"])
                           for name, stop in order["stops"].items() if stop is not None}
    return order["shares"]


def rows_of(sets):
    """A row for each method and setting that answered on every order."""
    shares = [shares_of(one) for orders in sets for one in orders]
    weights = [1 / len(sets) / len(orders) for orders in sets for _ in orders]

    def mean(values):
        return sum(map(operator.mul, values, weights))
    for name in sorted(set.intersection(*map(set, shares))):
        reached, recalls, saved = zip(*(one[name] for one in shares))
        yield {"name": name, "reached": mean(reached), "recall": mean(recalls), "worst": min(recalls), "saved": mean(saved)}


def place_in(rows):
    """Of those that reach the recall and save something: how many, and which of them is ours by what it saves; none: it is not."""
    keep = sorted((row for row in rows if row["reached"] >= CONFIDENCE - 1e-9 and row["saved"] > 1e-9), key=lambda row: -row["saved"])
    places = [place for place, row in enumerate(keep, 1) if row["name"] == KEY]
    return len(keep), places[0] if places else None


def best_of_each(rows):
    """Of each method the setting that reached the recall most often; of equals, the one that saves most."""
    best = {}
    for row in rows:
        key = row["name"].split(" ")[0]
        if key not in best or (row["reached"], row["saved"]) > (best[key]["reached"], best[key]["saved"]):
            best[key] = row
    return sorted(best.values(), key=lambda row: (-row["reached"], -row["saved"]))


def print_methods(rows, kept):
    choose.table(("method", "setting", "recall below 0.95", "mean recall", "worst", "saved"),
                 [(row["name"].split(" ")[0], row["name"].partition(" ")[2], f"{100 * (1 - row['reached']):.1f} %", f"{row['recall']:.3f}",
                   f"{row['worst']:.3f}", f"{100 * row['saved']:.1f} %") for row in best_of_each(rows)])


def print_place(rows, kept):
    n, place = place_in(rows)
    sets, chance, drawn = by_set(kept["orders"].items()), random.Random(1), []
    for _ in range(DRAWS):
        picked = [chance.choices(orders, k=len(orders)) for orders in chance.choices(sets, k=len(sets))]
        drawn.append(place_in(rows_of(picked))[1])
    there = sorted(one for one in drawn if one)
    said = f"ours is number {place} of them by what it saves." if place else "ours is none of them."
    if not there:
        sys.exit("testbed: ours is among those that reach the recall in no draw; write the sentence anew")
    print(f"Of {len(rows)} methods and settings, on {len(kept['orders'])} orders of {len(sets)} sets that count alike, {n} reach a recall of 0.95 in 95 of "
          f"100 orders and save something; {said} Where sets, and orders of each, are drawn anew ({DRAWS} times), ours is among them in "
          f"{100 * len(there) / DRAWS:.0f} of 100, as number {there[len(there) // 40]} to {there[-1 - len(there) // 40]} in 95 of 100 of these.")


PARTS = {"methods": print_methods, "place": print_place}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bed")
    parser.add_argument("--git", help="where its commit is asked, if CHECKOUT is no clone")
    parser.add_argument("--data")
    parser.add_argument("--results")
    parser.add_argument("--same")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--print", choices=PARTS, action="append")
    args = parser.parse_args()
    if args.same:
        same(args.same)
        return
    if args.bed:
        measure(args)
    with open(args.results, encoding="utf-8") as file:
        kept = json.load(file)
    rows = list(rows_of(by_set(kept["orders"].items())))
    for part in args.print or PARTS:
        PARTS[part](rows, kept)


if __name__ == "__main__":
    main()
