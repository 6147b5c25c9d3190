/* import: what a coder says, from a sheet into the database. */
#include "label/exchange/import.h"

#include "label/coding/act.h"
#include "label/coding/remarks.h"
#include "label/coding/subject.h"
#include "label/coding/labels.h"
#include "db/posts.h"
#include "db/study.h"
#include "base/files.h"
#include "base/utf8.h"
#include "base/maps.h"

#include <inttypes.h>

/* What counts of a subject before the import. */
struct known {
    struct span subject;
    int64_t post_id;
    bool is_judged, is_problem;
    int64_t (*codes)[FACET_CODES_MAX]; /* of each facet; 0: none */
};

struct import {
    struct db *db;
    const struct coding_import_how *how;
    struct coding_import *out;
    const struct facets *facets;
    struct stored_codebook codebook;
    struct ARRAY_OF(struct known) known; /* by post id, then subject */
    struct text_set notes;               /* that the coder wrote already: "subject\ntext" */
    struct remarks remarks;              /* as export writes them, so a cell that is still so says nothing */
    struct arena arena;
    bool is_merged;           /* the coder */
    struct span judged_at;    /* of the post of a file with times */
    int64_t judged_post;      /* the last one of which the judgement was put */
    char now[TIME_TEXT_SIZE]; /* of all decisions: an import is one act */
};

/* --- what counts --- */

/* By post, then subject; a key without a subject (ptr NULL) is any of its post: each has the post's judgement. */
static int compare_known(const void *key, const void *element)
{
    const struct known *x = key, *y = element;

    if (x->post_id != y->post_id)
        return x->post_id < y->post_id ? -1 : 1;
    if (x->subject.ptr == NULL)
        return 0;
    if (x->subject.len != y->subject.len)
        return x->subject.len < y->subject.len ? -1 : 1;
    return span_order(x->subject, y->subject);
}

static const struct known *find_known(const struct import *m, int64_t post_id, struct span subject)
{
    struct known key = {.subject = subject, .post_id = post_id};

    return m->known.n == 0 ? NULL : bsearch(&key, m->known.at, m->known.n, sizeof *m->known.at, compare_known);
}

static const struct known *find_post(const struct import *m, int64_t post_id)
{
    return find_known(m, post_id, (struct span){0});
}

/* --- decisions --- */

/* Does the row change nothing of what is known? */
static bool is_known(const struct import *m, const struct sheet_row *row)
{
    static const int64_t none[FACET_CODES_MAX];
    const struct known *post = find_post(m, row->post_id), *known = find_known(m, row->post_id, row->subject);
    bool same = !row->is_judged || (post != NULL && post->is_judged && post->is_problem == row->is_problem);

    for (size_t i = FACET_JUDGES + 1; i < m->facets->n && same; i++) {
        const int64_t *before = known != NULL ? known->codes[i] : none;
        size_t most = m->facets->items[i].most;
        if (m->out->sheet.has_facet[i])
            same = memcmp(before, sheet_codes(&m->out->sheet, row, i), most * sizeof *before) == 0 &&
                   (most == FACET_CODES_MAX || before[most] == 0);
    }
    return same;
}

/* The rows of a post agree on the judgement: the first says it. A row gives its reason to what differs from what the
 * coder said before; one that differs only in the reason is a reason alone. */
static void read_act(struct import *m, const struct sheet_row *row, struct act *act)
{
    bool judges = row->is_judged && row->post_id != m->judged_post, known = is_known(m, row);

    *act = (struct act){
        .coder = m->how->coder,
        .subject = row->subject,
        .post_id = row->post_id,
        .judgement = !judges           ? ACT_SAYS_NOTHING
                     : row->is_problem ? ACT_SAYS_YES
                                       : ACT_SAYS_NO,
        .reason = row->reason,
        .now = span_of(m->now),
        .only_changes = true,
        .settles = m->is_merged,
        .is_record = m->how->keep_times || known,
        .decided_at = row->decided_at,
        .judged_at = m->judged_at,
        .count = &m->out->count,
    };
    if (row->is_judged)
        m->judged_post = row->post_id;
    /* A reason that export wrote is not a new one. */
    if (known && row->reason.len > 0 && row->decided_at.ptr == NULL &&
        !span_eq(row->reason, span_trim(remarks_reason(&m->remarks, row->subject)))) { /* a reason alone */
        act->judgement = ACT_SAYS_NOTHING;
        act->only_changes = act->is_record = false;
        return;
    }
    /* Cells of a facet are what the coder says of it: emptied ones take codes back. */
    for (size_t i = FACET_JUDGES + 1; i < m->facets->n; i++) {
        struct act_codes *codes = &act->codes[i - FACET_JUDGES - 1];
        act->given[i - FACET_JUDGES - 1] = m->out->sheet.has_facet[i];
        const int64_t *said = sheet_codes(&m->out->sheet, row, i);
        size_t most = m->out->sheet.has_facet[i] ? m->facets->items[i].most : 0;
        for (codes->n = 0; codes->n < most && said[codes->n] != 0; codes->n++)
            codes->at[codes->n] = stored_codebook_place(&m->codebook, said[codes->n]);
    }
}

