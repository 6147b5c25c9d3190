/*
 * code_change: what all commands share that change the codebook. Of cli only.
 *
 * A change is one transaction: who (--by) and why (--why), what is done, a row of history with the
 * next version of the codebook, and labels made anew where codes stand for others now.
 */
#ifndef CLI_CODE_CHANGE_H
#define CLI_CODE_CHANGE_H

#include "cli/options.h"
#include "coding/stored_codebook.h"
#include "db/codebook.h"

struct code_change {
    struct invocation *in;
    struct stored_codebook book;   /* as it was before */
    struct db_code_change change;  /* version, changed_by, reason are set */
    struct buf became, look_again; /* JSON arrays, not closed */
};

/*
 * Runs a command whose first operand is a code: begins, finds the code, calls `change` with its place
 * in the codebook, and ends.
 */
enum status MUST_USE code_change_run(struct invocation *in, const char *action,
                                     enum status (*change)(struct code_change *c, size_t place,
                                                           struct err *e),
                                     struct err *e);

/* Checks --by and --why, begins a transaction and reads the codebook. code_change_end in any case. */
enum status MUST_USE code_change_begin(struct code_change *c, struct invocation *in,
                                       struct err *e);
/* ST_INPUT unless `name` can be a new name of the facet: one line of text, 1 to 199 bytes, no ';',
 * and nothing that names a code, or ever did. */
enum status MUST_USE code_change_name_is_new(const struct code_change *c, const char *facet,
                                             struct span name, struct err *e);
void code_change_became(struct code_change *c, struct span name);
void code_change_look_again(struct code_change *c, int64_t code_id);
/* With status ST_OK writes the history, commits and says what follows; rolls back otherwise.
 * `code`: what was changed, as it was called. Returns the first status that is not ST_OK. */
enum status MUST_USE code_change_end(struct code_change *c, enum status status, const char *action,
                                     struct span facet, struct span code, struct err *e);

/* Options that all have. */
#define CODE_CHANGE_OPTIONS \
    {"by", '\0', "NAME", "who changes the codebook (required)"}, \
    {"why", '\0', "TEXT", "the reason, for the history (required)"}

#endif
