#!/bin/bash
# What reads strangers' data can write nowhere but beside its database, use no network and start no
# program. Seen from inside: a library that is loaded into the program tries, as an attacker's code would.
set -eu
. "$ROOT/tests/lib/dump.sh"
need cc sqlite3
skip_unless_as_it_is
"$PPMINE" --version | grep -q '^sandbox: Landlock, seccomp' || { echo "this kernel has no sandbox" && exit 77; }

cat >try.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, int done)
{
    dprintf(atoi(getenv("TELL")), "%s %s\n", what, done ? "possible" : "refused");
}

/* Called while the command reads its input. */
ssize_t read(int fd, void *bytes, size_t size)
{
    static int tried;
    ssize_t (*next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    ssize_t got = next(fd, bytes, size);

    if (tried || got < 4 || memmem(bytes, (size_t)got, "NOW!", 4) == NULL)
        return got;
    tried = 1;
    tell("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tell("outside", open(getenv("OUTSIDE"), O_CREAT | O_WRONLY, 0600) >= 0);
    tell("change", open(getenv("VICTIM"), O_WRONLY | O_TRUNC) >= 0);
    tell("beside", open(getenv("BESIDE"), O_CREAT | O_WRONLY, 0600) >= 0);
    tell("remove", unlink(getenv("VICTIM")) == 0);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    tell("program", WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return got;
}
END
cc -shared -fPIC -O1 -o try.so try.c -ldl
mkdir db elsewhere
"$PPMINE" -q -d db/a.db init --published
cp db/a.db elsewhere/other.db
{ echo '<!-- NOW! -->'; rows 1 3; } | whole >dump.xml
{ echo 'import tensorflow as tf # NOW!'; } >code.py
printf 'post_id,is_problem\n51228131,yes\n# NOW!,\n' >labels.csv
export OUTSIDE=$PWD/elsewhere/new VICTIM=$PWD/elsewhere/victim BESIDE=$PWD/db/beside TELL=8

try() { # EXPECTED COMMAND…: what is possible
    local expected=$1
    shift
    rm -f elsewhere/new db/beside tried
    echo victim >elsewhere/victim
    LD_PRELOAD=$PWD/try.so "$PPMINE" -q -d db/a.db "$@" <"${in-/dev/null}" >out 2>said 8>tried || :
    [ -s tried ] || fail "$*: nothing was tried: a weak test: $(cat said)"
    [ "$(grep -c . tried)" -eq 6 ] || fail "$*: it ended early: $(cat tried said)"
    [ "$(sed -n 's/ possible//p' tried | tr '\n' ' ')" = "$expected" ] ||
        fail "$*: possible: $(sed -n 's/ possible//p' tried | tr '\n' ' '); expected: $expected"
}
PPMINE_DB=db/a.db
in=dump.xml try '' match --stdin
in=code.py try '' stem
try 'beside program ' load dump.xml
try 'beside ' label import --coder eve labels.csv
LD_PRELOAD='' PPMINE_NO_SANDBOX=1 try 'socket outside change beside remove program ' label import --coder eve labels.csv
cp -r db db2
(cd db2 && rm -f beside)
rm -f elsewhere/new tried
unset PPMINE_DB
LD_PRELOAD=$PWD/try.so "$PPMINE" -q check code.py >out 2>said 8>tried || :
[ "$(grep -c refused tried)" -eq 6 ] || fail "check: $(cat tried said)"
