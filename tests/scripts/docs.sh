#!/bin/bash
# What tests/lib/docs.py says of pages that are wrong, and that it is silent about one that is right.
set -eu

page() { # the page is standard input; the result is in said
    rm -rf run
    mkdir run
    cat >page.md
    (cd run && python3 "$ROOT/tests/lib/docs.py" "$@" ../page.md) >said 2>&1
}

page <<'END' || { echo "a page that is right:" && cat said && exit 1; }
```console
$ export PPMINE_DB=build/a.db
$ ppmine -q init --published
$ echo 'My training
> runs' | build/ppmine stem
my train
run
$ ppmine stem --list | head -3
nltk
…
$ ppmine label next --coder ann --format yaml
…
(exit code 2)
```
```sql
SELECT count(*) AS n FROM problem;
```
```text
n
---
224
```
```sh
ppmine fetch --refresh | grep x   # not run
make bench-full
```
END

wrong() { # WHAT SAYS: the page is standard input
    if page; then
        echo "silent about $1" && exit 1
    elif ! grep -q -e "$2" said; then
        echo "about $1 it says: $(cat said)" && exit 1
    fi
}
printf '```console\n$ echo a\nb\n```\n' | wrong 'other output' '^+a'
printf '```console\n$ echo a\nx\n…\n```\n' | wrong 'other output before any lines' '^+a'
printf '```console\n$ false\n```\n' | wrong 'a command that fails' 'it failed'
printf '```console\n$ ppmine no\n…\n```\n' | wrong 'an exit code that is not shown' 'exit code 2'
printf '```console\n$ exit 0\n$ echo a\n```\n' | wrong 'a shell that ends' 'ended after'
printf '```sh\nppmine fetch --refersh\n```\n' | wrong 'an option that there is not' 'refersh'
printf '```sh\nfoo | ppmine label nxt\n```\n' | wrong 'a command that there is not' 'nxt'
printf '```console\n$ export PPMINE_DB=a.db\n$ ppmine -q init\n```\n```sql\nSELECT * FROM problem\n```\n' |
    wrong 'a query without rows' 'no rows'
printf '```console\n$ export PPMINE_DB=a.db\n$ ppmine -q init\n```\n```sql\nSELECT x\n```\n```text\n…\n```\n' |
    wrong 'a query that fails' 'it failed'
printf 'Run\n\n    $ ppmine init\n' | wrong 'a command outside of a block' 'not tested'
printf '```bash\nls\n```\n' | wrong 'a block of another kind' 'unknown kind'

# --regen writes what is printed, and leaves lines that "…" stands for.
printf '```console\n$ echo a\nb\n$ seq 3\n1\n…\n```\n' | page --regen
diff - page.md <<'END'
```console
$ echo a
a
$ seq 3
1
…
```
END
