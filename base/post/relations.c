/* relations: those of a post, and what they are called. */
#include "base/post/relations.h"

const char *const post_relation_names[] = {
    [POST_SIMILAR] = "similar", [POST_LINKED] = "linked", [POST_DUPLICATE] = "duplicate"};

void post_relations_clear(struct post_relations *r)
{
    array_clear(&r->all);
}

const struct post_relation *post_relations_of(const struct post_relations *r, int64_t post_id, size_t *n)
{
    size_t low = 0, high = r->all.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->all.at[middle].post_id < post_id)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; low + *n < r->all.n && r->all.at[low + *n].post_id == post_id;)
        ++*n;
    return *n > 0 ? r->all.at + low : NULL;
}
