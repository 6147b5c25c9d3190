/* Finds every name that a file binds: one pass over the nodes, in source order. */
#include "check/python/scope.h"

/* Names that a function declared global (true) or nonlocal, by its scope: their defs go where that points. */
#define MAP_NAME declared_map
#define MAP_KEY uint64_t
#define MAP_VALUE bool
#include "base/map.h"

struct builder {
    struct py_file *f;
    struct declared_map declared;
};

static uint64_t declared_key(uint32_t scope, uint32_t sym)
{
    return (uint64_t)scope << 32 | sym;
}

static uint32_t *def_slot(const struct py_file *f, uint32_t scope, uint32_t sym)
{
    size_t mask = f->n_def_slots - 1;
    size_t at = (scope * (size_t)2654435761U ^ sym * (size_t)40503U) & mask;

    while (f->def_slots[at] != 0 && (f->defs[f->def_slots[at]].scope != scope || f->defs[f->def_slots[at]].sym != sym))
        at = (at + 1) & mask;
    return &f->def_slots[at];
}

uint32_t py_def_in(const struct py_file *f, uint32_t scope, uint32_t sym)
{
    return sym == 0 || scope == 0 || f->n_def_slots == 0 ? 0 : *def_slot(f, scope, sym);
}

static uint32_t outer_function(const struct py_file *f, uint32_t scope)
{
    do
        scope = f->scopes[scope].parent;
    while (scope > 1 && f->scopes[scope].kind != SCOPE_FUNCTION);
    return scope == 0 ? 1 : scope;
}

static struct py_def *add_def(struct builder *b, uint32_t scope, uint32_t node, enum def_kind kind, uint32_t value)
{
    struct py_file *f = b->f;
    uint32_t sym = f->nodes[node].sym;

    if (sym == 0)
        return NULL;
    f->defs = array_room(f->defs, f->n_defs + 1, 1, &f->defs_capacity, sizeof *f->defs);
    if (f->n_defs >= f->n_def_slots / 2) {
        uint32_t *old = f->def_slots, n_old = f->n_def_slots;
        f->n_def_slots = n_old == 0 ? 256 : n_old * 2;
        f->def_slots = mem_zero(f->n_def_slots, sizeof *f->def_slots);
        for (uint32_t i = 0; i < n_old; i++) /* the first of each name stays the first */
            if (old[i] != 0)
                *def_slot(f, f->defs[old[i]].scope, f->defs[old[i]].sym) = old[i];
        mem_free(old);
    }
    const struct declared_map_entry *d = declared_map_find(&b->declared, declared_key(scope, sym));
    if (d != NULL && d->value) /* global */
        scope = 1;
    else if (d != NULL)
        do
            scope = outer_function(f, scope);
        while (scope > 1 && py_def_in(f, scope, sym) == 0);
    uint32_t number = ++f->n_defs;
    f->defs[number] = (struct py_def){.scope = scope, .sym = sym, .node = node, .value = value, .kind = (uint8_t)kind};
    uint32_t *slot = def_slot(f, scope, sym);
    if (*slot == 0)
        *slot = number;
    else
        f->defs[f->defs[*slot].last].next = number;
    f->defs[*slot].last = number;
    return &f->defs[number];
}

static uint32_t add_scope(struct py_file *f, uint32_t node, uint32_t parent, enum scope_kind kind)
{
    f->scopes = array_room(f->scopes, f->n_scopes + 1, 1, &f->scopes_capacity, sizeof *f->scopes);
    f->scopes[++f->n_scopes] = (struct py_scope){node, parent, kind};
    f->nodes[node].sym = f->n_scopes;
    return f->n_scopes;
}

static bool opens_scope(enum py_kind kind, enum scope_kind *scope)
{
    switch (kind) {
    case PY_FUNCTION:
    case PY_LAMBDA:
        *scope = SCOPE_FUNCTION;
        return true;
    case PY_CLASS:
        *scope = SCOPE_CLASS;
        return true;
    case PY_LIST_COMPREHENSION:
    case PY_SET_COMPREHENSION:
    case PY_DICTIONARY_COMPREHENSION:
    case PY_GENERATOR:
        *scope = SCOPE_COMPREHENSION;
        return true;
    default:
        return false;
    }
}

