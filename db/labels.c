/*
 * What coders decide. The table `decision` is what is kept; judgement, label and
 * problem follow from it: row by row in db_decision_put, all at once in SQL_LABELS_REBUILD.
 */
#include "db/decisions.h"
#include "db/labels.h"
#include "db/sql.h"

/* --- what is read once, so that a decision costs no look-up --- */

struct named_code {
    int64_t code_id;
    struct span facet, name;
    int64_t retired_in; /* POST_ABSENT: it is given still */
};

struct named_coder {
    struct span coder;
    bool is_merged;
};

struct names {
    struct named_code *codes;
    size_t n_codes, code_capacity;
    struct named_coder *coders;
    size_t n_coders, coder_capacity;
    int64_t codebook_version;
    bool any_undone; /* decisions: most databases have none, and are not asked for each */
    struct arena arena;
};

void labels_forget(struct db *db)
{
    if (db->names == NULL)
        return;
    mem_free(db->names->codes);
    mem_free(db->names->coders);
    arena_clear(&db->names->arena);
    mem_free(db->names);
    db->names = NULL;
}

/* Room for one more at array[n]. */
static void *grown(void *array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity > 0 ? 2 * *capacity : 64;
    return mem_resize(array, *capacity, size);
}

static enum status MUST_USE read_codes(struct db *db, struct names *names, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_CODE_EACH, &row, e);
        if (!row)
            return status;
        names->codes = grown(names->codes, names->n_codes, &names->code_capacity,
                             sizeof *names->codes);
        names->codes[names->n_codes++] = (struct named_code){
            .code_id = sql_int(db, SQL_CODE_EACH, 0),
            .facet = arena_copy(&names->arena, sql_text(db, SQL_CODE_EACH, 1)),
            .name = arena_copy(&names->arena, sql_text(db, SQL_CODE_EACH, 3)),
            .retired_in = sql_int(db, SQL_CODE_EACH, 6),
        };
    }
}

static enum status MUST_USE read_coders(struct db *db, struct names *names, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_CODER_EACH, &row, e);
        if (!row)
            return status;
        names->coders = grown(names->coders, names->n_coders, &names->coder_capacity,
                              sizeof *names->coders);
        names->coders[names->n_coders++] = (struct named_coder){
            .coder = arena_copy(&names->arena, sql_text(db, SQL_CODER_EACH, 0)),
            .is_merged = sql_int(db, SQL_CODER_EACH, 1) != 0,
        };
        names->codebook_version = sql_int(db, SQL_CODER_EACH, 2);
        names->any_undone = sql_int(db, SQL_CODER_EACH, 3) != 0;
    }
}

static enum status MUST_USE read_names(struct db *db, struct err *e)
{
    struct names *names = mem_zero(1, sizeof *names);

    labels_forget(db);
    db->names = names;
    enum status status = read_codes(db, names, e);
    if (status == ST_OK)
        status = read_coders(db, names, e);
    if (status != ST_OK)
        labels_forget(db);
    return status;
}

static const struct named_coder *coder_named(const struct db *db, struct span coder)
{
    for (size_t i = 0; db->names != NULL && i < db->names->n_coders; i++)
        if (span_eq(db->names->coders[i].coder, coder))
            return &db->names->coders[i];
    return NULL;
}

static const struct named_code *code_of_id(const struct names *names, int64_t code_id)
{
    for (size_t i = 0; i < names->n_codes; i++)
        if (names->codes[i].code_id == code_id)
            return &names->codes[i];
    return NULL;
}

/* --- coders --- */

enum status db_coder_put(struct db *db, struct span coder, bool is_merged, struct err *e)
{
    enum status status = read_names(db, e);

