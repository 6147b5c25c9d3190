#!/bin/bash
# ppmine stem gives what NLTK's own stemmer gives, on more than 200,000 words.
set -eu

/usr/bin/python3 -c 'import lxml, nltk' 2>/dev/null || {
    echo 'no python3-nltk or python3-lxml'
    exit 77
}
unset PPMINE_DUMPS # reference-matches.sh reads those
"$ROOT"/tests/reference/compare_stems.sh "$PPMINE" 200000
