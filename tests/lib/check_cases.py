"""Runs the cases of check's rules: tests/check/PPxxx/bad.py and good.py.

    check_cases.py PPCHECK FOLDER [RULE]

A case begins with "# --- case: title" and is a program of its own; "# --- file: path" begins a
further file of it. What stands above the first case, its imports, is the head of each; "# --- whole: title"
begins a case without that. "# expect: PP301" behind a line says that the rule finds something certain there, of
high or medium impact; "# expect: PP301 likely", that it is likely; "# expect: PP301 low", that the impact
is low; "high" or "medium" say which of the two it is. Rules that are only likely right by default are
trusted here. Every other line must be without a finding of the folder's rule. Cases of bad.py have such a
finding, those of good.py none; of a rule that has only findings of low impact, those of bad.py have one.
There are at least twelve of each. "# lacks: text" behind a line of good.py says what --why-not answers of it;
each rule has such a line, a place that almost fits. No message is longer than 100 characters; each finding says
why and what to do.

"# --- each" begins lines that are there once for each of the statements, or parts of one, that stand behind
"# --- of" and take the place of EACH; NTH is which of them it is. "# and" joins two statements, "# here: PP301"
behind one is what is expected at the line of HERE, and "# --- end" ends them before the case does.

What has a fix is fixed as well: then the rule has nothing left to fix, the rest of the file is as it
was, and what was Python before still is.

What is wrong comes last, with the line of bad.py or good.py:

    tests/check/PP301/good.py:57: expected nothing, got PP301 medium, certain: map without ...
"""
import ast
import json
import os
import re
import subprocess
import sys
import tempfile

BELOW = re.compile(r"[ )\]}]|(else|elif|except|finally)\b")  # goes on with the statement before
HERE = re.compile(r"\s+#\s*here:(.*)$")
EXPECT = re.compile(r"#\s*expect:\s*(PP\d+)(?:\s+(low|medium|high|likely))?")
LACKS = re.compile(r"#\s*lacks:\s*(.*\S)")
CASES_MIN = 12
MESSAGE_MAX = 100


def fits(finding, word):
    """Is the finding what the case says of it?"""
    if word in (None, "worth"):
        return finding["impact"] != "low" and finding["certainty"] == "certain"
    if word == "likely":
        return finding["impact"] != "low" and finding["certainty"] == "likely"
    return finding["impact"] == word and (word == "low" or finding["certainty"] == "certain")


class Case:
    def __init__(self, origin, title, number, head):
        self.origin, self.title, self.number = origin, title, number
        self.files, self.numbers = {}, {}  # lines, and where they are in bad.py or good.py
        self.begin("main.py")
        self.add(enumerate(head, 1))

    def place(self, name=None, line=0):
        """Where a line of one of the case's files is, or the case itself: file:line of bad.py or good.py."""
        numbers = self.numbers.get(name, [])
        return f"{self.origin}:{numbers[line - 1] if 0 < line <= len(numbers) else self.number}"

    def begin(self, name):
        self.current = name
        self.files[name], self.numbers[name] = [], []

    def add(self, numbered):
        for number, line in numbered:
            self.files[self.current].append(line)
            self.numbers[self.current].append(number)

    def expected(self, rule):
        found = set()
        for name, lines in self.files.items():
            for number, line in enumerate(lines, 1):
                for match in EXPECT.finditer(line):
                    if match.group(1) == rule:
                        found.add((name, number, match.group(2) or "worth"))
        return found

    def lacks(self):
        """Lines that say what the rule lacks there: file, line, text."""
        return [(name, number, match.group(1)) for name, lines in self.files.items()
                for number, line in enumerate(lines, 1) for match in LACKS.finditer(line)]


def split_values(numbered):
    """The statements behind "# --- of": a list of numbered lines of each."""
    values, joins = [], False
    for number, line in numbered:
        if line == "# and":
            joins = True
        elif line:
            if joins or BELOW.match(line):
                values[-1].append((number, line))
            else:
                values.append([(number, line)])
            joins = False
    return values


