/* bench: groups of cgroup v2, against folders that look like the kernel's. What a kernel does with them is
 * tests/scripts/bench-cgroup.sh. */
#include "bench/bench.h"
#include "bench/cgroup.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char top[64];

/* --- a tree --- */

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *get(const char *folder, const char *name)
{
    static char text[256];
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return "(none)";
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return text;
}

static const char *const files[] = {
    "cgroup.procs", "cgroup.type",      "cgroup.kill",     "cgroup.subtree_control",
    "memory.max",   "memory.oom.group", "memory.swap.max",
};
static size_t n_files = ARRAY_LEN(files); /* without the last ones: a kernel that has them not */

/* The kernel fills a folder that is made among groups, and empties it with its removal. These take the place
 * of the system's for all that is linked into this program. */
int mkdir(const char *path, mode_t mode)
{
    int done = mkdirat(AT_FDCWD, path, mode);

    for (size_t i = 0; done == 0 && strstr(path, "/ppmine-bench.") != NULL && i < n_files; i++)
        put(path, files[i], "");
    return done;
}

int rmdir(const char *path)
{
    char file[512];

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        unlinkat(AT_FDCWD, file, 0);
    }
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Sets what a process sees that is in the group `path`. */
static void new_tree(const char *path, const char *mounts)
{
    char folder[256];

    snprintf(top, sizeof top, "/tmp/ppmine-cgroup.XXXXXX");
    assert_non_null(mkdtemp(top));
    for (const char *const *name = (const char *const[]){"proc", "proc/self", "cg", "cg/a", NULL}; *name != NULL;
         name++) {
        snprintf(folder, sizeof folder, "%s/%s", top, *name);
        assert_int_equal(mkdir(folder, 0700), 0);
    }
    put(top, "proc/self/cgroup", path);
    put(top, "proc/self/mountinfo", mounts);
}

/* The group <top>/cg/a with no process but this one. */
static const char *fill_group(void)
{
    static char folder[128];
    char pid[32];

    snprintf(folder, sizeof folder, "%s/cg/a", top);
    snprintf(pid, sizeof pid, "%d\n", (int)getpid());
    put(folder, "cgroup.controllers", "cpu memory pids\n");
    put(folder, "cgroup.subtree_control", "cpu\n");
    put(folder, "cgroup.procs", pid);
    put(folder, "cgroup.type", "domain\n");
    return folder;
}

static int remove_tree(void **state)
{
    (void)state;
    n_files = ARRAY_LEN(files);
    return top[0] != '\0' ? nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS) : 0;
}

static const char here[] = "12:memory:/v1\n0::/a\n";
static const char mounted[] = "22 28 0:21 / /sys rw - sysfs sysfs rw\n"
                              "30 22 0:26 / /cg/with\\040blank rw shared:4 - cgroup2 cgroup2 rw\n"
                              "31 22 0:26 / /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

static bool opens(struct cgroup_home *h)
{
    bool open = cgroup_open(h, top);

    assert_int_equal(open, h->dir.len > 0);
    return open;
}

/* --- where --- */

