/* What expressions stand for. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

enum {
    DEPTH_MAX = 60,   /* of questions that ask others */
    STEPS_MAX = 4000, /* of one question */
    REACHING_MAX = 8,
    CALLERS_MAX = 6, /* that are asked what they hand over */
    RETURNS_MAX = 8
};

/* What is remembered of a definition: nothing is known of it while it is being looked at. */
struct def_memo {
    struct value value;
    bool asked;
};

#define MEMO_NAME call_memo
#define MEMO_KEY uint64_t
#define MEMO_ANSWER struct value
#include "base/memo.h"

struct file_values {
    struct def_memo *defs;
    uint32_t *nodes;                 /* for each node what is remembered of it: see `asked` */
    struct ARRAY_OF(uint32_t) stars; /* from m import *, in source order */
};

struct values {
    struct file_values *files;
    struct call_memo calls;
    struct ARRAY_OF(struct value) numbered; /* what nodes stand for; the first is none */
    unsigned depth;                         /* of the question that is being answered */
    unsigned steps;                         /* that it took */
    bool linked;                            /* the call graph is there */
};

static const struct value unknown = {.kind = VALUE_UNKNOWN};

static struct value eval(struct project *p, const struct py_file *f, uint32_t n);

bool values_settled(const struct project *p)
{
    return p->values->linked && p->values->depth == 0;
}

static struct value named(struct project *p, struct span dotted)
{
    return (struct value){.kind = VALUE_NAME, .name = name_of(p, dotted)};
}

static bool shared_base(struct project *p, struct value a, struct value b, struct value *base, int depth);

/* None and literals give way to what is more; data sets from different sources are data sets; objects of two classes
 * are objects of the class that both derive from. */
static struct value join(struct project *p, struct value a, struct value b, bool first)
{
    struct value base;

    bool same = a.kind == b.kind && a.file == b.file && a.node == b.node && a.name == b.name && a.guessed == b.guessed;
    if (first || same || a.kind == VALUE_CONSTANT)
        return b;
    if (b.kind == VALUE_CONSTANT)
        return a;
    if (a.kind == b.kind && a.kind >= VALUE_DATASET) {
        a.guessed = a.guessed || b.guessed;
        return a;
    }
    if (a.kind == VALUE_INSTANCE && b.kind == VALUE_INSTANCE && shared_base(p, a, b, &base, 0))
        return base;
    /* try: import … except ImportError: a stand-in. */
    if (a.kind == VALUE_NAME && b.kind != VALUE_UNKNOWN)
        return a;
    return unknown;
}

/* --- functions and classes --- */

static struct value returned(struct project *p, const struct py_file *f, uint32_t function, int part)
{
    uint32_t body = py_child(f, function, FIELD_BODY);
    struct value all = unknown;
    size_t n = 0;

    if (body == 0)
        return unknown;
    if (py_kind(f, function) == PY_LAMBDA)
        return part < 0 ? eval(p, f, body) : unknown;
    for (uint32_t at = body; at < f->nodes[body].after && n < RETURNS_MAX; at++) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_YIELD)
            return unknown;
        if (kind == PY_FUNCTION || kind == PY_LAMBDA || kind == PY_CLASS) /* it has its own */
            at = f->nodes[at].after - 1;
        if (kind != PY_RETURN || py_first(f, at) == 0)
            continue;
        uint32_t value = py_part(f, py_bare(f, py_first(f, at)), part);
        all = join(p, all, value != 0 ? eval(p, f, value) : unknown, n++ == 0);
    }
    return all;
}

static bool class_base(struct project *p, const struct py_file *f, uint32_t class, size_t i, struct value *base)
{
    uint32_t list = py_child(f, class, FIELD_SUPERCLASSES);

    for (uint32_t c = list != 0 ? py_first(f, list) : 0; c != 0; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_KEYWORD_ARGUMENT || i-- > 0)
            continue;
        *base = eval(p, f, c);
        return true;
    }
    return false;
}

/* self.ds = self.ds.batch(32).repeat(): a further stage of what the attribute is already. */
static bool goes_on(const struct py_file *f, const struct py_def *def)
{
    uint32_t at = def->kind == DEF_ASSIGN && def->attribute ? def->value : 0;
    struct span method;
    enum stage_kind kind;

    while (at != 0 && py_kind(f, at) == PY_CALL) {
        at = py_receiver(f, at, &method);
        if (at == 0 || !stage_of_method(method, &kind))
            return false;
    }
    return at != 0 && at != def->value && py_kind(f, at) == PY_ATTRIBUTE &&
           span_eq(py_text(f, at), py_text(f, def->node));
}

static struct value own_member(struct project *p, const struct py_file *f, uint32_t def)
{
    struct value all = unknown;
    size_t joined = 0, left_out = 0;
    uint32_t first = def;

