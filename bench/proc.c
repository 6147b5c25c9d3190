/* What /proc tells of a run's processes, and the end of those that are left. */
#include "bench/runs.h"

#include "base/files.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { FAMILY_MAX = 1 << 16 };

struct entry {
    pid_t pid, parent, session;
    uint64_t kb;
    bool family;
};

struct entry_list ARRAY_OF(struct entry);

static uint64_t pages_kb(uint64_t pages)
{
    return pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

/* Reads a small file of /proc; returns its length, 0 when it is gone. */
static size_t read_small(const char *path, char *text, size_t size)
{
    AT_END(fd_end) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, size - 1) : -1;

    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

uint64_t proc_resident_kb(pid_t pid)
{
    char path[64], text[256];
    struct span rest, word = {0};
    uint64_t pages = 0;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    rest = (struct span){text, read_small(path, text, sizeof text)};
    for (int i = 0; i < 2; i++) /* all pages, resident pages */
        if (!span_cut(&rest, ' ', &word))
            return 0;
    return span_u64(word, UINT64_MAX, &pages) ? pages_kb(pages) : 0;
}

/* /proc/PID/stat after the name, which may contain anything: state, parent, group, session, …, 22nd: resident pages. */
static bool read_entry(const char *name, struct entry *out)
{
    enum { PARENT = 2, SESSION = 4, RESIDENT = 22 };
    char path[64], text[1024];
    uint64_t number = 0;

    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    size_t len = read_small(path, text, sizeof text);
    const char *end = len > 0 ? memrchr(text, ')', len) : NULL;
    if (end == NULL || end + 2 > text + len)
        return false;
    struct span rest = {end + 2, (size_t)(text + len - end - 2)}, word;
    *out = (struct entry){.pid = (pid_t)strtol(name, NULL, 10)};
    for (int i = 1; i <= RESIDENT && span_cut(&rest, ' ', &word); i++) {
        if (!span_u64(word, UINT64_MAX, &number))
            continue;
        if (i == PARENT)
            out->parent = (pid_t)number;
        else if (i == SESSION)
            out->session = (pid_t)number;
        else if (i == RESIDENT)
            out->kb = pages_kb(number);
    }
    return true;
}

/* All processes; the caller clears the list. */
static struct entry_list read_all(void)
{
    AT_END(dir_end) DIR *proc = opendir("/proc");
    struct dirent *item;
    struct entry_list all = {0};
    struct entry entry;

    while (proc != NULL && (item = readdir(proc)) != NULL)
        if (strspn(item->d_name, "0123456789") > 0 && read_entry(item->d_name, &entry))
            array_add(&all, entry);
    return all;
}

static bool has_family_parent(const struct entry_list *all, pid_t parent)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].pid == parent)
            return all->at[i].family;
    return false;
}

/* --- by lists of children, which a kernel may not have (CONFIG_PROC_CHILDREN) --- */

struct pids ARRAY_OF(pid_t);

/* The numbers of a file of any length; false when it is not there. */
static bool add_numbers(struct pids *list, const char *path)
{
    char text[1024];
    ssize_t got;
    uint64_t number = 0;
    AT_END(fd_end) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    while ((got = read(fd, text, sizeof text)) > 0)
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                number = number * 10 + (uint64_t)(text[i] - '0');
            } else if (number > 0) { /* each ends with a blank */
                array_add(list, (pid_t)number);
                number = 0;
            }
        }
    return true;
}

/* --- by all processes --- */

static uint64_t family_by_all(pid_t leader)
{
    AT_END(array_end) struct entry_list all = read_all();
    uint64_t kb = 0;
    bool more = true;

    for (size_t i = 0; i < all.n; i++)
        all.at[i].family = all.at[i].session == leader || all.at[i].parent == getpid();
    while (more) {
        more = false;
        for (size_t i = 0; i < all.n; i++)
            if (!all.at[i].family && has_family_parent(&all, all.at[i].parent))
                all.at[i].family = more = true;
    }
    for (size_t i = 0; i < all.n; i++)
        kb += all.at[i].family ? all.at[i].kb : 0;
    return kb;
}

uint64_t proc_family_kb(pid_t leader)
{
    AT_END(array_end) struct pids family = {0};
    char path[64];
    uint64_t kb = 0;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (!add_numbers(&family, path))
        return family_by_all(leader);
    /* Orphans are this process's children by now. A process that comes or goes may be missed, or counted twice. */
    for (size_t i = 0; i < family.n && i < FAMILY_MAX; i++) {
        kb += proc_resident_kb(family.at[i]);
        /* What its threads started and has not been reaped. */
        snprintf(path, sizeof path, "/proc/%d/task", (int)family.at[i]);
        AT_END(dir_end) DIR *tasks = opendir(path);
        const struct dirent *task;
        while (tasks != NULL && (task = readdir(tasks)) != NULL) {
            if (task->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)family.at[i], task->d_name);
            add_numbers(&family, path);
        }
    }
    return kb;
}

void proc_kill_children(void)
{
    AT_END(array_end) struct entry_list all = read_all();

    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].parent == getpid())
            kill(all.at[i].pid, SIGKILL);
}

size_t proc_kill_of_home(const char *folder)
{
    AT_END(array_end) struct entry_list all = read_all();
    char path[64], text[16384]; /* of a long environment only the begin is looked at; that of a run is short */
    struct span variable;
    size_t n = 0;

    AT_END(mem_end) char *beginning = mem_addf("HOME=%s/", folder);
    for (size_t i = 0; i < all.n; i++) {
        snprintf(path, sizeof path, "/proc/%d/environ", (int)all.at[i].pid);
        struct span rest = {text, read_small(path, text, sizeof text)};
        bool is_of_run = false;
        while (!is_of_run && span_cut(&rest, '\0', &variable))
            is_of_run = span_starts(variable, span_of(beginning));
        n += is_of_run && kill(all.at[i].pid, SIGKILL) == 0;
    }
    return n;
}
