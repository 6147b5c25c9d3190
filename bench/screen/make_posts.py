"""Questions of made-up words, as a dump: make_posts.py POSTS SEED OUT.xml. Words are as frequent as in
a language (Zipf), lengths are lognormal about 120 words, and one post in a hundred has words of what
is looked for."""

import sys

import numpy as np

VOCABULARY = 200_000
BLOCK = 10_000
SOUGHT = ["slow", "seconds per epoch", "takes longer", "memory usage", "gpu utilization low"]
LETTERS = np.array(list("etaoinshrdlcumwfgypbvk"))


def vocabulary(rng):
    words = {"".join(rng.choice(LETTERS, size=size)) for size in rng.integers(2, 10, 2 * VOCABULARY)}
    return np.array(sorted(words))[rng.permutation(len(words))[:VOCABULARY]]


def main():
    n, seed, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = np.random.default_rng(seed)
    words = vocabulary(rng)
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for start in range(0, n, BLOCK):
            size = min(BLOCK, n - start)
            lengths = np.clip(rng.lognormal(4.7, 0.6, size), 10, 1000).astype(int) + 8
            ranks = np.exp(rng.random(lengths.sum()) * np.log(VOCABULARY)).astype(int) - 1
            text, at = words[ranks], 0
            for i, length in enumerate(lengths):
                body = " ".join(text[at + 8:at + length])
                title = " ".join(text[at:at + 8])
                at += length
                if rng.random() < 0.01:
                    title += " " + SOUGHT[rng.integers(len(SOUGHT))]
                    body += " " + SOUGHT[rng.integers(len(SOUGHT))]
                day = f"{2018 + (start + i) % 2}-{1 + i % 12:02}-{1 + i % 28:02}T00:00:00.000"
                out.write(f'  <row Id="{1_000_000 + start + i}" PostTypeId="1" CreationDate="{day}"'
                          f' Score="1" Body="&lt;p&gt;{body}&lt;/p&gt;" OwnerUserId="1"'
                          f' LastActivityDate="{day}" Title="{title}"'
                          f' Tags="&lt;tensorflow&gt;" AnswerCount="0" CommentCount="0"'
                          ' ContentLicense="CC BY-SA 4.0" />\n')
        out.write("</posts>\n")


main()
