#!/usr/bin/env python3
"""Checks a replication package made by ppmine, and computes its numbers again.

    python3 check.py [--bootstrap] [FOLDER]

FOLDER is the one where this file is, unless given. Prints a line for each check and ends with exit
code 0 when all is well, 1 when something is not, 2 when the command line is wrong, 3 when nothing is
wrong but something could not be checked. Needs Python 3.8 and its standard library, with SQLite 3.37 or
newer in it; a Python without SQLite checks what needs no database. Nothing is written.

Counts and texts must be equal, other numbers in their first 12 digits: behind these the last digit
may differ between processors, and where it does, it is said.
"""

import csv
import hashlib
import html
import json
import math
import os
import re
import statistics
import sys
from urllib.parse import quote

try:
    import sqlite3
except ImportError:  # a Python may have been built without it
    sqlite3 = None

SHOWN = 10  # faults that are printed of a check
CONFIDENCE = 0.95
Z_95 = 1.959963984540054

csv.field_size_limit(2**31 - 1)


# What a spreadsheet would compute has an apostrophe in front; so has a text that begins like that.
FORMULA = re.compile("[ '\"\u00a0]*[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]")
WITHIN = re.compile("([;\t])'(?=[ '\"\u00a0]*[-=+@\uff1d\uff0b\uff0d\uff20])")
NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?%?")


def unguarded(cell):
    """The text of a cell."""
    if "'" not in cell:
        return cell
    rest = cell[1:]
    guarded = cell[:1] == "'" and FORMULA.match(rest) and not NUMBER.fullmatch(rest)
    text = rest if guarded else cell
    return WITHIN.sub(r"\1", text) if ";'" in text or "\t'" in text else text


# What file managers leave in a folder, and where git keeps its own.
OF_OTHERS = {".DS_Store", "Thumbs.db", "desktop.ini"}


class NotChecked(Exception):
    """A check needs what is not there."""


class Package:
    """The files of the package, read once each."""

    def __init__(self, folder):
        self.folder = folder
        self.tables = {}
        self.not_counted = {}

    def path(self, name):
        return os.path.join(self.folder, *name.split("/"))

    def has(self, name):
        return os.path.isfile(self.path(name))

    def text(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def csv(self, name):
        """The header, and the rows as lists of texts."""
        if name not in self.tables:
            with open(self.path(name), encoding="utf-8", newline="") as file:
                rows = [[unguarded(cell) for cell in row]
                        for row in csv.reader(file, strict=True)]
            if not rows:
                raise ValueError(f"{name}: empty, without a header")
            for number, row in enumerate(rows[1:], 2):
                if len(row) != len(rows[0]):
                    raise ValueError(f"{name}: row {number} has {len(row)} fields,"
                                     f" the header {len(rows[0])}")
            if name.startswith("statistics/") and rows[0][-1] == "not_counted":  # what titles say: see check_settled
                self.not_counted[name] = {row[-1] for row in rows[1:]}
                rows = [row[:-1] for row in rows]
            self.tables[name] = (rows[0], rows[1:])
        return self.tables[name]

    def rows(self, name):
        """The rows as dictionaries."""
        header, rows = self.csv(name)
        return [dict(zip(header, row)) for row in rows]

    def json(self, name):
        """With numbers as the texts that stand there."""
        return json.loads(self.text(name), parse_float=str, parse_int=str)

    def database(self):
        if sqlite3 is None:
            raise NotChecked("this Python has no module sqlite3")
        uri = "file:" + quote(os.path.abspath(self.path("ppmine.db"))) + "?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True)
        connection.text_factory = lambda b: b.decode("utf-8", "replace").replace("\0", "\ufffd")
        connection.create_function("public_id", 1, public_id)
        connection.create_function("post_of", 1, lambda problem: problem.split("_")[0])
        return connection

    def files(self):
        found = []
        for folder, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if name not in (".git", "__MACOSX")]
            for name in names:
                if name in OF_OTHERS or name.startswith("._"):
                    continue
                path = os.path.relpath(os.path.join(folder, name), self.folder)
                found.append(path.replace(os.sep, "/"))
        return sorted(found, key=lambda name: name.encode())


def cell(value):
    return "" if value is None else str(value)


def number_text(value):
    """As the program writes it: the fewest of 15 to 17 digits that give the same double."""
    if value is None or isinstance(value, (str, int)):
        return cell(value)
    if math.isnan(value):
        return ""
    for digits in (15, 16, 17):
        text = "%.*g" % (digits, value)
        if float(text) == value:
            break
    return text


# --- files ---


def check_sums(package):
    faults, listed = [], []
    for line in package.text("SHA256SUMS").splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        if not match:
            faults.append(f"SHA256SUMS: not a checksum: {line}")
            continue
        digest, name = match.groups()
        listed.append(name)
        if not package.has(name):
            faults.append(f"{name}: missing")
            continue
        sha, as_was = hashlib.sha256(), hashlib.sha256()
        with open(package.path(name), "rb") as file:
            for line in file:  # so that no block ends between CR and LF
                sha.update(line)
                as_was.update(line.replace(b"\r\n", b"\n"))
        if sha.hexdigest() != digest:
            faults.append(f"{name}: has another SHA-256 than SHA256SUMS says"
                          + ("; its line ends became CRLF (git? see .gitattributes)"
                             if as_was.hexdigest() == digest else ""))
    if listed != sorted(set(listed), key=lambda name: name.encode()):
        faults.append("SHA256SUMS: not sorted, or a name stands twice")
    for name in package.files():
        if name not in listed and name != "SHA256SUMS":
            faults.append(f"{name}: not in SHA256SUMS")
    return faults, f"{len(listed)} files"


# The database has the site of a post above the 53 bits of its id there; people write "ds:45".
SITE_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
POST_ID = re.compile(r"(?:([a-z])([a-z0-9]?):)?([1-9][0-9]*)")


def public_id(post_id):
    site, number = post_id >> 53, post_id & (1 << 53) - 1
    if site == 0:
        return str(number)
    first, second = divmod(site - 1, 37)
    return f"{SITE_LETTERS[first]}{SITE_LETTERS[second - 1] if second else ''}:{number}"


def id_order(public):
    """The site and number of an id, in the order of the database."""
    first, second, number = POST_ID.fullmatch(public).groups()
    return (first or "", SITE_LETTERS.find(second) + 1 if second else 0, int(number))


TYPES = {
    "integer": re.compile(r"-?[0-9]+"),
    "real": re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?"),
    "boolean": re.compile(r"[01]"),
    "text": re.compile(r".*", re.S),
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"),
    "json": re.compile(r".*", re.S),
    "sha256": re.compile(r"[0-9a-f]{64}"),
    "url": re.compile(r"https?://[^\s]+"),
}


def check_cell(package, column, value):
    """What is wrong with a value, or nothing."""
    if value == "":
        return None if column["empty"] == "1" else "is empty"
    wanted = POST_ID if column["format"] == "post id" else TYPES[column["type"]]
    if not wanted.fullmatch(value):
        return f"'{value}' is not of the type {column['type']}"
    if column["type"] == "json":
        try:
            json.loads(value)
        except ValueError:
            return f"'{value}' is not JSON"
    bounds = re.fullmatch(r"(-?\d+) to (-?\d+)", column["format"])
    if bounds and not float(bounds[1]) <= float(value) <= float(bounds[2]):
        return f"{value} is not from {column['format']}"
    allowed = column["allowed"]
    reference = re.fullmatch(r"in (\S+):(\S+)", allowed)
    if reference:
        key = ("values", reference[1], reference[2])
        if key not in package.tables:
            package.tables[key] = {row[reference[2]] for row in package.rows(reference[1])}
        if value not in package.tables[key]:
            return f"'{value}' does not stand in {reference[1]}, column {reference[2]}"
    elif allowed and value not in allowed.split("|"):
        return f"'{value}' is none of {allowed}"
    return None


class Checked(dict):
    """What is wrong with each value of a column, which is looked at once."""

    def __init__(self, package, column):
        super().__init__()
        self.package, self.column = package, column

    def __missing__(self, value):
        fault = self[value] = check_cell(self.package, self.column, value) if self.column else None
        return fault


def dictionary_of(package):
    by_file = {}
    for row in package.rows("data_dictionary.csv"):
        by_file.setdefault(row["file"], []).append(row)
    return by_file


def check_table(package, name, described):
    """One CSV file against the rows about it in the dictionary."""
    faults = []
    header, rows = package.csv(name)
    if name in package.not_counted:
        header = header + ["not_counted"]
        rows = [row + [next(iter(package.not_counted[name]))] for row in rows]
    known = [row for row in described if row["column"]]
    any_column = next((row for row in known if row["column"] == "*"), None)
    fixed = [row["column"] for row in known if row["column"] != "*"]
    if [column for column in header if column in fixed] != fixed:
        faults.append(f"{name}: the columns are {', '.join(header)}; the dictionary says"
                      f" {', '.join(fixed)}")
    columns = [next((row for row in known if row["column"] == column), any_column)
               for column in header]
    for column, row in zip(header, columns):
        if row is None:
            faults.append(f"{name}: the dictionary does not know the column {column}")
    keys = [i for i, row in enumerate(columns) if row is not None and row["key"] == "1"]
    seen = set()
    checked = [Checked(package, row) for row in columns]
    for number, row in enumerate(rows, 2):
        for column, faults_of, value in zip(header, checked, row):
            fault = faults_of[value]
            if fault:
                faults.append(f"{name}: row {number}, column {column}: {fault}")
        key = tuple(row[i] for i in keys)
        if keys and key in seen:
            faults.append(f"{name}: row {number}: {', '.join(key)} stands there twice")
        seen.add(key)
    return faults


def check_dictionary(package):
    faults = []
    by_file = dictionary_of(package)
    tables = [name for name in package.files() if name.endswith(".csv")]
    for name in tables:
        if name not in by_file:
            faults.append(f"{name}: not in the dictionary")
        elif not name.startswith("study/"):  # those are what people wrote
            faults += check_table(package, name, by_file[name])
    for name in by_file:
        if name not in tables:
            faults.append(f"{name}: in the dictionary, but not in the package")
    marks = re.compile(r"[\\*_|~#<>\[\]`]")
    page = marks.sub("", package.text("DATA_DICTIONARY.md"))
    for name, rows in by_file.items():
        for row in rows:
            if row["meaning"] and marks.sub("", row["meaning"]) not in page:
                faults.append(f"DATA_DICTIONARY.md: lacks {name}, {row['column']}")
    columns = sum(len(rows) for rows in by_file.values())
    return faults, f"{len(tables)} tables, {columns} rows of the dictionary"


# --- the database ---


def is_false_alarm(db, message):
    """SQLite 3.40 finds NULL in a table without rowid whose key is not in front: is there any?"""
    match = re.fullmatch(r"NULL value in (\w+)\.(\w+)", message)
    return bool(match) and db.execute(
        f'SELECT count(*) FROM "{match[1]}" WHERE "{match[2]}" IS NULL').fetchone()[0] == 0


