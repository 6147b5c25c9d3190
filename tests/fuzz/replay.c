/*
 * Runs a fuzz target on kept inputs, without libFuzzer: replay FILE…; make test does it with every
 * target. Prints the input that it is at, so that a crash has a name.
 */
#define _GNU_SOURCE /* dprintf */
#include "base/base.h"
#include "base/files.h"

#include <stdint.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 64 << 20 };

int main(int argc, char **argv)
{
    struct err e = {0};

    for (int i = 1; i < argc; i++) {
        struct buf input = {0};
        if (file_read_regular(argv[i], INPUT_MAX, &input, &e) != ST_OK) {
            (void)fprintf(stderr, "%s\n", e.text);
            return 1;
        }
        (void)dprintf(STDOUT_FILENO, "%s\n", argv[i]);
        /* A block of just this size: what reads past the end is seen. */
        uint8_t *copy = mem_alloc(input.len > 0 ? input.len : 1);
        if (input.len > 0)
            memcpy(copy, input.ptr, input.len);
        LLVMFuzzerTestOneInput(copy, input.len);
        mem_free(copy);
        buf_clear(&input);
    }
    return 0;
}
