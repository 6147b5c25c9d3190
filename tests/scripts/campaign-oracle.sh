#!/bin/bash
# Random campaigns (scans in any order, with several options, files that cannot be read, states and undone
# ones): the view finding_current against a model that goes through the scans one by one.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3
ppmine -q -d empty.db init
python3 - <<'END'
import random, shutil, sqlite3

STATES = ["reported", "confirmed", "fixed", "refused"]


def fill(rng, db):
    scans, seen, states = [], {}, []
    for project in "pq":
        db.execute("INSERT INTO project VALUES (?, NULL)", (project,))
    for n in range(rng.randint(1, 14)):
        day = f"20{rng.randint(10, 14)}-01-01T00:00:00.000Z"
        tool = rng.choice(["0.1", "0.2"])
        row = (n + 1, rng.choice("ppq"), f"c{n}", day, day, tool, rng.choice("xxxy"), 9, 0, str(n))
        scans.append(row)
        db.execute("INSERT INTO scan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for n in range(8):
        project = rng.choice("pq")
        possible = [scan for scan in scans if scan[1] == project]
        sights = [scan for scan in possible if rng.random() < 0.5]
        if not sights:
            continue
        name = f"{n:016x}"
        db.execute("INSERT INTO finding VALUES (?, ?, ?, 'PP101', 'a.py', NULL)", (name, project, name))
        seen[name] = {}
        for scan in sights:
            how = rng.choice(["found", "found", "found", "ignored", "baseline", "unread"])
            seen[name][scan[0]] = how
            db.execute("INSERT INTO finding_seen VALUES (?, ?, ?, 'note', ?, NULL, 'm')",
                       (scan[0], name, how, scan[0] + 100))
        for m in range(rng.randint(0, 5)):
            row = [f"{name}{m}{rng.random()}", name, rng.choice(STATES), f"2020-01-0{m + 1}T00:00:00.000Z",
                   None, rng.choice([None, f"u{m}"]), None]
            mine = [s for s in states if s[1] == name and s[2] != "undo"]
            if mine and rng.random() < 0.4:
                row[2], row[5], row[6] = "undo", None, rng.choice(mine)[0]
            states.append(row)
            db.execute("INSERT INTO finding_state VALUES (?, ?, ?, ?, 'ann', ?, ?, NULL, ?)",
                       row[:5] + [row[5], row[6]])
    return scans, seen, states


def model(scans, sights, states, name):
    """Walks through the scans in the order of time, and through the states in theirs."""
    first = min((scan for scan in scans if scan[0] in sights), key=lambda s: (s[3], s[0]))
    scopes = {scan[6] for scan in scans if scan[0] in sights}
    last, gone, returned = None, None, 0
    for scan in sorted(scans, key=lambda s: (s[3], s[0])):
        if scan[1] != first[1]:
            continue
        if scan[0] in sights:
            returned |= gone is not None
            last, gone = scan, None
        elif last is not None and scan[6] in scopes and gone is None:
            gone = scan
    undone = {row[6] for row in states}
    state = url = None
    for row in states:
        if row[1] == name and row[2] != "undo" and row[0] not in undone:
            state, url = row[2], row[5] or url
    return (name, "gone" if gone else sights[last[0]], last[0] + 100, last[0],
            gone and gone[0], gone and int(gone[5] != last[5]), int(returned),
            int("found" in sights.values()), state, url)


kinds = set()
for seed in range(300):
    rng = random.Random(seed)
    shutil.copy("empty.db", "c.db")
    db = sqlite3.connect("c.db")
    scans, seen, states = fill(rng, db)
    db.commit()
    expected = sorted(model(scans, seen[name], states, name) for name in seen)
    actual = db.execute("SELECT finding_id, seen, line, scan_id, gone_since, tool_differs, returned,"
                        " is_shown, state, url FROM finding_current ORDER BY finding_id").fetchall()
    assert actual == expected, (seed, [pair for pair in zip(actual, expected) if pair[0] != pair[1]])
    kinds |= {row[1] for row in actual} | {f"returned {row[6]}" for row in actual}
    counted = [row for row in expected if row[7] or row[8]]
    total = (len(counted), sum(row[8] is not None for row in counted),
             sum(row[8] in ("confirmed", "fixed") for row in counted),
             sum(row[8] == "fixed" for row in counted), sum(row[8] == "refused" for row in counted),
             sum(row[1] == "gone" for row in counted))
    assert db.execute("SELECT findings, reported, confirmed, fixed, refused, gone FROM campaign"
                      " WHERE project IS NULL").fetchone() == total, seed
    if counted:
        assert db.execute("SELECT findings, reported, confirmed, fixed, refused, gone"
                          " FROM campaign_rule").fetchall() == [total], seed
    db.close()
assert kinds == {"found", "ignored", "baseline", "unread", "gone", "returned 0", "returned 1"}, kinds
END
