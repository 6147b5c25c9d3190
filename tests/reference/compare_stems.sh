#!/bin/sh
# Does `ppmine stem` give NLTK's stem, byte for byte, on every word we can find?
#
#   compare_stems.sh PPMINE [N [FILE...]]
#
# N random words (default 200000), the system's word lists, the words of the
# FILEs given and of $PPMINE_DUMPS/*/Posts.xml. Exit 1 on any difference, or
# when fewer than 200,000 distinct words were tried.
#
# Words are lower-cased before NLTK sees them, as tokens are. STEMS_AS_WRITTEN=1
# hands them over as they are; NLTK then treats a few capitalised words
# differently (see stem_reference.py).
set -eu

at_least=200000

# words.py imports its neighbour; leave no compiled copy in the source tree.
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

if [ $# -lt 1 ]; then
	echo "usage: compare_stems.sh PPMINE [N [FILE...]]" >&2
	exit 2
fi
ppmine=$1
shift
random=200000
if [ $# -gt 0 ]; then
	random=$1
	shift
fi
here=$(dirname "$0")
lower=--lower
if [ "${STEMS_AS_WRITTEN:-0}" = 1 ]; then
	lower=
fi
if [ -n "${PPMINE_DUMPS:-}" ]; then
	for dump in "$PPMINE_DUMPS"/*/Posts.xml; do
		if [ -f "$dump" ]; then
			set -- "$@" "$dump"
		fi
	done
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$here/words.py" --random "$random" "$@" >"$work/words"
"$here/stem_reference.py" $lower <"$work/words" >"$work/expected"
if ! "$ppmine" stem <"$work/words" >"$work/actual"; then
	echo "compare_stems.sh: $ppmine stem failed" >&2
	exit 1
fi

words=$(wc -l <"$work/words")
lines=$(wc -l <"$work/actual")
echo "words: $words"
if [ "$words" -ne "$lines" ]; then
	echo "lines of ppmine: $lines, not one per word"
fi

# Bytes are compared, and as strings: awk would take 1e3 and 1000 for equal.
# A line that is missing on one side is a difference as well.
LC_ALL=C paste "$work/words" "$work/expected" "$work/actual" |
	LC_ALL=C awk -F '\t' '($2 "") != ($3 "")' >"$work/differences"
differences=$(wc -l <"$work/differences")
echo "differences: $differences"
if [ "$differences" -gt 0 ]; then
	echo "word	nltk	ppmine"
	head -n 20 "$work/differences"
fi

if [ "$differences" -gt 0 ] || [ "$words" -ne "$lines" ]; then
	exit 1
fi
if [ "$words" -lt $at_least ]; then
	echo "fewer than $at_least distinct words" >&2
	exit 1
fi
