#!/usr/bin/python3
"""Keyword hits in Stack Exchange dump rows: a second opinion on `ppmine match`.

Written from the specification alone, with other means than the C program
(lxml's HTML tree, NLTK's stemmer), so that a mistake is not made twice.
It is meant to be obviously right rather than fast.

    match_reference.py --keywords FILE [--verbatim] [--include-code] Posts.xml...
    match_reference.py --text [--include-code] Posts.xml...

Exit codes: 0 ok, 2 usage, 3 bad input, 6 a file cannot be read.
"""

import argparse
import json
import re
import sys

from lxml import etree
from nltk.stem import PorterStemmer

WATERMARK_IDS = {1000000001, 1000000010}

MAX_WORDS_PER_KEYWORD = 8

BLOCK_ELEMENTS = set("""
    address article aside blockquote body br caption center col colgroup dd
    details dialog dir div dl dt fieldset figcaption figure footer form
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex legend li
    main menu nav noframes noscript ol optgroup option p pre script section
    select style summary table tbody td tfoot th thead title tr ul
""".split())

NEVER_SHOWN = {"script", "style"}

# Stands for the tag of a block element until whitespace is collapsed. libxml2
# never delivers a NUL, so it cannot be mistaken for text.
LINE_BREAK = "\0"

# The whitespace of the specification. Python's \s would also take the
# no-break space and other Unicode blanks, which are ordinary characters here.
SEPARATORS = re.compile("[ \t\n\v\f\r\0]+")

# NLTK asks for each "y" about the letter before it, by recursion; a long run of
# "yyyy" in a post must not stop the reference.
sys.setrecursionlimit(100000)


class BadInput(Exception):
    """Input that is not what it should be; ends with exit code 3."""


# --- rows -------------------------------------------------------------------

def starts_with_a_bare_row(beginning):
    """True if the bytes are rows without a root element around them.

    Pieces cut out of a dump with grep or sed look like this; XML allows one
    root only, so they have to be wrapped before parsing.
    """
    return re.match(rb"(\s|<!--.*?-->)*<row[\s/>]", beginning, re.DOTALL) is not None


def read_rows(stream):
    """Yield the attributes of every <row> of a binary stream, in order."""
    parser = etree.XMLPullParser(events=("end",), tag="row", huge_tree=True)
    chunk = stream.read(1 << 16)
    without_mark = chunk.removeprefix(b"\xef\xbb\xbf")
    bare = starts_with_a_bare_row(without_mark)
    if bare:
        parser.feed(b"<posts>")
        chunk = without_mark
    try:
        while chunk:
            parser.feed(chunk)
            yield from finished_rows(parser)
            chunk = stream.read(1 << 16)
        if bare:
            parser.feed(b"</posts>")
        parser.close()
    except etree.XMLSyntaxError as error:
        raise BadInput(f"not well-formed XML: {error.msg}") from error
    yield from finished_rows(parser)


def finished_rows(parser):
    """Yield attributes of the rows parsed so far and free what they occupy."""
    for _, row in parser.read_events():
        yield dict(row.attrib)
        row.clear()
        parent = row.getparent()
        while parent is not None and row.getprevious() is not None:
            del parent[0]


def read_posts(stream):
    """Yield (id, title, body HTML) of every row but the watermarks."""
    for attributes in read_rows(stream):
        try:
            post_id = int(attributes["Id"])
        except (KeyError, ValueError) as error:
            raise BadInput(f"a row without a usable Id: {error}") from error
        if post_id not in WATERMARK_IDS:
            yield post_id, attributes.get("Title", ""), attributes.get("Body", "")


# --- text -------------------------------------------------------------------

def title_text(title):
    """A title is plain text. Blanks replace one for one: offsets stay."""
    return re.sub("[\t\n\v\f\r]", " ", title)


def parse_html(html):
    """The tree of an HTML fragment, or None if there is nothing in it."""
    # The encoding is stated, lest a <meta> within a post changes it.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        return etree.fromstring(html.encode("utf-8"), parser)
    except etree.XMLSyntaxError:    # "Document is empty"
        return None


def separator_for(element):
    """What a tag of this element (or a comment) puts between two texts."""
    return LINE_BREAK if element.tag in BLOCK_ELEMENTS else " "


def body_text(html, include_code):
    """The text of a post body: one line per block, words set apart by tags."""
    root = parse_html(html)
    if root is None:
        return ""
    left_out = NEVER_SHOWN if include_code else NEVER_SHOWN | {"pre"}
    pieces = []
    depth_left_out = 0      # > 0 while within an element that is left out

    # iterwalk rather than recursion: nesting may be deeper than Python's stack
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        is_element = event in ("start", "end")
        if event == "start":
            pieces.append(separator_for(node))
            if node.tag in left_out:
                depth_left_out += 1
            if node.text and not depth_left_out:
                pieces.append(node.text)
        else:
            pieces.append(separator_for(node))
            if is_element and node.tag in left_out:
                depth_left_out -= 1
            if node.tail and not depth_left_out:
                pieces.append(node.tail)

    def collapsed(match):
        return "\n" if LINE_BREAK in match.group() else " "

    return SEPARATORS.sub(collapsed, "".join(pieces)).strip(" \n")


