"""Copies of a study whose codebooks were changed apart, merged in every order: random copies.

    python3 label_join.py FIRST_SEED ROUNDS

Three copies get random codes, definitions, other names and labels. In every order of merging, each label of each
copy must have the code that it had (by the name that this code was added with), every label is there once, and
no label given before a change that asks to look again is left out of the review. Merging again changes nothing.

Then copies that added codes of one name with other definitions, merged with --take both. A label means its definition:
each must have the one that it had in its copy, under the name that it was added with or that name and the name of a
coder in brackets, whoever merges what into what. Copies that hold each other's codes are the same in the end.
"""
import itertools, os, random, shutil, sqlite3, subprocess, sys

NAMES = ["waits", "swaps", "copies", "spins"]


def ppmine(database, *words, now="2026-03-01T00:00:00.000Z", fails=0):
    done = subprocess.run(["ppmine", "-q", "-d", database, *words], capture_output=True, text=True,
                          env={**os.environ, "PPMINE_NOW": now})
    assert done.returncode == fails, (words, done.returncode, done.stderr)


def query(database, sql):
    connection = sqlite3.connect(database)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def born(database):
    """By code_id: the name of a code of before, or the one that it was added with."""
    names = dict(query(database, "SELECT code_id, name FROM code"))
    aliases = query(database, "SELECT code_id, alias FROM code_alias")
    known = {"hang", "slow", *NAMES}
    for code_id, alias in aliases:
        if alias in known:
            names[code_id] = alias
    return names


def labels(database):
    names = born(database)
    return {(subject, coder): names[code_id] for subject, coder, code_id in
            query(database, "SELECT subject, coder, code_id FROM label")}


def reviews(database):
    return set(query(database, "SELECT problem_id, coder FROM label_review"))


def state(database):
    tables = ("code", "code_alias", "disambiguation", "code_change", "decision", "label")
    return {table: sorted(query(database, f"SELECT * FROM {table}"), key=repr) for table in tables}


def live(database, coder, others, dice, steps, clock):
    """Only one side may rename or define a code of before: `others` are those that this one leaves alone."""
    subject = ord(coder[0]) * 100
    for _ in range(steps):
        clock[0] += dice.randint(0, 2)
        now = f"2026-01-01T{clock[0] // 60:02}:{clock[0] % 60:02}:00.000Z"
        by = ["--by", coder, "--why", "coding"]
        given = [row[0] for row in query(database, "SELECT name FROM code WHERE facet = 'symptom'")]
        step = dice.random()
        new = [name for name in NAMES if name not in born(database).values()]
        if step < 0.35 and new:
            name = dice.choice(new)
            versus = ["--versus", dice.choice(given)] if dice.random() < 0.3 else []
            ppmine(database, "codebook", "add", name, "--facet", "symptom", "--definition", f"It {name}.",
                   *versus, *by, now=now)
        elif step < 0.5:
            names = born(database)
            mine = [name for code_id, name in query(database, "SELECT code_id, name FROM code"
                                                    " WHERE facet = 'symptom'")
                    if names[code_id] not in others]
            if mine:
                name = dice.choice(mine)
                if dice.random() < 0.5:
                    ppmine(database, "codebook", "define", name, "--definition", f"{coder} {clock[0]}", *by, now=now)
                else:
                    ppmine(database, "codebook", "rename", name, f"{coder} {clock[0]} {name[:9]}", *by, now=now,
                           fails=0 if f"{coder} {clock[0]} {name[:9]}" not in given else 3)
        else:
            subject += 1
            ppmine(database, "label", "set", str(subject), "--coder", coder, "--symptom", dice.choice(given), now=now)


def trial(seed):
    dice = random.Random(seed)
    clock = [0]
    shutil.copy("base.db", "common.db")
    live("common.db", "dan", set(NAMES), dice, 3, clock)
    common = set(born("common.db").values())
    copies = []
    for coder, own in (("ann", {"hang"}), ("bob", {"slow"}), ("cam", set())):
        path = f"{coder}.db"
        shutil.copy("common.db", path)
        live(path, coder, {*common, *NAMES} - own, dice, 8, [clock[0]])
        copies.append(path)
    expected, must = {}, set()
    for path in copies:
        expected.update(labels(path))
        must |= reviews(path)
    first = None
    for order in itertools.permutations(copies):
        shutil.copy(order[0], "m.db")
        for other in order[1:]:
            ppmine("m.db", "label", "merge", other)
        story = (seed, order)
        assert labels("m.db") == expected, story
        assert must <= reviews("m.db"), story
        assert query("m.db", "PRAGMA foreign_key_check") == [], story
        is_now = state("m.db")
        if first is None:
            first, meaning = is_now, reviews("m.db")
        assert is_now == first, story
        assert reviews("m.db") == meaning, (story, reviews("m.db") ^ meaning)
        for other in dice.sample(copies, 2):
            ppmine("m.db", "label", "merge", other)
            again = state("m.db")
            assert again == is_now, (story, other, [(t, row) for t in again for row in again[t]
                                                    if row not in is_now[t]])
    for path in copies:
        ppmine(path, "label", "merge", "m.db")
        assert labels(path) == expected, (seed, path)
        assert state(path) == first, (seed, path)
        assert reviews(path) == meaning, (seed, path)
    return len(expected), len(first["code_change"])


