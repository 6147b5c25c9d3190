/* said: what one coder said about a post, as text and as JSON. */
#include "label/coding/said.h"

#include "base/day.h"
#include "base/visible.h"
#include "label/coding/decisions.h"

/* --- for people --- */

void said_add_problem(struct buf *out, const struct stored_codebook *book, const struct act_problem *problem)
{
    size_t n;
    const struct facet *facets = act_facets(book, &n);
    const char *separator = "";

    for (size_t i = 0; i < n; i++) {
        if (problem->codes[i].n == 0)
            continue;
        buf_add_text(out, separator);
        buf_add_clean(out, facets[i].name);
        for (size_t k = 0; k < problem->codes[i].n; k++) {
            buf_add_text(out, k > 0 ? " and " : " ");
            buf_add_clean(out, book->codebook.codes[problem->codes[i].at[k]].name);
        }
        separator = "; ";
    }
}

void said_add_text(struct buf *out, const struct stored_codebook *book, const struct act_said *said, int64_t post_id,
                   const char *indent)
{
    char id[POST_ID_TEXT_SIZE];

    if (said->is_judged)
        buf_addf(out, "%s%s: %s %s\n", indent, post_id_text(post_id, id), book->facets->items[FACET_JUDGES].option.ptr,
                 said->is_problem ? "yes" : "no");
    for (size_t i = 0; i < said->problems.n; i++) {
        buf_addf_clean(out, "%s%.*s: ", indent, SPAN_ARG(said->problems.at[i].subject));
        said_add_problem(out, book, &said->problems.at[i]);
        buf_add_char(out, '\n');
    }
}

enum status said_text(struct db *db, const struct stored_codebook *book, struct span coder, int64_t post_id,
                      struct buf *out, struct err *e)
{
    AT_END(act_said_clear) struct act_said said;
    struct db_note note;
    const char *before = "\nYour notes\n  ";
    enum status status = act_said_read(&said, db, book, coder, post_id, e);

    if (status == ST_OK && (said.is_judged || said.problems.n > 0)) {
        buf_add_text(out, "\nYour labels\n");
        said_add_text(out, book, &said, post_id, "  ");
    }
    for (struct sql *notes = db_notes(db, DB_NOTE, coder, post_id); db_note_next(db, notes, &note, &status, e);) {
        struct span day = day_of(note.written_at);
        buf_add_text(out, before);
        buf_addf_clean(out, "%.*s, %.*s: ", SPAN_ARG(day), SPAN_ARG(note.subject));
        buf_add_clean(out, note.text);
        buf_add_char(out, '\n');
        before = "  ";
    }
    return status;
}

/* --- models --- */

bool said_shows_models(const struct stored_codebook *book, bool suggests, const struct act_said *said,
                       struct span subject)
{
    size_t n;
    const struct facet *facets = act_facets(book, &n);
    bool complete = true, among = false;

    for (size_t i = 0; i < said->problems.n; i++) {
        among |= span_eq(said->problems.at[i].subject, subject);
        for (size_t k = 0; k < n; k++)
            complete &= !facets[k].required || said->problems.at[i].has[k];
    }
    return suggests || (said->is_judged && (!said->is_problem || (among && complete)));
}

enum status said_by_models(struct db *db, const struct stored_codebook *book, int64_t post_id, struct buf *out,
                           struct err *e)
{
    struct db_coder coder;
    enum status status = ST_OK;

    while (db_coder_next(db, &coder, &status, e)) {
        AT_END(act_said_clear) struct act_said said = {.is_judged = false};
        if (coder_is_model(coder.coder))
            status = act_said_read(&said, db, book, coder.coder, post_id, e);
        if (said.is_judged) {
            buf_add_clean(out, coder.coder);
            buf_add_char(out, '\n');
            said_add_text(out, book, &said, post_id, "  ");
        }
    }
    return status;
}

/* --- for programs --- */

enum status said_json(struct db *db, const struct stored_codebook *book, struct span coder, int64_t post_id,
                      struct buf *out, struct err *e)
{
    AT_END(act_said_clear) struct act_said said;
    struct db_note note;
    size_t n;
    const struct facet *facets = act_facets(book, &n);
    const char *before = "";
    enum status status = act_said_read(&said, db, book, coder, post_id, e);

    buf_addf(out, "\"is_problem\":%s,\"problems\":[", !said.is_judged ? "null" : said.is_problem ? "true" : "false");
    for (size_t i = 0; i < said.problems.n; i++) {
        const struct act_problem *problem = &said.problems.at[i];
        buf_add_text(out, i > 0 ? "," : "");
        buf_add_jsonf(out, "{'problem_id':?,'codes':{", problem->subject);
        for (size_t f = 0; f < n; f++) {
            buf_add_text(out, f > 0 ? "," : "");
            buf_add_jsonf(out, "?:[", facets[f].name);
            for (size_t k = 0; k < problem->codes[f].n; k++) {
                buf_add_text(out, k > 0 ? "," : "");
                buf_add_json(out, book->codebook.codes[problem->codes[f].at[k]].name);
            }
            buf_add_char(out, ']');
        }
        buf_add_text(out, "}}");
    }
    buf_add_text(out, "],\"notes\":[");
    for (struct sql *notes = db_notes(db, DB_NOTE, coder, post_id); db_note_next(db, notes, &note, &status, e);) {
        buf_add_text(out, before);
        buf_add_jsonf(out, "{'written_at':?,'subject':?,'text':?}", note.written_at, note.subject, note.text);
        before = ",";
    }
    buf_add_char(out, ']');
    return status;
}
