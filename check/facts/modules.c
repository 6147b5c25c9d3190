/* Which file a module's name stands for, and what a path says about a file. */
#include "check/facts/project.h"

#include <stdlib.h>

struct module_key {
    struct span last; /* the module's own name; the folder's for __init__.py */
    uint32_t file;
};

struct modules {
    struct module_key *keys; /* of all files, ordered by `last` */
};

static int by_last(const void *a, const void *b)
{
    const struct module_key *x = a, *y = b;
    size_t n = x->last.len < y->last.len ? x->last.len : y->last.len;
    int order = n == 0 ? 0 : memcmp(x->last.ptr, y->last.ptr, n);

    if (order == 0)
        order = (x->last.len > y->last.len) - (x->last.len < y->last.len);
    return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

/* The path of a module without ".py" or "/__init__.py". */
static struct span module_path(const char *path)
{
    struct span s = span_of(path);

    s.len -= s.len > 3 && span_ends(s, SPAN(".py")) ? 3 : 0;
    s.len -= s.len > 9 && span_ends(s, SPAN("/__init__")) ? 9 : 0;
    return s;
}

static struct span folder_of(struct span path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    if (path.len > 0)
        path.len--;
    return path;
}

void modules_new(struct project *p)
{
    struct module_key *keys = mem_zero(p->n_files + 1, sizeof *keys);

    for (size_t i = 0; i < p->n_files; i++) {
        struct span path = module_path(p->files[i]->path), folder = folder_of(path);
        size_t skip = folder.len > 0 || (path.len > 0 && path.ptr[0] == '/') ? folder.len + 1 : 0;
        keys[i] = (struct module_key){{path.ptr + skip, path.len - skip}, (uint32_t)i};
    }
    qsort(keys, p->n_files, sizeof *keys, by_last);
    p->modules = mem_zero(1, sizeof *p->modules);
    p->modules->keys = keys;
}

void modules_free(struct project *p)
{
    mem_free(p->modules->keys);
    mem_free(p->modules);
}

/* Does the path end in the parts of the dotted name? *root: what stands before them. */
static bool path_ends_in(struct span path, struct span dotted, struct span *root)
{
    if (path.len < dotted.len)
        return false;
    const char *tail = path.ptr + path.len - dotted.len;
    for (size_t i = 0; i < dotted.len; i++)
        if (tail[i] != (dotted.ptr[i] == '.' ? '/' : dotted.ptr[i]))
            return false;
    *root = (struct span){path.ptr, path.len - dotted.len};
    return root->len == 0 || root->ptr[root->len - 1] == '/';
}

static size_t common_prefix(struct span a, struct span b)
{
    size_t n = 0, whole = 0;

    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
        if (a.ptr[n++] == '/')
            whole = n;
    return whole;
}

/* The first key that is not before `last`. */
static size_t lower_bound(const struct project *p, struct span last)
{
    struct module_key key = {last, 0};
    size_t low = 0, high = p->n_files;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_last(&p->modules->keys[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The path without its folder; the whole where that is "" or the root. */
static struct span last_of(struct span path)
{
    struct span parent = folder_of(path);

    return parent.len > 0 ? span_after(path, parent.len + 1) : path;
}

static bool is_package(const struct project *p, struct span folder)
{
    struct span last = last_of(folder);

    for (size_t i = lower_bound(p, last); i < p->n_files && span_eq(p->modules->keys[i].last, last); i++) {
        const char *path = p->files[p->modules->keys[i].file]->path;
        if (span_eq(module_path(path), folder) && strlen(path) > folder.len + 3)
            return true;
    }
    return false;
}

/* Does `import name` in the file `here` find `path` in the folder `root` (with its slash)? Python looks
 * in no package; Python 2 did in the file's own. By the name of a framework no module beside is meant,
 * at most a package of the name: the framework's own sources. */
static bool is_searched(const struct project *p, struct span here, struct span root, struct span name, const char *path)
{
    struct span folder = folder_of(root); /* without its slash */

    if (!span_starts(here, root))
        return false;
    bool framework = vocabulary_is_module(name);
    if (framework && strlen(path) == root.len + name.len + 3)
        return false;
    if (root.len == 0 || (!framework && span_eq(folder, folder_of(here))))
        return true;
    return !is_package(p, folder);
}

/* Is the package in the folder `root` a copy of a framework, which the file `here` uses from outside? What it
 * imports is known better by the framework's name than by a copy's sources. */
static bool is_framework_copy(struct span here, struct span root, struct span dotted)
{
    struct span first = dotted;

    for (size_t i = 0; i < dotted.len && first.len == dotted.len; i++)
        if (dotted.ptr[i] == '.')
            first.len = i;
    if (!vocabulary_is_module(first))
        return false;
    struct span below = {here.ptr + root.len, here.len > root.len ? here.len - root.len : 0};
    return !(span_starts(here, root) && span_starts(below, first) && below.len > first.len &&
             below.ptr[first.len] == '/');
}

const struct py_file *module_find(const struct project *p, const struct py_file *from, struct span dotted)
{
    size_t dot = dotted.len;
    const struct py_file *best = NULL;
    size_t best_score = 0;

    while (dot > 0 && dotted.ptr[dot - 1] != '.')
        dot--;
    struct span last = {dotted.ptr + dot, dotted.len - dot};
    struct span here = span_of(from->path);
    for (size_t i = lower_bound(p, last); i < p->n_files && span_eq(p->modules->keys[i].last, last); i++) {
        const struct py_file *f = p->files[p->modules->keys[i].file];
        struct span root;
        if (!path_ends_in(module_path(f->path), dotted, &root) || f == from || is_framework_copy(here, root, dotted))
            continue;
        /* One part alone may be anything's name: only where Python would look for it. */
        if (dot == 0 && !is_searched(p, here, root, dotted, f->path))
            continue;
        size_t score = common_prefix(here, span_of(f->path)) + 1;
        if (score > best_score) {
            best_score = score;
            best = f;
        }
    }
    return best;
}

const struct py_file *module_relative(const struct project *p, const struct py_file *from, unsigned up,
                                      struct span dotted)
{
    struct span folder = span_of(from->path);
    AT_END(buf_clear) struct buf path = {0};
    const struct py_file *found = NULL;

    for (; up > 0; up--)
        folder = folder_of(folder);
    buf_add_span(&path, folder);
    for (size_t i = 0; i < dotted.len; i++) {
        if (i == 0 && path.len > 0)
            buf_add_char(&path, '/');
        buf_add_char(&path, dotted.ptr[i] == '.' ? '/' : dotted.ptr[i]);
    }
    struct span wanted = buf_span(&path), last = last_of(wanted);
    for (size_t i = lower_bound(p, last); found == NULL && i < p->n_files && span_eq(p->modules->keys[i].last, last);
         i++)
        if (span_eq(module_path(p->files[p->modules->keys[i].file]->path), wanted))
            found = p->files[p->modules->keys[i].file];
    return found;
}

/* Parts of a path, and what they make of the files below. */
static const struct {
    struct span part;
    enum file_role role;
} folders[] = {
    {FIXED("third_party"), ROLE_VENDORED},
    {FIXED("vendor"), ROLE_VENDORED},
    {FIXED("vendored"), ROLE_VENDORED},
    {FIXED("_vendor"), ROLE_VENDORED},
    {FIXED("external"), ROLE_VENDORED},
    {FIXED("extern"), ROLE_VENDORED},
    {FIXED("site-packages"), ROLE_VENDORED},
    {FIXED("node_modules"), ROLE_VENDORED},
    {FIXED("test"), ROLE_TEST},
    {FIXED("tests"), ROLE_TEST},
    {FIXED("testing"), ROLE_TEST},
    {FIXED("unittests"), ROLE_TEST},
    {FIXED("example"), ROLE_EXAMPLE},
    {FIXED("examples"), ROLE_EXAMPLE},
    {FIXED("tutorial"), ROLE_EXAMPLE},
    {FIXED("tutorials"), ROLE_EXAMPLE},
    {FIXED("demo"), ROLE_EXAMPLE},
    {FIXED("demos"), ROLE_EXAMPLE},
    {FIXED("doc"), ROLE_EXAMPLE},
    {FIXED("docs"), ROLE_EXAMPLE},
    {FIXED("samples"), ROLE_EXAMPLE},
};

enum file_role role_of_file(const char *path, struct span code)
{
    static const char *const tests[] = {"def test", "unittest", "pytest", "TestCase", "class Test"};
    struct span rest = span_of(path), part, last = {"", 0};

    if (span_ends(rest, SPAN(".ipynb")))
        return ROLE_NOTEBOOK;
    while (span_cut(&rest, '/', &part)) {
        if (rest.len == 0) {
            last = part;
            break;
        }
        for (size_t i = 0; i < ARRAY_LEN(folders); i++)
            if (span_eq(part, folders[i].part))
                return folders[i].role;
    }
    if (span_starts(last, SPAN("test_")) || span_ends(last, SPAN("_test.py")) || span_ends(last, SPAN("_tests.py")) ||
        span_eq(last, SPAN("conftest.py")) || span_ends(last, SPAN("_testlib.py")) || span_eq(last, SPAN("tests.py")))
        /* A program that runs a model on what it was not trained on has no test, and options of its own. */
        return span_has(code, "ArgumentParser(") && !span_has_any(code, tests, ARRAY_LEN(tests)) ? ROLE_CODE
                                                                                                 : ROLE_TEST;
    return ROLE_CODE;
}
