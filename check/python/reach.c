/* Which definitions may be in force at a use, from the shape of the code: a definition is overwritten by a later one
 * that runs whenever the use is reached from it. Jumps count where they end a branch; exceptions do not. */
#include "check/python/scope.h"

enum { CANDIDATES_MAX = 256 };

/* A part of a statement that may or may not run, or may run again. */
static bool is_branch(const struct py_file *f, uint32_t n)
{
    switch (py_kind(f, n)) {
    case PY_ELIF:
    case PY_ELSE:
    case PY_EXCEPT:
    case PY_CASE:
        return true;
    case PY_BLOCK: {
        enum py_kind parent = py_kind(f, py_parent(f, n));
        return parent == PY_IF || parent == PY_FOR || parent == PY_WHILE || parent == PY_TRY;
    }
    default:
        return false;
    }
}

/* The outermost branch around `def` that `use` is not in; 0 when def always runs before use. */
static uint32_t branch_between(const struct py_file *f, uint32_t def, uint32_t use)
{
    uint32_t branch = 0;

    for (uint32_t at = def; at != 0 && !py_inside(f, use, at); at = py_parent(f, at))
        if (is_branch(f, at))
            branch = at;
    return branch;
}

/* Does the branch end by leaving the code behind it? */
static bool leaves(const struct py_file *f, uint32_t branch)
{
    uint32_t block = branch;

    if (py_kind(f, branch) != PY_BLOCK)
        for (block = py_first(f, branch); block != 0 && py_kind(f, block) != PY_BLOCK;)
            block = py_next(f, block);
    enum py_kind kind = py_kind(f, py_last(f, block));
    return kind == PY_RETURN || kind == PY_RAISE || kind == PY_CONTINUE || kind == PY_BREAK;
}

/* Every branch of the if that `branch` belongs to binds the name or leaves, and one is taken. */
static bool all_branches(const struct py_file *f, uint32_t branch, const uint32_t *defs, size_t n)
{
    uint32_t parent = py_parent(f, branch);
    bool has_else = false;

    if (py_kind(f, parent) != PY_IF)
        return false;
    for (uint32_t c = py_first(f, parent); c != 0; c = py_next(f, c)) {
        if (!is_branch(f, c))
            continue;
        has_else = has_else || py_kind(f, c) == PY_ELSE;
        bool fine = leaves(f, c);
        for (size_t i = 0; !fine && i < n; i++)
            fine = py_inside(f, f->defs[defs[i]].node, c) && branch_between(f, f->defs[defs[i]].node, c) == 0;
        if (!fine)
            return false;
    }
    return has_else;
}

/* The innermost loop around both, of the same function. */
static uint32_t loop_around(const struct py_file *f, uint32_t use, uint32_t def)
{
    for (uint32_t at = py_parent(f, use); at != 0; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if ((kind == PY_FOR || kind == PY_WHILE) && py_inside(f, def, at))
            return at;
        if (kind == PY_FUNCTION || kind == PY_LAMBDA)
            break;
    }
    return 0;
}

/* Where the binding takes effect: behind its right side. */
static uint32_t effect_of(const struct py_file *f, const struct py_def *def)
{
    uint32_t at = py_parent(f, def->node);

    while (at != 0 && (py_kind(f, at) == PY_PATTERN_LIST || py_kind(f, at) == PY_TUPLE_PATTERN))
        at = py_parent(f, at);
    if (def->kind == DEF_FOR || def->kind == DEF_PARAM)
        return f->nodes[def->node].end;
    return f->nodes[at].kind == PY_ASSIGNMENT || f->nodes[at].kind == PY_AUGMENTED_ASSIGNMENT ? f->nodes[at].end
                                                                                              : f->nodes[def->node].end;
}

/* No binding behind this node reaches n: it comes later, and no round of a loop leads back to n. */
static uint32_t last_that_matters(const struct py_file *f, uint32_t n)
{
    uint32_t last = n;

    for (uint32_t at = py_parent(f, n); at != 0; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_FOR || kind == PY_WHILE)
            last = f->nodes[at].after;
        if (kind == PY_FUNCTION || kind == PY_LAMBDA)
            break;
    }
    return last;
}

/* The bindings that reach a use, the last one first. */
struct reaching {
    uint32_t defs[CANDIDATES_MAX];
    size_t n;
};

