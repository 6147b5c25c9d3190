/* mem: memory that is never refused: without it the process ends. */
#include "base/base.h"

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

void mem_expect(size_t size)
{
    mem_free(mem_alloc(size));
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