/* Does the child `from` of the scope's node run inside the scope, or where it is written? */
static bool runs_inside(const struct py_file *f, uint32_t node, uint32_t from, uint32_t below)
{
    switch (py_kind(f, node)) {
    case PY_FUNCTION:
    case PY_LAMBDA:
        if (f->nodes[from].field == FIELD_BODY)
            return true;
        /* Of the parameters, the names; defaults and annotations belong outside. */
        return f->nodes[from].field == FIELD_PARAMETERS && f->nodes[below].field != FIELD_VALUE &&
               f->nodes[below].field != FIELD_TYPE;
    case PY_CLASS:
        return f->nodes[from].field == FIELD_BODY;
    default:
        break;
    }
    /* Of a comprehension, all but the first iterable. */
    uint32_t first = py_first(f, node);
    while (first != 0 && py_kind(f, first) != PY_FOR_IN)
        first = py_next(f, first);
    return from != first || f->nodes[below].field != FIELD_RIGHT;
}

uint32_t py_scope_of(const struct py_file *f, uint32_t n)
{
    uint32_t from = n, below = n;

    for (uint32_t at = f->nodes[n].parent; at != 0; at = f->nodes[at].parent) {
        enum scope_kind kind;
        if (opens_scope(py_kind(f, at), &kind)) {
            /* In parameters the default or type is one deeper than the parameter. */
            uint32_t inner = below;
            if (f->nodes[from].field == FIELD_PARAMETERS) {
                inner = n;
                while (inner != from && f->nodes[inner].field != FIELD_VALUE && f->nodes[inner].field != FIELD_TYPE)
                    inner = f->nodes[inner].parent;
            }
            if (runs_inside(f, at, from, inner))
                return f->nodes[at].sym;
        }
        below = from;
        from = at;
    }
    return 1;
}

uint32_t py_function_of(const struct py_file *f, uint32_t n)
{
    uint32_t scope = py_scope_of(f, n);

    while (scope > 1 && f->scopes[scope].kind != SCOPE_FUNCTION)
        scope = f->scopes[scope].parent;
    return scope == 0 ? 1 : f->scopes[scope].node;
}

/* The class whose method binds an attribute of its first parameter here, or 0. */
static uint32_t class_of_self(const struct py_file *f, uint32_t object, uint32_t scope)
{
    if (py_kind(f, object) != PY_IDENTIFIER)
        return 0;
    for (; scope > 1; scope = f->scopes[scope].parent) {
        uint32_t parent = f->scopes[scope].parent;
        if (f->scopes[scope].kind != SCOPE_FUNCTION || parent == 0 || f->scopes[parent].kind != SCOPE_CLASS)
            continue;
        uint32_t first = py_first(f, py_child(f, f->scopes[scope].node, FIELD_PARAMETERS));
        return first != 0 && f->nodes[first].sym == f->nodes[object].sym ? parent : 0;
    }
    return 0;
}

struct binding {
    enum def_kind kind; /* for a single name; a part of a pattern becomes DEF_UNPACK */
    uint32_t value, type, scope;
};

static void bind_one(struct builder *b, uint32_t target, const struct binding *how, int index)
{
    struct py_file *f = b->f;
    struct py_def *def = NULL;
    bool attribute = py_kind(f, target) == PY_ATTRIBUTE;

    if (py_kind(f, target) == PY_IDENTIFIER) {
        def = add_def(b, how->scope, target, how->kind, how->value);
    } else if (attribute) {
        uint32_t object = py_child(f, target, FIELD_OBJECT);
        uint32_t class = object != 0 ? class_of_self(f, object, how->scope) : 0;
        if (class != 0)
            def = add_def(b, class, target, how->kind, how->value);
    }
    if (def == NULL)
        return;
    def->index = (int16_t)index;
    def->type = how->type;
    def->attribute = attribute;
    if (index != -2 && def->kind == DEF_ASSIGN)
        def->kind = DEF_UNPACK;
}

static bool is_pattern(enum py_kind kind)
{
    return kind == PY_PATTERN_LIST || kind == PY_TUPLE_PATTERN || kind == PY_LIST_PATTERN || kind == PY_TUPLE ||
           kind == PY_LIST || kind == PY_EXPRESSION_LIST;
}

