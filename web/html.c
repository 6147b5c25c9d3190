/* html: pieces of HTML, each below its name in web/parts.html, are filled in. */
#include "base/log.h"
#include "web/site.h"

#include <pthread.h>

static const char BEGINS[] = "<!-- ", ENDS[] = " -->\n";

/* The text below "<!-- name -->", up to the next name. */
struct part {
    struct span name, text;
};

enum { PARTS_MAX = 128 };

static struct part parts[PARTS_MAX];
static size_t n_parts;
static pthread_once_t parts_read = PTHREAD_ONCE_INIT;

/* Once for all pages: a page may have a part in each of its rows. */
static void read_parts(void)
{
    struct span rest = SPAN("");

    for (size_t i = 0; i < web_file_count; i++)
        if (span_eq(web_files[i].name, SPAN("parts.html")))
            rest = web_files[i].content;
    while (n_parts < PARTS_MAX && span_starts(rest, span_of(BEGINS))) {
        rest = span_after(rest, strlen(BEGINS));
        size_t end = span_find(rest, SPAN("\n<!-- ")), name = span_find(rest, span_of(ENDS));
        struct span text = {rest.ptr, end != SIZE_MAX ? end + 1 : rest.len};
        if (name < text.len)
            parts[n_parts++] = (struct part){{text.ptr, name}, span_after(text, name + strlen(ENDS))};
        rest = span_after(rest, text.len);
    }
}

/* A fault of the program, which ends it: a page without its fields would be wrong. */
static void fail(struct span name, const char *what)
{
    log_error("part '%.*s' of web/parts.html: %s", SPAN_ARG(name), what);
    abort();
}

void html_add(struct buf *out, const struct span *texts, size_t n)
{
    struct span part = {0};
    size_t nth = 1;

    pthread_once(&parts_read, read_parts);
    for (size_t i = 0; i < n_parts && part.ptr == NULL; i++)
        if (span_eq(parts[i].name, texts[0]))
            part = parts[i].text;
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
