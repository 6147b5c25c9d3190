/* A cgroup for each run, so that the kernel limits its memory and counts its time. */
#include "bench/cgroup.h"

#include "base/files.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20, SMALL = 4096 };

static const char prefix[] = "ppmine-bench.";

/* --- files --- */

/* Of a kernel file, whose size is not known before; false when it cannot be read. */
static bool read_file(int dir, const char *name, struct buf *out)
{
    char chunk[SMALL];
    ssize_t got = -1;
    AT_END(fd_end) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

    buf_reset(out);
    while (fd >= 0 && out->len < FILE_MAX && (got = read(fd, chunk, sizeof chunk)) > 0)
        buf_add(out, chunk, (size_t)got);
    return got == 0;
}

/* Never makes a file: the kernel makes those of a group with it. One write is one order. */
static bool write_file(int dir, const char *name, const char *text)
{
    AT_END(fd_end) int fd = openat(dir, name, O_WRONLY | O_CLOEXEC);
    size_t len = strlen(text);

    return fd >= 0 && write(fd, text, len) == (ssize_t)len;
}

static int open_dir(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool has_word(struct span text, const char *wanted)
{
    struct span word;

    for (text = span_trim(text); span_cut(&text, ' ', &word);)
        if (span_eq(word, span_of(wanted)))
            return true;
    return false;
}

/* The group's processes are gone or going: their exit may not be done yet. */
static bool remove_group(const char *path)
{
    const struct timespec pause = {0, 1000000};

    for (int i = 0; i < 1000; i++) {
        if (rmdir(path) == 0 || errno == ENOENT)
            return true;
        if (errno != EBUSY)
            break;
        nanosleep(&pause, NULL);
    }
    log_debug("%s could not be removed: %s", path, strerror(errno));
    return false;
}

/* --- where this process is --- */

/* A line of /proc/self/mountinfo: number, parent, device, root, mount point, …, "-", type, …; false: path not in it. */
static bool place_below(struct span line, struct span path, struct span *mount, struct span *below)
{
    struct span word, root = {0};
    bool is_ours = false;

    for (int i = 1; span_cut(&line, ' ', &word); i++) {
        if (i == 4)
            root = word;
        else if (i == 5)
            *mount = word;
        else if (i > 6 && span_eq(word, SPAN("-"))) {
            is_ours = span_cut(&line, ' ', &word) && span_eq(word, SPAN("cgroup2"));
            break;
        }
    }
    if (root.len == 1) /* "/" */
        root.len = 0;
    if (!is_ours || span_find(*mount, SPAN("\\")) != SIZE_MAX || !span_starts(path, root))
        return false;
    *below = span_after(path, root.len);
    return below->len == 0 || below->ptr[0] == '/';
}

static bool find_dir(struct buf *dir, const char *root)
{
    AT_END(buf_clear) struct buf groups = {0}, mounts = {0};
    AT_END(mem_end) char *own = mem_addf("%s/proc/self/cgroup", root);
    AT_END(mem_end) char *mountinfo = mem_addf("%s/proc/self/mountinfo", root);
    struct span path = {0}, rest, line, mount, below;

    if (!read_file(AT_FDCWD, own, &groups) || !read_file(AT_FDCWD, mountinfo, &mounts))
        return false;
    /* The path after "0::": that of the one hierarchy of version 2. */
    for (rest = buf_span(&groups); path.len == 0 && span_cut(&rest, '\n', &line);)
        if (span_starts(line, SPAN("0::/")))
            path = span_after(line, 3);
    if (path.len == 0 || span_has(path, "/..")) /* outside of what can be seen */
        return false;
    for (rest = buf_span(&mounts); span_cut(&rest, '\n', &line);)
        if (place_below(line, path, &mount, &below)) {
            buf_addf(dir, "%s%.*s%.*s", root, SPAN_ARG(mount), below.len > 1 ? (int)below.len : 0, below.ptr);
            return true;
        }
    return false;
}

/* --- the home of groups --- */

static char *leaf_path(const struct cgroup_home *h)
{
    return mem_addf("%.*s/%s%d", SPAN_ARG(h->dir), prefix, (int)h->owner);
}

static bool move_to(const char *path)
{
    char pid[32];
    AT_END(fd_end) int dir = open_dir(path);

    snprintf(pid, sizeof pid, "%d", (int)getpid());
    return dir >= 0 && write_file(dir, "cgroup.procs", pid);
}

/* Where it is alone. */
static bool move_out(struct cgroup_home *h, int dir)
{
    AT_END(mem_end) char *leaf = leaf_path(h);
    AT_END(buf_clear) struct buf text = {0};
    int64_t alone;

    if (!read_file(dir, "cgroup.procs", &text) || !span_i64(span_trim(buf_span(&text)), &alone) || alone != getpid() ||
        mkdir(leaf, 0755) != 0)
        return false;
    h->moved = move_to(leaf);
    if (!h->moved)
        remove_group(leaf);
    return h->moved;
}

static void move_back(struct cgroup_home *h)
{
    AT_END(mem_end) char *leaf = leaf_path(h);

    if (h->moved && move_to(buf_cstr(&h->dir)))
        remove_group(leaf);
    else if (h->moved)
        log_debug("%s: this process stays below it: %s", buf_cstr(&h->dir), strerror(errno));
    h->moved = false;
}

static bool prepare(struct cgroup_home *h, int dir)
{
    AT_END(buf_clear) struct buf text = {0};
    bool ready = false;

    if (read_file(dir, "cgroup.controllers", &text) && has_word(buf_span(&text), "memory") &&
        read_file(dir, "cgroup.subtree_control", &text)) {
        ready = has_word(buf_span(&text), "memory");
        /* The root alone may have processes and give memory to its groups; it has no cgroup.type. */
        if (!ready && (faccessat(dir, "cgroup.type", F_OK, 0) != 0 || move_out(h, dir))) {
            ready = write_file(dir, "cgroup.subtree_control", "+memory");
            if (!ready)
                move_back(h);
        }
    }
    return ready;
}

bool cgroup_open(struct cgroup_home *h, const char *root)
{
    bool ready = false;

    *h = (struct cgroup_home){.owner = getpid()};
    if (find_dir(&h->dir, root)) {
        AT_END(fd_end) int dir = open_dir(buf_cstr(&h->dir));
        /* Without this, the first run would find it out. */
        ready = dir >= 0 && faccessat(dir, ".", W_OK, AT_EACCESS) == 0 && prepare(h, dir);
    }
    if (!ready)
        buf_clear(&h->dir);
    return ready;
}

/* Of a process that was killed and could not do it. */
static void remove_left(const struct cgroup_home *h, int dir)
{
    const struct dirent *entry;
    int again = dup(dir);
    AT_END(dir_end) DIR *groups = again >= 0 ? fdopendir(again) : NULL;
    AT_END(mem_end) char *start = mem_addf("%s%d.", prefix, (int)h->owner);

    while (groups != NULL && (entry = readdir(groups)) != NULL) {
        if (!span_starts(span_of(entry->d_name), span_of(start)))
            continue;
        AT_END(mem_end) char *order = mem_addf("%s/cgroup.kill", entry->d_name);
        AT_END(mem_end) char *path = mem_addf("%.*s/%s", SPAN_ARG(h->dir), entry->d_name);
        write_file(dir, order, "1");
        remove_group(path);
    }
}

void cgroup_close(struct cgroup_home *h)
{
    AT_END(fd_end) int dir = h->dir.len > 0 && h->owner == getpid() ? open_dir(buf_cstr(&h->dir)) : -1;

    if (dir >= 0) {
        remove_left(h, dir);
        /* Before this it may have no process. That of the root stays: others may have come to use it. */
        if (h->moved && write_file(dir, "cgroup.subtree_control", "-memory"))
            move_back(h);
    }
    buf_clear(&h->dir);
    *h = (struct cgroup_home){0};
}

/* --- the group of a run --- */

bool cgroup_run_open(struct cgroup_run *g, const struct cgroup_home *h, uint64_t memory_kb)
{
    char bytes[32];

    *g = (struct cgroup_run){0};
    if (h == NULL || h->dir.len == 0)
        return false;
    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)memory_kb * 1024);
    buf_addf(&g->path, "%.*s/%s%d.%d", SPAN_ARG(h->dir), prefix, (int)h->owner, (int)getpid());
    if (mkdir(buf_cstr(&g->path), 0755) == 0) {
        g->fd = open_dir(buf_cstr(&g->path));
        g->is_open = g->fd >= 0;
        /* Swap may not be there to be limited. */
        if (g->is_open && write_file(g->fd, "memory.max", bytes) && write_file(g->fd, "memory.oom.group", "1") &&
            (write_file(g->fd, "memory.swap.max", "0") || errno == ENOENT))
            return true;
        log_debug("%s gets no limit: %s", buf_cstr(&g->path), strerror(errno));
        remove_group(buf_cstr(&g->path));
    }
    if (g->is_open)
        close(g->fd);
    buf_clear(&g->path);
    *g = (struct cgroup_run){0};
    return false;
}