def check_file(package):
    faults = []
    with open(package.path("ppmine.db"), "rb") as file:
        if file.read(100)[18:20] != b"\x01\x01":
            faults.append("ppmine.db: made to be read with a log beside it")
    parameters = package.json("PARAMETERS.json")
    with package.database() as db:
        for row in db.execute("PRAGMA integrity_check"):
            if row[0] != "ok" and not is_false_alarm(db, row[0]):
                faults.append(f"ppmine.db: {row[0]}")
        for row in db.execute("PRAGMA foreign_key_check"):
            faults.append(f"ppmine.db: table {row[0]}, row {row[1]}: refers to nothing")
        if db.execute("PRAGMA freelist_count").fetchone()[0] != 0:
            faults.append("ppmine.db: has pages that may hold what was deleted")
        version = str(db.execute("PRAGMA user_version").fetchone()[0])
        if version != parameters["schema_version"]:
            faults.append(f"PARAMETERS.json: schema_version is {parameters['schema_version']},"
                          f" the database's {version}")
        if db.execute("SELECT count(*) FROM bench_run WHERE said <> ''").fetchone()[0] != 0:
            faults.append("ppmine.db: holds what runs of the benchmark said")
        if db.execute("SELECT count(*) FROM note").fetchone()[0] != 0:
            faults.append("ppmine.db: holds private notes")
        if db.execute("SELECT count(*) FROM memo").fetchone()[0] != 0 and not parameters["package"]["with_memos"]:
            faults.append("ppmine.db: holds memos")
        texts = db.execute(
            "SELECT (SELECT count(*) FROM post WHERE title IS NOT NULL OR body_html IS NOT NULL)"
            " + (SELECT count(*) FROM revision WHERE title IS NOT NULL OR body_html IS NOT NULL)"
            " + (SELECT count(*) FROM post_text)").fetchone()[0]
        if texts != 0 and not parameters["package"]["with_text"]:
            faults.append("ppmine.db: holds texts of posts")
    return faults, ""


def AS_TEXT(*columns):
    """SQLite and Python write 1e-05 in two ways."""
    return ", ".join(f"CAST({column} AS TEXT)" for column in columns)


# Ids from here on are of values that coders wrote: they are not in the codebook.
VALUES_FROM = 1 << 52


class Facet:
    """What coders decide about posts or problems, as the study has it."""

    def __init__(self, name, kind, most, codes, option, place, problem_place, plural, agreement, model_codes):
        self.name, self.kind, self.most, self.list, self.plural = name, kind, most, codes, plural
        self.model_codes = model_codes == 1
        self.place, self.problem_place = place, problem_place
        self.typed = name.replace(" ", "-")
        self.judges = place == 1
        self.written = not self.judges and kind != "codes"
        self.measures = agreement.split() or {
            "number": ["alpha", "icc"], "text": []}.get(kind, ["kappa", "percent", "ac1"] + (["masi"] if most > 1 else []))
        under = re.sub("[ -]", "_", option if kind == "yes/no" else name)
        self.columns = (["is_" + under] if kind == "yes/no" else [under] if most == 1 else
                        [f"{under}{n}" for n in range(1, most + 1)])
        self.role = (name[:-len(codes) - 1] if codes and name.endswith(" " + codes) else name)


def facets_of(package):
    """All facets; the first judges posts, the others are about problems."""
    if "facets" not in package.tables:
        with package.database() as db:
            package.tables["facets"] = [Facet(*row) for row in db.execute(
                "SELECT facet, kind, most, list, option, place, problem_place, plural, agreement, model_codes"
                " FROM facet ORDER BY place")]
    return package.tables["facets"]


def problem_columns(package):
    """The columns of a problem's facets, in their order."""
    of_problems = sorted(facets_of(package)[1:], key=lambda f: (f.problem_place or 99, f.place))
    return [column for facet in of_problems for column in facet.columns]


def most_codes(package):
    return max(facet.most for facet in facets_of(package))


def query_of(package, table):
    """The rows of a table, in the database."""
    if table == "problems":
        columns = "".join(f', "{column}"' for column in problem_columns(package))
        return f"SELECT problem_id, public_id(post_id), url, created_at{columns} FROM problem_label"
    if table == "coding":
        rest = "".join(
            " (SELECT name FROM code c, label m WHERE c.code_id = m.code_id AND m.place = "
            f"{place} AND m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder),"
            for place in range(2, most_codes(package) + 1))
        return ("SELECT l.subject, public_id(post_id), l.coder, is_merged, facet, (SELECT name FROM code c"
                f" WHERE c.code_id = l.code_id),{rest} spelling, decided_at, codebook_version"
                " FROM label l, coder c WHERE l.place = 1 AND c.coder = l.coder")
    return QUERIES[table]


# Independent of the program's own queries: plain columns, joined with the names of codes.
QUERIES = {
    "problems": None, "coding": None,  # follow from the facets
    "identification": "SELECT public_id(post_id), j.coder, is_merged, is_problem, decided_at"
                      " FROM judgement j, coder c WHERE c.coder = j.coder",
    "decisions": "SELECT decision_id, decided_at, coder, subject, public_id(post_id), facet,"
                 " value, codebook_version, decision_id IN (SELECT undoes FROM decision"
                 " WHERE undoes IS NOT NULL), undoes, spelling, reason, assisted_by FROM decision",
    "candidates": "SELECT public_id(post_id), url, created_at, n_hits, keywords FROM candidate",
    "keywords": "SELECT keyword_id, k.keyword, stems, n_words, dead, note, candidates, posts, hits"
                " FROM keyword k, keyword_count c WHERE c.keyword = k.keyword",
    "codebook": "SELECT code_id, facet, category, name, short_name, definition,"
                " (SELECT json_group_array(alias) FROM (SELECT alias FROM code_alias a"
                " WHERE a.code_id = c.code_id ORDER BY alias)), retired_in, merged_into FROM code c"
                f" WHERE code_id < {VALUES_FROM}",
    "disambiguation": "SELECT a.facet, a.name, b.name, rule FROM disambiguation d, code a, code b"
                      " WHERE a.code_id = d.code_id AND b.code_id = versus_id",
    "code_changes": "SELECT codebook_version, changed_at, changed_by, action, facet, code, became,"
                    " reason, look_again FROM code_change",
    "assessment": "SELECT problem_id, post_of(problem_id), approach, status, library"
                  " FROM assessment",
    "bench_setups": "SELECT setup_id, machine, processor, processors, memory_kb, system, kernel,"
                    " architecture, memory_limit, versions FROM bench_setup",
    "bench_results": "SELECT result_id, setup_id, problem_id, finished_at, verdict, why, metric, unit,"
                     f" {AS_TEXT('buggy', 'fixed', 'ratio', 'ratio_low', 'ratio_high')}, seed,"
                     f" case_sha256, limit_seconds, limit_memory_mb, {AS_TEXT('load_after')}, sha256"
                     " FROM bench_result",
    "bench_runs": "SELECT result_id, side, place, warm_up, ended, code,"
                  f" {AS_TEXT('metric', 'wall_seconds', 'user_seconds', 'system_seconds')}, peak_kb,"
                  " sampled_peak_kb, out_bytes, err_bytes, lacked_memory,"
                  f" {AS_TEXT('work_seconds', 'work_rss_before_kb', 'work_peak_rss_kb')},"
                  f" {AS_TEXT('ready_seconds')}, digest, computed, step_seconds, step_rss_kb, samples"
                  " FROM bench_run",
    "runs": "SELECT run_id, command, tool_version, parameters, source, started_at, finished_at,"
            " outcome, counts FROM run",
    "settings": "SELECT key, value FROM study",
    "texts": "SELECT public_id(post_id), title, body_html FROM post",
    "projects": "SELECT p.project, url, findings, reported, confirmed, fixed, refused, gone"
                " FROM project p, campaign c WHERE c.project = p.project",
    "scans": "SELECT scan_id, project, commit_id, code_at, scanned_at, tool_version, options,"
             " files, unread, found_sha256 FROM scan",
    "findings": "SELECT c.finding_id, c.project, fingerprint, c.rule, c.file, c.function, severity,"
                " line, cell, message, seen, gone_since, tool_differs, returned, state, url"
                " FROM finding_current c, finding f WHERE f.finding_id = c.finding_id",
    "finding_seen": "SELECT scan_id, finding_id, how, severity, line, cell, message"
                    " FROM finding_seen",
    "finding_states": "SELECT state_id, finding_id, state, set_at, set_by, happened, url, reason,"
                      " undoes, state_id IN (SELECT undoes FROM finding_state"
                      " WHERE undoes IS NOT NULL) FROM finding_state",
    "discussion": "SELECT message_id, written_at, coder, subject, public_id(post_id), text FROM message",
}


# Tables that are left out when they are empty.
OPTIONAL = ("bench_setups", "bench_results", "bench_runs", "projects", "scans", "findings", "finding_seen", "finding_states",
            "discussion")


def difference(name, actual, expected):
    faults = []
    there, wanted = set(actual), set(expected)
    for row in sorted(there - wanted)[:SHOWN]:
        faults.append(f"{name}: has {', '.join(row)}")
    for row in sorted(wanted - there)[:SHOWN]:
        faults.append(f"{name}: lacks {', '.join(row)}")
    if not faults and len(actual) != len(expected):
        faults.append(f"{name}: {len(actual)} rows, expected {len(expected)}")
    return faults


def check_rows(package):
    faults, n = [], 0
    with package.database() as db:
        for table in QUERIES:
            name = f"data/{table}.csv"
            if table == "texts" and not package.has(name):
                continue
            expected = [tuple(map(cell, row)) for row in db.execute(query_of(package, table))]
            if not expected and table in OPTIONAL and not package.has(name):
                continue
            actual = [tuple(row) for row in package.csv(name)[1]]
            faults += difference(name, actual, expected)
            n += len(actual)
        for name, content, sha256 in db.execute("SELECT name, content, sha256 FROM study_file"):
            held = package.text(f"study/{name}") if package.has(f"study/{name}") else None
            if held != content:
                faults.append(f"study/{name}: not what the database holds")
            elif hashlib.sha256(content.encode()).hexdigest() != sha256:
                faults.append(f"study/{name}: has another SHA-256 than the database says")
    return faults, f"{n} rows"


def check_parameters(package):
    faults = []
    parameters = package.json("PARAMETERS.json")
    settings = {row["key"]: row["value"] for row in package.rows("data/settings.csv")}
    if {row["key"]: row["value"] for row in parameters["settings"]} != settings:
        faults.append("PARAMETERS.json: other settings than data/settings.csv")
    if parameters["codebook_version"] != settings.get("codebook_version", "0"):
        faults.append("PARAMETERS.json: another codebook_version than the settings")
    header, rows = package.csv("data/runs.csv")
    runs = [[cell(run[column]) for column in header] for run in parameters["runs"]]
    if runs != rows:
        faults.append("PARAMETERS.json: other runs than data/runs.csv")
    return faults, ""


# --- posts ---


def licence_by(date):
    if date == "":
        return ""
    return ("CC BY-SA 2.5" if date < "2011-04-08" else
            "CC BY-SA 3.0" if date < "2018-05-02" else "CC BY-SA 4.0")


def licences_by_id(rows):
    """What the nearest dated posts before and behind say, where they say the same."""
    by_id = {}
    ordered = sorted(rows, key=lambda row: id_order(row["post_id"]))
    for direction in (ordered, ordered[::-1]):
        last, site = "", None
        for row in direction:
            if id_order(row["post_id"])[:2] != site:
                last, site = "", id_order(row["post_id"])[:2]
            last = licence_by(row["created_at"]) or last
            by_id.setdefault(row["post_id"], []).append(last)
    return {post: before if before == after else "" for post, (before, after) in by_id.items()}


def named_posts(package):
    named = set()
    for name in ("problems", "identification", "coding", "decisions", "candidates", "assessment"):
        named |= {row["post_id"] for row in package.rows(f"data/{name}.csv")}
    with package.database() as db:
        for row in db.execute("SELECT public_id(post_id) FROM post UNION ALL"
                              " SELECT public_id(post_id) FROM decision"
                              " UNION ALL SELECT post_of(problem_id) FROM problem_date"):
            named.add(row[0])
    return named