TEST(is_found_below_its_mount)
{
    /* A container that sees its own part only. */
    static const char part[] = "9 8 0:26 /docker/x /cg rw master:1 - cgroup2 cgroup rw\n";
    static const struct {
        const char *group, *mounts;
        bool found;
    } cases[] = {
        {here, mounted, true},
        {"0::/docker/x/a\n", part, true},
        {"0::/docker/xy/a\n", part, false},
        {"0::/docker/xa\n", part, false},
        {"0::/../a\n", mounted, false},
        {"12:memory:/a\n", mounted, false}, /* version 1 alone */
        {"", mounted, false},
        {"0::a\n", mounted, false},
        {here, "", false},
        {here, "31 22 0:26 / /cg rw - cgroup cgroup rw,memory\n", false},
        {here, "31 22 0:26 / /cg - cgroup2\n31\n\n - - - - - - - -\n", false},
        {here, "31 22 0:26 / /cg rw - cgroup2", true},
        {"0::/gone (deleted)\n", mounted, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cgroup_home h;
        new_tree(cases[i].group, cases[i].mounts);
        put(fill_group(), "cgroup.subtree_control", "memory\n");
        if (opens(&h) != cases[i].found)
            fail_msg("case %zu: %s, %s", i, cases[i].group, cases[i].mounts);
        cgroup_close(&h);
        remove_tree(NULL);
    }
}

/* --- what is not allowed changes nothing --- */

TEST(leaves_alone_what_it_may_not)
{
    static const struct {
        const char *file, *text;
    } cases[] = {
        {"cgroup.controllers", "cpu pids memory_x\n"},
        {"cgroup.controllers", ""},
        {"cgroup.procs", "1\n2\n"},
        {"cgroup.procs", "0\n"},
        {"cgroup.procs", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cgroup_home h;
        struct stat info;
        new_tree(here, mounted);
        const char *group = fill_group();
        put(group, cases[i].file, cases[i].text);
        assert_false(opens(&h));
        assert_string_equal(get(group, cases[i].file), cases[i].text);
        assert_string_equal(get(group, "cgroup.subtree_control"), "cpu\n");
        assert_int_equal(stat(group, &info), 0);
        assert_int_equal(info.st_nlink, 2); /* no folder in it */
        cgroup_close(&h);
        remove_tree(NULL);
    }
}

/* The group takes no new group's process, as where something else holds it: back to where it was. */
TEST_WITH(goes_back_when_it_cannot_move, NULL, remove_tree)
{
    struct cgroup_home h;
    struct stat info;

    new_tree(here, mounted);
    const char *group = fill_group();
    n_files = 0;
    assert_false(opens(&h));
    assert_int_equal(stat(group, &info), 0);
    assert_int_equal(info.st_nlink, 2);
    assert_string_equal(get(group, "cgroup.subtree_control"), "cpu\n");
}

/* --- a run --- */

TEST_WITH(moves_out_and_back, NULL, remove_tree)
{
    struct cgroup_home h;
    char leaf[256], pid[32];

    new_tree(here, mounted);
    const char *group = fill_group();
    assert_true(opens(&h));
    assert_true(h.moved);
    snprintf(leaf, sizeof leaf, "%s/ppmine-bench.%d", group, (int)getpid());
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    assert_string_equal(get(leaf, "cgroup.procs"), pid);
    assert_string_equal(get(group, "cgroup.subtree_control"), "+memory");
    put(group, "cgroup.procs", "");
    cgroup_close(&h);
    assert_string_equal(get(group, "cgroup.subtree_control"), "-memory");
    assert_string_equal(get(group, "cgroup.procs"), pid);
    assert_int_not_equal(access(leaf, F_OK), 0);
}

static struct cgroup_usage usage_of(const char *events, const char *peak)
{
    struct cgroup_home h;
    struct cgroup_run run;
    char path[256];

    new_tree(here, mounted);
    const char *group = fill_group();
    put(group, "cgroup.subtree_control", "memory\n");
    assert_true(opens(&h));
    assert_false(h.moved); /* it need not */
    assert_true(cgroup_run_open(&run, &h, 100 * 1024));
    snprintf(path, sizeof path, "%s/ppmine-bench.%d.%d", group, (int)getpid(), (int)getpid());
    assert_string_equal(get(path, "memory.max"), "104857600");
    assert_string_equal(get(path, "memory.oom.group"), "1");
    assert_string_equal(get(path, "memory.swap.max"), n_files == ARRAY_LEN(files) ? "0" : "(none)");
    cgroup_run_kill(&run);
    assert_string_equal(get(path, "cgroup.kill"), "1");
    if (events != NULL)
        put(path, "memory.events", events);
    if (peak != NULL)
        put(path, "memory.peak", peak);
    struct cgroup_usage usage = cgroup_run_close(&run);
    cgroup_close(&h);
    remove_tree(NULL);
    return usage;
}

TEST(reads_how_it_went)
{
    static const struct {
        const char *events, *peak;
        bool out_of_memory;
        uint64_t peak_kb;
    } cases[] = {
        {"low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n", "104857600\n", true, 102400},
        {"low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n", "2048\n", false, 2},
        {"max 12\noom 0\noom_kill 1\n", "0\n", false, 0}, /* another limit's doing */
        {"max 12\noom 1\noom_kill 0\n", "max\n", false, 0},
        {"oom_killer 1\noom\noom_kill x\n", "", false, 0},
        {"", NULL, false, 0},
        {NULL, NULL, false, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cgroup_usage usage = usage_of(cases[i].events, cases[i].peak);
        if (usage.out_of_memory != cases[i].out_of_memory || usage.peak_kb != cases[i].peak_kb)
            fail_msg("case %zu: out of memory %d, peak %u KB", i, usage.out_of_memory, (unsigned)usage.peak_kb);
    }
    n_files = ARRAY_LEN(files) - 1; /* no swap */
    assert_false(usage_of("oom 0\n", "1024").out_of_memory);
}

/* No limit, no group: the run is sampled. */
TEST_WITH(does_without_a_limit, NULL, remove_tree)
{
    struct cgroup_home h, none = {0};
    struct cgroup_run run;

    new_tree(here, mounted);
    put(fill_group(), "cgroup.subtree_control", "memory\n");
    assert_true(opens(&h));
    n_files = ARRAY_LEN(files) - 2;
    assert_false(cgroup_run_open(&run, &h, 1024));
    assert_false(cgroup_run_open(&run, &none, 1024));
    assert_false(cgroup_run_open(&run, NULL, 1024));
    assert_int_equal(cgroup_run_close(&run).peak_kb, 0);
    cgroup_close(&h);
}

/* What the kernel knows no group of: a child cannot begin there, and the run is as without. */
TEST_WITH(runs_where_no_child_can_begin, NULL, remove_tree)
{
    static const char *const words[] = {"/bin/sh", "-c", "echo here; exit 3", NULL};
    struct cgroup_home h;
    struct bench_process p;
    struct err e;

    new_tree(here, mounted);
    put(fill_group(), "cgroup.subtree_control", "memory\n");
    assert_true(opens(&h));
    struct bench_command c = {.argv = words, .seconds = 60, .memory_kb = 1 << 20, .groups = &h};
    assert_int_equal(bench_process_run(&p, &c, &e), ST_OK);
    assert_int_equal(p.end, BENCH_EXITED);
    assert_int_equal(p.code, 3);
    assert_false(p.grouped);
    assert_string_equal(buf_cstr(&p.out), "here\n");
    bench_process_clear(&p);
    cgroup_close(&h);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