/* A binding that always ran, in the same round of the loop: what the round before bound does not reach the use. */
static void drop_overwritten(const struct py_file *f, uint32_t use, uint32_t always, struct reaching *found)
{
    size_t kept = 0;

    for (size_t i = 0; i < found->n; i++) {
        const struct py_def *def = &f->defs[found->defs[i]];
        bool later = effect_of(f, def) > f->nodes[use].start; /* x = b(x), too */
        uint32_t loop = later ? loop_around(f, use, def->node) : 0;
        if (loop == 0 || !py_inside(f, always, loop))
            found->defs[kept++] = found->defs[i];
    }
    found->n = kept;
}

/* x = a(), x = b(x) in one branch: does a later found binding always run between this one and the use? */
static bool is_overwritten(const struct py_file *f, const struct py_def *def, uint32_t use,
                           const struct reaching *found)
{
    bool before = effect_of(f, def) <= f->nodes[use].start;

    for (size_t i = 0; i < found->n; i++) {
        const struct py_def *later = &f->defs[found->defs[i]];
        uint32_t n = def->node;
        if (later->node <= def->node || (effect_of(f, later) <= f->nodes[use].start) != before ||
            branch_between(f, later->node, def->node) != 0)
            continue;
        while (n < later->node && py_kind(f, n) != PY_BREAK && py_kind(f, n) != PY_CONTINUE)
            n++;
        if (n >= later->node)
            return true;
    }
    return false;
}

/* From the use backward, until a binding that always ran. */
static void go_back(const struct py_file *f, uint32_t use, const uint32_t *all, size_t n, struct reaching *found)
{
    uint32_t whole = 0; /* an if, of which one branch always ran */

    for (size_t i = n; i-- > 0;) {
        uint32_t at = f->defs[all[i]].node;
        if (whole != 0 && !py_inside(f, at, whole))
            break;
        if (is_overwritten(f, &f->defs[all[i]], use, found))
            continue;
        if (effect_of(f, &f->defs[all[i]]) > f->nodes[use].start) {
            if (loop_around(f, use, at) != 0) /* from the round before */
                found->defs[found->n++] = all[i];
            continue;
        }
        uint32_t branch = branch_between(f, at, use), parent = py_parent(f, branch);
        /* The use is in another branch of the same if or match: a run takes one. */
        bool other = (py_kind(f, parent) == PY_IF || py_kind(f, parent) == PY_MATCH) && py_inside(f, use, parent) &&
                     !py_inside(f, use, branch) && py_child(f, parent, FIELD_CONDITION) != 0 &&
                     !py_inside(f, use, py_child(f, parent, FIELD_CONDITION));
        bool apart = branch != 0 && (other || leaves(f, branch));
        if (apart && loop_around(f, use, at) == 0)
            continue;
        found->defs[found->n++] = all[i];
        if (branch == 0) {
            drop_overwritten(f, use, at, found);
            break;
        }
        if (all_branches(f, branch, all, i + 1))
            whole = py_parent(f, branch);
    }
}

struct py_defs py_reaching(const struct py_file *f, uint32_t identifier, size_t max)
{
    uint32_t first = py_kind(f, identifier) == PY_IDENTIFIER ? py_def_of(f, identifier) : 0;
    struct py_defs out = {.f = f};
    struct reaching found;
    size_t n = 0;

    found.n = 0;
    if (first == 0)
        return out;
    uint32_t home = py_scope_of(f, identifier);
    while (home > 1 && home != f->defs[first].scope && f->scopes[home].kind == SCOPE_COMPREHENSION)
        home = f->scopes[home].parent;
    bool local = home == f->defs[first].scope;
    /* Those of the name in their own scope, up to the last that matters; of very many the last ones. */
    const uint32_t *all = py_defs_before(f, first, local ? last_that_matters(f, identifier) + 1 : UINT32_MAX, &n);
    all += n > CANDIDATES_MAX ? n - CANDIDATES_MAX : 0;
    n = n > CANDIDATES_MAX ? CANDIDATES_MAX : n;
    if (local)
        go_back(f, identifier, all, n, &found);
    for (size_t i = n; !local && i-- > 0;)
        found.defs[found.n++] = all[i];
    out.all = found.n < max ? found.n : max;
    for (size_t i = 0; i < out.all; i++)
        out.at[i] = found.defs[found.n - 1 - i];
    return out;
}

const struct py_def *py_bound(const struct py_file *f, uint32_t identifier)
{
    struct py_defs d = py_reaching(f, identifier, 2);

    return d.all == 1 ? &f->defs[d.at[0]] : NULL;
}

uint32_t py_assigned(const struct py_file *f, uint32_t identifier)
{
    const struct py_def *def = py_bound(f, identifier);

    return def != NULL && def->kind == DEF_ASSIGN ? def->value : 0;
}