/* index: -2 the whole value, -1 some part of it, otherwise which part. */
static void bind(struct builder *b, uint32_t target, struct binding how, int index)
{
    struct py_file *f = b->f;
    int i = 0;

    if (target == 0)
        return;
    target = py_bare(f, target);
    if (py_kind(f, target) == PY_LIST_SPLAT_PATTERN) {
        bind(b, py_first(f, target), how, -1);
    } else if (is_pattern(py_kind(f, target))) {
        uint32_t right = py_bare(f, how.value);
        bool parallel = is_pattern(py_kind(f, right)) && how.kind == DEF_ASSIGN;
        uint32_t part = parallel ? py_first(f, right) : 0;
        for (uint32_t t = py_first(f, target); t != 0; t = py_next(f, t), i++) {
            if (part != 0) { /* a, b = x, y */
                how.value = part;
                bind(b, t, how, -2);
                part = py_next(f, part);
            } else {
                bind(b, t, how, index == -2 && i < INT16_MAX ? i : -1);
            }
        }
    } else if (target != 0) {
        bind_one(b, target, &how, index);
    }
}

static void bind_parameters(struct builder *b, uint32_t function, uint32_t scope)
{
    struct py_file *f = b->f;
    uint32_t list = py_child(f, function, FIELD_PARAMETERS);
    int index = 0;

    for (uint32_t p = list != 0 ? py_first(f, list) : 0; p != 0; p = py_next(f, p)) {
        uint32_t name = p, value = py_child(f, p, FIELD_VALUE), type = py_child(f, p, FIELD_TYPE);
        enum py_kind kind = py_kind(f, p);
        if (kind == PY_DEFAULT_PARAMETER || kind == PY_TYPED_DEFAULT_PARAMETER)
            name = py_child(f, p, FIELD_NAME);
        else if (kind == PY_TYPED_PARAMETER)
            name = py_first(f, p);
        if (name != 0 &&
            (py_kind(f, name) == PY_LIST_SPLAT_PATTERN || py_kind(f, name) == PY_DICTIONARY_SPLAT_PATTERN)) {
            name = py_first(f, name);
            index = -1;
        } else if (kind == PY_OTHER) { /* a bare star or slash */
            name = 0;
        }
        struct py_def *def = name != 0 ? add_def(b, scope, name, DEF_PARAM, value) : NULL;
        if (def != NULL) {
            def->type = type;
            def->index = (int16_t)index;
        }
        if (index >= 0 && name != 0 && index < INT16_MAX)
            index++;
    }
}

static void bind_import(struct builder *b, uint32_t n, uint32_t scope)
{
    struct py_file *f = b->f;
    bool from = py_kind(f, n) == PY_IMPORT_FROM;

    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
        if (f->nodes[c].field != FIELD_NAME)
            continue;
        bool aliased = py_kind(f, c) == PY_ALIASED_IMPORT;
        uint32_t dotted = aliased ? py_child(f, c, FIELD_NAME) : c;
        uint32_t bound = aliased ? py_child(f, c, FIELD_ALIAS) : py_first(f, c);
        if (dotted == 0 || bound == 0)
            continue;
        struct py_def *def = add_def(b, scope, bound, from ? DEF_FROM : DEF_IMPORT, dotted);
        if (def != NULL)
            def->index = aliased || py_next(f, py_first(f, dotted)) == 0;
    }
}

static void declare(struct builder *b, uint32_t n, uint32_t scope)
{
    for (uint32_t c = py_first(b->f, n); c != 0; c = py_next(b->f, c)) {
        struct declared_map_entry *d;
        if (py_kind(b->f, c) != PY_IDENTIFIER)
            continue;
        declared_map_add(&b->declared, declared_key(scope, b->f->nodes[c].sym), &d);
        d->value = py_kind(b->f, n) == PY_GLOBAL;
    }
}