    for (size_t i = 0; def != 0 && i < REACHING_MAX; def = f->defs[def].next, i++) {
        if (goes_on(f, &f->defs[def]))
            left_out++;
        else
            all = join(p, all, def_value(p, f, def), joined++ == 0);
    }
    if (left_out == 0 || all.kind == VALUE_DATASET)
        return all;
    def = first;
    for (size_t i = 0; def != 0 && i < REACHING_MAX; def = f->defs[def].next, i++)
        all = join(p, all, def_value(p, f, def), i == 0);
    return all;
}

static struct value member(struct project *p, const struct py_file *f, uint32_t class, struct span name, int depth)
{
    uint32_t scope = f->nodes[class].sym, def = py_def_in(f, scope, py_sym(f, name));
    struct value all = unknown, base;

    if (def != 0)
        return own_member(p, f, def);
    for (size_t i = 0; depth < 8 && class_base(p, f, class, i, &base); i++) {
        if (base.kind != VALUE_CLASS)
            continue;
        all = member(p, p->files[base.file], base.node, name, depth + 1);
        if (all.kind != VALUE_UNKNOWN)
            return all;
    }
    return unknown;
}

struct value class_member(struct project *p, const struct py_file *f, uint32_t class, struct span name)
{
    return member(p, f, class, name, 0);
}

static uint32_t member_def(struct project *p, const struct py_file *f, uint32_t class, struct span name,
                           const struct py_file **file, int depth)
{
    uint32_t def = py_def_in(f, f->nodes[class].sym, py_sym(f, name));
    struct value base;

    *file = f;
    for (size_t i = 0; def == 0 && depth < 8 && class_base(p, f, class, i, &base); i++)
        if (base.kind == VALUE_CLASS)
            def = member_def(p, p->files[base.file], base.node, name, file, depth + 1);
    return def;
}

uint32_t class_member_def(struct project *p, const struct py_file *f, uint32_t class, struct span name,
                          const struct py_file **file)
{
    return member_def(p, f, class, name, file, 0);
}

/* From a class of a library with the trait, or of the framework where that is given. */
static bool derives(struct project *p, const struct py_file *f, uint32_t class, enum trait trait,
                    const enum framework *framework, int depth)
{
    struct value base;

    for (size_t i = 0; depth < 8 && class_base(p, f, class, i, &base); i++) {
        const struct word *w = fact_name_word(p, base.name);
        if (base.kind == VALUE_NAME && (framework != NULL ? w->framework == *framework : word_has(w, trait)))
            return true;
        if (base.kind == VALUE_CLASS && derives(p, p->files[base.file], base.node, trait, framework, depth + 1))
            return true;
    }
    return false;
}

/* Is the class the other one, or one that it derives from? */
static bool is_base_of(struct project *p, struct value class, struct value of, int depth)
{
    struct value base;

    if (class.file == of.file && class.node == of.node)
        return true;
    for (size_t i = 0; depth < 8 && class_base(p, p->files[of.file], of.node, i, &base); i++)
        if (base.kind == VALUE_CLASS && is_base_of(p, class, base, depth + 1))
            return true;
    return false;
}

static bool shared_base(struct project *p, struct value a, struct value b, struct value *base, int depth)
{
    struct value up;

    if (is_base_of(p, a, b, 0)) {
        *base = (struct value){.kind = VALUE_INSTANCE, .file = a.file, .node = a.node};
        return true;
    }
    for (size_t i = 0; depth < 8 && class_base(p, p->files[a.file], a.node, i, &up); i++)
        if (up.kind == VALUE_CLASS && shared_base(p, up, b, base, depth + 1))
            return true;
    return false;
}

bool fact_derives(struct project *p, const struct py_file *f, uint32_t class, enum trait trait)
{
    return derives(p, f, class, trait, NULL, 0);
}

bool fact_derives_from(struct project *p, const struct py_file *f, uint32_t class, enum framework framework)
{
    return derives(p, f, class, (enum trait)0, &framework, 0);
}

/* --- modules --- */

static struct value module_of(uint32_t file)
{
    return (struct value){.kind = VALUE_MODULE, .file = file};
}

/* The file that the name of a module, in an import of f, stands for. */
static const struct py_file *imported_module(struct project *p, const struct py_file *f, struct span name)
{
    unsigned up = 0; /* the dots that a relative import begins with */

    for (; name.len > 0 && strchr(". ", *name.ptr) != NULL; name = span_after(name, 1))
        up += *name.ptr == '.';
    return up > 0 ? module_relative(p, f, up, name) : module_find(p, f, name);
}

enum { MODULE = 1 };

static struct value module_member(struct project *p, const struct py_file *f, struct span name);