    if (status != ST_OK)
        return status;
    const struct named_coder *held = coder_named(db, coder);
    bool changed = held != NULL && held->is_merged != is_merged;
    labels_forget(db);
    sql_bind_text(db, SQL_CODER_PUT, 1, coder);
    sql_bind_int(db, SQL_CODER_PUT, 2, is_merged);
    status = sql_done(db, SQL_CODER_PUT, e);
    if (status == ST_OK && changed)
        status = sql_exec(db, SQL_PROBLEMS_REBUILD, e);
    return status;
}

/* --- decisions --- */

static const struct {
    const char *name;  /* of the facet, in `decision` */
    const char *codes; /* the facet of its codes */
    size_t most;
} facets[DB_FACETS] = {
    [DB_IDENTIFICATION] = {"identification", NULL, 0},
    [DB_SYMPTOM] = {"symptom", "symptom", 2},
    [DB_ROOT_CAUSE] = {"root cause", "root cause", 1},
    [DB_INTRODUCING_STAGE] = {"introducing stage", "stage", 1},
    [DB_EXPOSING_STAGE] = {"exposing stage", "stage", 1},
};

struct span db_facet_name(enum db_facet facet)
{
    return span_of(facets[facet].name);
}

/* A decision as it is written. */
struct entry {
    const struct db_decision *decision;
    const struct named_coder *coder;
    struct span facet, subject, decided_at;
    char subject_space[24], time_space[TIME_TEXT_SIZE];
    struct buf value;
    char decision_id[SHA256_TEXT_SIZE];
};

void labels_make_id(struct span coder, struct span subject, struct span facet, struct span value,
                    struct span decided_at, char out[SHA256_TEXT_SIZE])
{
    struct buf text = {0};

    buf_add_char(&text, '[');
    buf_add_json_kept(&text, coder);
    buf_add_char(&text, ',');
    buf_add_json_kept(&text, subject);
    buf_add_char(&text, ',');
    buf_add_json_kept(&text, facet);
    buf_add_char(&text, ',');
    buf_add_span(&text, value);
    buf_add_char(&text, ',');
    buf_add_json_kept(&text, decided_at);
    buf_add_char(&text, ']');
    db_sha256(buf_span(&text), out);
    buf_clear(&text);
}

static void id_function(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    enum { ID_VALUES = 5 };
    struct span texts[ID_VALUES] = {0};
    char id[SHA256_TEXT_SIZE];

    for (int i = 0; i < n_values && i < ID_VALUES; i++) {
        const char *text = (const char *)sqlite3_value_text(values[i]);
        texts[i] = (struct span){text, text == NULL ? 0 : (size_t)sqlite3_value_bytes(values[i])};
    }
    labels_make_id(texts[0], texts[1], texts[2], texts[3], texts[4], id);
    sqlite3_result_text(context, id, -1, SQLITE_TRANSIENT);
}

int labels_register_id(sqlite3 *handle)
{
    return sqlite3_create_function_v2(handle, "decision_id", 5,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
                                      id_function, NULL, NULL, NULL);
}

static enum status MUST_USE find_coder(struct db *db, struct entry *entry, struct err *e)
{
    struct span coder = entry->decision->coder;

    entry->coder = coder_named(db, coder);
    if (entry->coder == NULL) { /* a first decision, or of somebody who came meanwhile */
        enum status status = read_names(db, e);
        if (status != ST_OK)
            return status;
        entry->coder = coder_named(db, coder);
    }
    if (entry->coder != NULL)
        return ST_OK;
    return err_set(e, ST_INPUT, "there is no coder '%.*s' in the database", (int)coder.len,
                   coder.ptr);
}

/* ["out of memory","memory leak"] */
static enum status MUST_USE add_codes(struct db *db, struct entry *entry, struct err *e)
{
    const int64_t *codes = entry->decision->codes;
    enum db_facet facet = entry->decision->facet;
    bool ended = false;

