"""Published numbers, computed without ppmine: the oracle of `ppmine verify`.

    claims.py write STUDY            prints claims.csv of the built-in study, computed from its label files
    claims.py compare FILE LABELS    FILE: what verify --format json printed; LABELS: a study folder with label
                                     files, or a database. Each number that verify recomputed must be ours.
    claims.py random SEED FOLDER     writes a study of random labels, with claims of every kind, all of value 1
"""
import collections
import csv
import itertools
import json
import math
import os
import random
import sqlite3
import sys

csv.field_size_limit(1 << 24)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Study:
    """labels[coder][subject][facet]: codes in their order; "merged" is what was settled."""

    def __init__(self, path):
        self.labels = collections.defaultdict(lambda: collections.defaultdict(dict))
        self.spelled = {}   # (coder, subject, facet): how the first code is spelled
        self.category = {}  # (list, code)
        self.lists, self.post = {}, {}
        (self.read_folder if os.path.isdir(path) else self.read_database)(path)

    def read_folder(self, folder):
        alias = {}
        for row in rows(f"{folder}/facets.csv"):
            self.lists[row["facet"]] = row["codes"] or row["facet"]
        for row in rows(f"{folder}/codebook.csv"):
            self.category[row["facet"], row["code"]] = row["category"]
            for name in [row["code"]] + [a for a in row["aliases"].split(";") if a]:
                alias[row["facet"], name.lower()] = row["code"]
        for name, coder in (("problems.csv", "merged"), ("coding.csv", None)):
            for row in rows(f"{folder}/{name}"):
                for column, text in row.items():
                    words = column.replace("_", " ")
                    facet = words if words in self.lists else words.rstrip("0123456789")
                    if facet not in self.lists or not text:
                        continue
                    who, code = coder or row["coder"], alias[self.lists[facet], text.lower()]
                    codes = self.labels[who][row["problem_id"]].setdefault(facet, [])
                    if not codes and text != code:
                        self.spelled[who, row["problem_id"], facet] = text
                    codes.append(code)
                self.post[row["problem_id"]] = row["problem_id"].split("_")[0]
        for row in rows(f"{folder}/identification.csv"):
            self.labels[row["coder"]][row["post_id"]]["identification"] = ["yes" if list(row.values())[2] == "1" else "no"]
            self.post[row["post_id"]] = row["post_id"]

    def read_database(self, path):
        db = sqlite3.connect(path)
        merged = {name for name, is_merged in db.execute("SELECT coder, is_merged FROM coder") if is_merged}
        kinds = {name: (place, kind) for name, place, kind in db.execute("SELECT facet, place, kind FROM facet")}
        self.lists = dict(db.execute("SELECT facet, list FROM facet ORDER BY place"))
        for facet, code, category in db.execute("SELECT facet, name, category FROM code"):
            self.category[facet, code] = category or ""
        judges = min(kinds, key=lambda name: kinds[name][0])
        for subject, post, facet, coder, code, spelling in db.execute(
                "SELECT l.subject, l.post_id, l.facet, l.coder, c.name, l.spelling FROM label AS l"
                " JOIN code AS c USING (code_id) ORDER BY l.place"):
            who = "merged" if coder in merged else coder
            self.labels[who][subject].setdefault(facet, []).append(code)
            self.post[subject] = post
            if spelling is not None and len(self.labels[who][subject][facet]) == 1:
                self.spelled[who, subject, facet] = spelling
        for post, coder, yes in db.execute("SELECT post_id, coder, is_problem FROM judgement"):
            who = "merged" if coder in merged else coder
            self.labels[who][str(post & (1 << 53) - 1)][judges] = ["yes" if yes else "no"]
            self.post[str(post & (1 << 53) - 1)] = post

    def people(self, facet):
        return sorted(who for who, said in self.labels.items()
                      if who != "merged" and (facet is None or any(facet in of for of in said.values())))

    def fits(self, codes, facet, code, category, first):
        of = codes[:1] if first else codes
        if code is None:
            return len(of)
        if category:
            names = [self.category[self.lists[facet], c] for c in of]
            return sum(1 for name in names if name == code or name.startswith(code + " > "))
        return of.count(code)

    def matrix(self, facet, coders, code, category):
        """What the coders gave, of each subject, None where one did not."""
        said = {}
        for coder in coders:
            for subject, of in self.labels[coder].items():
                if facet in of:
                    given = (tuple(sorted(of[facet])), self.spelled.get((coder, subject, facet))) if code is None \
                        else self.fits(of[facet], facet, code, category, False) > 0
                    said.setdefault(subject, {})[coder] = given
        return [[row.get(coder) for coder in coders] for row in said.values()]


