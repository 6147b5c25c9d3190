"""Cells of CSV that a spreadsheet would compute: what the program puts before them, and takes off.

Written from the words of the manual, not from the program."""

import re

START = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?", re.A)


def is_formula(text):
    rest = text.lstrip(" \u00a0'\"")
    return rest != "" and rest[0] in START and NUMBER.fullmatch(text) is None


# Where ';' or a tab ends a cell for other spreadsheets, and a formula follows.
WITHIN = "(?=[ \u00a0'\"]*[-=+@\uff1d\uff0b\uff0d\uff20])"


def in_workbook(text):
    return "'" + text if is_formula(text) else text


def guarded(text):
    within = re.sub("([;\t])" + WITHIN, r"\1'", text)
    return "'" + within if is_formula(text) else within


def unguarded(cell):
    rest = cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell
    return re.sub("([;\t])'" + WITHIN, r"\1", rest)
