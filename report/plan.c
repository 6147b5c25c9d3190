/* plan: which tables a study wants, from its statistics.csv. */
#include "label/facet_table.h"
#include "db/study.h"
#include "report/report.h"
#include "base/csv.h"

/* Which facets a statistic is about, and whether they need a common list of codes. */
static const struct kind {
    const char *name;
    bool rows, columns, shares_list;
} kinds[] = {
    [REPORT_TOTALS] = {"totals", false, false, false},        [REPORT_YEARS] = {"years", false, false, false},
    [REPORT_CATEGORIES] = {"categories", true, false, false}, [REPORT_CODES] = {"codes", true, false, false},
    [REPORT_CROSSTAB] = {"crosstab", true, true, false},      [REPORT_ROLES] = {"roles", true, true, true},
    [REPORT_MATRIX] = {"matrix", true, true, true},           [REPORT_ORDER] = {"order", true, true, true},
    [REPORT_TESTS] = {"tests", false, false, false},          [REPORT_ASSESSMENT] = {"assessment", false, false, false},
    [REPORT_NUMBERS] = {"numbers", true, false, false},       [REPORT_MEDIANS] = {"medians", true, true, false},
};
_Static_assert(ARRAY_LEN(kinds) == REPORT_KINDS, "each kind has a name");

enum { TABLE, QUESTION, STATISTIC, ROWS, COLUMNS, TITLE, PLOT, CSV_COLUMNS };

struct loader {
    struct report_plan *plan;
    const struct facets *facets;
    size_t capacity;
    struct csv_reader csv;
    struct err *e;
};

static const char *const names[CSV_COLUMNS] = {"table", "question", "statistic", "rows", "columns", "title", "plot"};

void report_plan_clear(struct report_plan *p)
{
    mem_free(p->items);
    arena_clear(&p->arena);
    *p = (struct report_plan){0};
}

bool report_can_group(const struct report_statistic *s)
{
    return s->kind == REPORT_CATEGORIES || s->kind == REPORT_CODES;
}

static void add(struct report_plan *p, size_t *capacity, const struct report_statistic *s)
{
    p->items = array_room(p->items, p->n, 1, capacity, sizeof *p->items);
    p->items[p->n++] = *s;
}

/* --- statistics.csv --- */

static enum status MUST_USE wrong(const struct loader *l, size_t column, struct span text, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s '%.*s': %s", l->csv.name, l->csv.line, names[column],
                   text.len < 100 ? (int)text.len : 100, text.len > 0 ? text.ptr : "", what);
}

static struct span cell(const struct loader *l, size_t column)
{
    return csv_cell(&l->csv, column);
}

static const char *kept(struct loader *l, struct span text)
{
    return text.len > 0 ? arena_text(&l->plan->arena, text) : NULL;
}

/* Names of files and options follow from it. */
static bool is_id(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!(s.ptr[i] >= 'a' && s.ptr[i] <= 'z') && !(s.ptr[i] >= '0' && s.ptr[i] <= '9') &&
            !(s.ptr[i] == '-' && i > 0))
            return false;
    return s.len > 0 && s.len <= FACET_NAME_MAX;
}

/* "2 3" */
static enum status MUST_USE read_questions(const struct loader *l, unsigned *questions)
{
    struct span text = cell(l, QUESTION), rest = text, word;
    uint64_t number;

    *questions = 0;
    while (span_cut(&rest, ' ', &word)) {
        if (word.len == 0)
            continue;
        if (!span_u64(word, REPORT_QUESTIONS_MAX, &number) || number == 0)
            return wrong(l, QUESTION, text, "expected numbers of research questions");
        *questions |= 1U << number;
    }
    return ST_OK;
}

/* "symptom:category", "root cause:code", "symptom" */
static enum status MUST_USE read_facet(const struct loader *l, size_t column, size_t *facet, bool *by_code)
{
    struct span text = cell(l, column), rest = text, name = {0};

    *facet = span_cut(&rest, ':', &name) ? facets_find(l->facets, span_trim(name)) : l->facets->n;
    *by_code = span_eq(span_trim(rest), SPAN("code"));
    if (*facet == l->facets->n || l->facets->items[*facet].list == SIZE_MAX)
        return wrong(l, column, text, "expected a facet with codes of facets.csv");
    if (rest.len > 0 && !*by_code && !span_eq(span_trim(rest), SPAN("category")))
        return wrong(l, column, text, "expected :category or :code after the facet");
    return ST_OK;
}

static enum status MUST_USE read_names(struct loader *l)
{
    static const char expected[] = "expected lower-case letters, digits and '-'";

    if (!is_id(cell(l, TABLE)))
        return wrong(l, TABLE, cell(l, TABLE), expected);
    if (cell(l, PLOT).len > 0 && !is_id(cell(l, PLOT)))
        return wrong(l, PLOT, cell(l, PLOT), expected);
    for (size_t i = 0; i < l->plan->n; i++)
        if (span_eq(cell(l, TABLE), span_of(l->plan->items[i].id)))
            return wrong(l, TABLE, cell(l, TABLE), "there is such a table already");
    return ST_OK;
}

