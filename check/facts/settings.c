/* Settings: which way a branch goes unless somebody asks for the other. */
#include "check/facts/project.h"

enum { DEEP_MAX = 6, SITES_MAX = 8 };

/* What an expression is by default: enough to answer a test. SOME is anything but None. */
enum setting { UNKNOWN, NONE, OFF, ON, SOME };

static enum setting setting_of(struct project *p, const struct py_file *f, uint32_t n, int depth);

uint32_t fact_argument(const struct py_file *caller, uint32_t call, const struct py_file *f, const struct py_def *param)
{
    uint32_t function = f->scopes[param->scope].node;
    bool method = fact_has_self(f, function);

    if (param->index < method) /* self is before the dot */
        return 0;
    uint32_t given = py_keyword_of(caller, call, f->syms[param->sym]);
    return given != 0 ? given : py_argument(caller, call, (size_t)(param->index - method));
}

/* --- options of a command line --- */

/* Is the string an option that gives the attribute: "--batch-size" for batch_size? */
static bool names_option(const struct py_file *f, uint32_t string, struct span attribute)
{
    struct span text = span_trim(py_text(f, string));

    while (text.len > 0 && (*text.ptr == '"' || *text.ptr == '\'' || *text.ptr == '-'))
        text = span_after(text, 1);
    while (text.len > 0 && (text.ptr[text.len - 1] == '"' || text.ptr[text.len - 1] == '\''))
        text.len--;
    if (py_kind(f, string) != PY_STRING || text.len != attribute.len)
        return false;
    for (size_t i = 0; i < attribute.len; i++)
        if (text.ptr[i] != attribute.ptr[i] && !(text.ptr[i] == '-' && attribute.ptr[i] == '_'))
            return false;
    return true;
}

uint32_t fact_option(struct project *p, const struct py_file *f, struct span attribute)
{
    if (!fact_mentions(p, f, "add_argument("))
        return 0;
    for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
        if (py_method(f, call.n, "add_argument") == 0)
            continue;
        uint32_t stored = py_keyword(f, call.n, "dest"), argument;
        if (stored != 0 && names_option(f, stored, attribute))
            return call.n;
        for (size_t k = 0; (argument = py_argument(f, call.n, k)) != 0; k++)
            if (names_option(f, argument, attribute))
                return call.n;
    }
    return 0;
}

static enum setting option_setting(struct project *p, const struct py_file *f, uint32_t option, int depth)
{
    uint32_t value = py_keyword(f, option, "default"), action = py_keyword(f, option, "action");

    if (value != 0)
        return setting_of(p, f, value, depth + 1);
    if (action == 0)
        return NONE;
    return fact_string_is(f, action, "store_true") ? OFF : fact_string_is(f, action, "store_false") ? ON : UNKNOWN;
}

/* Of args.amp: by the options of its file, or else of all others that agree. */
static enum setting attribute_setting(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    struct span name = py_name(f, n);
    uint32_t own = fact_option(p, f, name);
    enum setting all = UNKNOWN;

    if (own != 0)
        return option_setting(p, f, own, depth);
    for (size_t i = 0; i < p->n_files; i++) {
        uint32_t option = fact_option(p, p->files[i], name);
        enum setting is = option != 0 ? option_setting(p, p->files[i], option, depth) : UNKNOWN;
        if (option != 0 && (is == UNKNOWN || (all != UNKNOWN && is != all)))
            return UNKNOWN;
        all = option != 0 ? is : all;
    }
    return all;
}

/* --- parameters and attributes of objects --- */

/* What all callers give; the default, where none is seen. */
static enum setting parameter_setting(struct project *p, const struct py_file *f, const struct py_def *param, int depth)
{
    struct call_sites site = fact_callers(p, f, f->scopes[param->scope].node);
    enum setting absent = param->value != 0 ? setting_of(p, f, param->value, depth + 1) : UNKNOWN, all = absent;

    if (site.all > SITES_MAX || param->index < 0)
        return UNKNOWN;
    while (fact_take(&site)) {
        uint32_t given = fact_argument(site.file, site.call, f, param);
        enum setting is = given != 0 ? setting_of(p, site.file, given, depth + 1) : absent;
        if (is == UNKNOWN || (given == 0 && py_has_splat(site.file, site.call)) || (site.taken > 1 && is != all))
            return UNKNOWN;
        all = is;
    }
    return all;
}

