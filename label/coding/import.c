/* import: what a coder says, from a sheet into the database. */
#include "label/coding/import.h"

#include "label/coding/act.h"
#include "label/coding/remarks.h"
#include "label/coding/subject.h"
#include "label/coding/labels.h"
#include "db/posts.h"
#include "db/study.h"

#include <inttypes.h>
#include <stdlib.h>

/* What counts of a subject before the import. */
struct known {
    struct span subject;
    int64_t post_id;
    bool is_judged, is_problem;
    int64_t (*codes)[FACET_CODES_MAX]; /* of each facet; 0: none */
};

/* Notes that the coder wrote already: "subject\ntext". */
#define MAP_NAME note_set
#define MAP_KEY struct span
#include "base/map.h"

struct import {
    struct db *db;
    const struct coding_import_how *how;
    struct coding_import *out;
    const struct facets *facets;
    struct stored_codebook codebook;
    struct ARRAY_OF(struct known) known; /* by post id, then subject */
    struct note_set notes;
    struct remarks remarks; /* as export writes them, so a cell that is still so says nothing */
    struct arena arena;
    int64_t judged_post; /* the last one of which the judgement was put */
    char now[TIME_TEXT_SIZE]; /* of all decisions: an import is one act */
};

/* --- what counts --- */

static void add_known(void *ctx, const struct db_coding *c)
{
    struct import *m = ctx;
    struct known known = {arena_copy(&m->arena, c->subject), c->post_id, c->is_judged,
                          c->is_problem, NULL};

    known.codes = arena_alloc(&m->arena, m->facets->n * sizeof *known.codes);
    memset(known.codes, 0, m->facets->n * sizeof *known.codes);
    for (size_t i = 0; i < m->facets->n; i++)
        if (c->codes[i].n > 0)
            memcpy(known.codes[i], c->codes[i].ids, c->codes[i].n * sizeof *c->codes[i].ids);
    array_add(&m->known, known);
}

static int compare_known(const void *a, const void *b)
{
    const struct known *left = a, *right = b;

    if (left->post_id != right->post_id)
        return left->post_id < right->post_id ? -1 : 1;
    if (left->subject.len != right->subject.len)
        return left->subject.len < right->subject.len ? -1 : 1;
    return memcmp(left->subject.ptr, right->subject.ptr, left->subject.len);
}

static int compare_post(const void *key, const void *element)
{
    int64_t post_id = *(const int64_t *)key, other = ((const struct known *)element)->post_id;

    return (post_id > other) - (post_id < other);
}

static const struct known *find_subject(const struct import *m, const struct sheet_row *row)
{
    struct known key = {.subject = row->subject, .post_id = row->post_id};

    return m->known.n == 0 ? NULL
                           : bsearch(&key, m->known.at, m->known.n, sizeof *m->known.at,
                                     compare_known);
}

/* Any row of the post has its judgement. */
static const struct known *find_post(const struct import *m, int64_t post_id)
{
    return m->known.n == 0
               ? NULL
               : bsearch(&post_id, m->known.at, m->known.n, sizeof *m->known.at, compare_post);
}

/* --- decisions --- */

static enum status MUST_USE put(struct import *m, const struct sheet_row *row,
                                struct db_decision *decision, struct err *e)
{
    struct err why;

    decision->coder = m->how->coder;
    decision->subject = row->subject;
    decision->post_id = row->post_id;
    decision->decided_at = row->decided_at;
    decision->now = span_of(m->now);
    decision->reason = row->reason.len > 0 ? row->reason : (struct span){0};
    enum status status = db_decision_put(m->db, decision, &why);
    if (status == ST_INPUT)
        return err_set(e, ST_INPUT, "%s:%zu: %s", m->out->sheet.name, row->line, why.text);
    if (status != ST_OK)
        *e = why;
    return status;
}

/* Is the reason what export wrote? Then it is of some of what the row decides, and no new one of the rest. */
static bool is_old_reason(const struct import *m, const struct sheet_row *row)
{
    return span_eq(row->reason, span_trim(remarks_reason(&m->remarks, row->subject)));
}

/* What is decided already, and so is no decision but for its reason. */
static enum status MUST_USE put_same(struct import *m, const struct sheet_row *row,
                                     const struct db_decision *decision, struct err *e)
{
    struct db_decision again = *decision;
    size_t n_new = 0;
    enum status status = ST_OK;

    again.n_new = &n_new;
    if (row->reason.len > 0 && row->decided_at.ptr == NULL && !is_old_reason(m, row))
        status = put(m, row, &again, e);
    m->out->n_decided += n_new;
    m->out->n_same += n_new == 0;
    return status;
}

