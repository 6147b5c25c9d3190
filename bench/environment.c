/* The Python environments of the cases: which there are, where they are, and whether they are ready. */
#include "base/files.h"
#include "base/output_file.h"
#include "base/log.h"
#include "bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Written last, with the requirements as content: other requirements make the environment again. Runs have a shared
 * lock on it. */
#define ENVIRONMENT_STAMP "ppmine-bench.stamp"

enum { ENVIRONMENT_FILE_MAX = 4 << 20 };

static const char suffix[] = ".txt";

/* --- one --- */

/* "tensorflow-cpu==2.15.1 \": the version of a package that is called so. */
static bool read_version(struct span line, const char *package, struct span *version)
{
    size_t len = strlen(package);

    if (!span_starts(line, span_of(package)) || !span_starts(span_after(line, len), SPAN("==")))
        return false;
    line = span_after(line, len + 2);
    return span_cut(&line, ' ', version);
}

/* The name of a file without its folder and its ".txt". */
static struct span name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    struct span name = span_of(slash != NULL ? slash + 1 : file);

    if (name.len > sizeof suffix - 1 && span_ends(name, SPAN(suffix)))
        name.len -= sizeof suffix - 1;
    return name;
}

enum status bench_environment_read(struct bench_environment *out, const char *requirements, const char *dir,
                                   struct arena *arena, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char sha256[SHA256_TEXT_SIZE];
    enum status status = file_read(requirements, ENVIRONMENT_FILE_MAX, &content, e);

    *out = (struct bench_environment){.wanted = "", .tensorflow = "", .keras = "", .dir = ""};
    out->requirements = arena_text(arena, span_of(requirements));
    out->name = arena_text(arena, name_of(requirements));
    if (status != ST_OK)
        return status;
    for (struct span rest = buf_span(&content), line, version; span_cut(&rest, '\n', &line);) {
        line = span_trim(line);
        if (span_starts(line, SPAN("# python ")))
            out->wanted = arena_text(arena, span_trim(span_after(line, 9)));
        else if (read_version(line, "tensorflow-cpu", &version) || read_version(line, "tensorflow", &version))
            out->tensorflow = arena_text(arena, version);
        else if (read_version(line, "keras", &version))
            out->keras = arena_text(arena, version);
    }
    /* Other requirements are another folder, so that no environment is cleared that somebody uses. */
    sha256_of(buf_span(&content), sha256);
    if (dir != NULL)
        out->dir = arena_text(arena, span_of(dir));
    else if (cache != NULL && cache[0] == '/')
        out->dir = arena_addf(arena, "%s/ppmine/environments/%s-%.12s", cache, out->name, sha256).ptr;
    else if (home != NULL && home[0] == '/')
        out->dir = arena_addf(arena, "%s/.cache/ppmine/environments/%s-%.12s", home, out->name, sha256).ptr;
    else
        return err_set(e, ST_USAGE, "neither XDG_CACHE_HOME nor HOME is set; --dir DIR says where");
    return ST_OK;
}

/* --- those of a folder --- */

bool bench_is_environment(const char *name)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

    return len > 0 && len < BENCH_ENVIRONMENT_NAME_MAX && name[len] == '\0' && name[0] != '.';
}

enum status bench_environment_named(struct bench_environment *out, const char *folder, const char *name,
                                    struct arena *arena, struct err *e)
{
    AT_END(mem_end) char *path = mem_addf("%s/%s%s", folder, name, suffix);
    if (!bench_is_environment(name) || access(path, F_OK) != 0)
        return err_set(e, ST_USAGE, "there is no environment '%.64s' in %s; 'bench setup --list' names them", name,
                       folder);
    return bench_environment_read(out, path, NULL, arena, e);
}

static int by_name(const void *a, const void *b)
{
    const struct bench_environment *x = a, *y = b;

    return strverscmp(x->name, y->name);
}

enum status bench_environments_load(struct bench_environments *out, const char *folder, struct err *e)
{
    AT_END(dir_end) DIR *dir = opendir(folder);
    const struct dirent *entry;
    enum status status = ST_OK;

    *out = (struct bench_environments){0};
    if (dir == NULL)
        return err_set(e, ST_IO, "%s: %s", folder, strerror(errno));
    while (status == ST_OK && (entry = readdir(dir)) != NULL) {
        struct bench_environment one;
        struct span name = name_of(entry->d_name);
        if (name.len == strlen(entry->d_name) || !bench_is_environment(entry->d_name))
            continue;
        status = bench_environment_named(&one, folder, arena_text(&out->arena, name), &out->arena, e);
        if (status == ST_OK)
            array_add(&out->items, one);
    }
    array_sort(&out->items, by_name);
    return status;
}

