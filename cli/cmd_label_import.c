/* label import: what a coder says, from a file that export or a spreadsheet wrote. */
#include "base/output_file.h"
#include "cli/options.h"
#include "coding/sheet.h"
#include "db/decisions.h"
#include "db/labels.h"
#include "db/posts.h"
#include "db/study.h"

#include <inttypes.h>
#include <stdlib.h>

enum { IMPORT_MAX = 256 << 20, FAULTS_SHOWN = 20 };

/* What counts of a subject before the import. */
struct known {
    struct span subject;
    int64_t post_id;
    bool is_judged, is_problem;
    int64_t codes[DB_FACETS][DB_CODES_MAX];
};

struct import {
    struct db *db;
    struct sheet sheet;
    struct buf coder;
    bool keep_times, new_coder;
    struct known *known; /* by post id, then subject */
    size_t n_known, capacity;
    struct arena arena;
    int64_t judged_post; /* the last one of which the judgement was put */
    /* What was done: */
    size_t n_decided, n_withdrawn, n_same, n_empty, n_no_but_coded, n_unjudged;
    int64_t n_absent;
};

/* --- what counts --- */

static void add_known(void *ctx, const struct db_coding *c)
{
    struct import *m = ctx;

    if (m->n_known == m->capacity) {
        m->capacity = m->capacity > 0 ? 2 * m->capacity : 256;
        m->known = mem_resize(m->known, m->capacity, sizeof *m->known);
    }
    struct known *known = &m->known[m->n_known++];
    *known = (struct known){arena_copy(&m->arena, c->subject), c->post_id, c->is_judged,
                            c->is_problem, {{0}}};
    memcpy(known->codes, c->codes, sizeof known->codes);
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

    return m->n_known == 0 ? NULL
                           : bsearch(&key, m->known, m->n_known, sizeof *m->known, compare_known);
}

/* Any row of the post has its judgement. */
static const struct known *find_post(const struct import *m, int64_t post_id)
{
    return m->n_known == 0
               ? NULL
               : bsearch(&post_id, m->known, m->n_known, sizeof *m->known, compare_post);
}

/* --- decisions --- */

static enum status MUST_USE put(struct import *m, const struct sheet_row *row,
                                struct db_decision *decision, struct err *e)
{
    struct err why;

    decision->coder = buf_span(&m->coder);
    decision->subject = row->subject;
    decision->post_id = row->post_id;
    decision->decided_at = row->decided_at;
    enum status status = db_decision_put(m->db, decision, &why);
    if (status == ST_INPUT)
        return err_set(e, ST_INPUT, "%s:%zu: %s", m->sheet.name, row->line, why.text);
    if (status != ST_OK)
        *e = why;
    return status;
}

/* The rows of a post agree, so that the first one speaks for all. */
static enum status MUST_USE put_judgement(struct import *m, const struct sheet_row *row,
                                          struct err *e)
{
    const struct known *known = find_post(m, row->post_id);
    struct db_decision decision = {.facet = DB_IDENTIFICATION, .is_problem = row->is_problem};

    if (!row->is_judged || row->post_id == m->judged_post)
        return ST_OK;
    m->judged_post = row->post_id;
    if (known != NULL && known->is_judged && known->is_problem == row->is_problem) {
        m->n_same++;
        return ST_OK;
    }
    m->n_decided++;
    return put(m, row, &decision, e);
}

/* An emptied cell takes back what counts; an empty one where nothing counts says nothing. */
static enum status MUST_USE put_codes(struct import *m, const struct sheet_row *row,
                                      enum db_facet facet, struct err *e)
{
    static const int64_t none[DB_CODES_MAX];
    const struct known *known = find_subject(m, row);
    const int64_t *before = known != NULL ? known->codes[facet] : none;
    const int64_t *codes = row->codes[facet];
    struct db_decision decision = {.facet = facet};

    if (memcmp(before, codes, sizeof none) == 0) {
        m->n_same += codes[0] != 0;
        return ST_OK;
    }
    if (codes[0] != 0)
        m->n_decided++;
    else
        m->n_withdrawn++;
    memcpy(decision.codes, codes, sizeof decision.codes);
    return put(m, row, &decision, e);
}

static enum status MUST_USE put_row(struct import *m, const struct sheet_row *row, struct err *e)
{
    const struct known *post = find_post(m, row->post_id);
    enum status status = put_judgement(m, row, e);

    for (int facet = DB_IDENTIFICATION + 1; facet < DB_FACETS && status == ST_OK; facet++)
        if (m->sheet.has_facet[facet])
            status = put_codes(m, row, (enum db_facet)facet, e);
    bool is_judged = row->is_judged || (post != NULL && post->is_judged);
    bool is_problem = row->is_judged ? row->is_problem : post != NULL && post->is_problem;
    m->n_no_but_coded += row->is_coded && is_judged && !is_problem;
    m->n_unjudged += row->is_coded && !is_judged;
    return status;
}

