#!/usr/bin/python3
"""Distinct words to try a stemmer on, one per line, the same on every run.

    words.py [--random N] [FILE...]

Sources: the word lists of the system, the files given (split into tokens), and
N random words of several kinds. Each line is exactly one token.
"""

import argparse
import glob
import os
import random
import sys

from match_reference import tokens

SEED = 19800714     # any constant: a difference found once is found again

ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyz"

# Suffixes the Porter steps look at, and letter groups their conditions look at.
SUFFIXES = """
    s es sses ies ied ss us ed eed eing ing ying edly ingly at ated ating bl
    bled bling iz ized izing tt tted ll lled lling ss zz zzed y ey ay ly
    ational tional enci anci izer abli alli entli eli ousli ization ation ator
    alism iveness fulness ousness aliti iviti biliti bli fulli logi
    icate ative alize iciti ical ful ness
    al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate
    iti ous ive ize e le re
    ically bility ability ally fully ology ologist
    d dd w wing wed x xing xed yed yy yyy
""".split()

# Roots of few letters, where "m > 0", "*v*" and "cvc" turn over.
SHORT_ROOT_LETTERS = "aeiouybcdlstxzw"

IRREGULAR = """
    sky skies dying lying tying news innings inning outings outing cannings
    canning howe proceed exceed succeed die dies died tie ties tied lie lies
    lied flies spied oed ied eed ing ed s ies
""".split()

# Letters whose case mapping is simple, special, one to many, or absent.
FOREIGN_LETTERS = [
    "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ" "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ" "ªµº",
    "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ" "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїў" "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁІЇЎ",
    "İıĞğŞşIi",
    "\u212a\u212b\u2126\u017f\u1e9eßſK",     # Kelvin, Angstrom, Ohm, long s, sharp S
    "语言模型性能慢速度日本語カタカナひらがな한국어",
    "ǄǅǆǇǈǉŸÿŁłŐőŒœ\ufb01\ufb02",
    "ʰʲʷˈʼΣσς",        # modifier letters are looked through by the final-sigma rule
    "אבגדההשלוםمرحباहिन",
    "\U00010400\U00010428\U0001d400\u1c90\u10d0\u13a0\uab70Ⴀⴀ",
]


def only_token(word):
    """True if a text that is this word has one token, the whole of it."""
    return list(tokens(word)) == [(0, len(word))]


def words_of_text(text):
    for start, end in tokens(text):
        yield text[start:end]


def words_of_file(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            yield from words_of_text(line)


def letters(source, alphabet, shortest, longest):
    length = source.randint(shortest, longest)
    return "".join(source.choice(alphabet) for _ in range(length))


def with_case(source, word):
    """Mostly as it is; sometimes capitalised, all capitals, or mixed."""
    kind = source.randrange(8)
    if kind == 0:
        return word[:1].upper() + word[1:]
    if kind == 1:
        return word.upper()
    if kind == 2:
        return "".join(source.choice((c.lower(), c.upper())) for c in word)
    return word


def uniform_word(source):
    return letters(source, ASCII_LETTERS, 1, 30)


def suffixed_word(source):
    root = letters(source, source.choice((ASCII_LETTERS, SHORT_ROOT_LETTERS)), 0, 7)
    endings = "".join(source.choice(SUFFIXES) for _ in range(source.choice((1, 1, 1, 2, 3))))
    return (root + endings)[-30:]


def short_word(source):
    return letters(source, SHORT_ROOT_LETTERS, 1, 5) + source.choice(["", "s", "ed", "ing", "y", "e"])


def numbered_word(source):
    return letters(source, ASCII_LETTERS + "0123456789", 1, 6) + source.choice(["", *SUFFIXES])


def foreign_word(source):
    alphabet = source.choice(FOREIGN_LETTERS)
    if source.random() < 0.3:
        alphabet += ASCII_LETTERS
    if source.random() < 0.2:
        alphabet += source.choice(FOREIGN_LETTERS)
    word = letters(source, alphabet, 1, 8)
    if source.random() < 0.5:
        word += source.choice(SUFFIXES)
    if source.random() < 0.1:
        word = source.choice(SUFFIXES) + word
    return word


RANDOM_KINDS = [uniform_word, suffixed_word, suffixed_word, short_word, numbered_word,
                foreign_word, foreign_word]


def random_words(count):
    """Distinct random words, `count` of them."""
    source = random.Random(SEED)
    found = {}      # a dict keeps the order in which words came
    while len(found) < count:
        word = with_case(source, source.choice(RANDOM_KINDS)(source))
        if only_token(word):
            found[word] = True
    return list(found)


def main():
    parser = argparse.ArgumentParser(description="distinct words to try a stemmer on")
    parser.add_argument("--random", type=int, default=200000, metavar="N")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")

    distinct = dict.fromkeys(IRREGULAR + SUFFIXES)
    distinct.update(dict.fromkeys(random_words(options.random)))
    for path in sorted(glob.glob("/usr/share/dict/*")) + options.files:
        if os.path.isfile(path):
            distinct.update(dict.fromkeys(words_of_file(path)))
    for word in distinct:
        print(word)
    return 0


if __name__ == "__main__":
    sys.exit(main())
