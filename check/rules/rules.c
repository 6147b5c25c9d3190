/* The rules, ordered by id, and their pages. */
#include "check/rules/page.h"
#include "check/rules/rules.h"

extern const struct rule rule_PP101;
extern const struct rule rule_PP102;
extern const struct rule rule_PP103;
extern const struct rule rule_PP201;
extern const struct rule rule_PP301;
extern const struct rule rule_PP302;
extern const struct rule rule_PP303;
extern const struct rule rule_PP304;
extern const struct rule rule_PP305;
extern const struct rule rule_PP401;
extern const struct rule rule_PP402;
extern const struct rule rule_PP403;
extern const struct rule rule_PP404;
extern const struct rule rule_PP405;
extern const struct rule rule_PP406;
extern const struct rule rule_PP407;
extern const struct rule rule_PP408;
extern const struct rule rule_PP501;

const struct rule *const rules[] = {
    &rule_PP101,
    &rule_PP102,
    &rule_PP103,
    &rule_PP201,
    &rule_PP301,
    &rule_PP302,
    &rule_PP303,
    &rule_PP304,
    &rule_PP305,
    &rule_PP401,
    &rule_PP402,
    &rule_PP403,
    &rule_PP404,
    &rule_PP405,
    &rule_PP406,
    &rule_PP407,
    &rule_PP408,
    &rule_PP501,
};

const size_t n_rules = ARRAY_LEN(rules);

const char *const check_severities[] = {"note", "warning", "error", NULL};

size_t check_n_rules(void)
{
    return n_rules;
}

const struct check_rule *check_rule_at(size_t i)
{
    return &rules[i]->about;
}

const struct check_rule *check_rule_find(struct span id)
{
    for (size_t i = 0; i < n_rules; i++)
        if (span_eq(span_of(rules[i]->about.id), id))
            return &rules[i]->about;
    return NULL;
}

struct span check_page(const struct check_rule *rule)
{
    for (size_t i = 0; i < rule_page_count; i++)
        if (span_eq(rule_pages[i].name, span_of(rule->id)))
            return rule_pages[i].content;
    return (struct span){"", 0};
}

enum status check_rule_known(const char *text, struct err *e)
{
    enum { RULES_MAX = 128 };
    const char *ids[RULES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < n_rules && n < RULES_MAX; i++) {
        if (text[0] != '\0' && span_starts(span_of(rules[i]->about.id), span_of(text)))
            return ST_OK;
        ids[n++] = rules[i]->about.id;
    }
    const char *near = span_nearest(span_of(text), ids, n);
    return near != NULL
               ? err_set(e, ST_USAGE, "there is no rule '%s'; did you mean %s?", text, near)
               : err_set(e, ST_USAGE, "there is no rule '%s'; ppmine check --rules lists them",
                         text);
}
