/* An arena: memory in blocks, freed all at once. */
#include "base/base.h"

#include <stdalign.h>

enum { ARENA_BLOCK = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

static struct arena_block *new_block(size_t size, struct arena_block *next)
{
    struct arena_block *block = mem_alloc(sizeof *block + size);

    block->next = next;
    block->used = 0;
    block->size = size;
    return block;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t aligned = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);

    if (a->block == NULL || a->block->size - a->block->used < aligned)
        a->block = new_block(aligned > ARENA_BLOCK ? aligned : ARENA_BLOCK, a->block);
    void *place = a->block->bytes + a->block->used;
    a->block->used += aligned;
    return place;
}

struct span arena_copy(struct arena *a, struct span s)
{
    char *copy = arena_alloc(a, s.len);

    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    return (struct span){copy, s.len};
}

char *arena_text(struct arena *a, struct span s)
{
    char *copy = arena_alloc(a, s.len + 1);

    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

void arena_reset(struct arena *a)
{
    if (a->block == NULL)
        return;
    struct arena_block *rest = a->block->next;
    while (rest != NULL) {
        struct arena_block *next = rest->next;
        mem_free(rest);
        rest = next;
    }
    a->block->next = NULL;
    a->block->used = 0;
}

void arena_clear(struct arena *a)
{
    arena_reset(a);
    mem_free(a->block);
    a->block = NULL;
}