def is_stack_exchange(site):
    return site in ("stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com",
                    "mathoverflow.net", "stackapps.com") or site.endswith(
                        (".stackexchange.com", ".stackoverflow.com"))


def expected_licence(row, held, by_id, has_dates):
    """Other sites than those of Stack Exchange have no licence that follows from a date."""
    if held and held["content_license"]:
        return held["content_license"], "source"
    if not has_dates:
        return "", "unknown"
    if row["created_at"]:
        return licence_by(row["created_at"]), "by date"
    if by_id[row["post_id"]]:
        return by_id[row["post_id"]], "by id"
    return "", "unknown"


def check_attribution(package):
    name = "data/attribution.csv"
    rows = package.rows(name)
    faults = difference(name, [(row["post_id"],) for row in rows],
                        [(post,) for post in named_posts(package)])
    columns = ["url", "author", "author_url", "content_license", "loaded_at", "body_sha256"]
    with package.database() as db:
        held = {row[0]: dict(zip(columns, map(cell, row[1:]))) for row in db.execute(
            f"SELECT public_id(post_id), {', '.join(columns)} FROM post_provenance")}
        dates = dict(db.execute(
            "SELECT post_of(problem_id), min(created_at) FROM problem_date GROUP BY 1"))
        dates.update(db.execute(
            "SELECT public_id(post_id), created_at FROM post WHERE created_at IS NOT NULL"))
        sites = {public_id((site << 53) + 1)[:-1]: name for site, name in db.execute(
            "SELECT site_id, name FROM site")}
    by_id = licences_by_id(rows)
    for row in rows:
        post = held.get(row["post_id"])
        wanted = {"created_at": dates.get(row["post_id"], "")}
        wanted["content_license"], wanted["license_basis"] = expected_licence(
            row, post, by_id, is_stack_exchange(sites.get(row["post_id"].rpartition(":")[0] + ":"
                                                          if ":" in row["post_id"] else "", "")))
        match = re.fullmatch(r"CC BY-SA ([0-9]\.[0-9])", wanted["content_license"])
        wanted["license_url"] = ("https://creativecommons.org/licenses/by-sa/" + match[1] + "/"
                                 if match else "")
        wanted.update({"author": post["author"], "author_url": post["author_url"],
                       "retrieved_at": post["loaded_at"], "body_sha256": post["body_sha256"],
                       "url": post["url"]} if post else
                      {"author": "", "author_url": "", "retrieved_at": "", "body_sha256": ""})
        for column, value in wanted.items():
            if row[column] != value:
                faults.append(f"{name}: post {row['post_id']}, column {column}: '{row[column]}',"
                              f" expected '{value}'")
    for row in package.rows("data/texts.csv") if package.has("data/texts.csv") else []:
        sha256 = hashlib.sha256(row["body_html"].encode()).hexdigest() if row["body_html"] else ""
        if sha256 and "\ufffd" not in row["body_html"] and (
                sha256 != held[row["post_id"]]["body_sha256"]):
            faults.append(f"data/texts.csv: post {row['post_id']}: another SHA-256 of the body than"
                          " data/attribution.csv says")
    return faults, f"{len(rows)} posts"


# --- from decisions to labels ---


def check_decision_ids(package):
    faults = []
    rows = package.rows("data/decisions.csv")
    for row in rows:
        parts = [json.dumps(row[key], ensure_ascii=False) for key in ("coder", "subject", "facet")]
        text = f"[{','.join(parts)},{row['value']},{json.dumps(row['decided_at'])}]"
        if hashlib.sha256(text.encode()).hexdigest() != row["decision_id"]:
            faults.append(f"data/decisions.csv: {row['decision_id']} is not the SHA-256 of what was"
                          " decided")
    return faults, f"{len(rows)} decisions"


def check_discussion(package):
    faults = []
    rows = optional_rows(package, "data/discussion.csv")
    for row in rows:
        parts = [row["coder"], row["subject"], "message", row["text"], row["written_at"]]
        if sha256_of(parts) != row["message_id"]:
            faults.append(f"data/discussion.csv: {row['message_id']} is not the SHA-256 of what was said")
    return faults, f"{len(rows)} messages"


# --- language models ---


def model_record(package):
    if not package.has("models/requests.jsonl"):
        return []
    return [json.loads(line) for line in package.text("models/requests.jsonl").splitlines()]


def has_models(package):
    return bool(model_record(package)) or not all(is_person(row) for row in package.rows("data/decisions.csv"))


def answered_codes(record, kinds):
    """The codes of the answer as it was received; None where its words are not in the package."""
    if not record["answer"]:
        return None
    answer = json.loads(json.loads(record["answer"])["choices"][0]["message"]["content"])
    problems = [{name: [item["code"] for item in items] for name, items in problem.items()
                 if items and kinds.get(name) == "codes"} for problem in answer["problems"]]
    return answer["judgement"], problems


def check_models(package):
    """What a model decided is what its first answers say, and these are what was kept of them."""
    faults, facets, records = [], facets_of(package), model_record(package)
    names = {facet.name.replace(" ", "-"): facet.name for facet in facets}
    kinds = {facet.name.replace(" ", "-"): facet.kind for facet in facets}
    expected, outcomes = set(), {"yes": "true", "no": "false"}
    for record in records:
        where = f"models/requests.jsonl: request {record['request_id']}"
        messages = json.loads(record["request"])["messages"]
        listed = json.dumps(record["examples"], separators=(",", ":")) if record["examples"] else ""
        if hashlib.sha256((messages[0]["content"] + listed).encode()).hexdigest() != record["prompt_sha256"]:
            faults.append(f"{where}: prompt_sha256 is not that of the prompt")
        if record["outcome"] not in outcomes:
            continue
        said, labels = answered_codes(record, kinds), record["labels"]
        coded = [{name: codes for name, codes in labelled.items() if kinds.get(name) == "codes"} for labelled in labels]
        if said and (said[0] != record["outcome"] or [p for p in said[1] if p] != [p for p in coded if p]):
            faults.append(f"{where}: outcome and labels are not those of the answer")
        if record["run"] != 1:
            continue
        post = public_id(record["post_id"])
        expected.add((record["coder"], post, facets[0].name, outcomes[record["outcome"]]))
        for place, labelled in enumerate(labels, 1):
            subject = f"{post}_{place}" if len(labels) > 1 else post
            for name, codes in labelled.items():
                value = json.dumps(codes, ensure_ascii=False, separators=(",", ":"))
                expected.add((record["coder"], subject, names.get(name, name), value))
    actual = {(row["coder"], row["subject"], row["facet"], row["value"])
              for row in package.rows("data/decisions.csv") if not is_person(row) and not row["undoes"]}
    faults += [f"data/decisions.csv: no answer of the record says: {', '.join(row)}" for row in sorted(actual - expected)]
    faults += [f"data/decisions.csv: missing, an answer says it: {', '.join(row)}" for row in sorted(expected - actual)]
    with package.database() as db:
        merged = {coder for coder, in db.execute("SELECT coder FROM coder WHERE is_merged = 1")}
    people = [row for row in package.rows("data/decisions.csv")
              if is_person(row) and row["coder"] not in merged and not row["undoes"]]
    words = (f"Of {len(people)} decisions of people, {sum(bool(row['assisted_by']) for row in people)} were made while"
             " the labels of a model were shown.")
    if records and words not in package.text("MODELS.md"):
        faults.append(f"MODELS.md: does not say: {words}")
    return faults, f"{len(records)} requests, {len(actual)} decisions"


# --- from scans and states to the campaign ---


def sha256_of(texts):
    array = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(array.encode()).hexdigest()


def optional_rows(package, name):
    return package.rows(name) if package.has(name) else []


def seen_now(scans, sights):
    """How a finding was seen last, and the later scan that could have seen it and did not."""
    order = {scan["scan_id"]: n for n, scan in enumerate(scans)}
    last = max(sights, key=lambda sight: order[sight["scan_id"]])
    scopes = {(scans[order[sight["scan_id"]]]["project"], scans[order[sight["scan_id"]]]["options"])
              for sight in sights}
    first = min(order[sight["scan_id"]] for sight in sights)
    ids = {sight["scan_id"] for sight in sights}
    missed = [n for n, scan in enumerate(scans) if n > first and scan["scan_id"] not in ids
              and (scan["project"], scan["options"]) in scopes]
    later = [n for n in missed if n > order[last["scan_id"]]]
    returned = any(n < order[last["scan_id"]] for n in missed)
    if later:
        return "gone", scans[later[0]]["scan_id"], returned
    return last["how"], "", returned


def states_now(states):
    """The state of each finding, by the newest row that nothing undoes."""
    undone = {row["undoes"] for row in states}
    now = {}
    for row in sorted(states, key=lambda row: (row["set_at"], row["state_id"])):
        if row["state"] != "undo" and row["state_id"] not in undone:
            now[row["finding_id"]] = row["state"]
    return now


def check_findings(package, faults):
    """Findings as scans and states say; returns those that count, with their state."""
    scans = sorted(package.rows("data/scans.csv"), key=lambda s: (s["code_at"], int(s["scan_id"])))
    sights, counted = {}, []
    for sight in optional_rows(package, "data/finding_seen.csv"):
        sights.setdefault(sight["finding_id"], []).append(sight)
    states = states_now(optional_rows(package, "data/finding_states.csv"))
    for row in optional_rows(package, "data/findings.csv"):
        name = f"data/findings.csv: {row['finding_id']}"
        if sha256_of([row["project"], row["fingerprint"]])[:16] != row["finding_id"]:
            faults.append(f"{name} is not the SHA-256 of project and fingerprint")
        seen, since, returned = seen_now(scans, sights[row["finding_id"]])
        if (seen, since, str(int(returned))) != (row["seen"], row["gone_since"], row["returned"]):
            faults.append(f"{name}: the scans say: {seen} {since}")
        if states.get(row["finding_id"], "") != row["state"]:
            faults.append(f"{name}: the states say: {states.get(row['finding_id'], 'none')}")
        if row["state"] or any(sight["how"] == "found" for sight in sights[row["finding_id"]]):
            counted.append(row)
    return counted


def check_campaign(package):
    faults = []
    if not package.has("data/projects.csv"):
        return faults, "none"
    counted = check_findings(package, faults)
    for row in optional_rows(package, "data/finding_states.csv"):
        if sha256_of([row[key] for key in ("finding_id", "state", "set_at", "set_by")]) \
                != row["state_id"]:
            faults.append(f"data/finding_states.csv: {row['state_id']} is not the SHA-256 of what was"
                          " said")
    for row in package.rows("data/projects.csv"):
        mine = [finding for finding in counted if finding["project"] == row["project"]]
        state = [finding["state"] for finding in mine]
        actual = {"findings": len(mine), "reported": len(state) - state.count(""),
                  "confirmed": state.count("confirmed") + state.count("fixed"),
                  "fixed": state.count("fixed"), "refused": state.count("refused"),
                  "gone": sum(finding["seen"] == "gone" for finding in mine)}
        for key, n in actual.items():
            if row[key] != str(n):
                faults.append(f"data/projects.csv: {row['project']}: {key} is {row[key]}, computed"
                              f" {n}")
    return faults, f"{len(counted)} findings"


class Codebook:
    def __init__(self, package):
        self.rows = package.rows("data/codebook.csv")
        self.by_id = {row["code_id"]: row for row in self.rows}
        self.names, self.aliases = {}, {}
        self.facets = {facet.name: facet for facet in facets_of(package)}
        for row in self.rows:
            self.names[row["facet"], row["code"]] = row
            for alias in json.loads(row["aliases"]):
                self.aliases.setdefault((row["facet"], alias), row)

    def resolve(self, facet, name):
        """The name of the code as which a name of a decision counts now."""
        if self.facets[facet].written:
            return name
        facet = self.facets[facet].list
        row = self.names.get((facet, name)) or self.aliases.get((facet, name))
        if row is None:
            return ""
        return self.by_id[row["merged_into"]]["code"] if row["merged_into"] else row["code"]


