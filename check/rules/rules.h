/* rules: the rules, and how the session lets them look at a file. For check only; a rule includes
 * check/rules/rule.h. */
#pragma once

#include "check/rules/rule.h"

/* All rules, ordered by id: a line of check/rules/rules.tsv each. */
struct rule {
    struct check_rule about;
    unsigned uses; /* of files that use one of these frameworks */
    const struct rule_looks *looks;
};
extern const struct rule rules[];
extern const size_t n_rules;

/* The pages of the rules and gains.csv, which scripts/embed-rules puts into the program. */
struct rule_page {
    struct span name, content; /* "PP301", Markdown; "gains.csv" */
};
extern const struct rule_page rule_pages[];
extern const size_t rule_page_count;
struct span rule_page(struct span name); /* the content; empty: no page has this name */

/* What a rule found. The file is the project's. */
struct rule_finding {
    struct check_finding f;
    const struct py_file *file;
    uint32_t node;
    uint32_t start, end; /* where to point: bytes of the file's code */
    size_t edits_capacity;
    bool hidden; /* by a comment */
    bool sure;   /* see rule_sure */
};

/* What a rule lacked at a place; see rule_needs. */
struct rule_lack {
    const struct check_rule *rule;
    uint32_t about;
    const char *lacks;
};

/* Findings, and all that they point to; all-zero is empty. */
struct rule_findings {
    const struct py_file *asked; /* of its line it is to be said what rules lacked; NULL: of none */
    uint32_t asked_line;
    struct ARRAY_OF(struct rule_lack) lacks;
    struct rule_finding **items;
    size_t n, capacity;
    struct arena arena;
};

void rule_findings_clear(struct rule_findings *all);
/* Lets the rule look at the file, and adds its findings: those of a trusted rule are certain, if likely by default. */
void rule_look(const struct rule *rule, struct project *p, const struct py_file *f, bool trusted,
               struct rule_findings *out);
/* Says of findings that are worth a change what such changes gained; where they gained nothing, the impact is low. */
void rule_add_gains(struct rule_findings *all);
