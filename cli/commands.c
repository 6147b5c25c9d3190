#include "cli/command.h"

extern const struct command command_agree;
extern const struct command command_bench_assess;
extern const struct command command_bench_import;
extern const struct command command_bench_list;
extern const struct command command_bench_report;
extern const struct command command_bench_run;
extern const struct command command_bench_setup;
extern const struct command command_campaign_history;
extern const struct command command_campaign_list;
extern const struct command command_campaign_report;
extern const struct command command_campaign_scans;
extern const struct command command_campaign_set;
extern const struct command command_campaign_undo;
extern const struct command command_check;
extern const struct command command_export;
extern const struct command command_fetch;
extern const struct command command_init;
extern const struct command command_keywords;
extern const struct command command_keywords_derive;
extern const struct command command_label_add_code;
extern const struct command command_label_code_history;
extern const struct command command_label_codes;
extern const struct command command_label_define_code;
extern const struct command command_label_export;
extern const struct command command_label_hints;
extern const struct command command_label_history;
extern const struct command command_label_import;
extern const struct command command_label_merge;
extern const struct command command_label_merge_codes;
extern const struct command command_label_next;
extern const struct command command_label_rename_code;
extern const struct command command_label_resolve;
extern const struct command command_label_review;
extern const struct command command_label_set;
extern const struct command command_label_split_code;
extern const struct command command_label_undo;
extern const struct command command_load;
extern const struct command command_match;
extern const struct command command_rebuild;
extern const struct command command_sample;
extern const struct command command_stats;
extern const struct command command_stem;

const struct command *const commands[] = {
    &command_agree,
    &command_bench_assess,
    &command_bench_import,
    &command_bench_list,
    &command_bench_report,
    &command_bench_run,
    &command_bench_setup,
    &command_campaign_history,
    &command_campaign_list,
    &command_campaign_report,
    &command_campaign_scans,
    &command_campaign_set,
    &command_campaign_undo,
    &command_check,
    &command_export,
    &command_fetch,
    &command_init,
    &command_keywords,
    &command_keywords_derive,
    &command_label_add_code,
    &command_label_code_history,
    &command_label_codes,
    &command_label_define_code,
    &command_label_export,
    &command_label_hints,
    &command_label_history,
    &command_label_import,
    &command_label_merge,
    &command_label_merge_codes,
    &command_label_next,
    &command_label_rename_code,
    &command_label_resolve,
    &command_label_review,
    &command_label_set,
    &command_label_split_code,
    &command_label_undo,
    &command_load,
    &command_match,
    &command_rebuild,
    &command_sample,
    &command_stats,
    &command_stem,
};

const size_t n_commands = ARRAY_LEN(commands);