def newest(rows, key):
    """Of each group of rows the one that was decided last; undone ones do not count."""
    latest = {}
    undone = {row["undoes"] for row in rows if row["undoes"]}
    for row in rows:
        if row["undoes"] or row["decision_id"] in undone:
            continue
        old = latest.get(key(row))
        if old is None or ((old["decided_at"], old["decision_id"])
                           < (row["decided_at"], row["decision_id"])):
            latest[key(row)] = row
    return latest.values()


def check_judgements(package):
    judging = facets_of(package)[0].name
    rows = [row for row in package.rows("data/decisions.csv") if row["facet"] == judging]
    counted = newest(rows, lambda row: (row["post_id"], row["coder"]))
    expected = [(row["post_id"], row["coder"], "1" if row["value"] == "true" else "0",
                 row["decided_at"]) for row in counted]
    actual = [(row["post_id"], row["coder"], row["is_problem"], row["decided_at"])
              for row in package.rows("data/identification.csv")]
    return difference("data/identification.csv", actual, expected), f"{len(actual)} judgements"


def code_columns(package):
    return [f"code{place}" for place in range(1, most_codes(package) + 1)]


def check_labels(package):
    codebook = Codebook(package)
    judging, most = facets_of(package)[0].name, most_codes(package)
    decisions = package.rows("data/decisions.csv")
    undone = {row["undoes"] for row in decisions if row["undoes"]}
    noes = {}  # the last one of a coder about a post
    for row in decisions:
        if row["facet"] == judging and row["value"] == "false" and row["decision_id"] not in undone:
            key = row["post_id"], row["coder"]
            noes[key] = max(noes.get(key, ""), row["decided_at"])
    rows = [row for row in decisions if row["facet"] != judging  # a later no withdraws codes
            and noes.get((row["post_id"], row["coder"]), "") <= row["decided_at"]]
    expected = []
    for row in newest(rows, lambda row: (row["subject"], row["facet"], row["coder"])):
        codes = [codebook.resolve(row["facet"], name) for name in json.loads(row["value"])]
        codes = (list(dict.fromkeys(codes)) + most * [""])[:most]
        expected.append((row["subject"], row["post_id"], row["coder"], row["facet"], *codes,
                         row["spelling"], row["decided_at"], row["codebook_version"]))
    columns = ("problem_id", "post_id", "coder", "facet", *code_columns(package), "spelling",
               "decided_at", "codebook_version")
    actual = [tuple(row[column] for column in columns) for row in package.rows("data/coding.csv")]
    return difference("data/coding.csv", actual, expected), f"{len(actual)} labels"


def check_problems(package):
    problems = {}
    merged = [row for row in package.rows("data/coding.csv") if row["is_merged"] == "1"]
    for row in sorted(merged, key=lambda row: (row["decided_at"], row["coder"])):
        problems.setdefault(row["problem_id"], {})[row["facet"]] = row
    expected = []
    of_problems = sorted(facets_of(package)[1:], key=lambda f: (f.problem_place or 99, f.place))
    for problem, facets in problems.items():
        post = max((row["post_id"] for row in facets.values()), key=id_order)
        if not any(row["code1"] for row in facets.values()):  # all taken back
            continue
        codes = [facets.get(facet.name, {}).get(f"code{place}", "") for facet in of_problems
                 for place in range(1, facet.most + 1)]
        expected.append((problem, post, *codes))
    columns = ("problem_id", "post_id", *problem_columns(package))
    actual = [tuple(row[column] for column in columns) for row in package.rows("data/problems.csv")]
    return difference("data/problems.csv", actual, expected), f"{len(actual)} problems"


# --- what is settled ---


def says_something(row, judgements):
    """A label without codes is a problem that was left out, unless its post became a problem again."""
    if row["code1"]:
        return True
    judged = judgements.get((row["post_id"], row["coder"]))
    return row["is_merged"] == "1" and not (
        judged and judged["is_problem"] == "1" and judged["decided_at"] > row["decided_at"])


def is_person(row):
    """No language model: what one says is compared, and settles nothing."""
    return not row["coder"].startswith("model:")


def opinions_of(package):
    """Of each facet and subject: who ("merged", "person", "model"), codes, time. A model is among them only where the
    study declares its facet, and exactly one person said something, to whom it was not shown."""
    judging, declared = facets_of(package)[0].name, {f.name for f in facets_of(package) if f.model_codes}
    rows, opinions = package.rows("data/identification.csv"), {}
    judgements = {(row["post_id"], row["coder"]): row for row in rows}
    refused = {row["post_id"] for row in rows if row["is_merged"] == "1" and row["is_problem"] == "0"}

    def add(facet, subject, row, codes):
        who = "merged" if row["is_merged"] == "1" else "person" if is_person(row) else "model"
        opinions.setdefault((facet, subject), []).append((who, codes, row["decided_at"], row))

    for row in rows:
        add(judging, row["post_id"], row, row["is_problem"])
    for row in package.rows("data/coding.csv"):
        if row["post_id"] not in refused and says_something(row, judgements):
            add(row["facet"], row["problem_id"], row, tuple(row[column] for column in code_columns(package)))
    saw = {(row["coder"], row["subject"], row["facet"], row["decided_at"]): json.loads(row["assisted_by"])
           for row in package.rows("data/decisions.csv") if row["assisted_by"]}
    for (facet, subject), said in list(opinions.items()):
        people = [row for who, _, _, row in said if who == "person"]
        shown = [model for row in people
                 for model in saw.get((row["coder"], subject, facet, row["decided_at"]), [])]
        second = facet in declared and len(people) == 1
        said[:] = [(who, codes, at) for who, codes, at, row in said
                   if who != "model" or (second and row["coder"] not in shown)]
        if not said:
            del opinions[facet, subject]
    return opinions


SETTLED = ("n", "settled", "disputed", "single", "agreed", "reopened", "with_model")


def settled_of(package):
    counts = {facet.name: dict.fromkeys(SETTLED, 0) for facet in facets_of(package)}
    for (facet, _), opinions in opinions_of(package).items():
        coders = [codes for who, codes, _ in opinions if who != "merged"]
        people = [at for who, _, at in opinions if who == "person"]
        final = [at for who, _, at in opinions if who == "merged"]
        kind = ("settled" if final else "single" if len(coders) == 1 else
                "disputed" if len(set(coders)) > 1 else "agreed")
        counts[facet]["n"] += 1
        counts[facet][kind] += 1
        counts[facet]["reopened"] += bool(
            final and people and max(people) > max(final) and len({codes for _, codes, _ in opinions}) > 1)
        counts[facet]["with_model"] += bool(final) and any(who == "model" for who, _, _ in opinions)
    return counts


def within_a_sentence(plural):
    return plural[:1].lower() + plural[1:] if "A" <= plural[:1] <= "Z" else plural


def settled_words(package, counts, wanted):
    """The sentences about facets of which not everything is settled."""
    sentences = {}
    for facet in wanted:
        c = counts[facet.name]
        if c["settled"] == c["n"] and not c["reopened"] and not c["with_model"]:
            continue
        words = f"{c['settled']} of {c['n']} settled"
        words += f", {c['with_model']} of them coded by one person and a model" if c["with_model"] else ""
        words += f", {c['reopened']} of them disputed again" if c["reopened"] else ""
        if c["settled"] < c["n"]:
            words += f"; {c['disputed']} disputed, {c['single']} coded by one coder"
            words += f", {c['agreed']} agreed on but not settled" if c["agreed"] else ""
            words += ": not counted"
        sentences.setdefault(words, []).append(facet.plural)
    return ". ".join(", ".join([plurals[0], *map(within_a_sentence, plurals[1:])]) + ": " + words
                     for words, plurals in sentences.items())


def check_settled(package):
    """What is not counted is said: in the parameters, on both pages, in the title of each table."""
    faults, counts, facets = [], settled_of(package), facets_of(package)
    words = settled_words(package, counts, facets)
    parameters = package.json("PARAMETERS.json")
    for facet, expected in counts.items():
        actual = {key: int(n) for key, n in parameters["settled"].get(facet, {}).items()}
        if actual != expected:
            faults.append(f"PARAMETERS.json: settled of {facet}: {actual}, counted {expected}")
    if parameters["not_counted"] != words:
        faults.append(f"PARAMETERS.json: not_counted: {parameters['not_counted']}; counted: {words}")
    for page in ("README.md", "DATASHEET.md"):
        if words not in html.unescape(re.sub(r"\\(.)", r"\1", package.text(page))):
            faults.append(f"{page}: does not say: {words}")
    plan = {what.table: what for what in plan_of(package)}
    for table in package.json("statistics/stats.json"):
        what = plan.get(table["id"])
        if what is None or what.kind == "assessment":
            continue
        of = [facet for facet in facets[1:] if facet in (what.rows, what.columns)]
        of = facets[:1] + of if of else facets
        expected = settled_words(package, counts, of)
        if not table["title"].endswith(". " + expected if expected else ""):
            faults.append(f"statistics/stats.json: {table['id']}: the title does not say: {expected}")
        name = f"statistics/{table['id']}.csv"
        if package.csv(name)[1] and package.not_counted.get(name, set()) != ({expected} if expected else set()):
            faults.append(f"{name}: the last column does not say: {expected}")
    return faults, COMMANDS.sub("?", words) or "all"


# --- statistics ---


def deviations(confidence):
    """How many standard deviations on each side of the mean have this share of a normal distribution."""
    low, high = 0.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle / math.sqrt(2)) < confidence else (low, middle)
    return low


def share_of(n, of):
    """Share, and bounds of Wilson's score interval."""
    if of == 0:
        return [None, None, None]
    z = deviations(CONFIDENCE)
    share = n / of
    scale = 1 + z * z / of
    centre = (share + z * z / (2 * of)) / scale
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / scale
    return [share, 0.0 if n == 0 else centre - half, 1.0 if n == of else centre + half]


def chi_square_tail(df, x):
    """Probability of a value above x: a finite sum, in steps of one from 0 or a half."""
    half, place, total, term = x / 2, 0.0, 0.0, math.exp(-x / 2)
    if df % 2 == 1:
        place, total = 0.5, math.erfc(math.sqrt(half))
        term *= math.sqrt(half) / math.gamma(1.5)
    while place < df / 2:
        total += term
        place += 1
        term *= half / place
    return total


class Study:
    """What is counted: data/problems.csv, and the codes in the order of the codebook."""

    def __init__(self, package):
        self.facets = {facet.name: facet for facet in facets_of(package)}
        self.words = {row["key"]: row["value"] for row in package.rows("data/settings.csv")}
        self.codes, self.category = {}, {}
        with package.database() as db:
            for of, code, category in db.execute(
                    "SELECT facet, name, ifnull(category, '') FROM code ORDER BY code_id"):
                self.codes.setdefault(of, []).append(code)
                self.category[of, code] = category
        self.problems = package.rows("data/problems.csv")
        self.assessments = package.rows("data/assessment.csv")
        self.plan = plan_of(package)

    def labels(self, row, facet):
        """The codes of a problem, each once."""
        return list(dict.fromkeys(row[column] for column in facet.columns if row[column]))

    def lines(self, facet, by_code):
        """The names of what is counted: codes or categories."""
        codes = self.codes.get(facet.list, [])
        return codes if by_code else list(dict.fromkeys(self.category[facet.list, c] for c in codes))

    def line(self, facet, by_code, code):
        return code if by_code else self.category[facet.list, code]

    def first(self, row, facet, by_code):
        labels = self.labels(row, facet)
        return self.line(facet, by_code, labels[0]) if labels else None

    def count(self, condition):
        return sum(1 for row in self.problems if condition(row))


