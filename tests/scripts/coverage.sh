#!/bin/bash
# scripts/coverage counts what a program reached that was killed, and leaves out what is not of the project.
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_unless_as_it_is
need clang llvm-cov llvm-profdata python3

mkdir scripts base tests grammar
cp "$ROOT/scripts/coverage" scripts
cat >base/first.c <<'END'
#include <signal.h>
#include <unistd.h>
int second(int n);
int grammar(int n);
int test(int n);
int main(int argc, char **argv)
{
    if (second(argc) + grammar(argc) + test(argc) == 3)
        return 1;
    (void)argv;
    kill(getpid(), SIGKILL);
}
END
cat >base/second.c <<'END'
int second(int n);
int second(int n)
{
    if (n > 5)
        n++;
    return n;
}
int never(int n);
int never(int n)
{
    return n > 1;
}
END
for name in grammar test; do sed "s/second/$name/" base/second.c | sed '/never(int n);/,$d' >"$name.c"; done
mv grammar.c grammar/
mv test.c tests/
# The flags of the Makefile's flavour, from what it would run.
flags=$(make -s -n -C "$ROOT" DEPS=: V=1 -W base/buf.c build/cov/base/buf.o |
    sed -n 's/^clang .* -O1 -g \(.*\) -Wno-unused.* -c -o .*/\1/p' | head -1)
[ -n "$flags" ] || fail "make says no flags"
clang -O1 -g $flags -o program base/first.c base/second.c grammar/grammar.c tests/test.c
mkdir profiles
run() { LLVM_PROFILE_FILE=$PWD/profiles/%m%c.profraw ./program "$@" || true; }
rc=0
scripts/coverage ./program profiles >said 2>&1 || rc=$?
[ "$rc" -eq 1 ] && grep -q 'no profiles' said || fail "no profiles: $rc: $(cat said)"
run a b 2>/dev/null
scripts/coverage ./program profiles >killed
run a b c d e f 2>/dev/null
scripts/coverage ./program profiles 1 >more
cat >expected <<'END'
lines          9 of     14   64.3 %
branches       2 of      4   50.0 %

missed branches  branches   lines  file
              1     50.0 %  83.3 %  base/first.c
              1     50.0 %  50.0 %  base/second.c
END
same "killed" expected killed
cat >expected <<'END'
lines         10 of     14   71.4 %
branches       3 of      4   75.0 %

missed branches  branches   lines  file
              1     50.0 %  83.3 %  base/first.c
END
same "more was reached" expected more
