"""What `ppmine label hints` must print, by Python's re: an engine of its own.

    hints_reference.py make SENTENCES SEED N         a dump of N posts on stdout, and posts.json
    hints_reference.py expect HINTS CODEBOOK         NDJSON rows for posts.json on stdout
"""

import csv
import html
import json
import random
import re
import sys
from xml.sax.saxutils import quoteattr

FACETS = ["symptom", "root cause", "stage"]
WORDS_MAX = 12
# What \d, \w, \s and \b mean is ASCII; letters are the same in any case of any script. re has no
# flag for that, so texts here hold no other letters than ASCII's.
FLAGS = re.IGNORECASE | re.ASCII


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def make(sentences, seed, n):
    """Posts of random sentences, some of them about nothing, some cut short."""
    choose = random.Random(int(seed))
    texts = [row["sentence"] for row in read(sentences) if row["sentence"].isascii()]
    posts = []
    for post_id in range(1, int(n) + 1):
        def some(k):
            picked = [choose.choice(texts) for _ in range(choose.randrange(k))]
            return [t if choose.random() < 0.8 else t[: choose.randrange(1, len(t) + 1)].strip()
                    for t in picked]
        posts.append({"id": post_id, "title": " ".join(some(3)), "body": some(12),
                      "code": " ".join(some(4))})
    json.dump(posts, open("posts.json", "w"))
    print('<?xml version="1.0" encoding="utf-8"?>\n<posts>')
    for post in posts:
        body = "".join(f"<p>{html.escape(text)}</p>" for text in post["body"])
        body += f"<pre><code>{html.escape(post['code'])}</code></pre>"
        print(f'  <row Id="{post["id"]}" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000"'
              f' Tags="&lt;keras&gt;" Title={quoteattr(post["title"])} Body={quoteattr(body)} />')
    print("</posts>")


def folded(text):
    return " ".join(text.split())


def suggestions(rows, order, texts):
    codes = {}
    for row in rows:
        if row["facet"] == "fact":
            continue
        words = [folded(m.group()) for _, text in texts
                 for m in row["regex"].finditer(text)]
        if not words:
            continue
        entry = codes.setdefault((row["facet"], row["code"]), [0, {}])
        entry[0] += int(row["weight"])
        for word in words:
            if len(entry[1]) < WORDS_MAX:
                entry[1].setdefault(word.lower(), word)
    return sorted(((FACETS.index(f), -w, order[f, c], f, c, "; ".join(words.values()))
                   for (f, c), (w, words) in codes.items()))


def facts(rows, texts):
    found = {}
    for row in rows:
        if row["facet"] != "fact":
            continue
        for field, text in texts:
            for m in row["regex"].finditer(text):
                if m.group("value"):
                    value = folded(m.group("value"))
                    found.setdefault((row["code"], value.lower()),
                                     (row["code"], value, field, folded(m.group())))
    return found.values()


def expect(hints, codebook):
    rows = read(hints)
    for row in rows:
        row["regex"] = re.compile(row["pattern"], FLAGS)
    order = {(c["facet"], c["code"]): i for i, c in enumerate(read(codebook))}
    for post in json.load(open("posts.json")):
        texts = [("title", post["title"]),
                 ("body", "\n".join(folded(p) for p in post["body"] if folded(p))),
                 ("code", folded(post["code"]))]
        out = [{"post_id": post["id"], "facet": f, "code": c, "value": None, "weight": -w,
                "field": None, "words": words}
               for _, w, _, f, c, words in suggestions(rows, order, texts)]
        out += [{"post_id": post["id"], "facet": "fact", "code": c, "value": v, "weight": None,
                 "field": field, "words": words} for c, v, field, words in facts(rows, texts)]
        for row in out:
            print(json.dumps(row, separators=(",", ":")))


if __name__ == "__main__":
    {"make": make, "expect": expect}[sys.argv[1]](*sys.argv[2:])
