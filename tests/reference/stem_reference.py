#!/usr/bin/python3
"""NLTK's stems of words: one word per line in, one stem per line out.

    stem_reference.py [--lower] <words >stems

NLTK's default mode looks at a word before it lower-cases it, when it looks up
its irregular words and when it leaves words of one or two letters alone: so
"Dying" becomes "dy", but "dying" "die". --lower lower-cases each word first,
as is done to every token of a text.
"""

import sys

from nltk.stem import PorterStemmer

# A "y" makes NLTK recurse to the letter before it; see a long "yyyy".
sys.setrecursionlimit(100000)


def main():
    if sys.argv[1:] not in ([], ["--lower"]):
        print("usage: stem_reference.py [--lower]", file=sys.stderr)
        return 2
    lower_first = sys.argv[1:] == ["--lower"]
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    stemmer = PorterStemmer()
    for line in sys.stdin:
        word = line.rstrip("\n")
        print(stemmer.stem(word.lower() if lower_first else word))
    return 0


if __name__ == "__main__":
    sys.exit(main())