/* Modules that import one another, or are imported by many, are gone through once. */
static struct value search_stars(struct project *p, const struct py_file *f, struct span name, struct seen *seen)
{
    const struct file_values *values = &p->values->files[f->number];

    for (size_t i = 0; i < values->stars.n && p->values->steps++ <= STEPS_MAX; i++) {
        uint32_t dotted = py_child(f, values->stars.at[i], FIELD_MODULE_NAME);
        const struct py_file *module = dotted != 0 ? imported_module(p, f, py_text(f, dotted)) : NULL;
        if (module != NULL && seen_before(seen, module, MODULE))
            continue;
        if (module != NULL) {
            bool own = py_def_in(module, 1, py_sym(module, name)) != 0;
            struct value v = own ? module_member(p, module, name) : search_stars(p, module, name, seen);
            if (v.kind != VALUE_UNKNOWN)
                return v;
        } else if (dotted != 0 && (span_starts(py_text(f, dotted), SPAN("tensorflow")) ||
                                   span_starts(py_text(f, dotted), SPAN("torch")))) {
            uint32_t base = name_of(p, py_text(f, dotted));
            return (struct value){.kind = VALUE_NAME, .name = name_child(p, base, name)};
        }
    }
    return unknown;
}

/* What `from m import *` brings in. */
static struct value from_stars(struct project *p, const struct py_file *f, struct span name)
{
    struct seen seen;

    seen.n = 0;
    (void)seen_before(&seen, f, MODULE);
    return search_stars(p, f, name, &seen);
}

static struct value module_member(struct project *p, const struct py_file *f, struct span name)
{
    uint32_t def = py_def_in(f, 1, py_sym(f, name));
    struct value all = unknown;

    if (p->values->depth >= DEPTH_MAX || p->values->steps++ > STEPS_MAX)
        return unknown;
    p->values->depth++;
    for (size_t i = 0; def != 0 && i < REACHING_MAX; def = f->defs[def].next, i++)
        all = join(p, all, def_value(p, f, def), i == 0);
    if (py_def_in(f, 1, py_sym(f, name)) == 0)
        all = from_stars(p, f, name);
    p->values->depth--;
    return all;
}

static struct value import_value(struct project *p, const struct py_file *f, const struct py_def *def)
{
    /* import a.b binds a */
    struct span dotted = py_text(f, def->index == 0 ? py_first(f, def->value) : def->value);
    const struct py_file *module = module_find(p, f, dotted);

    return module != NULL ? module_of(module->number) : named(p, dotted);
}

static struct value from_value(struct project *p, const struct py_file *f, const struct py_def *def)
{
    uint32_t module_name = py_child(f, py_up(f, def->node, PY_IMPORT_FROM), FIELD_MODULE_NAME);
    struct span name = py_text(f, def->value);

    if (module_name == 0)
        return unknown;
    struct span path = py_text(f, module_name);
    const struct py_file *module = imported_module(p, f, path);
    if (module != NULL && py_def_in(module, 1, py_sym(module, name)) != 0)
        return module_member(p, module, name);
    AT_END(buf_clear) struct buf dotted = {0};
    buf_addf(&dotted, "%.*s%s%.*s", SPAN_ARG(path), span_ends(path, SPAN(".")) ? "" : ".", SPAN_ARG(name));
    const struct py_file *below = imported_module(p, f, buf_span(&dotted));
    if (below != NULL)
        return module_of(below->number);
    if (module != NULL)
        return from_stars(p, module, name);
    return py_kind(f, module_name) == PY_RELATIVE_IMPORT ? unknown : named(p, buf_span(&dotted));
}

/* --- definitions --- */

/* What calling a thing of that name gives. */
static struct value value_of_call(const struct word *callee, uint32_t name)
{
    struct value v = {.kind = VALUE_OBJECT, .name = name};

    if (word_has(callee, TRAIT_DATASET))
        v.kind = VALUE_DATASET;
    else if (word_has(callee, TRAIT_LAYER) || word_has(callee, TRAIT_MODEL))
        v.kind = VALUE_MODEL;
    else if (word_has(callee, TRAIT_VARIABLE))
        v.kind = VALUE_VARIABLE;
    else if (callee->op == OP_SESSION)
        v.kind = VALUE_SESSION;
    else if (callee->op == OP_PURE || callee->op == OP_CHEAP || callee->op == OP_RANDOM ||
             word_has(callee, TRAIT_GIVES_TENSOR))
        v.kind = VALUE_TENSOR;
    return v;
}

static struct value annotated(struct project *p, const struct py_file *f, uint32_t type)
{
    uint32_t inner = type != 0 ? py_first(f, type) : 0;

