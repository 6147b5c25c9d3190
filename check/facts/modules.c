/* Which file a module's name stands for, and what a path says about a file. */
#include "check/facts/project.h"

struct modules ARRAY_OF(uint32_t); /* files, by their numbers */

#define MAP_NAME module_map /* by a module's own name, the folder's for __init__.py */
#define MAP_KEY struct span
#define MAP_VALUE struct modules
#include "base/map.h"

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
    path.len -= span_after_last(path, '/').len;
    path.len -= path.len > 0;
    return path;
}

void modules_new(struct project *p)
{
    p->modules = mem_zero(1, sizeof *p->modules);
    for (uint32_t i = 0; i < p->n_files; i++) {
        struct module_map_entry *entry;
        module_map_add(p->modules, span_after_last(module_path(p->files[i]->path), '/'), &entry);
        array_add(&entry->value, i);
    }
}

void modules_free(struct project *p)
{
    for (size_t i = 0; i < p->modules->n; i++)
        array_clear(&p->modules->at[i].value);
    module_map_clear(p->modules);
    mem_free(p->modules);
}

/* The files whose module has this name of its own, in their order. */
static struct modules named(const struct project *p, struct span last)
{
    const struct module_map_entry *entry = module_map_find(p->modules, last);

    return entry != NULL ? entry->value : (struct modules){0};
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

/* Does `import name` in the file `here` find `path` in the folder `root` (with its slash)? Python searches no package;
 * Python 2 searched the file's own. A framework's name means at most a package of that name: its own sources. */
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
    struct modules same = named(p, span_after_last(folder, '/'));
    for (size_t i = 0; i < same.n; i++) { /* is the folder a package? */
        const char *other = p->files[same.at[i]]->path;
        if (span_eq(module_path(other), folder) && strlen(other) > folder.len + 3)
            return false;
    }
    return true;
}

/* Is the package in the folder `root` a copy of a framework, used by `here` from outside? Its imports are known better
 * by the framework's name than by a copy's sources. */
static bool is_framework_copy(struct span here, struct span root, struct span dotted)
{
    struct span first;

    if (!span_cut(&dotted, '.', &first) || !vocabulary_is_module(first))
        return false;
    struct span below = span_starts(here, root) ? span_after(here, root.len) : SPAN("");
    return !(span_starts(below, first) && below.len > first.len && below.ptr[first.len] == '/');
}

const struct py_file *module_find(const struct project *p, const struct py_file *from, struct span dotted)
{
    struct span last = span_after_last(dotted, '.'), here = span_of(from->path), root;
    struct modules same = named(p, last);
    const struct py_file *best = NULL;
    size_t best_score = 0;

    for (size_t i = 0; i < same.n; i++) {
        const struct py_file *f = p->files[same.at[i]];
        const char *path = f->path;
        size_t n = 0, score = 1; /* what the paths begin with, in whole folders */
        if (!path_ends_in(module_path(path), dotted, &root) || f == from || is_framework_copy(here, root, dotted))
            continue;
        /* One part alone may be anything's name: only where Python would look for it. */
        if (last.len == dotted.len && !is_searched(p, here, root, dotted, path))
            continue;
        for (; n < here.len && here.ptr[n] == path[n]; n++)
            score = path[n] == '/' ? n + 2 : score;
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
    struct modules same = named(p, span_after_last(buf_span(&path), '/'));
    for (size_t i = 0; found == NULL && i < same.n; i++)
        if (span_eq(module_path(p->files[same.at[i]]->path), buf_span(&path)))
            found = p->files[same.at[i]];
    return found;
}

enum file_role role_of_file(const char *path, struct span code)
{
    static const char *const tests[] = {"def test", "unittest", "pytest", "TestCase", "class Test"};
    struct span rest = span_of(path), part = SPAN("");

    if (span_ends(rest, SPAN(".ipynb")))
        return ROLE_NOTEBOOK;
    while (span_cut(&rest, '/', &part) && rest.len > 0) {
        if (span_is_word(part, "third_party vendor vendored _vendor external extern site-packages node_modules"))
            return ROLE_VENDORED;
        if (span_is_word(part, "test tests testing unittests"))
            return ROLE_TEST;
        if (span_is_word(part, "example examples tutorial tutorials demo demos doc docs samples"))
            return ROLE_EXAMPLE;
    }
    if (span_starts(part, SPAN("test_")) || span_ends(part, SPAN("_test.py")) || span_ends(part, SPAN("_tests.py")) ||
        span_is_word(part, "conftest.py tests.py") || span_ends(part, SPAN("_testlib.py")))
        /* A program that runs a model on what it was not trained on has no test, and options of its own. */
        return span_has(code, "ArgumentParser(") && !span_has_any(code, tests, ARRAY_LEN(tests)) ? ROLE_CODE
                                                                                                 : ROLE_TEST;
    return ROLE_CODE;
}
