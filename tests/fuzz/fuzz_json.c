/* The quick reader of JSON against jansson: what it reads, jansson reads as the same. */
#include "fetch/json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span bytes = {(const char *)data, size};
    json_t *quick = json_read_plain(bytes);

    if (quick != NULL) {
        json_t *slow = json_loadb(bytes.ptr, bytes.len, JSON_ALLOW_NUL, NULL);
        if (slow == NULL || !json_equal(quick, slow))
            abort();
        json_decref(slow);
    }
    json_decref(quick);
    return 0;
}
