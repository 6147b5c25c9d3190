/* command: what a command of the program is, and how its command line is read. For cli only. Each command has one file
 * cli/cmd_<name>.c (blanks and '-' become '_') with a const struct command, a line in cli/commands.c, and one man page.
 * Help, completion, checks and, by scripts/man-pages ("make man"), most of the page come from the tables here, so that
 * they cannot disagree. */
#pragma once

#include "base/base.h"
#include "db/db.h"
#include "label/facets.h"
#include "base/table/table.h"

enum option_kind { OPTION_OF_FACET, OPTION_FLAG, OPTION_TEXT, OPTION_TEXTS, OPTION_NUMBER };

/* What a number may be, and what it is where the option is not given: that may be outside of the range. */
struct option_range {
    uint64_t min, max, otherwise;
};

/* An option: how it is typed, and the field that it sets. A row is written with FLAG, TEXT, TEXTS and NUMBER below. */
struct option_spec {
    const char *name;          /* "threads", for --threads; NULL ends a table */
    const char *argument;      /* "N", or NULL when the option takes none; "TAG…": may be repeated */
    size_t at;                 /* the place of the field in option_values */
    struct option_range range; /* of a number */
    /* One line, no full stop; "… (required)" for one that must be given. {facets} and {lists} become their names. */
    const char *help;
    char short_name; /* 'd' for -d; '\0': none */
    enum option_kind kind;
};

/* What a repeatable option was given, in its order; at[n] is NULL, and at too where n is 0. */
struct option_texts {
    const char **at;
    size_t n;
};

/*
 * The options that were given, of all commands; absent: NULL, n 0 or false. Of a text given several times, the last
 * one. Absent numbers are as their rows say; 0 in a command without the option. A row names the field that it sets, and
 * no other type compiles:
 *
 *     TEXT("keep-going", keep_going, "FILE", "write the bad rows to FILE"),
 */
struct option_values {
    const char *after, *algorithm, *answer, *api_url, *as, *as_of, *assign, *baseline, *by, *cases, *category,
        *certainty, *code, *coder, *coders, *columns, *commit, *confidence, *counts, *csv, *date, *db, *definition,
        *dir, *encoding, *environment, *evidence, *example, *exclude, *explain, *facet, *fail_on, *format, *from,
        *hints, *ids, *ignore, *impact, *into, *invite, *keep_going, *key_file, *keywords, *learn_from, *library,
        *licence, *listen, *machine, *margin, *measure, *min, *model, *note, *of, *order, *others, *out, *output,
        *outside, *overlap, *package, *part, *patch, *per_file_ignores, *plot, *post, *posts, *prices, *problems,
        *profile, *project, *python, *qdc, *qdpx, *reason, *recall, *requirements, *results, *revoke, *rq, *rule, *say,
        *seen, *segments, *select, *short_name, *show_prompt, *site, *skeleton, *sort, *state, *stdin_name, *stratify,
        *study, *table, *take, *target, *text, *to, *token_file, *tolerance, *tool, *trust, *url, *urls, *version_text,
        *versus_text, *warm_start, *why, *why_not, *write_baseline;
    uint64_t act, batch, bytes, confidence_whole, first_seed, jobs, level, limit, max_images, max_requests, max_wait,
        min_posts, most, n, narrow, patience, piece_at, port, quota_reserve, rate, runs, sample, seed, seeds, threads,
        top;
    struct option_texts env, github, host, link, map, parts, results_list, same, same_file, tag, versus, with;
    const char *max_cost, *runs_of;
    uint64_t examples, parallel;
    bool again, agreed, all, all_coders, all_tags, anyway, blind, bom, categories, change, compare, confusion, diff,
        disagreements, drift, dry_run, each, extra_notes, fix, force, from_flag, from_stdin, gpu, help, history,
        ignore_spelling, images, include_code, interactive, keep_times, key_in_query, list, lsp, ndjson, next,
        no_answers, no_browser, no_cache, no_config, no_gitignore, no_notes, no_pager, no_pair, no_plots, of_study,
        only_notes, open, owner, per_code, posts_flag, published, quiet, random, report, raw, reads, recall_flag,
        refresh, related, replace, resume, rules, run, same_meaning, sandbox, saturation, segmentation, single,
        statistics, status, strict, stripped, template, tokens, try, undo, unfinished, verbatim, verbose, version,
        when_idle, with_memos, with_notes, with_text, yes;
};
/* clang-format off */
#define FLAG(option, field, ...) {.name = (option), .kind = OPTION_FLAG, .at = BOUND(field, bool), .help = __VA_ARGS__}
#define TEXT(option, field, what, ...) \
    {.name = (option), .kind = OPTION_TEXT, .argument = (what), .at = BOUND(field, const char *), .help = __VA_ARGS__}
