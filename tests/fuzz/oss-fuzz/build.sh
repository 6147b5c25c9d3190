#!/bin/bash
# What OSS-Fuzz runs in its image: builds all fuzz targets with its compiler, flags and engine, and packs
# them into $OUT.
set -eu

cd "$SRC/ppmine"
# The libraries lie beside the targets; RPATH, as RUNPATH is not for the libraries of libraries.
make -j"$(nproc)" DEPS=: CLANG="$CC" SAN_FLAGS="$CFLAGS" FUZZ_FLAGS= \
    FUZZ_LINK="$CXX $CXXFLAGS" FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    LDFLAGS='-Wl,--disable-new-dtags,-rpath,\$$ORIGIN/lib' fuzz-programs
tests/fuzz/oss-fuzz/pack build/fuzz "$OUT"
