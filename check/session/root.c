/* Where findings are: the functions around them, and paths from the project's top, the same wherever a run starts. */
#include "check/session/run.h"

#include <stdlib.h>
#include <unistd.h>

enum { HERE_MAX = 4096, NAMES_MAX = 16 };

static void cut_last(struct buf *path)
{
    while (path->len > 0 && path->ptr[--path->len] != '/')
        ;
}

/* Adds a path to an absolute one, part by part, without ".", and with ".." taking a part off. */
static void add_parts(struct buf *out, struct span path)
{
    struct span part;

    while (span_cut(&path, '/', &part)) {
        if (part.len == 0 || span_eq(part, SPAN(".")))
            continue;
        if (span_eq(part, SPAN("..")))
            cut_last(out);
        else
            buf_addf(out, "/%.*s", SPAN_ARG(part));
    }
}

void check_absolute(const char *path, struct buf *out)
{
    char here[HERE_MAX];

    buf_reset(out);
    if (path[0] != '/' && getcwd(here, sizeof here) != NULL)
        add_parts(out, span_of(here));
    add_parts(out, span_of(path));
}

const char *check_below(const char *root, const char *path, struct buf *absolute)
{
    size_t len = strlen(root);

    check_absolute(path, absolute);
    const char *text = buf_cstr(absolute);
    while (len > 0 && root[len - 1] == '/')
        len--;
    if (strncmp(text, root, len) != 0 || (text[len] != '/' && text[len] != '\0'))
        return NULL;
    return text[len] == '\0' ? "." : text + len + 1;
}

void check_common_folder(char *const *paths, size_t n, struct buf *out)
{
    AT_END(buf_clear) struct buf path = {0};
    struct stat st;

    check_absolute(n > 0 ? paths[0] : ".", out);
    for (size_t i = 0; i < n; i++) {
        check_absolute(paths[i], &path);
        if (stat(paths[i], &st) == 0 && !S_ISDIR(st.st_mode))
            cut_last(&path);
        while (out->len > 0 &&
               !(span_starts(buf_span(&path), buf_span(out)) && (path.len == out->len || path.ptr[out->len] == '/')))
            cut_last(out);
    }
}

/* Is there a file of this name in the folder? */
static bool has_file(struct buf *folder, const char *name)
{
    size_t len = folder->len;

    buf_addf(folder, "/%s", name);
    bool there = access(buf_cstr(folder), F_OK) == 0;
    folder->len = len;
    return there;
}

/* Does it say what is installed? */
static bool is_installed(struct buf *folder)
{
    return has_file(folder, "pyproject.toml") || has_file(folder, "setup.py") || has_file(folder, "setup.cfg") ||
           has_file(folder, "requirements.txt");
}

/* A home and a place for everybody's files are above projects, not one. */
static bool is_above(struct buf *folder)
{
    const char *home = getenv("HOME");
    struct stat st;

    return (home != NULL && span_eq(buf_span(folder), span_of(home))) || stat(buf_cstr(folder), &st) != 0 ||
           (st.st_mode & S_ISVTX) != 0;
}

/* The nearest folder with .git. Where none is: the outermost that says what is installed, or where the program was
 * started; then the package, from the nearest __init__.py on as far out as there is one; then the folder of the
 * file. */
void root_of(const char *path, struct buf *root)
{
    AT_END(buf_clear) struct buf folder = {0}, here = {0};
    struct stat st;
    bool within = false, outside = false; /* a package */

    buf_reset(root);
    check_absolute(".", &here);
    check_absolute(path, &folder);
    bool is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (!is_folder)
        cut_last(&folder);
    for (bool first = true; folder.len > 0 && !is_above(&folder); cut_last(&folder), first = false) {
        bool git = has_file(&folder, ".git");
        bool marked = git || span_eq(buf_span(&folder), buf_span(&here)) || is_installed(&folder);
        bool package = !outside && has_file(&folder, "__init__.py");
        outside = outside || (within && !package);
        within = within || package;
        if (marked || package || first)
            buf_set(root, buf_span(&folder));
        if (git)
            break;
    }
}

