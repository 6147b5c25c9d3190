"""Merging in every order gives one database: random copies of a study, and an oracle.

    python3 label_merge.py FIRST_SEED ROUNDS

Three copies of a study are filled with random decisions, undos, notes and changes of the codebook,
in plain SQL but for the codebook, whose commands are the program's. They are merged in all six
orders, some steps repeated; every table about labels must come out the same, and the same as this
file makes out of the rows without a word of ppmine.
"""
import hashlib, itertools, json, os, random, shutil, sqlite3, subprocess, sys

FACETS = {"symptom": ("symptom", 2), "root cause": ("root cause", 1),
          "introducing stage": ("stage", 1), "exposing stage": ("stage", 1)}
STAGE = ["training", "testing"]
CODES = {"symptom": ["slow", "hang", "out of memory"], "root cause": ["misuse", "bug"],
         "stage": STAGE}
# In this order, each copy up to some point. Names that a code had stay valid.
CHANGES = [
    ["rename", "hang", "freeze", "--facet", "symptom"],
    ["define", "slow", "--definition", "takes long", "--facet", "symptom"],
    ["add", "leak", "--facet", "symptom", "--category", "Memory",
     "--versus", "out of memory", "--rule", "it grows"],
    ["merge", "bug", "--into", "misuse", "--facet", "root cause"],
    ["rename", "misuse", "wrong use", "--facet", "root cause"],
    ["split", "out of memory", "--into", "slow", "--into", "leak", "--facet", "symptom"],
]
TABLES = {
    "study": "key, value", "code": "*", "code_alias": "*", "disambiguation": "*",
    "code_change": "*", "coder": "*", "decision": "*", "note": "*", "message": "*", "memo": "*", "problem_date": "*",
    "assessment": "*", "screening": "*", "judgement": "*", "label": "*", "problem": "*",
}


def ppmine(database, *words, now="2026-03-01T00:00:00.000Z", fails=None):
    done = subprocess.run(["ppmine", "-d", database, *words], capture_output=True, text=True,
                          env={**os.environ, "PPMINE_NOW": now})
    assert (done.returncode == (fails or 0)), (words, done.returncode, done.stderr)
    return done


def query(database, *arguments):
    connection = sqlite3.connect(database)
    try:
        with connection:
            return connection.execute(*arguments).fetchall()
    finally:
        connection.close()


def rows(database, table, columns="*"):
    return sorted(query(database, f"SELECT {columns} FROM {table}"), key=repr)


def dump(database):
    return {table: rows(database, table, columns) for table, columns in TABLES.items()}


def sha(*values):
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def time_of(dice):
    return f"2026-02-{dice.randint(1, 9):02}T0{dice.randint(0, 1)}:00:00.00{dice.randint(0, 2)}Z"