void bench_environments_clear(struct bench_environments *list)
{
    array_clear(&list->items);
    arena_clear(&list->arena);
}

/* --- is it ready? --- */

enum status bench_environment_python(struct buf *out, const struct bench_environment *environment, struct err *e)
{
    AT_END(mem_end) char *stamp = mem_addf("%s/%s", environment->dir, ENVIRONMENT_STAMP);
    bool made = access(stamp, F_OK) == 0;
    buf_addf(out, "%s/bin/python", environment->dir);
    if (!made || access(buf_cstr(out), X_OK) != 0)
        return err_set(e, ST_NO,
                       "%s has no finished Python environment; 'ppmine bench setup %s' makes one, --python FILE names"
                       " another",
                       environment->dir, environment->name);
    return ST_OK;
}

int bench_environment_use(const char *python)
{
    struct span dir = span_of(python);

    for (int i = 0; i < 2; i++)
        while (dir.len > 0 && dir.ptr[--dir.len] != '/') {
        }
    AT_END(mem_end) char *stamp = mem_addf("%.*s/%s", SPAN_ARG(dir), ENVIRONMENT_STAMP);
    int fd = dir.len > 0 ? open(stamp, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0)
        (void)flock(fd, LOCK_SH | LOCK_NB);
    return fd;
}

/* --- making one for a file of requirements: a venv, then pip with hashes --- */

enum { PIP_SECONDS = 6 * 3600 };

static bool has_file(const char *dir, const char *name)
{
    AT_END(mem_end) char *path = mem_addf("%s/%s", dir, name);
    return access(path, F_OK) == 0;
}

/* Missing counts as empty. */
static bool is_empty(const char *dir)
{
    AT_END(dir_end) DIR *folder = opendir(dir);
    const struct dirent *entry;
    bool empty = folder != NULL || errno == ENOENT;

    while (folder != NULL && empty && (entry = readdir(folder)) != NULL)
        empty = span_is_word(span_of(entry->d_name), ". ..");
    return empty;
}

/* What it prints goes to stderr. `otherwise`: what its failing means. */
static enum status step(const char *const *words, enum status otherwise, const char *advice, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process p;
    struct bench_command c = {.argv = words, .seconds = PIP_SECONDS, .echo = log_get_level() != LOG_QUIET};
    enum status status = bench_process_run(&p, &c, e);

    if (status == ST_OK && (p.end != BENCH_EXITED || p.code != 0))
        status = err_set(e, otherwise, "%s failed (%s %d); %s", words[0],
                         p.end == BENCH_EXITED ? "exit code" : "signal", p.code, advice);
    return status;
}

static enum status look(bool *ready, const char *dir, struct span wanted, struct err *e)
{
    AT_END(buf_clear) struct buf stamp = {0};
    enum status status = ST_OK;

    AT_END(mem_end) char *path = mem_addf("%s/%s", dir, ENVIRONMENT_STAMP);
    if (access(path, F_OK) == 0)
        status = file_read(path, ENVIRONMENT_FILE_MAX, &stamp, e);
    *ready = stamp.len > 0 && span_eq(buf_span(&stamp), wanted) && has_file(dir, "bin/python");
    return status;
}

enum status bench_environment_ready(bool *ready, const char *dir, const char *requirements, struct err *e)
{
    AT_END(buf_clear) struct buf wanted = {0};
    struct err unheard = {0};
    enum status status = file_read(requirements, ENVIRONMENT_FILE_MAX, &wanted, e);

    /* What another process clears meanwhile is not ready. */
    *ready = status == ST_OK && look(ready, dir, buf_span(&wanted), &unheard) == ST_OK && *ready;
    return status;
}

enum status bench_environment_make(const char *dir, const char *python, const char *requirements, bool *made,
                                   struct err *e)
{
    AT_END(buf_clear) struct buf wanted = {0};
    bool ready = false;
    AT_END(fd_end) int in_use = -1;
    enum status status = file_read(requirements, ENVIRONMENT_FILE_MAX, &wanted, e);

