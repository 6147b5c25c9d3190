/* The study that a database is of: its files, settings and runs. */
#include "db/study.h"
#include "db/sql.h"
#include "base/files.h"

/* --- settings and files --- */

/* The empty text, not NULL: these columns always hold something. */
static struct span never_null(struct span s)
{
    return s.ptr == NULL ? SPAN("") : s;
}

SQL(STUDY_FILE_PUT,
    SQL_OR_NOTHING "INSERT INTO study_file (name, content, sha256, changed_at) VALUES (:name, :content, :sha256,"
                   " :changed_at)"
                   " ON CONFLICT (name) DO UPDATE SET content = excluded.content, sha256 = excluded.sha256,"
                   "  changed_at = excluded.changed_at WHERE sha256 <> excluded.sha256");

enum status db_study_file_put(struct db *db, struct span name, struct span content, struct err *e)
{
    char sha256[SHA256_TEXT_SIZE], now[TIME_TEXT_SIZE];

    sha256_of(content, sha256);
    time_now(now);
    return sql_run(db, SQL_STUDY_FILE_PUT, e, BIND(":name", never_null(name)), BIND(":content", never_null(content)),
                   BIND(":sha256", span_of(sha256)), BIND(":changed_at", span_of(now)));
}

SQL(STUDY_FILE_EACH, "SELECT name, content FROM study_file ORDER BY name");

enum status db_study_file_each(struct db *db, void (*each)(void *ctx, struct span name, struct span content), void *ctx,
                               struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_STUDY_FILE_EACH, &status, e))
        each(ctx, sql_text(db, SQL_STUDY_FILE_EACH, 0), sql_text(db, SQL_STUDY_FILE_EACH, 1));
    return status;
}

SQL(STUDY_FILE_GET, "SELECT name, content FROM study_file WHERE name = :name");

enum status db_study_file_get(struct db *db, const char *name,
                              void (*each)(void *ctx, struct span name, struct span content), void *ctx, struct err *e)
{
    enum status status = ST_OK;

    sql_bind_text(db, SQL_STUDY_FILE_GET, ":name", span_of(name));
    while (sql_next(db, SQL_STUDY_FILE_GET, &status, e))
        each(ctx, sql_text(db, SQL_STUDY_FILE_GET, 0), sql_text(db, SQL_STUDY_FILE_GET, 1));
    return status;
}

static void add_content(void *ctx, struct span name, struct span content)
{
    (void)name;
    buf_add_span(ctx, content);
    buf_reserve(ctx, 1); /* a pointer, also to nothing */
}

enum status db_study_file_read(struct db *db, const char *name, struct buf *out, struct err *e)
{
    return db_study_file_get(db, name, add_content, out, e);
}

SQL(STUDY_FILE_REMOVE, "DELETE FROM study_file WHERE name = :name");

enum status db_study_file_remove(struct db *db, struct span name, struct err *e)
{
    return sql_run(db, SQL_STUDY_FILE_REMOVE, e, BIND(":name", name));
}

SQL(STUDY_CHANGE_PUT, "INSERT INTO study_change (changed_at, changed_by, file, reason, before, after)"
                      " VALUES (:changed_at, :changed_by, :file, :reason, :before, :after)");

enum status db_study_change_put(struct db *db, const struct db_study_change *change, struct err *e)
{
    struct sql *which = SQL_STUDY_CHANGE_PUT;
    char now[TIME_TEXT_SIZE];

    time_now(now);
    return sql_run(db, which, e, BIND(":changed_at", span_of(now)), BIND(":changed_by", change->changed_by),
                   BIND(":file", change->file), BIND(":reason", change->reason), BIND(":before", change->before),
                   BIND(":after", change->after));
}

SQL(STUDY_CHANGE_EACH,
    "SELECT changed_at, changed_by, file, reason, before, after FROM study_change ORDER BY change_id");

bool db_study_change_next(struct db *db, struct db_study_change *change, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_STUDY_CHANGE_EACH, status, e, INTO(change->changed_at), INTO(change->changed_by),
                         INTO(change->file), INTO(change->reason), INTO(change->before), INTO(change->after));
}