static enum status MUST_USE put_rows(struct import *m, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < m->sheet.n_rows && status == ST_OK; i++) {
        const struct sheet_row *row = &m->sheet.rows[m->sheet.order[i]];
        if (row->faults.ptr != NULL)
            continue;
        if (sheet_row_is_empty(row))
            m->n_empty++;
        else
            status = put_row(m, row, e);
    }
    return status;
}

static enum status MUST_USE count_absent(struct import *m, struct err *e)
{
    struct buf posts = {0};

    buf_add_char(&posts, '[');
    for (size_t i = 0; i < m->sheet.n_rows; i++) {
        const struct sheet_row *row = &m->sheet.rows[i];
        if (row->faults.ptr == NULL && !sheet_row_is_empty(row))
            buf_addf(&posts, "%s%" PRId64, posts.len > 1 ? "," : "", row->post_id);
    }
    buf_add_char(&posts, ']');
    enum status status = db_posts_absent(m->db, buf_span(&posts), &m->n_absent, e);
    buf_clear(&posts);
    return status;
}

/* As in the files of a study, "merged" is what the coders agreed on in the end. */
static enum status MUST_USE put_coder(struct import *m, struct err *e)
{
    struct span coder = buf_span(&m->coder);
    bool exists, is_merged;
    enum status status = db_coder_get(m->db, coder, &exists, &is_merged, e);

    m->new_coder = !exists;
    if (status != ST_OK || exists)
        return status;
    return db_coder_put(m->db, coder, span_eq(coder, SPAN("merged")), e);
}

static enum status MUST_USE begin_run(struct import *m, int64_t *run_id, struct err *e)
{
    struct buf parameters = {0};
    struct db_run run = {.command = "label import", .source = span_of(m->sheet.name)};

    buf_add_text(&parameters, "{\"coder\":");
    buf_add_json(&parameters, buf_span(&m->coder));
    buf_addf(&parameters, ",\"keep_times\":%s}", m->keep_times ? "true" : "false");
    run.parameters = buf_span(&parameters);
    enum status status = db_run_begin(m->db, &run, run_id, e);
    buf_clear(&parameters);
    return status;
}

static enum status MUST_USE end_run(const struct import *m, int64_t run_id, struct err *e)
{
    struct buf counts = {0};

    buf_addf(&counts, "{\"rows\":%zu,\"bad\":%zu,\"decided\":%zu,\"withdrawn\":%zu,\"same\":%zu}",
             m->sheet.n_rows, m->sheet.n_bad, m->n_decided, m->n_withdrawn, m->n_same);
    enum status status = db_run_end(m->db, run_id, "done", buf_span(&counts), e);
    buf_clear(&counts);
    return status;
}

/* Within a transaction. */
static enum status MUST_USE apply(struct import *m, struct err *e)
{
    struct db_coding_query query = {.coder = buf_span(&m->coder)};
    int64_t run_id = 0;
    enum status status = db_coding_each(m->db, &query, add_known, m, e);

    if (status == ST_OK)
        status = put_coder(m, e);
    if (status == ST_OK)
        status = begin_run(m, &run_id, e);
    if (status == ST_OK)
        status = put_rows(m, e);
    if (status == ST_OK)
        status = end_run(m, run_id, e);
    return status == ST_OK ? count_absent(m, e) : status;
}

/* --- words --- */

static void say_faults(const struct sheet *s)
{
    size_t shown = 0;

    for (size_t i = 0; i < s->n_rows && shown < FAULTS_SHOWN; i++) {
        const struct sheet_row *row = &s->rows[i];
        if (row->faults.ptr == NULL)
            continue;
        shown++;
        log_error("%s:%zu: %.*s", s->name, row->line, (int)row->faults.len, row->faults.ptr);
    }
    if (s->n_bad > shown)
        log_error("%s: bad rows besides these: %zu", s->name, s->n_bad - shown);
}

static void say_done(const struct import *m, bool dry)
{
    const char *would = dry ? "would be " : "";

    if (m->sheet.encoding == TEXT_UTF16 || m->sheet.encoding == TEXT_WINDOWS_1252)
        log_info("%s: read as %s", m->sheet.name, text_encoding_names[m->sheet.encoding]);
    if (m->new_coder && m->n_decided > 0)
        log_info("'%.*s' is a new coder", (int)m->coder.len, m->coder.ptr);
    log_info("decisions %sadded: %zu; codes %staken back: %zu; the same as before: %zu; rows that"
             " say nothing yet: %zu", would, m->n_decided, would, m->n_withdrawn, m->n_same,
             m->n_empty);
    if (m->n_absent > 0)
        log_info("posts that are not in the database: %" PRId64, m->n_absent);
    if (m->n_no_but_coded > 0)
        log_info("rows with codes of a post that is judged no problem: %zu", m->n_no_but_coded);
    if (m->n_unjudged > 0)
        log_info("rows with codes of a post that is not judged (is_problem is empty): %zu",
                 m->n_unjudged);
}

