#include "cli/command.h"

extern const struct command command_agree;
extern const struct command command_check;
extern const struct command command_init;
extern const struct command command_keywords;
extern const struct command command_keywords_derive;
extern const struct command command_label_codes;
extern const struct command command_load;
extern const struct command command_match;
extern const struct command command_stats;
extern const struct command command_stem;

const struct command *const commands[] = {
    &command_agree,            &command_check,            &command_init,
    &command_keywords,         &command_keywords_derive,  &command_label_codes,
    &command_load,             &command_match,            &command_stats,
    &command_stem,
};

const size_t n_commands = ARRAY_LEN(commands);
