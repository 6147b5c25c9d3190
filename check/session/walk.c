/* The Python files below a folder, without what .gitignore and the usual exclusions name. */
#include "base/files.h"
#include "base/log.h"
#include "check/session/run.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_MAX = 128, PATTERNS_MAX_BYTES = 4 << 20 };

/* Folders with nothing of the project's own in them. */
static const char *const usual_exclusions[] = {
    ".*/",  "__pycache__/", "__pypackages__/", "node_modules/",  "venv/",
    "env/", "build/",       "dist/",           "site-packages/", "*.egg-info/"};

/* --- patterns of .gitignore --- */

/* [a-z] at *p; *p moves behind it. */
static bool class_fits(const char **p, const char *end, char c)
{
    const char *q = *p + 1;
    bool negated = q < end && (*q == '!' || *q == '^'), found = false;

    q += negated;
    for (bool first = true; q < end && (*q != ']' || first); first = false, q++) {
        if (q + 2 < end && q[1] == '-' && q[2] != ']') {
            found = found || (c >= q[0] && c <= q[2]);
            q += 2;
        } else {
            found = found || *q == c;
        }
    }
    *p = q < end ? q + 1 : end;
    return q < end && found != negated; /* without its ] it fits nothing */
}

/* Does the first item of the pattern fit the character? Moves *p after the item. */
static bool one_fits(const char **p, const char *end, char c)
{
    const char *q = *p;

    if (*q == '[')
        return class_fits(p, end, c) && c != '/';
    bool escaped = *q == '\\' && q + 1 < end;
    *p = q + (escaped ? 2 : 1);
    return *q == '?' ? c != '/' : q[escaped] == c;
}

/* Without recursion: `star` and `deep` remember the last * and ** to come back to. */
static bool glob(struct span pattern, struct span text)
{
    const char *p = pattern.ptr, *p_end = p + pattern.len, *t = text.ptr, *t_end = t + text.len;
    const char *star_p = NULL, *star_t = NULL, *deep_p = NULL, *deep_t = NULL;

    for (;;) {
        if (p < p_end && *p == '*') {
            if (p + 1 < p_end && p[1] == '*') {
                p += 2;
                bool slash = p < p_end && *p == '/';
                if (slash)
                    p++;
                deep_p = p;
                deep_t = t;
                star_p = NULL;
            } else {
                star_p = ++p;
                star_t = t;
            }
            continue;
        }
        if (t == t_end && p == p_end)
            return true;
        const char *next = p;
        if (t < t_end && p < p_end && one_fits(&next, p_end, *t)) {
            p = next;
            t++;
        } else if (star_p != NULL && star_t < t_end && *star_t != '/') {
            p = star_p;
            t = ++star_t;
        } else if (deep_p != NULL && deep_t < t_end) {
            p = deep_p;
            t = ++deep_t;
            star_p = NULL;
        } else {
            return false;
        }
    }
}

bool pattern_fits(struct span pattern, struct span path, bool folder)
{
    bool of_folders = span_ends(pattern, SPAN("/"));
    pattern.len -= of_folders;
    bool anchored = span_find(pattern, SPAN("/")) != SIZE_MAX;
    pattern = span_after(pattern, span_starts(pattern, SPAN("/")) ? 1 : 0);
    const char *slash = anchored || path.len == 0 ? NULL : memrchr(path.ptr, '/', path.len);
    if (slash != NULL) /* the last part alone */
        path = span_after(path, (size_t)(slash + 1 - path.ptr));
    return pattern.len > 0 && (folder || !of_folders) && glob(pattern, path);
}

/* --- the walk --- */

struct ignore_file {
    struct buf text;
    size_t base;       /* of paths: what of them belongs to the folder of the file, with its '/' */
    struct span above; /* of a file above what is walked: what stands before what of paths is behind `base` */
};

struct walk {
    const char *folder; /* as it was named */
    size_t skip;        /* of paths: what of them is the folder, with its '/' */
    struct check_run *run;
    const struct check_options *options; /* of the pyproject.toml that is nearest to the folder */
    bool asked, linked;                  /* by a link: what it leads to is found where it is */
    struct buf path;                     /* with a '/' at the end, but for "." */
    struct ignore_file ignores[FOLDERS_MAX];
    size_t n_ignores;
    struct {
        dev_t device;
        ino_t inode;
    } open[FOLDERS_MAX];
    size_t n_open;
    int unseen; /* errno: something in the folder that is read cannot be looked at; 0: nothing */
};

