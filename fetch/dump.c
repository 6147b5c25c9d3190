/*
 * The pipeline: blocks of whole rows are read in order, scanned by any thread, and taken in order.
 *
 *   free ──fill (one thread at a time)──> filled ──scan──> scanned ──take (dump_read's)──> free
 *
 * A block ends where its last row begins, and that piece goes to the next block. If this place proves to be inside a
 * comment, the next block is scanned again with this knowledge.
 */
#include "fetch/encoding.h"
#include "fetch/row.h"
#include "fetch/scan.h"

#include <unistd.h>

enum { BLOCK_SIZE = 1024 * 1024, THREADS_MAX = 64 };

enum slot_state { SLOT_FREE, SLOT_FILLED, SLOT_SCANNED };

struct slot {
    enum slot_state state;
    struct dump_block block;
    struct dump_scan scan;
    struct buf bytes;
    enum status status; /* of reading it; with an error, what was read before is there */
    struct err err;
};

struct pipeline {
    const struct dump_handler *handler;
    const struct dump_options *options;
    struct encoded_source source;
    pthread_mutex_t lock;   /* guards everything below but what `filling` owns */
    pthread_cond_t turn;    /* a slot is free, or nobody is filling: a worker may go on */
    pthread_cond_t scanned; /* the block that is taken next may be there */
    bool filling;           /* a thread is reading; it owns source, source_ended, carry and offset */
    bool stop;              /* no block is wanted any more */
    bool at_end;            /* the last block was filled */
    bool source_ended;
    struct buf carry;
    uint64_t offset; /* of the carry in the stream */
    uint64_t filled; /* blocks so far */
    uint64_t taken;
    struct slot *slots;
    size_t n_slots;
    unsigned taker; /* the worker number of dump_read's thread */
};

bool dump_next(struct dump_block *b, struct row *row)
{
    return scan_next(b->scan_state, &b->arena, row);
}

void dump_refuse(struct dump_block *b, const struct row *row, const char *why)
{
    b->scan_state->rows--;
    scan_note(b->scan_state, row->offset, row->id, why);
}

unsigned dump_workers(const struct dump_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = options->threads;

    if (threads == 0)
        threads = processors > 0 ? (unsigned)processors : 1;
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    return threads + 1; /* and the one that takes */
}

/* --- filling a block --- */

/* Reads into the slot until it has `size` bytes or the source ends, or fails: slot->status. */
static void read_more(struct pipeline *p, struct slot *slot, size_t size)
{
    while (slot->bytes.len < size && !p->source_ended) {
        size_t got = 0;
        buf_reserve(&slot->bytes, size - slot->bytes.len);
        slot->status = encoded_read(&p->source, slot->bytes.ptr + slot->bytes.len, size - slot->bytes.len, &got,
                                    &slot->err);
        slot->bytes.len += got;
        p->source_ended = got == 0;
    }
}

/* Where the last row in the bytes begins, 0 when there is none but at the beginning. */
static size_t last_row(struct span bytes)
{
    struct span mark = SPAN("<row");
    size_t end = bytes.len;

    while (end > 0) {
        const char *found = memrchr(bytes.ptr, '<', end);
        if (found == NULL)
            return 0;
        end = (size_t)(found - bytes.ptr);
        if (span_starts((struct span){found, bytes.len - end}, mark))
            return end;
    }
    return 0;
}

static void drop_bytes(struct slot *slot, size_t at, size_t n)
{
    memmove(slot->bytes.ptr + at, slot->bytes.ptr + at + n, slot->bytes.len - at - n);
    slot->bytes.len -= n;
    slot->scan.offset += n;
}

