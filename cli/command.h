/*
 * command: what a command of the program is, and how its command line is read. Of cli only.
 *
 * Each command has one file cli/cmd_<name>.c (blanks and '-' become '_') with a const struct
 * command, two lines in cli/commands.c, and one man page. Help, completion, the check of the command
 * line and most of the man page come from the tables here, so that they cannot disagree:
 * scripts/man-pages writes the page ("make man").
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/base.h"
#include "db/db.h"
#include "table/table.h"

struct option_spec {
    const char *name;     /* "threads", for --threads; NULL ends a table */
    char short_name;      /* 'd' for -d; '\0': none */
    const char *argument; /* "N", or NULL when the option takes none; "TAG…": may be repeated */
    const char *help;     /* one line, no full stop; "… (required)" for one that must be given */
};

enum command_needs {
    NEEDS_NO_DB,
    NEEDS_DB_READ,  /* opened by main before run, closed after it */
    NEEDS_DB_WRITE, /* the same */
    NEEDS_DB_PATH   /* opened by the command itself, with invocation_open_db or otherwise */
};

struct example {
    const char *line; /* as typed, without "$ "; NULL ends a table */
    const char *what; /* one line, or NULL */
};

struct invocation;

struct command {
    const char *name;                  /* "load", "keywords derive" */
    const char *summary;               /* one line for the list of commands, no full stop */
    const char *operands;              /* "FILE…" for the usage line; NULL: none allowed */
    size_t min_operands, max_operands; /* max_operands is used when operands is set */
    const struct option_spec *options; /* NULL: only the global ones */
    const char *description;           /* paragraphs, wrapped by the author; NULL for none */
    const struct example *examples;
    const char *nothing; /* what exit code 1 says, no full stop; NULL: it never ends so */
    enum command_needs needs;
    bool online; /* it uses the network: exit code 4 */
    /* The program ends with this status; 128 + n after a signal. Data goes to stdout, which main
     * checks. On an error sets *e, which main prints; ST_NO goes without words. */
    enum status (*run)(struct invocation *in, struct err *e);
};

struct listed_command {
    const char *group; /* "Coding"; commands of a group follow each other */
    const struct command *command;
};

/* All commands, in the order in which a study uses them. */
extern const struct listed_command commands[];
extern const size_t n_commands;

/* What every command takes: --db, --quiet, --verbose, --help, --version. */
extern const struct option_spec global_options[];

enum {
    OPTIONS_MAX = 32, /* of a command, with the global ones */
    GIVEN_MAX = 128   /* of a command line */
};

/* A command line that was read. */
struct invocation {
    const struct command *command; /* NULL when none was named */
    const char *db_path;
    struct db *db; /* open when the command needs it */
    char **operands;
    size_t n_operands;
    struct {
        const struct option_spec *spec;
        const char *value; /* NULL for an option without argument */
    } given[GIVEN_MAX];
    size_t n_given;
};

/* Reads argv. ST_USAGE with words on what is wrong; in->command is set when it was found before.
 * The operands are moved to the front of argv, and in->operands points there. */
enum status MUST_USE invocation_read(struct invocation *in, int argc, char **argv, struct err *e);

/* The last one counts when an option was given several times that may not be repeated; of one that
 * may, option_text gives the first. */
bool option_given(const struct invocation *in, const char *name);
const char *option_text(const struct invocation *in, const char *name, const char *otherwise);
/* The values of an option that may be repeated, in their order; returns how many. */
size_t option_texts(const struct invocation *in, const char *name,
                    const char *values[GIVEN_MAX]);
enum status MUST_USE option_number(const struct invocation *in, const char *name, uint64_t min,
                                   uint64_t max, uint64_t *value, /* kept when not given */
                                   struct err *e);
/* *share becomes the percentage as a share, kept when not given. */
enum status MUST_USE option_percent(const struct invocation *in, const char *name, double least,
                                    double most, double *share, struct err *e);
/* Are they the same but for '-' and ' '? Options say "root-cause" where tables and files say "root
 * cause": both are understood. */
bool is_choice(const char *choice, const char *text);
/* *index of the value in the NULL-terminated `choices`; kept when not given. */
enum status MUST_USE option_choice(const struct invocation *in, const char *name,
                                   const char *const *choices, size_t *index, struct err *e);

/* What every command that prints tables takes, and reading it: standard output, in the format that
 * was asked for. */
#define OUTPUT_OPTIONS {"format", 'f', "FORMAT", "print " TABLE_FORMATS_IN_WORDS}, RAW_OPTION
#define RAW_OPTION                                                                                 \
    {"raw", '\0', NULL, "with csv: do not guard cells that a spreadsheet would compute"}
enum status MUST_USE output_option(const struct invocation *in, enum table_format otherwise,
                                   struct table_output *out, struct err *e);

/* Opens the database of the command line; main closes in->db. */
enum status MUST_USE invocation_open_db(struct invocation *in, enum db_mode mode, struct err *e);

/* NULL when there is none. */
const struct command *command_find(const char *name);

/* What --help prints; with NULL, for the program. */
void help_print(FILE *out, const struct command *command);

#endif