    /* "tf.data.Dataset" in quotes, Optional[…] */
    if (py_kind(f, inner) == PY_STRING)
        return span_has(py_text(f, inner), "tf.data.Dataset") ? (struct value){.kind = VALUE_DATASET} : unknown;
    struct value v = eval(p, f, inner);
    const struct word *word = fact_name_word(p, v.name);
    if (v.kind == VALUE_CLASS)
        return (struct value){.kind = VALUE_INSTANCE, .file = v.file, .node = v.node};
    if (v.kind != VALUE_NAME)
        return unknown;
    if (word_has(word, TRAIT_DATASET_CLASS))
        return (struct value){.kind = VALUE_DATASET};
    if (word_has(word, TRAIT_TENSOR_CLASS))
        return (struct value){.kind = VALUE_TENSOR};
    struct value made = value_of_call(word, v.name);
    return made.kind == VALUE_DATASET || made.kind == VALUE_OBJECT ? unknown : made;
}

bool fact_decorated(const struct py_file *f, uint32_t function, const char *names)
{
    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;)
        if (span_is_word(py_text(f, py_first(f, d)), names))
            return true;
    return false;
}

bool fact_has_self(const struct py_file *f, uint32_t function)
{
    return py_class_of(f, function) != 0 && !fact_decorated(f, function, "staticmethod");
}

static struct value parameter_value(struct project *p, const struct py_file *f, const struct py_def *def)
{
    uint32_t function = f->scopes[def->scope].node, class = py_class_of(f, function);
    struct value v = annotated(p, f, def->type);
    size_t asked = 0;

    if (v.kind != VALUE_UNKNOWN)
        return v;
    if (def->index == 0 && fact_has_self(f, function)) {
        enum value_kind kind = fact_decorated(f, function, "classmethod") ? VALUE_CLASS : VALUE_INSTANCE;
        return (struct value){.kind = kind, .file = f->number, .node = class};
    }
    struct call_sites site = fact_callers(p, f, function);
    while (p->values->linked && asked < CALLERS_MAX && fact_take(&site)) { /* what they hand over at its place */
        uint32_t argument = fact_argument(site.file, site.call, f, def);
        if (argument != 0)
            v = join(p, v, eval(p, site.file, argument), asked++ == 0);
    }
    if (v.kind == VALUE_UNKNOWN && def->value != 0)
        v = eval(p, f, def->value);
    /* gin.REQUIRED stands for what a file of settings gives. */
    if (v.kind == VALUE_NAME && word_has(fact_name_word(p, v.name), TRAIT_SETTINGS))
        return unknown;
    return v.kind == VALUE_CONSTANT ? unknown : v;
}

static struct value part_value(struct project *p, const struct py_file *f, const struct py_def *def)
{
    uint32_t whole = py_bare(f, def->value);
    struct value v = eval(p, f, whole);

    if (v.kind == VALUE_DATASET && py_kind(f, whole) == PY_CALL) {
        /* tfds.load(…, with_info=True) is (data, info); with a list of splits, (a, b, …). */
        bool info = py_keyword(f, whole, "with_info") != 0;
        return info && def->index == 1 ? unknown : v;
    }
    if (v.kind == VALUE_TENSOR)
        return v;
    /* tf1, tf, version = try_import_tf() */
    if (v.kind == VALUE_NAME && span_eq(fact_name_text(p, v.name), SPAN("tf")) &&
        span_starts(f->syms[def->sym], SPAN("tf")) && f->syms[def->sym].len <= 3)
        return v;
    struct function to;
    if (py_kind(f, whole) == PY_CALL && def->index >= 0 && fact_callee(p, f, whole, &to))
        return returned(p, to.f, to.n, def->index);
    return unknown;
}

static struct value compute_def(struct project *p, const struct py_file *f, const struct py_def *def)
{
    struct value v;

    switch ((enum def_kind)def->kind) {
    case DEF_ASSIGN:
        v = annotated(p, f, def->type);
        return v.kind != VALUE_UNKNOWN ? v : eval(p, f, def->value);
    case DEF_WITH:
        v = eval(p, f, def->value);
        return v.kind == VALUE_INSTANCE || v.kind == VALUE_SESSION ? v : unknown;
    case DEF_UNPACK:
        return part_value(p, f, def);
    case DEF_FOR: /* an element of what is iterated over */
        v = eval(p, f, def->value);
        if (v.kind != VALUE_DATASET && v.kind != VALUE_ITERATOR && v.kind != VALUE_TENSOR)
            return unknown;
        return (struct value){.kind = VALUE_TENSOR, .name = v.kind == VALUE_TENSOR ? v.name : 0};
    case DEF_PARAM:
        return parameter_value(p, f, def);
    case DEF_FUNCTION:
        return (struct value){.kind = VALUE_FUNCTION, .file = f->number, .node = def->value};
    case DEF_CLASS:
        return (struct value){.kind = VALUE_CLASS, .file = f->number, .node = def->value};
    case DEF_IMPORT:
        return import_value(p, f, def);
    case DEF_FROM:
        return from_value(p, f, def);
    case DEF_DECLARED:
        return annotated(p, f, def->type);
    case DEF_AUGMENT:
    case DEF_OTHER:
        break;
    }
    return unknown;
}