/* Drops bytes until a row begins: the one in the slot is longer than DUMP_ROW_MAX. */
static void drop_long_row(struct pipeline *p, struct slot *slot)
{
    size_t found = SIZE_MAX;

    scan_note(&slot->scan, slot->scan.offset, row_first_id(buf_span(&slot->bytes)), ROW_TOO_LONG);
    while (found == SIZE_MAX && !p->source_ended) {
        /* Three bytes stay, in case they begin a "<row". */
        size_t gone = slot->bytes.len - (slot->bytes.len < 3 ? slot->bytes.len : 3);
        drop_bytes(slot, 0, gone);
        read_more(p, slot, BLOCK_SIZE);
        found = span_find(buf_span(&slot->bytes), SPAN("<row"));
    }
    if (found == SIZE_MAX) { /* the end tag of the root element, if it is there */
        const char *last = slot->bytes.len > 0 ? memrchr(slot->bytes.ptr, '<', slot->bytes.len) : NULL;
        found = last != NULL ? (size_t)(last - slot->bytes.ptr) : slot->bytes.len;
    }
    drop_bytes(slot, 0, found);
}

/* What is not a row, and how it ends. */
static const struct markup {
    struct span begin, end;
} markups[] = {
    {{"<!--", 4}, {"-->", 3}},
    {{"<![CDATA[", 9}, {"]]>", 3}},
    {{"<?", 2}, {"?>", 2}},
};

static struct span rest_of(const struct slot *slot, size_t at)
{
    return (struct span){slot->bytes.ptr + at, slot->bytes.len - at};
}

/* The first comment or the like in the slot that does not end in it, at *at; NULL: there is none. */
static const struct markup *open_markup(const struct slot *slot, size_t *at)
{
    const struct markup *first = NULL;

    for (size_t i = 0; i < ARRAY_LEN(markups); i++) {
        size_t begin = span_find(rest_of(slot, 0), markups[i].begin);
        if (begin == SIZE_MAX || (first != NULL && begin > *at) ||
            span_find(rest_of(slot, begin + markups[i].begin.len), markups[i].end) != SIZE_MAX)
            continue;
        first = &markups[i];
        *at = begin;
    }
    return first;
}

/* Drops a comment longer than any row, piece by piece, as it may not fit into memory. Leaves the beginning of one that
 * does not end, which the scan reports. */
static void drop_long_markup(struct pipeline *p, struct slot *slot, const struct markup *m, size_t at)
{
    size_t inside = at + m->begin.len, found;

    while ((found = span_find(rest_of(slot, inside), m->end)) == SIZE_MAX && !p->source_ended) {
        /* Some bytes stay, in case they begin the end. */
        size_t n = slot->bytes.len - inside;
        drop_bytes(slot, inside, n < m->end.len ? 0 : n - m->end.len);
        read_more(p, slot, slot->bytes.len + BLOCK_SIZE);
    }
    if (found != SIZE_MAX)
        drop_bytes(slot, at, m->begin.len + found + m->end.len);
}

/* The end of the row at the beginning of the bytes, or of other markup that only blanks follow; 0: neither. */
static size_t end_of_first(struct span bytes)
{
    struct span values[ATTR_COUNT], text = bytes;
    bool twice;
    size_t len;

    if (span_starts(bytes, SPAN("<row")))
        return row_attributes(bytes, values, &len, &twice) ? len : 0;
    while (text.len > 0 && ascii_is_data_space(text.ptr[text.len - 1]))
        text.len--;
    return text.len > 0 && text.len < bytes.len && text.ptr[text.len - 1] == '>' ? text.len : 0;
}

