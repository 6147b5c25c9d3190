#!/bin/bash
# The program and the extension were built with the usual defences of compiler and linker: read from
# the files themselves.
set -eu
. "$ROOT/tests/lib/dump.sh"
need readelf
skip_unless_as_it_is

for file in "$ROOT/build/ppmine" "$ROOT/build/ppmine.so"; do
    name=${file##*/}
    readelf -W -h -l -d -n "$file" >elf
    readelf -W -s "$file" >symbols
    grep -q 'Type:.*DYN' elf || fail "$name: not position independent"
    grep -q 'GNU_RELRO' elf || fail "$name: no RELRO"
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' elf || fail "$name: names are bound late: RELRO is partial"
    grep -qE 'GNU_STACK.* RW ' elf || fail "$name: the stack is executable: $(grep GNU_STACK elf)"
    ! grep -q '(TEXTREL)' elf || fail "$name: code is written to at the start"
    ! grep -qE 'LOAD.* RWE ' elf || fail "$name: a part is writable and executable"
    ! grep -qE '\((RPATH|RUNPATH)\)' elf || fail "$name: looks for libraries in folders of its own"
    grep -q '__stack_chk_fail' symbols || fail "$name: no -fstack-protector"
    grep -qE '__(memcpy|snprintf|vsnprintf|memmove|strcpy|read)_chk' symbols || fail "$name: no _FORTIFY_SOURCE"
done

# What indirect calls may reach is marked: with the note in each object (the C library's own start files
# may lack it, and then the linked file does too) and the instruction at each function.
# Large objects on the stack are touched page by page: an instruction that does nothing else.
if [ "$(uname -m)" = x86_64 ]; then
    need objdump
    readelf -n "$ROOT/build/release/ppmine.a" 2>/dev/null |
        awk '/^File: /{object = $2} /IBT, SHSTK/{delete without[object]; next} /^File: /{without[object]}
            END {for (o in without) print o}' >without
    [ ! -s without ] || fail "no -fcf-protection: $(cat without)"
    for file in "$ROOT/build/ppmine" "$ROOT/build/ppmine.so"; do
        objdump -d --no-show-raw-insn "$file" >code
        [ "$(grep -c endbr64 code)" -ge 100 ] || fail "${file##*/}: functions are not marked"
    done
    objdump -d --no-show-raw-insn "$ROOT/build/ppmine" | grep -cE 'or[ql] +\$0x0,.*\(%rsp' >probes || :
    [ "$(cat probes)" -ge 10 ] || fail "ppmine: no -fstack-clash-protection: $(cat probes) probes"
fi
# 3, unlike 2, knows the size of what mem_alloc gives only at run time.
make -s -n -B -C "$ROOT" DEPS=: build/release/base/buf.o 2>/dev/null | grep -q -- '-D_FORTIFY_SOURCE=3' ||
    fail "_FORTIFY_SOURCE is not 3"