struct value def_value(struct project *p, const struct py_file *f, uint32_t def)
{
    struct def_memo *memo = &p->values->files[f->number].defs[def];

    if (!memo->asked) {
        memo->asked = true;
        memo->value = compute_def(p, f, &f->defs[def]);
    }
    return memo->value;
}

/* --- expressions --- */

static struct value identifier_value(struct project *p, const struct py_file *f, uint32_t n)
{
    struct py_defs d = py_reaching(f, n, REACHING_MAX);
    struct value all = unknown;

    while (py_take_def(&d))
        all = join(p, all, def_value(p, f, d.number), d.taken == 1);
    if (d.all > 0 || py_def_of(f, n) != 0)
        return all;
    struct span name = py_text(f, n);
    all = from_stars(p, f, name);
    if (all.kind != VALUE_UNKNOWN)
        return all;
    char text[64]; /* a function that every program has */
    struct span own = {text, (size_t)snprintf(text, sizeof text, "builtins.%.*s", SPAN_ARG(name))};
    return own.len < sizeof text && vocabulary_knows(own) ? named(p, own) : all;
}

/* A part of a module that is not in the project may still be a file that is: import a; a.b.c. */
static struct value name_member(struct project *p, const struct py_file *f, uint32_t name, struct span last)
{
    uint32_t child = name_child(p, name, last);

    if (child == 0)
        return unknown;
    enum framework framework = fact_name_word(p, child)->framework;
    if (framework == FRAMEWORK_OTHER || framework == FRAMEWORK_PYTHON) {
        const struct py_file *module = module_find(p, f, fact_name_text(p, child));
        if (module != NULL)
            return module_of(module->number);
    }
    return (struct value){.kind = VALUE_NAME, .name = child};
}

/* Is it a thing of PyTorch: a class, or what it made? */
static bool is_torch(const struct project *p, struct value v)
{
    return fact_name_word(p, v.name)->framework == FRAMEWORK_TORCH;
}

bool value_is_module(struct project *p, struct value v)
{
    if (v.kind == VALUE_INSTANCE)
        return fact_derives(p, p->files[v.file], v.node, TRAIT_LAYER);
    return v.kind == VALUE_MODEL && is_torch(p, v);
}

/* net.features, parallel.module: a part of a library's module, which is one as well. */
static bool is_submodule(struct project *p, struct value base, struct span name)
{
    return value_is_module(p, base) && span_is_word(name, "features module classifier backbone encoder decoder");
}

static struct value attribute_value(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t object = py_child(f, n, FIELD_OBJECT), name = py_child(f, n, FIELD_ATTRIBUTE);

    if (object == 0 || name == 0)
        return unknown;
    struct span last = py_text(f, name);
    struct value base = eval(p, f, object), v;
    const struct py_file *of;
    switch (base.kind) {
    case VALUE_NAME:
        return name_member(p, f, base.name, last);
    case VALUE_MODULE:
        of = p->files[base.file];
        v = module_member(p, of, last);
        bool package = v.kind == VALUE_UNKNOWN && span_ends(span_of(of->path), SPAN("__init__.py"));
        const struct py_file *below = package ? module_relative(p, of, 1, last) : NULL;
        return below != NULL ? module_of(below->number) : v;
    case VALUE_CLASS:
        return class_member(p, p->files[base.file], base.node, last);
    case VALUE_INSTANCE:
        v = class_member(p, p->files[base.file], base.node, last);
        if (v.kind == VALUE_FUNCTION &&
            fact_decorated(p->files[v.file], v.node, "property cached_property functools.cached_property"))
            return returned(p, p->files[v.file], v.node, -1);
        return v.kind == VALUE_UNKNOWN && is_submodule(p, base, last) ? base : v;
    case VALUE_MODEL:
        return is_submodule(p, base, last) ? base : unknown;
    default:
        return unknown;
    }
}

/* A name of a function, bound to a thing that is not seen through: is one of its uses that of a data set? */
static bool used_as_dataset(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t def = py_def_of(f, n), scope = def != 0 ? f->defs[def].scope : 0;

    if (scope <= 1)
        return false;
    enum def_kind kind = (enum def_kind)f->defs[def].kind;
    if (kind == DEF_IMPORT || kind == DEF_FROM || kind == DEF_FUNCTION || kind == DEF_CLASS)
        return false;
    if (guess_dataset(f->syms[f->nodes[n].sym]))
        return true;
    for (struct py_nodes use = py_uses(f, f->nodes[n].sym, f->scopes[scope].node);
         p->values->steps < STEPS_MAX && py_take(&use);)
        if (py_kind(f, use.n) == PY_IDENTIFIER) {
            p->values->steps++;
            if (guess_dataset_chain(f, use.n))
                return true;
        }
    return false;
}

