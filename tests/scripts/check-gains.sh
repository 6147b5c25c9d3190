#!/bin/bash
# A finding of high or medium impact says what fixing such code gained in the benchmark, from the least to the most of the cases in
# check/rules/gains.csv, those with the framework's defaults if there are any; where the fix gained nothing, the finding has low impact and
# says that. Other findings of low impact, and a rule that no case shows, say nothing. The table is what the kept results say.
set -eu

python3 - "$PPMINE" "$ROOT" <<'EOF'
import csv
import json
import os
import shutil
import subprocess
import sys

program, root = sys.argv[1:]
WORDS = {"faster": ("time", "work_time", "cpu_time", "init_time"),
         "less slowdown from step to step": ("step_growth",),
         "less memory growth": ("memory_growth",),
         "less memory": ("peak_memory", "peak_memory_total")}


def factor(value):
    return f"{value:.2f}" if value < 1.2 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def said(rows):
    """What the rows of a rule come to, and whether that is no difference."""
    decided = []
    for row in rows:
        ratio, low, high = (float(row[key] or "nan") for key in ("ratio", "low", "high"))
        gains_something = low > 1 and ratio >= 1.05
        if gains_something or high < 1.5 or (row["ratio"] == "" and row["verdict"] == "reproduced"):
            decided.append((row, not gains_something and high < 1.5))
    decided = [one for one in decided if not one[0]["changes"]] or decided
    where = ", ".join(dict.fromkeys(
        word for row, _ in decided for word in (
            row["framework"], row["processors"] + " processors", float(row["others"] or 0) > 0.1 and "a busy machine", row["changes"]) if word))
    null = [is_null for _, is_null in decided]
    if decided and all(null):
        return f"no difference measured in our benchmark ({where})", True
    parts = []
    for words, metrics in WORDS.items():
        found = sorted(float(row["ratio"]) for row, is_null in decided if row["metric"] in metrics and row["ratio"] and not is_null)
        if len(found) == 1:
            parts.append(f"{factor(found[0])}× {words}")
        elif found:
            parts.append(f"{factor(found[0])}–{factor(found[-1])}× {words}")
    some = f", no difference in {sum(null)} of {len(null)} pairs" if any(null) else ""
    return (", ".join(parts) + f" after the fix in our benchmark{some} ({where})" if parts else ""), False


with open(os.path.join(root, "check", "rules", "gains.csv"), encoding="utf-8") as file:
    text = file.read()
made = subprocess.run([os.path.join(root, "scripts", "gains")], capture_output=True, text=True, cwd=root,
                      env={**os.environ, "PPMINE": program})
if made.stdout != text:
    sys.exit("check/rules/gains.csv is not what scripts/gains makes of bench/results; run scripts/gains > check/rules/gains.csv "
             + made.stderr)
gains = list(csv.DictReader(text.splitlines()))
os.mkdir("code")  # not below tests/, where all would be of low impact
for rule in os.listdir(os.path.join(root, "tests", "check")):
    path = os.path.join(root, "tests", "check", rule, "bad.py")
    if os.path.exists(path):
        shutil.copy(path, os.path.join("code", rule.lower() + ".py"))


def answer_with(*options):
    done = subprocess.run([program, "-q", "check", "--all", "--format", "json", *options, "code"],
                          capture_output=True, text=True)
    return json.loads(done.stdout)


answer = answer_with("--trust", "PP")
if [f["message"] for f in answer["findings"]] != [f["message"] for f in answer_with()["findings"]]:
    sys.exit("--trust changes more than what is certain")
with_gain, without, null = set(), set(), set()
for f in answer["findings"]:
    expected, is_null = said([row for row in gains if row["rule"] == f["rule"]])
    if is_null:
        null.add(f["rule"])
        if f["impact"] != "low":
            sys.exit(f"{f['rule']} gains nothing, and {f['file']}:{f['line']} is {f['impact']}")
    elif f["impact"] == "low":
        expected = ""
    else:
        (with_gain if expected else without).add(f["rule"])
    if f.get("gain", "") != expected:
        sys.exit(f"{f['file']}:{f['line']}: {f['impact']} {f.get('gain')!r}, expected: {expected!r}")
if len(with_gain) < 8 or not without or "PP302" not in null:
    sys.exit(f"with a gain only {with_gain}, without {without}, no difference {null}: the test says nothing")
with open(os.path.join(root, "check", "rules", "rules.tsv"), encoding="utf-8") as file:
    for row in csv.reader(file, delimiter="\t"):
        if row[0] in null and "low" not in row:
            sys.exit(f"rules.tsv: {row[0]} gains nothing: its impact is low")
# A page names each pair, and each default that it changes.
for row in gains:
    page = subprocess.run([program, "check", "--explain", row["rule"]], capture_output=True, text=True, check=True).stdout
    if f"- case {row['problem_id']}: " not in page or row["changes"] not in page:
        sys.exit(f"the page of {row['rule']} does not say what gains.csv says of {row['problem_id']}")
# A pair that sets what scripts/gains has no words for is an error.
shutil.copytree(os.path.join(root, "bench", "cases"), "tree/bench/cases")
shutil.copytree(os.path.join(root, "scripts"), "tree/scripts")
for side in ("buggy.py", "fixed.py"):
    with open(f"tree/bench/cases/tensorflow/pp309/{side}", "a", encoding="utf-8") as file:
        file.write("tf.config.threading.set_intra_op_parallelism_threads(1)\n")
made = subprocess.run(["scripts/gains", os.path.join(root, "bench/results/tensorflow/2026-11-23-2x-amd-epyc")], cwd="tree",
                      capture_output=True, text=True, env={**os.environ, "PPMINE": program})
if made.returncode == 0 or "pp309 changes a default" not in made.stderr:
    sys.exit(f"a changed default is not missed: {made.stderr}")
EOF
