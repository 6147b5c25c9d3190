"""Databases whose schema a stranger changed: what is acknowledged is stored, and what is not ours is named.

- With triggers on each table that drop or repeat what is written, each writing command leaves what it leaves without.
- A table, index or view that is changed, missing or foreign is refused by every command, and doctor names it.
- Extra tables, views and plain indices are named by doctor, and harm nothing.
- A table that is replaced under a running server: it says that nothing was stored.
"""

import os
import shutil
import sqlite3
import subprocess
import sys

import writers
from serve import Server

FAULTS = []
os.environ["PPMINE_NOW"] = "2026-01-02T03:04:05.678Z"
DROPPED = ("CREATE TRIGGER evil_{n} BEFORE {event} ON \"{table}\" BEGIN SELECT RAISE(IGNORE); END;",
           "CREATE TRIGGER evil_{n} AFTER {event} ON \"{table}\" BEGIN DELETE FROM decision; DELETE FROM note; END;")


def fault(*words):
    FAULTS.append(" ".join(str(w) for w in words))


def change(path, sql):
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.close()


def edit(table, old, new):
    """The text of a table changes, as only somebody who writes into sqlite_schema can do."""
    assert "'" not in old + new
    return (f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}')"
            f" WHERE name = '{table}'; PRAGMA writable_schema = RESET; PRAGMA schema_version = 99999;")


# --- triggers ---


def add_triggers(path):
    if not os.path.exists(path):
        return
    db = sqlite3.connect(path)
    db.text_factory = bytes
    names = writers.tables(db)
    for n, table in enumerate(names):
        for k, event in enumerate(("INSERT", "UPDATE", "DELETE")):
            db.execute(DROPPED[n % 7 == 3].format(n=f"{n}_{k}", event=event, table=table).rstrip(";"))
    db.commit()
    db.close()


def outcome(command, hostile):
    writers.fresh(command, "run")
    path = os.path.join("run", command.database)
    if hostile:
        add_triggers(path)
    done = subprocess.run(command.arguments(), cwd="run", input=command.stdin, capture_output=True, check=False,
                          timeout=600)
    return done.returncode, done.stdout, writers.content(path)


def triggers(command):
    plain, hostile = outcome(command, False), outcome(command, True)
    if plain[0] not in (0, 1, 3):
        fault(command.title(), "exit code", plain[0])
    if plain[0] != hostile[0]:
        fault(command.title(), "exit codes", plain[0], hostile[0])
    if command.server:  # whose clock goes on: other times, as many rows
        plain, hostile = [(*o[:2], {t: [None] * len(rows) for t, rows in o[2].items()}) for o in (plain, hostile)]
    if plain[2] != hostile[2]:
        fault(command.title(), "with triggers:", writers.difference(plain[2], hostile[2]))


# --- objects ---

CHANGED = [  # what doctor names, its state, how it came to be
    ("table decision", "changed", edit("decision", "spelling         TEXT", "spelling TEXT NOT NULL ON CONFLICT IGNORE")),
    ("table decision", "changed", edit("decision", "TEXT PRIMARY KEY", "TEXT PRIMARY KEY ON CONFLICT IGNORE")),
    ("table note", "changed", edit("note", "text       TEXT NOT NULL", "text TEXT NOT NULL CHECK (length(text) < 3)")),
    ("table note", "changed", edit("note", "NOT NULL", "")),
    ("table note", "changed", "DROP TABLE note; CREATE TABLE note (note_id, written_at, coder, subject, post_id, text,"
                              " copy AS (hex(zeroblob(9))));"),
    ("table judgement", "changed", "DROP TABLE judgement; CREATE VIEW judgement AS SELECT 1 AS post_id, 'a' AS coder,"
                                   " 1 AS is_problem, '' AS decided_at; CREATE TRIGGER t INSTEAD OF INSERT ON judgement"
                                   " BEGIN SELECT 1; END;"),
    ("table note", "changed", "DROP TABLE note; CREATE VIRTUAL TABLE note USING fts5 (note_id, written_at, coder, subject,"
                              " post_id, text);"),
    ("table facet", "changed", "PRAGMA foreign_keys = OFF; DROP TABLE facet; CREATE VIEW facet AS WITH RECURSIVE n (i) AS"
                               " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS facet FROM n;"),
    ("view candidate", "changed", "DROP VIEW candidate; CREATE VIEW candidate AS SELECT 1 AS post_id;"),
    ("view problem_label", "changed", "DROP VIEW problem_label; CREATE VIEW problem_label AS SELECT 1 AS problem_id;"),
    ("view symptom_count", "missing", "DROP VIEW symptom_count;"),
    ("index decision_coder", "changed", "DROP INDEX decision_coder; CREATE INDEX decision_coder ON decision (coder);"),
    ("index decision_coder", "missing", "DROP INDEX decision_coder;"),
    ("index mine", "foreign", "CREATE UNIQUE INDEX mine ON screening (coder);"),
    ("table screening", "missing", "DROP TABLE screening;"),
]
HARMLESS = [
    ("view mine", "extra", "CREATE VIEW mine AS SELECT * FROM decision;"),
    ("table mine", "extra", "CREATE TABLE mine (x); CREATE UNIQUE INDEX y ON mine (x);"),
    ("index mine", "extra", "CREATE INDEX mine ON decision (reason);"),
]


