#include "cli/code_option.h"

enum status code_option(const struct invocation *in, const struct codebook *c, const char *facet,
                        const char *what, const char *text, size_t *place, struct err *e)
{
    const char *name = in->command->name;
    struct err why;

    *place = SIZE_MAX;
    for (size_t i = 0; code_facets[i] != NULL; i++) {
        if (facet != NULL && strcmp(facet, code_facets[i]) != 0)
            continue;
        size_t found = codebook_find(c, code_facets[i], span_of(text), &why);
        if (found != SIZE_MAX && *place != SIZE_MAX)
            return err_set(e, ST_USAGE, "%s: %s '%s' is a %.*s and a %s: say which with --facet",
                           name, what, text, (int)c->codes[*place].facet.len,
                           c->codes[*place].facet.ptr, code_facets[i]);
        if (found != SIZE_MAX)
            *place = found;
    }
    if (*place != SIZE_MAX)
        return ST_OK;
    if (facet != NULL)
        return err_set(e, ST_USAGE, "%s: %s: %s", name, what, why.text);
    return err_set(e, ST_USAGE, "%s: %s: no code '%s' in the codebook; `ppmine label codes` lists"
                   " them", name, what, text);
}