class Statistic:
    """A line of statistics.csv, or of what stands for it."""

    def __init__(self, facets, table, statistic, rows="", columns=""):
        self.table, self.kind = table, statistic
        self.rows, self.rows_by_code = self.facet(facets, rows)
        self.columns, self.columns_by_code = self.facet(facets, columns)
        if statistic in ("roles", "matrix", "order"):
            self.rows_by_code = self.columns_by_code = True

    @staticmethod
    def facet(facets, text):
        name, _, by = text.partition(":")
        name = name.strip().replace("-", " ")
        found = [f for f in facets if f.name.replace("-", " ") == name]
        if text and not found:
            raise KeyError(name)
        return found[0] if found else None, by.strip() == "code"


BUILT_IN = """totals,totals,,
year,years,,
rq1-category,categories,symptom,
rq1-code,codes,symptom,
rq2-category,categories,root cause,
rq2-code,codes,root cause,
symptom-cause,crosstab,symptom:category,root cause:category
rq3-stage,roles,introducing stage,exposing stage
rq3-matrix,matrix,introducing stage,exposing stage
rq3-order,order,introducing stage,exposing stage
cause-stage,crosstab,root cause:category,introducing stage:code
tests,tests,,
rq4,assessment,,"""


def usual_plan(facets):
    """Without a plan of its own: what there is for each facet."""
    plan = [Statistic(facets, "totals", "totals"), Statistic(facets, "year", "years")]
    coded = [f for f in facets[1:] if f.kind in ("codes", "yes/no")]
    for f in coded:
        if not f.written:
            plan.append(Statistic(facets, f.typed + "-category", "categories", f.name))
        plan.append(Statistic(facets, f.typed + "-code", "codes", f.name))
    for f in facets[1:]:
        if f.kind == "number":
            plan.append(Statistic(facets, f.typed, "numbers", f.name))
            if coded:
                plan.append(Statistic(facets, f"{f.typed}-by-{coded[0].typed}", "medians",
                                      coded[0].name + ":code", f.name))
    if len(coded) > 1:
        a, b = coded[:2]
        plan.append(Statistic(facets, f"{a.typed}-by-{b.typed}", "crosstab", a.name + ":code",
                              b.name + ":code"))
        plan.append(Statistic(facets, "tests", "tests"))
    return plan


def plan_of(package):
    facets = facets_of(package)
    if package.has("study/statistics.csv"):
        return [Statistic(facets, row["table"], row["statistic"], row["rows"], row["columns"])
                for row in package.rows("study/statistics.csv")]
    try:
        return [Statistic(facets, *line.split(",")) for line in BUILT_IN.splitlines()]
    except KeyError:
        return usual_plan(facets)


def is_unknown(name):
    return name.lower() == "unknown"


def totals(study, _):
    posts = [row["post_id"] for row in study.problems]
    called = study.words.get("problems") or "problems"
    rows = [[called, len(posts)],
            ["posts", len(set(posts))],
            [f"posts with several {called}", sum(1 for post in set(posts) if posts.count(post) > 1)]]
    for facet in study.facets.values():
        if facet.most > 1:
            words = "two" if facet.most == 2 else "several"
            first = facet.plural[:1]
            plural = (first.lower() if "A" <= first <= "Z" else first) + facet.plural[1:]
            rows.append([f"{called} with {words} {plural}",
                         study.count(lambda row: len(study.labels(row, facet)) > 1)])
    return ["what", "n"], rows


def years(study, _):
    groups = {}
    for row in study.problems:
        known = re.match(r"[0-9]{4}", row["created_at"])
        groups.setdefault(known[0] if known else "(unknown)", []).append(row["post_id"])
    return ["year", "posts", "n", "share", "low", "high"], [
        [year, len(set(posts)), len(posts)] + share_of(len(posts), len(study.problems))
        for year, posts in sorted(groups.items(), key=lambda group: group[0].encode())]


SHARES = ["n", "share", "low", "high"]
ANY = ["any", "any_share", "any_low", "any_high"]


def counts_of(study, what):
    """How often each code or category of a facet is given, as the first one and at all."""
    facet, by_code = what.rows, what.kind == "codes"
    several = facet.most > 1
    header = ["category"] + ["code"] * by_code + SHARES + (ANY + ["labels"] * (not by_code)) * several
    if not by_code and not any(study.lines(facet, False)) and study.codes.get(facet.list):
        return None  # there are no categories
    labelled = study.count(lambda row: study.labels(row, facet))
    rows = []
    for name in study.lines(facet, by_code):
        def those(row):
            return [c for c in study.labels(row, facet) if study.line(facet, by_code, c) == name]
        labels = sum(len(those(row)) for row in study.problems)
        if labels == 0:
            continue
        first = study.count(lambda row: study.first(row, facet, by_code) == name)
        both = study.count(those)
        row = [study.category[facet.list, name], name] if by_code else [name]
        row += [first] + share_of(first, labelled)
        if several:
            row += [both] + share_of(both, labelled) + [labels] * (not by_code)
        rows.append(row)
    return header, rows


def used_of(study, what):
    """The codes of a list that one of two facets has."""
    return [code for code in study.codes.get(what.rows.list, []) if study.count(
        lambda row: code in (study.first(row, what.rows, True), study.first(row, what.columns, True)))]


def roles(study, what):
    header = [what.rows.list]
    for facet in (what.rows, what.columns):
        header += [facet.role, f"{facet.role}_share", f"{facet.role}_low", f"{facet.role}_high"]
    rows = []
    for code in used_of(study, what):
        row = [code]
        for facet in (what.rows, what.columns):
            n = study.count(lambda problem: study.first(problem, facet, True) == code)
            row += [n] + share_of(n, study.count(lambda problem: study.labels(problem, facet)))
        rows.append(row)
    return header, rows


def pairs_of(study, what):
    pairs = [(study.first(row, what.rows, what.rows_by_code),
              study.first(row, what.columns, what.columns_by_code)) for row in study.problems]
    return [pair for pair in pairs if None not in pair]


def matrix(study, what):
    used, pairs = used_of(study, what), pairs_of(study, what)
    rows = []
    for a in used:
        counts = [pairs.count((a, b)) for b in used]
        rows.append([a] + counts + [sum(counts)])
    return [what.rows.role] + used + ["total"], rows


def order(study, what):
    place = {code: i for i, code in enumerate(study.codes.get(what.rows.list, []))}
    pairs = pairs_of(study, what)
    known = [(a, b) for a, b in pairs if not is_unknown(a) and not is_unknown(b)]
    rows = [
        ["in the stage that introduced it", sum(a == b for a, b in pairs), len(pairs)],
        ["in the same stage, both known", sum(a == b for a, b in known), len(known)],
        ["in a later stage, both known", sum(place[b] > place[a] for a, b in known), len(known)],
        ["in an earlier stage, both known", sum(place[b] < place[a] for a, b in known), len(known)],
        ["a stage is unknown", len(pairs) - len(known), len(pairs)]]
    return ["exposed", "n", "of", "share", "low", "high"], [
        row + share_of(row[1], row[2]) for row in rows]


def crosstab(study, what, unknown_too=True):
    """Names of rows, names of columns, counts; without what is all 0."""
    counts = {}
    for pair in pairs_of(study, what):
        if unknown_too or not any(map(is_unknown, pair)):
            counts[pair] = counts.get(pair, 0) + 1
    row_names = [name for name in study.lines(what.rows, what.rows_by_code)
                 if any(pair[0] == name for pair in counts)]
    column_names = [name for name in study.lines(what.columns, what.columns_by_code)
                    if any(pair[1] == name for pair in counts)]
    return row_names, column_names, [[counts.get((a, b), 0) for b in column_names]
                                     for a in row_names]


def cross_table(study, what):
    rows, columns, counts = crosstab(study, what)
    return [what.rows.name] + columns + ["total"], [
        [name] + line + [sum(line)] for name, line in zip(rows, counts)]


# --- numbers ---


class Nearly:
    """A figure of an iteration: equal in its first nine digits."""

    def __init__(self, value):
        self.value = value

    def accepts(self, text):
        try:
            return math.isclose(float(text), self.value, rel_tol=1e-9, abs_tol=1e-12)
        except ValueError:
            return False


def beta(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x in (0, 1):
        return float(x)
    turned = x >= (a + 1) / (a + b + 2)
    if turned:
        a, b, x = b, a, 1 - x
    factor = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x)
                      + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or 1e-300)
            c = 1 + term / c or 1e-300
            value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return 1 - factor * value if turned else factor * value


def beta_quantile(a, b, p):
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if beta(a, b, middle) < p else (low, middle)
    return low + (high - low) / 2


def student_quantile(p, df):
    x = beta_quantile(df / 2, 0.5, 2 * (1 - p))
    return math.sqrt(df * (1 - x) / x)


def f_quantile(p, df1, df2):
    y = beta_quantile(df2 / 2, df1 / 2, 1 - p)
    if y < 0.5:
        return df2 * (1 - y) / (df1 * y)
    x = beta_quantile(df1 / 2, df2 / 2, p)
    return df2 * x / (df1 * (1 - x))


NUMBERS = ["n", "least", "quartile1", "median", "quartile3", "greatest", "mean", "mean_low", "mean_high",
           "deviation"]


def summary(values):
    values = sorted(values)
    n = len(values)
    if n == 0:
        return [0] + 9 * [None]
    mean = math.fsum(values) / n
    cells = [n, values[0], quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75),
             values[-1], mean]
    if n < 2:
        return cells + 3 * [None]
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1))
    reach = student_quantile((1 + CONFIDENCE) / 2, n - 1) * deviation / math.sqrt(n)
    return cells + [Nearly(mean - reach), Nearly(mean + reach), deviation]


def numbers(study, what):
    facet = what.columns if what.kind == "medians" else what.rows
    column = facet.columns[0]
    said = [(row, float(row[column])) for row in study.problems if row[column]]
    rows = []
    for name in study.lines(what.rows, what.rows_by_code) if what.kind == "medians" else []:
        values = [value for row, value in said if name in (
            study.line(what.rows, what.rows_by_code, c) for c in study.labels(row, what.rows))]
        if values:
            rows.append([name] + summary(values))
    if said:
        rows.append(["all"] + summary([value for _, value in said]))
    return [what.rows.name if what.kind == "medians" else "of"] + NUMBERS, rows


def independence(counts):
    """The columns of tests.csv from n to expected_below_5, and whether chi-square will do."""
    n = sum(map(sum, counts))
    if len(counts) < 2 or len(counts[0]) < 2:
        return [0] + 6 * [None], None
    row_sums, column_sums = [sum(line) for line in counts], [sum(line) for line in zip(*counts)]
    statistic, below, smallest = 0.0, 0, math.inf
    for i, line in enumerate(counts):
        for j, count in enumerate(line):
            expected = row_sums[i] * column_sums[j] / n
            difference_here = count - expected
            statistic += difference_here * difference_here / expected
            below += row_sums[i] * column_sums[j] < 5 * n
            smallest = min(smallest, expected)
    r, c = len(row_sums), len(column_sums)
    df = (r - 1) * (c - 1)
    phi2 = statistic / n
    v = min(1.0, math.sqrt(phi2 / (min(r, c) - 1)))
    corrected = None
    if n >= 2:
        side = min(r - (r - 1) * (r - 1) / (n - 1), c - (c - 1) * (c - 1) / (n - 1)) - 1
        rest = phi2 - (r - 1) * (c - 1) / (n - 1)
        rest = 0.0 if rest < 1e-14 else rest
        corrected = min(1.0, math.sqrt(rest / side)) if side > 0 else None
    will_do = smallest >= 1 and 5 * below <= r * c
    return [n, df, statistic, chi_square_tail(df, statistic), v, corrected, below], will_do


