/* html: pieces of HTML, each below its name in web/parts.html, are filled in. */
#include "base/log.h"
#include "web/site.h"

static const char BEGINS[] = "<!-- ", ENDS[] = " -->\n";

/* The text below "<!-- name -->", up to the next name; ptr NULL: there is none. */
static struct span find_part(struct span name)
{
    struct span rest = {0}, text;

    for (size_t i = 0; i < web_file_count; i++)
        if (span_eq(web_files[i].name, SPAN("parts.html")))
            rest = web_files[i].content;
    while (span_starts(rest, span_of(BEGINS))) {
        rest = (struct span){rest.ptr + strlen(BEGINS), rest.len - strlen(BEGINS)};
        bool found = rest.len > name.len + strlen(ENDS) && span_starts(rest, name) &&
                     memcmp(rest.ptr + name.len, ENDS, strlen(ENDS)) == 0;
        size_t at = span_find(rest, SPAN("\n<!-- "));
        text = (struct span){rest.ptr, at != SIZE_MAX ? at + 1 : rest.len};
        rest = (struct span){rest.ptr + text.len, rest.len - text.len};
        if (found)
            return (struct span){text.ptr + name.len + strlen(ENDS), text.len - name.len - strlen(ENDS)};
    }
    return (struct span){0};
}

/* A fault of the program, which ends it: a page without its fields would be wrong. */
static void fail(struct span name, const char *what)
{
    log_error("part '%.*s' of web/parts.html: %s", SPAN_ARG(name), what);
    abort();
}

void html_add(struct buf *out, const struct span *texts, size_t n)
{
    struct span part = find_part(texts[0]);
    size_t nth = 1;

    if (part.ptr == NULL)
        fail(texts[0], "there is none");
    for (size_t i = 0; i < part.len; i++)
        if (part.ptr[i] == '{' && i + 1 < part.len && part.ptr[i + 1] == '}') {
            if (nth == n)
                fail(texts[0], "more fields than texts");
            page_text(out, "", texts[nth++], "");
            i++;
        } else if (part.ptr[i] == '\\' && i + 1 < part.len && part.ptr[i + 1] == '\n') {
            i++;
        } else {
            buf_add_char(out, part.ptr[i]);
        }
    if (nth != n)
        fail(texts[0], "fewer fields than texts");
}

struct span html_number(struct visit *v, int64_t number)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)number);

    return arena_copy(&v->arena, (struct span){digits, (size_t)n});
}