def expand(template, values):
    """Numbered lines: the template once for each value."""
    while template and not template[-1][1]:
        template.pop()
    for nth, value in enumerate(split_values(values)):
        first, line = value[0]
        here = HERE.search(line)
        value[0] = (first, HERE.sub("", line))
        yield from [(first, ""), (first, "")]
        for number, line in template:
            line = line.replace("NTH", str(nth))
            before, hole, behind = line.replace("  # HERE", f"  # expect:{here.group(1)}" if here else "").partition("EACH")
            if not hole:
                yield first if "# HERE" in line else number, before
            elif before.strip() or behind:
                code, mark, comment = value[0][1].partition("  # expect:")
                yield first, before + code + behind + mark + comment
            else:
                yield from [(n, before + text) for n, text in value]


def read_cases(path):
    cases, head = [], []
    template = values = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if line.startswith("# --- ") and values is not None:
                cases[-1].add(expand(template, values))
                template = values = None
            if line.startswith("# --- ") and (template is None) == (line == "# --- of"):
                raise SystemExit(f"{path}:{number}: '# --- each', then lines with EACH, then '# --- of'")
            if line.startswith(("# --- case:", "# --- whole:")):
                cases.append(Case(path, line.split(":", 1)[1].strip(), number, head if "case" in line[:10] else []))
            elif line.startswith("# --- file:"):
                cases[-1].begin(line.split(":", 1)[1].strip())
            elif line == "# --- each":
                template = []
            elif line == "# --- of":
                values = []
            elif line == "# --- end":
                continue
            elif values is not None:
                values.append((number, line))
            elif template is not None:
                template.append((number, line))
            elif cases:
                cases[-1].add([(number, line)])
            else:
                head.append(line)
    if values is not None:
        cases[-1].add(expand(template, values))
    return cases


def write_files(case, folder):
    for name, lines in case.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write("\n".join(lines))


def read_files(case, folder):
    files = {}
    for name in case.files:
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            files[name] = file.read()
    return files


def run(ppcheck, folder, rule, *options):
    done = subprocess.run(
        [ppcheck, "-q", "--no-config", "--select", rule, "--trust", rule, "--all", "--format",
         "json", *options],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode()}")
    return [f for f in json.loads(done.stdout)["findings"] if f["rule"] == rule]


def check_lacks(ppcheck, case, folder, rule):
    """Lines of which --why-not says something else than the case."""
    wrong = []
    for name, line, text in case.lacks():
        done = subprocess.run([ppcheck, "-q", "--no-config", "--why-not", f"{rule}:{name}:{line}"],
                              cwd=folder, stdout=subprocess.PIPE, check=True)
        said = done.stdout.decode().splitlines()
        if not any(answer.startswith(f"{rule}: line ") and answer.endswith(f": {text}") for answer in said):
            wrong.append(f"{case.place(name, line)}: --why-not should say '{text}', got: {' | '.join(said[:3])}")
    return wrong


def is_python(text):
    try:
        ast.parse(text)
        return True
    except SyntaxError:
        return False


def check_fixes(ppcheck, case, folder, rule, before):
    fixable = [f for f in before if f["fix"]]
    if not fixable:
        return []
    here, wrong = case.place(), []
    old = read_files(case, folder)
    run(ppcheck, folder, rule, "--fix")
    new = read_files(case, folder)
    left = run(ppcheck, folder, rule)
    if [f for f in left if f["fix"]]:
        wrong.append(f"{here}: after --fix there is still something to fix")
    if len(left) > len(before) - len(fixable):
        wrong.append(f"{here}: after --fix the rule is not silent where it fixed")
    for name, text in old.items():
        if is_python(text) and not is_python(new[name]):
            wrong.append(f"{case.place(name, 1)}: after --fix {name} is not Python:\n{new[name]}\n")
        if not any(f["file"] == name for f in fixable) and new[name] != text:
            wrong.append(f"{case.place(name, 1)}: --fix changed {name}, which has no finding")
    run(ppcheck, folder, rule, "--fix")
    if read_files(case, folder) != new:
        wrong.append(f"{here}: a second --fix changes something")
    return wrong


def has(case, rule, only_low):
    return any(only_low or found[2] not in ("low", "likely") for found in case.expected(rule))


