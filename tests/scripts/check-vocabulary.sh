#!/bin/bash
# check's vocabulary: every line can be reached, every trait is had and asked for, and the lines are
# in order. And what would be wrong is told, each with a line of its own.
set -eu

python3 "$ROOT/tests/lib/vocabulary.py" "$ROOT"

files="check/facts/vocabulary.csv check/facts/aliases.csv check/facts/vocabulary.h"
mkdir -p copy/check/facts copy/check/rules
cp "$ROOT"/check/facts/*.[ch] copy/check/facts/
cp "$ROOT"/check/rules/*.[ch] copy/check/rules/

# told WORDS COMMAND…: the command fails, and says the words
told() {
    local words=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "not noticed: $words"
        exit 1
    fi
    grep -qF "$words" <<<"$said" || { echo "expected: $words"; echo "said: $said"; exit 1; }
}
fresh() {
    local file
    for file in $files; do cp "$ROOT/$file" "copy/$file"; done
}
look() { python3 "$ROOT/tests/lib/vocabulary.py" copy; }
embed() { "$ROOT/scripts/embed-vocabulary" copy/check/facts/vocabulary.csv copy/check/facts/aliases.csv; }

fresh
embed >/dev/null
sed -i 's/^tf.abs,/tf.zzz_abs,/' copy/check/facts/vocabulary.csv
told 'is out of order: tf.accumulate_n' embed
fresh
echo 'tf.abs,tf.add,same' >>copy/check/facts/aliases.csv
told 'tf.abs: has a line in vocabulary.csv' look
told 'aliases.csv: after its heading' embed
fresh
echo 'tf.another_abs,tf.no_such_op,same' >>copy/check/facts/aliases.csv
told 'tf.another_abs: means tf.no_such_op, which has no line' look
fresh
sed -n 's/^tf.abs,/tf.math.abs,/p' copy/check/facts/vocabulary.csv >>copy/check/facts/vocabulary.csv
told 'tf.math.abs: says what tf.abs says' look
fresh
echo 'tf.compat.v1.abs,tensorflow,pure,,' >>copy/check/facts/vocabulary.csv
told 'tf.compat.v1.abs: never looked up' look
fresh
sed -i 's/^    TRAIT_DATASET,/    TRAIT_DATASET, TRAIT_X,\n    TRAIT_PURPLE,/' copy/check/facts/vocabulary.h
told 'TRAIT_PURPLE: nothing asks for it' look
told 'TRAIT_PURPLE: no name in vocabulary.csv has it' look
fresh
sed -i 's/^\(tf.abs,.*\)$/\1 purple/' copy/check/facts/vocabulary.csv
told 'purple: no trait of vocabulary.h' look
