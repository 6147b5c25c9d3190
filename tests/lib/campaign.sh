# Words for the tests of campaign, read with `.`; needs ppmine.

# program NAME…: a file with one PP301 in a function of each name
program() {
    local name
    echo 'import tensorflow as tf'
    for name; do
        printf 'def %s():\n    return tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))\n' \
            "$name"
    done
}

# ids [OPTION…]: of the findings that campaign list lists, one on each line
ids() {
    ppmine campaign list --format csv "$@" | sed '1d; s/,.*//'
}
