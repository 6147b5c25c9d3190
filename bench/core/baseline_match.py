#!/usr/bin/python3
"""The script one would write by hand to find candidate posts in a dump.

    baseline_match.py KEYWORDS Posts.xml

Prints the ids of posts that contain a keyword. It is the peer `ppmine match`
is timed against: the usual libraries, used in the usual way. It says which
posts hit, not where, and does not keep n-grams within one paragraph.
"""

import re
import sys
import warnings

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning
from lxml import etree
from nltk.stem import PorterStemmer

# Beautiful Soup wonders about bodies that look like file names or links.
warnings.filterwarnings("ignore", category=MarkupResemblesLocatorWarning)

WORD = re.compile(r"[^\W_]+")


def read_keywords(path, stemmer):
    """Keywords as tuples of stems."""
    keywords = set()
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            words = line.split("#")[0].lower().split()
            if words:
                keywords.add(tuple(stemmer.stem(word) for word in words))
    return keywords


def body_text(html):
    soup = BeautifulSoup(html, "lxml")
    for pre in soup.find_all("pre"):
        pre.decompose()
    return soup.get_text(" ")


def has_keyword(text, keywords, stemmer):
    stems = [stemmer.stem(word) for word in WORD.findall(text.lower())]
    one_grams = zip(stems)
    two_grams = zip(stems, stems[1:])
    return (any(gram in keywords for gram in one_grams)
            or any(gram in keywords for gram in two_grams))


def main():
    if len(sys.argv) != 3:
        print("usage: baseline_match.py KEYWORDS Posts.xml", file=sys.stderr)
        return 2
    stemmer = PorterStemmer()
    keywords = read_keywords(sys.argv[1], stemmer)
    for _, row in etree.iterparse(sys.argv[2], tag="row", huge_tree=True):
        title = row.get("Title", "")
        body = body_text(row.get("Body", ""))
        if has_keyword(title, keywords, stemmer) or has_keyword(body, keywords, stemmer):
            print(row.get("Id"))
        row.clear()
    return 0


if __name__ == "__main__":
    sys.exit(main())
