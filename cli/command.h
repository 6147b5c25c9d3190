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
#include "label/facets.h"
#include "base/table/table.h"

struct option_spec {
    const char *name;     /* "threads", for --threads; NULL ends a table */
    char short_name;      /* 'd' for -d; '\0': none */
    const char *argument; /* "N", or NULL when the option takes none; "TAG…": may be repeated */
    /* One line, no full stop; "… (required)" for one that must be given. {facets} and {lists} become
     * their names. */
    const char *help;
};

/* In a table of options: here are those of the facets of the study, see command.facet_option. */
extern const char facet_options_mark[];
#define FACET_OPTIONS {facet_options_mark, '\0', NULL, NULL}

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
    /* The option of a facet, where the table has FACET_OPTIONS; its texts in the arena; name NULL: it
     * has none. All take an argument. */
    struct option_spec (*facet_option)(const struct facet *facet, struct arena *arena);
    bool built_in_facets; /* those of the study that is built in, whatever the database has */
    const char *description;           /* paragraphs, wrapped by the author; NULL for none */
    const struct example *examples;
    /* Begins an example with options of facets, for a study that lacks those of `examples`: the command of
     * one that judges a post, or of one that codes a problem. NULL: none. */
    const char *judging_example, *coding_example;
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
    OPTIONS_MAX = 32 + FACETS_MAX, /* of a command, with the global ones */
    GIVEN_MAX = 128   /* of a command line */
};

/* A command line that was read. */
struct invocation {
    const struct command *command; /* NULL when none was named */
    const char *db_path;
    struct db *db; /* open when the command needs it */
    struct db *read_before; /* it was opened to read facets, before the command could say how */
    struct facets built_in;
    const struct facets *facets; /* see invocation_facets; NULL: nobody asked yet */
    struct option_spec *options; /* of the command, with those of the facets; NULL: not asked for */
    struct arena arena;
    char **operands;
    size_t n_operands;
    size_t n_before_dashes; /* of the operands; all of them without "--" */
    struct {
        const struct option_spec *spec;
        const char *value; /* NULL for an option without argument */
    } given[GIVEN_MAX];
    size_t n_given;
    struct {
        const char *text;  /* after "-" or "--" */
        const char *value; /* NULL: the command line ended */
        bool is_short;
    } late[GIVEN_MAX]; /* options that may be of facets */
    size_t n_late;
};

/* Reads argv. ST_USAGE with words on what is wrong; in->command is set when it was found before.
 * The operands are moved to the front of argv, and in->operands points there. */
enum status MUST_USE invocation_read(struct invocation *in, int argc, char **argv, struct err *e);
/* Options that may be of facets are known only when the database is: after that it was named. */
enum status MUST_USE invocation_read_late(struct invocation *in, struct err *e);

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
/* *index of the value in the NULL-terminated `choices`; kept when not given. */
enum status MUST_USE option_choice(const struct invocation *in, const char *name,
                                   const char *const *choices, size_t *index, struct err *e);

/* What every command that prints tables takes, and reading it: standard output, in the format that
 * was asked for. */
#define OUTPUT_OPTIONS {"format", 'f', "FORMAT", "print " TABLE_FORMATS_IN_WORDS}, RAW_OPTION
#define RAW_OPTION                                                                                 \
    {"raw", '\0', NULL, "with csv: leave cells that look like formulas as they are"}
enum status MUST_USE output_option(const struct invocation *in, enum table_format otherwise,
                                   struct table_output *out, struct err *e);

/* Opens the database of the command line; main closes in->db. */
/* sandbox_enter for a command that writes in the folders of these n files (which are there), and
 * nowhere else. */
void invocation_confine(const char *const *files, size_t n, bool programs);
enum status MUST_USE invocation_open_db(struct invocation *in, enum db_mode mode, struct err *e);
void invocation_clear(struct invocation *in); /* closes the database, too */

/* The facets of the database, or where none can be read, of the study that is built in. They live as
 * long as the invocation. */
const struct facets *invocation_facets(struct invocation *in);
/* The options of the command, with those of the facets in their place. */
const struct option_spec *invocation_options(struct invocation *in);

/* NULL when there is none. */
const struct command *command_find(const char *name);

/* The version, the libraries that are loaded and what the kernel offers. */
void version_print(FILE *out);
/* What --help prints; of the program where no command was named. */
void help_print(FILE *out, struct invocation *in);
/* What "ppmine" alone says: the commands that come first. */
void help_print_brief(FILE *out);

#endif
