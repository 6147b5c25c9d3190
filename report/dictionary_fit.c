/* dictionary_fit: the dictionary of a package whose study has other facets than the built-in one. */
#include "report/package.h"

/* Which names a column of facets may have. */
enum names { NO_NAMES, LISTS, OF_PROBLEMS, ALL, ALL_TYPED, FIRST_TYPED };

static const struct {
    const char *file;
    enum names names;
} facet_columns[] = {
    {"data/codebook.csv", LISTS},         {"data/disambiguation.csv", LISTS},
    {"data/code_changes.csv", LISTS},     {"data/coding.csv", OF_PROBLEMS},
    {"data/decisions.csv", ALL},          {"statistics/agreement.csv", ALL_TYPED},
    {"statistics/coders.csv", ALL_TYPED}, {"statistics/yes-no.csv", FIRST_TYPED},
};

/* What is said of the built-in study's facets, in words that are true of all. */
static const struct {
    const char *file, *column, *meaning;
} meanings[] = {
    {"data/codebook.csv", "facet", "What the code is a value of. Facets may share their codes."},
    {"data/codebook.csv", "category", "Its category; some facets have none."},
    {"data/coding.csv", "code1",
     "The code, and where it was merged into another one, that one; or the value that the coder wrote."},
    {"statistics/agreement.csv", "", "Agreement of each two coders. Several codes are one label, in any order."},
    {"statistics/coders.csv", "",
     "Agreement of all coders of a facet, where there are more than two, somebody"
     " left a subject out, or a facet may have several codes."},
};

/* Tables of statistics whose columns do not follow from the facets. */
static const char *const fixed_tables[] = {"statistics/agreement.csv", "statistics/yes-no.csv", "statistics/coders.csv",
                                           "statistics/segmentation.csv"};

struct fitting {
    struct dictionary *d;
    const struct facets *facets;
    struct dictionary out; /* its rows only */
    bool problems_done;
    size_t most;
};

static void add_name(struct buf *out, struct span name)
{
    buf_add_text(out, out->len > 0 ? "|" : "");
    buf_add_span(out, name);
}

static void add_names(const struct fitting *f, enum names names, struct buf *out)
{
    const struct facets *facets = f->facets;

    for (size_t i = 0; i < facets->n_lists && names == LISTS; i++)
        if (facets_writing(facets, facets->lists[i]) == NULL)
            add_name(out, facets->lists[i]);
    for (size_t i = names == OF_PROBLEMS ? 1 : 0; i < facets->n && names != LISTS; i++)
        if (names != FIRST_TYPED || i == 0)
            add_name(out, names >= ALL_TYPED ? facets->items[i].typed : facets->items[i].name);
}

static bool is_of(const struct dictionary_row *row, const char *file, const char *column)
{
    return span_eq(row->file, span_of(file)) && span_eq(row->column, span_of(column));
}

/* The columns of a problem's facets, in the place of those of the built-in study. */
static void add_problem_columns(struct fitting *f, const struct dictionary_row *row)
{
    AT_END(buf_clear) struct buf text = {0};

    for (size_t i = 0; i < f->facets->n_columns && !f->problems_done; i++) {
        const struct facet *facet = &f->facets->items[f->facets->columns[i]];
        for (size_t k = 0; k < facet->most; k++) {
            struct dictionary_row column = *row;
            buf_reset(&text);
            facet_column(facet, k, &text);
            column.column = arena_copy(&f->d->arena, buf_span(&text));
            column.meaning = arena_addf(&f->d->arena, "%s%s.", facet->title.ptr, k > 0 ? ", a further one" : "");
            if (facet_is_written(facet)) {
                column.allowed = facet->kind == FACET_YES_NO ? SPAN("yes|no") : SPAN("");
                column.format = SPAN("");
                column.type = facet->kind == FACET_NUMBER ? SPAN("real") : SPAN("text");
            }
            array_add(&f->out.rows, column);
        }
    }
    f->problems_done = true;
}

static void fit_row(struct fitting *f, const struct dictionary_row *row)
{
    if (span_starts(row->file, SPAN("statistics/")) && !span_is_any(row->file, fixed_tables, ARRAY_LEN(fixed_tables)))
        return;
    if (span_eq(row->file, SPAN("data/problems.csv")) && row->allowed.len > 0 &&
        span_find(row->allowed, SPAN("codebook.csv")) != SIZE_MAX)
        add_problem_columns(f, row);
    else if (is_of(row, "data/coding.csv", "code2")) {
        for (size_t k = 2; k <= f->most; k++) {
            struct dictionary_row column = *row;
            column.column = arena_addf(&f->d->arena, "code%zu", k);
            column.meaning = SPAN("A further code, if there is one.");
            array_add(&f->out.rows, column);
        }
    } else {
        struct dictionary_row fitted = *row;
        AT_END(buf_clear) struct buf text = {0};
        for (size_t i = 0; i < ARRAY_LEN(facet_columns); i++)
            if (is_of(row, facet_columns[i].file, "facet")) {
                add_names(f, facet_columns[i].names, &text);
                fitted.allowed = arena_copy(&f->d->arena, buf_span(&text));
            }
        for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
            if (is_of(row, meanings[i].file, meanings[i].column))
                fitted.meaning = span_of(meanings[i].meaning);
        if (is_of(row, "data/coding.csv", "code1"))
            fitted.allowed = fitted.format = SPAN("");
        array_add(&f->out.rows, fitted);
    }
}

