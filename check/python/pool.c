/* Blocks of fixed sizes out of large pieces, with a list of free ones for each size. */
#include "check/python/pool.h"

#include <setjmp.h>

enum {
    STEP = 16, /* sizes up to SMALL_MAX are multiples of it */
    SMALL_MAX = 1024,
    N_SMALL = SMALL_MAX / STEP,
    N_LARGE = 9, /* 2048, 4096, … POOL_BLOCK_MAX */
    N_CLASSES = N_SMALL + N_LARGE,
    PIECE_SIZE = 2 << 20,
    PIECES_KEPT = 4
};

/* Stands before each block. */
struct head {
    struct pool *pool; /* NULL: from the heap */
    size_t size;       /* from the heap: its bytes; otherwise its class */
};

/* A free block: where the next one of its size is. */
struct vacant {
    struct vacant *next;
};

struct piece {
    struct piece *next;
    char bytes[];
};

struct pool {
    struct piece *pieces; /* the first is being used up */
    struct piece *spare;  /* empty ones */
    char *at, *end;
    struct vacant *vacant[N_CLASSES];
    size_t n_pieces, pieces_max;
    jmp_buf out; /* of pool_run */
};

static _Thread_local struct pool *current;

static size_t class_of(size_t size)
{
    size_t class = N_SMALL, bytes = (size_t)SMALL_MAX * 2;

    if (size <= SMALL_MAX)
        return size == 0 ? 0 : (size - 1) / STEP;
    while (class < N_CLASSES && size > bytes) {
        class ++;
        bytes *= 2;
    }
    return class;
}

static size_t class_size(size_t class)
{
    return class < N_SMALL ? (class + 1) * STEP : (size_t)SMALL_MAX << (class - N_SMALL + 1);
}

static struct head *carve(struct pool *p, size_t class)
{
    size_t need = sizeof(struct head) + class_size(class);

    if ((size_t)(p->end - p->at) < need) {
        struct piece *piece = p->spare;
        if (p->n_pieces >= p->pieces_max)
            longjmp(p->out, 1);
        p->n_pieces++;
        if (piece == NULL)
            piece = mem_alloc(sizeof *piece + PIECE_SIZE);
        else
            p->spare = piece->next;
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

    if (p == NULL) {
        size = size > SIZE_MAX / 2 ? SIZE_MAX / 2 : size; /* which mem_alloc refuses with words */
        struct head *head = mem_alloc(sizeof *head + size);
        *head = (struct head){.size = size};
        return head + 1;
    }
    if (size > POOL_BLOCK_MAX)
        longjmp(p->out, 1);
    size_t class = class_of(size);
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
    if (head->pool == NULL) {
        mem_free(head);
        return;
    }
    struct vacant *vacant = block;
    vacant->next = head->pool->vacant[head->size];
    head->pool->vacant[head->size] = vacant;
}

void *pool_realloc(void *block, size_t size)
{
    if (block == NULL)
        return pool_malloc(size);
    const struct head *head = (struct head *)block - 1;
    size_t capacity = head->pool == NULL ? head->size : class_size(head->size);
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

bool pool_run(struct pool *p, size_t bytes_max, pool_work *work, void *ctx)
{
    p->pieces_max = p->n_pieces + bytes_max / PIECE_SIZE + 1;
    current = p;
    bool done = setjmp(p->out) == 0;
    if (done)
        work(ctx);
    current = NULL;
    return done;
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
    p->n_pieces = 0;
    p->at = p->end = NULL;
    memset(p->vacant, 0, sizeof p->vacant);
}

void pool_free(struct pool *p)
{
    if (p == NULL)
        return;
    pool_reset(p);
    free_pieces(p->spare);
    mem_free(p);
}
