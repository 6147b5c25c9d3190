/* The Python environments of the cases: which there are, where they are, and whether they are ready. */
#define _GNU_SOURCE
#include "bench/environment.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static const char suffix[] = ".txt";

/* --- one --- */

static enum status cache_folder(struct buf *out, struct err *e)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache != NULL && cache[0] == '/')
        buf_addf(out, "%s/ppmine/environments", cache);
    else if (home != NULL && home[0] == '/')
        buf_addf(out, "%s/.cache/ppmine/environments", home);
    else
        return err_set(e, ST_USAGE, "neither XDG_CACHE_HOME nor HOME is set; --dir DIR says where");
    return ST_OK;
}

/* Other requirements are another folder, so that no environment is cleared that somebody uses. */
static void add_hash(struct buf *out, struct span content)
{
    struct sha256_ctx sha;
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_init(&sha);
    sha256_update(&sha, content.len, (const uint8_t *)content.ptr);
    sha256_digest(&sha, sizeof bytes, bytes);
    for (int i = 0; i < 6; i++)
        buf_addf(out, "%02x", bytes[i]);
}

/* "tensorflow-cpu==2.15.1 \": the version of a package that is called so. */
static bool read_version(struct span line, const char *package, struct span *version)
{
    struct span name = span_of(package);

    if (!span_starts(line, name) || line.len < name.len + 3 ||
        !span_starts((struct span){line.ptr + name.len, line.len - name.len}, SPAN("==")))
        return false;
    line = (struct span){line.ptr + name.len + 2, line.len - name.len - 2};
    return span_cut(&line, ' ', version);
}

static void read_requirements(struct bench_environment *out, struct span content, struct arena *arena)
{
    struct span line, version;

    while (span_cut(&content, '\n', &line)) {
        line = span_trim(line);
        if (span_starts(line, SPAN("# python ")))
            out->wanted = arena_text(arena, span_trim((struct span){line.ptr + 9, line.len - 9}));
        else if (read_version(line, "tensorflow-cpu", &version) || read_version(line, "tensorflow", &version))
            out->tensorflow = arena_text(arena, version);
        else if (read_version(line, "keras", &version))
            out->keras = arena_text(arena, version);
    }
}

/* The name of a file without its folder and its ".txt". */
static struct span name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    struct span name = span_of(slash != NULL ? slash + 1 : file);

    if (name.len > sizeof suffix - 1 &&
        memcmp(name.ptr + name.len - (sizeof suffix - 1), suffix, sizeof suffix - 1) == 0)
        name.len -= sizeof suffix - 1;
    return name;
}

enum status bench_environment_read(struct bench_environment *out, const char *requirements, const char *dir,
                                   struct arena *arena, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0}, path = {0};
    enum status status = file_read(requirements, ENVIRONMENT_FILE_MAX, &content, e);

    *out = (struct bench_environment){.wanted = "", .tensorflow = "", .keras = "", .dir = ""};
    out->requirements = arena_text(arena, span_of(requirements));
    out->name = arena_text(arena, name_of(requirements));
    if (status == ST_OK)
        read_requirements(out, buf_span(&content), arena);
    if (status == ST_OK && dir == NULL)
        status = cache_folder(&path, e);
    if (dir == NULL) {
        buf_addf(&path, "/%s-", out->name);
        add_hash(&path, buf_span(&content));
    } else {
        buf_add_text(&path, dir);
    }
    out->dir = arena_text(arena, buf_span(&path));
    return status;
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
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;

    buf_addf(&path, "%s/%s%s", folder, name, suffix);
    if (!bench_is_environment(name) || access(buf_cstr(&path), F_OK) != 0)
        status = err_set(e, ST_USAGE,
                         "there is no environment '%.64s' in %s; 'bench setup --list' names"
                         " them",
                         name, folder);
    else
        status = bench_environment_read(out, buf_cstr(&path), NULL, arena, e);
    return status;
}

static int by_name(const void *a, const void *b)
{
    const struct bench_environment *x = a, *y = b;

    return strverscmp(x->name, y->name);
}

enum status bench_environments_load(struct bench_environments *out, const char *folder, struct err *e)
{
    DIR *dir = opendir(folder);
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
    closedir(dir);
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
    AT_END(buf_clear) struct buf stamp = {0};

    buf_addf(&stamp, "%s/%s", environment->dir, ENVIRONMENT_STAMP);
    bool made = access(buf_cstr(&stamp), F_OK) == 0;
    buf_addf(out, "%s/bin/python", environment->dir);
    if (!made || access(buf_cstr(out), X_OK) != 0)
        return err_set(e, ST_NO,
                       "%s has no finished Python environment; 'ppmine bench setup %s' makes one,"
                       " --python FILE names another",
                       environment->dir, environment->name);
    return ST_OK;
}

int bench_environment_use(const char *python)
{
    AT_END(buf_clear) struct buf path = {0};
    struct span dir = span_of(python);
    int fd = -1;

    for (int i = 0; i < 2; i++)
        while (dir.len > 0 && dir.ptr[--dir.len] != '/') {
        }
    if (dir.len > 0) {
        buf_addf(&path, "%.*s/%s", (int)dir.len, dir.ptr, ENVIRONMENT_STAMP);
        fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC);
    }
    if (fd >= 0)
        (void)flock(fd, LOCK_SH | LOCK_NB);
    return fd;
}
