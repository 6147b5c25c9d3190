/* The operating system: clock, files, streams, signals. */
#include "base/files.h"
#include "base/output_file.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_GRACE_NS = 900000000 }; /* see signals_catch */

void time_now(char out[TIME_TEXT_SIZE])
{
    const char *fixed = getenv("PPMINE_NOW");

    if (fixed != NULL && strlen(fixed) == TIME_TEXT_SIZE - 1) {
        memcpy(out, fixed, TIME_TEXT_SIZE);
        return;
    }
    struct timespec now;
    struct tm utc;
    char seconds[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(out, TIME_TEXT_SIZE, "%.19s.%03uZ", seconds, (unsigned)(now.tv_nsec / 1000000) % 1000);
}

double time_monotonic(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static enum status read_all(int fd, const char *path, size_t max, struct buf *out, struct err *e)
{
    for (;;) {
        buf_reserve(out, 64 * 1024);
        ssize_t got = read(fd, out->ptr + out->len, out->capacity - out->len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        if (got == 0)
            return ST_OK;
        out->len += (size_t)got;
        if (out->len > max)
            return err_set(e, ST_INPUT, "%s: larger than the %zu bytes allowed here", path, max);
    }
}

enum status folders_make(const char *dir, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i <= strlen(dir) && status == ST_OK; i++) {
        if (i > 0 && (dir[i] == '/' || dir[i] == '\0')) {
            if (mkdir(buf_cstr(&path), 0777) == 0)
                folder_sync(buf_cstr(&path));
            else if (errno != EEXIST)
                status = err_set(e, ST_IO, "%s: %s", buf_cstr(&path), strerror(errno));
        }
        buf_add_char(&path, dir[i]);
    }
    return status;
}

enum status file_read(const char *path, size_t max, struct buf *out, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    enum status status = read_all(fd, path, max, out, e);
    close(fd);
    return status;
}

enum status file_read_named(const char *path, size_t max, struct buf *out, struct err *e)
{
    return file_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, max, out, e);
}

void fd_end(const int *fd)
{
    int error = errno;

    if (*fd >= 0)
        close(*fd);
    errno = error;
}

void dir_end(DIR *const *dir)
{
    if (*dir != NULL)
        closedir(*dir);
}

bool path_is_inside(const char *folder, const char *path)
{
    AT_END(mem_end) char *outer = realpath(folder, NULL), *inner = realpath(path, NULL);
    size_t len = outer != NULL ? strlen(outer) : 0;

    if (len > 0 && outer[len - 1] == '/') /* the root */
        len--;
    return outer != NULL && inner != NULL && strncmp(inner, outer, len) == 0 &&
           (inner[len] == '/' || inner[len] == '\0');
}

enum status file_read_regular(const char *path, size_t max, struct buf *out, struct err *e)
{
    struct stat info;
    enum status status = ST_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait for its writer */

    if (fd < 0 || fstat(fd, &info) != 0)
        status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status = err_set(e, ST_INPUT, "%s: not a regular file", path);
    else
        status = read_all(fd, path, max, out, e);
    if (fd >= 0)
        close(fd);
    return status;
}

bool program_is_there(const char *name)
{
    struct span rest = span_of(getenv("PATH")), folder;
    AT_END(buf_clear) struct buf path = {0};
    bool found = false;

    while (!found && span_cut(&rest, ':', &folder)) {
        buf_set(&path, folder.len > 0 ? folder : SPAN("."));
        buf_addf(&path, "/%s", name);
        found = access(buf_cstr(&path), X_OK) == 0;
    }
    return found;
}

static void redirect(posix_spawn_file_actions_t *files, int from, int to)
{
    if (from >= 0)
        posix_spawn_file_actions_adddup2(files, from, to);
    else
        posix_spawn_file_actions_addopen(files, to, "/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
}

int program_start(const char *const *argv, const char *folder, int in, int out, bool apart, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, apart ? POSIX_SPAWN_SETPGROUP : 0);
    posix_spawn_file_actions_init(&files);
    if (folder != NULL)
        posix_spawn_file_actions_addchdir_np(&files, folder);
    redirect(&files, in, STDIN_FILENO);
    redirect(&files, out, STDOUT_FILENO);
    if (apart)
        redirect(&files, -1, STDERR_FILENO);
    int error = posix_spawnp(pid, argv[0], &files, &attributes, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int program_end(pid_t pid)
{
    int how = -1;
    pid_t ended;

    do
        ended = waitpid(pid, &how, 0);
    while (ended < 0 && errno == EINTR);
    return ended == pid && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static _Thread_local struct {
    const FILE *stream;
    int error;
} failed;

void stream_failed(const FILE *stream, int error)
{
    failed.stream = stream;
    failed.error = error;
}

enum status stream_check(FILE *stream, const char *name, struct err *e)
{
    bool known = failed.stream == stream;

    errno = 0;
    if (fflush(stream) == 0 && ferror(stream) == 0 && !known)
        return ST_OK;
    if (known)
        errno = failed.error;
    failed.stream = NULL;
    if (errno == 0) /* an earlier write failed, and why is forgotten */
        return err_set(e, ST_IO, "%s: not all of it could be written; is there no space left?", name);
    return err_set(e, ST_IO, "%s: %s", name, strerror(errno));
}

enum status stream_write(FILE *stream, struct span bytes, const char *name, struct err *e)
{
    errno = 0;
    /* What is longer than the stream's buffer fails here, and stream_check would not know why. */
    if (bytes.len > 0 && fwrite(bytes.ptr, 1, bytes.len, stream) != bytes.len && errno != 0)
        return err_set(e, ST_IO, "%s: %s", name, strerror(errno));
    return stream_check(stream, name, e);
}

enum status file_write(const char *path, bool fresh, struct span bytes, const char *name, struct err *e)
{
    FILE *file = fopen(path, fresh ? "wxe" : "we");

    if (file == NULL)
        return err_set(e, ST_IO, "%s: %s", name, strerror(errno));
    enum status status = stream_write(file, bytes, name, e);
    if (fclose(file) != 0 && status == ST_OK)
        status = err_set(e, ST_IO, "%s: %s", name, strerror(errno));
    return status;
}

static atomic_int stop_signal; /* read by all threads */
static atomic_bool interrupted;
static timer_t grace; /* how long a command may take to end in order */
static bool has_grace;

/* Ends what waits where nobody looks at the flag, as in open(2) of a FIFO: like SIGKILL, which harms nothing that is
 * stored. */
static void on_grace_over(int signal_number)
{
    (void)signal_number;
    output_files_forsake();
    _exit(128 + stop_signal);
}

static void on_wake(int signal_number)
{
    (void)signal_number; /* a call that waits returns with EINTR */
}

static void on_stop(int signal_number)
{
    const struct itimerspec wait = {.it_value = {0, STOP_GRACE_NS}};

    if (signal_number == SIGINT && atomic_exchange(&interrupted, true)) {
        output_files_forsake();
        _exit(128 + SIGINT);
    }
    stop_signal = signal_number;
    if (has_grace)
        timer_settime(grace, 0, &wait, NULL);
}

/* Calls on_stop for what ends a process; nohup's SIGHUP stays ignored. */
static void catch_with(void (*handler)(int), int flags)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;

    /* One at a time, in the order of arrival: of two that wait, the later would else be handled first. */
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && (numbers[i] != SIGHUP || before.sa_handler != SIG_IGN))
            sigaction(numbers[i], &action, NULL);
}

void signals_catch(void)
{
    /* What runs in slow motion, as under valgrind, can ask for more than a second. */
    struct sigaction over = {.sa_handler = on_grace_over}, wake = {.sa_handler = on_wake};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

    sigfillset(&over.sa_mask);
    sigaction(SIGALRM, &over, NULL);
    sigaction(SIGURG, &wake, NULL);
    if (!has_grace && getenv("PPMINE_STOP_UNHURRIED") == NULL)
        has_grace = timer_create(CLOCK_MONOTONIC, &event, &grace) == 0;
    catch_with(on_stop, SA_RESTART);
    signal(SIGXFSZ, SIG_IGN); /* a file at its allowed size is an error like a full disk */
}

/* SIGQUIT without the core dump, which would contain what is in memory. */
static void on_end(int signal_number)
{
    output_files_forsake();
    if (signal_number == SIGQUIT)
        _exit(128 + SIGQUIT);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void signals_end_cleanly(void)
{
    catch_with(on_end, 0);
    signal(SIGXFSZ, SIG_IGN); /* a file at its allowed size is an error like a full disk */
    signal(SIGPIPE, SIG_DFL); /* systemd ignores it, and a reader that ends early would be an error */
}

void signals_wake(pthread_t thread)
{
    pthread_kill(thread, SIGURG);
}

bool signals_stop_asked(void)
{
    return stop_signal != 0;
}

int signals_exit_code(void)
{
    return 128 + stop_signal;
}
