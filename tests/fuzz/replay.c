/*
 * Runs a fuzz target without libFuzzer. Each prints what it is at, so that a crash has a name.
 *
 * replay FILE…: on kept inputs; make test does it with every target.
 * replay --rows N SEED SEPARATOR FILE…: on inputs that are made of the rows of kept ones, mutated, until N rows were
 * read; SEPARATOR is what a row begins with ("": an input is one). An input of 10 s, or memory over 2 GiB, ends it.
 */
#include "base/base.h"
#include "base/files.h"
#include "base/random.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 64 << 20, ROWS_MOST = 300, HANG_SECONDS = 10, REPORT_EVERY = 1 << 14 };
static const rlim_t memory_most = (rlim_t)2 << 30;

struct pieces {
    struct ARRAY_OF(struct span) heads, rows; /* of the kept inputs: what is before the first row, and the rows */
    struct random random;
};

static size_t below(struct pieces *p, size_t n)
{
    return (size_t)random_below(&p->random, n);
}

static void run(struct span input)
{
    /* A block of just this size: what reads past the end is seen. */
    uint8_t *copy = mem_alloc(input.len > 0 ? input.len : 1);

    if (input.len > 0)
        memcpy(copy, input.ptr, input.len);
    LLVMFuzzerTestOneInput(copy, input.len);
    mem_free(copy);
}

static void cut(struct pieces *p, struct span input, const char *separator)
{
    size_t len = strlen(separator);
    bool is_head = len > 0;

    while (input.len > 0) {
        const char *next = len > 0 && input.len > 1 ? memmem(input.ptr + 1, input.len - 1, separator, len) : NULL;
        size_t n = next != NULL ? (size_t)(next - input.ptr) : input.len;
        if (is_head)
            array_add(&p->heads, (struct span){input.ptr, n});
        else
            array_add(&p->rows, (struct span){input.ptr, n});
        is_head = false;
        input = (struct span){input.ptr + n, input.len - n};
    }
}

/* A row of one of the inputs, one of `each` with bytes changed, left out, put in or from another row; a `gentle` change
 * leaves text text, so that more than the first fault is reached. */
static void add_row(struct pieces *p, size_t each, bool gentle, struct buf *out)
{
    static const char *const words[] = {"-1",
                                        "9223372036854775808",
                                        "1e999",
                                        "null",
                                        ",",
                                        "\n",
                                        "\t",
                                        ";",
                                        "\\u0000",
                                        "&#0;",
                                        "\"",
                                        "\r\n",
                                        "<",
                                        "[",
                                        "{",
                                        "]]>",
                                        "<!--",
                                        "\xff",
                                        "\xef\xbb\xbf",
                                        "\xed\xa0\x80"};
    size_t start = out->len;

    buf_add_span(out, p->rows.at[below(p, p->rows.n)]);
    for (size_t changes = below(p, each) == 0 ? 1 + below(p, 4) : 0; changes > 0 && out->len > start; changes--) {
        size_t at = start + below(p, out->len - start), n = 1 + below(p, 8);
        struct span other = p->rows.at[below(p, p->rows.n)];
        size_t from = below(p, other.len), kind = below(p, 4);
        if (n > out->len - at)
            n = out->len - at;
        if (kind == 0) {
            out->ptr[at] = (char)(gentle ? '0' + below(p, 10) : random_next(&p->random));
        } else if (kind == 1) {
            memmove(out->ptr + at, out->ptr + at + n, out->len - at - n);
            out->len -= n;
        } else {
            struct span put = kind == 2 ? span_of(words[below(p, ARRAY_LEN(words) / (gentle ? 2 : 1))])
                                        : (struct span){other.ptr + from, below(p, other.len - from + 1)};
            char *rest = mem_text((struct span){out->ptr + at, out->len - at});
            n = out->len - at;
            out->len = at;
            buf_add_span(out, put);
            buf_add(out, rest, n);
            mem_free(rest);
        }
    }
}

static void run_rows(struct pieces *p, size_t wanted)
{
    struct buf input = {0};
    size_t done = 0, inputs = 0;

    while (done < wanted) {
        size_t n = p->heads.n > 0 ? 1 + below(p, below(p, 2) == 0 ? 4 : ROWS_MOST) : 1;
        bool gentle = below(p, 2) == 0;
        size_t each = gentle ? 1 + below(p, 64) : 2;
        buf_reset(&input);
        if (p->heads.n > 0)
            buf_add_span(&input, p->heads.at[below(p, p->heads.n)]);
        for (size_t i = 0; i < n; i++)
            add_row(p, each, gentle, &input);
        alarm(HANG_SECONDS);
        run(buf_span(&input));
        done += n;
        if (++inputs % REPORT_EVERY == 0 || done >= wanted)
            (void)dprintf(STDOUT_FILENO, "%zu rows, %zu inputs\n", done, inputs);
    }
    buf_clear(&input);
}

static const char usage[] = "usage: replay FILE… | replay --rows N SEED SEPARATOR FILE…\n";

int main(int argc, char **argv)
{
    bool rows = argc > 1 && strcmp(argv[1], "--rows") == 0;
    struct pieces p = {0};
    struct err e = {0};

    if (rows && argc < 6)
        return (void)fputs(usage, stderr), 2;
    for (int i = rows ? 5 : 1; i < argc; i++) {
        struct buf input = {0};
        if (file_read_regular(argv[i], INPUT_MAX, &input, &e) != ST_OK) {
            (void)fprintf(stderr, "%s\n", e.text);
            return 1;
        }
        if (rows) {
            cut(&p, buf_span(&input), argv[4]); /* which keeps it */
            continue;
        }
        (void)dprintf(STDOUT_FILENO, "%s\n", argv[i]);
        run(buf_span(&input));
        buf_clear(&input);
    }
    if (rows && p.rows.n > 0) {
        setrlimit(RLIMIT_AS, &(struct rlimit){memory_most, memory_most});
        random_seed(&p.random, strtoull(argv[3], NULL, 10));
        run_rows(&p, strtoull(argv[2], NULL, 10));
    }
    return 0;
}
