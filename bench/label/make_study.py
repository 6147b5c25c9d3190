#!/usr/bin/python3
"""A study with many posts, candidates and labels, all made up.

    make_study.py [--posts N] [--candidates N] [--problems N] [--seed N] STUDY OUT

Copies the study folder STUDY to OUT/study and writes into it identification.csv (three coders and
the merged one judge each candidate), coding.csv (the three label each problem) and problems.csv
(what they agreed on), and OUT/Posts.xml, whose posts the study's tags and dates keep. A share of the
posts has a keyword in its title, and those are the candidates.

Coders say what is true four times of five, else something that is as frequent as the code is. One
in a hundred labels is missing, one problem in ten has two symptoms.
"""

import argparse
import csv
import datetime
import os
import random
import shutil

CODERS = ["c1", "c2", "c3"]
FIRST_ID = 40_000_001
WORDS = """the model on my card with two layers loads images from disk and prints loss after each
epoch but what i see in the log is not what the manual says about batches shapes graphs sessions
callbacks of this version any hint how to find out where tensors go when it is called again""".split()


def codebook(folder):
    codes = {}
    with open(os.path.join(folder, "codebook.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            codes.setdefault(row["facet"], []).append(row["code"])
    return codes


class Choice:
    """Codes with skewed shares."""

    def __init__(self, rng, codes):
        self.rng, self.codes = rng, codes
        self.shares = [1 / (i + 2) for i in range(len(codes))]

    def many(self, n):
        return self.rng.choices(self.codes, self.shares, k=n)


def said_by_one(rng, truth, noise):
    return [t if rng.random() < 0.8 else other for t, other in zip(truth, noise)]


def write_rows(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_identification(rng, folder, candidates, problem_posts):
    def rows():
        for post in candidates:
            true = post in problem_posts
            for coder in CODERS:
                if coder == CODERS[0] and post == candidates[-1]:
                    continue  # label next looks through all the others first
                yield post, coder, int(true if rng.random() < 0.9 else not true)
            yield post, "merged", int(true)

    write_rows(os.path.join(folder, "identification.csv"), ["post_id", "coder", "is_problem"], rows())


def write_labels(rng, folder, problems, dates):
    codes = codebook(folder)
    facets = ["symptom", "root cause", "stage", "stage"]
    draw = [Choice(rng, codes[facet]) for facet in facets]
    truth = [choice.many(len(problems)) for choice in draw]
    said = {coder: [said_by_one(rng, true, choice.many(len(problems)))
                    for true, choice in zip(truth, draw)] for coder in CODERS}

    def coding():
        for i, (problem, _) in enumerate(problems):
            for coder in CODERS:
                cells = ["" if rng.random() < 0.01 else column[i] for column in said[coder]]
                if any(cells):
                    yield [problem, coder, *cells]

    def merged():
        second = draw[0].many(len(problems))
        for i, (problem, post) in enumerate(problems):
            symptom, cause, introducing, exposing = (column[i] for column in truth)
            two = rng.random() < 0.1 and second[i] != symptom
            yield [problem, post, dates[post], introducing, exposing, symptom,
                   second[i] if two else "", cause]

    write_rows(os.path.join(folder, "coding.csv"), [
        "problem_id", "coder", "symptom", "root_cause", "introducing_stage", "exposing_stage"],
        coding())
    write_rows(os.path.join(folder, "problems.csv"), [
        "problem_id", "post_id", "created_at", "introducing_stage", "exposing_stage", "symptom1",
        "symptom2", "root_cause"], merged())


def write_posts(rng, path, posts, candidates, dates):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for post in posts:
            body = " ".join(rng.choices(WORDS, k=40))
            title = " ".join(rng.choices(WORDS, k=6))
            if post in candidates:
                title += " runs slowly and hangs"
            file.write(f'  <row Id="{post}" PostTypeId="1" CreationDate="{dates[post][:-1]}"'
                       f' Score="{rng.randrange(9)}" ViewCount="{rng.randrange(900)}"'
                       f' Body="&lt;p&gt;{body}&lt;/p&gt;&#xA;" OwnerUserId="{post % 9973}"'
                       f' LastActivityDate="{dates[post][:-1]}" Title="{title}"'
                       f' Tags="&lt;python&gt;&lt;tensorflow&gt;" AnswerCount="0"'
                       f' CommentCount="0" />\n')
        file.write("</posts>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--problems", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("study")
    parser.add_argument("out")
    args = parser.parse_args()
    rng = random.Random(args.seed)

    folder = os.path.join(args.out, "study")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(args.study, folder, ignore=shutil.ignore_patterns(
        "identification.csv", "coding.csv", "problems.csv", "assessment.csv", "sample"))
    posts = range(FIRST_ID, FIRST_ID + args.posts)
    candidates = sorted(rng.sample(posts, args.candidates))
    start = datetime.datetime(2018, 1, 1)
    step = datetime.timedelta(days=3 * 365) / args.posts
    dates = {post: (start + i * step).isoformat(timespec="milliseconds") + "Z"
             for i, post in enumerate(posts)}
    # One post in fifteen of those that hold a problem holds two.
    holding = rng.sample(candidates, args.problems * 15 // 16)
    n_double = args.problems - len(holding)
    problems = [(f"{post}_{i}", post) for post in holding[:n_double] for i in (1, 2)]
    problems += [(str(post), post) for post in holding[n_double:]]
    problems.sort(key=lambda problem: (problem[1], problem[0]))

    write_identification(rng, folder, candidates, set(holding))
    write_labels(rng, folder, problems, dates)
    write_posts(rng, os.path.join(args.out, "Posts.xml"), posts, set(candidates), dates)


if __name__ == "__main__":
    main()
