# For tests of bench run; needs no TensorFlow.
CASES=$ROOT/tests/data/bench-cases/cases

complain() {
    echo "$*"
    exit 1
}

# run ID…: with the Python of this machine, however busy it is
run() {
    ppmine bench run --anyway --cases "$CASES" --python "$(command -v python3)" --results results "$@"
}

# no_process_left WHEN
no_process_left() {
    local files
    # Another test's runs have another TMPDIR.
    files=$(grep -lzx "HOME=$TMPDIR/ppmine-bench..*" /proc/[0-9]*/environ 2>/dev/null) || :
    # shellcheck disable=SC2086 # words
    [ -z "$files" ] || complain "$1: still running: $(cat ${files//environ/cmdline} | tr '\0' ' ')"
}

# nothing_left WHEN: no process of a run, and no folder of one
nothing_left() {
    no_process_left "$1"
    [ -z "$(ls -A "$TMPDIR")" ] || complain "$1: left in TMPDIR: $(ls -AR "$TMPDIR")"
}

mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
