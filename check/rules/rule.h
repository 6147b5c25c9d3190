/* rule: what a rule is made of. For check only; docs/contributing.md says how to add one. */
#pragma once

#include "check/check.h"
#include "check/facts/facts.h"

struct rule_run;   /* one rule at work on one file */
enum { ROOT = 1 }; /* the node of a file's own code, out of functions */

/* How a rule looks at a file. It tells rule_needs what it lacks at each place that it is for. Each rule's file has one,
 * `const struct rule_looks rule_PPxxx`; check/rules/rules.tsv has the rest of the rule. */
struct rule_looks {
    /* Called for each file that was read, in the order of paths. NULL for none. */
    void (*run)(struct rule_run *r, struct project *p, const struct py_file *f);
    /* Called after it for each of the file's nodes, in their order; and then for each of its calls. NULL for none. */
    void (*node)(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n);
    void (*call)(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call);
};

/* For --why-not: what the rule lacked at n, a node it is for, about `about`, a node of that file: "it is not known to
 * be a tensor". r may be NULL: does nothing. */
void rule_lacks(struct rule_run *r, uint32_t n, uint32_t about, const char *lacks);
/* Is `there` what the rule needs to say something of n? Gives `there`; where it is not, the rule lacked it. */
static inline bool rule_needs(struct rule_run *r, uint32_t n, uint32_t about, bool there, const char *lacks)
{
    if (!there)
        rule_lacks(r, n, about, lacks);
    return there;
}
/* Does --why-not ask about n? For what is not worth finding out otherwise. */
bool rule_asked(const struct rule_run *r, uint32_t n);

static inline bool is_sequence(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_TUPLE || py_kind(f, n) == PY_LIST;
}
/* Is it known to make a handful of rounds, by more than its names? */
static inline bool is_handful(struct loop loop)
{
    return loop.trip == TRIP_SHORT && loop.rounds >= 0;
}

/* Reports the node at its place, once: later findings at a node are dropped. The message is a sentence of at most
 * CHECK_MESSAGE_MAX characters: what is wrong here, with the code's names, without a full stop. Tests, examples and
 * vendored code lower the impact. */
void rule_report(struct rule_run *r, uint32_t node, enum check_impact impact, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The rest is said of what was reported last. */

/* If so, it depends on what the code does not show, whatever the rule is otherwise. */
void rule_unsure(struct rule_run *r, bool it_is);
/* The code shows this one, though the rule says of others that they are likely. */
void rule_sure(struct rule_run *r);
/* Why, and what to do, in place of what the rule says of all its findings: whole sentences. */
void rule_why(struct rule_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
void rule_advice(struct rule_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Where in the node to point: from this byte of the file on. */
void rule_point_at(struct rule_run *r, uint32_t start, uint32_t end);
/* The same, from the name of the method that the call calls to its end; where it has one. */
void rule_point_at_method(struct rule_run *r, uint32_t call);
/* Gives the finding a fix with the static text `title`; then a rule_edit for each replacement, without overlap. All
 * edits of a finding are made, or none. */
void rule_fix(struct rule_run *r, const char *title);
/* The edits so far are not a fix but a proposal, `title` says what it does: see check_finding. */
void rule_propose(struct rule_run *r, const char *title);
void rule_edit(struct rule_run *r, uint32_t start, uint32_t end, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Puts a one-line statement before one that begins its line. One place may get several; equal ones are put there
 * once. */
void rule_statement(struct rule_run *r, uint32_t before, struct span statement);
/* Inserts `text` after the last argument of a call. */
void rule_add_argument(struct rule_run *r, uint32_t call, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* For "%s": the text of a node on one line, cut to a length that suits a message. */
#define RULE_TEXT(f, n) (rule_text(f, n).text)
struct rule_text {
    char text[80];
};
struct rule_text rule_text(const struct py_file *f, uint32_t n);
/* What is before the node on its line. */
struct span rule_before(const struct py_file *f, uint32_t n);
/* For "%s": where the node stands, seen from `here`: "line 3", "cell 2, line 3", "line 3 of a.py". */
#define RULE_PLACE(here, f, n) (rule_place(here, f, n).text)
struct rule_place {
    char text[320];
};
struct rule_place rule_place(const struct py_file *here, const struct py_file *f, uint32_t n);
