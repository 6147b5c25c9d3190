#!/bin/bash
# bench report --plot: a point for each ratio, where it belongs; names that gnuplot could stumble over; two
# machines; nothing to draw; no gnuplot.
set -eu
. "$ROOT/tests/lib/bench.sh"

command -v gnuplot >/dev/null 2>&1 || { echo 'gnuplot is not installed' && exit 77; }
mkdir mine theirs cases
# result FOLDER ID VERDICT RATIO LOW HIGH
result() {
    jq -n --arg id "$2" --arg verdict "$3" --argjson ratio "$4" --argjson low "$5" --argjson high "$6" \
        --arg name "$1's {\\_^ \"&~ } % \$x" '{format: 1, problem_id: $id, verdict: $verdict,
            metric: "work_time", unit: "s", why: "", date: "2026-01-02T03:04:05.678Z", ratio: $ratio,
            ratio_low: $low, ratio_high: $high, machine: {name: $name}}' >"$1/$2.json"
    mkdir -p "cases/$2"
    sed "s/^problem_id = .*/problem_id = $2/" "$CASES/slow/case.ini" >"cases/$2/case.ini"
}
result mine 51228131 reproduced 3 2.5 4
result mine 53137115 reproduced 250000 1000 1e7
result mine 53424152_1 'not reproduced here' 0.9 0.25 1.1
result mine 50781373_1 reproduced null null null # a failure: no ratio
result mine 62255852 'not runnable here' null null null
result theirs 51228131 reproduced 5 4.5 6
report() {
    ppmine bench report --cases cases "$@" >out 2>err || complain "report $*: $(cat err)"
    [ ! -s err ] || complain "report $*: $(cat err)"
}
whole() { # FOLDER
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1/bench-ratios.svg" ||
        complain "$1: no SVG"
    [ "$(head -c 4 "$1/bench-ratios.pdf")" = %PDF ] || complain "$1: no PDF"
}

report --results mine --plot 'a folder'
whole 'a folder'
# In the order of their rows: the larger group first, in it the larger ratio; series, ratio, low, high, kind.
diff <(cut -d' ' -f2-6 'a folder/bench-ratios.dat') - <<'END' || complain 'other points'
0 250000 1000 1e+07 1
0 3 2.5 4 1
0 1 1 1 2
0 0.9 0.25 1.1 0
END
for text in 'confusion with computation graph' 'inefficient API usage' 53424152_1 fails "mine’s {" \
    '250000 (1000' 'not reproduced'; do
    python3 -c 'import sys, xml.dom.minidom as m
texts = ["".join(n.data for e in t.getElementsByTagName("tspan") for n in e.childNodes if n.nodeType == 3)
         for t in m.parse(sys.argv[1]).getElementsByTagName("text")]
sys.exit(not any(sys.argv[2] in t for t in texts))' 'a folder/bench-ratios.svg' "$text" ||
        complain "the picture does not say: $text"
done
if grep -q 62255852 'a folder/bench-ratios.gp'; then complain 'a row without a ratio'; fi

# Higher ratios stand further to the right: the marks of gnuplot are <use xlink:href='#gpPt6' …(x,y)>.
python3 - 'a folder/bench-ratios.svg' <<'PY' || complain 'points stand elsewhere'
import re, sys
text = open(sys.argv[1]).read()
points = re.findall(r"<use xlink:href='#gpPt(\d+)' transform='translate\(([\d.]+),([\d.]+)\)", text)
drawn = sorted({(float(y), float(x)) for kind, x, y in points if float(y) > 100})
x = [at for _, at in drawn]
assert len(x) == 4 and x[0] > x[1] > x[3], drawn
# On a logarithmic axis.
import math
wanted = (math.log(250000) - math.log(3)) / (math.log(250000) - math.log(0.9))
assert abs((x[0] - x[1]) / (x[0] - x[3]) - wanted) < 0.01, drawn
PY

report --results mine --results theirs --plot both
whole both
[ "$(cut -d' ' -f2,3 both/bench-ratios.dat | xargs)" = '0 250000 0 3 1 5 0 1 0 0.9' ] ||
    complain "two machines: $(cat both/bench-ratios.dat)"
report --results mine --results theirs --plot again
cmp both/bench-ratios.svg again/bench-ratios.svg || complain 'the same again is another picture'

mkdir none
rc=0
ppmine bench report --cases cases --results none --plot nowhere >out 2>err || rc=$?
[ "$rc" -eq 1 ] && [ ! -e nowhere ] || complain "nothing to draw: exit code $rc"
mkdir bin
for program in sh valgrind; do
    path=$(command -v "$program") && ln -s "$path" bin/
done
rc=0
ppmine=$(command -v ppmine)
PATH=$PWD/bin "$ppmine" bench report --cases cases --results mine --plot without >out 2>err || rc=$?
[ "$rc" -eq 6 ] && grep -q 'gnuplot.*apt-get install gnuplot-nox' err ||
    complain "without gnuplot: exit code $rc"
