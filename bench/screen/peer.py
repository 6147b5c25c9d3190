"""The peer: ASReview's ELAS u4 with scikit-learn, as published: TF-IDF of 1- and 2-grams with sublinear
counts and max_df 0.95; a linear support vector machine with squared hinge loss, C 0.11; the relevant
texts together weigh 9.8 times what the others do ("balanced" classifier). One relevant text and another are
known first. The model learns again after each text up to 100, after 5 up to 500, then after 20."""

import csv
import math
import sys
import warnings

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

COST = 0.11
RATIO = 9.8

csv.field_size_limit(sys.maxsize)
warnings.filterwarnings("ignore", module="sklearn")


def load(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = [row["title"] + " " + row["body"] for row in rows]
    return texts, np.array([int(row["included"]) for row in rows])


def vectorise(texts):
    return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, max_df=0.95).fit_transform(texts)


def scores(features, rows, answers):
    relevant = answers.sum()
    weights = np.where(answers == 1, 1.0, relevant / (RATIO * (len(answers) - relevant)))
    weights *= len(answers) / weights.sum()
    machine = LinearSVC(loss="squared_hinge", C=COST, random_state=0)
    machine.fit(features[rows], answers, sample_weight=weights)
    return machine.decision_function(features)


def batch(n_read):
    return 1 if n_read < 100 else 5 if n_read < 500 else 20


def simulate(features, included, seed):
    """The order of reading, up to the last relevant text."""
    rng = np.random.RandomState(seed)
    order = [int(rng.choice(np.flatnonzero(included == answer))) for answer in (1, 0)]
    seen = np.zeros(len(included), bool)
    seen[order] = True
    while included[order].sum() < included.sum():
        rows = np.array(order)
        ranked = np.where(seen, -np.inf, scores(features, rows, included[rows]))
        for row in np.argsort(-ranked, kind="stable")[:min(batch(len(order)), (~seen).sum())]:
            order.append(int(row))
            seen[row] = True
    return order


def wss95(included, order):
    found = np.cumsum(included[order])
    read = int(np.searchsorted(found, math.ceil(0.95 * included.sum() - 1e-9))) + 1
    return (len(included) - read) / len(included) - 0.05
