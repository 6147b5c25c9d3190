/* Any line as an NDJSON post. */
#include "fetch/fetch.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct post post;
    const char *why = NULL;

    if (ndjson_post((struct span){(const char *)data, size}, &arena, &post, &why)) {
        if (post.post_id < 1 || post.post_id > POST_ID_MAX ||
            utf8_valid_prefix(post.title) < post.title.len ||
            utf8_valid_prefix(post.body_html) < post.body_html.len)
            abort();
    } else if (why == NULL) {
        abort();
    }
    arena_clear(&arena);
    return 0;
}
