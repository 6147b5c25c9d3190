"""Parquet says what JSON says, and the recipes of docs/duckdb.md work: run by `make test-spark`.

    test_duckdb.py [--regen] PROGRAM

A recipe is a block ```duckdb; a block ```text after it has what it gives. --regen writes these.
"""

import json
import os
import subprocess
import sys
import tempfile

import duckdb
import duckdb_extensions
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "duckdb.md")
TYPES = {"integer": pa.int64(), "real": pa.float64(), "boolean": pa.bool_()}


def ppmine(program, *arguments, **how):
    return subprocess.run([program, "-q", "-d", "study.db", *arguments], check=True,
                          stdout=subprocess.PIPE, **how).stdout


def make_study(program):
    ppmine(program, "init", "--published")
    ppmine(program, "load", os.path.join(ROOT, "studies", "dlperf", "sample", "Posts.xml"))
    ppmine(program, "match")


def types_of(table):
    """The columns of a table, as the data dictionary names them."""
    import csv
    path = os.path.join(ROOT, "report", "package", "data_dictionary.csv")
    with open(path, encoding="utf-8", newline="") as file:
        return {row["column"]: row["type"] for row in csv.DictReader(file)
                if row["file"] == f"data/{table}.csv" and row["column"]}


def check_tables(program):
    """Every table: the same rows as JSON, with the types of the dictionary."""
    names = [json.loads(line)["table"] for line in
             ppmine(program, "export", "--list", "--format", "ndjson").splitlines()]
    n_rows = 0
    for name in names:
        ppmine(program, "export", "-t", name, "-f", "parquet", "-o", name + ".parquet")
        table, types = pq.read_table(name + ".parquet"), types_of(name)
        if name == "posts":  # of several sites only
            types = {column: kind for column, kind in types.items() if column not in ("site", "url")}
        assert table.schema.names == list(types), (name, table.schema.names)
        for field in table.schema:
            is_list = pa.types.is_list(field.type)
            wanted = TYPES.get(types[field.name], pa.string())
            assert field.type == wanted or (is_list and field.name == "tags"), (name, field)
        rows = [json.loads(line) for line in
                ppmine(program, "export", "-t", name, "-f", "ndjson").splitlines()]
        found = table.to_pylist()
        assert len(found) == len(rows), name
        for row, expected in zip(found, rows):
            for column, value in row.items():
                json_value = expected[column]
                if isinstance(value, str) and not isinstance(json_value, str):
                    value = json.loads(value)
                elif isinstance(value, list) and isinstance(json_value, str):
                    json_value = json.loads(json_value)
                assert value == json_value, (name, column, value, json_value)
        n_rows += len(rows)
    assert n_rows > 3000, n_rows
    # It is there whole, or not at all.
    assert not [name for name in os.listdir(".") if "unfinished" in name]


def check_failures(program):
    def fails(word, *arguments, **environment):
        done = subprocess.run([program, "-q", "-d", "study.db", "export", *arguments], check=False,
                              stderr=subprocess.PIPE, env=dict(os.environ, **environment))
        assert done.returncode != 0 and word in done.stderr.decode(), (word, done)
    fails("not on the PATH", "-t", "hits", "-f", "parquet", "-o", "no.parquet", PATH="/nowhere")
    fails("--output", "-t", "hits", "-f", "parquet")
    fails("failed", "-t", "hits", "-f", "parquet", "-o", "no/such/folder.parquet")
    assert not os.path.exists("no.parquet")


def read_recipes(lines):
    """(from, to) of each recipe, and of the result after it, which is empty where there is none."""
    blocks, at = [], 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            blocks.append((lines[at][3:], at + 1, end))
            at = end
        at += 1
    for block, after in zip(blocks, [*blocks[1:], ("", 0, 0)]):
        if block[0] == "duckdb":
            shown = after[1:] if after[0] == "text" and after[1] <= block[2] + 3 else (0, 0)
            yield block[1:], shown


def check_page(regen):
    with open(PAGE, encoding="utf-8") as page:
        lines = page.read().split("\n")
    connection, failed, changes = duckdb.connect(), 0, []
    duckdb_extensions.import_extension("sqlite_scanner", con=connection)
    recipes = list(read_recipes(lines))
    assert len(recipes) >= 7, recipes
    for (start, end), (shown_from, shown_to) in recipes:
        result = connection.execute("\n".join(lines[start:end]))
        said = [" | ".join(column[0] for column in result.description)]
        said += [" | ".join("" if value is None else str(value) for value in row)
                 for row in result.fetchall()]
        assert len(said) > 1, lines[start:end]
        if said != lines[shown_from:shown_to]:
            failed += 1
            changes.append((end, shown_from, shown_to, said))
            if not regen:
                print(f"{PAGE}, line {start}: the recipe gives")
                print("\n".join(said))
    if regen:
        for end, shown_from, shown_to, said in reversed(changes):
            if shown_to:
                lines[shown_from:shown_to] = said
            else:
                lines[end + 1:end + 1] = ["", "```text", *said, "```"]
        with open(PAGE, "w", encoding="utf-8") as page:
            page.write("\n".join(lines))
    return failed if not regen else 0


def main():
    regen = "--regen" in sys.argv
    program = os.path.abspath(sys.argv[-1])
    os.environ["PATH"] = ":".join([os.path.dirname(sys.executable),
                                   os.path.join(ROOT, "scripts", "spark"), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_study(program)
        check_tables(program)
        check_failures(program)
        statistics = ppmine(program, "stats", "--format", "ndjson")
        subprocess.run(["ppmine-parquet", "statistics.parquet"], input=statistics, check=True)
        failed = check_page(regen)
    print("FAIL docs/duckdb" if failed else "ok docs/duckdb: Parquet of every table, and recipes")
    sys.exit(failed > 0)


main()
