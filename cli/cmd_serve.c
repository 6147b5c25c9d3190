/* serve: the pages on which a study is coded, in a browser. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/signals.h"
#include "cli/options.h"
#include "label/coding/decisions.h"
#include "web/web.h"

/* --- the page that brings a browser to a link, which is a secret: command lines are for all to see --- */

static const char prefix[] = "ppmine-serve-";

/* "ppmine-serve-1234-a1b2c3.html" of a process that has ended. */
static bool is_left(const char *name)
{
    struct span rest = span_of(name), pid;
    uint64_t number;

    if (!span_starts(rest, span_of(prefix)))
        return false;
    rest = (struct span){rest.ptr + strlen(prefix), rest.len - strlen(prefix)};
    return span_cut(&rest, '-', &pid) && span_u64(pid, INT32_MAX, &number) && number > 0 &&
           rest.len == strlen("a1b2c3.html") && strcmp(rest.ptr + strlen("a1b2c3"), ".html") == 0 &&
           kill((pid_t)number, 0) != 0 && errno == ESRCH;
}

/* "" does nothing; and it is "" then. */
static void door_remove(struct buf *path)
{
    if (path->len > 0)
        unlink(buf_cstr(path));
    buf_reset(path);
}

/* Writes a page with the link, readable by its owner only, into $XDG_RUNTIME_DIR or else /tmp. *path: where. Removes
 * the pages of killed processes. */
static bool MUST_USE door_write(struct span link, struct buf *path)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat info;

    const char *folder = runtime != NULL && runtime[0] == '/' && stat(runtime, &info) == 0 && S_ISDIR(info.st_mode) &&
                                 info.st_uid == geteuid()
                             ? runtime
                             : "/tmp";
    AT_END(buf_clear) struct buf page = {0};

    /* Of this user alone: in /tmp the system lets nobody remove another's. */
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (is_left(entry->d_name) && fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid())
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    buf_reset(path);
    buf_addf(path, "%s/%s%ld-XXXXXX.html", folder, prefix, (long)getpid());
    buf_add_char(path, '\0'); /* mkstemps writes into it */
    path->len--;
    int fd = mkstemps(path->ptr, (int)strlen(".html"));
    if (fd < 0) {
        buf_reset(path);
        return false;
    }
    buf_addf(&page, "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0;url=%.*s\">\n", SPAN_ARG(link));
    bool done = write(fd, page.ptr, page.len) == (ssize_t)page.len;
    done = close(fd) == 0 && done;
    if (!done)
        door_remove(path);
    return done;
}

/* --- serving --- */

static enum status MUST_USE serve(struct web *w, bool browser, struct err *e)
{
    const struct timespec pause = {0, 100000000};
    AT_END(buf_clear) struct buf link = {0}, door = {0};

    signals_catch();
    enum status status = web_listen(w, e);
    if (status != ST_OK)
        return status;
    web_link(w, &link);
    bool is_launch = link.len > 0;
    if (is_launch)
        log_info("open this link in a browser on this machine; it works once. Ctrl-C ends");
    else
        web_address(w, &link);
    printf("%s\n", buf_cstr(&link));
    fflush(stdout);
    bool has_screen = *option_or(getenv("DISPLAY"), "") != '\0' || *option_or(getenv("WAYLAND_DISPLAY"), "") != '\0';
    if (browser && is_launch && has_screen && door_write(buf_span(&link), &door)) {
        /* Forgets the child: xdg-open may stay as long as the browser. */
        pid_t child = fork();

        if (child == 0) {
            if (fork() == 0) {
                execlp("xdg-open", "xdg-open", buf_cstr(&door), (char *)NULL);
                _exit(1);
            }
            _exit(0);
        }
        if (child > 0)
            waitpid(child, NULL, 0);
    }
    for (unsigned n = 0; !signals_stop_asked(); n++) {
        nanosleep(&pause, NULL); /* the signal may go to another thread */
        if (n % 10 != 0)
            continue;
        web_watch(w);
        if (web_link_is_used(w))
            door_remove(&door);
    }
    door_remove(&door);
    return ST_OK;
}

static enum status MUST_USE check_coder(struct db *db, struct span coder, struct err *e)
{
    bool is_merged;
    AT_END(buf_clear) struct buf near = {0};
    enum status status = coder_known(db, coder, &is_merged, &near, e);

    if (near.len > 0)
        log_warn("'%.*s' is a new coder; if you are '%s': Ctrl-C, and start again", SPAN_ARG(coder), buf_cstr(&near));
    if (status == ST_OK && is_merged)
        return err_set(e, ST_USAGE, "serve: '%.*s' is what coders agreed on in the end; give your own name",
                       SPAN_ARG(coder));
    return status;
}

/* --- a team --- */

/* --invite and --revoke. */
static enum status MUST_USE change_team(const struct invocation *in, const struct web_options *o, struct err *e)
{
    bool revokes = in->values.revoke != NULL;
    const char *typed = revokes ? in->values.revoke : in->values.invite;
    AT_END(buf_clear) struct buf coder = {0}, token = {0};
    struct err why = {0};
    enum status status = coder_name_check(span_of(typed), &coder, &why);

