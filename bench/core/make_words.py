#!/usr/bin/python3
"""The words of the posts in a dump, code left out.

    make_words.py WORDS WORDS_A_LINE Posts.xml OUT

Begins again at the first post when there are not enough of them.
"""

import html
import os
import re
import sys

BODY = re.compile(r' Body="([^"]*)"')
CODE = re.compile(r"<pre.*?</pre>", re.DOTALL)
TAG = re.compile(r"<[^<>]*>")
WORD = re.compile(r"[^\W_]+")


def words_of(path):
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            match = BODY.search(line)
            if match:
                text = CODE.sub(" ", html.unescape(match.group(1)))
                for word in WORD.findall(html.unescape(TAG.sub(" ", text))):
                    if word.isascii() or word.isalpha():  # no "¼": nobody agrees what it is
                        yield word


def main():
    wanted, per_line, path, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    line, written = [], 0
    with open(out + ".part", "w", encoding="utf-8") as file:
        while written < wanted:
            before = written
            for word in words_of(path):
                line.append(word)
                if len(line) == per_line:
                    print(*line, file=file)
                    line.clear()
                    written += per_line
                    if written >= wanted:
                        break
            if written == before:
                sys.exit(f"make_words.py: {path}: no words")
    os.replace(out + ".part", out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