/* Reads on until the slot holds whole rows; returns where they end. */
static size_t read_rows(struct pipeline *p, struct slot *slot)
{
    size_t size = BLOCK_SIZE, limit = DUMP_ROW_MAX + BLOCK_SIZE;

    for (;;) {
        read_more(p, slot, size);
        /* Takes blanks off the beginning of the slot: they may go on for longer than any row. */
        while (slot->bytes.len > 0 && ascii_is_data_space(slot->bytes.ptr[0])) {
            size_t n = 0;
            while (n < slot->bytes.len && ascii_is_data_space(slot->bytes.ptr[n]))
                n++;
            drop_bytes(slot, 0, n);
            read_more(p, slot, BLOCK_SIZE);
        }
        if (p->source_ended)
            return slot->bytes.len;
        size_t cut = last_row(buf_span(&slot->bytes));
        if (cut == 0 && slot->bytes.len >= limit)
            cut = end_of_first(buf_span(&slot->bytes));
        if (cut > 0)
            return cut;
        size_t begins = 0;
        const struct markup *open = slot->bytes.len < limit ? NULL : open_markup(slot, &begins);
        if (slot->bytes.len < limit) {
            size = 2 * slot->bytes.len < limit ? 2 * slot->bytes.len : limit;
        } else if (open != NULL && !span_starts(buf_span(&slot->bytes), SPAN("<row"))) {
            drop_long_markup(p, slot, open, begins);
            size = BLOCK_SIZE;
        } else if (p->filled == 0 && !span_starts(buf_span(&slot->bytes), SPAN("<row"))) {
            p->source_ended = true; /* something else: the scan says so, and no more is read */
            return slot->bytes.len;
        } else {
            drop_long_row(p, slot);
        }
    }
}

/* Fills a slot with whole rows; leaves the rest to the next one. */
static void fill(struct pipeline *p, struct slot *slot)
{
    slot->status = ST_OK;
    buf_set(&slot->bytes, buf_span(&p->carry));
    buf_reset(&p->carry);
    slot->scan.offset = p->offset;
    scan_begin(&slot->scan, (struct scan_place){p->filled == 0 ? PLACE_HEAD : PLACE_ROWS, NULL});
    size_t cut = read_rows(p, slot);
    buf_add(&p->carry, slot->bytes.ptr + cut, slot->bytes.len - cut);
    p->offset = slot->scan.offset + cut;
    slot->bytes.len = cut;
    slot->scan.bytes = buf_span(&slot->bytes);
    slot->scan.last = p->source_ended;
    slot->scan.fragment = p->options->fragment;
    slot->scan.is_piece = p->options->is_piece;
}

/* --- scanning --- */

static void scan_slot(struct pipeline *p, unsigned worker, struct slot *slot)
{
    slot->block.scan_state = &slot->scan;
    slot->block.rows.n = 0;
    buf_reset(&slot->block.out);
    arena_reset(&slot->block.arena);
    p->handler->scan(p->handler->ctx, worker, &slot->block);
}

struct worker {
    struct pipeline *pipeline;
    unsigned number;
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct pipeline *p = w->pipeline;

    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->stop && !p->at_end && (p->filling || p->slots[p->filled % p->n_slots].state != SLOT_FREE))
            pthread_cond_wait(&p->turn, &p->lock);
        if (p->stop || p->at_end)
            break;
        struct slot *slot = &p->slots[p->filled % p->n_slots];
        p->filling = true;
        pthread_mutex_unlock(&p->lock);
        fill(p, slot);
        pthread_mutex_lock(&p->lock);
        p->filling = false;
        p->filled++;
        slot->state = SLOT_FILLED;
        p->at_end = p->source_ended;
        if (p->at_end)
            pthread_cond_broadcast(&p->turn);
        else
            pthread_cond_signal(&p->turn);
        pthread_mutex_unlock(&p->lock);
        scan_slot(p, w->number, slot);
        pthread_mutex_lock(&p->lock);
        slot->state = SLOT_SCANNED;
        if (slot == &p->slots[p->taken % p->n_slots])
            pthread_cond_signal(&p->scanned);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* --- taking --- */

