/*
 * parquet: a published table as Parquet. Debian has no library for C that writes it; a program in
 * Python does, with Apache Arrow: scripts/spark/ppmine-parquet.
 */
#include "db/study.h"
#include "report/package.h"

#include <errno.h>
#include <unistd.h>

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