/* The rows of a post agree, so that the first one speaks for all. */
static enum status MUST_USE put_judgement(struct import *m, const struct sheet_row *row,
                                          struct err *e)
{
    const struct known *known = find_post(m, row->post_id);
    struct db_decision decision = {.facet = FACET_JUDGES, .is_problem = row->is_problem};

    if (!row->is_judged || row->post_id == m->judged_post)
        return ST_OK;
    m->judged_post = row->post_id;
    if (known != NULL && known->is_judged && known->is_problem == row->is_problem)
        return put_same(m, row, &decision, e);
    m->out->n_decided++;
    return put(m, row, &decision, e);
}

static size_t count_codes(const int64_t codes[FACET_CODES_MAX])
{
    size_t n = 0;

    while (n < FACET_CODES_MAX && codes[n] != 0)
        n++;
    return n;
}

/* An emptied cell takes back what counts; an empty one where nothing counts says nothing. */
static enum status MUST_USE put_codes(struct import *m, const struct sheet_row *row, size_t facet,
                                      struct err *e)
{
    static const int64_t none[FACET_CODES_MAX];
    const struct known *known = find_subject(m, row);
    const int64_t *before = known != NULL ? known->codes[facet] : none;
    const int64_t *codes = row->codes[facet];
    struct db_decision decision = {.facet = facet, .codes = {codes, count_codes(codes)}};

    if (memcmp(before, codes, sizeof none) == 0)
        return decision.codes.n > 0 ? put_same(m, row, &decision, e) : ST_OK;
    enum status status = ST_OK;
    if (decision.codes.n > 0)
        m->out->n_decided++;
    else
        m->out->n_withdrawn++;
    for (size_t i = 0; i < decision.codes.n && status == ST_OK; i++)
        status = stored_codebook_keep(&m->codebook, m->db,
                                      stored_codebook_place(&m->codebook, codes[i]), e);
    return status == ST_OK ? put(m, row, &decision, e) : status;
}

static enum status MUST_USE put_row(struct import *m, const struct sheet_row *row, struct err *e)
{
    const struct known *post = find_post(m, row->post_id);
    enum status status = put_judgement(m, row, e);

    for (size_t i = FACET_JUDGES + 1; i < m->facets->n && status == ST_OK; i++)
        if (m->out->sheet.has_facet[i])
            status = put_codes(m, row, i, e);
    bool is_judged = row->is_judged || (post != NULL && post->is_judged);
    bool is_problem = row->is_judged ? row->is_problem : post != NULL && post->is_problem;
    m->out->n_no_but_coded += row->is_coded && is_judged && !is_problem;
    m->out->n_unjudged += row->is_coded && !is_judged;
    return status;
}

/* A note that is there already is no second one. */
static enum status MUST_USE put_note(struct import *m, const struct sheet_row *row, struct span text,
                                     struct err *e)
{
    struct buf key = {0};
    enum status status = ST_OK;

    if (text.len == 0)
        return ST_OK;
    buf_add_span(&key, row->subject);
    buf_add_char(&key, '\n');
    buf_add_span(&key, text);
    if (note_set_add(&m->notes, arena_copy(&m->arena, buf_span(&key)), NULL)) {
        m->out->n_notes++;
        status = db_note_put(m->db, m->how->coder, row->subject, row->post_id, text, e);
    }
    buf_clear(&key);
    return status;
}

/* The cell, but for the notes that export wrote there and that still begin it. */
static struct span new_note(const struct import *m, const struct sheet_row *row)
{
    struct span old = span_trim(remarks_note(&m->remarks, row->subject)), note = row->note;

    if (old.len == 0 || note.len < old.len || memcmp(note.ptr, old.ptr, old.len) != 0 ||
        (note.len > old.len && note.ptr[old.len] != '\n' && note.ptr[old.len] != '\r'))
        return note;
    return span_trim((struct span){note.ptr + old.len, note.len - old.len});
}

/* "difficulty: high", of a column of that name. */
static enum status MUST_USE put_notes(struct import *m, const struct sheet_row *row, struct err *e)
{
    const struct sheet *s = &m->out->sheet;
    enum status status = put_note(m, row, new_note(m, row), e);
    struct buf text = {0};

    for (size_t i = 0; m->how->others_are_notes && i < s->others.n && status == ST_OK; i++) {
        size_t place = s->others.at[i];
        if (place >= row->n_fields || span_trim(row->fields[place]).len == 0)
            continue;
        buf_reset(&text);
        buf_add_span(&text, s->header[place]);
        buf_add_text(&text, ": ");
        buf_add_span(&text, span_trim(row->fields[place]));
        text.len = text.len > ACT_TEXT_MAX ? utf8_whole((struct span){text.ptr, ACT_TEXT_MAX}) : text.len;
        status = put_note(m, row, buf_span(&text), e);
    }
    buf_clear(&text);
    return status;
}

