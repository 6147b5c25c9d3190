/* Questions to the tree of a file. */
#include "check/python/python.h"

uint32_t py_child(const struct py_file *f, uint32_t n, enum py_field field)
{
    for (uint32_t c = n + 1; c < f->nodes[n].after; c = f->nodes[c].after)
        if (f->nodes[c].field == field)
            return c;
    return 0;
}

bool py_has(const struct py_file *f, uint32_t n, enum py_kind kind)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == kind)
            return true;
    return false;
}

uint32_t py_up(const struct py_file *f, uint32_t n, enum py_kind kind)
{
    while (n != 0 && f->nodes[n].kind != kind)
        n = f->nodes[n].parent;
    return n;
}

uint32_t py_statement(const struct py_file *f, uint32_t n)
{
    for (uint32_t parent; (parent = f->nodes[n].parent) != 0; n = parent)
        if (f->nodes[parent].kind == PY_BLOCK || f->nodes[parent].kind == PY_MODULE)
            break;
    return n;
}

uint32_t py_class_of(const struct py_file *f, uint32_t function)
{
    uint32_t scope = function > 1 ? f->scopes[f->nodes[function].sym].parent : 0;

    return scope != 0 && f->scopes[scope].kind == SCOPE_CLASS ? f->scopes[scope].node : 0;
}

uint32_t py_decorator(const struct py_file *f, uint32_t function, uint32_t last)
{
    uint32_t around = py_parent(f, function), d = last != 0 ? py_next(f, last) : py_first(f, around);

    if (py_kind(f, around) != PY_DECORATED)
        return 0;
    while (d != 0 && py_kind(f, d) != PY_DECORATOR)
        d = py_next(f, d);
    return d;
}

bool py_decorated(const struct py_file *f, uint32_t function, const char *words, bool has)
{
    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;)
        if (span_has_word(py_text(f, d), words) == has)
            return true;
    return false;
}

uint32_t py_bare(const struct py_file *f, uint32_t n)
{
    while (n != 0 && f->nodes[n].kind == PY_PARENTHESIZED)
        n = py_first(f, n);
    return n;
}

uint32_t py_returned(const struct py_file *f, uint32_t n, uint32_t function)
{
    return py_kind(f, n) == PY_RETURN && py_function_of(f, n) == function ? py_bare(f, py_first(f, n)) : 0;
}

uint32_t py_part(const struct py_file *f, uint32_t value, int part)
{
    if (part < 0)
        return value;
    if (py_kind(f, value) != PY_TUPLE && py_kind(f, value) != PY_EXPRESSION_LIST)
        return 0;
    value = py_first(f, value);
    for (int i = 0; value != 0 && i < part; i++)
        value = py_next(f, value);
    return value;
}

struct span py_text(const struct py_file *f, uint32_t n)
{
    const struct py_node *node = &f->nodes[n];

    return (struct span){f->code.ptr + node->start, node->end - node->start};
}

struct span py_between(const struct py_file *f, uint32_t left, uint32_t right)
{
    uint32_t from = f->nodes[left].end, to = f->nodes[right].start;

    return left != 0 && from < to ? span_trim((struct span){f->code.ptr + from, to - from}) : (struct span){"", 0};
}

bool py_is(const struct py_file *f, uint32_t n, const char *text)
{
    return n != 0 && span_eq(py_text(f, n), span_of(text));
}

bool py_integer(const struct py_file *f, uint32_t n, int64_t *value)
{
    n = py_bare(f, n);
    if (n == 0)
        return false;
    return (py_kind(f, n) == PY_INTEGER || py_kind(f, n) == PY_UNARY_OPERATOR) && span_i64(py_text(f, n), value);
}

uint32_t py_line(const struct py_file *f, uint32_t offset)
{
    return span_line_at(f->lines, f->n_lines, offset) + 1;
}

