/* html: pieces of HTML, each below its name in web/parts.html, are filled in. */
#include "base/log.h"
#include "web/site.h"

static const char BEGINS[] = "<!-- ", ENDS[] = " -->\n";

static struct span after(struct span text, size_t n)
{
    return (struct span){text.ptr + n, text.len - n};
}

/* The text below "<!-- name -->", up to the next name; ptr NULL: there is none. */
static struct span find_part(struct span name)
{
    struct span rest = SPAN("");

    for (size_t i = 0; i < web_file_count; i++)
        if (span_eq(web_files[i].name, SPAN("parts.html")))
            rest = web_files[i].content;
    while (span_starts(rest, span_of(BEGINS))) {
        rest = after(rest, strlen(BEGINS));
        size_t end = span_find(rest, SPAN("\n<!-- "));
        struct span text = {rest.ptr, end != SIZE_MAX ? end + 1 : rest.len};
        if (span_starts(text, name) && span_starts(after(text, name.len), span_of(ENDS)))
            return after(text, name.len + strlen(ENDS));
        rest = after(rest, text.len);
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
