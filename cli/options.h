/* options: options that several commands have. For cli only. */
#pragma once

#include "bench/bench.h"
#include "cli/command.h"
#include "label/coding/code_change.h"
#include "label/coding/post_view.h"
#include "label/label.h"

/* --- who --- */

/* The name of --coder, else $PPMINE_CODER, as stored; ST_USAGE without a valid one. The caller clears it. */
enum status MUST_USE coder_option(const struct invocation *in, struct buf *name, struct err *e);
/* The same of --by, who says something of findings. */
enum status MUST_USE by_option(const struct invocation *in, struct buf *name, struct err *e);
/* --reason; ptr NULL without. ST_USAGE for one that is empty, too long or no UTF-8. */
enum status MUST_USE reason_option(const struct invocation *in, struct span *reason, struct err *e);

#define CODER_OPTION TEXT("coder", coder, "NAME", "who codes (default: $PPMINE_CODER)", 'c')
#define BY_OPTION TEXT("by", by, "NAME", "your name (default: $PPMINE_CODER)")

/* Warns when posts are judged or coded that are answers and no candidates (label/coding/subject.h). */
enum status MUST_USE warn_of_answers(const struct invocation *in, struct err *e);

/* --- facets and codes --- */

/* The place of the facet of --facet; kept when it is not given. */
enum status MUST_USE facet_option(struct invocation *in, size_t *facet, struct err *e);
/* The list of codes of --facet, or one of `others` (NULL ends; NULL: none), for which *list is n_lists and more. Kept
 * when not given. */
enum status MUST_USE list_option(struct invocation *in, const char *const *others, size_t *list, struct err *e);

/* *place: of the code that `text` names in the list, or with list.ptr NULL in the only list that has it. Otherwise
 * ST_USAGE with `what` ("--code") in front. */
enum status MUST_USE code_option(const struct invocation *in, const struct codebook *c, struct span list,
                                 const char *what, const char *text, size_t *place, struct err *e);

#define LEVEL_OPTION \
    NUMBER("level", level, "N", 1, 32, 0, "count categories within others as the one of level N (default: as they are)")

/* --- changes of the codebook --- */

/* Checks --by and --why, and begins a change. */
enum status MUST_USE code_change_option(struct code_change *c, struct invocation *in, struct err *e);
/* Ends it, and says what follows. */
enum status MUST_USE code_change_say(struct code_change *c, enum status status, const char *action, struct span list,
                                     struct span code, struct err *e);

#define CODE_CHANGE_OPTIONS \
    TEXT("by", by, "NAME", "who changes the codebook (required)"), \
        TEXT("why", why, "TEXT", "the reason, for the history (required)")

/* Adds columns and rows of memos, as memo_next gives them; `undone`: also those that were taken back. */
enum status MUST_USE memo_table(struct table *t, struct db *db, struct span list, struct span code, bool undone,
                                struct err *e);

/* --- the benchmark --- */

/* Reads the cases of --cases. */
enum status MUST_USE bench_cases_given(struct bench_cases *out, const struct invocation *in, struct err *e);
/* Cases; the list is freed with mem_free. */
struct bench_chosen {
    const struct bench_case **items;
    size_t n;
};

/* Those that the operands name, each once; without operands all. */
enum status MUST_USE bench_cases_named(struct bench_chosen *out, const struct bench_cases *cases,
                                       const struct invocation *in, struct err *e);
/* The one that the first operand names, of the cases of --cases. */
enum status MUST_USE bench_case_given(struct bench_cases *cases, const struct bench_case **c,
                                      const struct invocation *in, struct err *e);
/* How a command measures, and what its setting borrows from. */
struct bench_measuring {
    struct bench_setting setting;
    struct buf python;
    int in_use; /* keeps the environment from being made again in the meantime */
};

/* Reads the options below; keeps what is not given. *m needs bench_measuring_clear, and in_use to be -1. */
enum status MUST_USE bench_measuring_given(struct bench_measuring *m, const struct invocation *in, struct err *e);
void bench_measuring_clear(struct bench_measuring *m);

#define BENCH_MEASURING_OPTIONS \
    FLAG("when-idle", when_idle, "wait while other programs use the processors"), \
        FLAG("anyway", anyway, "measure also on a busy machine; results say what others used"), BENCH_RUNNING_OPTIONS

#define BENCH_RUNNING_OPTIONS \
    NUMBER("threads", threads, "N", 1, BENCH_THREADS_MAX, BENCH_THREADS, \
           "threads of TensorFlow's operations (default: 2)"), \
        TEXTS("env", env, "NAME[=VALUE]…", "pass this variable to scripts, such as LD_LIBRARY_PATH"), \
        TEXT("environment", environment, "NAME", "the Python of 'bench setup NAME' (default: " BENCH_ENVIRONMENT ")"), \
        TEXT("python", python, "FILE", "use this Python instead")

/* The database of results: that of -d or $PPMINE_DB, else ppmine.db where there is one; NULL for none. */
const char *bench_db_path(const struct invocation *in);

#define BENCH_CASES_OPTION TEXT("cases", cases, "DIR", "the folder of cases (default: bench/cases)")
#define BENCH_RESULTS_OPTION TEXT("results", results, "DIR", "the folder of results (default: " BENCH_RESULTS_DIR ")")
#define BENCH_RESULTS_READ_OPTION TEXT("results", results, "DIR", "results in this folder, not those of the database")
#define BENCH_MACHINE_READ_OPTION \
    TEXT("machine", machine, "NAME", "results of this machine (default: the one that ran last)")

/* Puts the name of the command in front of a fault of the command line (ST_USAGE); returns the status. */
enum status name_command(const struct invocation *in, enum status status, struct err *e);

/* --- a key for a server --- */

/* The key of the file, else (path NULL) of the variable, which is removed from the environment; neither: nothing.
 * ST_INPUT for a file that others can read, and for anything but one word of printable characters. */
enum status MUST_USE secret_read(struct buf *out, const char *path, const char *variable, struct err *e);

/* --- a post on standard output, as a coder is to see it --- */

struct post_shown {
    struct study study;
    struct stored_codebook book;
    struct post_hints hints;
    struct post_relations related; /* of post_shown_relate */
    struct post_view view;
};

/* With --blind and --no-answers of the command. *p needs post_shown_clear in either case. */
enum status MUST_USE post_shown_init(struct post_shown *p, const struct invocation *in, struct err *e);
/* From now on posts are shown with those that are related to them. */
enum status MUST_USE post_shown_relate(struct post_shown *p, struct err *e);
void post_shown_clear(struct post_shown *p);