static int note_order(const void *a, const void *b)
{
    const struct scan_note *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* *place: where the block before ended, then where this one does. */
static enum status take_slot(struct pipeline *p, struct slot *slot, struct scan_place *place, struct dump_stats *stats,
                             struct err *e)
{
    struct dump_scan *scan = &slot->scan;

    /* The scan began with a wrong idea. (No rows follow the root element: it was not one.) */
    if (p->taken > 0 && (place->part == PLACE_HEAD || place->inside != NULL)) {
        scan_begin(scan, *place);
        scan_slot(p, p->taker, slot);
    }
    *place = scan->place;
    enum status status = p->handler->take(p->handler->ctx, &slot->block, e);
    array_sort(&scan->notes, note_order); /* those of scan, then those of take */
    for (size_t i = 0; i < scan->notes.n; i++)
        p->handler->refused(p->handler->ctx, scan->notes.at[i].offset, scan->notes.at[i].id, scan->notes.at[i].why);
    stats->refused += scan->notes.n;
    stats->rows += scan->rows;
    stats->watermarks += scan->watermarks;
    stats->bytes = scan->offset + scan->bytes.len;
    if (status != ST_OK)
        return status;
    if (slot->status != ST_OK) { /* not scan->fatal: what it found at the end follows from this */
        *e = slot->err;
        return slot->status;
    }
    if (scan->fatal == NULL)
        return ST_OK;
    return err_set(e, ST_INPUT, "%s: %s (byte %llu)", source_name(p->source.source), scan->fatal,
                   (unsigned long long)scan->fatal_offset);
}

/* --- the whole --- */

static void pipeline_clear(struct pipeline *p)
{
    for (size_t i = 0; i < p->n_slots; i++) {
        struct slot *slot = &p->slots[i];
        buf_clear(&slot->bytes);
        buf_clear(&slot->block.out);
        arena_clear(&slot->block.arena);
        array_clear(&slot->block.rows);
        scan_clear(&slot->scan);
    }
    mem_free(p->slots);
    buf_clear(&p->carry);
    encoded_close(&p->source);
    pthread_cond_destroy(&p->scanned);
    pthread_cond_destroy(&p->turn);
    pthread_mutex_destroy(&p->lock);
}

static enum status run_threads(struct pipeline *p, unsigned n, struct dump_stats *stats, struct err *e)
{
    struct worker workers[THREADS_MAX];
    struct scan_place place = {PLACE_HEAD, NULL};
    unsigned started = 0;
    enum status status = ST_OK;

    for (; started < n; started++) {
        workers[started] = (struct worker){.pipeline = p, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    if (started == 0)
        status = err_set(e, ST_IO, "cannot start a thread");
    while (status == ST_OK) { /* the next block in order */
        pthread_mutex_lock(&p->lock);
        struct slot *slot = &p->slots[p->taken % p->n_slots];
        while (slot->state != SLOT_SCANNED && !(p->at_end && !p->filling && p->taken == p->filled))
            pthread_cond_wait(&p->scanned, &p->lock);
        bool is_end = slot->state != SLOT_SCANNED;
        pthread_mutex_unlock(&p->lock);
        if (is_end)
            break;
        status = take_slot(p, slot, &place, stats, e);
        pthread_mutex_lock(&p->lock);
        slot->state = SLOT_FREE;
        p->taken++;
        pthread_cond_signal(&p->turn);
        pthread_mutex_unlock(&p->lock);
    }
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->turn);
    pthread_mutex_unlock(&p->lock);
    while (started > 0)
        pthread_join(workers[--started].thread, NULL);
    return status;
}

enum status dump_read(struct source *s, const struct dump_options *options, const struct dump_handler *handler,
                      struct dump_stats *stats, struct err *e)
{
    AT_END(pipeline_clear) struct pipeline p = {.handler = handler, .options = options, .offset = options->offset};
    unsigned threads = dump_workers(options) - 1;

    row_rewrite_prepare();
    p.taker = threads;
    *stats = (struct dump_stats){0};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.turn, NULL);
    pthread_cond_init(&p.scanned, NULL);
    p.n_slots = 2 * (size_t)threads + 2;
    p.slots = mem_zero(p.n_slots, sizeof *p.slots);
    enum status status = encoded_open(&p.source, s, e);
    return status == ST_OK ? run_threads(&p, threads, stats, e) : status;
}
