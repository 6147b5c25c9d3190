/* doctor: what is missing on this machine, and whether a database is what it should be. */
#include "base/sandbox.h"
#include "cli/command.h"
#include "label/coding/decisions.h"
#include "db/health.h"
#include "db/copy.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"

#include <errno.h>
#include <unistd.h>

struct doctor {
    struct table table;
    bool ill;
};

static void add(struct doctor *d, const char *what, const char *state, const char *detail)
{
    table_add_row(&d->table, table_text(span_of(what)), table_text(span_of(state)), table_text(span_of(detail)));
}

/* --- the database --- */

static void add_fault(void *ctx, struct span what)
{
    struct doctor *d = ctx;

    d->ill = true;
    table_add_row(&d->table, table_text(SPAN("database")), table_text(SPAN("damaged")), table_text(what));
}

static void judge(struct doctor *d, const char *what, bool fine, const char *detail)
{
    d->ill = d->ill || !fine;
    add(d, what, fine ? "ok" : "differs", detail);
}

static const struct {
    const char *state, *detail;
} schema_states[] = {
    [DB_SCHEMA_EXTRA] = {"extra", "not one of ppmine's, and in nobody's way"},
    [DB_SCHEMA_CHANGED] = {"changed", "not as ppmine makes it: undo the change, or restore a copy"},
    [DB_SCHEMA_MISSING] = {"missing", "ppmine needs it: restore a copy"},
    [DB_SCHEMA_FOREIGN] = {"foreign", "other programs would run it when they write, ppmine does not: drop it"},
};

static void add_difference(void *ctx, const struct db_schema_difference *difference)
{
    struct doctor *d = ctx;
    const char *detail = schema_states[difference->state].detail;

    if (difference->is_derived)
        detail = "not as this ppmine makes it; run match";
    else if (difference->state == DB_SCHEMA_FOREIGN && span_eq(difference->type, SPAN("index")))
        detail = "a unique index keeps rows out of a table of ppmine: drop it";
    d->ill = d->ill || difference->state != DB_SCHEMA_EXTRA;
    AT_END(mem_end) char *what = mem_addf("%.*s %.*s", SPAN_ARG(difference->type), SPAN_ARG(difference->name));
    add(d, what, schema_states[difference->state].state, detail);
}

/* Derives everything again, as the last match did, unless its keywords are in a file that is not here. */
static enum status MUST_USE derive(struct db *copy, struct span parameters, struct err *e)
{
    bool verbatim = span_has(parameters, "\"verbatim\":true");
    struct mine_how how = {
        .match = verbatim ? MATCH_VERBATIM : MATCH_STEMMED,
        .text = span_has(parameters, "\"include_code\":true") ? TEXT_INCLUDE_CODE : 0,
    };
    struct mine_counts counts;
    enum status status = ST_OK;

    if (span_has(parameters, "\"keywords\":\"study\""))
        status = mine_database(copy, &how, &counts, e);
    THEN(status, db_begin(copy, e));
    THEN(status, db_labels_rebuild(copy, e));
    return status == ST_OK ? db_commit(copy, e) : status;
}

static enum status MUST_USE compare(struct doctor *d, struct db *copy, struct err *e)
{
    char was[DB_DERIVED][SHA256_TEXT_SIZE], is[SHA256_TEXT_SIZE];
    struct span parameters;
    AT_END(arena_clear) struct arena arena = {0};
    enum status status = db_last_match(copy, &arena, &parameters, e);
    const char *why_not = parameters.ptr == NULL ? "match has not been run"
                          : span_has(parameters, "\"keywords\":\"study\"")
                              ? NULL
                              : "matched with a file of --keywords: compared by running match again";

    for (size_t i = 0; i < DB_DERIVED && status == ST_OK; i++)
        status = db_derived_digest(copy, i, was[i], e);
    THEN(status, derive(copy, parameters, e));
    for (size_t i = 0; i < DB_DERIVED && status == ST_OK; i++) {
        bool of_posts = i < DB_DERIVED_OF_POSTS;
        if (of_posts && why_not != NULL) {
            add(d, db_derived_name(i), "skipped", why_not);
            continue;
        }
        status = db_derived_digest(copy, i, is, e);
        if (status == ST_OK)
            judge(d, db_derived_name(i), strcmp(was[i], is) == 0,
                  of_posts ? "equal to what match derives; run match if it differs"
                           : "equal to what the decisions give");
    }
    return status;
}

