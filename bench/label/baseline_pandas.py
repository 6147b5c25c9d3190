#!/usr/bin/python3
"""What ppmine stats, agree --all and label next answer, asked with pandas, statsmodels and SciPy.

    baseline_pandas.py stats|agree|next DATABASE

Reads the same SQLite file, and prints the numbers as JSON for bench/label/run.py to compare. Each
question is asked as its libraries want it: whole columns, no loop over rows. The bootstrap is
NumPy's multinomial over the cells of a table, 2000 resamples.
"""

import json
import sqlite3
import sys

import numpy as np
import pandas as pd

RESAMPLES = 2000
FACETS = ["symptom", "root cause", "introducing stage", "exposing stage"]


def read(db, sql):
    return pd.read_sql_query(sql, db)


# --- agree ---


def kappas(tables):
    """Cohen's kappa of each table of counts."""
    n = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1) / n
    expected = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n ** 2
    return (observed - expected) / (1 - expected)


def alphas(held, counts, partners):
    """counts: of each row of `held`, which says how often a pattern has each code. `partners` 1:
    Krippendorff's alpha, 0: Fleiss' kappa."""
    size = held.sum(axis=1)
    within = (size ** 2 - (held ** 2).sum(axis=1)) / (size - 1)
    totals = counts @ held
    n = totals.sum(axis=-1)
    by_chance = n ** 2 - (totals ** 2).sum(axis=-1)
    return 1 - (counts @ within) * (n - partners) / by_chance


def bounds(values):
    return [float(bound) for bound in np.quantile(values, [0.025, 0.975])]


def agree_on_pair(rng, facet, wide, a, b):
    from statsmodels.stats.inter_rater import cohens_kappa
    both = wide[[a, b]].dropna().astype(int)
    n_codes = int(both.max().max()) + 1
    table = np.zeros((n_codes, n_codes))
    np.add.at(table, (both[a], both[b]), 1)
    used = (table.sum(axis=0) + table.sum(axis=1)) > 0
    table = table[used][:, used]
    result = cohens_kappa(table)
    n = int(table.sum())
    drawn = rng.multinomial(n, table.ravel() / n, size=RESAMPLES)
    return {"facet": facet, "coder_a": a, "coder_b": b, "n": n, "kappa": result.kappa,
            "low": result.kappa_low, "high": result.kappa_upp,
            "bootstrap": bounds(kappas(drawn.reshape(-1, *table.shape).astype(float)))}


def agree_of_all(rng, facet, wide):
    codes = wide.to_numpy(dtype=float)
    n_codes = int(np.nanmax(codes)) + 1
    held = np.stack([(codes == code).sum(axis=1) for code in range(n_codes)], axis=1)
    complete = bool((held.sum(axis=1) == codes.shape[1]).all())
    held, counts = np.unique(held[held.sum(axis=1) > 1], axis=0, return_counts=True)
    n, rows = int(counts.sum()), []
    for name, partners in [("Fleiss' kappa", 0), ("Krippendorff's alpha", 1)]:
        if partners == 0 and not complete:
            continue
        drawn = rng.multinomial(n, counts / n, size=RESAMPLES).astype(float)
        rows.append({"facet": facet, "measure": name,
                     "value": float(alphas(held, counts, partners)),
                     "bootstrap": bounds(alphas(held, drawn, partners))})
    return rows


def agree(db):
    rng = np.random.default_rng(1)
    merged = set(read(db, "SELECT coder FROM coder WHERE is_merged")["coder"])
    judged = read(db, "SELECT post_id AS subject, coder, is_problem AS code FROM judgement")
    labels = read(db, "SELECT subject, coder, facet, code_id AS code FROM label"
                      " WHERE place = 1 AND code_id IS NOT NULL")
    tables = [("identification", judged)]
    tables += [(facet.replace(" ", "-"), labels[labels["facet"] == facet]) for facet in FACETS]
    pairs, coders = [], []
    for facet, table in tables:
        table = table[~table["coder"].isin(merged)]
        wide = table.pivot(index="subject", columns="coder", values="code")
        names = list(wide.columns)
        pairs += [agree_on_pair(rng, facet, wide, a, b)
                  for i, a in enumerate(names) for b in names[i + 1:]]
        coders += agree_of_all(rng, facet, wide)
    return {"agreement": pairs, "coders": coders}


# --- stats ---


def shares(column):
    from statsmodels.stats.proportion import proportion_confint
    counts = column.dropna().value_counts()
    low, high = proportion_confint(counts, counts.sum(), method="wilson")
    return {str(key): [int(counts[key]), float(low[key]), float(high[key])] for key in counts.index}


def independence(rows, columns):
    from scipy.stats import chi2_contingency
    chi2, p, df, _ = chi2_contingency(pd.crosstab(rows, columns), correction=False)
    return [float(chi2), int(df), float(p)]


def stats(db):
    codes = read(db, "SELECT code_id, category, name FROM code").set_index("code_id")
    problems = read(db, "SELECT l.*, coalesce(l.created_at, p.created_at) AS created, p.tags"
                        " FROM problem AS l LEFT JOIN post AS p USING (post_id)")
    labels = problems["labels"].map(json.loads)
    for column in ["symptom1", "root_cause", "introducing_stage", "exposing_stage"]:
        facet = column.rstrip("1").replace("_", " ")
        problems[column] = [next(iter(row.get(facet, [])), None) for row in labels]
    name = {column: problems[column].map(codes["name"]) for column in
            ["symptom1", "root_cause", "introducing_stage", "exposing_stage"]}
    category = {column: problems[column].map(codes["category"])
                for column in ["symptom1", "root_cause"]}
    return {
        "year": shares(problems["created"].str[:4]),
        "rq1-category": shares(category["symptom1"]), "rq1-code": shares(name["symptom1"]),
        "rq2-category": shares(category["root_cause"]), "rq2-code": shares(name["root_cause"]),
        "introducing": shares(name["introducing_stage"]),
        "exposing": shares(name["exposing_stage"]),
        "matrix": int(pd.crosstab(name["introducing_stage"], name["exposing_stage"]).values.sum()),
        "tests": [independence(category["symptom1"], category["root_cause"]),
                  independence(category["root_cause"], name["introducing_stage"])]}


# --- next ---


def unjudged(db):
    """The first candidate that c1 has not judged."""
    candidates = read(db, "SELECT post_id, n_hits FROM candidate_post")
    judged = read(db, "SELECT post_id FROM judgement WHERE coder = 'c1'")
    left = candidates[~candidates["post_id"].isin(judged["post_id"])]
    return {"left": len(left)}


def main():
    db = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
    print(json.dumps({"agree": agree, "stats": stats, "next": unjudged}[sys.argv[1]](db)))


if __name__ == "__main__":
    main()
