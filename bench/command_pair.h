/* command_pair: runs the user's command in turn in two copies of a folder, one changed; compares time and results. */
#pragma once

#include "bench/bench.h"

enum { COMMAND_PAIR_SAID_MAX = 400 };
/* Less is worth no change, and a few runs do not tell it from chance. */
#define COMMAND_LEAST_GAIN 1.02

struct command_pair_spec {
    char *const *argv; /* argv[0] is a path, or is looked up in PATH */
    size_t n_argv;
    const char *folder;        /* absolute; the command runs in copies of it */
    const char *const *linked; /* paths in it that are linked instead of being copied */
    size_t n_linked;
    /* What must stay the same: matches of extended regular expressions in the output, and written files. */
    const char *const *patterns;
    size_t n_patterns;
    const char *const *files;
    size_t n_files;
    double tolerance; /* of real numbers, relative: see same_text */
    uint64_t runs;    /* of each side, besides a warm-up */
    bool sandbox;     /* it has no network, and may write in the copies and below its $TMPDIR alone */
};

struct command_change {
    const char *path; /* in the folder */
    struct span content;
};

enum command_verdict {
    COMMAND_FASTER,       /* the interval of the ratio of times is above COMMAND_LEAST_GAIN */
    COMMAND_NO_FASTER,    /* neither that nor the next */
    COMMAND_SLOWER,       /* it is below 1 / COMMAND_LEAST_GAIN */
    COMMAND_OTHER_RESULT, /* refused: what must be the same is not */
    COMMAND_FAILS,        /* refused: the exit code is another one, or there is no end */
    COMMAND_NOT_READ      /* no changed file was read: it was measured for nothing */
};
extern const char *const command_verdicts[]; /* in words; NULL ends */

struct command_result {
    enum command_verdict verdict;
    char why[COMMAND_PAIR_SAID_MAX]; /* for what is refused; else "" */
    /* NAN and 0 where it was refused. */
    struct stat_ratio time, memory;                    /* without the change over with it */
    double seconds[BENCH_SIDES], peak_kb[BENCH_SIDES]; /* medians */
    double others; /* processors that others used, the most in a run; NAN: not known */
};

struct command_pair;

/* Copies the folder twice, below $TMPDIR or /tmp, and runs the unchanged command in both: it must succeed, with
 * the same results. Otherwise ST_INPUT says what to do; ST_USAGE for a bad pattern, or one without a match; ST_NO
 * when a signal stopped it. Only reads the folder. *out needs command_pair_end in any case. The caller keeps the
 * spec's texts. */
enum status MUST_USE command_pair_begin(struct command_pair **out, const struct command_pair_spec *spec, struct err *e);
/* Measures: a warm-up with the change, then spec->runs without and with it in turn, each from the original folder. Ends
 * early when the change is refused. ST_INPUT when the unchanged command gives another result than before, which says
 * nothing of the change; ST_NO when a signal stopped it. */
enum status MUST_USE command_pair_try(struct command_pair *p, const struct command_change *changes, size_t n,
                                      struct command_result *out, struct err *e);
void command_pair_end(struct command_pair *p); /* NULL is fine */
