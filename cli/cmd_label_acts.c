/* label history and undo: what was decided, when, with which codebook; the last act is taken back. */
#include "cli/options.h"
#include "label/coding/decisions.h"
#include "label/label.h"
#include "base/table/table.h"
#include "base/log.h"

/* --- label history --- */

struct history {
    struct table table;
    struct ARRAY_OF(struct db_note) notes;
    size_t n_shown; /* of the notes */
    struct arena arena;
};

/* Those written before a time; ptr NULL: the rest. */
static void add_notes(struct history *h, struct span before)
{
    for (; h->n_shown < h->notes.n; h->n_shown++) {
        const struct db_note *note = &h->notes.at[h->n_shown];
        if (before.ptr != NULL && span_order(note->written_at, before) >= 0)
            break;
        table_add_row(&h->table, table_text(note->written_at), table_text(note->coder), table_text(note->subject),
                      table_text(SPAN("note")), table_text(note->text), table_absent(), table_absent(), table_absent(),
                      table_absent());
    }
}

static enum status run_label_history(struct invocation *in, struct err *e)
{
    const char *known = option_or(in->values.coder, getenv("PPMINE_CODER"));
    int64_t post_id = 0;
    AT_END(buf_clear) struct buf name = {0};
    struct span coder = {0}; /* ptr NULL: all coders */
    struct history h = {.n_shown = 0};
    struct db_note note;
    struct db_event event;
    enum status status = ST_OK;

    if (in->values.all_coders && in->values.coder != NULL)
        status = usage_error(in, e, "--coder or --all-coders, not both");
    else if (!in->values.all_coders && (known == NULL || known[0] == '\0'))
        status = usage_error(in, e,
                             "whose decisions? Give --coder NAME, or --all-coders once the coders may see each"
                             " other's");
    else if (!in->values.all_coders)
        status = coder_option(in, &name, e);
    if (name.len > 0)
        coder = buf_span(&name);
    table_init(&h.table, "label-history", "Decisions",
               "decided_at; coder; subject; facet; value <60; codebook_version int; undone; "
               "reason <60; assisted_by");
    if (status == ST_OK && in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &post_id))
        status = usage_error(in, e, "'%s': expected the id of a post", in->operands[0]);
    if (status == ST_OK && coder.ptr != NULL)
        status = coder_must_exist(in->db, coder, e);
    struct sql *notes = db_notes(in->db, DB_NOTE, coder, post_id), *events = db_events(in->db, coder, post_id);
    while (db_note_next(in->db, notes, &note, &status, e))
        array_add(&h.notes, (struct db_note){arena_copy(&h.arena, note.written_at), arena_copy(&h.arena, note.coder),
                                             arena_copy(&h.arena, note.subject), arena_copy(&h.arena, note.text)});
    while (db_event_next(in->db, events, &event, &status, e)) {
        add_notes(&h, event.decided_at);
        table_add_row(&h.table, table_text(event.decided_at), table_text(event.coder), table_text(event.subject),
                      table_text(event.facet), table_text(event.value), table_int(event.codebook_version),
                      table_text(event.undone ? SPAN("yes") : (struct span){0}), table_text(event.reason),
                      table_text(event.assisted_by));
    }
    if (status == ST_OK)
        add_notes(&h, (struct span){0});
    status = table_end(&h.table, status, &in->out);
    array_clear(&h.notes);
    arena_clear(&h.arena);
    return status;
}

const struct command command_label_history = {
    .name = "label history",
    .summary = "List decisions and notes: what, when, and with which codebook",
    .operands = "[POST]",
    .options = OPTIONS(
        CODER_OPTION, FLAG("all-coders", all_coders, "list the decisions of all coders; not for coders who code blind"),
        OUTPUT_OPTIONS),
    .description = "Prints every decision and note, the oldest first, including decisions that were undone.",
    .examples = EXAMPLES({"ppmine label history --coder ann", NULL},
                         {"ppmine label history --all-coders 48051647", "all decisions about a post"}),
    .nothing = "there is no decision",
    .needs = NEEDS_DB_READ,
    .run = run_label_history,
};

/* --- label undo --- */

enum { SAID_MAX = 20 }; /* an import may have thousands */

static void say_undone(void *ctx, const struct db_act *act)
{
    if (++*(size_t *)ctx > SAID_MAX)
        return;
    log_info("undone: %.*s, %.*s: %.*s, of %.*s", SPAN_ARG(act->subject), SPAN_ARG(act->facet), SPAN_ARG(act->value),
             SPAN_ARG(act->decided_at));
}

static enum status run_label_undo(struct invocation *in, struct err *e)
{
    AT_END(buf_clear) struct buf coder = {0};
    int64_t post_id = 0;
    size_t place = (size_t)in->values.act, n = 0;
    enum status status = coder_option(in, &coder, e);

    if (status == ST_OK && in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &post_id))
        status = usage_error(in, e, "'%s': expected the id of a post", in->operands[0]);
    THEN(status, coder_must_exist(in->db, buf_span(&coder), e));
    THEN(status, db_decision_undo(in->db, buf_span(&coder), post_id, place - 1, say_undone, &n, e));
    if (status == ST_NO)
        log_info("nothing to undo");
    if (status == ST_OK && n > SAID_MAX)
        log_info("undone: %zu decisions, of which these are the first %d", n, SAID_MAX);
    return status;
}

const struct command command_label_undo = {
    .name = "label undo",
    .summary = "Undo a coder's last act",
    .operands = "[POST]",
    .options = OPTIONS(CODER_OPTION,
                       NUMBER("act", act, "N", 1, 1000000, 1, "undo the Nth last act instead (1: the last)")),
    .description = "An act is everything that one `label set` decided about a post, or everything that one\n"
                   "`label import` decided (with --keep-times, each post is one act). With POST, only the\n"
                   "decisions about that post are undone. The previous decisions become current again. Run it\n"
                   "again to undo the act before. Nothing is erased: `label history` shows all.",
    .examples = EXAMPLES({"ppmine label undo --coder ann", NULL},
                         {"ppmine label undo --coder ann 65160023", "the last act about this post"}),
    .nothing = "there is nothing to undo",
    .needs = NEEDS_DB_WRITE,
    .run = run_label_undo,
};
