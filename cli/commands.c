/* commands: all commands, grouped: first those that every study uses and the checker, then the rest. */
#include "cli/command.h"

const struct option_spec global_options[] = {
    {"db", 'd', TEXT(db, "FILE"), "the database (default: $PPMINE_DB, else ppmine.db)"},
    {"quiet", 'q', FLAG(quiet), "print only errors"},
    {"verbose", 'v', FLAG(verbose), "print more"},
    {"help", 'h', FLAG(help), "print this help and exit"},
    {"version", '\0', FLAG(version), "print the version and exit"},
    {0},
};

const struct program program = {"ppmine", "ppmine [-d FILE] [-q | -v]", NULL};

extern const struct command command_init;
extern const struct command command_fetch;
extern const struct command command_match;
extern const struct command command_serve;
extern const struct command command_label_code;
extern const struct command command_label_resolve;
extern const struct command command_agree;
extern const struct command command_stats;
extern const struct command command_verify;
extern const struct command command_export;
extern const struct command command_check;
extern const struct command command_load;
extern const struct command command_rebuild;
extern const struct command command_keywords;
extern const struct command command_keywords_derive;
extern const struct command command_sample;
extern const struct command command_similar;
extern const struct command command_stem;
extern const struct command command_codebook_list;
extern const struct command command_codebook_load;
extern const struct command command_codebook_add;
extern const struct command command_codebook_define;
extern const struct command command_codebook_rename;
extern const struct command command_codebook_merge;
extern const struct command command_codebook_split;
extern const struct command command_codebook_history;
extern const struct command command_codebook_review;
extern const struct command command_label_hints;
extern const struct command command_label_next;
extern const struct command command_label_set;
extern const struct command command_label_undo;
extern const struct command command_label_history;
extern const struct command command_label_export;
extern const struct command command_label_import;
extern const struct command command_label_merge;
extern const struct command command_label_discuss;
extern const struct command command_label_model;
extern const struct command command_screen;
extern const struct command command_screen_status;
extern const struct command command_screen_estimate;
extern const struct command command_screen_doubtful;
extern const struct command command_screen_simulate;
extern const struct command command_campaign_list;
extern const struct command command_campaign_scans;
extern const struct command command_campaign_set;
extern const struct command command_campaign_undo;
extern const struct command command_campaign_history;
extern const struct command command_campaign_report;
extern const struct command command_bench_setup;
extern const struct command command_bench_list;
extern const struct command command_bench_info;
extern const struct command command_bench_checkout;
extern const struct command command_bench_diff;
extern const struct command command_bench_sources;
extern const struct command command_bench_test;
extern const struct command command_bench_run;
extern const struct command command_bench_report;
extern const struct command command_bench_assess;
extern const struct command command_bench_import;
extern const struct command command_bench_import_original;
extern const struct command command_doctor;

/* --help, docs/man/ppmine.1 and the completion list the commands in this order. */
const struct listed_command commands[] = {
    {"A study, from posts to numbers", &command_init},
    {"A study, from posts to numbers", &command_fetch},
    {"A study, from posts to numbers", &command_match},
    {"A study, from posts to numbers", &command_serve},
    {"A study, from posts to numbers", &command_label_code},
    {"A study, from posts to numbers", &command_label_resolve},
    {"A study, from posts to numbers", &command_agree},
    {"A study, from posts to numbers", &command_stats},
    {"A study, from posts to numbers", &command_verify},
    {"A study, from posts to numbers", &command_export},
    {"The checker", &command_check},
    {"More posts", &command_load},
    {"More posts", &command_rebuild},
    {"Candidates", &command_keywords},
    {"Candidates", &command_keywords_derive},
    {"Candidates", &command_sample},
    {"Candidates", &command_similar},
    {"Candidates", &command_stem},
    {"The codebook", &command_codebook_list},
    {"The codebook", &command_codebook_load},
    {"The codebook", &command_codebook_add},
    {"The codebook", &command_codebook_define},
    {"The codebook", &command_codebook_rename},
    {"The codebook", &command_codebook_merge},
    {"The codebook", &command_codebook_split},
    {"The codebook", &command_codebook_history},
    {"The codebook", &command_codebook_review},
    {"Coding", &command_label_hints},
    {"Coding", &command_label_next},
    {"Coding", &command_label_set},
    {"Coding", &command_label_undo},
    {"Coding", &command_label_history},
    {"Coding", &command_label_export},
    {"Coding", &command_label_import},
    {"Coding", &command_label_merge},
    {"Coding", &command_label_discuss},
    {"Coding", &command_label_model},
    {"Screening", &command_screen},
    {"Screening", &command_screen_status},
    {"Screening", &command_screen_estimate},
    {"Screening", &command_screen_doubtful},
    {"Screening", &command_screen_simulate},
    {"A campaign over projects", &command_campaign_list},
    {"A campaign over projects", &command_campaign_scans},
    {"A campaign over projects", &command_campaign_set},
    {"A campaign over projects", &command_campaign_undo},
    {"A campaign over projects", &command_campaign_history},
    {"A campaign over projects", &command_campaign_report},
    {"The benchmark", &command_bench_setup},
    {"The benchmark", &command_bench_list},
    {"The benchmark", &command_bench_info},
    {"The benchmark", &command_bench_checkout},
    {"The benchmark", &command_bench_diff},
    {"The benchmark", &command_bench_sources},
    {"The benchmark", &command_bench_test},
    {"The benchmark", &command_bench_run},
    {"The benchmark", &command_bench_report},
    {"The benchmark", &command_bench_assess},
    {"The benchmark", &command_bench_import},
    {"The benchmark", &command_bench_import_original},
    {"The installation", &command_doctor},
};

const size_t n_commands = ARRAY_LEN(commands);
