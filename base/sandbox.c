/* sandbox: Landlock and seccomp by their system calls; there is no library to link with. */
#include "base/sandbox.h"

#include "base/log.h"

/* The search for leaks at the end of a program with AddressSanitizer is a process that traces it. */
#if defined(__SANITIZE_ADDRESS__)
#define CHECKS_ADDRESSES 1
#elif defined(__has_feature)
#define CHECKS_ADDRESSES __has_feature(address_sanitizer)
#else
#define CHECKS_ADDRESSES 0
#endif

#if defined(__linux__) && __has_include(<linux/landlock.h>) && !CHECKS_ADDRESSES && \
    (defined(__x86_64__) || defined(__aarch64__))
#define HAS_SANDBOX 1
#else
#define HAS_SANDBOX 0
#endif

#if HAS_SANDBOX
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#else
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* --- files --- */

int sandbox_landlock(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return version > 0 ? (int)version : 0;
}

/* All rights to change files that the kernel knows; headers may be older than it, and younger. */
static uint64_t rights_to_write(int version)
{
    const uint64_t refer = UINT64_C(1) << 13, truncate = UINT64_C(1) << 14; /* versions 2 and 3 */
    uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                      LANDLOCK_ACCESS_FS_MAKE_SYM;

    return rights | (version >= 2 ? refer : 0) | (version >= 3 ? truncate : 0);
}

static void allow(int rules, const char *path, int kind, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = rights,
        .parent_fd = open(path, O_PATH | kind | O_CLOEXEC),
    };

    if (rule.parent_fd < 0)
        return;
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        log_debug("%s: no Landlock rule: %s", path, strerror(errno));
    close(rule.parent_fd);
}

/* struct landlock_ruleset_attr of version 6; headers may be older. */
struct confinement {
    uint64_t files, network, scoped;
};

static bool confine_files(const char *const *folders, size_t n)
{
    const uint64_t abstract_sockets = 1, signals = 2;
    int version = sandbox_landlock();
    struct confinement attr = {.files = rights_to_write(version),
                               .scoped = version >= 6 ? abstract_sockets | signals : 0};

    if (version == 0)
        return false;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (rules < 0)
        return false;
    for (size_t i = 0; i < n; i++)
        allow(rules, folders[i], O_DIRECTORY, attr.files);
    /* Other programs say there what nobody reads: without it 7z does not begin. */
    allow(rules, "/dev/null", O_NOFOLLOW, LANDLOCK_ACCESS_FS_WRITE_FILE);
    bool done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

/* --- system calls --- */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define IF_NOT(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
/* One instruction each: an equal number refuses the call. */
#define REFUSED(name) IF_NOT((uint32_t)SYS_##name, 1), REFUSE

bool sandbox_has_seccomp(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* Argument `i` of the call is the number of a process: only 0, the own one, is allowed. */
#define ARGUMENT(i) LOAD(args[i]) /* its lower half: both machines are little-endian */
#define OWN_ONLY(name, i) \
    IF_NOT((uint32_t)SYS_##name, 4), ARGUMENT(i), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), REFUSE, \
        RETURN(SECCOMP_RET_ALLOW)
/* The call does nothing and reports success: some programs would end otherwise. */
#define PRETENDED(name) IF_NOT((uint32_t)SYS_##name, 1), RETURN(SECCOMP_RET_ERRNO)

static const struct sock_filter of_all[] = {
    /* Calls of another machine are refused. */
    LOAD(arch),
    IF_NOT(OWN_ARCH, 1),
    BPF_STMT(BPF_JMP | BPF_JA, 1),
    REFUSE,
    LOAD(nr),
#ifdef __x86_64__ /* the x32 interface has other numbers for the same calls */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    REFUSE,
#endif
    REFUSED(socket),
    REFUSED(socketpair),
    REFUSED(connect),
    REFUSED(bind),
    REFUSED(ptrace),
    REFUSED(process_vm_writev),
    REFUSED(mount),
    REFUSED(unshare),
    REFUSED(setns),
    REFUSED(bpf),
    REFUSED(add_key),
    REFUSED(keyctl),
    REFUSED(userfaultfd),
    REFUSED(io_uring_setup),
    REFUSED(perf_event_open),
    REFUSED(kexec_load),
    REFUSED(init_module),
    OWN_ONLY(setpriority, 1)};
/* Others start programs, and limit the memory of these by prlimit(). */
static const struct sock_filter no_programs[] = {OWN_ONLY(prlimit64, 0), REFUSED(execve), REFUSED(execveat)};
/* Landlock protects the content of files, not their attributes. */
static const struct sock_filter no_attributes[] = {
    OWN_ONLY(prlimit64, 0),
#ifdef __x86_64__
    PRETENDED(chmod), PRETENDED(chown), PRETENDED(lchown), PRETENDED(utime), PRETENDED(utimes), PRETENDED(futimesat),
#endif
    PRETENDED(fchmod), PRETENDED(fchmodat), PRETENDED(fchown), PRETENDED(fchownat), PRETENDED(utimensat),
    PRETENDED(setxattr), PRETENDED(lsetxattr), PRETENDED(fsetxattr), PRETENDED(removexattr), PRETENDED(lremovexattr),
    PRETENDED(fremovexattr),
    /* Headers may be older than these. */
    IF_NOT(452 /* fchmodat2 */, 1), RETURN(SECCOMP_RET_ERRNO), IF_NOT(463 /* setxattrat */, 1), REFUSE,
    IF_NOT(466 /* removexattrat */, 1), REFUSE, IF_NOT(469 /* file_setattr */, 1), REFUSE};

static bool confine_calls(enum sandbox_of who)
{
    struct sock_filter filter[ARRAY_LEN(of_all) + ARRAY_LEN(no_programs) + ARRAY_LEN(no_attributes) + 1];
    unsigned short n = ARRAY_LEN(of_all);

    memcpy(filter, of_all, sizeof of_all);
    if (who == SANDBOX_READER) {
        memcpy(filter + n, no_programs, sizeof no_programs);
        n += ARRAY_LEN(no_programs);
    }
    if (who == SANDBOX_STRANGER) {
        memcpy(filter + n, no_attributes, sizeof no_attributes);
        n += ARRAY_LEN(no_attributes);
    }
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = n, .filter = filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool sandbox_enter(const char *const *folders, size_t n, enum sandbox_of who)
{
    if (getenv("PPMINE_NO_SANDBOX") != NULL) /* for debuggers and measurements */
        return false;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        log_debug("no sandbox: %s", strerror(errno));
        return false;
    }
    bool files = confine_files(folders, n), calls = confine_calls(who);
    if (!files)
        log_debug("no sandbox for files: this kernel has no Landlock");
    if (!calls)
        log_debug("no sandbox for system calls: this kernel has no seccomp");
    return files && calls;
}

#else

int sandbox_landlock(void)
{
    return 0;
}

bool sandbox_has_seccomp(void)
{
    return false;
}

bool sandbox_enter(const char *const *folders, size_t n, enum sandbox_of who)
{
    (void)folders, (void)n, (void)who;
    log_debug("no sandbox: it is made for Linux on amd64 and arm64");
    return false;
}

#endif
