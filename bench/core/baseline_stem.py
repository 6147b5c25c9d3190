#!/usr/bin/python3
"""The script that `ppmine stem` is timed against: NLTK, word by word.

    baseline_stem.py < TEXT

TEXT holds words and blanks; their stems come out, line by line. Words are
lower-cased first, as ppmine does: NLTK looks its exceptions up before it does.
"""

import sys

from nltk.stem import PorterStemmer


def main():
    stem = PorterStemmer().stem
    for line in sys.stdin:
        print(*map(stem, line.lower().split()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