/* What is derived is derived again in a copy. */
static enum status MUST_USE look_at_derived(struct doctor *d, struct db *db, struct err *e)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    const char *parent = getenv("TMPDIR");
    AT_END(buf_clear) struct buf folder = {0}, path = {0};
    struct db *copy = NULL;
    enum log_level level = log_get_level();
    bool whole = false;

    buf_addf(&folder, "%s/ppmine-doctor.XXXXXX", parent != NULL ? parent : "/tmp");
    buf_add_char(&folder, '\0');
    if (mkdtemp(folder.ptr) == NULL)
        return err_set(e, ST_IO, "%s: no folder can be made here: %s; TMPDIR says where", folder.ptr, strerror(errno));
    buf_addf(&path, "%s/copy.db", folder.ptr);
    enum status status = db_copy(db, buf_cstr(&path), e);
    THEN(status, db_open(&copy, buf_cstr(&path), DB_COPY, e));
    if (level == LOG_NORMAL)
        log_set_level(LOG_QUIET); /* what match says is of no interest here */
    THEN(status, db_search_is_whole(copy, &whole, e));
    if (status == ST_OK)
        judge(d, "full-text index", whole, "is whole; run match if it differs");
    THEN(status, compare(d, copy, e));
    log_set_level(level);
    db_close(copy);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        buf_reset(&path);
        buf_addf(&path, "%s/copy.db%s", folder.ptr, endings[i]);
        unlink(buf_cstr(&path));
    }
    rmdir(folder.ptr);
    return status;
}

static enum status MUST_USE look_at_database(struct doctor *d, struct invocation *in, struct err *e)
{
    bool wanted = (in->values.db != NULL) || getenv("PPMINE_DB") != NULL;

    if (!wanted && access(in->db_path, F_OK) != 0) {
        add(d, "database", "skipped", "there is no ppmine.db here; name one with --db FILE");
        return ST_OK;
    }
    enum status status = invocation_open_db(in, DB_LOOK, e);
    THEN(status, db_schema_each(in->db, add_difference, d, e));
    if (status == ST_OK && d->ill)
        add(d, "database", "skipped", "its rows are looked at when its tables are as they should be");
    if (status != ST_OK || d->ill)
        return status;
    add(d, "schema", "ok", "each table, index and view is as this ppmine makes it");
    db_close(in->db);
    in->db = NULL;
    status = invocation_open_db(in, DB_READ, e); /* only what is as we make it is read further */
    THEN(status, db_integrity_each(in->db, add_fault, d, e));
    if (status != ST_OK || d->ill) /* of a damaged file nothing can be derived */
        return status;
    add(d, "database", "ok", "the file is whole, and each reference leads to a row");
    return look_at_derived(d, in->db, e);
}

/* --- the command --- */

static enum status run_doctor(struct invocation *in, struct err *e)
{
    static const struct {
        const char *names[4]; /* one of them will do */
        const char *detail;
    } programs[] = {
        {{"7z", "7zz", "7za"}, "load unpacks 7z with all processors (Debian: p7zip-full)"},
        {{"gnuplot"}, "stats --plot, bench report --plot, plots in packages (gnuplot-nox)"},
        {{"python3"}, "bench setup, bench run (python3-venv)"},
        {{"sqlite3"}, "queries on the database (sqlite3)"},
        {{"xdg-open"}, "serve opens the browser (xdg-utils)"},
    };
    struct doctor d = {.ill = false};

    signals_catch();
    table_init(&d.table, "doctor", "This installation", "what; state; detail");
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        bool found = false;
        for (size_t k = 0; programs[i].names[k] != NULL; k++)
            found = found || program_is_there(programs[i].names[k]);
        add(&d, programs[i].names[0], found ? "ok" : "missing", programs[i].detail);
    }
    bool cgroups = access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0;
    add(&d, "Landlock", sandbox_landlock() > 0 ? "ok" : "missing",
        "readers of strangers' files write nowhere else (Linux 5.13)");
    add(&d, "seccomp", sandbox_has_seccomp() ? "ok" : "missing", "they use no network and start no programs");
    add(&d, "cgroup v2", cgroups ? "ok" : "missing", "bench run measures memory of all processes");
    enum status status = look_at_database(&d, in, e);
    table_print(&d.table, &in->out);
    table_clear(&d.table);
    return status == ST_OK && d.ill ? ST_NO : status;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "Check for missing programs, and verify a database",
    .options = OPTIONS(OUTPUT_OPTIONS),
    .description = "Looks for the programs and the features of the kernel that some commands use. It verifies\n"
                   "the database in four ways: each table, index and view is word by word as this ppmine makes\n"
                   "it; the file is intact and each reference has its row; the full-text index is intact; the\n"
                   "derived tables equal those computed again from posts and decisions. Tables, views and\n"
                   "indices of somebody else are named as extra. A trigger is damage: ppmine has none, and runs\n"
                   "none. The last check works on a copy in $TMPDIR, and takes as long as match. Nothing\n"
                   "is changed. A missing program is not an error: only the commands named need it.",
    .nothing = "the database is damaged, or a derived table differs",
    .examples = EXAMPLES({"ppmine doctor", "programs missing on this machine"},
                         {"ppmine -d study.db doctor --format csv", "verify a database"}),
    .run = run_doctor,
};