static enum status MUST_USE read_statistic(struct loader *l, struct report_statistic *s)
{
    struct span text = cell(l, STATISTIC);
    size_t i = 0;

    while (i < REPORT_KINDS && !span_eq(span_of(kinds[i].name), text))
        i++;
    if (i == REPORT_KINDS)
        return wrong(l, STATISTIC, text, "there is no such statistic");
    s->kind = (enum report_kind)i;
    enum status status = read_questions(l, &s->questions);
    if (status == ST_OK && kinds[i].rows)
        status = read_facet(l, ROWS, &s->rows, &s->rows_by_code);
    if (status == ST_OK && kinds[i].columns)
        status = read_facet(l, COLUMNS, &s->columns, &s->columns_by_code);
    bool by = s->kind == REPORT_MEDIANS;
    if (status == ST_OK && s->kind >= REPORT_NUMBERS &&
        l->facets->items[by ? s->columns : s->rows].kind != FACET_NUMBER)
        status = wrong(l, by ? COLUMNS : ROWS, cell(l, by ? COLUMNS : ROWS), "expected a facet of kind number");
    if (kinds[i].shares_list)
        s->rows_by_code = s->columns_by_code = true;
    THEN(status, read_names(l));
    if (status == ST_OK && kinds[i].shares_list && l->facets->items[s->rows].list != l->facets->items[s->columns].list)
        status = wrong(l, COLUMNS, cell(l, COLUMNS), "its codes are of another list than the rows'");
    return status;
}

static enum status MUST_USE read_csv(struct report_plan *out, const struct facets *facets, struct span content,
                                     struct err *e)
{
    struct loader l = {.plan = out, .facets = facets, .e = e};
    enum status status = ST_OK;

    csv_open_verbatim(&l.csv, content, "statistics.csv");
    while (csv_walk(&l.csv, names, CSV_COLUMNS, &status, e)) {
        struct report_statistic s = {.rows = SIZE_MAX, .columns = SIZE_MAX};
        status = read_statistic(&l, &s);
        if (status != ST_OK)
            continue;
        s.id = kept(&l, cell(&l, TABLE));
        s.title = cell(&l, TITLE).len > 0 ? kept(&l, cell(&l, TITLE)) : s.id;
        s.plot = kept(&l, cell(&l, PLOT));
        add(out, &l.capacity, &s);
    }
    return status;
}

/* --- without it --- */

struct making {
    struct report_plan *plan;
    const struct facets *facets;
    size_t capacity;
    size_t codes[2], n; /* the first facets with codes */
};

/* The texts live as long as the plan. */
static void add_made(struct making *m, struct report_statistic s, const char *id, const char *title, bool drawn)
{
    s.id = id;
    s.title = title;
    s.plot = drawn ? s.id : s.plot;
    add(m->plan, &m->capacity, &s);
}

/* Of one with codes, by category and by code; of yes/no, by code. */
static void add_code_tables(struct making *m, size_t place)
{
    const struct facet *facet = &m->facets->items[place];
    struct arena *arena = &m->plan->arena;

    if (m->n < ARRAY_LEN(m->codes))
        m->codes[m->n++] = place;
    for (int by_code = facet_is_written(facet); by_code < 2; by_code++) {
        const char *what = by_code ? "code" : "category";
        add_made(m,
                 (struct report_statistic){.rows = place,
                                           .columns = SIZE_MAX,
                                           .kind = by_code ? REPORT_CODES : REPORT_CATEGORIES,
                                           .plot = by_code ? arena_text(arena, facet->typed) : NULL},
                 arena_addf(arena, "%s-%s", facet->typed.ptr, what).ptr,
                 arena_addf(arena, "%s by %s", facet->plural.ptr, what).ptr, false);
    }
}

/* In all, and by the codes of the first facet that has some. */
static void add_number_tables(struct making *m, size_t place)
{
    const struct facet *facet = &m->facets->items[place], *first;
    const struct report_statistic all = {.kind = REPORT_NUMBERS, .rows = place, .columns = SIZE_MAX};
    const struct report_statistic by = {
        .kind = REPORT_MEDIANS, .rows = m->codes[0], .columns = place, .rows_by_code = true};
    struct arena *arena = &m->plan->arena;

    add_made(m, all, arena_text(arena, facet->typed), arena_text(arena, facet->title), m->n == 0);
    if (m->n > 0) {
        first = &m->facets->items[by.rows];
        add_made(m, by, arena_addf(arena, "%s-by-%s", facet->typed.ptr, first->typed.ptr).ptr,
                 arena_addf(arena, "%s by %s", facet->title.ptr, first->name.ptr).ptr, true);
    }
}