/* An unknown value used like a data set: as a use shows, or by its name in a file with TensorFlow. */
static bool handled_as_dataset(struct project *p, const struct py_file *f, uint32_t n)
{
    if ((f->named & (NAMES_TENSORFLOW | NAMES_HUGGING_FACE)) != NAMES_TENSORFLOW)
        return false;
    if (guess_dataset_chain(f, n))
        return true;
    struct span name = py_name(f, py_kind(f, n) == PY_CALL ? py_child(f, n, FIELD_FUNCTION) : n);
    switch (py_kind(f, n)) {
    case PY_CALL: /* make_dataset(…), input_fn(…), dataset_fn(…) */
        return guess_dataset(name) || span_has(name, "input_fn") || span_has(name, "dataset_fn");
    case PY_ATTRIBUTE:
        return guess_dataset(name);
    case PY_IDENTIFIER:
        return used_as_dataset(p, f, n);
    default:
        return false;
    }
}

static struct value method_value(struct project *p, const struct py_file *f, uint32_t call, uint32_t receiver,
                                 struct span method, struct value base)
{
    const struct word *w = vocabulary_method(method);
    enum stage_kind kind;

    if (base.kind == VALUE_UNKNOWN &&
        (guess_dataset_method(f, call, method) ? (f->named & NAMES_TENSORFLOW) != 0
                                               : stage_of(w, &kind) && handled_as_dataset(p, f, receiver)))
        base = (struct value){.kind = VALUE_DATASET, .guessed = true};
    if (base.kind == VALUE_DATASET && (stage_of(w, &kind) || span_eq(method, SPAN("copy"))))
        return (struct value){.kind = VALUE_DATASET, .guessed = base.guessed};
    if (base.kind == VALUE_DATASET &&
        (span_starts(method, SPAN("make_")) || span_eq(method, SPAN("as_numpy_iterator"))))
        return (struct value){.kind = VALUE_ITERATOR, .guessed = base.guessed};
    if ((base.kind == VALUE_TENSOR && is_torch(p, base) && word_has(w, TRAIT_TENSOR_METHOD)) ||
        (word_has(w, TRAIT_MODULE_METHOD) && value_is_module(p, base)))
        return base; /* net.to(device) is net */
    if (base.kind == VALUE_ITERATOR && span_eq(method, SPAN("get_next")))
        return (struct value){.kind = VALUE_TENSOR};
    if (base.kind != VALUE_UNKNOWN && base.kind != VALUE_INSTANCE)
        return unknown;
    /* trainer.session(), builder.as_dataset(): of objects that are not seen through. */
    if (span_ends(method, SPAN("session")) || span_ends(method, SPAN("Session")))
        return (struct value){.kind = VALUE_SESSION, .guessed = true};
    return (struct value){.kind = span_eq(method, SPAN("as_dataset")) ? VALUE_DATASET : VALUE_UNKNOWN,
                          .guessed = span_eq(method, SPAN("as_dataset"))};
}

/* tf = try_import_tf(); LazyLoader("tf", globals(), "tensorflow"); import_module("tensorflow") */
static bool loads_tensorflow(const struct py_file *f, uint32_t call, struct span callee)
{
    if (span_has_word(callee, "import_tf import_tensorflow"))
        return true;
    if (!span_has_word(callee, "import_module azyLoader lazy_import __import__"))
        return false;
    for (uint32_t a = py_first(f, py_child(f, call, FIELD_ARGUMENTS)); a != 0; a = py_next(f, a))
        if (span_is_word(py_text(f, a), "\"tensorflow\" 'tensorflow'"))
            return true;
    return false;
}

static struct value called_name(struct project *p, const struct py_file *f, uint32_t call, uint32_t name)
{
    const struct word *callee = fact_name_word(p, name);
    bool function = word_has(callee, TRAIT_WRAPS_FUNCTION), module = word_has(callee, TRAIT_WRAPS_MODULE);
    bool iterator = word_has(callee, TRAIT_ITERATOR);
    struct value v = function || module || iterator ? eval(p, f, py_argument(f, call, 0)) : unknown;

    /* What calling the wrapper runs is what it wraps. */
    if (function && (v.kind == VALUE_FUNCTION || v.kind == VALUE_NAME))
        return v;
    if (module && v.kind != VALUE_UNKNOWN)
        return v;
    return iterator && v.kind == VALUE_DATASET ? (struct value){.kind = VALUE_ITERATOR} : value_of_call(callee, name);
}

/* What calling an object of the project runs: for a module of PyTorch its forward(). */
static struct value called_member(struct project *p, struct value v)
{
    struct value called = class_member(p, p->files[v.file], v.node, SPAN("__call__"));