static enum status MUST_USE put_rows(struct import *m, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < m->out->sheet.n_rows && status == ST_OK; i++) {
        const struct sheet_row *row = &m->out->sheet.rows[m->out->sheet.order[i]];
        if (row->faults.ptr != NULL)
            continue;
        if (sheet_row_is_empty(row))
            m->out->n_empty++;
        else
            status = put_row(m, row, e);
        if (status == ST_OK)
            status = put_notes(m, row, e);
    }
    return status;
}

/* The posts of good rows that say something, as a JSON array. */
static void add_posts(const struct import *m, struct buf *posts)
{
    buf_add_char(posts, '[');
    for (size_t i = 0; i < m->out->sheet.n_rows; i++) {
        const struct sheet_row *row = &m->out->sheet.rows[i];
        if (row->faults.ptr == NULL && !sheet_row_is_empty(row))
            buf_addf(posts, "%s%" PRId64, posts->len > 1 ? "," : "", row->post_id);
    }
    buf_add_char(posts, ']');
}

static enum status MUST_USE count_absent(struct import *m, struct err *e)
{
    struct buf posts = {0};

    add_posts(m, &posts);
    enum status status = db_posts_absent(m->db, buf_span(&posts), &m->out->n_absent, e);
    buf_clear(&posts);
    return status;
}

/* As in the files of a study, "merged" is what the coders agreed on in the end. */
static enum status MUST_USE put_coder(struct import *m, struct err *e)
{
    struct span coder = m->how->coder;
    bool exists, is_merged;
    enum status status = db_coder_get(m->db, coder, &exists, &is_merged, e);

    m->out->new_coder = !exists;
    if (status != ST_OK || exists)
        return status;
    return db_coder_put(m->db, coder, span_eq(coder, SPAN("merged")), e);
}

static enum status MUST_USE begin_run(struct import *m, int64_t *run_id, struct err *e)
{
    struct buf parameters = {0};
    struct db_run run = {.command = "label import", .source = span_of(m->out->sheet.name)};

    buf_add_text(&parameters, "{\"coder\":");
    buf_add_json(&parameters, m->how->coder);
    buf_addf(&parameters, ",\"keep_times\":%s}", m->how->keep_times ? "true" : "false");
    run.parameters = buf_span(&parameters);
    enum status status = db_run_begin(m->db, &run, run_id, e);
    buf_clear(&parameters);
    return status;
}

static enum status MUST_USE end_run(const struct import *m, int64_t run_id, struct err *e)
{
    struct buf counts = {0};

    buf_addf(&counts, "{\"rows\":%zu,\"bad\":%zu,\"decided\":%zu,\"withdrawn\":%zu,\"same\":%zu}",
             m->out->sheet.n_rows, m->out->sheet.n_bad, m->out->n_decided, m->out->n_withdrawn, m->out->n_same);
    if (!m->how->keep_times) { /* by this, undo knows the act */
        counts.len--;
        buf_addf(&counts, ",\"decided_at\":\"%s\"}", m->now);
    }
    enum status status = db_run_end(m->db, run_id, "done", buf_span(&counts), e);
    buf_clear(&counts);
    return status;
}

static void add_note(void *ctx, const struct db_note *note)
{
    struct import *m = ctx;
    struct buf key = {0};

    buf_add_span(&key, note->subject);
    buf_add_char(&key, '\n');
    buf_add_span(&key, note->text);
    note_set_add(&m->notes, arena_copy(&m->arena, buf_span(&key)), NULL);
    buf_clear(&key);
}

static enum status MUST_USE read_known(struct import *m, struct err *e)
{
    struct db_coding_query query = {.coder = m->how->coder};

    m->known.n = 0;
    return db_coding_each(m->db, &query, add_known, m, e);
}

/* Within a transaction. */
static enum status MUST_USE apply(struct import *m, struct err *e)
{
    int64_t run_id = 0;
    enum status status = read_known(m, e); /* again: somebody else may have written */

    if (status == ST_OK)
        status = db_note_each(m->db, m->how->coder, 0, add_note, m, e);
    if (status == ST_OK)
        status = remarks_read(&m->remarks, m->db, m->how->coder, e);
    if (status == ST_OK)
        status = put_coder(m, e);
    if (status == ST_OK)
        status = begin_run(m, &run_id, e);
    if (status == ST_OK)
        status = db_decision_after(m->db, m->how->coder, m->now, e);
    if (status == ST_OK)
        status = put_rows(m, e);
    if (status == ST_OK)
        status = end_run(m, run_id, e);
    return status == ST_OK ? count_absent(m, e) : status;
}

/* --- the import --- */