static void add_crosstab(struct making *m)
{
    const struct facet *rows = &m->facets->items[m->codes[0]], *columns = &m->facets->items[m->codes[1]];
    struct arena *arena = &m->plan->arena;
    const struct report_statistic cross = {.kind = REPORT_CROSSTAB,
                                           .rows = m->codes[0],
                                           .columns = m->codes[1],
                                           .rows_by_code = true,
                                           .columns_by_code = true};

    add_made(m, cross, arena_addf(arena, "%s-by-%s", rows->typed.ptr, columns->typed.ptr).ptr,
             arena_addf(arena, "%s (rows) by %s (columns)", rows->title.ptr, columns->name.ptr).ptr, false);
    add_made(m, (struct report_statistic){.kind = REPORT_TESTS}, "tests", "Tests of independence", false);
}

static bool is_named(const struct report_plan *p, size_t facet)
{
    for (size_t i = 0; i < p->n; i++)
        if ((kinds[p->items[i].kind].rows && p->items[i].rows == facet) ||
            (kinds[p->items[i].kind].columns && p->items[i].columns == facet))
            return true;
    return false;
}

/* For each facet but texts that the plan does not name. */
static void add_tables(struct making *m)
{
    const struct facets *f = m->facets;

    for (size_t i = FACET_JUDGES + 1; i < f->n; i++)
        if ((f->items[i].kind == FACET_CODES || f->items[i].kind == FACET_YES_NO) && !is_named(m->plan, i))
            add_code_tables(m, i);
    for (size_t i = FACET_JUDGES + 1; i < f->n; i++)
        if (f->items[i].kind == FACET_NUMBER && !is_named(m->plan, i))
            add_number_tables(m, i);
}

/* Totals, years, tables for each facet but texts, the first two facets with codes crossed, and the test of that. */
static void make_default(struct report_plan *p, const struct facets *f, struct span called)
{
    struct making m = {.plan = p, .facets = f};
    called = called.len > 0 ? called : SPAN("problems");
    char *by_year = arena_text(&p->arena, arena_addf(&p->arena, "%.*s by year of the post", SPAN_ARG(called)));

    if (by_year[0] >= 'a' && by_year[0] <= 'z')
        by_year[0] = (char)(by_year[0] - 'a' + 'A');
    add_made(&m, (struct report_statistic){.kind = REPORT_TOTALS}, "totals", "The study", false);
    add_made(&m, (struct report_statistic){.kind = REPORT_YEARS}, "year", by_year, false);
    add_tables(&m);
    if (m.n == ARRAY_LEN(m.codes))
        add_crosstab(&m);
}

/* --- a plan --- */

/* The built-in study's file, which may be about facets that are not here; and tables of facets that it does not have. */
static enum status MUST_USE read_built_in(struct report_plan *out, const struct facets *facets)
{
    AT_END(study_clear) struct study study;
    struct err e;
    enum status status = study_load(&study, NULL, &e);

    THEN(status, read_csv(out, facets, study_file(&study, "statistics.csv"), &e));
    struct making m = {.plan = out, .facets = facets, .capacity = out->n};
    if (status == ST_OK)
        add_tables(&m);
    return status;
}

enum status report_plan_load(struct report_plan *out, const struct facets *facets, struct span called,
                             struct span content, struct err *e)
{
    enum status status = ST_OK;

    *out = (struct report_plan){0};
    if (content.ptr != NULL) {
        status = read_csv(out, facets, content, e);
    } else if (read_built_in(out, facets) != ST_OK) {
        report_plan_clear(out);
        make_default(out, facets, called);
    }
    out->ids = arena_alloc(&out->arena, (out->n + 1) * sizeof *out->ids);
    for (size_t i = 0; i < out->n; i++)
        out->ids[i] = out->items[i].id;
    out->ids[out->n] = NULL;
    unsigned all = 0;
    size_t n = 0;

    for (size_t i = 0; i < out->n; i++)
        all |= out->items[i].questions;
    out->questions = arena_alloc(&out->arena, (REPORT_QUESTIONS_MAX + 2) * sizeof *out->questions);
    out->questions[n++] = "all";
    for (unsigned number = 1; all >> number != 0; number++)
        out->questions[n++] = arena_addf(&out->arena, "%u", number).ptr;
    out->questions[n] = NULL;
    return status;
}

enum status report_plan_of_db(struct report_plan *out, struct db *db, struct err *e)
{
    const struct facets *facets = NULL;
    AT_END(facets_clear) struct facets built_in = {0};
    AT_END(study_clear) struct study study = {0};
    AT_END(buf_clear) struct buf content = {0};
    AT_END(arena_clear) struct arena arena = {0};
    struct span called = {0};
    enum status status = ST_OK;

    *out = (struct report_plan){0};
    if (db != NULL) {
        status = db_facets(db, &facets, e);
        THEN(status, db_setting_get(db, "problems", &arena, &called, e));
        THEN(status, db_study_file_read(db, "statistics.csv", &content, e));
    } else {
        status = study_load(&study, NULL, e);
        THEN(status, facets_of_study(&built_in, &study, e));
        facets = &built_in;
    }
    THEN(status, report_plan_load(out, facets, called, content.ptr != NULL ? buf_span(&content) : (struct span){0}, e));
    return status;
}