class Copy:
    def __init__(self, path, coders, dice):
        self.path, self.coders, self.dice = path, coders, dice

    def sql(self, *arguments):
        return query(self.path, *arguments)

    def version(self):
        return int(self.sql("SELECT value FROM study WHERE key = 'codebook_version'")[0][0])

    def put(self, coder, subject, facet, value, at, undoes=None):
        post = int(subject.split("_")[0])
        dice = self.dice
        self.sql("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
        self.sql("INSERT OR IGNORE INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 (sha(coder, subject, facet, value, at), at, coder, subject, post, facet,
                  text_of(value), self.version(), undoes,
                  dice.choice([None, None, "Unkown", "slow!"]),
                  dice.choice([None, None, "seen in the trace", "ärgerlich \"'"]),
                  dice.choice([None, None, '["model:a"]', '["model:a","model:b"]'])))

    def decide(self):
        dice = self.dice
        coder = dice.choice(self.coders)
        facet = dice.choice(["identification", *FACETS])
        if facet == "identification":
            return self.put(coder, dice.choice(["7", "8", "10"]), facet, dice.random() < 0.5,
                            time_of(dice))
        codes, most = FACETS[facet]
        given = [name for (name,) in self.sql(
            "SELECT name FROM code WHERE facet = ? AND retired_in IS NULL", (codes,))]
        value = dice.sample(given, dice.randint(0, most))
        self.put(coder, dice.choice(["7", "8_1", "8_2", "10"]), facet, value, time_of(dice))

    def undo(self):
        found = self.sql("SELECT decision_id, coder, subject, facet FROM decision"
                         " WHERE undoes IS NULL ORDER BY 1")
        found = [row for row in found if row[1] in self.coders]
        if found:
            decision_id, coder, subject, facet = self.dice.choice(found)
            self.put(coder, subject, facet, {"undoes": decision_id}, time_of(self.dice), decision_id)

    def write(self):
        coder, at = self.dice.choice(self.coders), time_of(self.dice)
        text, table = self.dice.choice(["look again", "why?\nsee below", "ü"]), self.dice.choice(["note", "message"])
        self.sql("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
        self.sql(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?, ?, ?)",
                 (sha(coder, "8_1", table, text, at), at, coder, "8_1", 8, text))

    def memo(self):
        coder, at, text = self.dice.choice(self.coders), time_of(self.dice), self.dice.choice(["why?", "a\nb", "ü"])
        facet, code = self.dice.choice([("", ""), ("symptom", "slow"), ("stage", "testing")])
        undoes = [row[0] for row in self.sql("SELECT memo_id FROM memo WHERE coder = ? AND code = ?", (coder, code))]
        undone = self.dice.choice(undoes) if undoes and self.dice.random() < 0.3 else None
        self.sql("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
        self.sql("INSERT OR IGNORE INTO memo VALUES (?, ?, ?, ?, ?, ?, ?)",
                 (sha(coder, "", facet, {"undoes": undone} if undone else text, at), at, coder, facet, code,
                  "" if undone else text, undone))

    def date(self):
        self.sql("INSERT OR REPLACE INTO problem_date VALUES (?, ?)",
                 (self.dice.choice(["7", "8_1"]),
                  self.dice.choice(["2018-01-02", "2018-01-02T01:12:20.123Z", "2019-01-01"])))

    def assess(self):
        self.sql("INSERT OR REPLACE INTO assessment VALUES (?, ?, ?, ?)",
                 ("8_1", self.dice.choice(["xla", "profiler"]),
                  self.dice.choice(["not applied", "not solved", "partially solved"]),
                  self.dice.choice([None, "tensorflow", "keras"])))

    def screen(self):
        dice, coder = self.dice, self.dice.choice(self.coders)
        self.sql("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
        self.sql("INSERT OR REPLACE INTO screening VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 (coder, dice.choice([7, 8, 10]), dice.randint(1, 3),
                  dice.choice(["yes", "no", "unsure"]),
                  dice.choice(["ranked", "random", "keyword", "hand"]), time_of(dice),
                  dice.choice([None, -0.5, 2.25]), dice.randint(0, 2), "svm", 1))

    def live(self, steps, changes):
        for _ in range(steps):
            self.dice.choice([self.decide] * 6 + [self.undo, self.write, self.write, self.memo, self.date, self.assess,
                                                  self.screen, self.screen])()
        for change in changes:
            number = self.version()
            ppmine(self.path, "codebook", *change, "--by", "ann", "--why", "seen in a meeting",
                   now=f"2026-02-{10 + number}T00:00:00.000Z")
            for _ in range(self.dice.randint(0, steps // 2)):
                self.decide()


def larger(a, b):
    return max((x for x in (a, b) if x is not None), default=None)


def union(dumps):
    """What must be in the kept tables."""
    newest = max(dumps, key=lambda d: len(d["code_change"]))
    out = {table: newest[table] for table in
           ("study", "code", "code_alias", "disambiguation", "code_change")}
    decisions, dates, assessments, coders, screening = {}, {}, {}, {}, {}
    for d in dumps:
        for row in d["decision"]:
            old = decisions.get(row[0], row)
            assert old[:7] == row[:7] and old[8] == row[8]
            decisions[row[0]] = (*row[:7], min(old[7], row[7]), row[8], larger(old[9], row[9]),
                                 larger(old[10], row[10]), larger(old[11], row[11]))
        for problem, date in d["problem_date"]:
            dates[problem] = max(date, dates.get(problem, ""))
        for problem, approach, status, library in d["assessment"]:
            old = assessments.get((problem, approach), ("", None))
            assessments[problem, approach] = (max(status, old[0]), larger(library, old[1]))
        for row in d["screening"]:  # what was read last; the rest only settles ties
            age = (row[5], row[3], row[4], row[2], row[8], row[7], row[9],
                   float("-inf") if row[6] is None else row[6])
            screening[row[:2]] = max(screening.get(row[:2], (("",),)), (age, row))
        for coder, is_merged in d["coder"]:
            coders[coder] = max(is_merged, coders.get(coder, 0))
    out["decision"] = list(decisions.values())
    for table in ("note", "message", "memo"):
        out[table] = list({row for d in dumps for row in d[table]})
    out["problem_date"] = list(dates.items())
    out["assessment"] = [(*key, *value) for key, value in assessments.items()]
    out["coder"] = list(coders.items())
    out["screening"] = [row for _, row in screening.values()]
    return out


def derive(kept):
    """judgement, label and problem, from the kept tables."""
    undone = {row[8] for row in kept["decision"]}
    counts = {}
    for row in sorted(kept["decision"], key=lambda row: (row[1], row[0])):
        if row[8] is None and row[0] not in undone:
            counts[row[2], row[3], row[5]] = row
    codes = {}
    for code_id, alias in kept["code_alias"]:
        codes[next(c[1] for c in kept["code"] if c[0] == code_id), alias] = code_id
    for code in kept["code"]:
        codes[code[1], code[3]] = code[0]
    into = {code[0]: code[7] or code[0] for code in kept["code"]}
    judgement, label, problem = [], [], {}
    merged = {coder for coder, is_merged in kept["coder"] if is_merged}
    noes = {}  # the last one of each coder about a post
    for row in kept["decision"]:
        if row[5] == "identification" and row[6] == "false" and row[0] not in undone:
            noes[row[2], row[4]] = max(row[1], noes.get((row[2], row[4]), ""))
    for (coder, subject, facet), row in counts.items():
        if facet != "identification" and noes.get((coder, row[4]), "") > row[1]:
            continue  # withdrawn
        if facet == "identification":
            judgement.append((row[4], coder, int(row[6] == "true"), row[1]))
            continue
        value = [into[codes[FACETS[facet][0], name]] for name in json.loads(row[6])]
        value = list(dict.fromkeys(value))  # merged codes may be the same one now
        for place, code in enumerate(value or [None], 1):
            label.append((subject, facet, coder, place, row[4], code, None, row[1], row[7],
                          row[9] if place == 1 else None))
        if coder in merged and value:
            problem.setdefault(subject, {})[facet] = value
    dates = dict(kept["problem_date"])
    # Where all was taken back is no problem.
    problems = [(subject, int(subject.split("_")[0]), dates.get(subject),
                 text_of({facet: f[facet] for facet in FACETS if facet in f}))
                for subject, f in problem.items()]
    return {"judgement": judgement, "label": label, "problem": problems}


def check_same(story, got, expected):
    for table in TABLES:
        a, b = sorted(got[table], key=repr), sorted(expected[table], key=repr)
        if a != b:
            print(story, f"{table}: got, not expected:", *(r for r in a if r not in b),
                  "expected, not got:", *(r for r in b if r not in a), sep="\n")
            sys.exit(1)


def trial(seed):
    dice = random.Random(seed)
    shutil.copy("base.db", "common.db")
    Copy("common.db", ["ann", "bob"], dice).live(6, [])
    copies = []
    for name, coders in (("a", ["ann", "merged"]), ("b", ["bob", "ann"]), ("c", ["cam", "merged"])):
        shutil.copy("common.db", f"{name}.db")
        copy = Copy(f"{name}.db", coders, dice)
        copy.live(12, CHANGES[:dice.randint(0, len(CHANGES))])
        copies.append(copy)
    # The same decision twice, with other words.
    for copy in copies:
        copy.put("ann", "10", "symptom", ["slow"], "2026-01-01T00:00:00.000Z")
    dumps = [dump(copy.path) for copy in copies]
    expected = union(dumps)
    expected.update(derive(expected))
    for order in itertools.permutations(copies):
        story = f"seed {seed}, {' '.join(copy.path for copy in order)}:"
        for name in os.listdir("."):
            if name.startswith("m.db"):
                os.remove(name)
        shutil.copy(order[0].path, "m.db")
        for copy in (order[1], order[2], *dice.choices(order, k=2)):
            ppmine("m.db", "label", "merge", copy.path, "--dry-run")
            ppmine("m.db", "label", "merge", copy.path)
        check_same(story, dump("m.db"), expected)
        assert query("m.db", "PRAGMA foreign_key_check") == [], story
    for copy, before in zip(copies, dumps):
        check_same(f"seed {seed}: the source was written:", dump(copy.path), before)
        ppmine(copy.path, "label", "merge", "m.db")
        check_same(f"seed {seed}: back into {copy.path}:", dump(copy.path), expected)
    return len(expected["decision"]), len(expected["code_change"])


def main(first, rounds):
    os.mkdir("study")
    with open("study/study.ini", "w") as file:
        file.write("name = merging\ntags = a\n")
    with open("study/keywords.txt", "w") as file:
        file.write("slow\n")
    with open("study/codebook.csv", "w") as file:
        file.write("facet,category,code,short_name,definition,aliases\n")
        for facet, names in CODES.items():
            for name in names:
                file.write(f"{facet},,{name},,,\n")
    with open("study/disambiguation.csv", "w") as file:
        file.write("facet,code,versus,rule\nsymptom,slow,hang,it ends\nsymptom,hang,out of memory,"
                   "no message\nstage,training,testing,whether it learns\n")
    ppmine("base.db", "-q", "init", "--study", "study")
    decisions = changes = 0
    for seed in range(first, first + rounds):
        d, c = trial(seed)
        decisions, changes = decisions + d, changes + c
    print(f"{rounds} rounds, {decisions} decisions, {changes} changes of the codebook")


main(int(sys.argv[1]), int(sys.argv[2]))
