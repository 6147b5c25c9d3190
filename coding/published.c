/* published: the codebook and the labels of a study's files, into a new database. */
#include "coding/published.h"

#include "db/codebook.h"
#include "db/decisions.h"
#include "db/labels.h"
#include "db/study.h"

#include <stdlib.h>

/* A row of which a file has one each: "48051647 coder1". */
struct seen {
    struct span key;
    size_t line;
};

struct loader {
    struct db *db;
    const struct study *study;
    const struct codebook *codebook;
    int64_t *code_ids; /* of the codes of the codebook */
    struct published_counts *counts;
    char decided_at[TIME_TEXT_SIZE];
    struct span *coders;
    size_t n_coders, coder_capacity;
    struct arena arena;
    /* of the file that is read: */
    struct csv_reader csv;
    const size_t *columns;
    struct seen *seen;
    size_t n_seen, seen_capacity;
    struct err *e;
};

/* Room for one more at array[n]. */
static void *grown(void *array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity > 0 ? 2 * *capacity : 64;
    return mem_resize(array, *capacity, size);
}

/* --- the codebook --- */

static struct span or_absent(struct span s)
{
    return s.len > 0 ? s : (struct span){0};
}

static enum status MUST_USE put_code(struct loader *l, size_t i)
{
    const struct code *code = &l->codebook->codes[i];
    struct db_code row = {
        .facet = code->facet,
        .category = or_absent(code->category),
        .name = code->name,
        .short_name = or_absent(code->short_name),
        .definition = or_absent(code->definition),
    };
    struct span aliases = code->aliases, alias;
    enum status status = db_code_put(l->db, &row, &l->code_ids[i], l->e);

    while (status == ST_OK && span_cut(&aliases, ';', &alias)) {
        alias = span_trim(alias);
        if (alias.len > 0)
            status = db_code_alias_put(l->db, l->code_ids[i], alias, l->e);
    }
    return status;
}

static enum status MUST_USE put_codebook(struct loader *l)
{
    const struct codebook *c = l->codebook;
    enum status status = ST_OK;

    if (c->n_codes > 0)
        status = db_setting_put(l->db, "codebook_version", SPAN("1"), l->e);
    for (size_t i = 0; i < c->n_codes && status == ST_OK; i++)
        status = put_code(l, i);
    for (size_t i = 0; i < c->n_rules && status == ST_OK; i++)
        status = db_disambiguation_put(l->db, l->code_ids[c->rules[i].code],
                                       l->code_ids[c->rules[i].versus], c->rules[i].rule, l->e);
    return status;
}

/* --- fields --- */

static enum status wrong(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", l->csv.name, l->csv.line, what);
}

static struct span field(const struct loader *l, size_t column)
{
    return span_trim(l->csv.fields.at[l->columns[column]]);
}

static enum status wrong_field(const struct loader *l, struct span text, const char *expected)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: '%.*s': expected %s", l->csv.name, l->csv.line,
                   (int)text.len, text.ptr, expected);
}

/* "65160023" or "65160023_1" */
static enum status MUST_USE read_problem_id(const struct loader *l, struct span text,
                                            int64_t *post_id)
{
    if (problem_id_read(text, post_id))
        return ST_OK;
    return wrong_field(l, text, "a problem's id: the post's, with _1, _2, … if it holds several");
}

/* The post's id, which stands beside the problem's. */
static enum status MUST_USE check_post_id(const struct loader *l, struct span text,
                                          int64_t post_id)
{
    int64_t given;

    if (post_id_read(text, &given) && given == post_id)
        return ST_OK;
    return wrong_field(l, text, "the post's id with which the problem's begins");
}

static enum status MUST_USE add_seen(struct loader *l, struct span key, struct span coder)
{
    struct buf text = {0};

    buf_add_span(&text, key);
    buf_add_char(&text, ' ');
    buf_add_span(&text, coder);
    l->seen = grown(l->seen, l->n_seen, &l->seen_capacity, sizeof *l->seen);
    l->seen[l->n_seen++] = (struct seen){arena_copy(&l->arena, buf_span(&text)), l->csv.line};
    buf_clear(&text);
    return ST_OK;
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    size_t len = left->key.len < right->key.len ? left->key.len : right->key.len;
    int order = memcmp(left->key.ptr, right->key.ptr, len);

    if (order == 0)
        order = (left->key.len > right->key.len) - (left->key.len < right->key.len);
    if (order == 0)
        order = (left->line > right->line) - (left->line < right->line);
    return order;
}

