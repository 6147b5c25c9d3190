/*
 * The database of another coder, which anybody may have written. 's' and SQL: run on a copy of a good one;
 * 'p' and patches (three bytes of a place, one of a value): of its file; 'j' is 's' where both changed the codebook since the copies parted,
 * and 'b' the same with two codes kept of what both added. Merging it says yes or no: after
 * no our database is byte for byte what it was, after yes it is whole, and merging again brings nothing.
 */
#include "label/facet_table.h"
#include "label/code_table.h"
#include "label/coding/decisions.h"
#include "db/health.h"
#include "label/merge/merge.h"
#include "db/study.h"
#include "base/files.h"
#include "base/log.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPCODES_MAX = 200 * 1000, FILE_MAX = 64 << 20 };

static struct place {
    char folder[64], ours[96], theirs[96];
    struct buf our_bytes[2], their_bytes[2]; /* before each merge; [1]: with changes of the codebook */
    bool changed;                            /* what `db` is of */
    struct db *db;                           /* ours; NULL when it must be written again */
} place;

static struct err e;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_file(const char *path, struct span bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    require(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
    close(fd);
}

static void remove_beside(const char *path)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal", ""};
    char name[128];

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

static void remove_folder(void)
{
    db_close(place.db);
    remove_beside(place.ours);
    remove_beside(place.theirs);
    rmdir(place.folder);
    for (size_t i = 0; i < ARRAY_LEN(place.our_bytes); i++) {
        buf_clear(&place.our_bytes[i]);
        buf_clear(&place.their_bytes[i]);
    }
}

/* --- the two good databases --- */

static void decide(struct db *db, const char *coder, int64_t post_id, int64_t code)
{
    char subject[32];
    /* clang-format off */
    struct db_decision d = {.coder = span_of(coder), .post_id = post_id, .facet = FACET_JUDGES,
                            .is_problem = code != 0, .reason = SPAN("as it is slow")};
    /* clang-format on */

    (void)snprintf(subject, sizeof subject, "%lld", (long long)post_id);
    d.subject = span_of(subject);
    require(db_decision_put(db, &d, &e) == ST_OK);
    d.facet = FACET_JUDGES + 1;
    d.codes = (struct db_codes){&code, 1};
    if (code != 0)
        require(db_decision_put(db, &d, &e) == ST_OK);
}

/* A code that one side added, and one that both did. */
static void change(struct db *db, const char *coder)
{
    const struct span names[] = {SPAN("swaps"), span_of(coder)};
    int64_t id;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct db_code code = {.facet = SPAN("symptom"), .name = names[i]};
        struct buf became = {0};
        buf_addf(&became, "[\"%.*s\"]", (int)names[i].len, names[i].ptr);
        /* clang-format off */
        const struct db_code_change how = {
            .version = (int64_t)i + 2, .changed_by = span_of(coder), .action = SPAN("add"),
            .facet = code.facet, .code = names[i], .became = buf_span(&became),
            .reason = SPAN("coding"), .look_again = i == 0 ? SPAN("[]") : SPAN("[2]"),
        };
        /* clang-format on */
        require(db_code_put(db, &code, &id, &e) == ST_OK);
        require(db_code_change_put(db, &how, &e) == ST_OK);
        buf_clear(&became);
        decide(db, coder, 200 + (int64_t)i, id);
    }
}

static void fill(const char *path, const char *coder, bool changes, struct buf *bytes)
{
    static const struct db_code codes[] = {
        {.facet = {"symptom", 7}, .name = {"slow", 4}},
        {.facet = {"symptom", 7}, .name = {"hang", 4}},
        {.facet = {"stage", 5}, .name = {"training", 8}},
    };
    struct db *db;
    int64_t id;

    require(study_db_create(&db, path, &e) == ST_OK);
    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        require(db_code_put(db, &codes[i], &id, &e) == ST_OK);
    require(db_setting_put(db, "name", SPAN("two copies"), &e) == ST_OK);
    require(db_setting_put(db, "codebook_version", SPAN("1"), &e) == ST_OK);
    require(db_coder_put(db, span_of(coder), false, &e) == ST_OK);
    decide(db, coder, 110, 1);
    decide(db, coder, 118, 2);
    decide(db, coder, 191, 0);
    if (changes)
        change(db, coder);
    db_close(db);
    require(db_open(&db, path, DB_COPY, &e) == ST_OK); /* turns the log off, which is in the file */
    db_close(db);
    require(file_read_regular(path, FILE_MAX, bytes, &e) == ST_OK);
}

