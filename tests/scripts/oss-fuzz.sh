#!/bin/bash
# tests/fuzz/oss-fuzz: every fuzz target is built with the compiler, the flags and the engine that are given,
# and packed with seeds, dictionary, options and libraries. Here make only says what it would do, and the
# programs are those of make test; make test-oss-fuzz builds and runs them ($OSS_FUZZ_BUILD).
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_unless_as_it_is
need python3 ldd

fuzz=$ROOT/tests/fuzz
targets=$(cd "$fuzz" && ls fuzz_*.c | sed 's/\.c$//')
mkdir -p src/ppmine/build bin out
export SRC=$PWD/src OUT=$PWD/out

# packed: what is in $OUT is what the sources of the targets ask for
packed() {
    {
        for target in $targets; do
            echo "$target"
            echo "${target}_seed_corpus.zip"
            [ ! -f "$fuzz/$target.dict" ] || echo "$target.dict"
            [ ! -f "$fuzz/$target.options" ] || echo "$target.options"
        done
        echo lib
    } | LC_ALL=C sort >expected
    LC_ALL=C ls out >found
    same "what is packed" expected found
    for target in $targets; do
        python3 - "out/${target}_seed_corpus.zip" "$fuzz/corpus/$target" <<'END'
import os, sys, zipfile
seeds = zipfile.ZipFile(sys.argv[1])
for name in os.listdir(sys.argv[2]):
    with open(os.path.join(sys.argv[2], name), "rb") as file:
        assert seeds.read(name) == file.read(), f"{sys.argv[1]}: {name}"
assert all(entry.file_size or entry.filename in os.listdir(sys.argv[2]) for entry in seeds.infolist())
END
        # Found with these libraries and glibc alone.
        LD_LIBRARY_PATH=$OUT/lib ldd "out/$target" | sed -n 's/.* => //p' | grep -v "^$OUT/lib/" |
            grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so\.[0-9]+ ' >outside || true
        [ ! -s outside ] || fail "$target: libraries that are not packed: $(cat outside)"
    done
    [ "$(unzip_list fuzz_check | wc -l)" -gt 500 ] || fail "fuzz_check: the cases of the rules are no seeds"
    printf '[libfuzzer]\nmax_len = 16384\n' >expected
    same "options of fuzz_check" expected out/fuzz_check.options
}

unzip_list() { python3 -c 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\n")' "out/$1_seed_corpus.zip"; }

# --- for real: some minutes ---

if [ -n "${OSS_FUZZ_BUILD-}" ]; then
    need clang clang++
    rmdir -p src/ppmine/build || true
    mkdir -p src/ppmine
    (cd "$ROOT" && find . \( -path ./build -o -path ./.git \) -prune -o -type f -print0 | tar --null -T - -cf -) |
        tar -xf - -C src/ppmine
    [ -d src/ppmine/check/python/grammar/source ] || {
        mkdir -p src/ppmine/build
        cp -r "$ROOT/build/grammar" src/ppmine/build/grammar
    }
    # Flags as the base image sets them.
    FLAGS='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
    export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
    export CFLAGS="$FLAGS -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
    export CXXFLAGS="$CFLAGS"
    bash -eux src/ppmine/tests/fuzz/oss-fuzz/build.sh >said 2>&1 || fail "$(tail -40 said)"
    packed
    # Elsewhere: what is beside the targets in the folder of the build is gone.
    mv src gone
    mv out elsewhere
    bad=
    for target in $targets; do
        program=elsewhere/$target
        ldd "$program" | sed -n 's/.* => //p' | grep -v "^$PWD/elsewhere/lib/" |
            grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so\.[0-9]+ ' >outside || true
        [ ! -s outside ] || fail "$target: libraries are not found beside it: $(cat outside)"
        mkdir -p "seeds/$target"
        python3 -m zipfile -e "elsewhere/${target}_seed_corpus.zip" "seeds/$target"
        dictionary=
        [ ! -f "elsewhere/$target.dict" ] || dictionary=-dict=elsewhere/$target.dict
        if ! "$program" -runs=0 "seeds/$target" >said 2>&1; then echo "FAIL $target, seeds: $(tail -20 said)" && bad=yes && continue; fi
        if ! "$program" -max_total_time=2 -timeout=25 -rss_limit_mb=2560 $dictionary "seeds/$target" >said 2>&1; then
            echo "FAIL $target: $(tail -20 said)" && bad=yes && continue
        fi
        grep -q 'INFO: Loaded .* modules *([0-9]* inline' said || fail "$target: it is not instrumented: $(head said)"
        echo "ok $target"
    done
    [ -z "$bad" ]
    exit
fi

# --- what would be built ---

for path in "$ROOT"/*; do
    [ "${path##*/}" = build ] || ln -s "$path" src/ppmine/
done
[ ! -d "$ROOT/build/grammar" ] || ln -s "$ROOT/build/grammar" src/ppmine/build/grammar
cat >bin/make <<END
#!/bin/sh
mkdir -p build/fuzz
for target in $(echo $targets); do cp "$TEST_BUILD/tests/fuzz/replay_\${target#fuzz_}" "build/fuzz/\$target"; done
exec $(command -v make) -n -B V=1 "\$@" >"$PWD/planned"
END
chmod +x bin/make
export CC=their-clang CXX=their-clang++ CFLAGS='-their-flag' CXXFLAGS='-their-flag -of-cxx' LIB_FUZZING_ENGINE=-their-engine
PATH=$PWD/bin:$PATH bash -eux src/ppmine/tests/fuzz/oss-fuzz/build.sh >said 2>&1 || fail "$(tail -40 said)"
packed
! grep -E -- '-c -o|-o build/fuzz/fuzz_' planned | grep -vE '^their-clang(\+\+)? ' || fail "another compiler"
! grep -- '-fsanitize' planned || fail "sanitizers of our own"
[ "$(grep -c '^their-clang .*-their-flag.* -c -o build/fuzz/' planned)" -gt 200 ] || fail "few files are compiled: $(head planned)"
for target in $targets; do
    grep -q "^their-clang++ -their-flag -of-cxx -their-engine .*ORIGIN/lib .*-o build/fuzz/$target " planned ||
        fail "$target is not linked with the engine: $(grep "fuzz/$target" planned)"
done

# A target without seeds is said: this is what the test is for.
mkdir -p other/tests/fuzz/corpus
cp -r "$fuzz"/*.c "$fuzz"/oss-fuzz other/tests/fuzz/
! other/tests/fuzz/oss-fuzz/pack src/ppmine/build/fuzz elsewhere 2>said || fail "a target without seeds is packed"
says "$(echo "$targets" | head -1) has no seeds"
touch other/tests/fuzz/fuzz_added.c
cp -r "$fuzz/corpus" "$fuzz"/*.seeds other/tests/fuzz/
sed -i 's|"..", "check"|"'"$ROOT"'", "tests", "check"|' other/tests/fuzz/fuzz_check.seeds
! other/tests/fuzz/oss-fuzz/pack src/ppmine/build/fuzz elsewhere 2>said || fail "a target that was not built is packed"
says 'fuzz_added was not built'