static void visit(struct builder *b, uint32_t n, uint32_t scope)
{
    struct py_file *f = b->f;
    uint32_t outer = scope, value, target;
    enum def_kind kind;

    /* where a binding goes that is not a loop variable of a comprehension */
    while (outer > 1 && f->scopes[outer].kind == SCOPE_COMPREHENSION)
        outer = f->scopes[outer].parent;
    switch (py_kind(f, n)) {
    case PY_ASSIGNMENT:
        value = py_child(f, n, FIELD_RIGHT);
        while (py_kind(f, value) == PY_ASSIGNMENT) /* a = b = x */
            value = py_child(f, value, FIELD_RIGHT);
        kind = value != 0 ? DEF_ASSIGN : DEF_DECLARED;
        bind(b, py_child(f, n, FIELD_LEFT), (struct binding){kind, value, py_child(f, n, FIELD_TYPE), outer}, -2);
        break;
    case PY_AUGMENTED_ASSIGNMENT:
        bind(b, py_child(f, n, FIELD_LEFT), (struct binding){DEF_AUGMENT, py_child(f, n, FIELD_RIGHT), 0, outer}, -2);
        break;
    case PY_NAMED_EXPRESSION:
        bind(b, py_child(f, n, FIELD_NAME), (struct binding){DEF_ASSIGN, py_child(f, n, FIELD_VALUE), 0, outer}, -2);
        break;
    case PY_FOR:
    case PY_FOR_IN:
        bind(b, py_child(f, n, FIELD_LEFT), (struct binding){DEF_FOR, py_child(f, n, FIELD_RIGHT), 0, scope}, -2);
        break;
    case PY_AS_PATTERN:
        target = py_child(f, n, FIELD_ALIAS);
        if (py_kind(f, target) == PY_AS_PATTERN_TARGET)
            target = py_first(f, target);
        kind = py_kind(f, py_parent(f, n)) == PY_WITH_ITEM ? DEF_WITH : DEF_OTHER;
        bind(b, target, (struct binding){kind, py_first(f, n), 0, outer}, -2);
        break;
    case PY_IMPORT:
    case PY_IMPORT_FROM:
        bind_import(b, n, scope);
        break;
    case PY_GLOBAL:
    case PY_NONLOCAL:
        declare(b, n, scope);
        break;
    default:
        break;
    }
}

/* `scope`: where n binds names. A scope opens at its node; py_scope_of finds what belongs outside of it, as
 * defaults. */
void scope_build(struct py_file *f)
{
    struct builder b = {.f = f};
    uint32_t scope = add_scope(f, 1, 0, SCOPE_MODULE);

    for (uint32_t n = 2; n < f->n_nodes; n++) {
        enum py_kind what = py_kind(f, n);
        enum scope_kind kind;
        while (scope > 1 && n >= f->nodes[f->scopes[scope].node].after)
            scope = f->scopes[scope].parent;
        if (opens_scope(what, &kind)) {
            uint32_t outer = scope, name = py_child(f, n, FIELD_NAME);
            scope = add_scope(f, n, outer, kind);
            if (what == PY_FUNCTION || what == PY_CLASS)
                add_def(&b, outer, name, what == PY_FUNCTION ? DEF_FUNCTION : DEF_CLASS, n);
            if (kind == SCOPE_FUNCTION)
                bind_parameters(&b, n, scope);
        } else if (what != PY_IDENTIFIER) {
            visit(&b, n, scope);
        }
    }
    declared_map_clear(&b.declared);
}

uint32_t py_own_method(const struct py_file *f, uint32_t class, struct span name)
{
    uint32_t def = py_def_in(f, f->nodes[class].sym, py_sym(f, name));

    return def != 0 && f->defs[def].kind == DEF_FUNCTION ? f->defs[def].value : 0;
}

uint32_t py_def_for(const struct py_file *f, uint32_t n, uint32_t sym)
{
    uint32_t scope = py_scope_of(f, n);

    for (bool first = true; scope != 0; scope = f->scopes[scope].parent, first = false) {
        /* A class' names are seen in its own body only. */
        if (!first && f->scopes[scope].kind == SCOPE_CLASS)
            continue;
        uint32_t def = py_def_in(f, scope, sym);
        if (def != 0 && f->defs[def].n_names > 0)
            return f->def_order[f->defs[def].begin];
    }
    return 0;
}

uint32_t py_def_of(const struct py_file *f, uint32_t identifier)
{
    return py_def_for(f, identifier, f->nodes[identifier].sym);
}