# --- measures, from their definitions ---

def counts_of(row):
    return collections.Counter(given for given in row if given is not None)


def measure(name, matrix):
    pairs = [row for row in matrix if all(given is not None for given in row)]
    twice = [counts_of(row) for row in matrix if sum(given is not None for given in row) > 1]
    if name == "rated":
        return len(pairs)
    if name == "alpha":
        n = sum(sum(c.values()) for c in twice)
        totals = sum(twice, collections.Counter())
        unlike = sum((sum(c.values()) ** 2 - sum(k * k for k in c.values())) / (sum(c.values()) - 1) for c in twice) / n
        return 1 - unlike / ((n * n - sum(k * k for k in totals.values())) / (n * (n - 1)))
    if name == "fleiss":
        raters = len(pairs[0])
        observed = sum((sum(k * k for k in counts_of(row).values()) - raters) / (raters * (raters - 1))
                       for row in pairs) / len(pairs)
        totals = sum((counts_of(row) for row in pairs), collections.Counter())
        chance = sum((k / (len(pairs) * raters)) ** 2 for k in totals.values())
        return (observed - chance) / (1 - chance)
    observed = sum(a == b for a, b in pairs) / len(pairs)
    first, second = (collections.Counter(row[i] for row in pairs) for i in (0, 1))
    names = set(first) | set(second)
    n = len(pairs)
    mean = [(first[k] + second[k]) / (2 * n) for k in names]
    if name in ("ac1", "pabak"): # items that one coder rated count for chance, too, as in irrCAC
        rated = [counts_of(row) for row in matrix if any(given is not None for given in row)]
        names = set().union(*rated)
        mean = [sum(c[k] / sum(c.values()) for c in rated) / len(rated) for k in names]
    chance = {"agreement": 0, "kappa": sum(first[k] * second[k] for k in names) / n ** 2, "pi": sum(p * p for p in mean),
              "pabak": 1 / max(len(names), 2), "ac1": sum(p * (1 - p) for p in mean) / (max(len(names), 2) - 1)}[name]
    return (observed - chance) / (1 - chance)


# --- claims ---

def condition(text):
    left, _, code = text.partition("=")
    base = left.startswith("of ")
    name, *words = (left[3:] if base else left).split(":")
    return name.strip().replace("-", " "), code.strip() if "=" in text else None, "category" in [w.strip() for w in words], \
        "first" in [w.strip() for w in words], base


def compute(study, statistic, arguments, cell=None):
    parts = [part.strip() for part in arguments.split(";") if part.strip()]
    if statistic == "cell":
        return cell(*parts)
    by = [part[3:].strip() for part in parts if part.startswith("by ")]
    of_all = "of all" in parts
    conditions = [condition(part) for part in parts if not part.startswith("by ") and part != "of all"]
    names = {facet.replace("-", " "): facet for facet in study.lists}
    conditions = [(names[facet], *rest) for facet, *rest in conditions]
    if statistic == "coders":
        return len(study.people(conditions[0][0] if conditions else None))
    if statistic in ("rated", "agreement", "kappa", "pi", "pabak", "ac1", "fleiss", "alpha"):
        facet, code, category = conditions[0][:3]
        return measure(statistic, study.matrix(facet, by or study.people(facet), code, category))
    said = study.labels[by[0] if by else "merged"]
    judges = next(iter(study.lists))
    judged = any(c[0] == judges for c in conditions)
    said = {s: of for s, of in said.items() if (judges in of if judged else set(of) - {judges})}
    based = [c for c in conditions if c[4]]

    def fitting(of, c):
        return study.fits(of.get(c[0], []), *c[:4])

    if not of_all:
        said = {s: of for s, of in said.items()
                if (all(fitting(of, c) for c in based) if based else all(c[0] in of for c in conditions))}
    counted = {s: of for s, of in said.items() if all(fitting(of, c) for c in conditions)}
    if statistic == "problems":
        return len(counted)
    if statistic == "posts":
        return len({study.post[s] for s in counted})
    if statistic == "share":
        return len(counted) / len(said)
    if statistic == "labels":
        return sum(min(fitting(of, c) for c in conditions) for of in counted.values())
    assert statistic == "codes", statistic
    return len({code for of in counted.values() for code in of[conditions[0][0]]})


def bounds(n, of):
    """Wilson's score interval at 95 %."""
    z = 1.959963984540054
    share, least = n / of, 1 + z * z / of
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (share + z * z / (2 * of) - half) / least, (share + z * z / (2 * of) + half) / least