static void prepare(void)
{
    const char *shared = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

    setenv("PPMINE_BUSY_TIMEOUT_MS", "0", 1);
    setenv("PPMINE_NOW", "2026-01-02T03:04:05.000Z", 1);
    (void)snprintf(place.folder, sizeof place.folder, "%s/ppmine-fuzz-XXXXXX", shared);
    require(mkdtemp(place.folder) != NULL);
    (void)snprintf(place.ours, sizeof place.ours, "%s/ours.db", place.folder);
    (void)snprintf(place.theirs, sizeof place.theirs, "%s/theirs.db", place.folder);
    atexit(remove_folder);
    for (int changes = 0; changes < 2; changes++) {
        fill(place.ours, "ann", changes == 1, &place.our_bytes[changes]);
        fill(place.theirs, "bob", changes == 1, &place.their_bytes[changes]);
        remove_beside(place.ours);
        remove_beside(place.theirs);
    }
}

static void open_ours(bool changed)
{
    if (place.db != NULL && place.changed == changed)
        return;
    db_close(place.db);
    place.changed = changed;
    remove_beside(place.ours);
    write_file(place.ours, buf_span(&place.our_bytes[changed]));
    require(db_open(&place.db, place.ours, DB_COPY, &e) == ST_OK);
}

/* --- theirs --- */

/* The script stays in its file. */
static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)ctx;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static int stop(void *ctx)
{
    int *left = ctx;

    return --*left < 0;
}

static void run_script(struct span script)
{
    sqlite3 *theirs;
    int left = OPCODES_MAX / 1000;
    char *text = mem_text(script);

    require(sqlite3_open(place.theirs, &theirs) == SQLITE_OK);
    sqlite3_limit(theirs, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(theirs, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_db_config(theirs, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_exec(theirs,
                 "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA max_page_count=4096;"
                 "PRAGMA foreign_keys=OFF; PRAGMA writable_schema=ON",
                 NULL, NULL, NULL);
    sqlite3_set_authorizer(theirs, allow, NULL);
    sqlite3_progress_handler(theirs, 1000, stop, &left);
    /* Statement by statement: what follows a bad one is run too. */
    struct span rest = span_of(text), line;
    while (span_cut(&rest, ';', &line)) {
        char *statement = mem_text(line);
        sqlite3_exec(theirs, statement, NULL, NULL, NULL);
        mem_free(statement);
    }
    sqlite3_exec(theirs, "COMMIT", NULL, NULL, NULL);
    require(sqlite3_close(theirs) == SQLITE_OK);
    mem_free(text);
}

static void make_theirs(char kind, struct span how)
{
    struct buf bytes = {0};

    remove_beside(place.theirs);
    buf_add_span(&bytes, buf_span(&place.their_bytes[kind == 'j' || kind == 'b']));
    for (size_t i = 0; kind == 'p' && i + 3 < how.len; i += 4) {
        const unsigned char *b = (const unsigned char *)how.ptr + i;
        bytes.ptr[((size_t)b[0] << 16U | (size_t)b[1] << 8U | b[2]) % bytes.len] = (char)b[3];
    }
    write_file(place.theirs, buf_span(&bytes));
    buf_clear(&bytes);
    if (kind != 'p')
        run_script(how);
}

/* --- merging --- */

static void complain(void *ctx, struct span what)
{
    (void)ctx;
    (void)fprintf(stderr, "%.*s\n", (int)what.len, what.ptr);
    abort();
}

static void check_refused(void)
{
    struct buf now = {0};
    struct err other;

    require(e.text[0] != '\0');
    require(file_read_regular(place.ours, FILE_MAX, &now, &other) == ST_OK);
    require(span_eq(buf_span(&now), buf_span(&place.our_bytes[place.changed])));
    buf_clear(&now);
}

static void check_merged(const struct db_merge_how *how)
{
    struct db_merged again;

    require(db_integrity_each(place.db, complain, NULL, &e) == ST_OK);
    require(db_merge(place.db, place.theirs, how, &again, &e) == ST_OK);
    for (size_t i = 0; i < again.coders.n; i++)
        require(again.coders.at[i].new_decisions == 0 && again.coders.at[i].new_notes == 0);
    require(again.codebook != DB_CODEBOOK_ADOPTED);
    db_merged_clear(&again);
    db_close(place.db);
    place.db = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct db_merge_how how = {.dry_run = false};
    struct db_merged merged;

    log_set_level(LOG_QUIET);
    if (place.folder[0] == '\0')
        prepare();
    if (size == 0 || (data[0] != 's' && data[0] != 'p' && data[0] != 'j' && data[0] != 'b'))
        return 0;
    make_theirs((char)data[0], (struct span){(const char *)data + 1, size - 1});
    open_ours(data[0] == 'j' || data[0] == 'b');
    how.take = data[0] == 'b' ? DB_TAKE_BOTH : DB_TAKE_ASK;
    e = (struct err){0};
    enum status status = db_merge(place.db, place.theirs, &how, &merged, &e);
    db_merged_clear(&merged);
    if (status == ST_OK) {
        check_merged(&how);
    } else {
        require(status == ST_INPUT || status == ST_DATABASE || status == ST_IO);
        check_refused();
    }
    return 0;
}