static void refuse_answer(void *ctx, const struct db_standing *post)
{
    struct sheet *sheet = ctx;
    struct buf words = {0};

    if (!subject_is_refused(post))
        return;
    subject_refusal(post, &words);
    for (size_t i = 0; i < sheet->n_rows; i++)
        if (sheet->rows[i].post_id == post->post_id && !sheet_row_is_empty(&sheet->rows[i]))
            sheet_fault(sheet, &sheet->rows[i], "post_id", "%s", buf_cstr(&words));
    buf_clear(&words);
}

static enum status MUST_USE refuse_answers(struct import *m, struct err *e)
{
    struct buf posts = {0};

    add_posts(m, &posts);
    enum status status =
        db_standing_each(m->db, buf_span(&posts), refuse_answer, &m->out->sheet, e);
    buf_clear(&posts);
    return status;
}

static bool is_known(const struct import *m, const struct sheet_row *row)
{
    const struct known *post = find_post(m, row->post_id), *known = find_subject(m, row);
    bool same = post != NULL && known != NULL &&
                (!row->is_judged || (post->is_judged && post->is_problem == row->is_problem));

    for (size_t i = FACET_JUDGES + 1; i < m->facets->n && same; i++)
        if (m->out->sheet.has_facet[i])
            same = memcmp(known->codes[i], row->codes[i], sizeof *row->codes) == 0;
    return same;
}

/* As label set does: what is no problem has no codes. A row that changes nothing is fine: codes may be
 * older than the coder's "no". So is a file with its times, which says what was decided elsewhere. */
static enum status MUST_USE refuse_codes(struct import *m, struct err *e)
{
    struct sheet *s = &m->out->sheet;
    const char *judgement = s->columns.items[s->columns.at[CODING_JUDGEMENT]].name;
    enum status status = read_known(m, e);

    for (size_t i = 0; i < s->n_rows && status == ST_OK; i++) {
        struct sheet_row *row = &s->rows[i];
        const struct known *post = find_post(m, row->post_id);
        bool judged_no = row->is_judged ? !row->is_problem
                                        : post != NULL && post->is_judged && !post->is_problem;
        if (m->how->keep_times || !row->is_coded || !judged_no || is_known(m, row))
            continue;
        if (row->is_judged)
            sheet_fault(s, row, judgement, "no excludes codes; empty their cells, or write yes");
        else
            sheet_fault(s, row, judgement, "empty, and %.*s judged the post to be no problem; write yes"
                        " if it is one", (int)m->how->coder.len, m->how->coder.ptr);
    }
    return status;
}

static enum status MUST_USE read_sheet(struct import *m, struct span content, const char *name,
                                       struct err *e)
{
    struct sheet_rules rules = {m->how->coder, &m->codebook, m->how->keep_times};
    enum status status = stored_codebook_load_any(&m->codebook, m->db, e);

    m->facets = m->codebook.facets; /* the database's */
    if (status == ST_OK)
        status = sheet_read(&m->out->sheet, content, name, &rules, e);
    if (status == ST_OK)
        status = refuse_answers(m, e);
    if (status == ST_OK)
        status = refuse_codes(m, e);
    return status;
}

static enum status MUST_USE keep_bad_rows(struct import *m, struct err *e)
{
    struct buf bad = {0};

    sheet_bad_rows(&m->out->sheet, &bad);
    enum status status = m->how->keep_bad(m->how->ctx, buf_span(&bad), e);
    buf_clear(&bad);
    return status;
}

static enum status MUST_USE import_rows(struct import *m, struct err *e)
{
    const struct coding_import *out = m->out;
    enum status status = db_begin(m->db, e);

    if (status == ST_OK)
        status = apply(m, e);
    if (status == ST_OK && out->sheet.n_bad > 0 && !m->how->dry_run)
        status = keep_bad_rows(m, e);
    bool commits =
        status == ST_OK && !m->how->dry_run && out->n_decided + out->n_withdrawn + out->n_notes > 0;
    if (commits)
        status = db_commit(m->db, e);
    if (!commits || status != ST_OK)
        db_rollback(m->db);
    return status;
}

enum status coding_import(struct coding_import *out, struct db *db, struct span content,
                          const char *name, const struct coding_import_how *how, struct err *e)
{
    struct import m = {.db = db, .how = how, .out = out};

    *out = (struct coding_import){0};
    enum status status = read_sheet(&m, content, name, e);
    if (status == ST_OK && out->sheet.n_bad > 0 && !how->skip_bad)
        status = err_set(e, ST_INPUT, "%s: bad rows: %zu; nothing was imported: mend them, or import"
                         " the others with --keep-going FILE", out->sheet.name, out->sheet.n_bad);
    if (status == ST_OK)
        status = import_rows(&m, e);
    array_clear(&m.known);
    note_set_clear(&m.notes);
    remarks_clear(&m.remarks);
    arena_clear(&m.arena);
    stored_codebook_clear(&m.codebook);
    return status;
}

void coding_import_clear(struct coding_import *m)
{
    sheet_clear(&m->sheet);
}