/* The last pattern that fits decides; "!" takes back. */
static void apply_patterns(struct span patterns, struct span path, bool folder, bool *ignored)
{
    struct span line;

    while (span_cut(&patterns, '\n', &line)) {
        while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
            line.len--;
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        bool negated = line.ptr[0] == '!';
        if (pattern_fits(span_after(line, negated), path, folder))
            *ignored = !negated;
    }
}

static bool is_ignored(const struct walk *w, struct span path, bool folder)
{
    const struct check_options *o = w->options;
    bool ignored = false;
    AT_END(buf_clear) struct buf text = {0};
    struct span below = span_after(path, path.len > w->skip ? w->skip : 0);

    for (size_t i = 0; folder && i < ARRAY_LEN(usual_exclusions); i++)
        ignored = ignored || pattern_fits(span_of(usual_exclusions[i]), path, folder);
    for (size_t i = 0; i < w->n_ignores && !o->no_gitignore; i++) {
        size_t base = w->ignores[i].base;
        if (base > path.len)
            continue;
        buf_set(&text, w->ignores[i].above);
        buf_add_span(&text, span_after(path, base));
        apply_patterns(buf_span(&w->ignores[i].text), buf_span(&text), folder, &ignored);
    }
    /* Patterns of pyproject.toml are seen from its folder, wherever the program was started. */
    AT_END(mem_end) char *whole = o->exclude.n > 0 && o->folder != NULL ? mem_text(path) : NULL;
    const char *there = whole != NULL ? check_below(o->folder, whole, &text) : NULL;
    for (size_t i = 0; i < o->exclude.n; i++)
        ignored = ignored || pattern_fits(span_of(o->exclude.items[i]), path, folder) ||
                  (there != NULL && pattern_fits(span_of(o->exclude.items[i]), span_of(there), folder)) ||
                  (!w->asked && pattern_fits(span_of(o->exclude.items[i]), below, folder));
    return ignored;
}

static bool push_ignores(struct walk *w, const char *file, size_t base)
{
    struct err e;
    struct ignore_file *slot = &w->ignores[w->n_ignores];

    if (w->n_ignores >= FOLDERS_MAX || access(file, R_OK) != 0)
        return false;
    *slot = (struct ignore_file){.base = base};
    if (file_read_regular(file, PATTERNS_MAX_BYTES, &slot->text, &e) != ST_OK) {
        log_warn("%s; its patterns are left out", e.text);
        buf_clear(&slot->text);
        return false;
    }
    w->n_ignores++;
    return true;
}

static void walk(struct walk *w);

static bool is_python(const char *name)
{
    struct span s = span_of(name);

    return (s.len > 3 && span_ends(s, SPAN(".py"))) || (s.len > 6 && span_ends(s, SPAN(".ipynb")));
}

/* What cannot be looked at may be a folder with findings; a link to nowhere, or what went away, is nothing. */
static bool unseen(struct walk *w)
{
    if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
        w->unseen = errno;
    return false;
}

/* The folder of w->path, or a part of it, is not looked at. */
static void folder_unread(struct walk *w, const char *why)
{
    struct span path = w->path.len > 0 ? buf_span(&w->path) : SPAN("./");

    if (!w->asked)
        return;
    log_warn("%.*s: %s", SPAN_ARG(path), why);
    check_list_add(&w->run->unread, path);
    w->run->totals.unreadable++;
}

/* Follows links within the folder, not out of it: --fix would change unnamed files. False, *st unset: nothing there. */
static bool look(struct walk *w, const char *name, struct stat *st)
{
    const char *path = buf_cstr(&w->path);

    if (lstat(path, st) != 0)
        return unseen(w);
    if (!S_ISLNK(st->st_mode))
        return true;
    if (stat(path, st) != 0)
        return unseen(w);
    w->linked = true;
    if (path_is_inside(w->folder, path))
        return true;
    if (w->asked && !is_ignored(w, buf_span(&w->path), S_ISDIR(st->st_mode)) &&
        (S_ISDIR(st->st_mode) || is_python(name)))
        log_warn("%s: left out: a link that leads out of %s; name its target to check it", path, w->folder);
    st->st_mode = 0; /* no folder, no file */
    return true;
}

