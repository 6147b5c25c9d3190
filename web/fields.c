/* fields: the names and values of a query or a form. */
#include "base/utf8.h"
#include "web/site.h"

/* "a%20b+c" is "a b c", and "a%0D%0Ab" two lines. */
static bool MUST_USE decode(struct span text, struct arena *arena, struct span *out)
{
    char *to = arena_alloc(arena, text.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i] == '+' ? ' ' : text.ptr[i];
        if (c == '%') {
            int high = i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;
            if (low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0')
            return false;
        n -= c == '\n' && n > 0 && to[n - 1] == '\r'; /* as forms end the lines of a text */
        to[n++] = c;
    }
    *out = (struct span){to, n};
    return utf8_valid_prefix(*out) == n;
}

bool fields_read(struct fields *out, struct span text, struct arena *arena)
{
    struct span part;

    out->n = 0;
    while (span_cut(&text, '&', &part)) {
        struct span name = {0};
        struct field field = {0};
        if (part.len == 0)
            continue;
        if (out->n == FIELDS_MAX)
            return false;
        if (!span_cut(&part, '=', &name) || !decode(name, arena, &field.name) || !decode(part, arena, &field.value))
            return false;
        out->at[out->n++] = field;
    }
    return true;
}

struct span field_of(const struct fields *fields, const char *name)
{
    struct span value = {0};

    for (size_t i = 0; i < fields->n; i++)
        if (span_eq(fields->at[i].name, span_of(name)))
            value = fields->at[i].value;
    return value;
}

struct span field_text(const struct fields *fields, const char *name)
{
    struct span text = span_trim(field_of(fields, name));

    return text.len > 0 ? text : (struct span){0};
}
