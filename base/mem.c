/* mem: memory that is never refused: without it the process ends; arenas and arrays of it. */
#include "base/base.h"

#include <stdalign.h>

void mem_lacking(size_t size)
{
    fprintf(stderr, "ppmine: error: out of memory (%zu bytes wanted)\n", size);
    exit(ST_IO);
}

void *mem_alloc(size_t size)
{
    void *block = malloc(size > 0 ? size : 1);

    if (block == NULL)
        mem_lacking(size);
    return block;
}

void *mem_zero(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

    if (block == NULL)
        mem_lacking(size);
    return block;
}

void *mem_resize(void *block, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        mem_lacking(SIZE_MAX);
    size_t bytes = count * size;
    void *resized = realloc(block, bytes > 0 ? bytes : 1);
    if (resized == NULL)
        mem_lacking(bytes);
    return resized;
}

char *mem_text(struct span s)
{
    char *text = mem_alloc(s.len + 1);

    if (s.len > 0)
        memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    return text;
}

char *mem_addf(const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_add_char(&text, '\0');
    return text.ptr;
}

void mem_free(void *block)
{
    free(block);
}

void mem_end(void *pointer)
{
    void *block;

    memcpy(&block, pointer, sizeof block);
    mem_free(block);
}

void mem_exceeded(const char *what, size_t max)
{
    fprintf(stderr, "ppmine: error: more than %zu %s\n", max, what);
    exit(ST_IO);
}

/* --- arenas: memory in blocks, freed all at once --- */

enum { ARENA_BLOCK = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
    size_t aligned = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);

    if (a->block == NULL || a->block->size - a->block->used < aligned) {
        size_t room = aligned > ARENA_BLOCK ? aligned : ARENA_BLOCK;
        struct arena_block *block = mem_alloc(sizeof *block + room);

        block->next = a->block;
        block->used = 0;
        block->size = room;
        a->block = block;
    }
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

struct span arena_addf(struct arena *a, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    return (struct span){arena_text(a, buf_span(&text)), text.len};
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

/* --- room in growing arrays --- */

void *array_grow(void *at, size_t n, size_t more, size_t *capacity, size_t size)
{
    enum { BYTES_AT_FIRST = 64 };
    size_t needed = more <= SIZE_MAX - n ? n + more : SIZE_MAX;
    size_t wanted = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;

    if (wanted < needed)
        wanted = needed;
    if (wanted * size < BYTES_AT_FIRST)
        wanted = BYTES_AT_FIRST / size;
    at = mem_resize(at, wanted, size);
    *capacity = wanted;
    return at;
}

void array_end(void *array)
{
    mem_end(array); /* its first member is the pointer to the elements */
}
