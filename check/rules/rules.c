/* The rules, as check/rules/rules.tsv has them, and their pages. */
#include "check/rules/rules.h"

#include <strings.h>

#include "build/rules.inc"

const size_t n_rules = ARRAY_LEN(rules);

const char *const check_impacts[] = {"low", "medium", "high", NULL};
const char *const check_certainties[] = {"likely", "certain", NULL};

size_t check_n_rules(void)
{
    return n_rules;
}

const struct check_rule *check_rule_at(size_t i)
{
    return &rules[i].about;
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
        const struct check_rule *rule = &rules[i].about;
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

struct span rule_page(struct span name)
{
    for (size_t i = 0; i < rule_page_count; i++)
        if (span_eq(rule_pages[i].name, name))
            return rule_pages[i].content;
    return (struct span){"", 0};
}

struct span check_page(const struct check_rule *rule)
{
    return rule_page(span_of(rule->id));
}

enum status check_rule_known(const char *text, struct err *e)
{
    enum { WORDS_MAX = 256 };
    const char *words[WORDS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < n_rules && n + 2 <= WORDS_MAX; i++) {
        if (check_rule_fits(&rules[i].about, span_of(text)))
            return ST_OK;
        words[n++] = rules[i].about.id;
        words[n++] = rules[i].about.name;
    }
    /* Of an id as it should be, what is near to it is no more likely to be meant than others. */
    size_t letters = strspn(text, "P"), digits = strspn(text + letters, "0123456789");
    bool well_formed = letters == 2 && digits == 3 && text[letters + digits] == '\0';
    const char *near = well_formed ? NULL : span_nearest(span_of(text), words, n);
    return near != NULL ? err_set(e, ST_USAGE, "there is no rule '%s'; did you mean %s?", text, near)
                        : err_set(e, ST_USAGE, "there is no rule '%s'; ppmine check --rules lists them", text);
}