/* Of self.amp, which only __init__ sets, once. */
static enum setting member_setting(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    uint32_t class = py_up(f, n, PY_CLASS);
    const struct py_file *file = f;
    uint32_t def = class != 0 ? class_member_def(p, f, class, py_name(f, n), &file) : 0;

    if (def == 0 || file->defs[def].next != 0 || file->defs[def].kind != DEF_ASSIGN || changes_binds(p, py_name(f, n)))
        return UNKNOWN;
    return setting_of(p, file, file->defs[def].value, depth + 1);
}

/* --- tests --- */

static enum setting opposite(enum setting is)
{
    return is == ON ? OFF : is == OFF || is == NONE ? ON : UNKNOWN;
}

/* x is None, x is not None, x == None */
static enum setting compared(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    uint32_t left = py_first(f, n), right = py_next(f, left);

    if (py_next(f, right) != 0 || py_kind(f, right) != PY_NONE_LITERAL)
        return UNKNOWN;
    struct span between = py_between(f, left, right);
    enum setting is = setting_of(p, f, left, depth + 1), same = is == NONE ? ON : OFF;
    bool differs = span_has(between, "not") || span_has(between, "!=");
    return is == UNKNOWN ? UNKNOWN : differs ? opposite(same) : same;
}

/* a and b: off where one is; on where both are. `or` the other way round. */
static enum setting joined(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    enum setting a = setting_of(p, f, left, depth + 1), b = setting_of(p, f, right, depth + 1);
    bool any = span_eq(py_between(f, left, right), SPAN("or"));

    a = a == NONE ? OFF : a;
    b = b == NONE ? OFF : b;
    if (any)
        return a == ON || b == ON ? ON : a == OFF && b == OFF ? OFF : UNKNOWN;
    return a == OFF || b == OFF ? OFF : a == ON && b == ON ? ON : UNKNOWN;
}

static enum setting setting_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    const struct py_def *def;
    uint32_t object;
    int64_t number;

    n = py_bare(f, n);
    if (depth > DEEP_MAX)
        return UNKNOWN;
    switch (py_kind(f, n)) {
    case PY_NONE_LITERAL:
        return NONE;
    case PY_FALSE:
        return OFF;
    case PY_TRUE:
        return ON;
    case PY_INTEGER:
        return !py_integer(f, n, &number) ? UNKNOWN : number != 0 ? ON : OFF;
    case PY_STRING:
        return fact_string_is(f, n, "") ? OFF : ON;
    case PY_NOT_OPERATOR:
        return opposite(setting_of(p, f, py_first(f, n), depth + 1));
    case PY_BOOLEAN_OPERATOR:
        return joined(p, f, n, depth);
    case PY_COMPARISON:
        return compared(p, f, n, depth);
    case PY_IDENTIFIER:
        def = py_bound(f, n);
        if (def != NULL && def->kind == DEF_PARAM)
            return parameter_setting(p, f, def, depth);
        return def != NULL && def->kind == DEF_ASSIGN ? setting_of(p, f, def->value, depth + 1) : UNKNOWN;
    case PY_ATTRIBUTE:
        object = py_child(f, n, FIELD_OBJECT);
        return py_is(f, object, "self") ? member_setting(p, f, n, depth) : attribute_setting(p, f, n, depth);
    case PY_CALL: /* torch.zeros(…): no None */
        return fact_value(p, f, n).kind != VALUE_UNKNOWN ? SOME : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

bool fact_switched_off(struct project *p, const struct py_file *f, uint32_t n, uint32_t within)
{
    for (uint32_t at = n, up; at > within && py_kind(f, at) != PY_FUNCTION; at = up) {
        up = py_parent(f, at);
        enum py_kind kind = py_kind(f, up);
        uint32_t test = kind == PY_IF || kind == PY_ELIF ? py_child(f, up, FIELD_CONDITION) : 0;
        bool then = f->nodes[at].field == FIELD_CONSEQUENCE, otherwise = f->nodes[at].field == FIELD_ALTERNATIVE;
        if (kind == PY_CONDITIONAL) { /* x if test else y, without fields */
            test = py_next(f, py_first(f, up));
            then = at == py_first(f, up);
            otherwise = !then && at != test;
        }
        if (test == 0 || (!then && !otherwise))
            continue;
        enum setting is = setting_of(p, f, test, 0);
        if (then ? is == OFF || is == NONE : is == ON)
            return true;
    }
    return false;
}
