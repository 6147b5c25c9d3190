#include "cli/command.h"

extern const struct command command_init;
extern const struct command command_stem;

const struct command *const commands[] = {
    &command_init,
    &command_stem,
};

const size_t n_commands = ARRAY_LEN(commands);
