/* text_from_html on any bytes: separators stand single and only between words, valid UTF-8 stays
 * valid, and no text is longer than its HTML. */
#include "base/utf8.h"
#include "stem/stem.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\n';
}

static void check(struct span html, enum text_options options, bool valid)
{
    struct buf out = {0};

    text_from_html(&out, html, options);
    require(out.len <= html.len);
    require(!valid || utf8_valid_prefix(buf_span(&out)) == out.len);
    for (size_t i = 0; i < out.len; i++) {
        bool inside = i > 0 && i + 1 < out.len;
        require(!is_separator(out.ptr[i]) || (inside && !is_separator(out.ptr[i - 1])));
        require(out.ptr[i] != '\0' && out.ptr[i] != '\t' && out.ptr[i] != '\r');
    }
    buf_clear(&out);
}

/* What a person reads has nothing that steers a terminal, but for line ends. */
static void check_readable(struct span html)
{
    struct buf out = {0};
    uint32_t c;

    text_readable(&out, html, 80);
    require(utf8_valid_prefix(buf_span(&out)) == out.len);
    for (size_t i = 0; i < out.len;) { /* of nothing there is no pointer to add to */
        i += utf8_decode(out.ptr + i, out.ptr + out.len, &c);
        require(c == '\n' || (c >= ' ' && (c < 0x7f || c >= 0xa0)));
    }
    buf_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span html = {(const char *)data, size};
    bool valid = utf8_valid_prefix(html) == size;

    check(html, TEXT_PLAIN, valid);
    check(html, TEXT_INCLUDE_CODE, valid);
    check(html, TEXT_ONLY_CODE, valid);
    check_readable(html);
    return 0;
}