/* Which of two rows counts would be nobody's decision. */
static enum status MUST_USE check_seen(struct loader *l)
{
    const struct seen *first = NULL, *again = NULL;

    if (l->n_seen > 0)
        qsort(l->seen, l->n_seen, sizeof *l->seen, compare_seen);
    for (size_t i = 1; i < l->n_seen; i++)
        if (span_eq(l->seen[i - 1].key, l->seen[i].key) &&
            (again == NULL || l->seen[i].line < again->line)) {
            first = &l->seen[i - 1];
            again = &l->seen[i];
        }
    if (again == NULL)
        return ST_OK;
    struct span key = span_trim(again->key);
    return err_set(l->e, ST_INPUT, "%s:%zu: '%.*s' stands in line %zu already", l->csv.name,
                   again->line, (int)key.len, key.ptr, first->line);
}

/* --- decisions --- */

static const struct span merged = {"merged", 6};

/* Tells the database of a coder who is new. */
static enum status MUST_USE put_coder(struct loader *l, struct span coder)
{
    for (size_t i = 0; i < l->n_coders; i++)
        if (span_eq(l->coders[i], coder))
            return ST_OK;
    if (coder.len == 0)
        return wrong(l, "a row without a coder");
    struct buf name = {0};
    struct err why;
    bool is_name = coder_name_check(coder, &name, &why) == ST_OK;
    buf_clear(&name);
    if (!is_name) {
        buf_addf(&name, "the coder's name %s", why.text);
        enum status status = wrong(l, buf_cstr(&name));
        buf_clear(&name);
        return status;
    }
    l->coders = grown(l->coders, l->n_coders, &l->coder_capacity, sizeof *l->coders);
    l->coders[l->n_coders++] = arena_copy(&l->arena, coder);
    return db_coder_put(l->db, coder, span_eq(coder, merged), l->e);
}

static enum status MUST_USE put_decision(struct loader *l, struct db_decision *decision)
{
    struct err why;

    decision->decided_at = span_of(l->decided_at);
    enum status status = db_decision_put(l->db, decision, &why);
    if (status == ST_INPUT)
        return wrong(l, why.text);
    if (status != ST_OK)
        *l->e = why;
    return status;
}

/* With *spelling set, it gets what stands there when that is not the code's name. */
static enum status MUST_USE read_code(const struct loader *l, const char *facet, size_t column,
                                      int64_t *code_id, struct span *spelling)
{
    struct span text = field(l, column);
    struct err why;

    *code_id = 0;
    if (text.len == 0)
        return ST_OK;
    size_t code = codebook_find(l->codebook, facet, text, &why);
    if (code == SIZE_MAX)
        return wrong(l, why.text);
    *code_id = l->code_ids[code];
    if (spelling != NULL && !span_eq(text, l->codebook->codes[code].name))
        *spelling = text;
    return ST_OK;
}

/* In which columns the labels of a row stand. */
struct label_columns {
    enum db_facet facet;
    const char *codes;
    size_t first, second; /* SIZE_MAX: none */
};

static enum status MUST_USE put_label(struct loader *l, const struct label_columns *columns,
                                      struct db_decision *decision, size_t *n)
{
    int64_t *codes = decision->codes;
    decision->spelling = (struct span){0};
    enum status status =
        read_code(l, columns->codes, columns->first, &codes[0], &decision->spelling);

    decision->facet = columns->facet;
    codes[1] = 0;
    if (status == ST_OK && columns->second != SIZE_MAX)
        status = read_code(l, columns->codes, columns->second, &codes[1], NULL);
    if (status != ST_OK || (codes[0] == 0 && codes[1] == 0))
        return status;
    ++*n;
    return put_decision(l, decision);
}

static enum status MUST_USE put_labels(struct loader *l, const struct label_columns *columns,
                                       size_t n_columns, struct db_decision *decision)
{
    enum status status = ST_OK;
    size_t n = 0;

    for (size_t i = 0; i < n_columns && status == ST_OK; i++)
        status = put_label(l, &columns[i], decision, &n);
    if (status == ST_OK && n == 0)
        return wrong(l, "a row without any label");
    return status;
}

/* --- the files, row by row --- */

enum { COLUMNS_MAX = 8 };