struct span roots_common(const struct check_run *c)
{
    struct span common = c->roots.n > 0 ? span_of(c->roots.items[0]) : SPAN("");

    for (size_t i = 1; i < c->roots.n; i++) {
        const char *other = c->roots.items[i];
        size_t n = 0, whole = 0;
        for (; n < common.len && other[n] == common.ptr[n]; n++)
            whole = common.ptr[n] == '/' ? n : whole;
        if (n == common.len && (other[n] == '/' || other[n] == '\0'))
            whole = n;
        common.len = whole;
    }
    AT_END(buf_clear) struct buf folder = {0};
    buf_set(&folder, common);
    while (folder.len > 0 && has_file(&folder, "__init__.py") && !has_file(&folder, ".git") && !is_installed(&folder))
        cut_last(&folder);
    common.len = folder.len;
    return common;
}

/* A folder's path, with "/" at its end; "" is the project's own. */
static void name_folder(struct check_run *c, char **path, struct buf *absolute)
{
    const char *below = c->options->root != NULL ? check_below(c->options->root, *path, absolute) : NULL;
    struct span name = span_of(below != NULL ? below : *path);

    while (name.len > 0 && name.ptr[name.len - 1] == '/')
        name.len--;
    bool is_own = name.len == 0 || span_eq(name, SPAN("."));
    char *named = is_own ? mem_text(SPAN("")) : mem_addf("%.*s/", SPAN_ARG(name));
    mem_free(*path);
    *path = named;
}

/* From options.root; else from the nearest of the tops that it is below. */
static const char *project_path(struct check_run *c, const struct source *s, struct buf *absolute)
{
    const char *nearest = c->options->root != NULL ? check_below(c->options->root, s->absolute, absolute) : NULL;

    if (nearest != NULL)
        return arena_text(&c->arena, span_of(nearest));
    nearest = s->path;
    for (size_t i = 0; i < c->roots.n; i++) {
        const char *below = check_below(c->roots.items[i], s->absolute, absolute);
        if (below != NULL && (nearest == s->path || strlen(below) < strlen(nearest)))
            nearest = arena_text(&c->arena, span_of(below));
    }
    return nearest;
}

void project_paths(struct check_run *c)
{
    AT_END(buf_clear) struct buf absolute = {0};

    for (size_t i = 0; i < c->n_sources; i++)
        if (c->sources[i].failed && c->sources[i].asked)
            c->sources[i].project_path = project_path(c, &c->sources[i], &absolute);
    for (size_t i = 0; i < c->found.n; i++) {
        struct rule_finding *found = c->found.items[i];
        struct source *s = source_of(c, found->file);
        if (s->project_path == NULL)
            s->project_path = project_path(c, s, &absolute);
        found->f.project_path = s->project_path;
    }
    for (size_t i = 0; i < c->unread.n; i++)
        name_folder(c, &c->unread.items[i], &absolute);
}

struct span function_name(struct check_run *c, const struct rule_finding *found)
{
    const struct py_file *f = found->file;
    uint32_t names[NAMES_MAX];
    size_t n = 0;
    AT_END(buf_clear) struct buf text = {0};

    for (uint32_t at = found->node; at != 0 && n < NAMES_MAX; at = py_parent(f, at)) {
        bool named = py_kind(f, at) == PY_FUNCTION || py_kind(f, at) == PY_CLASS;
        uint32_t name = named ? py_child(f, at, FIELD_NAME) : 0;
        if (name != 0)
            names[n++] = name;
    }
    while (n > 0) {
        buf_add_span(&text, py_text(f, names[--n]));
        if (n > 0)
            buf_add_char(&text, '.');
    }
    return text.len > 0 ? arena_copy(&c->arena, buf_span(&text)) : SPAN("");
}