/* What a no withdraws. */
static size_t count_withdrawn(const struct import *m, int64_t post_id)
{
    const struct known *known = find_post(m, post_id);
    size_t n = 0;

    while (known != NULL && known > m->known.at && known[-1].post_id == post_id)
        known--;
    for (; known != NULL && known < m->known.at + m->known.n && known->post_id == post_id; known++)
        for (size_t i = FACET_JUDGES + 1; i < m->facets->n; i++)
            n += known->codes[i][0] != 0;
    return n;
}

static enum status MUST_USE put_row(struct import *m, const struct sheet_row *row, struct err *e)
{
    const struct known *post = find_post(m, row->post_id);
    bool is_judged = row->is_judged || (post != NULL && post->is_judged);
    bool is_problem = row->is_judged ? row->is_problem : post != NULL && post->is_problem;
    AT_END(mem_end) struct act *act = mem_zero(1, sizeof *act);
    struct err why;

    read_act(m, row, act);
    enum status status = act_write(m->db, &m->codebook, act, &why);
    if (status == ST_INPUT)
        err_set(e, status, "%s:%zu: %s", m->out->sheet.name, row->line, why.text);
    else if (status != ST_OK)
        *e = why;
    if (act->judgement == ACT_SAYS_NO && !act->is_record)
        m->out->count.withdrawn += count_withdrawn(m, row->post_id);
    m->out->n_no_but_coded += row->is_coded && is_judged && !is_problem;
    m->out->n_unjudged += row->is_coded && !is_judged && act->is_record;
    return status;
}

/* False: the coder wrote this note already. */
static bool is_new_note(struct import *m, struct span subject, struct span text)
{
    return text_set_add(&m->notes, arena_addf(&m->arena, "%.*s\n%.*s", SPAN_ARG(subject), SPAN_ARG(text)), NULL);
}

static enum status MUST_USE put_note(struct import *m, const struct sheet_row *row, struct span text, struct err *e)
{
    if (text.len == 0 || !is_new_note(m, row->subject, text))
        return ST_OK;
    m->out->n_notes++;
    return db_note_put(m->db, DB_NOTE, &(struct db_note){.coder = m->how->coder, .subject = row->subject, .text = text},
                       row->post_id, e);
}

/* "difficulty: high", of a column of that name. */
static enum status MUST_USE put_notes(struct import *m, const struct sheet_row *row, struct err *e)
{
    const struct sheet *s = &m->out->sheet;
    struct span old = span_trim(remarks_note(&m->remarks, row->subject)), note = row->note;
    AT_END(buf_clear) struct buf text = {0};

    /* The cell, but for the notes that export wrote there and that still begin it. */
    if (old.len > 0 && span_starts(note, old) &&
        (note.len == old.len || note.ptr[old.len] == '\n' || note.ptr[old.len] == '\r'))
        note = span_trim(span_after(note, old.len));
    enum status status = put_note(m, row, note, e);
    for (size_t i = 0; m->how->others_are_notes && i < s->others.n && status == ST_OK; i++) {
        size_t place = s->others.at[i];
        if (place >= row->n_fields || span_trim(row->fields[place]).len == 0)
            continue;
        buf_set(&text, s->header[place]);
        buf_add_text(&text, ": ");
        buf_add_span(&text, span_trim(row->fields[place]));
        text.len = text.len > ACT_TEXT_MAX ? utf8_whole((struct span){text.ptr, ACT_TEXT_MAX}) : text.len;
        status = put_note(m, row, buf_span(&text), e);
    }
    return status;
}

/* When the post whose rows begin at `at` was judged: at the time of its row without codes; else no later than the
 * oldest row, since a later no would have withdrawn its codes. */
