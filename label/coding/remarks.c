/* remarks: the reasons and notes of a coder, for the cells of a sheet. */
#include "label/coding/remarks.h"

#include "db/fragments.h"
#include "db/sql.h"
#include "label/coding/decisions.h"
#include "label/fragments.h"

/* Of each facet the reason of the last decision, unless a later no to the post withdrew it. The newest come last. */
SQL(REMARK_REASONS,
    "SELECT subject, reason FROM (SELECT *, " NEWEST " FROM decision AS d WHERE coder = :coder AND " COUNTS
    "  GROUP BY subject, facet) AS d WHERE reason <> '' AND NOT " WITHDRAWN(
        "d.post_id", "d.coder", "d.decided_at") " ORDER BY decided_at, decision_id");

enum status remarks_read(struct remarks *r, struct db *db, struct span coder, struct err *e)
{
    struct sql *reasons = SQL_REMARK_REASONS, *notes = db_notes(db, DB_NOTE, coder, 0);
    struct text_pairs_entry *entry;
    struct span subject, reason;
    struct db_note note;
    enum status status = ST_OK;

    remarks_clear(r);
    sql_bind_text(db, reasons, ":coder", coder);
    while (sql_next_into(db, reasons, &status, e, INTO(subject), INTO(reason))) {
        text_pairs_add(&r->reasons, arena_copy(&r->arena, subject), &entry);
        entry->value = arena_copy(&r->arena, reason);
    }
    while (db_note_next(db, notes, &note, &status, e)) {
        AT_END(buf_clear) struct buf text = {0};
        if (!text_pairs_add(&r->notes, arena_copy(&r->arena, note.subject), &entry)) {
            buf_add_span(&text, entry->value);
            buf_add_char(&text, '\n');
        }
        buf_add_span(&text, note.text);
        entry->value = arena_copy(&r->arena, buf_span(&text));
    }
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
    text_pairs_clear(&r->reasons);
    text_pairs_clear(&r->notes);
    arena_clear(&r->arena);
    *r = (struct remarks){0};
}
