/* ppcheck: ppmine check alone, a small program without a database, network or study. */
#include "cli/checking.h"

static enum status run(struct invocation *in, struct err *e)
{
    static const struct checking_more none = {0};

    return checking_run(in, &none, e);
}

static const struct option_spec options[] = {CHECKING_OPTIONS, {0}};

static const struct command command = {
    .name = "ppcheck",
    .summary = "Find performance problems in Python code that uses TensorFlow or PyTorch",
    .operands = CHECKING_OPERANDS,
    .options = options,
    .description = CHECKING_DESCRIPTION
    "\n"
    "It prints what ppmine check prints. Measuring fixes (--try) and keeping findings in a database\n"
    "(-d) need ppmine check.",
    .examples = EXAMPLES(
        {"ppcheck", "the files below this folder"}, {"ppcheck --format sarif src > findings.sarif", NULL},
        {"ppcheck --diff train.py", "what --fix would change"}, {"ppcheck --explain PP301", "why, and when not"},
        {"ppcheck --stdin-name train.py - < train.py", NULL}),
    .nothing = CHECKING_NOTHING,
    .run = run,
};

const struct program program = {"ppcheck", "ppcheck [-q | -v]", &command};
const struct listed_command commands[] = {{"", &command}};
const size_t n_commands = 0;

const struct option_spec global_options[] = {
    FLAG("quiet", quiet, "print only errors", 'q'),
    FLAG("verbose", verbose, "print more", 'v'),
    FLAG("help", help, "print this help and exit", 'h'),
    FLAG("version", version, "print the version and exit"),
    {0},
};

/* --- invocation.c of a program without a database and a study --- */

enum status invocation_open_db(struct invocation *in, enum db_mode mode, struct err *e)
{
    (void)in, (void)mode;
    return err_set(e, ST_USAGE, "ppcheck: a database needs ppmine check");
}

void invocation_clear(struct invocation *in)
{
    arena_clear(&in->arena);
}

const struct facets *invocation_facets(struct invocation *in)
{
    static const struct facets none = {0};

    (void)in;
    return &none;
}

void help_add(struct buf *out, const char *help, struct invocation *in)
{
    (void)in;
    buf_add_text(out, help);
}

void help_own_examples(FILE *out, struct invocation *in)
{
    (void)out, (void)in;
}