class Anything:
    """A figure that is not computed here: any value, or only an empty one or one that is there."""

    def __init__(self, *allowed):
        self.allowed = allowed

    def accepts(self, text):
        return not self.allowed or text in self.allowed


def tested_words(what):
    categories = not what.rows_by_code and not what.columns_by_code
    return (what.rows.name + ("" if what.rows_by_code or categories else " category") + " x "
            + what.columns.name + ("" if what.columns_by_code else " category"))


def tests(study, _):
    header = ["tables", "n", "df", "chi_square", "chi_square_p", "cramers_v",
              "cramers_v_corrected", "expected_below_5", "fisher_p", "fisher_samples", "used"]
    rows = []
    for what in study.plan:
        if what.kind != "crosstab":
            continue
        names = (study.lines(what.rows, what.rows_by_code)
                 + study.lines(what.columns, what.columns_by_code))
        for unknown_too in (True, False) if any(map(is_unknown, names)) else (True,):
            counts = crosstab(study, what, unknown_too)[2]
            cells, will_do = independence(counts)
            if will_do is None:
                rest = [None, None, "the table has fewer than two rows or columns"]
            elif will_do:
                rest = [None, None, "chi-square"]
            else:
                rest = [Anything(), Anything(), Anything("Fisher", "Fisher, sampled",
                                                         "the table is too large")]
            rows.append([tested_words(what) + ("" if unknown_too else ", without unknown")] + cells + rest)
    return header, rows


OUTCOMES = ["not applied", "not solved", "partially solved"]


def is_applied(row):
    if row["approach"] == "documentation":
        return row["status"] == "partially solved"
    return row["status"] != "not applied"


def approaches(study, _):
    """Documentation applies or not; it is not run, and solves nothing."""
    rows = []
    names = list(dict.fromkeys(row["approach"] for row in study.assessments))
    for name in names:
        own = [row for row in study.assessments if row["approach"] == name]
        applied = sum(map(is_applied, own))
        counts = [sum(row["status"] == outcome for row in own) for outcome in OUTCOMES]
        if name == "documentation":
            counts = [len(own) - applied, None, None]
        rows.append([name, len(own)] + counts + [applied] + share_of(applied, len(own)))
    if len(names) > 1:
        best = {}
        for row in study.assessments:
            own = best.setdefault(row["problem_id"], [False, False, False])
            own[0] |= is_applied(row)
            if row["approach"] != "documentation":
                own[1] |= is_applied(row)
                own[2] |= row["status"] == "partially solved"
        helped = sum(h for _, _, h in best.values())
        applied = sum(a for a, _, _ in best.values())
        unsolved = sum(r and not h for _, r, h in best.values())
        rows.append(["any approach", len(best), len(best) - applied, unsolved, helped,
                     applied] + share_of(applied, len(best)))
    return (["approach", "problems", "not_applied", "not_solved", "partially_solved", "applied",
             "applied_share", "applied_low", "applied_high"], rows)


STATISTICS = {
    "totals": totals, "years": years, "categories": counts_of, "codes": counts_of,
    "crosstab": cross_table, "roles": roles, "matrix": matrix, "order": order, "tests": tests,
    "assessment": approaches, "numbers": numbers, "medians": numbers,
}


# --- agreement ---


class Ratings:
    """What the coders, without merged ones, said in a facet. A label is a set of codes."""

    def __init__(self, package, facet):
        self.of, self.facet = facet, facet.typed
        self.codes = ["no", "yes"] if facet.judges else [
            row["code"] for row in package.rows("data/codebook.csv") if row["facet"] == facet.list]
        self.n_ordered = len(self.codes)
        self.subjects, self.coders = {}, []
        for subject, coder, codes in self.labels(package, facet):
            if not codes:
                continue
            if coder not in self.coders:
                self.coders.append(coder)
            self.subjects.setdefault(subject, {})[coder] = self.set_of(codes)
        self.coders.sort(key=lambda coder: coder.encode())
        self.sets = sorted({label for labels in self.subjects.values() for label in labels.values()},
                           key=lambda label: (label[0], label[1:]))
        self.missing = any(len(labels) < len(self.coders) for labels in self.subjects.values())
        self.pairs = any(len(label) > 1 for label in self.sets)

    @staticmethod
    def labels(package, facet):
        if facet.judges:
            for row in package.rows("data/identification.csv"):
                if row["is_merged"] == "0" and is_person(row):
                    yield row["post_id"], row["coder"], ["yes" if row["is_problem"] == "1" else "no"]
            return
        for row in sorted(package.rows("data/coding.csv"), key=lambda row: (
                row["problem_id"].encode(), row["coder"].encode())):
            if row["is_merged"] == "0" and row["facet"] == facet.name and is_person(row):
                first = row["spelling"] or row["code1"]
                codes = [first] + [row[column] for column in code_columns(package)[1:]]
                yield row["problem_id"], row["coder"], codes if first else []

    def set_of(self, codes):
        """Places of the codes; a published spelling that is no code becomes one."""
        places = set()
        for code in filter(None, codes):
            if code not in self.codes:
                self.codes.append(code)
            places.add(self.codes.index(code))
        return tuple(sorted(places))

    def matrix(self, a, b):
        counts = [[0] * len(self.sets) for _ in self.sets]
        for labels in self.subjects.values():
            if a in labels and b in labels:
                counts[self.sets.index(labels[a])][self.sets.index(labels[b])] += 1
        return counts

    def coder_pairs(self):
        for i, a in enumerate(self.coders):
            for b in self.coders[i + 1:]:
                yield a, b


INTERVAL_MIN = 20  # items: fewer give no interval


def expected_by_chance(chance, shares, own, weights, ratings):
    """What is expected, and what a rating adds to it, by coder and label."""
    used = [label for label in shares if shares[label] > 0]
    q = max(2, len(used))
    total = sum(weights(a, b) for a in used for b in used) if len(used) > 1 else 2
    nothing = dict.fromkeys(shares, 0.0)
    if chance == "none":
        return 0.0, nothing, nothing
    if chance == "even":
        return total / q ** 2, nothing, nothing
    if chance == "gwet":
        scale = total / (q * (q - 1))
        gain = {label: scale * (1 - 2 * p) for label, p in shares.items()}
        return scale * sum(p * (1 - p) for p in shares.values()), gain, gain
    p, r = own if chance == "own" else (shares, shares)
    by_a = {a: sum(weights(a, b) * r[b] for b in shares) for a in shares}
    by_b = {b: sum(weights(a, b) * p[a] for a in shares) for b in shares}
    expected = sum(p[a] * by_a[a] for a in shares)
    if chance == "paired":
        expected = (ratings * expected - 1) / (ratings - 1)
    return expected, {a: 2 * by_a[a] for a in shares}, {b: 2 * by_b[b] for b in shares}


class Moments:
    """Means of agreement a and of what is added to the expected one e, of their squares and product."""

    def __init__(self):
        self.sums, self.weight = [0.0] * 5, 0.0

    def add(self, weight, a, e):
        self.weight += weight
        self.sums = [x + weight * y for x, y in zip(self.sums, (a, e, a * a, a * e, e * e))]

    def means(self):
        return [x / self.weight for x in self.sums] if self.weight > 0 else self.sums


def bound_towards(end, value, expected, ratings, n, seen, mixed_with):
    """The value furthest from the coefficient that a test does not refuse: with the variance under that value
    and a continuity correction."""
    near, far = value, end
    for _ in range(60):
        middle = (near + far) / 2
        observed, rest = expected + middle * (1 - expected), 1 - middle
        apart = mixed_with[0] - seen[0]
        t = min(1.0, max(0.0, (observed - seen[0]) / apart)) if apart else 0.0
        a, e, aa, ae, ee = ((1 - t) * x + t * y for x, y in zip(seen, mixed_with))
        variance = max(0.0, aa - 2 * rest * ae + rest ** 2 * ee - (a - rest * e) ** 2)
        if (abs(value - middle) - 1 / (ratings * (1 - expected))
                <= Z_95 * math.sqrt(variance / n) / (1 - expected)):
            near = middle
        else:
            far = middle
    return near


def coefficient(units, chance, distance=None):
    """n, observed, expected, value, low, high, and why there is none of them. units: the labels of each
    subject, those of the first coder first; distance: of two labels, else they agree or not."""
    singles = [unit for unit in units if unit]
    units = [unit for unit in units if len(unit) > 1]
    if not units:
        return [0] + 5 * [None], "no item was rated by two coders"
    labels = sorted({label for unit in singles for label in unit})
    rated = {label for unit in units for label in unit}
    most = max((distance(a, b) for a in rated for b in rated), default=0) if distance else 1

    def weights(a, b):
        return float(a == b) if not most or not distance else max(0.0, 1 - distance(a, b) / most)

    def weight(unit):
        return len(unit) if chance == "paired" else 1

    shares, own = dict.fromkeys(labels, 0.0), (dict.fromkeys(labels, 0.0), dict.fromkeys(labels, 0.0))
    counted = singles if chance in ("gwet", "even") else units
    whole = sum(map(weight, counted))
    for unit in counted:
        for place, label in enumerate(unit):
            shares[label] += weight(unit) / len(unit) / whole
            if chance == "own":
                own[place][label] += 1 / whole
    n, ratings = len(units), sum(map(len, units))
    expected, gain_a, gain_b = expected_by_chance(chance, shares, own, weights, ratings)
    seen, agree, differ = Moments(), Moments(), Moments()
    for unit in units:
        pairs = sum(weights(a, b) for i, a in enumerate(unit) for b in unit[:i])
        gain = gain_a[unit[0]] + sum(gain_b[label] for label in unit[1:])
        seen.add(weight(unit), 2 * pairs / (len(unit) * (len(unit) - 1)), gain / len(unit))
    for a in labels:
        agree.add(shares[a], weights(a, a), (gain_a[a] + gain_b[a]) / 2)
        for b in labels:
            if a != b:
                differ.add(shares[a] * shares[b], weights(a, b), (gain_a[a] + gain_b[b]) / 2)
    seen, agree, differ = seen.means(), agree.means(), differ.means()
    observed = seen[0]
    if 1 - expected <= 1e-12:
        return [n, Nearly(observed), Nearly(expected), None, None, None], "all ratings are the same code"
    value = (observed - expected) / (1 - expected)
    cells = [n, Nearly(observed), Nearly(expected), Nearly(value)]
    if n < INTERVAL_MIN:
        return cells + [None, None], "fewer than 20 items: no interval"
    end = min(value, max(-1.0, -expected / (1 - expected)))
    return cells + [Nearly(bound_towards(to, value, expected, ratings, n, seen, mixed))
                    for to, mixed in ((end, differ), (1.0, agree))], None