/* --- the command --- */

static enum status MUST_USE read_sheet(const struct invocation *in, struct import *m,
                                       struct err *e)
{
    const char *path = in->operands[0];
    bool standard = strcmp(path, "-") == 0;
    struct stored_codebook codebook;
    struct sheet_rules rules = {buf_span(&m->coder), &codebook, m->keep_times};
    struct buf content = {0};
    enum status status = coding_codebook(&codebook, m->db, e);

    if (status == ST_OK)
        status = file_read(standard ? "/dev/stdin" : path, IMPORT_MAX, &content, e);
    if (status == ST_OK)
        status = sheet_read(&m->sheet, buf_span(&content), standard ? "standard input" : path,
                            &rules, e);
    buf_clear(&content);
    stored_codebook_clear(&codebook);
    return status;
}

static enum status MUST_USE write_bad_rows(const struct import *m, const char *path,
                                           struct err *e)
{
    struct buf bad = {0};

    sheet_bad_rows(&m->sheet, &bad);
    enum status status = output_file_write(path, false, buf_span(&bad), e);
    buf_clear(&bad);
    return status;
}

/* Bad rows are on the disk before good ones are in the database: none is ever in neither. */
static enum status MUST_USE import_rows(struct import *m, const char *keep_going, bool dry,
                                        struct err *e)
{
    enum status status = db_begin(m->db, e);

    if (status == ST_OK)
        status = apply(m, e);
    if (status == ST_OK && m->sheet.n_bad > 0 && keep_going != NULL && !dry)
        status = write_bad_rows(m, keep_going, e);
    bool commits = status == ST_OK && !dry && m->n_decided + m->n_withdrawn > 0;
    if (commits)
        status = db_commit(m->db, e);
    if (!commits || status != ST_OK)
        db_rollback(m->db);
    return status;
}

static enum status MUST_USE import(struct invocation *in, struct import *m, struct err *e)
{
    const char *keep_going = option_text(in, "keep-going", NULL);
    bool dry = option_given(in, "dry-run");
    enum status status = coder_option(in, &m->coder, e);

    if (status == ST_OK)
        status = invocation_open_db(in, DB_WRITE, e);
    m->db = in->db;
    if (status == ST_OK)
        status = read_sheet(in, m, e);
    if (status != ST_OK)
        return status;
    say_faults(&m->sheet);
    if (m->sheet.n_bad > 0 && keep_going == NULL)
        return err_set(e, ST_INPUT, "%s: bad rows: %zu; nothing was imported: mend them, or import"
                       " the others with --keep-going FILE", m->sheet.name, m->sheet.n_bad);
    status = import_rows(m, keep_going, dry, e);
    if (status != ST_OK)
        return status;
    say_done(m, dry);
    if (m->sheet.n_bad == 0)
        return ST_OK;
    log_warn("bad rows, not imported: %zu%s%s", m->sheet.n_bad,
             dry ? "" : "; mend and import them: ", dry ? "" : keep_going);
    return ST_NO;
}

static enum status run_label_import(struct invocation *in, struct err *e)
{
    struct import m = {.keep_times = option_given(in, "keep-times")};

    if (!option_given(in, "coder"))
        return err_set(e, ST_USAGE, "label import: whose labels? Give --coder NAME");
    enum status status = import(in, &m, e);
    sheet_clear(&m.sheet);
    mem_free(m.known);
    buf_clear(&m.coder);
    arena_clear(&m.arena);
    return status;
}

static const struct option_spec options[] = {
    {"coder", 'c', "NAME", "the coder whose labels these are"},
    {"keep-going", '\0', "FILE", "import the good rows and write the bad ones to FILE"},
    {"keep-times", '\0', NULL, "take the times of decisions from the column decided_at"},
    {"dry-run", 'n', NULL, "check and count, and import nothing"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label import ann.csv --coder ann", "nothing, or all of it"},
    {"ppmine label import ann.csv --coder ann --keep-going bad.csv",
     "what is good; then mend bad.csv and import that"},
    {NULL, NULL},
};

const struct command command_label_import = {
    .name = "label import",
    .summary = "Read the labels of a coder from a CSV file",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "FILE has some or all of the columns of `label export`, as a spreadsheet saves them; - is\n"
        "standard input. A row without judgement and codes is skipped. In other rows an empty cell\n"
        "removes the coder's current code. A label that is already current adds nothing.",
    .examples = examples,
    .nothing = "with --keep-going: some rows were bad, and the others were imported",
    .needs = NEEDS_DB_PATH,
    .run = run_label_import,
};