/* A move by cgroup.procs makes the kernel wait for all processors, for milliseconds that would count as the run's. */
pid_t cgroup_run_fork(const struct cgroup_run *g)
{
    struct clone_args how = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (uint64_t)g->fd};

    return (pid_t)syscall(SYS_clone3, &how, sizeof how);
}

/* A kernel before 5.14 cannot; what is in it is found otherwise, too. */
void cgroup_run_kill(const struct cgroup_run *g)
{
    if (g->is_open)
        write_file(g->fd, "cgroup.kill", "1");
}

/* 0 when there is none. */
static uint64_t event(struct span text, const char *name)
{
    struct span line, word;
    uint64_t count = 0;

    while (span_cut(&text, '\n', &line))
        if (span_cut(&line, ' ', &word) && span_eq(word, span_of(name)))
            return span_u64(span_trim(line), UINT64_MAX, &count) ? count : 0;
    return 0;
}

struct cgroup_usage cgroup_run_close(struct cgroup_run *g)
{
    struct cgroup_usage usage = {0};
    AT_END(buf_clear) struct buf text = {0};
    uint64_t bytes;

    if (!g->is_open)
        return usage;
    /* oom_kill counts those as well that another limit, or the machine's, killed here. */
    if (read_file(g->fd, "memory.events", &text))
        usage.out_of_memory = event(buf_span(&text), "oom") > 0 && event(buf_span(&text), "oom_kill") > 0;
    if (read_file(g->fd, "memory.peak", &text) && span_u64(span_trim(buf_span(&text)), UINT64_MAX, &bytes))
        usage.peak_kb = bytes / 1024;
    cgroup_run_kill(g);
    close(g->fd);
    remove_group(buf_cstr(&g->path));
    buf_clear(&g->path);
    *g = (struct cgroup_run){0};
    return usage;
}