def ppmine(path, *line):
    return subprocess.run([writers.PPMINE, "-d", path, *line], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL)


def doctor_says(path, what, state, expected_rc):
    done = ppmine(path, "doctor", "--format", "csv")
    if done.returncode != expected_rc or f"{what},{state}," not in done.stdout:
        fault("doctor:", what, state, "expected; exit code", done.returncode, done.stdout, done.stderr)


def objects(post):
    acts = (("label", "set", post, "--coder", "eve", "--problem", "yes"), ("stats",), ("label", "history", "--all-coders"),
            ("match",), ("label", "merge", "base/bob.db"))
    for what, state, sql in CHANGED:
        shutil.copy("base/p.db", "one.db")
        change("one.db", sql)
        with open("one.db", "rb") as file:
            before = file.read()
        for act in acts:
            done = ppmine("one.db", *act)
            if done.returncode != 5 or what not in done.stderr:
                fault(what, state, act, "exit code", done.returncode, done.stderr)
        doctor_says("one.db", what, state, 1)
        with open("one.db", "rb") as file:
            if file.read() != before:
                fault(what, state, "the refused file was changed")
    for what, state, sql in HARMLESS:
        shutil.copy("base/p.db", "one.db")
        change("one.db", sql)
        done = ppmine("one.db", *acts[0])
        if done.returncode != 0:
            fault(what, state, "exit code", done.returncode, done.stderr)
        doctor_says("one.db", what, state, 0)
    shutil.copy("base/p.db", "one.db")
    change("one.db", "CREATE TRIGGER evil BEFORE INSERT ON decision BEGIN SELECT RAISE(IGNORE); END;")
    doctor_says("one.db", "trigger evil", "foreign", 1)


# --- replaced under a server ---


def under_a_server(post):
    shutil.copy("base/p.db", "one.db")
    with Server("one.db", "eve") as server:
        body = {"post_id": int(post), "is_problem": True}
        answer = server.api("/api/decide", body)
        if answer.status != 200 or not answer.json.get("saved"):
            fault("a decision before:", answer.status, answer.text)
        change("one.db", edit("decision", "spelling         TEXT", "spelling TEXT NOT NULL ON CONFLICT IGNORE"))
        answer = server.api("/api/decide", {"post_id": int(post), "is_problem": False})
        if answer.status == 200 or answer.json.get("saved"):
            fault("a decision that a changed table drops:", answer.status, answer.text)


def main():
    server = writers.start_server()
    try:
        writers.prepare()
        commands = [writers.filled(c) for c in writers.WRITING if c.database and c.name != "serve" and not c.slow]
        for command in commands:
            triggers(command)
        objects(writers.WORDS["post"])
        under_a_server(writers.WORDS["post"])
    finally:
        server.terminate()
        server.wait()
    print("\n".join(FAULTS[:40]))
    print(f"{len(commands)} commands with triggers, {len(CHANGED) + len(HARMLESS)} schemas, {len(FAULTS)} faults")
    sys.exit(FAULTS != [])


main()