enum status dictionary_fit(struct dictionary *d, const struct facets *facets, struct err *e)
{
    struct fitting f = {.d = d, .facets = facets, .most = 1};
    AT_END(facets_clear) struct facets built_in = {0};
    AT_END(study_clear) struct study study;
    enum status status = study_load(&study, NULL, e);

    THEN(status, facets_of_study(&built_in, &study, e));
    for (size_t i = 0; i < facets->n; i++)
        f.most = facets->items[i].most > f.most ? facets->items[i].most : f.most;
    bool same = status == ST_OK && built_in.n == facets->n;
    for (size_t i = 0; i < facets->n && same; i++) {
        const struct facet *a = &built_in.items[i], *b = &facets->items[i];
        same = span_eq(a->name, b->name) && a->kind == b->kind && a->most == b->most &&
               a->problem_place == b->problem_place && span_eq(a->option, b->option);
    }
    if (status == ST_OK && !same) {
        for (size_t i = 0; i < d->rows.n; i++)
            fit_row(&f, &d->rows.at[i]);
        array_clear(&d->rows);
        d->rows.at = f.out.rows.at;
        d->rows.n = f.out.rows.n;
        d->rows.capacity = f.out.rows.capacity;
    }
    return status;
}

/* --- what problems are called --- */

/* Will it stand in Markdown as it is? */
static bool is_plain(const char *title)
{
    return title[0] != '\0' && strpbrk(title, "<>&") == NULL;
}

/* The text with each `was` replaced by `is`, in the arena. */
static struct span replaced(struct dictionary *d, struct span text, struct span was, struct span is)
{
    AT_END(buf_clear) struct buf out = {0};
    size_t at;

    if (span_find(text, was) == SIZE_MAX)
        return text;
    while ((at = span_find(text, was)) != SIZE_MAX) {
        buf_add_span(&out, (struct span){text.ptr, at});
        buf_add_span(&out, is);
        text = (struct span){text.ptr + at + was.len, text.len - at - was.len};
    }
    buf_add_span(&out, text);
    return arena_copy(&d->arena, buf_span(&out));
}

void dictionary_call(struct dictionary *d, struct span called)
{
    if (called.len > 0 && !is_plain(arena_text(&d->arena, called)))
        return;
    struct span one = arena_addf(&d->arena, "%s%.*s", called.len > 0 ? "one of the " : "a problem", SPAN_ARG(called));
    for (size_t i = 0; i < d->rows.n; i++) {
        struct span *meaning = &d->rows.at[i].meaning;
        *meaning = replaced(d, *meaning, SPAN("performance problems"), called.len > 0 ? called : SPAN("problems"));
        *meaning = replaced(d, *meaning, SPAN("a performance problem"), one);
    }
}

/* --- a table that says itself what it is --- */

#define NOT_COUNTED "What the numbers of the table do not count: the same in each row."

void dictionary_describe(struct dictionary *d, const struct table *t)
{
    struct span file = arena_addf(&d->arena, "statistics/%s.csv", t->id);

    if (dictionary_find(d, file, SPAN("")) == NULL) {
        array_add(&d->rows, {file, SPAN(""), SPAN("table"), SPAN(""), SPAN("0"), SPAN("0"), SPAN(""),
                             arena_copy(&d->arena, t->title)});
        for (size_t i = 0; i < t->n_columns; i++) {
            const struct table_column *column = &t->columns[i];
            bool share = column->kind == TABLE_SHARE || column->kind == TABLE_P;
            bool real = share || column->kind == TABLE_REAL;
            const char *title = column->title != NULL && is_plain(column->title) ? column->title : column->name;
            array_add(&d->rows, {file, arena_copy(&d->arena, span_of(column->name)),
                                 real                        ? SPAN("real")
                                 : column->kind == TABLE_INT ? SPAN("integer")
                                                             : SPAN("text"),
                                 share ? SPAN("0 to 1") : SPAN(""), SPAN("1"), SPAN("0"), SPAN(""),
                                 arena_copy(&d->arena, span_of(title))});
        }
    }
    if (t->caveat.len > 0) {
        /* As the last row about the file. */
        const struct dictionary_row row = {file,      SPAN("not_counted"), SPAN("text"), SPAN(""),
                                           SPAN("0"), SPAN("0"),           SPAN(""),     SPAN(NOT_COUNTED)};
        size_t at = d->rows.n;

        while (at > 0 && !span_eq(d->rows.at[at - 1].file, file))
            at--;
        array_add(&d->rows, row);
        memmove(d->rows.at + at + 1, d->rows.at + at, (d->rows.n - 1 - at) * sizeof *d->rows.at);
        d->rows.at[at] = row;
    }
}
