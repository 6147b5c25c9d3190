#!/usr/bin/env python3
"""Keyword sets with gaps, alternatives, fields and exclusions, and what they find, by trying every way.

    keyword_patterns.py SETS FOLDER

Makes FOLDER/1 and so on, a folder for each set, whose number is its seed, and writes there keywords.txt, the same posts as posts.ndjson
and posts.xml, and expected, what `ppmine match --stdin --verbatim --keywords` must print for them. Words are compared as they are printed, so no stemmer is needed.
"""

import itertools
import json
import os
import random
import sys
from xml.sax.saxutils import quoteattr

WORDS = ["ab", "cdcd", "efefefef", "ghghgh"]  # of different lengths: a long one is looked for first


def keyword(rng):
    """A line of the file, and what it means: fields, and for each word its gap and what it may be."""
    field = rng.choice(["", "", "", "title:", "body:"])
    parts, line, left = [], [], 4
    for place in range(rng.randint(1, 4)):
        gap = 0
        if place > 0 and left > 0 and rng.random() < 0.4:
            gap = rng.randint(1, left)
            left -= gap
            line.append("*" if gap == 1 and rng.random() < 0.5 else f"*{gap}")
        either = rng.sample(WORDS, rng.choice([1, 1, 1, 2, 3]))
        parts.append((gap, either))
        line.append("|".join(either))
    shown = [f"*{part[1:] or 1}" if part[0] == "*" else part for part in line]
    return (field + " " if field else "") + " ".join(line), (
        (field + " " if field else "") + " ".join(shown), field.rstrip(":"), parts)


def ways(parts, words, end):
    """The first words of all ways in which the last part is at `end`."""
    found = []
    for gaps in itertools.product(*(range(gap + 1) for gap, _ in parts[1:])):
        places = [end]
        for gap in reversed(gaps):
            places.insert(0, places[0] - 1 - gap)
        if places[0] >= 0 and all(words[at] in either for at, (_, either) in zip(places, parts)):
            found.append(places[0])
    return found


def find(keywords, exclusions, field, text):
    hits, excluded, at = [], [], 0
    for line in text.split("\n"):
        words, starts, place = line.split(" "), [], at
        for word in words:
            starts.append(place)
            place += len(word) + 1
        for end in range(len(words)):
            stop = starts[end] + len(words[end])
            for number, (shown, only, parts) in enumerate(keywords):
                first = ways(parts, words, end)
                if first and only in ("", field):
                    hits.append((starts[max(first)], len(parts), number, stop, shown))
            for exclusion in exclusions:
                n = len(exclusion)
                if end + 1 >= n and words[end + 1 - n:end + 1] == exclusion:
                    excluded.append((starts[end + 1 - n], stop))
        at += len(line) + 1
    left = {}  # of a keyword's hits that begin at one word the longest
    for start, n_words, number, stop, shown in sorted(hits):
        if not any(a <= start and stop <= b for a, b in excluded):
            left[start, n_words, number] = {"keyword": shown, "field": field, "start": start, "end": stop}
    return list(left.values())


def write_set(seed, folder):
    rng = random.Random(seed)
    keywords, exclusions, lines = [], [], []
    for _ in range(rng.randint(1, 5)):
        line, meaning = keyword(rng)
        lines.append(line)
        if meaning[0] not in [known[0] for known in keywords]:
            keywords.append(meaning)
    for _ in range(rng.choice([0, 0, 1, 2])):
        exclusions.append([rng.choice(WORDS) for _ in range(rng.randint(1, 3))])
        lines.insert(rng.randint(0, len(lines)), "! " + "-".join(exclusions[-1]))
    with open(f"{folder}/keywords.txt", "w") as file:
        file.write("\n".join(lines) + "\n")
    with open(f"{folder}/posts.ndjson", "w") as posts, \
            open(f"{folder}/posts.xml", "w") as rows, open(f"{folder}/expected", "w") as expected:
        for number in range(1, 41):
            title = " ".join(rng.choice(WORDS + ["xx"]) for _ in range(rng.randint(1, 8)))
            body = [" ".join(rng.choice(WORDS + ["xx"]) for _ in range(rng.randint(1, 12)))
                    for _ in range(rng.randint(1, 2))]
            posts.write(json.dumps({"post_id": number, "title": title,
                                    "created_at": "2020-01-01T00:00:00Z", "tags": ["tensorflow"],
                                    "body_html": "<p>" + "<br>".join(body) + "</p>"}) + "\n")
            html = quoteattr("<p>" + "<br>".join(body) + "</p>")
            rows.write(f'<row Id="{number}" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000"'
                       f' Score="0" Title={quoteattr(title)} Body={html} Tags="&lt;keras&gt;" />\n')
            hits = find(keywords, exclusions, "title", title)
            hits += find(keywords, exclusions, "body", "\n".join(body))
            if hits:
                expected.write(json.dumps({"id": number, "hits": hits}, separators=(",", ":")) + "\n")


for each in range(1, int(sys.argv[1]) + 1):
    os.mkdir(f"{sys.argv[2]}/{each}")
    write_set(each, f"{sys.argv[2]}/{each}")
