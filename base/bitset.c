/* A set of 32-bit numbers, in pages made when first needed. */
#include "base/bitset.h"

enum { PAGE_BITS = 18, PAGES = 1 << (32 - PAGE_BITS), PAGE_WORDS = (1 << PAGE_BITS) / 64 };

void bitset_add(struct bitset *b, uint32_t number)
{
    uint32_t page = number >> PAGE_BITS, bit = number & ((UINT32_C(1) << PAGE_BITS) - 1);

    if (b->pages == NULL)
        b->pages = mem_zero(PAGES, sizeof *b->pages);
    if (b->pages[page] == NULL)
        b->pages[page] = mem_zero(PAGE_WORDS, sizeof **b->pages);
    b->pages[page][bit / 64] |= UINT64_C(1) << bit % 64;
}

bool bitset_has(const struct bitset *b, uint32_t number)
{
    uint32_t page = number >> PAGE_BITS, bit = number & ((UINT32_C(1) << PAGE_BITS) - 1);

    if (b->pages == NULL || b->pages[page] == NULL)
        return false;
    return (b->pages[page][bit / 64] >> bit % 64 & 1) != 0;
}

void bitset_clear(struct bitset *b)
{
    for (size_t i = 0; b->pages != NULL && i < PAGES; i++)
        mem_free(b->pages[i]);
    mem_free(b->pages);
    b->pages = NULL;
}
