/* refi_text: quotes in reasons, and other texts of both directions of REFI-QDA. */
#include "label/exchange/refi_text.h"
#include "label/label.h"

const char *const refi_variables[] = {
    [REFI_POST_ID] = "post_id", [REFI_SITE] = "site", [REFI_POST_TYPE] = "post_type", [REFI_VARIABLES] = NULL};

struct span refi_path(struct arena *arena, struct span category, struct span name)
{
    const char *between = category.len > 0 && name.len > 0 ? CATEGORY_BETWEEN : "";

    return arena_addf(arena, "%.*s%s%.*s", SPAN_ARG(category), between, SPAN_ARG(name));
}

/* Takes " [body 12-17]" off *rest; false where it begins with no place. */
static bool read_place(struct span *rest, struct refi_quote *out)
{
    size_t close = span_find(*rest, SPAN("]"));
    uint64_t start, end;

    if (!span_starts(*rest, SPAN(" [")) || close == SIZE_MAX)
        return false;
    struct span place = {rest->ptr + 2, close - 2}, number;
    size_t blank = place.len;
    while (blank > 0 && place.ptr[blank - 1] != ' ')
        blank--;
    struct span numbers = span_after(place, blank);
    if (blank == 0 || !span_cut(&numbers, '-', &number) || !span_u64(number, UINT32_MAX, &start) ||
        !span_u64(numbers, UINT32_MAX, &end))
        return false;
    out->field = (struct span){place.ptr, blank - 1};
    out->start = start;
    out->end = end;
    *rest = span_after(*rest, close + 1);
    return true;
}

bool refi_quote_next(struct span *rest, struct refi_quote *out)
{
    size_t open = span_find(*rest, SPAN("“"));

    *out = (struct refi_quote){0};
    if (open == SIZE_MAX)
        return false;
    struct span words = span_after(*rest, open + strlen("“"));
    size_t close = span_find(words, SPAN("”"));
    if (close == SIZE_MAX)
        return false;
    out->words = (struct span){words.ptr, close};
    *rest = span_after(words, close + strlen("”"));
    (void)read_place(rest, out);
    return true;
}

void refi_quote_add(struct buf *out, struct span words, size_t start, size_t end)
{
    buf_addf(out, "“%.*s” [body %zu-%zu]", SPAN_ARG(words), start, end);
}
