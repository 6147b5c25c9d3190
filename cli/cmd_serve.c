/* serve: the pages on which a study is coded, in a browser. */
#define _DEFAULT_SOURCE /* mkstemps */
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "coding/coders.h"
#include "web/web.h"

enum { PORT_DEFAULT = 8420 };

/* --- the browser --- */

/* A file that only its owner can read and that leads on: the link is a secret until it is used, and
 * command lines are for all to see. */
static enum status MUST_USE write_door(struct span link, char *path, struct err *e)
{
    struct buf page = {0};
    int fd = mkstemps(path, 5);

    if (fd < 0)
        return err_set(e, ST_IO, "cannot make %s", path);
    buf_addf(&page, "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0;url=%.*s\">\n",
             (int)link.len, link.ptr);
    bool done = write(fd, page.ptr, page.len) == (ssize_t)page.len;
    done = close(fd) == 0 && done;
    buf_clear(&page);
    return done ? ST_OK : err_set(e, ST_IO, "cannot write %s", path);
}

/* Forgets the child: xdg-open may stay as long as the browser. */
static void open_browser(const char *path)
{
    pid_t child = fork();

    if (child == 0) {
        if (fork() == 0) {
            execlp("xdg-open", "xdg-open", path, (char *)NULL);
            _exit(1);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static bool has_screen(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

    return (x != NULL && x[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

/* --- serving --- */

static void say_where(const struct web *w)
{
    struct buf link = {0};

    web_link(w, &link);
    printf("%s\n", buf_cstr(&link));
    fflush(stdout);
    log_info("open this link in a browser on this machine; it works once. Ctrl-C ends");
    buf_clear(&link);
}

static enum status MUST_USE serve(struct web *w, bool browser, struct err *e)
{
    char door[] = "/tmp/ppmine-XXXXXX.html";
    struct buf link = {0};
    struct err trouble;

    signals_catch();
    enum status status = web_listen(w, e);
    if (status != ST_OK)
        return status;
    say_where(w);
    web_link(w, &link);
    if (browser && has_screen() && write_door(buf_span(&link), door, &trouble) == ST_OK)
        open_browser(door);
    else
        door[0] = '\0';
    while (!signals_stop_asked()) {
        sleep(1); /* a signal ends it */
        web_watch(w);
    }
    if (door[0] != '\0')
        unlink(door);
    buf_clear(&link);
    return ST_OK;
}

static enum status MUST_USE check_coder(struct db *db, struct span coder, struct err *e)
{
    bool is_merged;
    struct buf near = {0};
    enum status status = coder_known(db, coder, &is_merged, &near, e);

    if (near.len > 0)
        log_warn("'%.*s' is a new coder; if you are '%s': Ctrl-C, and start again",
                 (int)coder.len, coder.ptr, buf_cstr(&near));
    buf_clear(&near);
    if (status == ST_OK && is_merged)
        return err_set(e, ST_USAGE, "serve: '%.*s' is what coders agreed on in the end; give your own"
                       " name", (int)coder.len, coder.ptr);
    return status;
}

static enum status run_serve(struct invocation *in, struct err *e)
{
    const char *hosts[GIVEN_MAX + 1] = {0};
    struct buf coder = {0};
    struct web_options options = {
        .db_path = in->db_path,
        .posts = option_text(in, "posts", NULL),
        .blind = option_given(in, "blind"),
        .hosts = hosts,
    };
    struct web *w = NULL;
    uint64_t port = PORT_DEFAULT;
    enum status status = option_number(in, "port", 0, UINT16_MAX, &port, e);

    options.port = (uint16_t)port;
    option_texts(in, "host", hosts);
    if (status == ST_OK)
        status = coder_option(in, &coder, e);
    if (status == ST_OK)
        status = check_coder(in->db, buf_span(&coder), e);
    options.coder = buf_span(&coder);
    if (status == ST_OK)
        status = web_open(&w, &options, e);
    if (status == ST_OK)
        status = serve(w, !option_given(in, "no-browser"), e);
    web_close(w);
    buf_clear(&coder);
    return status;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    {"port", '\0', "N", "listen on this port (default: 8420; 0: any that is free)"},
    {"no-browser", '\0', NULL, "open no browser; only print the link"},
    {"posts", '\0', "FILE", "show the posts of this list, in its order"},
    {"blind", 'b', NULL, "show no hints"},
    {"host", '\0', "NAME…", "answer to this name too, under which a proxy is reached"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine serve --coder ann", "opens a browser"},
    {"ppmine serve --coder ann --posts sample.csv --blind", "a sample, without hints"},
    {"ppmine serve --coder ann --port 9000 --no-browser", NULL},
    {NULL, NULL},
};

const struct command command_serve = {
    .name = "serve",
    .summary = "Code posts in a browser, settle what differs, see the results",
    .options = options,
    .description =
        "Serves pages to this machine alone, and prints a link to them that works once. A page shows\n"
        "a post as its site does, beside the codes. Each code has a key, and each key is saved at\n"
        "once, as label set does: both can be used, and label undo takes back either. Nobody sees\n"
        "what other coders say until the settling is opened on its page; then what differs is settled\n"
        "there, and agreement and results are shown. Nothing is loaded from the network. Ctrl-C ends\n"
        "it.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_serve,
};
