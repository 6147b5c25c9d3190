# shellcheck shell=bash
# Words for the tests of load, read with `.`; needs $PPMINE. A dump made here belongs to nobody.

fail() {
    echo "$*"
    exit 1
}

# need PROGRAM…: skips the test where one is not there
need() {
    local program
    for program; do
        command -v "$program" >/dev/null || { echo "the command $program is not there" && exit 77; }
    done
}

skip_below_wrapper() {
    if [ -n "${TEST_WRAPPER-}" ]; then
        echo "only without a wrapper such as valgrind"
        exit 77
    fi
}

as_it_is() { # without wrapper, sanitizers, counts
    [ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ]
}

may_preload() { # what only counts is fast enough, too
    as_it_is || [ "${TEST_FLAVOUR-}${TEST_WRAPPER-}" = cov ]
}

# skip_when_slow: for tests that start the program very often, or preload a library into it
skip_when_slow() {
    if ! may_preload; then
        echo "only without wrapper and sanitizers"
        exit 77
    fi
}

# skip_unless_as_it_is: for tests of what the compiler made, or of how much memory is taken
skip_unless_as_it_is() {
    if ! as_it_is; then
        echo "only for the program as it is, without wrapper and sanitizers"
        exit 77
    fi
}

# rows FROM TO [EDITION]: posts of the study, every third an answer. In a later edition each fifth
# was edited, and the scores moved.
rows() {
    awk -v from="$1" -v to="$2" -v edition="${3-1}" 'BEGIN {
        for (id = from; id <= to; id++) {
            answer = id % 3 == 0
            edited = edition > 1 && id % 5 == 0
            printf "  <row Id=\"%d\" PostTypeId=\"%d\"", id, answer ? 2 : 1
            if (answer) printf " ParentId=\"%d\"", id - 1
            printf " CreationDate=\"2019-01-02T03:04:05.678\" Score=\"%d\"", id * edition
            printf " Body=\"&lt;p&gt;Post %d", id
            if (edited) printf ", edition %d", edition
            for (i = 0; i < id % 7; i++) printf ", which says more and more"
            printf ".&lt;/p&gt;&#xA;\""
            if (edited) printf " LastEditDate=\"202%d-01-01T00:00:00.000\"", edition
            printf " LastActivityDate=\"202%d-01-02T00:00:00.000\"", edition
            if (!answer) printf " Title=\"Title &amp; %d\" Tags=\"&lt;keras&gt;\"", id
            printf " CommentCount=\"0\" ContentLicense=\"CC BY-SA 4.0\" />\r\n"
        }
    }'
}

# whole: what stands on stdin, as a dump
whole() {
    printf '\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\r\n<posts>\r\n'
    cat
    printf '</posts>'
}

# content DATABASE: the posts and revisions it holds, without when and by which run
content() {
    sqlite3 -bail "$1" "
        SELECT post_id, post_type, parent_id, accepted_answer_id, title, tags, score, view_count,
               answer_count, comment_count, favorite_count, created_at, deleted_at,
               last_edited_at, last_activity_at, closed_at, community_owned_at, owner_user_id,
               owner_display_name, last_editor_user_id, last_editor_display_name,
               content_license, body_sha256, body_html FROM post ORDER BY post_id;
        SELECT post_id, title, tags, edited_at, content_license, body_sha256, body_html
        FROM revision ORDER BY 1, 6, 2, 3;"
}

# untouched DATABASE: the posts and revisions with every column; a load that changes nothing
# changes nothing here
untouched() {
    sqlite3 -bail "$1" ".dump post" ".dump revision"
}

# count DATABASE: how many posts it holds
count() {
    sqlite3 -bail "$1" 'SELECT count(*) FROM post'
}

# load DATABASE EXPECTED_RC ARGUMENT…: what it says goes to the file said
load() {
    local db=$1 expected=$2 rc=0
    shift 2
    "$PPMINE" -d "$db" load "$@" 2>said || rc=$?
    [ "$rc" -eq "$expected" ] || fail "load $*: exit code $rc, expected $expected: $(cat said)"
}

# same WHAT A B: two files are equal
same() {
    cmp -s "$2" "$3" || fail "$1:$(printf '\n' && diff "$2" "$3" | head -20)"
}

# says WORDS: the last load said so
says() {
    grep -qF -- "$1" said || fail "not said: $1; but: $(cat said)"
}
