/* main: of ppmine and ppcheck. Reads the command line, opens the database, runs the command, and says what went wrong. */
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "cli/command.h"

#include <signal.h>

/* "ppmine help [COMMAND]" is rewritten to "ppmine [COMMAND] --help". */
static void rewrite_help(int argc, char **argv)
{
    static char help[] = "--help";

    for (int i = 1; i < argc && argv[i][0] != '-'; i++) {
        if (strcmp(argv[i], "help") != 0)
            return;
        memmove(argv + i, argv + i + 1, (size_t)(argc - i - 1) * sizeof *argv);
        argv[argc - 1] = help;
        return;
    }
}

static enum status act(struct invocation *in, struct err *e)
{
    if (in->values.version) {
        version_print(stdout);
    } else if (in->values.help) {
        help_print(stdout, in);
    } else if (in->command == NULL) {
        help_print_brief(stderr);
        return ST_USAGE;
    } else {
        enum status status = ST_OK;

        if (in->command->needs == NEEDS_DB_READ)
            status = invocation_open_db(in, DB_READ, e);
        else if (in->command->needs == NEEDS_DB_WRITE)
            status = invocation_open_db(in, DB_WRITE, e);
        THEN(status, output_read(in, e));
        return status == ST_OK ? in->command->run(in, e) : status;
    }
    return ST_OK;
}

int main(int argc, char **argv)
{
    struct invocation in;
    struct err e = {0};

    signals_end_cleanly();
    log_set_program(program.name);
    if (program.only == NULL)
        rewrite_help(argc, argv);
    enum status status = invocation_read(&in, argc, argv, &e);
    const char *from_environment = getenv("PPMINE_DB");

    if (from_environment == NULL || from_environment[0] == '\0')
        from_environment = "ppmine.db";
    in.db_path = option_or(in.values.db, from_environment);
    if (in.values.quiet)
        log_set_level(LOG_QUIET);
    else if (in.values.verbose)
        log_set_level(LOG_VERBOSE);
    THEN(status, invocation_read_late(&in, &e));
    if (in.command != NULL && strcmp(in.command->name, "fetch") != 0) {
        /* Only fetch reads them; the programs that others start (7z, gnuplot, python) must not. */
        unsetenv("PPMINE_API_KEY");
        unsetenv("PPMINE_API_TOKEN");
    }
    THEN(status, act(&in, &e));
    invocation_clear(&in);
    if (e.text[0] != '\0' && status != ST_OK) {
        if (e.status != ST_USAGE)
            log_error("%s", e.text);
        else if (in.command != NULL && program.only == NULL)
            log_error("%s; see 'ppmine %s --help'", e.text, in.command->name);
        else
            log_error("%s; see '%s --help'", e.text, program.name);
    }
    if (ferror(stdin) != 0 && (status == ST_OK || status == ST_NO)) { /* taken for its end by who read it */
        log_error("standard input: cannot be read to its end");
        status = ST_IO;
    }
    struct err output = {0};
    signal(SIGPIPE, SIG_DFL); /* who asks a server ignores it; who reads the output may end early */
    if (stream_check(stdout, "standard output", &output) != ST_OK) {
        if (status != ST_IO || !span_starts(span_of(e.text), SPAN("standard output"))) /* else it is said */
            log_error("%s", output.text);
        status = status == ST_OK || status == ST_NO ? ST_IO : status; /* 1 is an answer */
    }
    return signals_stop_asked() ? signals_exit_code() : (int)status;
}
