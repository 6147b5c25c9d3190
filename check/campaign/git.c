/* git: the commit and the origin of a working tree, read from the files of .git. */
#include "check/campaign/git.h"

#include "base/files.h"
#include "base/utf8.h"

#include <sys/stat.h>

enum {
    SMALL_FILE_MAX = 4096, /* HEAD, a ref */
    CONFIG_MAX = 1 << 20,
    PACKED_REFS_MAX = 64 << 20,
    REFS_MAX = 5 /* how often a ref may name another, as in git */
};

bool git_top(const char *folder, struct buf *top)
{
    struct stat st;

    buf_set(top, span_of(folder));
    for (;;) {
        AT_END(mem_end) char *path = mem_addf("%.*s/.git", SPAN_ARG(*top));
        if (stat(path, &st) == 0)
            return true;
        if (top->len == 0)
            return false;
        while (top->len > 0 && top->ptr[--top->len] != '/')
            ;
    }
}

/* The text of folder/name without the line end; false when it cannot be read. */
static bool read_text(struct span folder, struct span name, size_t max, struct buf *out)
{
    AT_END(mem_end) char *path = mem_addf("%.*s/%.*s", SPAN_ARG(folder), SPAN_ARG(name));
    struct stat st;
    struct err e;

    buf_reset(out);
    /* Opening a pipe would wait for somebody to write into it. */
    bool is_read = stat(path, &st) == 0 && S_ISREG(st.st_mode) && file_read(path, max, out, &e) == ST_OK;
    while (is_read && out->len > 0 && strchr("\r\n \t", out->ptr[out->len - 1]) != NULL)
        out->len--;
    return is_read && (out->len == 0 || memchr(out->ptr, '\0', out->len) == NULL);
}

/* --- the folders of git --- */

struct folders {
    struct buf own;    /* HEAD: .git, or what a file .git names */
    struct buf common; /* refs and config: the same, but in a further working tree */
};

static void folders_clear(struct folders *f)
{
    buf_clear(&f->own);
    buf_clear(&f->common);
}

/* *out: a path that stands in a file of `folder`. */
static void resolve(struct span folder, struct span path, struct buf *out)
{
    buf_reset(out);
    if (path.len > 0 && path.ptr[0] != '/')
        buf_addf(out, "%.*s/", SPAN_ARG(folder));
    buf_add_span(out, path);
}

static bool find_folders(const char *top, struct folders *f)
{
    struct span folder = span_of(top);
    AT_END(buf_clear) struct buf text = {0};
    struct stat st;

    resolve(folder, SPAN(".git"), &f->own);
    bool fine = stat(buf_cstr(&f->own), &st) == 0;
    if (fine && !S_ISDIR(st.st_mode)) { /* of a submodule, or a further working tree */
        fine = read_text(folder, SPAN(".git"), SMALL_FILE_MAX, &text) && span_starts(buf_span(&text), SPAN("gitdir: "));
        if (fine)
            resolve(folder, span_after(buf_span(&text), 8), &f->own);
    }
    if (fine && read_text(buf_span(&f->own), SPAN("commondir"), SMALL_FILE_MAX, &text))
        resolve(buf_span(&f->own), buf_span(&text), &f->common);
    else
        buf_add_span(&f->common, buf_span(&f->own));
    return fine;
}

/* --- the commit --- */

static bool is_hash(struct span s)
{
    return span_is_hex(s) && (s.len == 40 || s.len == 64);
}

/* What a ref says: a hash, or "ref: " and another one. */
static bool read_ref(const struct folders *f, struct span ref, struct buf *out)
{
    AT_END(buf_clear) struct buf packed = {0};
    struct span line, hash;

    if (read_text(buf_span(&f->own), ref, SMALL_FILE_MAX, out) ||
        read_text(buf_span(&f->common), ref, SMALL_FILE_MAX, out))
        return true;
    if (!read_text(buf_span(&f->common), SPAN("packed-refs"), PACKED_REFS_MAX, &packed))
        return false;
    /* Lines "hash name"; those of tags have "^hash" below them. */
    for (struct span rest = buf_span(&packed); span_cut(&rest, '\n', &line);)
        if (span_cut(&line, ' ', &hash) && is_hash(hash) && span_eq(span_trim(line), ref)) {
            buf_set(out, hash);
            return true;
        }
    return false;
}

enum status git_commit(const char *top, struct buf *commit, struct err *e)
{
    AT_END(folders_clear) struct folders f = {0};
    AT_END(buf_clear) struct buf ref = {0};
    bool found = find_folders(top, &f) && read_ref(&f, SPAN("HEAD"), commit);