    buf_add_char(&entry->value, '[');
    for (size_t i = 0; i < DB_CODES_MAX; i++) {
        const struct named_code *code = code_of_id(db->names, codes[i]);
        bool given = codes[i] != 0;
        if (given && (ended || i >= facets[facet].most || (i > 0 && codes[i] == codes[i - 1])))
            return err_set(e, ST_INPUT, "%.*s: expected at most %zu of the facet '%s', each once, the"
                           " first in the first place", (int)entry->subject.len,
                           entry->subject.ptr, facets[facet].most, facets[facet].name);
        if (code != NULL && code->retired_in != POST_ABSENT)
            return err_set(e, ST_INPUT, "%.*s: '%.*s' is no longer given since version %lld of the"
                           " codebook; `ppmine label code-history` says what became of it",
                           (int)entry->subject.len, entry->subject.ptr, (int)code->name.len,
                           code->name.ptr, (long long)code->retired_in);
        if (given && (code == NULL || !span_eq(code->facet, span_of(facets[facet].codes))))
            return err_set(e, ST_INPUT, "%.*s: the codebook has no code %lld of the facet '%s'",
                           (int)entry->subject.len, entry->subject.ptr, (long long)codes[i],
                           facets[facet].codes);
        ended |= !given;
        if (!given)
            continue;
        buf_add_text(&entry->value, i > 0 ? "," : "");
        buf_add_json_kept(&entry->value, code->name);
    }
    buf_add_char(&entry->value, ']');
    return ST_OK;
}

static enum status MUST_USE describe(struct db *db, struct entry *entry, struct err *e)
{
    const struct db_decision *decision = entry->decision;
    enum status status = find_coder(db, entry, e);

    if (status != ST_OK)
        return status;
    entry->facet = span_of(facets[decision->facet].name);
    entry->subject = decision->subject;
    if (decision->facet == DB_IDENTIFICATION) {
        snprintf(entry->subject_space, sizeof entry->subject_space, "%lld",
                 (long long)decision->post_id);
        entry->subject = span_of(entry->subject_space);
        buf_add_text(&entry->value, decision->is_problem ? "true" : "false");
        return ST_OK;
    }
    if (entry->subject.len == 0)
        return err_set(e, ST_INPUT, "a decision about a problem without an id");
    return add_codes(db, entry, e);
}

/* "2026-11-21T01:12:21.000Z" */
static bool is_time(struct span s)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";

    for (size_t i = 0; s.len == sizeof form - 1 && i < s.len; i++)
        if (form[i] == '0' ? s.ptr[i] < '0' || s.ptr[i] > '9' : s.ptr[i] != form[i])
            return false;
    return s.len == sizeof form - 1;
}

static int64_t code_or_null(int64_t code)
{
    return code != 0 ? code : POST_ABSENT;
}

static int64_t code_or_zero(int64_t code)
{
    return code != POST_ABSENT ? code : 0;
}

static void bind_now(struct db *db, const struct entry *entry, struct span now)
{
    const struct db_decision *decision = entry->decision;

    if (decision->facet == DB_IDENTIFICATION) {
        sql_bind_int(db, SQL_JUDGEMENT_NOW, 1, decision->post_id);
        sql_bind_text(db, SQL_JUDGEMENT_NOW, 2, decision->coder);
        sql_bind_text(db, SQL_JUDGEMENT_NOW, 3, now);
    } else {
        sql_bind_text(db, SQL_LABEL_NOW, 1, entry->subject);
        sql_bind_text(db, SQL_LABEL_NOW, 2, entry->facet);
        sql_bind_text(db, SQL_LABEL_NOW, 3, decision->coder);
        sql_bind_text(db, SQL_LABEL_NOW, 4, now);
    }
}

/* Gives a decision without a time one; *same when what counts says the same already. */
static enum status MUST_USE settle_time(struct db *db, struct entry *entry, bool *same,
                                        struct err *e)
{
    const struct db_decision *decision = entry->decision;
    bool identifies = decision->facet == DB_IDENTIFICATION, row;
    enum sql which = identifies ? SQL_JUDGEMENT_NOW : SQL_LABEL_NOW;