def chi_square_tail(x, df):
    assert df % 2 == 0, "the sum below is for an even number"
    return sum(math.exp(i * math.log(x / 2) - x / 2 - math.lgamma(i + 1)) for i in range(df // 2))


def independence(pairs):
    """Of a table of two codings: n, df, chi-square and its p, Cramér's V, with Bergsma's correction, cells below 5."""
    n, cells = len(pairs), collections.Counter(pairs)
    rows_, columns = (collections.Counter(pair[i] for pair in pairs) for i in (0, 1))
    expected = {(a, b): rows_[a] * columns[b] / n for a in rows_ for b in columns}
    chi = sum((cells[key] - e) ** 2 / e for key, e in expected.items())
    r, c = len(rows_), len(columns)
    corrected = max(0, chi / n - (r - 1) * (c - 1) / (n - 1))
    least = min(k - (k - 1) ** 2 / (n - 1) for k in (r, c)) - 1
    return {"n": n, "df": (r - 1) * (c - 1), "chi_square": chi, "chi_square_p": chi_square_tail(chi, (r - 1) * (c - 1)),
            "cramers_v": math.sqrt(chi / n / (min(r, c) - 1)), "cramers_v_corrected": math.sqrt(corrected / least),
            "expected_below_5": sum(e < 5 for e in expected.values())}


def cells_of(folder):
    """Cells of the tables of `stats` for which `compute` has no name. Fisher's p is left out: it is drawn."""
    problems, codebook = rows(f"{folder}/problems.csv"), rows(f"{folder}/codebook.csv")
    order = [row["code"] for row in codebook if row["facet"] == "stage"]
    category = {(row["facet"], row["code"]): row["category"] for row in codebook}
    n_all, cells = len(problems), {}

    def share(table, row, n, of, prefix=""):
        for name, bound in zip(("low", "high"), bounds(n, of)):
            cells[table, row, prefix + name] = bound

    for year in sorted({row["created_at"][:4] for row in problems}):
        of = [row for row in problems if row["created_at"].startswith(year)]
        cells["year", year, "posts"] = len({row["post_id"] for row in of})
        cells["year", year, "n"] = len(of)
        cells["year", year, "share"] = len(of) / n_all
        share("year", year, len(of), n_all)
    cells["totals", "posts with several problems", "n"] = sum(
        n > 1 for n in collections.Counter(row["post_id"] for row in problems).values())
    cells["totals", "problems with two symptoms", "n"] = sum(row["symptom2"] != "" for row in problems)

    # Symptoms by the first, and by any; root causes
    given = [[c for c in (row["symptom1"], row["symptom2"]) if c] for row in problems]
    causes = [row["root_cause"] for row in problems]
    kind = {code: name for (facet, code), name in category.items() if facet == "symptom"}
    why = {code: name for (facet, code), name in category.items() if facet == "root cause"}
    for table, row_of in (("rq1-category", kind.get), ("rq1-code", lambda code: f"{kind[code]} / {code}")):
        said = [[row_of(code) for code in codes] for codes in given]
        for row in dict.fromkeys(name for names in said for name in names):
            share(table, row, sum(names[0] == row for names in said), n_all)
            share(table, row, sum(row in names for names in said), n_all, "any_")
    for table, row_of in (("rq2-category", why.get), ("rq2-code", lambda code: f"{why[code]} / {code}")):
        for row, n in collections.Counter(map(row_of, causes)).items():
            share(table, row, n, n_all)

    # Stages, and what is in one and the other
    stages = [(row["introducing_stage"], row["exposing_stage"]) for row in problems]
    for i, role in enumerate(("introducing", "exposing")):
        for stage in order:
            share("rq3-stage", stage, sum(pair[i] == stage for pair in stages), n_all, f"{role}_")
    pairs = {"symptom-cause": [(kind[codes[0]], why[cause]) for codes, cause in zip(given, causes)],
             "rq3-matrix": stages,
             "cause-stage": [(why[cause], pair[0]) for cause, pair in zip(causes, stages)]}
    for table, of in pairs.items():
        for row, n in collections.Counter(a for a, _ in of).items():
            cells[table, row, "total"] = n
    for name, table in (("symptom x root cause category", "symptom-cause"),
                        ("root cause category x introducing stage", "cause-stage")):
        known = [pair for pair in pairs[table] if "unknown" not in (pair[0].lower(), pair[1].lower())]
        for row, of in ((name, pairs[table]), (f"{name}, without unknown", known)):
            for column, value in independence(of).items():
                cells["tests", row, column] = value
    known = [(order.index(a), order.index(b)) for a, b in stages if "unknown" not in (a, b)]
    for name, n, of in (("in the stage that introduced it", sum(a == b for a, b in stages), len(stages)),
                        ("in the same stage, both known", sum(a == b for a, b in known), len(known)),
                        ("in a later stage, both known", sum(a < b for a, b in known), len(known)),
                        ("in an earlier stage, both known", sum(a > b for a, b in known), len(known)),
                        ("a stage is unknown", len(stages) - len(known), len(stages))):
        cells["rq3-order", name, "n"], cells["rq3-order", name, "of"] = n, of
        cells["rq3-order", name, "share"] = n / of
        share("rq3-order", name, n, of)

    # The approaches. Documentation is applied where it solves the problem; how well it does so nobody said
    assessed = rows(f"{folder}/assessment.csv")
    order = ["not applied", "not solved", "partially solved"]
    for row in assessed:
        row["documentation"] = "applied" if row["documentation"] == "partially solved" else "not applied"
        row["any approach"] = max(row["profiler"], row["xla"], key=order.index)
        if row["any approach"] == "not applied":
            row["any approach"] = row["documentation"]
    for approach in ("profiler", "xla", "documentation", "any approach"):
        of = collections.Counter(row[approach] for row in assessed)
        applied = len(assessed) - of["not applied"]
        cells["rq4", approach, "problems"] = len(assessed)
        for status in order:
            if of[status]:
                cells["rq4", approach, status.replace(" ", "_")] = of[status]
        cells["rq4", approach, "applied"] = applied
        cells["rq4", approach, "applied_share"] = applied / len(assessed)
        share("rq4", approach, applied, len(assessed), "applied_")
    return cells


def write(folder):
    study, out = Study(folder), csv.writer(sys.stdout, lineterminator="\n")
    cells = cells_of(folder)
    codebook = rows(f"{folder}/codebook.csv")

    def of(facet):
        used = {code for s in study.labels["merged"].values() for code in s.get(facet, [])}
        return [row["code"] for row in codebook if row["facet"] == study.lists[facet] and row["code"] in used]

    def categories(facet):
        return list(dict.fromkeys(study.category[study.lists[facet], code] for code in of(facet)))

    def claim(where, statistic, arguments):
        value = compute(study, statistic, arguments, lambda *cell: cells[cell])
        digits = 8 if arguments.endswith("chi_square_p") else 4
        out.writerow([where, statistic, arguments, value if isinstance(value, int) else f"{value:.{digits}f}", ""])

    out.writerow(["where", "statistic", "arguments", "value", "tolerance"])
    problems = "empirical_study.csv, "
    claim(problems + "all", "problems", "")
    claim(problems + "all", "posts", "")
    for facet, question in (("symptom", "RQ1"), ("root cause", "RQ2"), ("introducing stage", "RQ3"), ("exposing stage", "RQ3")):
        columns = [(":category", name) for name in categories(facet) if name] + [("", name) for name in of(facet)]
        for kind, name in columns:
            where = problems + question
            for statistic in ("problems", "share"):
                if facet == "symptom":
                    claim(where, statistic, f"{facet}{kind}:first = {name}")
                claim(where, statistic, f"{facet}{kind} = {name}")
            if facet == "symptom" and kind:
                claim(where, "labels", f"{facet}{kind} = {name}")
    for a, b, where in (("symptom:category:first", "root cause:category", "RQ2, symptom by root cause"),
                        ("introducing stage", "exposing stage", "RQ3, introducing by exposing stage"),
                        ("root cause:category", "introducing stage", "RQ3, root cause by introducing stage")):
        names = [categories(x.split(":")[0]) if "category" in x else of(x) for x in (a, b)]
        for x, y in itertools.product(*names):
            claim(problems + where, "problems", f"{a} = {x}; {b} = {y}")
    for cell in cells:
        claim("benchmark.csv, RQ4" if cell[0] == "rq4" else problems + cell[0], "cell", "; ".join(cell))
    for facet in study.lists:
        where = "kappa_identification.csv" if facet == "identification" else "kappa_label.csv"
        for statistic in ("rated", "agreement", "kappa"):
            claim(where, statistic, f"{facet}; by coder1; by coder2")
    for coder in ("coder1", "coder2", "merged"):
        claim("kappa_identification.csv", "posts", f"identification = yes; by {coder}")


def compare(path, labels):
    study = Study(labels)
    with open(path, encoding="utf-8") as file:
        claims = json.load(file)[0]["rows"]
    cells = cells_of(labels) if os.path.exists(f"{labels}/assessment.csv") else {}
    faults = skipped = 0
    for row in claims:
        if row["recomputed"] is None or (row["statistic"] == "cell" and not cells):
            skipped += 1
            continue
        ours = compute(study, row["statistic"], row["arguments"] or "", lambda *cell: cells[cell])
        theirs = row["recomputed"]
        most = 6e-5 if theirs.endswith("%") else 1e-5 * max(abs(ours), 0.1) # as many digits are printed
        theirs = float(theirs[:-1]) / 100 if theirs.endswith("%") else float(theirs)
        if abs(ours - theirs) > most:
            print(f"{row['statistic']} {row['arguments']}: verify computed {row['recomputed']}, the oracle {ours:.6g}")
            faults += 1
    print(f"{len(claims) - skipped} numbers compared, {skipped} left out, {faults} differ")
    return faults == 0


def make_random(seed, folder):
    """Three coders with gaps, spellings, several codes, categories of two levels."""
    draw = random.Random(seed)
    os.mkdir(folder)

    def put(name, table):
        with open(f"{folder}/{name}", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(table)

    with open(f"{folder}/study.ini", "w", encoding="utf-8") as file:
        file.write("name = random\ntags = *\npublished_at = 2020-01-01\n")
    with open(f"{folder}/keywords.txt", "w", encoding="utf-8") as file:
        file.write("slow\n")
    codes = {"symptom": [("Time", "slow"), ("Time > Start", "slow start"), ("Memory", "leak"), ("Memory > GPU", "gpu leak")],
             "cause": [("", "lock"), ("", "cache"), ("", "bug")]}
    put("facets.csv", [["facet", "title", "plural", "about", "kind", "most", "codes", "required"],
                       ["identification", "", "", "post", "yes/no", 1, "", "yes"],
                       ["symptom", "", "", "problem", "codes", 2, "symptom", "no"],
                       ["cause", "", "", "problem", "codes", 1, "cause", "no"]])
    put("codebook.csv", [["facet", "category", "code", "short_name", "definition", "aliases"]] +
        [[facet, category, code, "", "", code.upper() + ";other " + code] for facet, of in codes.items()
         for category, code in of])

    def label(gap):
        first, second = draw.sample([code for _, code in codes["symptom"]], 2)
        cause = draw.choice(codes["cause"])[1]
        spell = draw.random()
        first = first.upper() if spell < 0.1 else "other " + first if spell < 0.2 else first
        return [first, second if draw.random() < 0.3 else "", "" if draw.random() < gap else cause]

    ids = [f"{post}_{n}" if post % 7 == 0 else str(post) for post in range(100, 220)
           for n in range(1, 3 if post % 7 == 0 else 2)]
    final = [[i, i.split("_")[0], "2019-01-01"] + label(0.2) for i in ids]
    put("problems.csv", [["problem_id", "post_id", "created_at", "symptom1", "symptom2", "cause"]] + final)
    put("coding.csv", [["problem_id", "coder", "symptom1", "symptom2", "cause"]] +
        [[row[0], coder] + (row[3:] if draw.random() < 0.7 else label(0.2)) for row in final
         for coder in ("ann", "ben", "cal") if draw.random() < 0.9])
    put("identification.csv", [["post_id", "coder", "is_identification"]] +
        [[post, coder, int(draw.random() < 0.6)] for post in range(300, 360) for coder in ("ann", "ben")])
    claims = [[what, of] for what in ("problems", "posts", "share", "labels") for of in (
        "symptom = leak", "symptom:first = leak", "symptom:category = Memory", "symptom:category = Memory > GPU",
        "symptom:category:first = Time; cause = bug", "cause = lock; by ann", "symptom = slow; of all",
        "symptom = slow; of cause = cache", "cause = lock; of symptom:category = Memory; by ben",
        "identification = yes; by ben", "symptom", "cause; by cal")]
    claims += [[what, ""] for what in ("problems", "posts", "coders")] + [["codes", "cause"], ["coders", "symptom"]]
    claims += [[what, of] for what in ("rated", "agreement", "kappa", "pi", "pabak", "ac1", "alpha", "fleiss") for of in (
        "symptom; by ann; by ben", "cause; by ann; by cal", "symptom = slow; by ben; by cal",
        "symptom:category = Memory; by ann; by ben", "identification; by ann; by ben")]
    claims += [[what, of] for what in ("alpha", "fleiss", "rated") for of in ("symptom", "cause = bug")]
    put("claims.csv", [["where", "statistic", "arguments", "value", "tolerance"]] + [["", *c, 1, ""] for c in claims])


if __name__ == "__main__":
    if sys.argv[1] == "random":
        make_random(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        sys.exit(0 if compare(sys.argv[2], sys.argv[3]) else 1)