static enum status put_judgement(struct loader *l)
{
    enum { POST_ID, CODER, IS_PROBLEM };
    struct span post_id = field(l, POST_ID), yes = field(l, IS_PROBLEM);
    struct db_decision decision = {
        .coder = field(l, CODER),
        .facet = DB_IDENTIFICATION,
        .is_problem = span_eq(yes, SPAN("1")),
    };

    if (!post_id_read(post_id, &decision.post_id))
        return wrong_field(l, post_id, "the id of a post");
    if (!decision.is_problem && !span_eq(yes, SPAN("0")))
        return wrong_field(l, yes, "1, a problem, or 0, none");
    enum status status = add_seen(l, post_id, decision.coder);
    if (status == ST_OK)
        status = put_coder(l, decision.coder);
    if (status == ST_OK)
        status = put_decision(l, &decision);
    l->counts->judgements++;
    return status;
}

static enum status put_coding(struct loader *l)
{
    enum { PROBLEM_ID, CODER, SYMPTOM, ROOT_CAUSE, INTRODUCING, EXPOSING };
    static const struct label_columns columns[] = {
        {DB_SYMPTOM, "symptom", SYMPTOM, SIZE_MAX},
        {DB_ROOT_CAUSE, "root cause", ROOT_CAUSE, SIZE_MAX},
        {DB_INTRODUCING_STAGE, "stage", INTRODUCING, SIZE_MAX},
        {DB_EXPOSING_STAGE, "stage", EXPOSING, SIZE_MAX},
    };
    struct db_decision decision = {.subject = field(l, PROBLEM_ID), .coder = field(l, CODER)};
    enum status status = read_problem_id(l, decision.subject, &decision.post_id);

    if (status == ST_OK)
        status = add_seen(l, decision.subject, decision.coder);
    if (status == ST_OK)
        status = put_coder(l, decision.coder);
    if (status == ST_OK)
        status = put_labels(l, columns, ARRAY_LEN(columns), &decision);
    l->counts->codings++;
    return status;
}

/* A day, or a time as the database holds it. */
static bool is_date(struct span s)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";

    if (s.len != 10 && s.len != sizeof form - 1)
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (form[i] == '0' ? s.ptr[i] < '0' || s.ptr[i] > '9' : s.ptr[i] != form[i])
            return false;
    return true;
}

static enum status put_problem(struct loader *l)
{
    enum {
        PROBLEM_ID, POST_ID, CREATED_AT, INTRODUCING, EXPOSING, SYMPTOM1, SYMPTOM2, ROOT_CAUSE
    };
    static const struct label_columns columns[] = {
        {DB_SYMPTOM, "symptom", SYMPTOM1, SYMPTOM2},
        {DB_ROOT_CAUSE, "root cause", ROOT_CAUSE, SIZE_MAX},
        {DB_INTRODUCING_STAGE, "stage", INTRODUCING, SIZE_MAX},
        {DB_EXPOSING_STAGE, "stage", EXPOSING, SIZE_MAX},
    };
    struct db_decision decision = {.subject = field(l, PROBLEM_ID), .coder = merged};
    struct span created_at = field(l, CREATED_AT);
    enum status status = read_problem_id(l, decision.subject, &decision.post_id);

    if (status == ST_OK)
        status = check_post_id(l, field(l, POST_ID), decision.post_id);
    if (status == ST_OK && created_at.len > 0 && !is_date(created_at))
        status = wrong_field(l, created_at, "a date such as 2018-01-31 or 2018-01-31T01:12:20.000Z");
    if (status == ST_OK)
        status = add_seen(l, decision.subject, SPAN(""));
    if (status == ST_OK)
        status = put_coder(l, merged);
    if (status == ST_OK && created_at.len > 0)
        status = db_problem_date_put(l->db, decision.subject, created_at, l->e);
    if (status == ST_OK)
        status = put_labels(l, columns, ARRAY_LEN(columns), &decision);
    l->counts->problems++;
    return status;
}

static bool is_assessment(struct span status)
{
    return span_eq(status, SPAN("not applied")) || span_eq(status, SPAN("not solved")) ||
           span_eq(status, SPAN("partially solved"));
}

static enum status put_assessment(struct loader *l)
{
    enum { PROBLEM_ID, POST_ID, LIBRARY, PROFILER, XLA, DOCUMENTATION };
    static const struct {
        size_t column;
        struct span name;
    } approaches[] = {
        {PROFILER, {"profiler", 8}},
        {XLA, {"xla", 3}},
        {DOCUMENTATION, {"documentation", 13}},
    };
    struct db_assessment row = {.problem_id = field(l, PROBLEM_ID), .library = field(l, LIBRARY)};
    int64_t post_id = 0;
    enum status status = read_problem_id(l, row.problem_id, &post_id);