static struct span judged_at(const struct import *m, size_t at)
{
    const struct sheet *s = &m->out->sheet;
    int64_t post_id = s->rows[s->order[at]].post_id;
    struct span oldest = {0};

    for (; at < s->n_rows && s->rows[s->order[at]].post_id == post_id; at++) {
        const struct sheet_row *row = &s->rows[s->order[at]];
        if (row->decided_at.ptr != NULL && row->is_judged && !row->is_coded)
            return row->decided_at;
        if (row->decided_at.ptr != NULL &&
            (oldest.ptr == NULL || memcmp(row->decided_at.ptr, oldest.ptr, oldest.len) < 0))
            oldest = row->decided_at;
    }
    return oldest;
}

static enum status MUST_USE put_rows(struct import *m, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < m->out->sheet.n_rows && status == ST_OK; i++) {
        const struct sheet_row *row = &m->out->sheet.rows[m->out->sheet.order[i]];
        if (i == 0 || row->post_id != m->out->sheet.rows[m->out->sheet.order[i - 1]].post_id)
            m->judged_at = judged_at(m, i);
        if (row->faults.ptr != NULL)
            continue;
        if (sheet_row_is_empty(row))
            m->out->n_empty++;
        else
            status = put_row(m, row, e);
        THEN(status, put_notes(m, row, e));
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

static enum status MUST_USE read_known(struct import *m, struct err *e)
{
    struct sql *walk = db_codings(m->db, &(struct db_coding_query){.coder = m->how->coder});
    struct db_coding c;
    enum status status = ST_OK;

    m->known.n = 0;
    while (db_coding_next(m->db, walk, &c, &status, e)) {
        struct known known = {arena_copy(&m->arena, c.subject), c.post_id, c.is_judged, c.is_problem, NULL};
        known.codes = arena_alloc(&m->arena, m->facets->n * sizeof *known.codes);
        memset(known.codes, 0, m->facets->n * sizeof *known.codes);
        for (size_t i = 0; i < m->facets->n; i++)
            if (c.codes[i].n > 0)
                memcpy(known.codes[i], c.codes[i].ids, c.codes[i].n * sizeof *c.codes[i].ids);
        array_add(&m->known, known);
    }
    return status;
}

/* Within a transaction. */
static enum status MUST_USE apply(struct import *m, struct err *e)
{
    struct span coder = m->how->coder;
    AT_END(buf_clear) struct buf parameters = {0}, counts = {0}, posts = {0};
    bool exists = false, is_merged = false;
    int64_t run_id = 0;
    struct sql *notes = db_notes(m->db, DB_NOTE, coder, 0);
    struct db_note note;
    enum status status = read_known(m, e); /* again: somebody else may have written */

    while (db_note_next(m->db, notes, &note, &status, e))
        (void)is_new_note(m, note.subject, note.text);
    THEN(status, remarks_read(&m->remarks, m->db, coder, e));
    THEN(status, db_coder_get(m->db, coder, &exists, &is_merged, e));
    m->out->new_coder = !exists;
    /* As in the files of a study, "merged" is what the coders agreed on in the end. */
    m->is_merged = exists ? is_merged : span_eq(coder, SPAN("merged"));
    THEN(status, db_coder_put(m->db, coder, m->is_merged, e));

    buf_add_jsonf(&parameters, m->how->keep_times ? "{'coder':?,'keep_times':true}" : "{'coder':?,'keep_times':false}",
                  coder);
    struct db_run run = {
        .command = "label import", .source = span_of(m->out->sheet.name), .parameters = buf_span(&parameters)};
    THEN(status, db_run_begin(m->db, &run, &run_id, e));
    THEN(status, db_decision_after(m->db, coder, m->now, e));
    THEN(status, put_rows(m, e));
    buf_addf(&counts, "{\"rows\":%zu,\"bad\":%zu,\"empty\":%zu,\"decided\":%zu,\"withdrawn\":%zu,\"same\":%zu",
             m->out->sheet.n_rows, m->out->sheet.n_bad, m->out->n_empty, m->out->count.decided, m->out->count.withdrawn,
             m->out->count.same);
    if (!m->how->keep_times) /* by this, undo knows the act */
        buf_addf(&counts, ",\"decided_at\":\"%s\"", m->now);
    buf_add_char(&counts, '}');
    THEN(status, db_run_end(m->db, run_id, "done", buf_span(&counts), e));
    if (status != ST_OK)
        return status;
    add_posts(m, &posts);
    return db_posts_absent(m->db, buf_span(&posts), &m->out->n_absent, e);
}

/* --- the import --- */

/* Finds rows that the writer would refuse. One that changes nothing is fine: published coders gave codes with a no. */
static enum status MUST_USE refuse_codes(struct import *m, struct err *e)
{
    struct sheet *s = &m->out->sheet;
    const char *judgement = s->columns.items[s->columns.at[CODING_JUDGEMENT]].name;
    const struct sheet_row *judged = NULL; /* of the same post */
    enum status status = read_known(m, e);
    struct err why;