#define TEXTS(option, field, what, ...) \
    {.name = (option), .kind = OPTION_TEXTS, .argument = (what), .at = BOUND(field, struct option_texts), .help = __VA_ARGS__}
#define NUMBER(option, field, what, min, max, otherwise, ...) \
    {.name = (option), .kind = OPTION_NUMBER, .argument = (what), .at = BOUND(field, uint64_t), \
     .range = {min, max, otherwise}, .help = __VA_ARGS__}
/* clang-format on */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type of _Generic has none */
#define BOUND(field, type) _Generic(((struct option_values *)0)->field, type : offsetof(struct option_values, field))
/* NOLINTEND(bugprone-macro-parentheses) */

/* In a table of options: here are those of the facets of the study, see command.facet_option. */
extern const char facet_options_mark[];
/* clang-format off */
#define FACET_OPTIONS {.name = facet_options_mark, .kind = OPTION_OF_FACET}
/* clang-format on */

enum command_needs {
    NEEDS_NO_DB,    /* where nothing is said */
    NEEDS_DB_READ,  /* opened by main before run, closed after it */
    NEEDS_DB_WRITE, /* the same */
    NEEDS_DB_PATH   /* opened by the command itself, with invocation_open_db or otherwise */
};

struct example {
    const char *line; /* as typed, without "$ "; NULL ends a table */
    const char *what; /* one line, or NULL */
};

struct invocation;

/* The rows of a command's table of options, and of examples; what ends them is added. */
#define OPTIONS(...) ((const struct option_spec[]){__VA_ARGS__, {0}})
#define EXAMPLES(...) ((const struct example[]){__VA_ARGS__, {NULL, NULL}})

struct command {
    const char *name;    /* "load", "keywords derive" */
    const char *summary; /* one line for the list of commands, no full stop */
    /* "FILE…" for the usage line, which also says how many there may be: see operands_needed; NULL: none allowed */
    const char *operands;
    size_t min_operands, max_operands; /* 0: as many as `operands` says */
    const struct option_spec *options; /* NULL: only the global ones; written with OPTIONS */
    /* The option of a facet, if the table has FACET_OPTIONS; texts in the arena; name NULL: none. Takes an argument. */
    struct option_spec (*facet_option)(const struct facet *facet, struct arena *arena);
    bool built_in_facets;           /* those of the study that is built in, whatever the database has */
    const char *description;        /* paragraphs, wrapped by the author; NULL for none */
    const struct example *examples; /* written with EXAMPLES */
    /* Begins an example with options of facets, for a study without those of `examples`: of the command that judges a
     * post, or the one that codes a problem. NULL: none. */
    const char *judging_example, *coding_example;
    const char *nothing; /* what exit code 1 says, no full stop; NULL: it never ends so */
    enum command_needs needs;
    bool online; /* it uses the network: exit code 4 */
    /* Returns the exit status; 128 + n after a signal. Data goes to stdout, which main checks. On an error sets *e,
     * which main prints; ST_NO has no words. */
    enum status (*run)(struct invocation *in, struct err *e);
};

struct listed_command {
    const char *group; /* "Coding"; commands of a group follow each other */
    const struct command *command;
};

/* ppmine, or a program of one command, which then is not named on its command line. */
struct program {
    const char *name, *usage; /* how the usage line begins */
    const struct command *only;
};
extern const struct program program;

/* All commands, in the order in which a study uses them. */
extern const struct listed_command commands[];
extern const size_t n_commands;

/* What every command of the program takes; of ppmine: --db, --quiet, --verbose, --help, --version. */
extern const struct option_spec global_options[];

enum {
    OPTIONS_MAX = 32 + FACETS_MAX, /* of a command, with the global ones */
    GIVEN_MAX = 128                /* of a command line */
};

