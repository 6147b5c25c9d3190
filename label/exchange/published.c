/* published: the codebook and the labels of a study's files, into a new database. */
#include "label/exchange/published.h"

#include "label/code_table.h"
#include "label/coding/act.h"
#include "label/coding/labels.h"
#include "db/study.h"
#include "base/csv.h"
#include "base/day.h"
#include "base/maps.h"

enum { OTHER_COLUMNS_MAX = 8, COLUMNS_MAX = OTHER_COLUMNS_MAX + FACETS_MAX * FACET_CODES_MAX };

/* In which columns the codes of a facet are. */
struct label_columns {
    size_t facet, first, n;
};

struct loader {
    struct db *db;
    const struct study *study;
    const struct facets *facets;
    const struct codebook *codebook;
    int64_t *code_ids; /* of the codes of the codebook */
    struct published_counts *counts;
    char decided_at[TIME_TEXT_SIZE];
    struct ARRAY_OF(struct span) coders;
    struct arena arena;
    /* of the file that is read: */
    struct csv_reader csv;
    struct label_columns labels[FACETS_MAX];
    size_t n_labels;
    struct text_numbers seen; /* the lines of rows of which it has one each: "48051647 coder1" */
    struct span again;        /* the first row that is there a second time; ptr NULL: none */
    size_t again_line;
    struct err *e;
};

/* --- the codebook --- */

static struct span or_absent(struct span s)
{
    return s.len > 0 ? s : (struct span){0};
}

static enum status MUST_USE put_codebook(struct loader *l)
{
    const struct codebook *c = l->codebook;
    enum status status = ST_OK;

    if (l->facets->n_lists > 0) /* codes may be added later to a study that has none yet */
        status = db_setting_put(l->db, "codebook_version", SPAN("1"), l->e);
    for (size_t i = 0; i < c->n_codes && status == ST_OK; i++) {
        const struct code *code = &c->codes[i];
        struct db_code row = {
            .facet = code->facet,
            .category = or_absent(code->category),
            .name = code->name,
            .short_name = or_absent(code->short_name),
            .definition = or_absent(code->definition),
        };
        struct span aliases = code->aliases, alias;
        status = db_code_put(l->db, &row, &l->code_ids[i], l->e);
        while (status == ST_OK && span_cut(&aliases, ';', &alias)) {
            alias = span_trim(alias);
            if (alias.len > 0)
                status = db_code_alias_put(l->db, l->code_ids[i], alias, l->e);
        }
    }
    for (size_t i = 0; i < c->n_rules && status == ST_OK; i++)
        status = db_disambiguation_put(l->db, l->code_ids[c->rules[i].code], l->code_ids[c->rules[i].versus],
                                       c->rules[i].rule, l->e);
    return status;
}

/* --- fields --- */

static enum status wrong(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", l->csv.name, l->csv.line, what);
}

static struct span field(const struct loader *l, size_t column)
{
    return csv_cell(&l->csv, column);
}

static enum status wrong_field(const struct loader *l, struct span text, const char *expected)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: '%.*s': expected %s", l->csv.name, l->csv.line, SPAN_ARG(text), expected);
}

/* "65160023" or "65160023_1"; `beside` (NULL: no column) is the id of its post. */
static enum status MUST_USE read_problem_id(const struct loader *l, struct span text, const struct span *beside,
                                            int64_t *post_id)
{
    int64_t given;

    if (!problem_id_read(text, post_id))
        return wrong_field(l, text, "a problem's id: the post's, with _1, _2, … if it has several");
    if (beside != NULL && (!post_id_read(*beside, &given) || given != *post_id))
        return wrong_field(l, *beside, "the post's id with which the problem's begins");
    return ST_OK;
}

/* Which of two rows counts would be nobody's decision. */
static void add_seen(struct loader *l, struct span key, struct span coder)
{
    struct text_numbers_entry *entry;
    struct span both = arena_addf(&l->arena, "%.*s %.*s", SPAN_ARG(key), SPAN_ARG(coder));

    if (text_numbers_add(&l->seen, both, &entry)) {
        entry->value = l->csv.line;
    } else if (l->again.ptr == NULL) {
        l->again = both;
        l->again_line = l->csv.line;
    }
}

/* --- decisions --- */