    for (int i = 0; i < REFS_MAX && found && span_starts(buf_span(commit), SPAN("ref:")); i++) {
        struct span name = span_trim(span_after(buf_span(commit), 4));
        buf_set(&ref, name);
        /* Names of refs do not lead out of git's folders. */
        found = span_starts(name, SPAN("refs/")) && !span_has(name, "..") && read_ref(&f, buf_span(&ref), commit);
    }
    if (found && is_hash(buf_span(commit)))
        return ST_OK;
    return err_set(e, ST_INPUT,
                   "%s/.git: it does not say which commit this is; give --commit with"
                   " the hash that `git rev-parse HEAD` prints, or a version",
                   top);
}

/* --- where it came from --- */

/* The value of "url = …" or "url=…"; false for another line. */
static bool is_url_line(struct span line, struct span *value)
{
    struct span key;

    if (!span_cut(&line, '=', &key) || !span_eq(span_trim(key), SPAN("url")))
        return false;
    *value = span_trim(line);
    if (value->len >= 2 && value->ptr[0] == '"' && value->ptr[value->len - 1] == '"')
        *value = (struct span){value->ptr + 1, value->len - 2};
    return value->len > 0;
}

static struct span remote_url(struct span config)
{
    struct span line, url = {0}, value;
    bool in_remote = false, in_origin = false;

    while (span_cut(&config, '\n', &line)) {
        line = span_trim(line);
        if (line.len > 0 && line.ptr[0] == '[') {
            in_remote = span_starts(line, SPAN("[remote "));
            in_origin = span_starts(line, SPAN("[remote \"origin\"]"));
        } else if (in_remote && is_url_line(line, &value)) {
            if (in_origin)
                return value;
            if (url.ptr == NULL)
                url = value;
        }
    }
    return url;
}

/* "https://name:password@host/path" without the part before '@' and from '?' or '#' on: both may be a secret. */
static void add_web_url(struct buf *out, struct span scheme, struct span rest)
{
    bool web = span_starts(scheme, SPAN("http"));
    size_t end = 0, at = 0, port, slash = 0;

    while (slash < rest.len && rest.ptr[slash] != '/')
        slash++;
    for (size_t i = 0; i < slash; i++)
        if (rest.ptr[i] == '@')
            at = i + 1;
    for (port = at; port < slash && (web || rest.ptr[port] != ':');) /* ssh's port is not https's */
        port++;
    for (end = slash; end < rest.len && rest.ptr[end] != '?' && rest.ptr[end] != '#';)
        end++;
    struct span shown = web ? scheme : SPAN("https");
    buf_addf(out, "%.*s://%.*s%.*s", SPAN_ARG(shown), (int)(port - at), rest.ptr + at, (int)(end - slash),
             rest.ptr + slash);
}

/* "git@host:owner/repository" is ssh's short form; there is a page under https as a rule. */
static void add_short_url(struct buf *out, struct span url)
{
    struct span host, path = url;

    if (!span_cut(&path, ':', &host) || memchr(host.ptr, '/', host.len) != NULL || path.len == 0)
        return;
    const char *at = memchr(host.ptr, '@', host.len);
    if (at != NULL)
        host = (struct span){at + 1, host.len - (size_t)(at + 1 - host.ptr)};
    while (path.len > 0 && path.ptr[0] == '/')
        path = span_after(path, 1);
    if (host.len < 2 || memchr(host.ptr, '.', host.len) == NULL || path.len == 0)
        return;
    buf_addf(out, "https://%.*s/%.*s", SPAN_ARG(host), SPAN_ARG(path));
}

static void add_url(struct buf *out, struct span url)
{
    size_t colon = span_find(url, SPAN("://"));
    bool is_plain = url.len > 0 && utf8_valid_prefix(url) == url.len;

    for (size_t i = 0; i < url.len; i++)
        is_plain &= (unsigned char)url.ptr[i] > ' ' && url.ptr[i] != 0x7f;
    if (is_plain && colon == SIZE_MAX)
        add_short_url(out, url);
    else if (is_plain && span_is_word((struct span){url.ptr, colon}, "http https ssh git"))
        add_web_url(out, (struct span){url.ptr, colon}, span_after(url, colon + 3));
}

void git_url(const char *top, struct buf *url)
{
    AT_END(folders_clear) struct folders f = {0};
    AT_END(buf_clear) struct buf config = {0};

    buf_reset(url);
    if (find_folders(top, &f) && read_text(buf_span(&f.common), SPAN("config"), CONFIG_MAX, &config))
        add_url(url, remote_url(buf_span(&config)));
    while (url->len > 0 && url->ptr[url->len - 1] == '/')
        url->len--;
    if (url->len > 4 && span_ends(buf_span(url), SPAN(".git")))
        url->len -= 4;
}

struct span git_url_name(struct span url)
{
    size_t host = span_find(url, SPAN("://")), at = url.len, slashes = 0;

    if (host == SIZE_MAX)
        return (struct span){0};
    host += 3;
    while (host < url.len && url.ptr[host] != '/')
        host++;
    while (at > host + 1 && (url.ptr[at - 1] != '/' || ++slashes < 2))
        at--;
    return host < url.len ? (struct span){url.ptr + at, url.len - at} : (struct span){0};
}
