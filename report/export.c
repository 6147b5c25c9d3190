/* export: the tables that are published, one by one; as Parquet, too. */
#include "label/code_table.h"
#include "label/label.h"
#include "report/package.h"
#include "base/log.h"
#include "db/study.h"

#include <errno.h>
#include <unistd.h>

#define NAME(place, name) [DB_TABLE_##place] = #name,
const char *const report_data_names[DB_TABLES + 1] = {DB_TABLES_ALL(NAME)};

static struct span file_of(enum db_table table, char *name, size_t size)
{
    snprintf(name, size, "data/%s.csv", report_data_names[table]);
    return span_of(name);
}

void report_data_meaning(enum db_table table, struct buf *out)
{
    char name[64];
    AT_END(dictionary_clear) struct dictionary d;
    struct err e;

    if (dictionary_load(&d, &e) == ST_OK) {
        const struct dictionary_row *row = dictionary_find(&d, file_of(table, name, sizeof name), SPAN(""));
        if (row != NULL)
            buf_add_span(out, row->meaning);
    }
}

/* Only whole posts have JSON in JSON: other tables are read by programs that know a text there. */
static enum table_kind kind_of(enum db_table table, struct span name, struct span type)
{
    if (span_eq(name, SPAN("post_id")))
        return TABLE_INT;
    if (span_eq(type, SPAN("integer")) || span_eq(type, SPAN("real")))
        return TABLE_NUMBER;
    if (span_eq(type, SPAN("boolean")))
        return TABLE_BOOLEAN;
    return table == DB_TABLE_POSTS && span_eq(type, SPAN("json")) ? TABLE_JSON : TABLE_TEXT;
}

/* The columns of these tables follow from the facets of the study. */
static bool has_facets(enum db_table table)
{
    return table == DB_TABLE_PROBLEMS || table == DB_TABLE_CODING;
}

/* Types are the dictionary's; a column that it does not know is one of a facet, or a fault of the program. */
static enum status add_columns(struct table *t, struct db *db, enum db_table table, struct err *e)
{
    char file[64];
    const char *name;
    AT_END(dictionary_clear) struct dictionary d;
    enum status status = dictionary_load(&d, e);

    file_of(table, file, sizeof file);
    for (size_t i = 0; status == ST_OK && (name = db_table_column(db, table, i)) != NULL; i++) {
        const struct dictionary_row *row = dictionary_find(&d, span_of(file), span_of(name));
        if (row == NULL && !has_facets(table)) {
            status = err_set(e, ST_DATABASE, "%s: the dictionary lacks the column %s", file, name);
            break;
        }
        table_column_add(t, name, NULL, row != NULL ? kind_of(table, span_of(name), row->type) : TABLE_TEXT);
    }
    return status;
}

/* --- codes as the categories that they are in --- */

struct rolled {
    size_t list;
    struct span code, as;
};

struct rolling {
    size_t level; /* 0: codes are as they are */
    bool coding;  /* the table of labels, which names the facet in each row */
    const struct facets *facets;
    struct ARRAY_OF(struct rolled) codes;
    struct arena arena;
    size_t n_rolled, n_once;
};

static int compare_rolled(const void *a, const void *b)
{
    const struct rolled *x = a, *y = b;

    return x->list != y->list ? (x->list < y->list ? -1 : 1) : span_order(x->code, y->code);
}

/* The cells of a facet: what is there twice by now is left once, and those after it move up. */
static void roll_up(struct rolling *r, struct span *cells, size_t n, size_t list)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        const struct rolled sought = {.list = list, .code = cells[i]};
        const struct rolled *found = r->codes.n > 0 && cells[i].ptr != NULL
                                         ? bsearch(&sought, r->codes.at, r->codes.n, sizeof *r->codes.at,
                                                   compare_rolled)
                                         : NULL;
        struct span as = found != NULL ? found->as : cells[i];
        bool again = as.ptr == NULL;
        r->n_rolled += found != NULL;
        for (size_t k = 0; k < kept; k++)
            if (span_eq(cells[k], as)) {
                again = true;
                r->n_once++;
            }
        if (!again)
            cells[kept++] = as;
    }
    while (kept < n)
        cells[kept++] = (struct span){0};
}

/* problem_label has the facets in columns after the post's; coding has one in a row, and how it was spelled. */
static void roll_up_row(struct rolling *r, struct span *cells, size_t n)
{
    enum { BEFORE_FACETS = 4, FACET = 4, FIRST_CODE = 5, AFTER_CODES = 3 };
    size_t at = BEFORE_FACETS;

    if (r->coding) {
        size_t facet = facets_find(r->facets, cells[FACET]);
        if (facet < r->facets->n)
            roll_up(r, cells + FIRST_CODE, n - FIRST_CODE - AFTER_CODES, r->facets->items[facet].list);
        cells[n - AFTER_CODES] = (struct span){0};
        return;
    }
    for (size_t i = 0; i < r->facets->n_columns; i++) {
        const struct facet *facet = &r->facets->items[r->facets->columns[i]];
        roll_up(r, cells + at, facet->most, facet->list);
        at += facet->most;
    }
}