def meaning(database):
    """Of each label: the name that the code was added with, and its definition. No two codes have one name."""
    codes = query(database, "SELECT code_id, name, definition FROM code WHERE facet = 'symptom'")
    assert len({name.lower() for _, name, _ in codes}) == len(codes), codes
    said = {code_id: (name.split(" (")[0], definition) for code_id, name, definition in codes}
    return {(subject, coder): said[code_id] for subject, coder, code_id in
            query(database, "SELECT subject, coder, code_id FROM label WHERE facet = 'symptom'")}


def add_apart(database, coder, dice, clock):
    """Codes of the few names, defined as this coder does or as everybody may; labels, undone ones, new definitions."""
    subject = ord(coder[0]) * 100
    mine = []
    for _ in range(9):
        clock[0] += dice.randint(1, 2)
        now = f"2026-01-01T{clock[0] // 60:02}:{clock[0] % 60:02}:00.000Z"
        by = ["--by", coder, "--why", "coding"]
        new = [name for name in NAMES if name not in mine]
        step = dice.random()
        if new and step < 0.4:
            name = dice.choice(new)
            mine.append(name)
            definition = dice.choice([f"{coder} says {name}.", f"All say {name}."])
            ppmine(database, "codebook", "add", name, "--facet", "symptom", "--definition", definition, *by, now=now)
        elif mine and step < 0.5:
            ppmine(database, "codebook", "define", dice.choice(mine), "--definition", f"{coder} {clock[0]}", *by, now=now)
        else:
            subject += 1
            ppmine(database, "label", "set", str(subject), "--coder", coder, "--symptom",
                   dice.choice([*mine, "hang"]), now=now)
            if step > 0.9:
                ppmine(database, "label", "undo", "--coder", coder, now=now)


def apart(seed):
    dice = random.Random(seed)
    copies, expected, ends = [], {}, []
    for coder in ("ann", "bob", "cam"):
        path = f"{coder}.db"
        shutil.copy("base.db", path)
        add_apart(path, coder, dice, [0])
        copies.append(path)
        expected.update(meaning(path))
    undone = sum(query(path, "SELECT count(*) FROM decision WHERE undoes IS NOT NULL")[0][0] for path in copies)
    for order in itertools.permutations(copies):
        end = f"end{len(ends)}.db"
        shutil.copy(order[0], end)
        for other in order[1:]:
            ppmine(end, "label", "merge", other, "--take", "both")
        ends.append(end)
        assert meaning(end) == expected, (seed, order, end)
        assert query(end, "PRAGMA foreign_key_check") == [], (seed, order)
        assert query(end, "SELECT count(*) FROM decision WHERE undoes IS NOT NULL")[0][0] == undone, (seed, order)
        for name, definition in meaning(order[0]).values():
            if name in NAMES:
                assert query(end, "SELECT 1 FROM code WHERE name = ? AND definition = ?".replace("?", "%s")
                             % (repr(name), repr(definition))) == [(1,)], (seed, order, name)
        before = state(end)
        for other in copies:  # nobody is asked again
            ppmine(end, "label", "merge", other)
            assert state(end) == before, (seed, order, other)
    first, second = dice.sample(ends, 2)
    shutil.copy(first, "was.db")
    ppmine(first, "label", "merge", second, "--take", "both")
    ppmine(second, "label", "merge", "was.db", "--take", "both")
    for end in (first, second):
        assert meaning(end) == expected, (seed, first, second)
    assert state(first) == state(second), (seed, first, second)
    old = dice.choice(copies)  # the names go over into a copy that lacks them
    ppmine(old, "label", "merge", first)
    assert state(old) == state(first), (seed, old)
    return query(first, "SELECT count(*) FROM code WHERE name LIKE '% (%'")[0][0]


def main(start, rounds):
    os.mkdir("study")
    for name, text in (("study.ini", "name = joining\ntags = a\n"), ("keywords.txt", "slow\n"),
                       ("codebook.csv", "facet,category,code,short_name,definition,aliases\n"
                                        "symptom,,slow,,,\nsymptom,,hang,,,\nroot cause,,bug,,,\nstage,,training,,,\n")):
        with open(f"study/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    ppmine("base.db", "init", "--study", "study")
    sums = [trial(seed) for seed in range(start, start + rounds)]
    print(f"{rounds} rounds, {sum(s[0] for s in sums)} labels, {sum(s[1] for s in sums)} changes of the codebook")
    parted = sum(apart(seed) for seed in range(start, start + rounds))
    assert parted > 0
    print(f"{rounds} rounds with codes of one name, {parted} own names")


main(int(sys.argv[1]), int(sys.argv[2]))