class Random:
    """xoshiro256** 1.0, filled by SplitMix64."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9e3779b97f4a7c15) & self.MASK
            z = ((seed ^ seed >> 30) * 0xbf58476d1ce4e5b9) & self.MASK
            z = ((z ^ z >> 27) * 0x94d049bb133111eb) & self.MASK
            self.state.append(z ^ z >> 31)

    def below(self, n):
        if n <= 1:
            return 0
        mask = self.MASK
        shift = 64 - (n - 1).bit_length()
        while True:
            s0, s1, s2, s3 = self.state
            value = (s1 * 5) & mask
            value = ((value << 7 | value >> 57) * 9) & mask
            t = (s1 << 17) & mask
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= t
            s3 = (s3 << 45 | s3 >> 19) & mask
            self.state = [s0, s1, s2, s3]
            value >>= shift
            if value < n:
                return value


def quantile(ordered, p):
    place = (len(ordered) - 1) * p
    below = int(place)
    if below + 1 >= len(ordered):
        return ordered[-1]
    return ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)


def both_said(facet, a, b):
    return [(labels[a], labels[b]) for labels in facet.subjects.values() if a in labels and b in labels]


def agreement_table(ratings):
    header = ["facet", "coder_a", "coder_b", "n", "observed", "expected", "kappa", "low", "high",
              "undefined"]
    rows = []
    for facet in ratings:
        if "kappa" not in facet.of.measures:
            continue
        for a, b in facet.coder_pairs():
            cells, reason = coefficient(both_said(facet, a, b), "own")
            rows.append([facet.facet, a, b] + cells + [reason])
    return header, rows


# Word, what is expected by chance, the distance of two places in the codebook, name.
MEASURES = [
    ("percent", "none", None, "percent agreement"), ("ac1", "gwet", None, "Gwet's AC1"),
    ("ac2", "gwet", "quadratic", "Gwet's AC2, quadratic weights"), ("pi", "pooled", None, "Scott's pi"),
    ("pabak", "even", None, "PABAK"), ("kappa-linear", "own", "linear", "kappa, linear weights"),
    ("kappa-quadratic", "own", "quadratic", "kappa, quadratic weights"),
    ("alpha", "paired", None, "Krippendorff's alpha"),
    ("alpha-ordinal", "paired", "ordinal", "Krippendorff's alpha, ordinal"),
]


def distance_by(scale, units):
    """Of two labels with one place each."""
    if scale != "ordinal":
        return {"linear": lambda a, b: abs(a[0] - b[0]), "quadratic": lambda a, b: (a[0] - b[0]) ** 2,
                None: None}[scale]
    counts = {}
    for unit in units:
        for label in unit if len(unit) > 1 else ():
            counts[label] = counts.get(label, 0) + 1

    def apart(a, b):
        if a == b:
            return 0
        low, high = min(a, b), max(a, b)
        between = sum(n for label, n in counts.items() if low < label < high)
        return (between + (counts.get(a, 0) + counts.get(b, 0)) / 2) ** 2
    return apart


def measured(facet, chance, scale, units):
    if scale and any(len(label) > 1 or label[0] >= facet.n_ordered for label in facet.sets):
        return [0] + 5 * [None], "the codes have no order"
    return coefficient(units, chance, distance_by(scale, units))


def measures_table(ratings):
    header = ["facet", "coder_a", "coder_b", "measure", "n", "observed", "expected", "value", "low",
              "high", "undefined"]
    rows = []
    for facet in ratings:
        if facet.of.kind in ("number", "text"):
            continue
        for a, b in facet.coder_pairs():
            for word, chance, scale, name in MEASURES:
                if word in facet.of.measures:
                    units = both_said(facet, a, b) if chance == "own" else [
                        [labels[c] for c in (a, b) if c in labels] for labels in facet.subjects.values()]
                    cells, reason = measured(facet, chance, scale, units)
                    if chance == "none":
                        cells[2] = None
                    rows.append([facet.facet, a, b, name] + cells + [reason])
    return header, rows


def yes_no_table(ratings):
    header = ["facet", "coder_a", "coder_b", "n", "both_yes", "both_no", "only_a", "only_b"]
    rows = []
    for facet in ratings[:1]:
        for a, b in facet.coder_pairs():
            both = [(labels[a] == (1,), labels[b] == (1,)) for labels in facet.subjects.values()
                    if a in labels and b in labels]
            rows.append([facet.facet, a, b, len(both), both.count((True, True)),
                         both.count((False, False)), both.count((True, False)),
                         both.count((False, True))])
    return header, rows


def masi(a, b):
    """1 - Jaccard x monotonicity."""
    a, b = set(a), set(b)
    monotonic = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - len(a & b) / len(a | b) * monotonic


def jaccard(a, b):
    return 1 - len(set(a) & set(b)) / len(set(a) | set(b))


def coders_table(ratings):
    header = ["facet", "measure", "coders", "subjects", "left_out", "value", "low", "high", "undefined"]
    rows = []
    for facet in ratings:
        units = [[labels[coder] for coder in facet.coders if coder in labels]
                 for labels in facet.subjects.values()]
        measures, asked, coders = [], facet.of.measures, len(facet.coders)
        if "kappa" in asked and (coders > 2 or (facet.missing and coders > 1)):
            cells, reason = coefficient([unit for unit in units if len(unit) == coders], "pooled")
            if reason == "no item was rated by two coders":
                reason = "no item was rated by all coders"
            measures += [("Fleiss' kappa", (cells, reason)),
                         ("Krippendorff's alpha", coefficient(units, "paired"))]
        if coders > 2 and facet.of.kind not in ("number", "text"):
            measures += [(name, measured(facet, chance, scale, units))
                         for word, chance, scale, name in MEASURES if word in asked and chance != "own"
                         and not (word == "alpha" and "kappa" in asked)]
        large = len(facet.codes) > 64 and ([0] + 5 * [None], "there are too many to count exactly")
        if facet.pairs and coders > 1 and "masi" in asked:
            measures.append(("alpha, MASI distance", large or coefficient(units, "paired", masi)))
        if coders > 1 and "jaccard" in asked:
            measures.append(("alpha, Jaccard distance", large or coefficient(units, "paired", jaccard)))
        for measure, (cells, reason) in measures:
            rows.append([facet.facet, measure, coders, cells[0], len(units) - cells[0]] + cells[3:] + [reason])
    return header, rows


def icc(lines):
    """ICC(2,1), its interval, and why there is none. A line has the number of each coder."""
    n, k = len(lines), len(lines[0]) if lines else 0
    if n < 2:
        return [None, None, None], "fewer than two items were rated by all coders"
    if len({value for line in lines for value in line}) == 1:
        return [None, None, None], "all ratings are the same code"
    mean = math.fsum(map(math.fsum, lines)) / (n * k)
    total = math.fsum((value - mean) ** 2 for line in lines for value in line)
    items = math.fsum(k * (math.fsum(line) / k - mean) ** 2 for line in lines)
    coders = math.fsum(n * (math.fsum(column) / n - mean) ** 2 for column in zip(*lines))
    rest = max(0.0, total - items - coders) / ((n - 1) * (k - 1))
    items, coders = items / (n - 1), coders / (k - 1)
    value = (items - rest) / (items + (k - 1) * rest + k * (coders - rest) / n)
    if rest < 1e-12 * (items + coders):
        return [Nearly(value), Anything(), Anything()], None
    a = k * value * coders / rest
    b = n * (1 + (k - 1) * value) - k * value
    df = (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a * a + b * b)
    upper = f_quantile((1 + CONFIDENCE) / 2, n - 1, df)
    lower = f_quantile((1 + CONFIDENCE) / 2, df, n - 1)
    both = k * coders + (k * n - k - n) * rest
    return [Nearly(value), Nearly(n * (items - upper * rest) / (upper * both + n * items)),
            Nearly(n * (lower * items - rest) / (both + n * lower * items))], None


def number_table(ratings):
    header = ["facet", "measure", "coders", "subjects", "value", "low", "high", "undefined"]
    rows = []
    for facet in ratings:
        if facet.of.kind != "number" or len(facet.coders) < 2:
            continue
        lines = [{coder: float(facet.codes[places[0]]) for coder, places in labels.items()}
                 for labels in facet.subjects.values()]
        units = [list(line.values()) for line in lines]
        places = [[(value,) for value in unit] for unit in units]
        for word, name, labels, apart in (
                ("alpha", "Krippendorff's alpha", units, lambda a, b: (a - b) ** 2),
                ("alpha-ordinal", "Krippendorff's alpha, ordinal", places, distance_by("ordinal", places)),
                ("alpha-ratio", "Krippendorff's alpha, ratio", units,
                 lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0)):
            if word not in facet.of.measures:
                continue
            if word == "alpha-ratio" and any(value < 0 for unit in units for value in unit):
                cells, reason = [0] + 5 * [None], "a ratio needs numbers from 0 on"
            else:
                cells, reason = coefficient(labels, "paired", apart)
            rows.append([facet.facet, name, len(facet.coders), cells[0]] + cells[3:] + [reason])
        if "icc" in facet.of.measures:
            whole = [[line[coder] for coder in facet.coders] for line in lines
                     if len(line) == len(facet.coders)]
            cells, reason = icc(whole)
            rows.append([facet.facet, "ICC(2,1)", len(facet.coders), len(whole)] + cells + [reason])
    return header, rows


def segmentation_table(ratings):
    """Which problems coders see in a post: those of which they coded any facet."""
    header = ["coder_a", "coder_b", "posts", "same", "more_a", "more_b", "problems_a", "problems_b",
              "both", "specific", "alpha", "low", "high", "undefined"]
    seen, rows = {}, []
    for facet in ratings[1:]:
        for subject, labels in facet.subjects.items():
            for coder in labels:
                seen.setdefault(coder, {}).setdefault(subject.split("_")[0], set()).add(subject)
    coders = sorted(seen, key=lambda name: name.encode())
    for place, a in enumerate(coders):
        for b in coders[place + 1:]:
            pairs = [(seen[a][post], seen[b][post]) for post in seen[a] if post in seen[b]]
            same = sum(x == y for x, y in pairs)
            if same == len(pairs):
                continue
            problems = [sum(len(pair[i]) for pair in pairs) for i in (0, 1)]
            both = sum(len(x & y) for x, y in pairs)
            counts = [[min(len(x), 64), min(len(y), 64)] for x, y in pairs]
            cells, reason = coefficient(counts, "paired", lambda x, y: (x - y) ** 2)
            rows.append([a, b, len(pairs), same, sum(len(x) > len(y) for x, y in pairs),
                         sum(len(y) > len(x) for x, y in pairs), *problems, both,
                         2 * both / sum(problems), *cells[3:], reason])
    return header, rows


# --- comparing tables ---


class Comparison:
    def __init__(self):
        self.faults, self.figures, self.rounded, self.passed_over = [], 0, 0, 0

    def cell(self, where, text, value):
        if isinstance(value, Anything):
            self.passed_over += text != ""
            if not value.accepts(text):
                self.faults.append(f"{where} is '{text}', expected one of"
                                   f" {', '.join(value.allowed)}")
            return
        self.figures += not isinstance(value, str) and value is not None
        if isinstance(value, Nearly):
            if not value.accepts(text):
                self.faults.append(f"{where} is {text or 'empty'}, computed {value.value:.15g}")
            return
        wanted = number_text(value)
        if text == wanted:
            return
        if isinstance(value, float) and close(text, value):
            self.rounded += 1
            return
        self.faults.append(f"{where} is {text or 'empty'}, computed {wanted or 'empty'}")

    def table(self, package, name, header, rows):
        file = f"statistics/{name}.csv"
        actual_header, actual = package.csv(file)
        if actual_header != header:
            self.faults.append(f"{file}: the columns are {', '.join(actual_header)}, expected"
                               f" {', '.join(header)}")
            return
        if len(actual) != len(rows):
            self.faults.append(f"{file}: {len(actual)} rows, computed {len(rows)}")
        texts = next((i for i, value in enumerate(rows[0]) if not isinstance(value, str)),
                     1) if rows else 1
        for number, (row, expected) in enumerate(zip(actual, rows), 1):
            for column, text, value in zip(header, row, expected):
                title = ", ".join(row[:texts])
                self.cell(f"{file}: row {number} ({title}), column {column}", text, value)

    def words(self):
        words = f"{self.figures} figures"
        if self.rounded:
            words += f"; {self.rounded} differ behind the 12th digit"
        if self.passed_over:
            words += f"; {self.passed_over} sampled ones not computed"
        return words


def close(text, value):
    try:
        return math.isclose(float(text), value, rel_tol=1e-12, abs_tol=1e-300)
    except ValueError:
        return False


def check_statistics(package):
    comparison = Comparison()
    study = Study(package)
    for what in study.plan:
        computed = STATISTICS[what.kind](study, what)
        if computed is not None and (computed[1] or package.has(f"statistics/{what.table}.csv")):
            comparison.table(package, what.table, *computed)
    return comparison.faults, comparison.words()


def check_agreement(package):
    comparison = Comparison()
    ratings = [Ratings(package, facet) for facet in facets_of(package)]
    for name, table in (("agreement", agreement_table), ("measures", measures_table)):
        header, rows = table(ratings)
        if rows or package.has(f"statistics/{name}.csv"):
            comparison.table(package, name, header, rows)
    comparison.table(package, "yes-no", *yes_no_table(ratings))
    header, rows = coders_table(ratings)
    if rows or package.has("statistics/coders.csv"):
        comparison.table(package, "coders", header, rows)
    header, rows = number_table(ratings)
    if rows or package.has("statistics/number-agreement.csv"):
        comparison.table(package, "number-agreement", header, rows)
    header, rows = segmentation_table(ratings)
    if rows or package.has("statistics/segmentation.csv"):
        comparison.table(package, "segmentation", header, rows)
    return comparison.faults, comparison.words()


# --- the benchmark ---

FAILURES = {"hang": lambda run: run["ended"] == "timed out",
            "exhaustion": lambda run: run["ended"] == "out of memory" or run["lacked_memory"] == "1"}


def is_near(text, value):
    """Results come with nine digits."""
    try:
        return math.isclose(float(text), value, rel_tol=1e-6)
    except ValueError:
        return False


def ratio_bounds(over, under, seed):
    """Ends of the percentile interval of the ratio of medians."""
    random, ratios = Random(seed), []
    for _ in range(10000):
        a = statistics.median([over[random.below(len(over))] for _ in over])
        ratios.append(a / statistics.median([under[random.below(len(under))] for _ in under]))
    ratios.sort()
    return ratios[249], ratios[9750]


def check_ratio(result, runs, with_bootstrap):
    """The figures of a result that are not those of its runs, and its verdict."""
    over, under = ([float(run["metric"]) for run in runs[side]] for side in ("buggy", "fixed"))
    wanted = {"buggy": statistics.median(over), "fixed": statistics.median(under)}
    wanted["ratio"] = wanted["buggy"] / wanted["fixed"]
    if with_bootstrap:
        wanted["ratio_low"], wanted["ratio_high"] = ratio_bounds(over, under, int(result["seed"]))
    wrong = [f"{column} is {result[column] or 'empty'}, computed {value:.9g}"
             for column, value in wanted.items() if not is_near(result[column], value)]
    return wrong, wanted["ratio"] >= 1.5 and float(result["ratio_low"]) > 1.2


def check_benchmark(package, with_bootstrap):
    faults, figures = [], 0
    runs = {}
    for run in package.rows("data/bench_runs.csv") if package.has("data/bench_runs.csv") else []:
        if run["warm_up"] == "0":
            sides = runs.setdefault(run["result_id"], {"buggy": [], "fixed": []})
            sides[run["side"]].append(run)
    results = package.rows("data/bench_results.csv") if package.has("data/bench_results.csv") else []
    for result in results:
        if result["verdict"] not in ("reproduced", "not reproduced here"):
            continue
        where = f"data/bench_results.csv: result {result['result_id']} ({result['problem_id']})"
        sides = runs.get(result["result_id"], {"buggy": [], "fixed": []})
        fails = FAILURES.get(result["metric"])
        if fails:
            buggy, fixed = ([fails(run) for run in sides[side]] for side in ("buggy", "fixed"))
            wrong, reproduced = [], bool(buggy) and all(buggy) and not any(fixed)
        elif not sides["buggy"] or not sides["fixed"]:
            wrong, reproduced = ["there are no runs of both scripts"], False
        else:
            wrong, reproduced = check_ratio(result, sides, with_bootstrap)
            figures += 5 if with_bootstrap else 3
        if reproduced != (result["verdict"] == "reproduced"):
            wrong.append(f"the verdict is {result['verdict']}, which does not follow from the runs")
        faults += [f"{where}: {fault}" for fault in wrong]
    return faults, f"{len(results)} results, {figures} figures"


# Controls, and what changes the direction of writing or ends a line: "?" in texts for people.
COMMANDS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]")


def for_people(text, kind):
    if text == "":
        return "-"
    if kind == "share":
        return "%.1f%%" % (float(text) * 100)
    if kind == "p" and float(text) < 0.0001:
        return "<0.0001"
    if kind in ("real", "p"):
        return "%.4f" % float(text)
    return COMMANDS.sub("?", text)


def text_rows(page, table):
    """Lines of a table of the page, blanks made one."""
    lines = page.splitlines()
    start = next((i for i, line in enumerate(lines) if f" {line}".endswith(f" ({table})")), None)
    if start is None:
        return []
    rows = []
    for line in lines[start + 3:]:
        if not line:
            break
        rows.append(" ".join(line.split()))
    return rows


def check_formats(package):
    """The numbers for readers, and those in JSON, are those of the CSV files."""
    faults, n = [], 0
    for page in ("stats", "agreement"):
        text = package.text(f"statistics/{page}.txt")
        for table in package.json(f"statistics/{page}.json"):
            name = f"statistics/{table['id']}.csv"
            header, rows = package.csv(name)
            n += 1
            if [column["name"] for column in table["columns"]] != header:
                faults.append(f"statistics/{page}.json: other columns than {name}")
                continue
            in_json = [[cell(row[column]) for column in header] for row in table["rows"]]
            for number, (a, b) in enumerate(zip(in_json, rows), 1):
                if a != b:
                    faults.append(f"statistics/{page}.json: {table['id']}, row {number}: {a};"
                                  f" {name}: {b}")
            if len(in_json) != len(rows):
                faults.append(f"statistics/{page}.json: {table['id']}: {len(in_json)} rows; {name}:"
                              f" {len(rows)}")
            shown = [i for i in range(len(header)) if not rows or any(row[i] for row in rows)]
            kinds = [column["kind"] for column in table["columns"]]
            expected = [" ".join(" ".join(for_people(row[i], kinds[i]) for i in shown).split())
                        for row in rows]
            actual = text_rows(text, table["id"])
            for a, b in zip(actual, expected):
                if a != b:
                    faults.append(f"statistics/{page}.txt: {table['id']}: {a}; {name}: {b}")
            if len(actual) != len(expected):
                faults.append(f"statistics/{page}.txt: {table['id']}: {len(actual)} rows; {name}:"
                              f" {len(expected)}")
    return faults, f"{n} tables"


def claim_of(table, name, row):
    """The row of CLAIMS.md about a table, as texts: what the program writes, from the CSV file."""
    words, figures = [], []
    for column, value in zip(table["columns"], row):
        if value and column["kind"] in ("int", "share", "p", "real"):
            figures.append(column["name"] + " " +
                           (value if column["kind"] == "int" else "%.4g" % float(value)))
        elif value and not figures:
            words.append(COMMANDS.sub("?", value))
    return (table["title"], ", ".join(words) + (": " if figures else "") + ", ".join(figures[:4]),
            name)


def check_claims(package):
    """Each table that has rows is a claim, with its first row, and names its file."""
    faults, expected = [], []
    for page in ("stats", "agreement"):
        for table in package.json(f"statistics/{page}.json"):
            name = f"statistics/{table['id']}.csv"
            rows = package.csv(name)[1]
            if rows:
                expected.append(claim_of(table, name, rows[0]))
    lines = [line for line in package.text("CLAIMS.md").splitlines() if line.startswith("| ")][1:]
    cells = [[html.unescape(re.sub(r"\\(.)", r"\1", cell.strip()))
              for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    claims = [(title, first, output) for title, first, _, output in cells]
    for a, b in zip(claims, expected):
        if a != b:
            faults.append(f"CLAIMS.md: {a}; the tables say: {b}")
    if len(claims) != len(expected):
        faults.append(f"CLAIMS.md: {len(claims)} claims; {len(expected)} tables have rows")
    return faults, f"{len(claims)} claims"


# --- all ---

CHECKS = [
    ("checksums", check_sums),
    ("dictionary: columns, types, values, keys, references", check_dictionary),
    ("database: whole, without notes, texts only when said", check_file),
    ("database: the same rows as data/, the same files as study/", check_rows),
    ("parameters", check_parameters),
    ("attribution: every post that is named, its licence", check_attribution),
    ("decisions: their ids", check_decision_ids),
    ("discussion: ids of messages", check_discussion),
    ("decisions lead to the judgements", check_judgements),
    ("decisions lead to the labels", check_labels),
    ("labels lead to the problems", check_problems),
    ("scans and states lead to the campaign", check_campaign),
    ("settled: what is not counted is said", check_settled),
    ("statistics, computed again", check_statistics),
    ("agreement, computed again", check_agreement),
    ("benchmark: medians, ratios and verdicts, computed again from the runs", check_benchmark),
    ("statistics: the same in text, CSV and JSON", check_formats),
    ("claims: each names a table and its first row", check_claims),
]


MODEL_CHECKS = [("models: their decisions are what their answers say", check_models)]

WITH_BOOTSTRAP = (check_benchmark,)


def run(package, with_bootstrap):
    failed = missed = 0
    checks = CHECKS + (MODEL_CHECKS if has_models(package) else [])
    for title, check in checks:
        try:
            faults, words = (check(package, with_bootstrap) if check in WITH_BOOTSTRAP
                             else check(package))
        except NotChecked as why:
            missed += 1
            print(f"skip {title} ({why})")
            continue
        except Exception as error:  # a file that is damaged in any way is a finding
            faults, words = [f"{type(error).__name__}: {error}"], ""
        failed += bool(faults)
        print(("FAIL " if faults else "ok   ") + title + (f" ({words})" if words else ""))
        for fault in faults[:SHOWN]:
            print("     " + "".join(c if c.isprintable() else "?" for c in fault))
        if len(faults) > SHOWN:
            print(f"     and {len(faults) - SHOWN} more")
    print("Sampled p-values (Fisher's test) are not computed here." if with_bootstrap else
          "Sampled p-values (Fisher's test) and bootstrap intervals are not computed here; the"
          " latter with --bootstrap.")
    print(f"{len(checks) - failed - missed} passed, {failed} failed" + (f", {missed} not checked" if missed else ""))
    return 1 if failed else 3 if missed else 0


def main():
    folder, with_bootstrap = None, False
    for word in sys.argv[1:]:
        if word == "--bootstrap":
            with_bootstrap = True
        elif word.startswith("-") or folder is not None:
            print(__doc__, file=sys.stderr)
            return 2
        else:
            folder = word
    folder = folder or os.path.dirname(os.path.abspath(__file__))
    if not os.path.isfile(os.path.join(folder, "SHA256SUMS")):
        print(f"{folder}: no package; there is no SHA256SUMS", file=sys.stderr)
        return 2
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    return run(Package(folder), with_bootstrap)


if __name__ == "__main__":
    sys.exit(main())