    *same = false;
    entry->decided_at = decision->decided_at;
    if (entry->decided_at.ptr != NULL) {
        if (is_time(entry->decided_at))
            return ST_OK;
        return err_set(e, ST_INPUT, "'%.*s' is no time such as 2026-11-21T01:12:21.000Z",
                       (int)entry->decided_at.len, entry->decided_at.ptr);
    }
    time_now(entry->time_space);
    if (is_time(decision->now))
        memcpy(entry->time_space, decision->now.ptr, decision->now.len);
    entry->decided_at = span_of(entry->time_space);
    bind_now(db, entry, entry->decided_at);
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    struct span later = sql_text(db, which, 0);
    if (later.len == TIME_TEXT_SIZE - 1)
        memcpy(entry->time_space, later.ptr, later.len);
    *same = identifies ? (sql_int(db, which, 1) != 0) == decision->is_problem
                       : code_or_zero(sql_int(db, which, 1)) == decision->codes[0] &&
                             code_or_zero(sql_int(db, which, 2)) == decision->codes[1] &&
                             (!decision->anew ||
                              sql_int(db, which, 3) == db->names->codebook_version);
    sql_reset(db, which);
    return ST_OK;
}

static enum status MUST_USE put_row(struct db *db, const struct entry *entry, bool *is_new,
                                    struct err *e)
{
    const enum sql which = SQL_DECISION_PUT;

    sql_bind_text(db, which, 1, span_of(entry->decision_id));
    sql_bind_text(db, which, 2, entry->decided_at);
    sql_bind_text(db, which, 3, entry->decision->coder);
    sql_bind_text(db, which, 4, entry->subject);
    sql_bind_int(db, which, 5, entry->decision->post_id);
    sql_bind_text(db, which, 6, entry->facet);
    sql_bind_text(db, which, 7, buf_span(&entry->value));
    sql_bind_int(db, which, 8, db->names->codebook_version);
    sql_bind_text(db, which, 9, entry->decision->spelling);
    sql_bind_text(db, which, 10, entry->decision->reason);
    enum status status = sql_done(db, which, e);
    *is_new = status == ST_OK && sqlite3_changes(db->handle) > 0;
    return status;
}

static enum status MUST_USE put_judgement(struct db *db, const struct entry *entry, struct err *e)
{
    sql_bind_int(db, SQL_JUDGEMENT_PUT, 1, entry->decision->post_id);
    sql_bind_text(db, SQL_JUDGEMENT_PUT, 2, entry->decision->coder);
    sql_bind_int(db, SQL_JUDGEMENT_PUT, 3, entry->decision->is_problem);
    sql_bind_text(db, SQL_JUDGEMENT_PUT, 4, entry->decided_at);
    sql_bind_text(db, SQL_JUDGEMENT_PUT, 5, span_of(entry->decision_id));
    return sql_done(db, SQL_JUDGEMENT_PUT, e);
}

static enum status MUST_USE put_label(struct db *db, const struct entry *entry, struct err *e)
{
    const enum sql which = SQL_LABEL_PUT;

    sql_bind_text(db, which, 1, entry->subject);
    sql_bind_int(db, which, 2, entry->decision->post_id);
    sql_bind_text(db, which, 3, entry->decision->coder);
    sql_bind_text(db, which, 4, entry->facet);
    sql_bind_text(db, which, 5, span_of(entry->decision_id));
    sql_bind_int(db, which, 6, code_or_null(entry->decision->codes[0]));
    sql_bind_int(db, which, 7, code_or_null(entry->decision->codes[1]));
    sql_bind_text(db, which, 8, entry->decided_at);
    sql_bind_int(db, which, 9, db->names->codebook_version);
    sql_bind_text(db, which, 10, entry->decision->spelling);
    enum status status = sql_done(db, which, e);
    if (status != ST_OK || !entry->coder->is_merged)
        return status;
    sql_bind_text(db, SQL_PROBLEM_CLEAR, 1, entry->subject); /* no code may be left */
    status = sql_done(db, SQL_PROBLEM_CLEAR, e);
    if (status != ST_OK)
        return status;
    sql_bind_text(db, SQL_PROBLEM_PUT, 1, entry->subject);
    return sql_done(db, SQL_PROBLEM_PUT, e);
}