static const struct span merged = {"merged", 6};

/* Tells the database of a coder who is new. */
static enum status MUST_USE put_coder(struct loader *l, struct span coder)
{
    if (span_among(coder, l->coders.at, l->coders.n) < l->coders.n)
        return ST_OK;
    if (coder.len == 0)
        return wrong(l, "a row without a coder");
    AT_END(buf_clear) struct buf name = {0};
    struct err why;
    if (coder_name_check(coder, &name, &why) != ST_OK)
        return err_set(l->e, ST_INPUT, "%s:%zu: the coder's name %s", l->csv.name, l->csv.line, why.text);
    array_add(&l->coders, arena_copy(&l->arena, coder));
    return db_coder_put(l->db, coder, span_eq(coder, merged), l->e);
}

static enum status MUST_USE put_decision(struct loader *l, struct db_decision *decision)
{
    struct err why;

    decision->decided_at = span_of(l->decided_at);
    decision->in_bulk = decision->of_one_time = true;
    enum status status = act_record(l->db, decision, &why);
    if (status == ST_INPUT)
        return wrong(l, why.text);
    if (status != ST_OK)
        *l->e = why;
    return status;
}

/* With *spelling set, it gets what is there when that is not the code's name. */
static enum status MUST_USE read_code(const struct loader *l, size_t facet, size_t column, int64_t *code_id,
                                      struct span *spelling)
{
    const struct facet *of = &l->facets->items[facet];
    struct span text = field(l, column), list = l->facets->lists[of->list];
    struct err why;

    *code_id = 0;
    if (text.len == 0)
        return ST_OK;
    if (facet_is_written(of)) {
        AT_END(buf_clear) struct buf kept = {0}, plain = {0};
        enum status status = facet_cell(of, l->csv.delimiter, text, &plain, &why);
        THEN(status, facet_value(of, buf_span(&plain), &kept, &why));
        if (status != ST_OK)
            return wrong(l, why.text);
        *code_id = db_value_id(list, buf_span(&kept));
        return db_value_put(l->db, list, buf_span(&kept), l->e);
    }
    size_t code = codebook_find(l->codebook, list, text, &why);
    if (code == SIZE_MAX)
        return wrong(l, why.text);
    *code_id = l->code_ids[code];
    if (spelling != NULL && !span_eq(text, l->codebook->codes[code].name))
        *spelling = text;
    return ST_OK;
}

static enum status MUST_USE put_labels(struct loader *l, struct db_decision *decision)
{
    enum status status = ST_OK;
    size_t n = 0;

    for (const struct label_columns *c = l->labels; c < l->labels + l->n_labels && status == ST_OK; c++) {
        int64_t codes[FACET_CODES_MAX] = {0};
        size_t n_codes = 0;
        decision->spelling = (struct span){0};
        for (size_t i = 0; i < c->n && status == ST_OK; i++) {
            status = read_code(l, c->facet, c->first + i, &codes[i], i == 0 ? &decision->spelling : NULL);
            n_codes = codes[i] != 0 ? i + 1 : n_codes;
        }
        if (status != ST_OK || n_codes == 0)
            continue;
        n++;
        decision->facet = c->facet;
        decision->codes = (struct db_codes){codes, n_codes};
        status = put_decision(l, decision);
        decision->codes = (struct db_codes){0};
    }
    if (status == ST_OK && n == 0)
        return wrong(l, "a row without any label");
    return status;
}

/* --- the files, row by row --- */

static enum status put_judgement(struct loader *l)
{
    enum { POST_ID, CODER, IS_PROBLEM };
    struct span post_id = field(l, POST_ID), yes = field(l, IS_PROBLEM);
    struct db_decision decision = {
        .coder = field(l, CODER),
        .facet = FACET_JUDGES,
    };
    bool judged = facet_yes_no(l->csv.delimiter, yes, &decision.is_problem);

    if (!post_id_read(post_id, &decision.post_id))
        return wrong_field(l, post_id, "the id of a post");
    if (!judged)
        return wrong_field(l, yes, "1, a problem, or 0, none");
    add_seen(l, post_id, decision.coder);
    enum status status = put_coder(l, decision.coder);
    THEN(status, put_decision(l, &decision));
    l->counts->judgements++;
    return status;
}