    if (called.kind == VALUE_FUNCTION || !value_is_module(p, v))
        return called;
    return class_member(p, p->files[v.file], v.node, SPAN("forward"));
}

static struct value call_value(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span method;

    if (callee == 0)
        return unknown;
    if (py_kind(f, callee) == PY_IDENTIFIER || py_kind(f, callee) == PY_ATTRIBUTE)
        if (loads_tensorflow(f, call, py_text(f, callee)))
            return named(p, SPAN("tf"));
    struct value v = eval(p, f, callee);
    switch (v.kind) {
    case VALUE_NAME:
        return called_name(p, f, call, v.name);
    case VALUE_CLASS:
        return (struct value){.kind = VALUE_INSTANCE, .file = v.file, .node = v.node};
    case VALUE_FUNCTION:
        return returned(p, p->files[v.file], v.node, -1);
    case VALUE_INSTANCE:
        v = called_member(p, v);
        return v.kind == VALUE_FUNCTION ? returned(p, p->files[v.file], v.node, -1) : unknown;
    case VALUE_MODEL:
        return (struct value){.kind = VALUE_TENSOR, .name = is_torch(p, v) ? v.name : 0};
    default:
        break;
    }
    uint32_t receiver = py_receiver(f, call, &method);
    if (receiver == 0)
        return unknown;
    return method_value(p, f, call, receiver, method, eval(p, f, receiver));
}

static struct value eval_kind(struct project *p, const struct py_file *f, uint32_t n)
{
    struct call_memo *calls = &p->values->calls;
    uint32_t inner;
    struct value v;

    switch (py_kind(f, n)) {
    case PY_IDENTIFIER:
        return identifier_value(p, f, n);
    case PY_ATTRIBUTE:
        return attribute_value(p, f, n);
    case PY_CALL:
        if (call_memo_known(calls, place_key(f, n), &v))
            return v;
        (void)call_memo_keep(calls, place_key(f, n), unknown); /* while it is being found out */
        return call_memo_keep(calls, place_key(f, n), call_value(p, f, n));
    case PY_LAMBDA:
        return (struct value){.kind = VALUE_FUNCTION, .file = f->number, .node = n};
    case PY_PARENTHESIZED:
    case PY_TYPE:
        return eval(p, f, py_first(f, n));
    case PY_NAMED_EXPRESSION:
        return eval(p, f, py_child(f, n, FIELD_VALUE));
    case PY_CONDITIONAL:
        inner = py_next(f, py_next(f, py_first(f, n))); /* behind the test */
        return inner == 0 ? unknown : join(p, eval(p, f, py_first(f, n)), eval(p, f, inner), false);
    case PY_BINARY_OPERATOR:
    case PY_UNARY_OPERATOR:
        for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
            v = eval(p, f, c);
            if (v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE)
                return (struct value){.kind = VALUE_TENSOR, .name = v.name};
        }
        return unknown;
    case PY_SUBSCRIPT:
        v = eval(p, f, py_child(f, n, FIELD_VALUE));
        return v.kind == VALUE_DATASET || v.kind == VALUE_TENSOR ? v : unknown;
    case PY_INTEGER:
    case PY_FLOAT:
    case PY_STRING:
    case PY_CONCATENATED_STRING:
    case PY_TRUE:
    case PY_FALSE:
    case PY_NONE_LITERAL:
        return (struct value){.kind = VALUE_CONSTANT, .file = f->number, .node = n};
    default:
        return unknown;
    }
}

static struct value eval(struct project *p, const struct py_file *f, uint32_t n)
{
    if (n == 0 || p->values->depth >= DEPTH_MAX || p->values->steps++ > STEPS_MAX)
        return unknown;
    p->values->depth++;
    struct value v = eval_kind(p, f, n);
    p->values->depth--;
    return v;
}

/* --- what is asked --- */

/* For each node that rules asked about: its value's number, and whether it is known to be handled like a data set. */
enum { HANDLED_ASKED = 1 << 30, VALUE_NUMBERS = HANDLED_ASKED - 1 };
#define HANDLED_YES (1U << 31)

/* A question that is asked by no other. Most are asked by rule after rule. */
static struct value asked(struct project *p, const struct py_file *f, uint32_t n)
{
    struct values *values = p->values;
    uint32_t *memo = n != 0 ? &values->files[f->number].nodes[n] : NULL;

    if (memo == NULL || !values_settled(p))
        return eval(p, f, n);
    if ((*memo & VALUE_NUMBERS) != 0)
        return values->numbered.at[*memo & VALUE_NUMBERS];
    struct value v = eval(p, f, n);
    if (values->numbered.n == 0)
        array_add(&values->numbered, unknown);
    if (values->numbered.n < VALUE_NUMBERS) {
        *memo |= (uint32_t)values->numbered.n;
        array_add(&values->numbered, v);
    }
    return v;
}