static enum status MUST_USE put_entry(struct db *db, struct entry *entry, struct err *e)
{
    bool same = false, is_new = false, undone = false;
    enum status status = describe(db, entry, e);

    if (status == ST_OK)
        status = settle_time(db, entry, &same, e);
    if (status != ST_OK || same)
        return status;
    labels_make_id(entry->decision->coder, entry->subject, entry->facet, buf_span(&entry->value),
            entry->decided_at, entry->decision_id);
    status = put_row(db, entry, &is_new, e);
    if (status == ST_OK && is_new && db->names->any_undone) {
        sql_bind_text(db, SQL_DECISION_UNDONE, 1, span_of(entry->decision_id));
        status = sql_row(db, SQL_DECISION_UNDONE, &undone, e);
        sql_reset(db, SQL_DECISION_UNDONE);
    }
    if (status != ST_OK || !is_new || undone)
        return status;
    if (entry->decision->facet == DB_IDENTIFICATION)
        return put_judgement(db, entry, e);
    return put_label(db, entry, e);
}

enum status db_decision_put(struct db *db, const struct db_decision *decision, struct err *e)
{
    struct entry entry = {.decision = decision};
    bool alone = sqlite3_get_autocommit(db->handle) != 0;
    enum status status = alone ? db_begin(db, e) : ST_OK;

    if (status == ST_OK)
        status = put_entry(db, &entry, e);
    buf_clear(&entry.value);
    if (alone && status == ST_OK)
        status = db_commit(db, e);
    if (alone && status != ST_OK)
        db_rollback(db);
    return status;
}

enum status db_labels_rebuild(struct db *db, struct err *e)
{
    return sql_exec(db, SQL_LABELS_REBUILD, e);
}

/* --- reading --- */

/* Of a coder whom the database does not know nothing is told. */
static void tell(const struct db *db, struct db_label *label,
                 void (*each)(void *ctx, const struct db_label *label), void *ctx)
{
    const struct named_coder *coder = coder_named(db, label->coder);

    if (coder == NULL)
        return;
    label->coder_is_merged = coder->is_merged;
    each(ctx, label);
}

static enum status MUST_USE judgement_each(struct db *db,
                                           void (*each)(void *ctx, const struct db_label *label),
                                           void *ctx, struct err *e)
{
    const enum sql which = SQL_IDENTIFICATION_EACH;
    struct db_label label = {.facet = DB_IDENTIFICATION, .post_id = POST_ABSENT};
    char subject[24];

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        int64_t post_id = sql_int(db, which, 0);
        if (post_id != label.post_id) {
            snprintf(subject, sizeof subject, "%lld", (long long)post_id);
            label.post_id = post_id;
            label.subject = span_of(subject);
        }
        label.coder = sql_text(db, which, 1);
        label.is_problem = sql_int_or_zero(db, which, 2) != 0;
        tell(db, &label, each, ctx);
    }
}

static enum status MUST_USE label_each(struct db *db, enum db_facet facet,
                                       void (*each)(void *ctx, const struct db_label *label),
                                       void *ctx, struct err *e)
{
    const enum sql which = SQL_LABEL_EACH;

    sql_bind_text(db, which, 1, span_of(facets[facet].name));
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_label label = {
            .subject = sql_text(db, which, 0),
            .post_id = sql_int(db, which, 1),
            .coder = sql_text(db, which, 2),
            .facet = facet,
        };
        for (int i = 0; i < DB_CODES_MAX; i++)
            label.codes[i] = sql_int_or_zero(db, which, 3 + i);
        label.spelling = sql_text(db, which, 5);
        tell(db, &label, each, ctx);
    }
}

