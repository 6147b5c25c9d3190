/* A dialog with a person at a terminal: keys, lines, a pager. */
#include "base/terminal.h"

#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { ESCAPE = 27, CTRL_D = 4, SEQUENCE_MS = 30 };

/* --- keys --- */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static struct termios as_before;
static struct sigaction actions_before[ARRAY_LEN(endings)];

/* Only what a handler may call. The action of before follows: it ends the program, or has it end. */
static void on_ending(int signal_number)
{
    tcsetattr(STDIN_FILENO, TCSADRAIN, &as_before);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (endings[i] == signal_number)
            sigaction(signal_number, &actions_before[i], NULL);
    raise(signal_number);
}

/* -1: the end. */
static int read_byte(void)
{
    unsigned char byte;
    ssize_t n;

    do
        n = read(STDIN_FILENO, &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? byte : -1;
}

/* The rest of what one key sent: "[A" after an Escape, or the other bytes of a character. */
static bool drop_rest(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    bool any = false;

    while (poll(&input, 1, SEQUENCE_MS) == 1 && (input.revents & POLLIN) != 0 && read_byte() >= 0)
        any = true;
    return any;
}

static int read_key(void)
{
    int byte = read_byte();

    /* Ctrl-D that was typed while the terminal still gathered lines comes as NUL. */
    if (byte < 0 || byte == CTRL_D || byte == '\0')
        return TERMINAL_END;
    if (byte == '\r')
        return '\n';
    if (byte == ESCAPE)
        return drop_rest() ? TERMINAL_OTHER : ESCAPE;
    if (byte < 0x80)
        return byte;
    drop_rest();
    return TERMINAL_OTHER;
}

int terminal_key(void)
{
    struct termios now;

    if (tcgetattr(STDIN_FILENO, &as_before) != 0)
        return TERMINAL_END;
    const struct sigaction action = {.sa_handler = on_ending};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        sigaction(endings[i], NULL, &actions_before[i]);
        if (actions_before[i].sa_handler != SIG_IGN)
            sigaction(endings[i], &action, NULL);
    }
    now = as_before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
    int key = read_key();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &as_before);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        sigaction(endings[i], &actions_before[i], NULL);
    return key;
}

void terminal_drop_keys(void)
{
    tcflush(STDIN_FILENO, TCIFLUSH);
}

/* --- lines --- */

bool line_read(FILE *in, struct buf *line)
{
    size_t n = 0;
    int c;

    buf_reset(line);
    while ((c = fgetc(in)) != EOF && c != '\n')
        if (n++ < LINE_BYTES_MAX)
            buf_add_char(line, (char)c);
    if (n > LINE_BYTES_MAX) {
        log_warn("a line of more than %d bytes is not an answer", LINE_BYTES_MAX);
        buf_reset(line);
    }
    return c != EOF || n > 0;
}

/* --- the pager --- */

/* NULL: the text is written as it is. */
static const char *choose_pager(struct span text)
{
    struct winsize size;
    const char *pager = getenv("PAGER");
    size_t lines = 1;
    if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return NULL;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    if (size.ws_row == 0 || lines < size.ws_row)
        return NULL;
    if (pager != NULL)
        return pager[0] != '\0' && strcmp(pager, "cat") != 0 ? pager : NULL;
    return program_is_there("less") ? "less" : program_is_there("more") ? "more" : NULL;
}

/* A handler, unlike SIG_IGN, is not passed on to the pager. */
static void ignore(int signal_number)
{
    (void)signal_number;
}

/* Runs $PAGER with its options, as a shell does. The pager owns the keys, Ctrl-C too, and may end before it has read
 * everything. */
static bool page(const char *pager, struct span text)
{
    const char *const argv[] = {"/bin/sh", "-c", pager, NULL};
    const int left_alone[] = {SIGINT, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_handler = ignore}, before[ARRAY_LEN(left_alone)];
    int ends[2];
    ssize_t n = 0;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(left_alone); i++)
        sigaction(left_alone[i], &action, &before[i]);
    setenv("LESS", "FRX", 0);
    bool started = program_start(argv, NULL, ends[0], STDOUT_FILENO, false, &child) == 0;
    close(ends[0]);
    for (size_t done = 0; started && done < text.len && (n >= 0 || errno == EINTR); done += n > 0 ? (size_t)n : 0)
        n = write(ends[1], text.ptr + done, text.len - done);
    close(ends[1]);
    bool shown = started && program_end(child) == 0;
    for (size_t i = 0; i < ARRAY_LEN(left_alone); i++)
        sigaction(left_alone[i], &before[i], NULL);
    return shown;
}

void terminal_show(struct span text, bool pages)
{
    const char *pager = pages ? choose_pager(text) : NULL;

    fflush(stdout);
    if (pager != NULL && page(pager, text))
        return;
    fwrite(text.ptr, 1, text.len, stdout);
    fflush(stdout);
}