static void visit(struct walk *w, const char *name)
{
    size_t before = w->path.len;
    bool linked = w->linked;
    struct stat st;

    buf_add_text(&w->path, name);
    bool known = look(w, name, &st);
    if (known && S_ISDIR(st.st_mode)) {
        if (!is_ignored(w, buf_span(&w->path), true)) {
            buf_add_char(&w->path, '/');
            walk(w);
        }
    } else if (is_python(name) && !(known && !S_ISREG(st.st_mode)) && !is_ignored(w, buf_span(&w->path), false)) {
        source_add(w->run, buf_span(&w->path), w->asked && !w->linked)->walked = true;
    }
    w->linked = linked;
    w->path.len = before;
}

/* A folder that is being walked already is a loop of links. */
static bool enter(struct walk *w, const char *folder)
{
    struct stat st;

    if (stat(folder, &st) != 0) {
        if (errno != ENOENT)
            folder_unread(w, strerror(errno));
        return false;
    }
    if (w->n_open >= FOLDERS_MAX) {
        char why[64];
        snprintf(why, sizeof why, "left out: more than %d folders deep", FOLDERS_MAX);
        folder_unread(w, why);
        return false;
    }
    for (size_t i = 0; i < w->n_open; i++)
        if (w->open[i].device == st.st_dev && w->open[i].inode == st.st_ino)
            return false;
    w->open[w->n_open].device = st.st_dev;
    w->open[w->n_open++].inode = st.st_ino;
    return true;
}

static void walk(struct walk *w)
{
    const char *folder = w->path.len == 0 ? "." : buf_cstr(&w->path);

    if (!enter(w, folder))
        return;
    AT_END(dir_end) DIR *dir = opendir(folder);
    if (dir == NULL) {
        folder_unread(w, strerror(errno));
        w->n_open--;
        return;
    }
    size_t before = w->path.len;
    const struct check_options *outer = w->options;
    AT_END(buf_clear) struct buf absolute = {0};
    check_absolute(folder, &absolute);
    w->options = options_near(w->run, buf_span(&absolute));
    buf_add_text(&w->path, ".gitignore");
    bool pushed = push_ignores(w, buf_cstr(&w->path), before);
    w->path.len = before;
    struct dirent *entry;
    int unseen = w->unseen;
    w->unseen = 0;
    while ((errno = 0, entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (entry->d_type != DT_REG || is_python(entry->d_name)))
            visit(w, entry->d_name);
    w->unseen = errno != 0 ? errno : w->unseen;
    if (w->unseen != 0) {
        AT_END(mem_end) char *why = mem_addf("not all of it can be looked at: %s", strerror(w->unseen));
        folder_unread(w, why);
    }
    w->unseen = unseen;
    w->options = outer;
    if (pushed)
        buf_clear(&w->ignores[--w->n_ignores].text);
    w->n_open--;
}

void walk_folder(struct check_run *c, const char *folder, bool asked)
{
    AT_END(mem_end) struct walk *w = mem_zero(1, sizeof *w);
    AT_END(buf_clear) struct buf absolute = {0}, root = {0};

    w->run = c;
    w->asked = asked;
    w->folder = folder;
    if (strcmp(folder, ".") != 0) {
        buf_add_text(&w->path, folder);
        if (w->path.len > 0 && w->path.ptr[w->path.len - 1] != '/')
            buf_add_char(&w->path, '/');
    }
    w->skip = w->path.len;
    root_of(folder, &root);
    check_absolute(folder, &absolute);
    buf_add_char(&absolute, '/');
    /* The patterns of folders of the project that the folder is in, from the outermost on. */
    for (size_t at = root.len; at > 0 && at + 1 < absolute.len; at++) {
        if (absolute.ptr[at] != '/')
            continue;
        AT_END(mem_end) char *file = mem_addf("%.*s/.gitignore", (int)at, absolute.ptr);
        if (push_ignores(w, file, w->skip))
            w->ignores[w->n_ignores - 1].above = span_after(buf_span(&absolute), at + 1);
    }
    walk(w);
    while (w->n_ignores > 0)
        buf_clear(&w->ignores[--w->n_ignores].text);
    buf_clear(&w->path);
}