enum status db_label_each(struct db *db, enum db_facet facet,
                          void (*each)(void *ctx, const struct db_label *label), void *ctx,
                          struct err *e)
{
    enum status status = read_names(db, e);

    if (status != ST_OK)
        return status;
    if (facet == DB_IDENTIFICATION)
        return judgement_each(db, each, ctx, e);
    return label_each(db, facet, each, ctx, e);
}

/* DB_FACETS when it is none. */
static enum db_facet facet_named(struct span name)
{
    size_t facet = DB_IDENTIFICATION + 1;

    while (facet < DB_FACETS && !span_eq(span_of(facets[facet].name), name))
        facet++;
    return (enum db_facet)facet;
}

enum status db_label_walk(struct db *db, void (*each)(void *ctx, const struct db_label *label),
                          void *ctx, struct err *e)
{
    const enum sql which = SQL_LABEL_WALK;
    enum status status = read_names(db, e);

    while (status == ST_OK) {
        bool row;
        status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_label label = {
            .subject = sql_text(db, which, 0),
            .post_id = sql_int(db, which, 1),
            .coder = sql_text(db, which, 2),
            .facet = facet_named(sql_text(db, which, 3)),
        };
        for (int i = 0; i < DB_CODES_MAX; i++)
            label.codes[i] = sql_int_or_zero(db, which, 4 + i);
        label.spelling = sql_text(db, which, 6);
        if (label.facet < DB_FACETS)
            tell(db, &label, each, ctx);
    }
    return status;
}

enum status db_problem_each(struct db *db,
                            void (*each)(void *ctx, const struct db_problem *problem), void *ctx,
                            struct err *e)
{
    const enum sql which = SQL_PROBLEM_EACH;

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_problem problem = {
            .problem_id = sql_text(db, which, 0),
            .post_id = sql_int(db, which, 1),
            .created_at = sql_text(db, which, 2),
            .tags = sql_text(db, which, 3),
            .introducing_stage = code_or_zero(sql_int(db, which, 4)),
            .exposing_stage = code_or_zero(sql_int(db, which, 5)),
            .symptom1 = code_or_zero(sql_int(db, which, 6)),
            .symptom2 = code_or_zero(sql_int(db, which, 7)),
            .root_cause = code_or_zero(sql_int(db, which, 8)),
        };
        each(ctx, &problem);
    }
}

enum status db_problem_date_put(struct db *db, struct span problem_id, struct span created_at,
                                struct err *e)
{
    static const enum sql puts[] = {SQL_PROBLEM_DATE_PUT, SQL_PROBLEM_DATE_COPY};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(puts) && status == ST_OK; i++) {
        sql_bind_text(db, puts[i], 1, problem_id);
        sql_bind_text(db, puts[i], 2, created_at);
        status = sql_done(db, puts[i], e);
    }
    return status;
}

/* --- the benchmark --- */

enum status db_assessment_put(struct db *db, const struct db_assessment *assessment,
                              struct err *e)
{
    sql_bind_text(db, SQL_ASSESSMENT_PUT, 1, assessment->problem_id);
    sql_bind_text(db, SQL_ASSESSMENT_PUT, 2, assessment->approach);
    sql_bind_text(db, SQL_ASSESSMENT_PUT, 3, assessment->status);
    sql_bind_text(db, SQL_ASSESSMENT_PUT, 4,
                  assessment->library.len > 0 ? assessment->library : (struct span){0});
    return sql_done(db, SQL_ASSESSMENT_PUT, e);
}

enum status db_assessment_each(struct db *db,
                               void (*each)(void *ctx, const struct db_assessment *assessment),
                               void *ctx, struct err *e)
{
    const enum sql which = SQL_ASSESSMENT_EACH;

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_assessment assessment = {
            .problem_id = sql_text(db, which, 0),
            .approach = sql_text(db, which, 1),
            .status = sql_text(db, which, 2),
            .library = sql_text(db, which, 3),
        };
        each(ctx, &assessment);
    }
}