static enum status put_coding(struct loader *l)
{
    enum { PROBLEM_ID, CODER };
    struct db_decision decision = {.subject = field(l, PROBLEM_ID), .coder = field(l, CODER)};
    enum status status = read_problem_id(l, decision.subject, NULL, &decision.post_id);

    add_seen(l, decision.subject, decision.coder);
    THEN(status, put_coder(l, decision.coder));
    THEN(status, put_labels(l, &decision));
    l->counts->codings++;
    return status;
}

static enum status put_problem(struct loader *l)
{
    enum { PROBLEM_ID, POST_ID, CREATED_AT };
    struct db_decision decision = {.subject = field(l, PROBLEM_ID), .coder = merged};
    struct span post = field(l, POST_ID), created_at = field(l, CREATED_AT);
    enum status status = read_problem_id(l, decision.subject, &post, &decision.post_id);
    bool is_date = created_at.len == 10 || created_at.len == TIME_TEXT_SIZE - 1; /* a time as the database holds it */

    is_date = is_date && day_has_form(created_at, (struct span){"0000-00-00T00:00:00.000Z", created_at.len});
    if (status == ST_OK && created_at.len > 0 && !is_date)
        status = wrong_field(l, created_at, "a date such as 2018-01-31 or 2018-01-31T01:12:20.000Z");
    add_seen(l, decision.subject, SPAN(""));
    THEN(status, put_coder(l, merged));
    if (status == ST_OK && created_at.len > 0)
        status = db_problem_date_put(l->db, decision.subject, created_at, l->e);
    THEN(status, put_labels(l, &decision));
    l->counts->problems++;
    return status;
}

static enum status put_assessment(struct loader *l)
{
    enum { PROBLEM_ID, POST_ID, LIBRARY, PROFILER, XLA, DOCUMENTATION };
    static const char *const results[] = {"not applied", "not solved", "partially solved"};
    static const char *const approaches[] = {[PROFILER] = "profiler", [XLA] = "xla", [DOCUMENTATION] = "documentation"};
    struct db_assessment row = {.problem_id = field(l, PROBLEM_ID), .library = field(l, LIBRARY)};
    struct span post = field(l, POST_ID);
    int64_t post_id = 0;
    enum status status = read_problem_id(l, row.problem_id, &post, &post_id);

    add_seen(l, row.problem_id, SPAN(""));
    for (size_t i = PROFILER; i < ARRAY_LEN(approaches) && status == ST_OK; i++) {
        row.approach = span_of(approaches[i]);
        row.status = field(l, i);
        if (!span_is_any(row.status, results, ARRAY_LEN(results)))
            return wrong_field(l, row.status, "not applied, not solved or partially solved");
        status = db_assessment_put(l->db, &row, l->e);
    }
    l->counts->assessments++;
    return status;
}

/* Which columns of facets a file has besides its own. */
enum facet_columns { NO_FACETS, THE_JUDGEMENT, FIRST_CODES, ALL_CODES };

static const struct published_file {
    const char *name;
    const char *columns[OTHER_COLUMNS_MAX]; /* in the order of the row's enum */
    size_t n_columns;
    enum facet_columns facets; /* after those */
    enum status (*put)(struct loader *l);
} files[] = {
    {"identification.csv", {"post_id", "coder"}, 2, THE_JUDGEMENT, put_judgement},
    {"coding.csv", {"problem_id", "coder"}, 2, FIRST_CODES, put_coding},
    {"problems.csv", {"problem_id", "post_id", "created_at"}, 3, ALL_CODES, put_problem},
    {"assessment.csv",
     {"problem_id", "post_id", "library", "profiler", "xla", "documentation"},
     6,
     NO_FACETS,
     put_assessment},
};

