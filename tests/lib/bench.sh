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
    local file
    for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do
        # Another test's runs have another TMPDIR.
        if [ "${file##*/}" = environ ] && tr '\0' '\n' 2>/dev/null <"$file" |
            grep -qx "HOME=$TMPDIR/ppmine-bench..*"; then
            complain "$1: still running: $(tr '\0' ' ' <"${file%environ}cmdline")"
        fi
    done
}

# nothing_left WHEN: no process of a run, and no folder of one
nothing_left() {
    no_process_left "$1"
    [ -z "$(ls -A "$TMPDIR")" ] || complain "$1: left in TMPDIR: $(ls -AR "$TMPDIR")"
}

mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
