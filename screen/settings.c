/* settings: what can be chosen about the model, one table for options, help and defaults. */
#include "screen/screen.h"

#include <math.h>

static const struct setting {
    const char *name;
    size_t place; /* in struct screen_settings */
    double usual, least, most;
    const char *what;
} table[] = {
#define SETTING(name) #name, offsetof(struct screen_settings, name)
    {SETTING(title_count), 3, 1, 100, "a word of the title counts as so many of the body"},
    {SETTING(body_words), 300, 0, 1e6, "words of the body that are read"},
    {SETTING(cost), 0.4, 1e-6, 1e6, "C of a relevant text in the support vector machine, if all are relevant"},
    {SETTING(ratio), 30, 0.001, 1e6, "weight of all relevant texts over that of all others"},
    {SETTING(bayes_share), 0.5, 0, 1, "of naive Bayes in the score"},
    {SETTING(bayes_from), 0.24, 0, 1, "finds of what was read, from which on naive Bayes has all of its share"},
    {SETTING(bayes_smooth), 10, 1e-6, 1e6, "added to each sum of naive Bayes"},
    {SETTING(bayes_ratio), 1.2, 0.001, 1e6, "as ratio, for naive Bayes"},
    {SETTING(prior), 1, 0, 100, "weight of what is known before reading"},
    {SETTING(prior_finds), 2, 0, 1e6, "finds that speak for it before there are any"},
#undef SETTING
};

static double *value_of(struct screen_settings *s, const struct setting *setting)
{
    return (double *)((char *)s + setting->place);
}

enum status screen_settings_set(struct screen_settings *s, const char *text, struct err *e)
{
    struct span rest = span_of(text), name;
    AT_END(buf_clear) struct buf names = {0};
    char *end;

    if (!span_cut(&rest, '=', &name))
        name = SPAN("");
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        buf_addf(&names, "%s%s", i > 0 ? ", " : "", table[i].name);
        if (!span_eq(name, span_of(table[i].name)))
            continue;
        const char *number = text + name.len + (text[name.len] == '=');
        double value = strtod(number, &end);
        if (end == number || *end != '\0' || !(value >= table[i].least && value <= table[i].most))
            return err_set(e, ST_USAGE, "%s '%s' is not a number from %g to %g", table[i].name, number, table[i].least,
                           table[i].most);
        *value_of(s, &table[i]) = value;
        return ST_OK;
    }
    return err_set(e, ST_USAGE, "there is no setting '%.*s'; there are %s", SPAN_ARG(name), buf_cstr(&names));
}

struct screen_settings screen_settings_default(void)
{
    struct screen_settings s;

    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        *value_of(&s, &table[i]) = table[i].usual;
    return s;
}