    for (size_t i = 0; i < s->n_rows && status == ST_OK; i++) {
        struct sheet_row *row = &s->rows[s->order[i]];
        if (row->is_judged || (judged != NULL && judged->post_id != row->post_id))
            judged = row->is_judged ? row : NULL;
        if (m->how->keep_times || !row->is_coded || is_known(m, row))
            continue;
        status = act_check_codes(m->db, m->how->coder, row->post_id,
                                 judged == NULL       ? ACT_SAYS_NOTHING
                                 : judged->is_problem ? ACT_SAYS_YES
                                                      : ACT_SAYS_NO,
                                 &why);
        if (status == ST_INPUT)
            sheet_fault(s, row, judgement, "%s", why.text);
        else if (status != ST_OK)
            *e = why;
        status = status == ST_INPUT ? ST_OK : status;
    }
    return status;
}

static enum status MUST_USE read_sheet(struct import *m, struct span content, const char *name, struct err *e)
{
    AT_END(buf_clear) struct buf posts = {0}, words = {0};
    struct sheet *sheet = &m->out->sheet;
    struct db_standing post;
    enum status status = stored_codebook_load_any(&m->codebook, m->db, e);

    m->facets = m->codebook.facets; /* the database's */
    THEN(status, sheet_read(&m->out->sheet, content, name, m->how, &m->codebook, e));
    if (status == ST_OK) {
        add_posts(m, &posts);
        for (struct sql *w = db_standings(m->db, buf_span(&posts)); db_standing_next(m->db, w, &post, &status, e);) {
            buf_reset(&words);
            if (subject_is_refused(&post))
                subject_refusal(&post, &words);
            for (size_t i = 0; words.len > 0 && i < sheet->n_rows; i++)
                if (sheet->rows[i].post_id == post.post_id && !sheet_row_is_empty(&sheet->rows[i]))
                    sheet_fault(sheet, &sheet->rows[i], "post_id", "%s", buf_cstr(&words));
        }
    }
    return status == ST_OK ? refuse_codes(m, e) : status;
}

enum status coding_import(struct coding_import *out, struct db *db, struct span content, const char *name,
                          const struct coding_import_how *how, struct err *e)
{
    struct import m = {.db = db, .how = how, .out = out};
    AT_END(buf_clear) struct buf bad = {0};

    *out = (struct coding_import){0};
    enum status status = read_sheet(&m, content, name, e);
    if (status == ST_OK && out->sheet.n_bad > 0 && out->sheet.n_bad == out->sheet.n_rows && how->skip_bad)
        status = err_set(e, ST_INPUT,
                         "%s: rows: %zu, and all of them are bad; nothing was imported, and no file written",
                         out->sheet.name, out->sheet.n_rows);
    if (status == ST_OK && out->sheet.n_bad > 0 && !how->skip_bad)
        status = err_set(e, ST_INPUT,
                         "%s: bad rows: %zu; nothing was imported: mend them, or import"
                         " the others with --keep-going FILE",
                         out->sheet.name, out->sheet.n_bad);
    if (status == ST_OK) {
        status = db_begin(db, e);
        THEN(status, apply(&m, e));
        if (status == ST_OK && out->sheet.n_bad > 0 && !how->dry_run) {
            sheet_bad_rows(&out->sheet, &bad);
            status = how->keep_bad(how->ctx, buf_span(&bad), e);
        }
        bool commits = status == ST_OK && !how->dry_run && out->count.decided + out->count.withdrawn + out->n_notes > 0;
        if (commits)
            status = db_commit(db, e);
        if (!commits || status != ST_OK)
            db_rollback(db);
    }
    array_clear(&m.known);
    text_set_clear(&m.notes);
    remarks_clear(&m.remarks);
    arena_clear(&m.arena);
    stored_codebook_clear(&m.codebook);
    return status;
}

void coding_import_clear(struct coding_import *m)
{
    sheet_clear(&m->sheet);
}
