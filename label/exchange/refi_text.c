/* refi_text: texts of both directions of REFI-QDA. */
#include "label/exchange/refi_text.h"
#include "label/label.h"

const char *const refi_variables[] = {
    [REFI_POST_ID] = "post_id", [REFI_SITE] = "site", [REFI_POST_TYPE] = "post_type", [REFI_VARIABLES] = NULL};

struct span refi_path(struct arena *arena, struct span category, struct span name)
{
    const char *between = category.len > 0 && name.len > 0 ? CATEGORY_BETWEEN : "";

    return arena_addf(arena, "%.*s%s%.*s", SPAN_ARG(category), between, SPAN_ARG(name));
}

void refi_quote_add(struct buf *out, struct span words, size_t start, size_t end)
{
    buf_addf(out, "“%.*s” [body %zu-%zu]", SPAN_ARG(words), start, end);
}