def check_words(finding):
    """What is wrong with the words of a finding."""
    wrong = [f"no {part}" for part in ("message", "why", "advice") if not finding[part]]
    if len(finding["message"]) > MESSAGE_MAX:
        wrong.append(f"the message has {len(finding['message'])} characters: {finding['message']}")
    if finding["message"].endswith("."):
        wrong.append(f"the message ends in a full stop: {finding['message']}")
    for part in ("why", "advice"):
        if not finding[part].endswith((".", "!", "?")):
            wrong.append(f"{part} is no sentence: {finding[part]}")
    return wrong


def shown(finding):
    return f"{finding['rule']} {finding['impact']}, {finding['certainty']}: {finding['message']}"


def compare(case, rule, expected, findings):
    """Lines at which something else was found than the case says."""
    wrong = []
    for name, line in sorted({found[:2] for found in expected} | {(f["file"], f["line"]) for f in findings}):
        wanted = sorted(word for n, l, word in expected if (n, l) == (name, line))
        here = [f for f in findings if (f["file"], f["line"]) == (name, line)]
        if all(any(fits(f, w) for f in here) for w in wanted) and all(any(fits(f, w) for w in wanted) for f in here):
            continue
        say = " and ".join(rule if w == "worth" else f"{rule} {w}" for w in wanted) or "nothing"
        got = " and ".join(map(shown, here)) or "nothing"
        wrong.append(f"{case.place(name, line)}: expected {say}, got {got}")
    return wrong


def check_case(ppcheck, case, rule, only_low):
    with tempfile.TemporaryDirectory() as folder:
        write_files(case, folder)
        findings = run(ppcheck, folder, rule)
        expected = case.expected(rule)
        wrong = compare(case, rule, expected, findings)
        wrong += [f"{case.place(f['file'], f['line'])}: {words}" for f in findings for words in check_words(f)]
        if has(case, rule, only_low) != case.origin.endswith("bad.py"):
            wrong.append(f"{case.place()}: bad.py is for cases with a finding worth a change, good.py for those without")
        wrong += check_lacks(ppcheck, case, folder, rule)
        return wrong + check_fixes(ppcheck, case, folder, rule, findings)


def known_rules(ppcheck):
    listed = subprocess.run([ppcheck, "-q", "--rules"], stdout=subprocess.PIPE, check=True)
    return {line.split()[0] for line in listed.stdout.decode().splitlines()}


def missing(root, rule, known):
    """What a rule lacks before its cases can run."""
    if rule not in known:
        return f"check has no rule {rule}: is it in the table of check/rules/rules.c?"
    lacking = [name for name in ("bad.py", "good.py") if not os.path.exists(os.path.join(root, rule, name))]
    return f"tests/check/{rule} has no {' and no '.join(lacking)}" if lacking else None


def check_rule(ppcheck, root, rule, known):
    """How many cases there are, and what is wrong with them."""
    lacking = missing(root, rule, known)
    if lacking:
        return 0, [lacking]
    files = {name: read_cases(os.path.join(root, rule, name)) for name in ("bad.py", "good.py")}
    only_low = not any(has(case, rule, False) for cases in files.values() for case in cases)
    count, wrong = 0, []
    if not any(case.lacks() for case in files["good.py"]):
        wrong.append(f"{os.path.join(root, rule, 'good.py')}: no line says what the rule lacks there (# lacks: ...)")
    for name, cases in files.items():
        count += len(cases)
        if len(cases) < CASES_MIN:
            wrong.append(f"{os.path.join(root, rule, name)}: {len(cases)} cases; there should be {CASES_MIN}")
        for case in cases:
            wrong += [f"{words} (in {case.title})" for words in check_case(ppcheck, case, rule, only_low)]
    return count, wrong


def main():
    ppcheck, root = os.path.abspath(sys.argv[1]), os.path.relpath(sys.argv[2])
    rules = sys.argv[3:] or sorted(os.listdir(root))
    known, failed = known_rules(ppcheck), []
    for rule in rules:
        count, wrong = check_rule(ppcheck, root, rule, known)
        print(f"{rule}: {count} cases")
        print("".join(f"{line}\n" for line in wrong), end="")
        failed = failed or wrong
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
