/* The rules, ordered by id, and their pages. */
#include "check/rules/page.h"
#include "check/rules/rules.h"

#include <strings.h>

extern const struct rule rule_PP101;
extern const struct rule rule_PP102;
extern const struct rule rule_PP103;
extern const struct rule rule_PP201;
extern const struct rule rule_PP301;
extern const struct rule rule_PP302;
extern const struct rule rule_PP303;
extern const struct rule rule_PP306;
extern const struct rule rule_PP307;
extern const struct rule rule_PP308;
extern const struct rule rule_PP309;
extern const struct rule rule_PP310;
extern const struct rule rule_PP311;
extern const struct rule rule_PP312;
extern const struct rule rule_PP401;
extern const struct rule rule_PP402;
extern const struct rule rule_PP404;
extern const struct rule rule_PP405;
extern const struct rule rule_PP406;
extern const struct rule rule_PP408;
extern const struct rule rule_PP409;
extern const struct rule rule_PP410;
extern const struct rule rule_PP411;
extern const struct rule rule_PP412;
extern const struct rule rule_PP413;
extern const struct rule rule_PP414;
extern const struct rule rule_PP416;
extern const struct rule rule_PP419;
extern const struct rule rule_PP420;
extern const struct rule rule_PP423;
extern const struct rule rule_PP433;
extern const struct rule rule_PP434;
extern const struct rule rule_PP435;
extern const struct rule rule_PP501;
extern const struct rule rule_PP601;
extern const struct rule rule_PP602;
extern const struct rule rule_PP603;
extern const struct rule rule_PP604;
extern const struct rule rule_PP605;
extern const struct rule rule_PP608;
extern const struct rule rule_PP609;
extern const struct rule rule_PP610;
extern const struct rule rule_PP611;
extern const struct rule rule_PP612;
extern const struct rule rule_PP613;
extern const struct rule rule_PP614;
extern const struct rule rule_PP615;
extern const struct rule rule_PP616;
extern const struct rule rule_PP617;
extern const struct rule rule_PP618;
extern const struct rule rule_PP619;
extern const struct rule rule_PP620;
extern const struct rule rule_PP626;
extern const struct rule rule_PP628;

const struct rule *const rules[] = {
    &rule_PP101, &rule_PP102, &rule_PP103, &rule_PP201, &rule_PP301, &rule_PP302, &rule_PP303, &rule_PP306, &rule_PP307,
    &rule_PP308, &rule_PP309, &rule_PP310, &rule_PP311, &rule_PP312, &rule_PP401, &rule_PP402, &rule_PP404, &rule_PP405,
    &rule_PP406, &rule_PP408, &rule_PP409, &rule_PP410, &rule_PP411, &rule_PP412, &rule_PP413, &rule_PP414, &rule_PP416,
    &rule_PP419, &rule_PP420, &rule_PP423, &rule_PP433, &rule_PP434, &rule_PP435, &rule_PP501, &rule_PP601, &rule_PP602,
    &rule_PP603, &rule_PP604, &rule_PP605, &rule_PP608, &rule_PP609, &rule_PP610, &rule_PP611, &rule_PP612, &rule_PP613,
    &rule_PP614, &rule_PP615, &rule_PP616, &rule_PP617, &rule_PP618, &rule_PP619, &rule_PP620, &rule_PP626, &rule_PP628,
};

const size_t n_rules = ARRAY_LEN(rules);

const char *const check_impacts[] = {"low", "medium", "high", NULL};
const char *const check_certainties[] = {"likely", "certain", NULL};

size_t check_n_rules(void)
{
    return n_rules;
}

const struct check_rule *check_rule_at(size_t i)
{
    return &rules[i]->about;
}

/* Does the text begin so, capitals or not? */
static bool begins(const char *text, struct span word)
{
    return strncasecmp(text, word.ptr, word.len) == 0;
}

static bool is_word(const char *text, struct span word)
{
    return strlen(text) == word.len && begins(text, word);
}

const struct check_rule *check_rule_find(struct span word)
{
    for (size_t i = 0; i < n_rules; i++) {
        const struct check_rule *rule = &rules[i]->about;
        if (is_word(rule->id, word) || is_word(rule->name, word))
            return rule;
    }
    return NULL;
}

bool check_rule_fits(const struct check_rule *rule, struct span word)
{
    return word.len > 0 && (begins(rule->id, word) || is_word(rule->name, word) ||
                            (rule->split_from != NULL && begins(rule->split_from, word)));
}

struct span check_page(const struct check_rule *rule)
{
    for (size_t i = 0; i < rule_page_count; i++)
        if (span_eq(rule_pages[i].name, span_of(rule->id)))
            return rule_pages[i].content;
    return (struct span){"", 0};
}

/* An id as it should be: what is near to it is no more likely to be meant than others. */
static bool is_well_formed(const char *text)
{
    size_t letters = strspn(text, "P"), digits = strspn(text + letters, "0123456789");

    return letters == 2 && digits == 3 && text[letters + digits] == '\0';
}

enum status check_rule_known(const char *text, struct err *e)
{
    enum { WORDS_MAX = 256 };
    const char *words[WORDS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < n_rules && n + 2 <= WORDS_MAX; i++) {
        if (check_rule_fits(&rules[i]->about, span_of(text)))
            return ST_OK;
        words[n++] = rules[i]->about.id;
        words[n++] = rules[i]->about.name;
    }
    const char *near = is_well_formed(text) ? NULL : span_nearest(span_of(text), words, n);
    return near != NULL ? err_set(e, ST_USAGE, "there is no rule '%s'; did you mean %s?", text, near)
                        : err_set(e, ST_USAGE, "there is no rule '%s'; ppmine check --rules lists them", text);
}