    if (status == ST_OK)
        status = check_post_id(l, field(l, POST_ID), post_id);
    if (status == ST_OK)
        status = add_seen(l, row.problem_id, SPAN(""));
    for (size_t i = 0; i < ARRAY_LEN(approaches) && status == ST_OK; i++) {
        row.approach = approaches[i].name;
        row.status = field(l, approaches[i].column);
        if (!is_assessment(row.status))
            return wrong_field(l, row.status, "not applied, not solved or partially solved");
        status = db_assessment_put(l->db, &row, l->e);
    }
    l->counts->assessments++;
    return status;
}

static const struct published_file {
    const char *name;
    const char *columns[COLUMNS_MAX]; /* in the order of the row's enum */
    size_t n_columns;
    enum status (*put)(struct loader *l);
} files[] = {
    {"identification.csv", {"post_id", "coder", "is_problem"}, 3, put_judgement},
    {"coding.csv",
     {"problem_id", "coder", "symptom", "root_cause", "introducing_stage", "exposing_stage"}, 6,
     put_coding},
    {"problems.csv",
     {"problem_id", "post_id", "created_at", "introducing_stage", "exposing_stage", "symptom1",
      "symptom2", "root_cause"}, 8, put_problem},
    {"assessment.csv",
     {"problem_id", "post_id", "library", "profiler", "xla", "documentation"}, 6, put_assessment},
};

static enum status MUST_USE put_file(struct loader *l, const struct published_file *file,
                                     struct span content)
{
    size_t columns[COLUMNS_MAX];

    l->n_seen = 0;
    l->columns = columns;
    csv_open_verbatim(&l->csv, content, file->name);
    enum status status = csv_header(&l->csv, file->columns, file->n_columns, columns, l->e);
    while (status == ST_OK && (status = csv_record(&l->csv, l->e)) == ST_OK)
        status = file->put(l);
    if (status == ST_NO)
        status = check_seen(l);
    csv_close(&l->csv);
    return status;
}

static enum status MUST_USE put_files(struct loader *l)
{
    enum status status = ST_OK;
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_LEN(files) && status == ST_OK; i++) {
        struct span content = study_file(l->study, files[i].name);
        if (content.ptr == NULL)
            continue;
        n++;
        status = put_file(l, &files[i], content);
    }
    if (status == ST_OK && n == 0)
        return err_set(l->e, ST_INPUT, "study.ini: the study has no published labels: neither"
                       " identification.csv nor coding.csv, problems.csv or assessment.csv");
    return status;
}

/* The labels, and a run that says where they came from. */
static enum status MUST_USE put_published(struct loader *l)
{
    struct db_run run = {.command = "init", .parameters = SPAN("{\"published\":true}"),
                         .source = l->study->name};
    const struct published_counts *n = l->counts;
    struct buf counts = {0};
    int64_t run_id;

    if (l->study->published_at[0] == '\0')
        return err_set(l->e, ST_INPUT, "study.ini: 'published_at' is missing; add a line"
                       " 'published_at = …' with the day of the labels");
    snprintf(l->decided_at, sizeof l->decided_at, "%sT00:00:00.000Z", l->study->published_at);
    enum status status = db_run_begin(l->db, &run, &run_id, l->e);
    if (status == ST_OK)
        status = put_files(l);
    if (status != ST_OK)
        return status;
    buf_addf(&counts, "{\"judgements\":%zu,\"codings\":%zu,\"problems\":%zu,\"assessments\":%zu}",
             n->judgements, n->codings, n->problems, n->assessments);
    status = db_run_end(l->db, run_id, "ok", buf_span(&counts), l->e);
    buf_clear(&counts);
    return status;
}

enum status published_put(struct db *db, const struct study *s, const struct codebook *codebook,
                          struct published_counts *counts, struct err *e)
{
    struct loader l = {.db = db, .study = s, .codebook = codebook, .counts = counts, .e = e};

    l.code_ids = mem_zero(codebook->n_codes + 1, sizeof *l.code_ids);
    enum status status = put_codebook(&l);
    if (status == ST_OK && counts != NULL) {
        *counts = (struct published_counts){0};
        status = put_published(&l);
    }
    mem_free(l.code_ids);
    mem_free(l.coders);
    mem_free(l.seen);
    arena_clear(&l.arena);
    return status;
}
