#!/bin/bash
# Numbers that need all posts are the same when pieces of a dump are counted apart and added up: n-grams by
# keywords derive --counts, features of screening by their first column. And bad files of counts are refused.
set -eu

ppmine -q init
dump=$ROOT/studies/dlperf/sample/Posts.xml
ppmine -q load --all-tags "$dump"
sqlite3 ppmine.db "SELECT post_id FROM post WHERE post_id % 3 = 0" >problems
sqlite3 ppmine.db "SELECT post_id FROM post WHERE post_type = 'answer' AND post_id % 3 = 1" >others

# Rows in three pieces, with nothing around them.
grep '<row ' "$dump" >rows
split -n l/3 rows piece-
for what in 'ngrams --problems problems' 'ngrams --problems problems --others others' features shingles; do
    rm -f parts
    for piece in piece-a?; do
        ppmine -q match --stdin --piece-at 0 --part $what <"$piece" >part-of-it
        [ -s part-of-it ] || { echo "$piece counts nothing of $what"; exit 1; }
        cat part-of-it >>parts
    done
    for threads in 1 3; do
        ppmine -q match --stdin --threads $threads --part $what <"$dump" >whole
        case $what in
        ngrams*)
            for counts in parts whole; do
                ppmine -q keywords derive --counts $counts --top 0 --min-posts 1 --format csv >"of-$counts"
                ppmine -q keywords derive ${what#ngrams} --top 0 --min-posts 1 --format csv |
                    cmp - "of-$counts" || { echo "$what: $counts differ from the database"; exit 1; }
            done
            [ "$(wc -l <of-parts)" -gt 500 ] || { echo 'too few n-grams for a test'; exit 1; } ;;
        features)
            for counts in parts whole; do
                awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' $counts | sort >"of-$counts"
            done
            cmp of-parts of-whole
            [ "$(wc -l <of-parts)" -gt 500 ] || { echo 'too few features for a test'; exit 1; } ;;
        *)
            sort parts >of-parts
            sort whole | cmp - of-parts ;;
        esac
    done
done

fails() {
    wanted=$1 rc=0
    shift
    ppmine -q "$@" >out 2>err </dev/null || rc=$?
    [ $rc -eq "$wanted" ] && [ -s err ] && [ ! -s out ] || { echo "$*: exit code $rc"; cat err; exit 1; }
}
printf '\t0\t1\t1\t0\nslow\t1\t1\t0\n' >short
printf '\t0\t1\t1\t0\nslow\t1\t1\t0\t-1\n' >negative
printf '\t0\t1\t1\t0\nslow\t3\t1\t0\t1\n' >long
printf '\t0\t1\t1\t0\nslow\t1\t1\t0\t1\t1\n' >more
printf '\t0\t1\t0\t0\nslow\t1\t1\t0\t1\n' >one-side
: >empty
for bad in short negative long more one-side empty; do
    fails 3 keywords derive --counts $bad
done
fails 6 keywords derive --counts nothing
fails 2 keywords derive --counts whole --problems problems
fails 2 match --stdin --part ngrams
fails 2 match --stdin --part features --problems problems
fails 2 match --part features
