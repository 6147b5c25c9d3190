/* quote: words of a post that a reason quotes, with their place: “words” [body 12-17]. */
#include "label/label.h"

#include "base/utf8.h"

/* Takes " [body 12-17]" off *rest; false where it begins with no place. */
static bool read_place(struct span *rest, struct quote *out)
{
    size_t close = span_starts(*rest, SPAN(" [")) ? span_find(*rest, SPAN("]")) : SIZE_MAX;
    uint64_t start, end;

    if (close == SIZE_MAX)
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

/* Where the words end: at the mark in front of a place, since they may contain such marks; else at the one that closes
 * the first. SIZE_MAX: nowhere. */
static size_t closing(struct span words)
{
    size_t depth = 1, first = SIZE_MAX;

    for (size_t i = 0; i < words.len; i++) {
        struct span at = span_after(words, i);
        bool opens = span_starts(at, SPAN("“"));
        if (opens && first != SIZE_MAX) /* the next quote */
            return first;
        depth += opens;
        if (!span_starts(at, SPAN("”")))
            continue;
        struct span rest = span_after(at, strlen("”"));
        if (read_place(&rest, &(struct quote){0}))
            return i;
        depth -= depth > 0;
        first = depth == 0 && first == SIZE_MAX ? i : first;
    }
    return first;
}

bool quote_next(struct span *rest, struct quote *out)
{
    size_t open = span_find(*rest, SPAN("“"));

    *out = (struct quote){0};
    if (open == SIZE_MAX)
        return false;
    struct span words = span_after(*rest, open + strlen("“"));
    size_t close = closing(words);
    if (close == SIZE_MAX)
        return false;
    out->words = (struct span){words.ptr, close};
    *rest = span_after(words, close + strlen("”"));
    (void)read_place(rest, out);
    return true;
}

/* Where the words end that the text begins with, white space apart; SIZE_MAX: it begins with others. */
static size_t words_end(struct span text, struct span words)
{
    size_t i = 0;

    for (size_t k = 0; k < words.len; k++) {
        if (ascii_is_space(words.ptr[k]))
            continue;
        while (i < text.len && i > 0 && ascii_is_space(text.ptr[i]))
            i++;
        if (i == text.len || text.ptr[i] != words.ptr[k])
            return SIZE_MAX;
        i++;
    }
    return i > 0 ? i : SIZE_MAX;
}

bool words_find(struct span text, struct span words, size_t *start, size_t *end)
{
    for (*start = 0; *start < text.len; ++*start) {
        size_t n = words_end(span_after(text, *start), words);
        *end = *start + n;
        if (n != SIZE_MAX)
            return true;
    }
    return false;
}

bool quote_find(const struct quote *quote, struct span text, size_t *start, size_t *end)
{
    *start = quote->start;
    *end = quote->end;
    if (quote->field.ptr == NULL || *start >= *end || *end > text.len ||
        utf8_whole((struct span){text.ptr, *start}) != *start || utf8_whole((struct span){text.ptr, *end}) != *end)
        return words_find(text, quote->words, start, end);
    /* Of a long passage a reason has the first words. */
    size_t n = words_end((struct span){text.ptr + *start, *end - *start}, quote->words);
    return n != SIZE_MAX || words_find(text, quote->words, start, end);
}
