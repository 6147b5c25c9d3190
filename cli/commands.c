/* commands: all commands, grouped: first those that every study uses and the checker, then the rest. */
#include "cli/command.h"

const struct option_spec global_options[] = {
    TEXT("db", db, "FILE", "the database (default: $PPMINE_DB, else ppmine.db)", 'd'),
    FLAG("quiet", quiet, "print only errors", 'q'),
    FLAG("verbose", verbose, "print more", 'v'),
    FLAG("help", help, "print this help and exit", 'h'),
    FLAG("version", version, "print the version and exit"),
    {0},
};

const struct program program = {"ppmine", "ppmine [-d FILE] [-q | -v]", NULL};

/* --help, docs/man/ppmine.1 and the completion list the commands in this order. */
#define EACH_COMMAND(X) \
    X("A study, from posts to numbers", init) \
    X("A study, from posts to numbers", fetch) \
    X("A study, from posts to numbers", match) \
    X("A study, from posts to numbers", serve) \
    X("A study, from posts to numbers", label_code) \
    X("A study, from posts to numbers", label_resolve) \
    X("A study, from posts to numbers", agree) \
    X("A study, from posts to numbers", stats) \
    X("A study, from posts to numbers", verify) \
    X("A study, from posts to numbers", export) \
    X("The checker", check) \
    X("More posts", load) \
    X("More posts", rebuild) \
    X("Candidates", keywords) \
    X("Candidates", keywords_derive) \
    X("Candidates", sample) \
    X("Candidates", similar) \
    X("Candidates", stem) \
    X("The codebook", codebook_list) \
    X("The codebook", codebook_load) \
    X("The codebook", codebook_add) \
    X("The codebook", codebook_define) \
    X("The codebook", codebook_rename) \
    X("The codebook", codebook_merge) \
    X("The codebook", codebook_split) \
    X("The codebook", codebook_memo) \
    X("The codebook", codebook_history) \
    X("The codebook", codebook_review) \
    X("Coding", label_hints) \
    X("Coding", label_next) \
    X("Coding", label_set) \
    X("Coding", label_undo) \
    X("Coding", label_history) \
    X("Coding", label_export) \
    X("Coding", label_import) \
    X("Coding", label_merge) \
    X("Coding", label_discuss) \
    X("Coding", label_model) \
    X("Screening", screen) \
    X("Screening", screen_status) \
    X("Screening", screen_estimate) \
    X("Screening", screen_doubtful) \
    X("Screening", screen_simulate) \
    X("A campaign over projects", campaign_list) \
    X("A campaign over projects", campaign_scans) \
    X("A campaign over projects", campaign_set) \
    X("A campaign over projects", campaign_undo) \
    X("A campaign over projects", campaign_history) \
    X("A campaign over projects", campaign_report) \
    X("The benchmark", bench_setup) \
    X("The benchmark", bench_list) \
    X("The benchmark", bench_info) \
    X("The benchmark", bench_checkout) \
    X("The benchmark", bench_diff) \
    X("The benchmark", bench_sources) \
    X("The benchmark", bench_test) \
    X("The benchmark", bench_run) \
    X("The benchmark", bench_report) \
    X("The benchmark", bench_assess) \
    X("The benchmark", bench_import) \
    X("The benchmark", bench_import_original) \
    X("The installation", doctor)

#define DECLARED(group, name) extern const struct command command_##name;
EACH_COMMAND(DECLARED)

#define LISTED(group, name) {group, &command_##name},
const struct listed_command commands[] = {EACH_COMMAND(LISTED)};

const size_t n_commands = ARRAY_LEN(commands);