bool fact_base(struct project *p, const struct py_file *f, uint32_t class, size_t i, struct value *base)
{
    p->values->steps = 0;
    return class != 0 && class_base(p, f, class, i, base);
}

struct value fact_value(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t *memo = &p->values->files[f->number].nodes[n];

    p->values->steps = 0;
    struct value v = asked(p, f, n);
    if (v.kind != VALUE_UNKNOWN || (py_kind(f, n) != PY_IDENTIFIER && py_kind(f, n) != PY_ATTRIBUTE))
        return v;
    /* What nothing is known of, but is handled like a data set. */
    bool remembers = values_settled(p), known = remembers && (*memo & HANDLED_ASKED) != 0;
    bool handled = known ? (*memo & HANDLED_YES) != 0 : handled_as_dataset(p, f, n);
    if (remembers)
        *memo |= HANDLED_ASKED | (handled ? HANDLED_YES : 0);
    return handled ? (struct value){.kind = VALUE_DATASET, .guessed = true} : v;
}

/* The number of what the node, or what a call calls, is named; 0: it has no name. */
static uint32_t name_number(struct project *p, const struct py_file *f, uint32_t n)
{
    if (n != 0 && py_kind(f, n) == PY_CALL)
        n = py_child(f, n, FIELD_FUNCTION);
    p->values->steps = 0;
    struct value v = asked(p, f, n);
    return v.kind == VALUE_NAME ? v.name : 0;
}

struct span fact_name(struct project *p, const struct py_file *f, uint32_t n)
{
    return fact_name_text(p, name_number(p, f, n));
}

bool fact_is(struct project *p, const struct py_file *f, uint32_t n, const char *name)
{
    return span_eq(fact_name(p, f, n), span_of(name));
}

const struct word *fact_word(struct project *p, const struct py_file *f, uint32_t n)
{
    return fact_name_word(p, name_number(p, f, n));
}

bool fact_has(struct project *p, const struct py_file *f, uint32_t n, enum trait trait)
{
    return word_has(fact_word(p, f, n), trait);
}

enum op_kind fact_op(struct project *p, const struct py_file *f, uint32_t n)
{
    return fact_word(p, f, n)->op;
}

bool fact_callee(struct project *p, const struct py_file *f, uint32_t call, struct function *callee)
{
    return fact_function(p, f, py_child(f, call, FIELD_FUNCTION), callee);
}

bool fact_function(struct project *p, const struct py_file *f, uint32_t n, struct function *function)
{
    if (p->values->depth == 0)
        p->values->steps = 0;
    struct value v = asked(p, f, n);
    if (v.kind == VALUE_CLASS)
        v = class_member(p, p->files[v.file], v.node, SPAN("__init__"));
    if (v.kind == VALUE_INSTANCE) {
        struct value called = called_member(p, v);
        v = called.kind == VALUE_FUNCTION ? called : class_member(p, p->files[v.file], v.node, SPAN("call"));
    }
    if (v.kind == VALUE_FUNCTION && function != NULL)
        *function = (struct function){p->files[v.file], v.node};
    return v.kind == VALUE_FUNCTION;
}

/* --- begin and end --- */

void values_new(struct project *p)
{
    p->values = mem_zero(1, sizeof *p->values);
    p->values->files = mem_zero(p->n_files + 1, sizeof *p->values->files);
    for (size_t i = 0; i < p->n_files; i++) {
        struct file_values *values = &p->values->files[i];
        values->defs = mem_zero(p->files[i]->n_defs + 1, sizeof *values->defs);
        values->nodes = mem_zero(p->files[i]->n_nodes, sizeof *values->nodes);
        const struct py_file *f = p->files[i];
        for (uint32_t n = py_first(f, 1); n != 0; n = py_next(f, n))
            if (py_kind(f, n) == PY_IMPORT_FROM && py_kind(f, py_last(f, n)) == PY_WILDCARD_IMPORT)
                array_add(&values->stars, n);
    }
}

void values_free(struct project *p)
{
    struct values *values = p->values;

    for (size_t i = 0; i < p->n_files; i++) {
        mem_free(values->files[i].defs);
        mem_free(values->files[i].nodes);
        array_clear(&values->files[i].stars);
    }
    mem_free(values->files);
    call_memo_clear(&values->calls);
    array_clear(&values->numbered);
    mem_free(values);
}

void values_link(struct project *p)
{
    struct values *values = p->values;

    for (size_t i = 0; i < p->n_files; i++)
        memset(values->files[i].defs, 0, (p->files[i]->n_defs + 1) * sizeof *values->files[i].defs);
    call_memo_reset(&values->calls);
    values->linked = true;
}