uint32_t py_column(const struct py_file *f, uint32_t offset)
{
    uint32_t column = 1, at = f->lines[py_line(f, offset) - 1];

    if (at == 0 && f->code.len >= 3 && memcmp(f->code.ptr, "\xEF\xBB\xBF", 3) == 0)
        at = 3; /* a byte order mark is not a character of the line */
    for (; at < offset; at++)
        if (((unsigned char)f->code.ptr[at] & 0xC0U) != 0x80)
            column++;
    return column;
}

struct span py_line_text(const struct py_file *f, uint32_t line)
{
    if (line == 0 || line > f->n_lines)
        return (struct span){f->code.ptr, 0};
    size_t start = f->lines[line - 1];
    size_t end = line < f->n_lines ? f->lines[line] : f->code.len;
    while (end > start && (f->code.ptr[end - 1] == '\n' || f->code.ptr[end - 1] == '\r'))
        end--;
    return (struct span){f->code.ptr + start, end - start};
}

static bool is_splat(enum py_kind kind)
{
    return kind == PY_LIST_SPLAT || kind == PY_DICTIONARY_SPLAT;
}

uint32_t py_argument(const struct py_file *f, uint32_t call, size_t i)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    if (list == 0)
        return 0;
    if (py_kind(f, list) == PY_GENERATOR) /* f(x for x in y) */
        return i == 0 ? list : 0;
    for (uint32_t a = py_first(f, list); a != 0; a = py_next(f, a)) {
        if (is_splat(py_kind(f, a)))
            return 0;
        if (py_kind(f, a) != PY_KEYWORD_ARGUMENT && i-- == 0)
            return a;
    }
    return 0;
}

uint32_t py_keyword(const struct py_file *f, uint32_t call, const char *name)
{
    return py_keyword_of(f, call, span_of(name));
}

uint32_t py_keyword_of(const struct py_file *f, uint32_t call, struct span name)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t a = py_first(f, list); a != 0; a = py_next(f, a))
        if (py_kind(f, a) == PY_KEYWORD_ARGUMENT && span_eq(py_text(f, py_child(f, a, FIELD_NAME)), name))
            return py_child(f, a, FIELD_VALUE);
    return 0;
}

uint32_t py_argument_or(const struct py_file *f, uint32_t call, size_t i, const char *name)
{
    uint32_t found = py_keyword(f, call, name);

    return found != 0 ? found : py_argument(f, call, i);
}

bool py_has_splat(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t a = py_first(f, list); a != 0; a = py_next(f, a))
        if (is_splat(py_kind(f, a)))
            return true;
    return false;
}

struct span py_name(const struct py_file *f, uint32_t n)
{
    return py_is_named(f, n) ? f->syms[f->nodes[n].sym] : (struct span){"", 0};
}

uint32_t py_receiver(const struct py_file *f, uint32_t call, struct span *method)
{
    uint32_t callee = py_child_of(f, call, PY_CALL, FIELD_FUNCTION);
    uint32_t name = py_child_of(f, callee, PY_ATTRIBUTE, FIELD_ATTRIBUTE);

    if (method != NULL)
        *method = name != 0 ? py_text(f, name) : (struct span){"", 0};
    return py_child_of(f, callee, PY_ATTRIBUTE, FIELD_OBJECT);
}

uint32_t py_method(const struct py_file *f, uint32_t n, const char *methods)
{
    struct span name;
    uint32_t receiver = py_receiver(f, n, &name);

    return receiver != 0 && span_is_word(name, methods) ? receiver : 0;
}

struct span py_called(const struct py_file *f, uint32_t n)
{
    return py_name(f, py_child_of(f, n, PY_CALL, FIELD_FUNCTION));
}

struct span py_title(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_FUNCTION || py_kind(f, n) == PY_CLASS ? py_text(f, py_child(f, n, FIELD_NAME))
                                                                     : (struct span){"", 0};
}

uint32_t py_body(const struct py_file *f, uint32_t loop)
{
    uint32_t body = py_child(f, loop, FIELD_BODY);

    return body != 0 ? body : loop;
}