/* A command line that was read. */
struct invocation {
    const struct command *command; /* NULL when none was named */
    const char *db_path;
    struct db *db; /* open when the command needs it */
    struct option_values values;
    struct table_output out; /* of a command with OUTPUT_OPTIONS */
    struct db *read_before;  /* it was opened to read facets, before the command could say how */
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

/* Reads argv; moves the operands to its front, where in->operands points. ST_USAGE with words on what is wrong;
 * in->command is then set if it was found before the fault. */
enum status MUST_USE invocation_read(struct invocation *in, int argc, char **argv, struct err *e);
/* Options that may be of facets are known only when the database is: after that it was named. */
enum status MUST_USE invocation_read_late(struct invocation *in, struct err *e);

/* How many operands a usage line asks for: "FILE NAME" two, "[FILE]" one or none, "NAME [FILE…]" one or more. */
void operands_needed(const char *usage, size_t *min, size_t *max);

/* Sets the field of an option that was read; of the command line. */
enum status MUST_USE option_give(struct invocation *in, const struct option_spec *spec, const char *value,
                                 struct err *e);
/* ST_USAGE, with the name of the command in front of the words. */
enum status usage_error(const struct invocation *in, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);
/*
 * Refuses options that cannot be combined: ST_USAGE with the words of the first refusal that is true:
 *
 *     return refuse(e, {o->owner && o->invite == NULL, "serve: --owner needs --invite"}, …);
 */
struct refusal {
    bool is;
    const char *words;
};
#define refuse(e, ...) refuse_first((e), (const struct refusal[]){__VA_ARGS__, {false, NULL}})
enum status MUST_USE refuse_first(struct err *e, const struct refusal *refusals);
/* What was given, else the other. */
const char *option_or(const char *given, const char *otherwise);
/* The name of the option that was given and sets the field of in->values; NULL: it was not. */
const char *option_setting(const struct invocation *in, const void *field);
/* The same for the first of several fields. */
const char *option_first(const struct invocation *in, const void *const *fields, size_t n);
/* The values of the option of a facet, in their order; returns how many. */
size_t option_of_facet(const struct invocation *in, const struct facet *facet, const char *values[GIVEN_MAX]);
/* Reads the text of a field as a percentage: *share becomes it as a share, kept when not given. */
enum status MUST_USE option_percent(const struct invocation *in, const char *const *field, double least, double most,
                                    double *share, struct err *e);
/* *index of the text in the NULL-terminated `choices`; the option's name is for messages. */
enum status MUST_USE option_choose(const struct invocation *in, const char *name, const char *text,
                                   const char *const *choices, size_t *index, struct err *e);
/* The same of a field; *index is kept when it was not given. */
enum status MUST_USE option_choice(const struct invocation *in, const char *const *field, const char *const *choices,
                                   size_t *index, struct err *e);

/* --format of a command that prints text, or else JSON. */
enum status MUST_USE option_json(const struct invocation *in, bool *as_json, struct err *e);

/* For commands that print tables. in->out is set before they run: standard output, in the given format or text. */
extern const char output_help[];
#define OUTPUT_OPTIONS TEXT("format", format, "FORMAT", output_help, 'f'), SHEET_OPTIONS
#define ENCODING_OPTION \
    TEXT("encoding", encoding, "NAME", "the encoding of a text that is not UTF-8, such as windows-1252")
#define SHEET_OPTIONS \
    FLAG("raw", raw, "with csv or xlsx: leave cells that look like formulas as they are"), \
        FLAG("bom", bom, "with csv: begin with a byte order mark, for Excel")
/* The format that a file's name ends in, as --format has it or as .jsonl, .md and .tex; CSV otherwise, and for NULL. */
enum table_format MUST_USE format_of_name(const char *path);
/* *out for `format`, which --raw and --bom fit, and a terminal. */
enum status MUST_USE output_of(const struct invocation *in, size_t format, struct table_output *out, struct err *e);
/* How many rows --limit prints, in a format other than text only where it was given; 0: all. */
uint64_t MUST_USE output_limit(const struct invocation *in);
enum status MUST_USE output_read(struct invocation *in, struct err *e); /* sets in->out, as OUTPUT_OPTIONS says */
enum status MUST_USE output_option(const struct invocation *in, enum table_format otherwise, struct table_output *out,
                                   struct err *e);

/* sandbox_enter for a command that writes in the folders of these n existing files, and nowhere else. */
void invocation_confine(const char *const *files, size_t n, bool programs);
/* Opens the database of the command line; main closes in->db. */
enum status MUST_USE invocation_open_db(struct invocation *in, enum db_mode mode, struct err *e);
void invocation_clear(struct invocation *in); /* closes the database, too */

/* The facets of the database or, if none can be read, of the built-in study. They live as long as the invocation. */
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
void help_example(FILE *out, const char *what, const char *line);
/* Of invocation.c. Adds a help text, with names of the study's facets in the place of {facets} and {lists}. */
void help_add(struct buf *out, const char *help, struct invocation *in);
/* With the study's own facets, and the kind of value in the place of a value. */
void help_own_examples(FILE *out, struct invocation *in);
