/* Blocks of fixed sizes out of large pieces, with a list of free ones for each size. */
#include "check/pool.h"

enum {
    STEP = 16,          /* sizes up to SMALL_MAX are multiples of it */
    SMALL_MAX = 1024,
    N_SMALL = SMALL_MAX / STEP,
    N_LARGE = 10,       /* 2048, 4096, … 1 MiB */
    N_CLASSES = N_SMALL + N_LARGE,
    HUGE = N_CLASSES,   /* a piece of its own */
    PIECE_SIZE = 2 << 20,
    PIECES_KEPT = 4
};

/* Stands before each block. */
struct head {
    struct pool *pool; /* NULL: from the heap */
    size_t class;
};

/* A free block: where the next one of its size is. */
struct vacant {
    struct vacant *next;
};

struct piece {
    struct piece *next;
    char bytes[];
};

/* A huge block, in a list so that the pool can drop it. */
struct huge {
    struct huge *next, *previous;
    size_t size;
    struct head head;
};

struct pool {
    struct piece *pieces; /* the first is being used up */
    struct piece *spare;  /* empty ones */
    char *at, *end;
    struct vacant *vacant[N_CLASSES];
    struct huge *huge;
};

static _Thread_local struct pool *current;

static size_t class_of(size_t size)
{
    size_t class = N_SMALL, bytes = (size_t)SMALL_MAX * 2;

    if (size <= SMALL_MAX)
        return size == 0 ? 0 : (size - 1) / STEP;
    while (class < N_CLASSES && size > bytes) {
        class++;
        bytes *= 2;
    }
    return class;
}

static size_t class_size(size_t class)
{
    return class < N_SMALL ? (class + 1) * STEP : (size_t)SMALL_MAX << (class - N_SMALL + 1);
}

static struct huge *huge_of(struct head *head)
{
    return (struct huge *)((char *)head - offsetof(struct huge, head));
}

static size_t capacity_of(struct head *head)
{
    return head->class == HUGE ? huge_of(head)->size : class_size(head->class);
}

static void *take_huge(struct pool *p, size_t size)
{
    if (size > SIZE_MAX / 2)
        size = SIZE_MAX / 2; /* which mem_alloc refuses with words */
    struct huge *huge = mem_alloc(sizeof *huge + size);

    *huge = (struct huge){.size = size, .head = {p, HUGE}};
    if (p != NULL) {
        huge->next = p->huge;
        if (p->huge != NULL)
            p->huge->previous = huge;
        p->huge = huge;
    }
    return huge + 1;
}

static void drop_huge(struct huge *huge)
{
    struct pool *p = huge->head.pool;

    if (huge->next != NULL)
        huge->next->previous = huge->previous;
    if (huge->previous != NULL)
        huge->previous->next = huge->next;
    else if (p != NULL)
        p->huge = huge->next;
    mem_free(huge);
}

static struct head *carve(struct pool *p, size_t class)
{
    size_t need = sizeof(struct head) + class_size(class);

    if ((size_t)(p->end - p->at) < need) {
        struct piece *piece = p->spare;
        if (piece != NULL)
            p->spare = piece->next;
        else
            piece = mem_alloc(sizeof *piece + PIECE_SIZE);
        piece->next = p->pieces;
        p->pieces = piece;
        p->at = piece->bytes;
        p->end = piece->bytes + PIECE_SIZE;
    }
    struct head *head = (struct head *)(void *)p->at;
    p->at += need;
    *head = (struct head){p, class};
    return head;
}

void *pool_malloc(size_t size)
{
    struct pool *p = current;
    size_t class = class_of(size);

    if (p == NULL || class == HUGE)
        return take_huge(p, size);
    struct vacant *block = p->vacant[class];
    if (block == NULL)
        return carve(p, class) + 1;
    p->vacant[class] = block->next;
    return block;
}

void *pool_calloc(size_t count, size_t size)
{
    size_t bytes = size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size;

    return memset(pool_malloc(bytes), 0, bytes);
}

void pool_release(void *block)
{
    if (block == NULL)
        return;
    struct head *head = (struct head *)block - 1;
    if (head->class == HUGE) {
        drop_huge(huge_of(head));
        return;
    }
    struct vacant *vacant = block;
    vacant->next = head->pool->vacant[head->class];
    head->pool->vacant[head->class] = vacant;
}

void *pool_realloc(void *block, size_t size)
{
    if (block == NULL)
        return pool_malloc(size);
    size_t capacity = capacity_of((struct head *)block - 1);
    if (size <= capacity)
        return block;
    void *bigger = pool_malloc(size);
    memcpy(bigger, block, capacity);
    pool_release(block);
    return bigger;
}

struct pool *pool_new(void)
{
    return mem_zero(1, sizeof(struct pool));
}

void pool_use(struct pool *p)
{
    current = p;
}

static void free_pieces(struct piece *piece)
{
    while (piece != NULL) {
        struct piece *next = piece->next;
        mem_free(piece);
        piece = next;
    }
}

void pool_reset(struct pool *p)
{
    size_t kept = 0;

    while (p->huge != NULL)
        drop_huge(p->huge);
    for (struct piece *spare = p->spare; spare != NULL; spare = spare->next)
        kept++;
    while (p->pieces != NULL && kept++ < PIECES_KEPT) {
        struct piece *piece = p->pieces;
        p->pieces = piece->next;
        piece->next = p->spare;
        p->spare = piece;
    }
    free_pieces(p->pieces);
    p->pieces = NULL;
    p->at = p->end = NULL;
    memset(p->vacant, 0, sizeof p->vacant);
}

void pool_free(struct pool *p)
{
    if (p == NULL)
        return;
    if (current == p)
        current = NULL;
    pool_reset(p);
    free_pieces(p->spare);
    mem_free(p);
}
