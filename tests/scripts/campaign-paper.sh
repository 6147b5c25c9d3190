#!/bin/bash
# A campaign of the size of the published one, with made-up programs: 488 problems reported in 130
# projects, 105 confirmed, 27 of these fixed. One SQL query says so; so do the report, whose intervals are
# computed again, and a replication package.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/campaign.sh"
need sqlite3 python3
skip_when_slow

export PPMINE_DB=c.db PPMINE_CODER=ann
ppmine -q init --published
mkdir programs
for n in $(seq 150); do # 98 projects with 4 findings, 32 with 3, 20 with none
    mkdir "programs/$n"
    case $((n <= 98 ? 4 : n <= 130 ? 3 : 0)) in
    4) program one two three four ;;
    3) program one two three ;;
    0) echo 'x = 1' ;;
    esac >"programs/$n/a.py"
    ppmine -q check --project "owner/$n" --commit 1.0 --date 2021-01-01 --fail-on never \
        "programs/$n" >/dev/null
done
ids >all
[ "$(wc -l <all)" = 488 ] || fail "$(wc -l <all) findings"
ppmine -q campaign set reported $(cat all) --url https://example.org/issues
ppmine -q campaign set confirmed $(head -105 all)
ppmine -q campaign set fixed $(head -27 all) --date 2021-03-04
ppmine -q campaign set refused $(tail -40 all) --reason 'by how much does it improve?'
[ "$(sqlite3 c.db 'SELECT projects_reported, reported, confirmed, fixed FROM campaign
    WHERE project IS NULL')" = '130|488|105|27' ] || fail "$(sqlite3 c.db 'SELECT * FROM campaign')"
[ "$(sqlite3 c.db 'SELECT count(*), sum(reported > 0), sum(reported), sum(confirmed), sum(fixed)
    FROM campaign WHERE project IS NOT NULL')" = '150|130|488|105|27' ] || fail "project by project"
[ "$(sqlite3 c.db "SELECT count(*), sum(state IN ('confirmed', 'fixed')), sum(state = 'fixed'),
    sum(state = 'refused') FROM finding_current")" = '488|105|27|40' ] || fail "finding by finding"

ppmine campaign report --format json >report.json
python3 - <<'END'
import json, math

Z = 1.959963984540054

def wilson(n, of):
    """The bounds p at which |n/of - p| = z sqrt(p (1 - p) / of), found by bisection."""
    def beyond(p):
        return abs(n / of - p) > Z * math.sqrt(p * (1 - p) / of)
    bounds = []
    for inside, outside in ((n / of, 0.0), (n / of, 1.0)):
        if inside == outside:
            bounds.append(outside)
            continue
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if beyond(middle) else (middle, outside)
        bounds.append(inside)
    return bounds

tables = {table["id"]: table["rows"] for table in json.load(open("report.json"))}
total = {row["what"]: row for row in tables["campaign"]}
expected = {"projects": (150, None), "projects with reports": (130, 150), "findings": (488, None),
            "no longer found": (0, 488), "reported": (488, 488), "confirmed": (105, 488),
            "fixed": (27, 488), "refused": (40, 488), "without an answer": (343, 488)}
assert {what: row["n"] for what, row in total.items()} == {w: n for w, (n, _) in expected.items()}
for what, (n, of) in expected.items():
    row = total[what]
    if of is None:
        assert row["share"] is None and row["low"] is None, row
        continue
    low, high = wilson(n, of)
    assert abs(row["share"] - n / of) < 1e-12, row
    assert abs(row["low"] - low) < 1e-9 and abs(row["high"] - high) < 1e-9, (row, low, high)
projects = tables["campaign-project"]
assert len(projects) == 150 and sum(row["reported"] for row in projects) == 488
assert [row["rule"] for row in tables["campaign-rule"]] == ["PP301"]
assert tables["campaign-rule"][0]["confirmed"] == 105
END

ppmine -q export --open --no-plots --package out
python3 out/check.py >said || { cat said && fail "the package is wrong"; }
grep -q 'scans and states lead to the campaign (488 findings)' said || { cat said && fail "no check"; }
[ "$(sqlite3 out/ppmine.db 'SELECT reported, confirmed, fixed FROM campaign WHERE project IS NULL')" = \
    '488|105|27' ] || fail "the database of the package"

# changed WORDS FILE SED: check.py finds what somebody changed
changed() {
    rm -rf bad && cp -R out bad
    sed -i -E "$3" "bad/data/$2"
    ! cmp -s "out/data/$2" "bad/data/$2" || fail "$2: '$3' changes nothing"
    (cd bad && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
        xargs sha256sum >SHA256SUMS)
    ! python3 bad/check.py >said || fail "$2, '$3': check.py finds nothing"
    grep -qF -e "$1" said || { cat said && fail "$2, '$3': it does not say '$1'"; }
}
changed 'fixed is 1, computed' projects.csv '2,$s/(,[0-9]),[0-9],(0,0)$/\1,1,\2/'
changed 'the states say: fixed' findings.csv '0,/,fixed,/s//,confirmed,/'
changed 'the scans say: found' findings.csv '0,/,found,/s//,ignored,/'
changed 'is not the SHA-256 of what was' finding_states.csv '2s/,ann,/,ben,/'
changed 'lacks' finding_seen.csv '2d'
rm bad/data/projects.csv
(cd bad && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
    xargs sha256sum >SHA256SUMS)
! python3 bad/check.py >said && grep -q projects.csv said || fail "a table that is missing is not missed"
