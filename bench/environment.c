/* The Python environments of the cases: made once for each set of requirements. */
#define _GNU_SOURCE
#include "bench/bench.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Written last. Its content is that of the requirements, so that other ones make it anew. */
static const char stamp_name[] = "ppmine-bench.stamp";

enum { REQUIREMENTS_MAX = 4 << 20, PIP_SECONDS = 6 * 3600 };

enum status bench_environment_dir(struct buf *out, struct err *e)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache != NULL && cache[0] == '/')
        buf_addf(out, "%s/ppmine/bench", cache);
    else if (home != NULL && home[0] == '/')
        buf_addf(out, "%s/.cache/ppmine/bench", home);
    else
        return err_set(e, ST_USAGE, "neither XDG_CACHE_HOME nor HOME is set; --dir DIR says where");
    return ST_OK;
}

enum status bench_environment_python(struct buf *out, const char *dir, struct err *e)
{
    struct buf stamp = {0};

    buf_addf(&stamp, "%s/%s", dir, stamp_name);
    bool made = access(buf_cstr(&stamp), F_OK) == 0;
    buf_clear(&stamp);
    buf_addf(out, "%s/bin/python", dir);
    if (!made || access(buf_cstr(out), X_OK) != 0) {
        err_set(e, ST_NO, "%s has no finished Python environment; 'ppmine bench setup' makes one,"
                          " --python FILE names another", dir);
        return ST_NO;
    }
    return ST_OK;
}

static bool has_file(const char *dir, const char *name)
{
    struct buf path = {0};

    buf_addf(&path, "%s/%s", dir, name);
    bool there = access(buf_cstr(&path), F_OK) == 0;
    buf_clear(&path);
    return there;
}

/* Missing counts as empty. */
static bool is_empty(const char *dir)
{
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    bool empty = folder != NULL || errno == ENOENT;

    while (folder != NULL && empty && (entry = readdir(folder)) != NULL)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (folder != NULL)
        closedir(folder);
    return empty;
}

/* Nothing of anybody else's is cleared. */
static enum status check_dir(const char *dir, struct err *e)
{
    if (is_empty(dir) || has_file(dir, "pyvenv.cfg"))
        return ST_OK;
    return err_set(e, ST_INPUT, "%s is not empty and is no Python environment; give another --dir",
                   dir);
}

static enum status read_stamp(const char *dir, struct buf *out, struct err *e)
{
    struct buf path = {0};
    enum status status = ST_OK;

    buf_addf(&path, "%s/%s", dir, stamp_name);
    if (access(buf_cstr(&path), F_OK) == 0)
        status = file_read(buf_cstr(&path), REQUIREMENTS_MAX, out, e);
    buf_clear(&path);
    return status;
}

static enum status write_stamp(const char *dir, struct span content, struct err *e)
{
    struct buf path = {0};

    buf_addf(&path, "%s/%s", dir, stamp_name);
    enum status status = file_replace(buf_cstr(&path), content, e);
    buf_clear(&path);
    return status;
}

/* What it prints goes to stderr. `otherwise`: what its failing means. */
static enum status step(const char *const *words, enum status otherwise, const char *advice,
                        struct err *e)
{
    struct bench_process p;
    struct bench_command c = {.argv = words, .seconds = PIP_SECONDS,
                              .echo = log_get_level() != LOG_QUIET};
    enum status status = bench_process_run(&p, &c, e);

    if (status == ST_OK && p.end == BENCH_STOPPED)
        status = ST_NO;
    else if (status == ST_OK && (p.end != BENCH_EXITED || p.code != 0))
        status = err_set(e, otherwise, "%s failed (%s %d); %s", words[0],
                         p.end == BENCH_EXITED ? "exit code" : "signal", p.code, advice);
    bench_process_clear(&p);
    return status;
}

static enum status make(const char *dir, const char *python, const char *requirements,
                        struct err *e)
{
    struct buf inner = {0};
    const char *const venv[] = {python, "-m", "venv", "--clear", dir, NULL};

    buf_addf(&inner, "%s/bin/python", dir);
    const char *const pip[] = {
        buf_cstr(&inner), "-m", "pip", "install", "--disable-pip-version-check",
        "--no-input", "--require-hashes", "--only-binary", ":all:", "--no-deps", "-r",
        requirements, NULL,
    };
    enum status status = step(venv, ST_IO, "on Debian it needs the package python3-venv", e);
    if (status == ST_OK)
        status = step(pip, ST_NETWORK, "its words stand above; run 'bench setup' again", e);
    buf_clear(&inner);
    return status;
}

static enum status look(bool *ready, const char *dir, struct span wanted, struct err *e)
{
    struct buf stamp = {0};
    enum status status = read_stamp(dir, &stamp, e);

    *ready = stamp.len > 0 && span_eq(buf_span(&stamp), wanted) && has_file(dir, "bin/python");
    buf_clear(&stamp);
    return status;
}

enum status bench_environment_ready(bool *ready, const char *dir, const char *requirements,
                                    struct err *e)
{
    struct buf wanted = {0};
    struct err unheard = {0};
    enum status status = file_read(requirements, REQUIREMENTS_MAX, &wanted, e);

    /* What another process clears meanwhile is not ready. */
    *ready = status == ST_OK && look(ready, dir, buf_span(&wanted), &unheard) == ST_OK && *ready;
    buf_clear(&wanted);
    return status;
}

enum status bench_environment_make(const char *dir, const char *python, const char *requirements,
                                   bool *made, struct err *e)
{
    struct buf wanted = {0};
    bool ready = false;
    enum status status = file_read(requirements, REQUIREMENTS_MAX, &wanted, e);

    *made = false;
    if (status == ST_OK)
        status = check_dir(dir, e);
    if (status == ST_OK)
        status = look(&ready, dir, buf_span(&wanted), e);
    if (status == ST_OK && !ready) {
        *made = true;
        status = make(dir, python, requirements, e);
        if (status == ST_OK)
            status = write_stamp(dir, buf_span(&wanted), e);
    }
    buf_clear(&wanted);
    return status;
}
