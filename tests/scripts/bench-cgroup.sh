#!/bin/bash
# Memory limits by cgroup v2, against a real kernel: User Mode Linux, which runs as a program with the
# files of this machine. In the root group, in one that was delegated to a user, and in one where it is not
# allowed; what is ended at the limit, what is not, and that no group stays behind.
set -eu
. "$ROOT/tests/lib/bench.sh"

command -v linux.uml >/dev/null || { echo 'no linux.uml (package user-mode-linux)' && exit 77; }
[ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ] ||
    { echo 'a kernel below sanitizers or valgrind takes too long' && exit 77; }

# new_case ID MEMORY_MB: buggy.py on standard input
new_case() {
    mkdir -p "mine/cases/$1" mine/lib
    sed -e "s/^problem_id = .*/problem_id = $1/; s/^memory_mb = .*/memory_mb = $2/" \
        -e 's/^seconds = .*/seconds = 120/' "$CASES/exhaustion/case.ini" >"mine/cases/$1/case.ini"
    cat >"mine/cases/$1/buggy.py"
    printf 'print("ppcase digest sha256:0")\n' >"mine/cases/$1/fixed.py"
}
new_case eats 100 <<'PY'
held = []
while True:
    held.append(b"x" * (1 << 20))
PY
# None is above the limit, all are; each in a session of its own.
new_case children 100 <<'PY'
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        held = b"x" * (60 << 20)
        time.sleep(60)
time.sleep(60)
PY
# The same pages in four processes: once for the kernel, four times in samples.
new_case shares 100 <<'PY'
import os, time
held = b"x" * (60 << 20)
pids = []
for _ in range(3):
    pid = os.fork()
    if pid == 0:
        time.sleep(2)
        os._exit(0)
    pids.append(pid)
for pid in pids:
    os.waitpid(pid, 0)
print("ppcase digest sha256:0")
PY
new_case waits 100 <<'PY'
import time
time.sleep(100)
PY

# One that every user may run.
python=/usr/bin/python3
[ -x $python ] || python=$(python3 -c 'import sys; print(sys.executable)')
cat >inside <<END
#!/bin/bash
# The first process of that kernel.
PATH=$PATH PYTHON=$python PPMINE=$TEST_BUILD/ppmine HERE=$PWD
export PATH PYTHON PPMINE HERE
END
cat >>inside <<'END'
mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t tmpfs -o mode=1777 tmp /mnt &&
    mount -t cgroup2 none /sys/fs/cgroup && cp -r "$HERE/mine" /mnt && cp "$PPMINE" /mnt/ppmine
cd /mnt
export HOME=/mnt TMPDIR=/mnt
top=/sys/fs/cgroup
say() { echo "$*" >>"$HERE/said"; }

# in_group GROUP [WORD…] -- OPTION…: bench run from a process that is alone there, by way of the words
in_group() (
    group=$1 words=()
    shift
    while [ "$1" != -- ]; do words+=("$1") && shift; done
    shift
    echo "$BASHPID" >"$group/cgroup.procs"
    exec "${words[@]}" ./ppmine bench run --anyway --quiet --cases mine/cases --python "$PYTHON" --runs 1 "$@"
)
# told ID RESULTS: how it ended and how it was limited
told() {
    jq -r '[(.buggy.runs[0].end), (.fixed.runs[0].end // "-"), .machine.memory_limit,
        (.buggy.runs[0] | has("group_peak_kb")), ((.buggy.runs[0].group_peak_kb // 0) > 20000)] | join(",")' \
        "$2/$1.json"
}
groups() { find $top -name 'ppmine-bench.*' | wc -l; }
control() { tr -d '\n' <"$top/$1/cgroup.subtree_control"; }

user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
in_group $top "${user[@]}" -- --results stranger eats >>"$HERE/out" 2>&1
say "stranger $? $(told eats stranger) groups $(groups) control $(control .)"
echo +memory >$top/cgroup.subtree_control # as where systemd is
mkdir $top/theirs && chown 65534:65534 $top/theirs $top/theirs/cgroup.{procs,subtree_control}
in_group $top/theirs "${user[@]}" -- --results delegated eats >>"$HERE/out" 2>&1
say "delegated $? $(told eats delegated) groups $(groups) control $(control theirs)"
mkdir $top/shared
sleep 1000 & echo $! >$top/shared/cgroup.procs
in_group $top/shared -- --results shared eats >>"$HERE/out" 2>&1
say "shared $? $(told eats shared) groups $(groups) control $(control shared)"

echo -memory >$top/cgroup.subtree_control
in_group $top -- --results root eats children shares >>"$HERE/out" 2>&1
say "root $? $(told eats root) groups $(groups) control $(control .)"
say "children $(told children root)"
say "shares $(told shares root)"
# Sampling counts shared pages for each.
in_group $top/shared -- --results shared shares >>"$HERE/out" 2>&1
say "sampled $(told shares shared)"

# told to stop, and a worker that is killed
mkdir $top/mine
for how in TERM worker; do
    (in_group $top/mine -- --results stopped waits >>"$HERE/out" 2>&1) &
    until grep -qs . $top/mine/ppmine-bench.*.*/cgroup.procs; do sleep 0.1; done
    main=$(cat $top/mine/ppmine-bench.*/cgroup.procs | sort -n | head -1)
    if [ $how = TERM ]; then kill -TERM "$main"; else
        worker=$(ls -d $top/mine/ppmine-bench.*.*) && kill -KILL "${worker##*.}"
    fi
    wait $!
    say "$how $? groups $(groups) control $(control mine) in $(wc -l <$top/mine/cgroup.procs)"
done
say done
python3 -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321fedc)'
END
chmod +x inside

: >said >out
timeout 500 linux.uml mem=512M rootfstype=hostfs rootflags=/ rw "init=$PWD/inside" con=null \
    con0=null,fd:1 >console 2>&1 </dev/null || :
[ -s said ] || { echo "linux.uml does not come up here: $(grep -a . console | tail -1)" && exit 77; }
sampled='sampled resident memory,false,false' kept='memory.max of a cgroup,true,true'
diff -u - said <<END || complain "it says otherwise: $(tail -20 out); the kernel: $(tail -20 console)"
stranger 0 out of memory,exited,$sampled groups 0 control 
delegated 0 out of memory,exited,$kept groups 0 control 
shared 0 out of memory,exited,$sampled groups 0 control 
root 0 out of memory,exited,$kept groups 0 control memory
children out of memory,exited,$kept
shares exited,exited,$kept
sampled out of memory,exited,$sampled
TERM 143 groups 0 control  in 0
worker 6 groups 0 control  in 0
done
END
