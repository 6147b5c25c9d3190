/* The folder that a run may write to, and what is left of killed ones. */
#include "bench/runs.h"

#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "ppmine-bench.";

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    remove(path); /* what cannot be removed is seen when a folder above it cannot */
    return 0;
}

/* What a run has made of its folders' modes is no hindrance: a folder that is not read is opened, and then walked. */
static int open_up(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_D && (info->st_mode & S_IRWXU) != S_IRWXU)
        chmod(path, S_IRWXU);
    if (kind == FTW_DNR && chmod(path, S_IRWXU) == 0 && access(path, R_OK) == 0)
        nftw(path, open_up, 16, FTW_PHYS);
    return 0;
}

void scratch_remove_tree(const char *path)
{
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0 || access(path, F_OK) == 0) {
        nftw(path, open_up, 16, FTW_PHYS);
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    if (access(path, F_OK) == 0)
        log_warn("%s could not be removed", path);
}

static const char *parent_folder(void)
{
    const char *parent = getenv("TMPDIR");

    return parent != NULL && parent[0] == '/' ? parent : "/tmp";
}

/* Opens and locks the folder, unless another process has. -1 with errno on failure; ESTALE: gone or replaced by now. */
static int open_locked(const char *path)
{
    struct stat opened, there;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (fstat(fd, &opened) == 0 && lstat(path, &there) == 0 && opened.st_dev == there.st_dev &&
            opened.st_ino == there.st_ino && opened.st_uid == geteuid())
            return fd;
        errno = ESTALE;
    }
    fd_end(&fd);
    return -1;
}

enum status scratch_open(struct scratch *s, struct err *e)
{
    enum { TRIES = 100 };

    /* Between its making and its locking another one may take it for left behind. */
    for (int i = 0; i < TRIES; i++) {
        buf_reset(&s->path);
        buf_addf(&s->path, "%s/%sXXXXXX", parent_folder(), prefix);
        buf_add_char(&s->path, '\0');
        s->path.len--;
        if (mkdtemp(s->path.ptr) == NULL)
            break;
        s->fd = open_locked(s->path.ptr);
        if (s->fd >= 0)
            return ST_OK;
        if (errno != ENOENT && errno != ESTALE && errno != EWOULDBLOCK)
            break;
    }
    err_set(e, ST_IO, "%s: no folder can be made here: %s; TMPDIR says where", buf_cstr(&s->path), strerror(errno));
    buf_reset(&s->path);
    return ST_IO;
}

void scratch_close(struct scratch *s)
{
    if (s->path.len > 0) {
        scratch_remove_tree(buf_cstr(&s->path));
        close(s->fd);
    }
    buf_clear(&s->path);
    *s = (struct scratch){0};
}

void scratch_remove_left(void)
{
    AT_END(dir_end) DIR *parent = opendir(parent_folder());
    const struct dirent *entry;

    while (parent != NULL && (entry = readdir(parent)) != NULL) {
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        AT_END(mem_end) char *path = mem_addf("%s/%s", parent_folder(), entry->d_name);
        AT_END(fd_end) int fd = open_locked(path);
        if (fd < 0)
            continue;
        log_info("%s was left behind, and is removed", path);
        /* What runs had started when all that would have ended it was killed. */
        const struct timespec pause = {0, 1000000};

        for (int i = 0; i < 100 && proc_kill_of_home(path) > 0; i++)
            nanosleep(&pause, NULL);
        scratch_remove_tree(path);
    }
}
