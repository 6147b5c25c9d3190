/*
 * For LD_PRELOAD: one statement of SQLite fails. The file $FAIL_SQL has four numbers: which of the different
 * statements fails (1 is the first, 0 none), how many of its rows or runs pass first, the code that SQLite answers;
 * written here, how many different ones ran since the first number was changed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHICH, PASSES, CODE, SEEN, FIELDS, MOST = 4096 };

static volatile int32_t *plan;
static int32_t known_plan, passed;
static uint64_t texts[MOST];
static sqlite3 *failed;          /* it answers with the code until its next statement */
static _Thread_local int inside; /* SQLite runs statements of its own, and asks others than step what came of them */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((constructor)) set_up(void)
{
    const char *name = getenv("FAIL_SQL");
    int fd = name != NULL ? open(name, O_RDWR | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    void *at = mmap(NULL, FIELDS * sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    plan = at != MAP_FAILED ? at : NULL;
    close(fd);
}

static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;

    for (; text != NULL && *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* Whether it is the one that fails, now. */
static int falls(const char *text)
{
    uint64_t h = hash(text);
    int32_t i = 0;

    if (plan[WHICH] != known_plan) {
        known_plan = plan[WHICH];
        passed = plan[SEEN] = 0;
    }
    while (i < plan[SEEN] && texts[i] != h)
        i++;
    if (i == plan[SEEN] && i < MOST) {
        texts[i] = h;
        plan[SEEN] = i + 1;
    }
    return i + 1 == known_plan && passed++ == plan[PASSES];
}

static int fails(sqlite3 *db, const char *text)
{
    if (plan == NULL || inside)
        return 0;
    pthread_mutex_lock(&lock);
    int yes = falls(text);
    if (yes || failed == db)
        failed = yes ? db : NULL;
    pthread_mutex_unlock(&lock);
    return yes;
}

int sqlite3_step(sqlite3_stmt *stmt)
{
    int (*real)(sqlite3_stmt *);

    *(void **)&real = dlsym(RTLD_NEXT, "sqlite3_step");
    if (fails(sqlite3_db_handle(stmt), sqlite3_sql(stmt)))
        return plan[CODE];
    inside++;
    int rc = real(stmt);
    inside--;
    return rc;
}

int sqlite3_exec(sqlite3 *db, const char *text, int (*each)(void *, int, char **, char **), void *ctx, char **said)
{
    int (*real)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);

    if (fails(db, text))
        return plan[CODE];
    *(void **)&real = dlsym(RTLD_NEXT, "sqlite3_exec");
    inside++;
    int rc = real(db, text, each, ctx, said);
    inside--;
    return rc;
}

#define REPLACE(name) \
    int name(sqlite3 *db) \
    { \
        int (*real)(sqlite3 *); \
        if (db != NULL && db == failed) \
            return plan[CODE]; \
        *(void **)&real = dlsym(RTLD_NEXT, #name); \
        return real(db); \
    }
REPLACE(sqlite3_errcode)
REPLACE(sqlite3_extended_errcode)