def belongs_to_a_word(character):
    """ASCII letters and digits; of the rest of Unicode, letters only."""
    if character.isascii():
        return character.isalnum()
    return character.isalpha()


def tokens(text):
    """Yield (start, end) of every token, counted in characters."""
    start = None
    for position, character in enumerate(text):
        if belongs_to_a_word(character):
            if start is None:
                start = position
        elif start is not None:
            yield start, position
            start = None
    if start is not None:
        yield start, len(text)


# --- stems ------------------------------------------------------------------

class Stemmer:
    """NLTK's default Porter stemmer of lower-cased words, with a memory."""

    def __init__(self):
        self._porter = PorterStemmer()
        self._known = {}

    def stem(self, word):
        # Lower-case first: NLTK by itself looks up its irregular words
        # ("dying") and counts letters before it lower-cases.
        word = word.lower()
        if word not in self._known:
            self._known[word] = self._porter.stem(word)
        return self._known[word]


# --- keywords ---------------------------------------------------------------

class Keyword:
    """One n-gram: as printed in the file, and as it is compared."""

    def __init__(self, printed, order, stems):
        self.printed = printed
        self.order = order
        self.stems = stems


def read_keywords(path, verbatim, stemmer):
    """The keywords of a file, each printed text once, in file order."""
    with open(path, encoding="utf-8-sig") as file:
        lines = file.read().split("\n")
    keywords = []
    seen = set()
    for number, line in enumerate(lines, start=1):
        words = [word for word in re.split("[ \t\r\v\f]+", line.split("#")[0]) if word]
        if not words:
            continue
        if len(words) > MAX_WORDS_PER_KEYWORD:
            raise BadInput(f"line {number}: more than {MAX_WORDS_PER_KEYWORD} words")
        printed = " ".join(words)
        if printed in seen:
            continue
        seen.add(printed)
        if verbatim:
            stems = [word.lower() for word in words]
        else:
            stems = [stemmer.stem(word) for word in words]
        keywords.append(Keyword(printed, len(keywords), stems))
    return keywords


# --- hits -------------------------------------------------------------------

def hits_in(text, field, keywords_by_first_stem, stemmer):
    """Every hit in one text, ordered by start, then words, then file order."""
    places = list(tokens(text))
    stems = [stemmer.stem(text[start:end]) for start, end in places]
    hits = []
    for first, first_stem in enumerate(stems):
        for keyword in keywords_by_first_stem.get(first_stem, ()):
            behind_last = first + len(keyword.stems)
            if stems[first:behind_last] != keyword.stems:
                continue
            start = places[first][0]
            end = places[behind_last - 1][1]
            if "\n" in text[start:end]:     # tokens hold no "\n": it is between them
                continue
            hits.append({
                "keyword": keyword.printed,
                "field": field,
                "start": len(text[:start].encode("utf-8")),
                "end": len(text[:end].encode("utf-8")),
            })
    return hits


def index_by_first_stem(keywords):
    """Keywords under their first stem, fewer words first, then file order."""
    index = {}
    for keyword in sorted(keywords, key=lambda k: (len(k.stems), k.order)):
        index.setdefault(keyword.stems[0], []).append(keyword)
    return index


# --- command line -----------------------------------------------------------

def write_line(record):
    print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))


def run(stream, options, index, stemmer):
    """Write what was asked for about every post of one stream."""
    for post_id, title, body in read_posts(stream):
        title = title_text(title)
        body = body_text(body, options.include_code)
        if options.text:
            write_line({"id": post_id, "title": title, "body": body})
            continue
        hits = hits_in(title, "title", index, stemmer)
        hits += hits_in(body, "body", index, stemmer)
        if hits:
            write_line({"id": post_id, "hits": hits})


def parse_options():
    parser = argparse.ArgumentParser(description="keyword hits in Stack Exchange dump rows")
    parser.add_argument("--keywords", metavar="FILE", help="one n-gram per line, # comments")
    parser.add_argument("--verbatim", action="store_true",
                        help="do not stem the keywords, only lower-case them")
    parser.add_argument("--include-code", action="store_true", help="read <pre> as well")
    parser.add_argument("--text", action="store_true",
                        help="print the extracted text of every row instead of hits")
    parser.add_argument("posts", nargs="+", metavar="Posts.xml", help="- for standard input")
    options = parser.parse_args()
    if options.keywords is None and not options.text:
        parser.error("--keywords is required")
    return options


def main():
    options = parse_options()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    stemmer = Stemmer()
    index = {}
    exit_code = 0

    if not options.text:
        try:
            index = index_by_first_stem(read_keywords(options.keywords, options.verbatim, stemmer))
        except OSError as error:
            print(f"match_reference: {error}", file=sys.stderr)
            return 6
        except (BadInput, UnicodeDecodeError) as error:
            print(f"match_reference: {options.keywords}: {error}", file=sys.stderr)
            return 3

    # One bad file does not keep the others from being read.
    for path in options.posts:
        try:
            if path == "-":
                run(sys.stdin.buffer, options, index, stemmer)
            else:
                with open(path, "rb") as stream:
                    run(stream, options, index, stemmer)
        except BadInput as error:
            print(f"match_reference: {path}: {error}", file=sys.stderr)
            exit_code = 3
        except OSError as error:
            print(f"match_reference: {error}", file=sys.stderr)
            exit_code = 6
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