static enum status MUST_USE read_rolling(struct rolling *r, struct db *db, enum db_table table, struct err *e)
{
    if (r->level > 0 && !has_facets(table))
        return err_set(e, ST_USAGE, "export: --level: the table %s has no codes of problems; problems and coding have",
                       report_data_names[table]);
    if (r->level == 0)
        return ST_OK;
    r->coding = table == DB_TABLE_CODING;
    struct db_code code;
    enum status status = db_facets(db, &r->facets, e);
    while (db_code_next(db, &code, &status, e)) {
        struct span as = code_at(code.category, code.name, r->level);
        size_t list = facets_list(r->facets, code.facet);
        if (as.ptr != code.name.ptr && list < r->facets->n_lists)
            array_add(&r->codes,
                      ((struct rolled){
                          .list = list, .code = arena_copy(&r->arena, code.name), .as = arena_copy(&r->arena, as)}));
    }
    array_sort(&r->codes, compare_rolled);
    return status;
}

/* --- rows --- */

struct writer {
    struct table_stream stream;
    const char *name; /* of the file */
    struct rolling rolling;
};

static enum status write_row(void *ctx, const struct span *cells, size_t n, struct err *e)
{
    struct writer *w = ctx;
    struct span row[DB_TABLE_COLUMNS_MAX];

    memcpy(row, cells, n * sizeof *row);
    if (w->rolling.level > 0)
        roll_up_row(&w->rolling, row, n);
    for (size_t i = 0; i < n; i++) {
        /* Ids are printed as people write them; the database has the site in their upper bits. */
        int64_t id;

        if (w->stream.table->columns[i].kind == TABLE_INT && span_i64(row[i], &id))
            post_id_cell(w->stream.table, id);
        else
            table_add_text(w->stream.table, row[i]);
    }
    return table_stream_rows(&w->stream, w->name, e);
}

enum status report_data_write(struct db *db, enum db_table table, size_t level, const struct table_output *out,
                              const char *name, struct err *e)
{
    struct writer w = {.name = name, .rolling = {.level = level}};
    AT_END(table_clear) struct table t;

    table_init(&t, report_data_names[table], report_data_names[table], "");
    report_say_level(&t, level);
    enum status status = read_rolling(&w.rolling, db, table, e);
    THEN(status, add_columns(&t, db, table, e));
    if (status == ST_OK) {
        table_stream_begin(&w.stream, &t, out);
        status = db_table_each(db, table, write_row, &w, e);
        status = table_stream_end(&w.stream, status, name, e);
    }
    THEN(status, stream_check(out->file, name, e));
    if (status == ST_OK && level > 0)
        log_info(
            "level %zu: codes written as the category that they are in: %zu; of several of one category, left out: %zu",
            level, w.rolling.n_rolled, w.rolling.n_once);
    array_clear(&w.rolling.codes);
    arena_clear(&w.rolling.arena);
    return status;
}

/* --- Parquet: Debian has no library for C that writes it; a program in Python does, with Apache Arrow --- */

#define PROGRAM "ppmine-parquet"

/* The first line: names and types of the columns. */
static enum status write_types(struct db *db, enum db_table table, FILE *file, struct err *e)
{
    AT_END(buf_clear) struct buf line = {0};
    AT_END(dictionary_clear) struct dictionary d;
    char csv[64];
    const char *name;
    AT_END(arena_clear) struct arena arena = {0};
    struct span sites = {0}; /* with short names, which ids have: "ds:45" is not an integer */
    enum status status = dictionary_load(&d, e);

    THEN(status, db_setting_get(db, "sites", &arena, &sites, e));
    snprintf(csv, sizeof csv, "data/%s.csv", report_data_names[table]);
    buf_add_text(&line, "{\"columns\":{");
    for (size_t i = 0; status == ST_OK && (name = db_table_column(db, table, i)) != NULL; i++) {
        const struct dictionary_row *row = dictionary_find(&d, span_of(csv), span_of(name));
        buf_add_text(&line, i > 0 ? "," : "");
        buf_add_json(&line, span_of(name));
        buf_add_char(&line, ':');
        bool is_text = row == NULL ||
                       (sites.len > 0 && table != DB_TABLE_POSTS && span_eq(row->format, SPAN("post id")));
        buf_add_json(&line, is_text ? SPAN("text") : row->type);
    }
    buf_add_text(&line, "}}\n");
    if (status == ST_OK && fwrite(line.ptr, 1, line.len, file) != line.len)
        status = err_set(e, ST_IO, "temporary file: %s", strerror(errno));
    return status;
}

static enum status convert(FILE *input, const char *path, struct err *e)
{
    const char *const argv[] = {PROGRAM, path, NULL};
    pid_t pid;
    int error = program_start(argv, NULL, fileno(input), STDOUT_FILENO, false, &pid);

    if (error == ENOENT)
        return err_set(e, ST_IO,
                       "Parquet is written by the program " PROGRAM ", which is not on the PATH; see docs/duckdb.md");
    if (error != 0)
        return err_set(e, ST_IO, PROGRAM ": %s", strerror(error));
    int code = program_end(pid);
    if (code == 127)
        return err_set(e, ST_IO, PROGRAM ": it, or its Python, cannot be run; see docs/duckdb.md");
    return code == 0 ? ST_OK : err_set(e, ST_IO, PROGRAM " failed; what it says is above");
}

enum status report_data_parquet(struct db *db, enum db_table table, size_t level, const char *path, struct err *e)
{
    struct table_output out = {.format = TABLE_AS_NDJSON, .file = tmpfile()};

    if (out.file == NULL)
        return err_set(e, ST_IO, "temporary file: %s", strerror(errno));
    enum status status = write_types(db, table, out.file, e);
    THEN(status, report_data_write(db, table, level, &out, "temporary file", e));
    if (status == ST_OK && fseek(out.file, 0, SEEK_SET) != 0) /* which writes what is buffered */
        status = err_set(e, ST_IO, "temporary file: %s", strerror(errno));
    THEN(status, convert(out.file, path, e));
    fclose(out.file);
    return status;
}
