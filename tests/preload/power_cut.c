/*
 * For LD_PRELOAD: what a power cut would lose. A file that takes the place of another (rename, link)
 * must have been synced before, a folder with all that is in it, and the folder in which it takes its
 * place must be synced before the process ends; whatever is not goes to the file $POWER_CUT_LOSES, a line each. With $KILL_AT_STEP=n the process ends with
 * SIGKILL right before the n-th fsync, rename, link or unlink.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 4096 };

static ino_t synced[MANY], folders[MANY];
static int n_synced, n_folders;
static long steps;

static void *real(const char *name)
{
    const char *last = getenv("KILL_AT_STEP");

    if (last != NULL && ++steps == strtol(last, NULL, 10))
        kill(getpid(), SIGKILL);
    return dlsym(RTLD_NEXT, name);
}

static void lose(const char *what, const char *path)
{
    const char *name = getenv("POWER_CUT_LOSES");
    FILE *file = name != NULL ? fopen(name, "a") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "%s: %s\n", path, what);
    fclose(file);
}

static int was_synced(const struct stat *info)
{
    for (int i = 0; i < n_synced; i++)
        if (synced[i] == info->st_ino)
            return 1;
    return 0;
}

static int sync_with(const char *name, int fd)
{
    int (*next)(int) = (int (*)(int))real(name);
    struct stat info;

    if (fstat(fd, &info) == 0) {
        for (int i = 0; i < n_folders; i++)
            if (folders[i] == info.st_ino)
                folders[i] = 0;
        if (n_synced < MANY)
            synced[n_synced++] = info.st_ino;
    }
    return next(fd);
}

int fsync(int fd)
{
    return sync_with("fsync", fd);
}

int fdatasync(int fd)
{
    return sync_with("fdatasync", fd);
}

static int look_at(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)kind, (void)where;
    if ((S_ISREG(info->st_mode) || S_ISDIR(info->st_mode)) && !was_synced(info))
        lose("it took its place before it was synced", path);
    return 0;
}

/* A file or folder takes its place. */
static void published(const char *from, const char *to)
{
    char folder[4096];
    const char *slash = strrchr(to, '/');
    struct stat info;

    if (stat(from, &info) != 0)
        return;
    nftw(from, look_at, 16, FTW_PHYS);
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - to) : 1, slash != NULL ? to : ".");
    if (stat(folder, &info) == 0 && n_folders < MANY)
        folders[n_folders++] = info.st_ino;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))real("rename");

    published(from, to);
    return next(from, to);
}

int link(const char *from, const char *to)
{
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))real("link");

    published(from, to);
    return next(from, to);
}

int unlink(const char *path)
{
    int (*next)(const char *) = (int (*)(const char *))real("unlink");

    return next(path);
}

static void __attribute__((destructor)) at_end(void)
{
    for (int i = 0; i < n_folders; i++)
        if (folders[i] != 0)
            lose("a folder in which a file took its place was not synced", "");
    const char *path = getenv("COUNT_STEPS");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", steps);
    fclose(file);
}