SQL(SETTING_PUT, "INSERT INTO study (key, value) VALUES (:key, :value)"
                 " ON CONFLICT (key) DO UPDATE SET value = excluded.value");

enum status db_setting_put(struct db *db, const char *key, struct span value, struct err *e)
{
    sql_forget(db); /* the version of the codebook is a setting */
    return sql_run(db, SQL_SETTING_PUT, e, BIND(":key", span_of(key)), BIND(":value", never_null(value)));
}

SQL(SETTING_GET, "SELECT value FROM study WHERE key = :key");

enum status db_setting_get(struct db *db, const char *key, struct arena *arena, struct span *value, struct err *e)
{
    enum status status = ST_OK;

    *value = (struct span){0};
    sql_bind_text(db, SQL_SETTING_GET, ":key", span_of(key));
    while (sql_next(db, SQL_SETTING_GET, &status, e))
        *value = arena_copy(arena, sql_text(db, SQL_SETTING_GET, 0));
    return status;
}

SQL(RUN_BEGIN, "INSERT INTO run (command, tool_version, parameters, source, started_at)"
               " VALUES (:command, :tool_version, :parameters, :source, :started_at)");

/* --- provenance --- */

enum status db_run_begin(struct db *db, const struct db_run *run, int64_t *run_id, struct err *e)
{
    char now[TIME_TEXT_SIZE];

    time_now(now);
    enum status status = sql_run(db, SQL_RUN_BEGIN, e, BIND(":command", span_of(run->command)),
                                 BIND(":tool_version", SPAN(PPMINE_VERSION)),
                                 BIND(":parameters", run->parameters.ptr == NULL ? SPAN("{}") : run->parameters),
                                 BIND(":source", run->source), BIND(":started_at", span_of(now)));
    *run_id = status == ST_OK ? sqlite3_last_insert_rowid(db->handle) : 0;
    return status;
}

SQL(RUN_AS_OF, "UPDATE run SET as_of = :as_of WHERE run_id = :run_id");

enum status db_run_as_of(struct db *db, int64_t run_id, struct span as_of, struct err *e)
{
    return sql_run(db, SQL_RUN_AS_OF, e, BIND(":run_id", run_id), BIND(":as_of", as_of));
}

SQL(RUN_END, "UPDATE run SET finished_at = :finished_at, outcome = :outcome,"
             " counts = :counts WHERE run_id = :run_id");

enum status db_run_end(struct db *db, int64_t run_id, const char *outcome, struct span counts, struct err *e)
{
    char now[TIME_TEXT_SIZE];

    time_now(now);
    return sql_run(db, SQL_RUN_END, e, BIND(":run_id", run_id), BIND(":finished_at", span_of(now)),
                   BIND(":outcome", span_of(outcome)), BIND(":counts", counts));
}

/* --- the study as a whole --- */

struct file_list {
    struct study_file *files;
    size_t n;
    struct arena arena;
};

static void add_file(void *ctx, struct span name, struct span content)
{
    struct file_list *list = ctx;

    list->files = mem_resize(list->files, list->n + 1, sizeof *list->files);
    list->files[list->n++] = (struct study_file){arena_copy(&list->arena, name), arena_copy(&list->arena, content)};
}

/* The files of these names; n = 0: all. */
static enum status MUST_USE load(struct study *out, struct db *db, const char *const *names, size_t n, struct err *e)
{
    struct file_list list = {0};
    enum status status = ST_OK;

    memset(out, 0, sizeof *out);
    if (n == 0)
        status = db_study_file_each(db, add_file, &list, e);
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = db_study_file_get(db, names[i], add_file, &list, e);
    THEN(status, study_load_files(out, list.files, list.n, e));
    mem_free(list.files);
    arena_clear(&list.arena);
    return status;
}

enum status db_study_load(struct study *out, struct db *db, struct err *e)
{
    return load(out, db, NULL, 0, e);
}

enum status db_study_load_unlabelled(struct study *out, struct db *db, struct err *e)
{
    static const char *const names[] = {"codebook.csv", "disambiguation.csv", "facets.csv",
                                        "hints.csv",    "keywords.txt",       "study.ini"};

    return load(out, db, names, ARRAY_LEN(names), e);
}
