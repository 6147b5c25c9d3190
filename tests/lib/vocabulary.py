"""Looks for what is wrong in check's vocabulary, and says it, a line for each:

    vocabulary.py ROOT

A name that no program can write, since it is renamed first; an alias of a name that has a line of its
own, or of one that has none; a line that says what its alias says; a trait that no name has, or that
nothing asks for.
"""
import csv
import glob
import os
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def below(name, prefix):
    return name == prefix or name.startswith(prefix + ".")


def wrong_names(words, aliases):
    lines = {row["name"]: row for row in words}
    same = {row["name"]: row["means"] for row in aliases if row["how"] == "same"}
    renamed = [row["name"][:-2] for row in aliases if row["how"] == "renamed"]
    for row in aliases:
        if row["how"] not in ("same", "renamed"):
            yield f"aliases.csv: {row['name']}: '{row['how']}' is neither same nor renamed"
    for name in [*lines, *same]:
        for prefix in renamed:
            if below(name, prefix):
                yield f"{name}: never looked up, {prefix}.* is renamed first (aliases.csv)"
    for name, means in same.items():
        if name.endswith(".*"):
            prefix, other = name[:-1], means[:-1]
            for line in lines:
                twin = other + line[len(prefix):]
                if line.startswith(prefix) and "*" not in line and twin in lines and all(
                        lines[line][key] == lines[twin][key] for key in ("op", "traits")):
                    yield f"{line}: says what {twin} says, and {name} is {means} (aliases.csv)"
        elif name in lines:
            yield f"{name}: has a line in vocabulary.csv, so its alias in aliases.csv is never used"
        elif means not in lines and means not in same:
            yield f"{name}: means {means}, which has no line in vocabulary.csv"


def wrong_traits(root, words):
    with open(os.path.join(root, "check/facts/vocabulary.h"), encoding="utf-8") as file:
        known = set(re.findall(r"^    TRAIT_([A-Z_]+)\b", file.read(), re.M)) - {"NONE", "END"}
    said = {trait.upper() for row in words for trait in row["traits"].split()}
    asked = set()
    for path in glob.glob(os.path.join(root, "check/*/*.[ch]")):
        if os.path.basename(path) == "vocabulary.h":
            continue
        with open(path, encoding="utf-8") as file:
            asked |= set(re.findall(r"\bTRAIT_([A-Z_]+)\b", file.read()))
    stages = {trait for trait in known if trait.startswith("STAGE_")}
    for trait in sorted(known - said - stages):
        yield f"TRAIT_{trait}: no name in vocabulary.csv has it"
    for trait in sorted(known - asked - stages):
        yield f"TRAIT_{trait}: nothing asks for it"
    for trait in sorted(said - known):
        yield f"{trait.lower()}: no trait of vocabulary.h"


def main():
    root = sys.argv[1]
    words = read(os.path.join(root, "check/facts/vocabulary.csv"))
    aliases = read(os.path.join(root, "check/facts/aliases.csv"))
    wrong = [*wrong_names(words, aliases), *wrong_traits(root, words)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