    AT_END(mem_end) char *stamp = mem_addf("%s/%s", dir, ENVIRONMENT_STAMP);
    *made = false;
    /* Nothing of anybody else's is cleared. */
    if (status == ST_OK && !is_empty(dir) && !has_file(dir, "pyvenv.cfg"))
        status = err_set(e, ST_INPUT, "%s is neither empty nor a Python environment; give another --dir", dir);
    THEN(status, look(&ready, dir, buf_span(&wanted), e));
    if (status == ST_OK && !ready) {
        /* A run locks the stamp of the environment that it uses. */
        in_use = open(stamp, O_RDONLY | O_CLOEXEC);
        if (in_use >= 0 && flock(in_use, LOCK_EX | LOCK_NB) != 0)
            status = err_set(e, ST_IO,
                             "%s is made for other requirements, and a run uses it; wait for its end,"
                             " or give another --dir",
                             dir);
    }
    if (status == ST_OK && !ready) {
        AT_END(mem_end) char *inner = mem_addf("%s/bin/python", dir);
        const char *const venv[] = {python, "-m", "venv", "--clear", dir, NULL};
        const char *const pip[] = {inner,
                                   "-m",
                                   "pip",
                                   "install",
                                   "--disable-pip-version-check",
                                   "--no-input",
                                   "--require-hashes",
                                   "--only-binary",
                                   ":all:",
                                   "--no-deps",
                                   "-r",
                                   requirements,
                                   NULL};
        *made = true;
        status = step(venv, ST_IO, "on Debian it needs the package python3-venv", e);
        THEN(status, step(pip, ST_NETWORK, "see its messages above; run 'bench setup' again", e));
        THEN(status, output_file_write(stamp, OUTPUT_REPLACE, buf_span(&wanted), e));
    }
    return status;
}

/* --- the Python to begin with --- */

/* The version of a Python, such as "3.11"; false for a program that cannot make environments. */
static bool ask_version(const char *python, struct buf *version)
{
    static const char question[] = "import ensurepip, sys, venv; print('ppcase version %d.%d' % sys.version_info[:2])";
    const char *const words[] = {python, "-c", question, NULL};
    const struct bench_command command = {.argv = words, .seconds = 60};
    AT_END(bench_process_clear) struct bench_process p;
    struct err e = {0};
    bool known = bench_process_run(&p, &command, &e) == ST_OK && p.end == BENCH_EXITED && p.code == 0 &&
                 p.marks.versions.len > 0;

    if (known)
        buf_add_span(version, span_trim(buf_span(&p.marks.versions)));
    return known;
}

static bool is_version(const char *python, const char *wanted)
{
    AT_END(buf_clear) struct buf version = {0};
    return ask_version(python, &version) && span_eq(buf_span(&version), span_of(wanted));
}

static bool find_base(struct buf *out, const char *wanted)
{
    const char *const folders[] = {"", "/usr/bin/"}, *const versions[] = {wanted, "3"};

    for (size_t i = 0; i < 4; i++) {
        buf_reset(out);
        buf_addf(out, "%spython%s", folders[i % 2], versions[i / 2]);
        if (is_version(buf_cstr(out), wanted))
            return true;
    }
    /* Of pyenv's versions 3.7.9, 3.7.16 the last one. */
    const char *root = getenv("PYENV_ROOT"), *home = getenv("HOME");
    AT_END(buf_clear) struct buf best = {0};
    const struct dirent *entry;

    AT_END(mem_end)
    char *folder = root != NULL ? mem_addf("%s/versions", root)
                                : mem_addf("%s/.pyenv/versions", home != NULL ? home : "");
    AT_END(dir_end) DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        struct span name = span_of(entry->d_name), minor = span_of(wanted);
        if (span_starts(name, minor) && name.len > minor.len && name.ptr[minor.len] == '.' &&
            (best.len == 0 || strverscmp(entry->d_name, buf_cstr(&best)) > 0))
            buf_set(&best, name);
    }
    buf_reset(out);
    buf_addf(out, "%s/%s/bin/python", folder, buf_cstr(&best));
    return best.len > 0 && is_version(buf_cstr(out), wanted);
}

enum status bench_environment_base(struct buf *out, const struct bench_environment *environment, const char *given,
                                   struct err *e)
{
    const char *wanted = environment->wanted;
    AT_END(buf_clear) struct buf version = {0};
    enum status status = ST_OK;

    if (given != NULL || wanted[0] == '\0') {
        buf_add_text(out, given != NULL ? given : "python3");
        if (wanted[0] != '\0' && (!ask_version(given, &version) || !span_eq(buf_span(&version), span_of(wanted))))
            status = err_set(e, ST_INPUT, "%s is %s%s; the environment %s is for Python %s", given,
                             version.len > 0 ? "Python " : "no Python with venv", buf_cstr(&version), environment->name,
                             wanted);
    } else if (!find_base(out, wanted)) {
        status = err_set(e, ST_INPUT,
                         "the environment %s is for Python %s with venv, which is not here; --python FILE names one",
                         environment->name, wanted);
    }
    return status;
}
