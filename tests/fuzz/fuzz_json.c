/* The quick reader of JSON against jansson: what it reads, jansson reads as the same. */
#include "fetch/json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read without objects in memory is what they have; of two members of one name they have the last. */
static void check_flat(const struct json_flat *flat, const json_t *object)
{
    for (size_t i = 0; i < flat->members.n; i++) {
        struct span name = flat->members.at[i].name;
        struct json_value got = flat->members.at[i].value;
        struct json_value want = json_value_of(json_object_getn(object, name.ptr, name.len));
        bool is_last = true;
        for (size_t k = i + 1; k < flat->members.n; k++)
            is_last = is_last && !span_eq(flat->members.at[k].name, name);
        if (is_last && (got.type != want.type || got.integer != want.integer || got.real != want.real ||
                        (got.type == JSON_STRING && !span_eq(got.text, want.text)) ||
                        (got.type == JSON_ARRAY && span_trim(got.text).len > 0) != (json_array_size(want.json) > 0)))
            abort();
    }
    if (!json_is_object(object) || flat->members.n < json_object_size(object))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span bytes = {(const char *)data, size};
    json_t *quick = json_read_plain(bytes);
    struct json_flat flat = {0};

    if (json_read_flat(&flat, bytes))
        check_flat(&flat, quick);
    json_flat_clear(&flat);
    if (quick != NULL) {
        json_t *slow = json_loadb(bytes.ptr, bytes.len, JSON_ALLOW_NUL, NULL);
        if (slow == NULL || !json_equal(quick, slow))
            abort();
        json_decref(slow);
    }
    json_decref(quick);
    return 0;
}
