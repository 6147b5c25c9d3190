#!/bin/bash
# scripts/deps names what is missing in one line, and says nothing when all is there.
set -eu

mkdir scripts bin
cp "$ROOT/scripts/deps" scripts/
cat >scripts/packages.txt <<'EOF'
# comment
build gcc           # the compiler
build ppmine-absent-a # what for
test  ppmine-absent-b
test  ppmine-absent-a
EOF
# A dpkg-query that knows gcc only.
cat >bin/dpkg-query <<'EOF'
#!/bin/sh
echo 'gcc installed'
echo 'ppmine-absent-b not-installed'
exit 1
EOF
chmod +x bin/dpkg-query
PATH=$PWD/bin:$PATH

rc=0
scripts/deps --check build test 2>said || rc=$?
[ "$rc" -eq 1 ]
diff -u - said <<'EOF'
ppmine: missing Debian packages: ppmine-absent-a ppmine-absent-b (install them with: sudo apt-get install ppmine-absent-a ppmine-absent-b)
EOF

# The whole list, of what is installed too, each package once.
[ "$(scripts/deps --list test build | tr '\n' ' ')" = 'gcc ppmine-absent-a ppmine-absent-b ' ]

printf 'build gcc\n' >scripts/packages.txt
scripts/deps --check build >said 2>&1
scripts/deps build run >>said 2>&1
[ ! -s said ]

# A program that came without its package will do where the list says so.
printf 'build ppmine-absent-c # a; on the PATH\n' >scripts/packages.txt
! scripts/deps --check build >said 2>&1
printf '#!/bin/sh\n' >bin/ppmine-absent-c
chmod +x bin/ppmine-absent-c
scripts/deps --check build >said 2>&1
[ ! -s said ]

# With --list the package is named, as what comes later finds no program there.
[ "$(scripts/deps --list build)" = ppmine-absent-c ]

# Every package of the project's list has a group that the Makefile asks for.
! grep -v '^#' "$ROOT/scripts/packages.txt" | grep -vE '^(build|run|test|lint|fuzz|coverage|bench|container|spark|torch) +[a-z0-9.+-]+( +#.*)?$'