    if (status != ST_OK)
        status = usage_error(in, e, "the name %s", why.text);
    else if (revokes)
        status = web_revoke(o->coders, buf_span(&coder), e);
    else
        status = check_coder(in->db, buf_span(&coder), e);
    if (status == ST_OK && !revokes)
        status = web_invite(o->coders, buf_span(&coder), in->values.owner, &token, e);
    if (status == ST_OK && !revokes) {
        /* "https://study.example.org/launch?token=…": a name of --host is that of a proxy, which has TLS. */
        bool is_v6 = o->address != NULL && strchr(o->address, ':') != NULL;

        if (o->hosts[0] != NULL)
            printf("https://%s", o->hosts[0]);
        else
            printf(is_v6 ? "http://[%s]:%u" : "http://%s:%u", option_or(o->address, "127.0.0.1"), (unsigned)o->port);
        printf("/launch?token=%s\n", buf_cstr(&token));
        log_info("give this link to %s alone; it works until --revoke or another --invite. Only its hash is kept",
                 buf_cstr(&coder));
    }
    if (status == ST_NO)
        log_info("%s", e->text);
    return status;
}

/* --- the command --- */

static enum status run_serve(struct invocation *in, struct err *e)
{
    static const char *const none[] = {NULL};
    const struct option_values *o = &in->values;
    const void *const of_team[] = {&o->listen, &o->invite, &o->revoke, &o->owner};
    const char *first = option_first(in, of_team, ARRAY_LEN(of_team));
    struct web_options options = {
        .db_path = in->db_path,
        .posts = o->posts,
        .blind = o->blind,
        .port = (uint16_t)o->port,
        .address = o->listen,
        .coders = o->coders,
        .hosts = o->host.n > 0 ? o->host.at : none,
    };
    AT_END(buf_clear) struct buf coder = {0};
    struct web *w = NULL;

    if (first != NULL && o->coders == NULL)
        return usage_error(in, e, "--%s needs --coders FILE: coders with personal links", first);
    enum status status = refuse(
        e, {o->invite != NULL && o->revoke != NULL, "serve: --invite and --revoke exclude each other"},
        {o->owner && o->invite == NULL, "serve: --owner needs --invite"});
    if (status == ST_OK && (o->invite != NULL || o->revoke != NULL))
        return change_team(in, &options, e);
    if (status == ST_OK && (o->coders == NULL || o->coder != NULL)) { /* else nobody gets a launch link */
        status = coder_option(in, &coder, e);
        THEN(status, check_coder(in->db, buf_span(&coder), e));
    }
    options.coder = buf_span(&coder);
    THEN(status, web_open(&w, &options, e));
    if (status == ST_OK && o->listen != NULL && options.hosts[0] == NULL)
        log_warn("links and cookies cross the network unencrypted; use a proxy with TLS, and --host");
    THEN(status, serve(w, !o->no_browser, e));
    web_close(w);
    return status;
}

const struct command command_serve = {
    .name = "serve",
    .summary = "Code posts in a browser, settle disagreements, see the results",
    .options = OPTIONS(
        CODER_OPTION,
        NUMBER("port", port, "N", 0, UINT16_MAX, 8420, "listen on this port (default: 8420; 0: any free port)"),
        FLAG("no-browser", no_browser, "open no browser; only print the link"),
        TEXT("posts", posts, "FILE", "show the posts that FILE lists, in its order"),
        FLAG("blind", blind, "show no hints, and no suggestions of a model", 'b'),
        TEXTS("host", host, "NAME…", "also accept requests for this host name, such as that of a proxy"),
        TEXT("coders", coders, "FILE", "serve the coders listed in FILE, each with a personal link"),
        TEXT("listen", listen, "ADDR", "listen on this IP address (default: 127.0.0.1; needs --coders)"),
        TEXT("invite", invite, "NAME", "print a new link for this coder and exit; older links stop working"),
        FLAG("owner", owner, "with --invite: this coder may open the page Settle"),
        TEXT("revoke", revoke, "NAME", "end the link and all sessions of this coder, and exit")),
    .description = "Serves pages to this machine only, and prints a link that works once. A page shows a post\n"
                   "as its site does, beside the codes. Each code has a key, and each decision is saved at\n"
                   "once, as by `label set`; `label undo` takes it back. Coders cannot see the decisions of\n"
                   "others until the page Settle is opened. Then coders settle their disagreements there, and\n"
                   "agreement and results are shown. The pages load nothing from the network. Ctrl-C stops the\n"
                   "server.\n\n"
                   "A team uses one server with --coders: each coder has a personal link, and the file\n"
                   "contains only hashes of the links. A running server notices changes of the file, so\n"
                   "--revoke works at once.",
    .examples = EXAMPLES({"ppmine serve --coder ann", "opens a browser"},
                         {"ppmine serve --coder ann --posts sample.csv --blind", "a sample, without hints"},
                         {"ppmine serve --coder ann --port 9000 --no-browser", NULL},
                         {"ppmine serve --coders team.txt --invite bob", "prints bob's link"},
                         {"ppmine serve --coders team.txt", "serves all invited coders"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_serve,
};