/* The names of a facet's columns, "symptom1" and "symptom2"; in a file of first codes it may be "symptom" alone. */
static void add_facet(struct loader *l, const struct published_file *file, struct span content, size_t facet,
                      const char **names, size_t *n)
{
    struct facet one = l->facets->items[facet];
    AT_END(buf_clear) struct buf name = {0};
    size_t most = one.most;

    facet_column(&one, 0, &name);
    if (file->facets == FIRST_CODES) {
        struct csv_reader csv;
        struct err ignored;
        bool has = false;
        csv_open_verbatim(&csv, content, file->name);
        if (csv_next(&csv, &ignored) == ST_OK)
            for (size_t i = 0; i < csv.fields.n && !has; i++)
                has = span_eq(span_trim(csv.fields.at[i]), buf_span(&name));
        csv_close(&csv);
        if (!has)
            one.most = most = 1;
    }
    l->labels[l->n_labels++] = (struct label_columns){facet, *n, most};
    for (size_t i = 0; i < most; i++) {
        buf_reset(&name);
        facet_column(&one, i, &name);
        names[(*n)++] = arena_text(&l->arena, buf_span(&name));
    }
}

static enum status MUST_USE put_file(struct loader *l, const struct published_file *file, struct span content)
{
    const char *names[COLUMNS_MAX];
    enum status status = ST_OK;
    size_t n = 0;

    l->n_labels = 0;
    for (; n < file->n_columns; n++)
        names[n] = file->columns[n];
    for (size_t i = FACET_JUDGES + 1; i < l->facets->n && file->facets >= FIRST_CODES; i++)
        add_facet(l, file, content, i, names, &n);
    if (file->facets == THE_JUDGEMENT) /* a column of the row's enum, after the others */
        add_facet(l, file, content, FACET_JUDGES, names, &n);
    text_numbers_reset(&l->seen);
    csv_open_verbatim(&l->csv, content, file->name);
    while (csv_walk(&l->csv, names, n, &status, l->e))
        status = file->put(l);
    if (status == ST_OK && l->again.ptr != NULL)
        status = err_set(l->e, ST_INPUT, "%s:%zu: '%.*s' is already in line %zu", file->name, l->again_line,
                         SPAN_ARG(span_trim(l->again)), text_numbers_find(&l->seen, l->again)->value);
    return status;
}

/* The labels, and a run that says where they came from. */
static enum status MUST_USE put_published(struct loader *l)
{
    struct db_run run = {.command = "init", .parameters = SPAN("{\"published\":true}"), .source = l->study->name};
    const struct published_counts *n = l->counts;
    AT_END(buf_clear) struct buf counts = {0};
    size_t n_files = 0;
    int64_t run_id;

    if (l->study->published_at[0] == '\0')
        return err_set(l->e, ST_INPUT,
                       "study.ini: 'published_at' is missing; add a line"
                       " 'published_at = …' with the day of the labels");
    snprintf(l->decided_at, sizeof l->decided_at, "%sT00:00:00.000Z", l->study->published_at);
    enum status status = db_run_begin(l->db, &run, &run_id, l->e);
    for (size_t i = 0; i < ARRAY_LEN(files) && status == ST_OK; i++) {
        struct span content = study_file(l->study, files[i].name);
        n_files += content.ptr != NULL;
        if (content.ptr != NULL)
            status = put_file(l, &files[i], content);
    }
    if (status == ST_OK && n_files == 0)
        status = err_set(l->e, ST_INPUT,
                         "study.ini: the study has no published labels: neither"
                         " identification.csv nor coding.csv, problems.csv or assessment.csv");
    THEN(status, db_problems_rebuild(l->db, l->e));
    if (status != ST_OK)
        return status;
    buf_addf(&counts, "{\"judgements\":%zu,\"codings\":%zu,\"problems\":%zu,\"assessments\":%zu}", n->judgements,
             n->codings, n->problems, n->assessments);
    return db_run_end(l->db, run_id, "ok", buf_span(&counts), l->e);
}

enum status published_put(struct db *db, const struct study *s, const struct facets *facets,
                          const struct codebook *codebook, struct published_counts *counts, struct err *e)
{
    struct loader l = {.db = db, .study = s, .facets = facets, .codebook = codebook, .counts = counts, .e = e};

    l.code_ids = mem_zero(codebook->n_codes + 1, sizeof *l.code_ids);
    enum status status = db_facets_put(db, facets, e);
    THEN(status, put_codebook(&l));
    if (status == ST_OK && counts != NULL) {
        *counts = (struct published_counts){0};
        status = put_published(&l);
    }
    mem_free(l.code_ids);
    array_clear(&l.coders);
    text_numbers_clear(&l.seen);
    arena_clear(&l.arena);
    return status;
}
