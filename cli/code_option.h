/*
 * code_option: a code that the command line names, with or without its facet. Of cli only.
 */
#ifndef CLI_CODE_OPTION_H
#define CLI_CODE_OPTION_H

#include "cli/command.h"
#include "coding/stored_codebook.h"
#include "label/label.h"

/*
 * *place becomes the place of the code that `text` names in the facet, or with facet NULL in the
 * only facet that has it. ST_USAGE with `what` ("--code") in front otherwise.
 */
enum status MUST_USE code_option(const struct invocation *in, const struct codebook *c,
                                 const char *facet, const char *what, const char *text,
                                 size_t *place, struct err *e);

#endif
