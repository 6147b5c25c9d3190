/* dispute_view: the parts of a dispute in reading order, the same for page and terminal: what each coder says, the
 * guide's rules, all codes together, definitions; then what was noted and said about the post. */
#pragma once

#include "label/coding/settle.h"

enum dispute_part_kind {
    DISPUTE_LABEL,      /* who, what, when, why */
    DISPUTE_RULE,       /* of the guide: who is a code, what another one */
    DISPUTE_UNION,      /* what: all codes that coders gave, where the facet takes them and nobody gave them all */
    DISPUTE_DEFINITION, /* of a code that a coder gave: who is the code */
    DISPUTE_NOTE,       /* about a post or problem: what */
    DISPUTE_MESSAGE
};

struct dispute_part {
    enum dispute_part_kind kind;
    size_t nth;             /* of a label, from 1 */
    bool is_merged;         /* settled before, and open again */
    struct span who, what;  /* what: codes with "; " between them */
    struct span when, text; /* text ptr NULL: none */
};

struct dispute_view {
    struct settler *settler;
    bool hides_names; /* coders are letters */
    void (*each)(void *ctx, const struct dispute_part *part);
    void *ctx;
};

/* Calls back for the parts of a dispute, but for notes and messages. */
enum status MUST_USE dispute_view_each(const struct dispute_view *v, const struct db_dispute *dispute, struct err *e);
/* … for the notes and messages about a post, in the order of time. */
enum status MUST_USE dispute_view_asides(const struct dispute_view *v, int64_t post_id, struct err *e);

/* The codes of an opinion from `first` on, "hang; leak". */
void dispute_add_codes(struct buf *out, const struct db_opinion *opinion, size_t first);
/* "root cause"; "segmentation" where coders see different problems in a post. */
struct span dispute_facet(const struct settler *settler, const struct db_dispute *dispute);
