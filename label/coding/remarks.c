/* remarks: the reasons and notes of a coder, for the cells of a sheet. */
#include "label/coding/remarks.h"

#include "label/coding/decisions.h"

/* Events come in the order of time, so the last one of a subject and facet counts. */
static void add_event(struct remarks *r, const struct db_event *event)
{
    struct reason_map_entry *entry;

    if (event->undone || (event->value.len > 0 && event->value.ptr[0] == '{')) /* it undoes one */
        return;
    struct span key = arena_addf(&r->arena, "%.*s\n%.*s", SPAN_ARG(event->subject), SPAN_ARG(event->facet));
    reason_map_add(&r->given, key, &entry);
    entry->value.reason = event->reason.len > 0 ? arena_copy(&r->arena, event->reason) : SPAN("");
    entry->value.decided_at = arena_copy(&r->arena, event->decided_at);
    entry->value.place = ++r->n_events;
    if (!span_eq(event->value, SPAN("false")))
        return;
    struct text_pairs_entry *no;
    text_pairs_add(&r->noes, arena_copy(&r->arena, event->subject), &no);
    no->value = entry->value.decided_at;
}

/* A code that a later no to the post withdrew; times are of one length. */
static bool is_withdrawn(const struct remarks *r, const struct reason_map_entry *given)
{
    struct span rest = given->key, subject, post;
    const struct text_pairs_entry *no = span_cut(&rest, '\n', &subject) && span_cut(&subject, '_', &post)
                                            ? text_pairs_find(&r->noes, post)
                                            : NULL;

    return no != NULL && memcmp(no->value.ptr, given->value.decided_at.ptr, no->value.len) > 0;
}

struct placed {
    struct span subject, reason;
    size_t place;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->place > y->place) - (x->place < y->place);
}

/* Of the facets of a subject, the reason that was given last. */
static void choose_reasons(struct remarks *r)
{
    size_t n = 0;
    AT_END(mem_end) struct placed *order = mem_zero(r->given.n + 1, sizeof *order);

    for (size_t i = 0; i < r->given.n; i++) {
        const struct reason_map_entry *given = &r->given.at[i];
        struct span rest = given->key;
        order[n] = (struct placed){.reason = given->value.reason, .place = given->value.place};
        n += order[n].reason.len > 0 && !is_withdrawn(r, given) && span_cut(&rest, '\n', &order[n].subject);
    }
    qsort(order, n, sizeof *order, by_place);
    for (size_t i = 0; i < n; i++) {
        struct text_pairs_entry *entry;
        text_pairs_add(&r->reasons, order[i].subject, &entry);
        entry->value = order[i].reason;
    }
}

static void add_note(struct remarks *r, const struct db_note *note)
{
    struct text_pairs_entry *entry = text_pairs_find(&r->notes, note->subject);
    AT_END(buf_clear) struct buf text = {0};

    if (entry == NULL) {
        text_pairs_add(&r->notes, arena_copy(&r->arena, note->subject), &entry);
    } else {
        buf_add_span(&text, entry->value);
        buf_add_char(&text, '\n');
    }
    buf_add_span(&text, note->text);
    entry->value = arena_copy(&r->arena, buf_span(&text));
}

enum status remarks_read(struct remarks *r, struct db *db, struct span coder, struct err *e)
{
    struct sql *events = db_events(db, coder, 0), *notes = db_notes(db, DB_NOTE, coder, 0);
    struct db_event event;
    struct db_note note;
    enum status status = ST_OK;

    remarks_clear(r);
    while (db_event_next(db, events, &event, &status, e))
        add_event(r, &event);
    while (db_note_next(db, notes, &note, &status, e))
        add_note(r, &note);
    choose_reasons(r);
    return status;
}

static struct span find(const struct text_pairs *map, struct span subject)
{
    const struct text_pairs_entry *entry = text_pairs_find(map, subject);

    return entry != NULL ? entry->value : SPAN("");
}

struct span remarks_reason(const struct remarks *r, struct span subject)
{
    return find(&r->reasons, subject);
}

struct span remarks_note(const struct remarks *r, struct span subject)
{
    return find(&r->notes, subject);
}

void remarks_clear(struct remarks *r)
{
    reason_map_clear(&r->given);
    text_pairs_clear(&r->reasons);
    text_pairs_clear(&r->notes);
    text_pairs_clear(&r->noes);
    arena_clear(&r->arena);
    *r = (struct remarks){0};
}
