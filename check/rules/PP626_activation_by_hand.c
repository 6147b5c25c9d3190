/* PP626: an activation is spelled out in small ops, where the framework has one op for it. */
#include "check/rules/rule.h"

/* --- what is spelled out --- */

/* The whole of the arithmetic that n is in: 0.5 * x * (1 + …). */
static uint32_t whole_of(const struct py_file *f, uint32_t n)
{
    for (uint32_t up = py_parent(f, n); up != 0; up = py_parent(f, up)) {
        enum py_kind kind = py_kind(f, up);
        bool inside = kind == PY_BINARY_OPERATOR || kind == PY_PARENTHESIZED || kind == PY_CALL ||
                      kind == PY_ARGUMENT_LIST;
        if (!inside)
            break;
        n = up;
    }
    return n;
}

/* What the call is applied to: torch.sigmoid(x), F.sigmoid(x), x.sigmoid(); 0: another function. */
static uint32_t applied_to(struct project *p, const struct py_file *f, uint32_t call, const char *function)
{
    if (!span_eq(py_called(f, call), span_of(function)))
        return 0;
    struct span name = fact_name(p, f, call);
    if (span_starts(name, SPAN("torch.")) || span_starts(name, SPAN("tf.")) || span_starts(name, SPAN("keras.")))
        return py_argument(f, call, 0);
    return name.len == 0 && py_argument(f, call, 0) == 0 ? py_receiver(f, call, NULL) : 0;
}

/* x * sigmoid(x), x * tanh(softplus(x)): what takes its place; NULL: it is something else. */
static const char *gate_of(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t sides[2] = {py_child(f, n, FIELD_LEFT), py_child(f, n, FIELD_RIGHT)};

    if (py_kind(f, n) != PY_BINARY_OPERATOR || !span_eq(py_between(f, sides[0], sides[1]), SPAN("*")))
        return NULL;
    for (int i = 0; i < 2; i++) {
        uint32_t gate = py_bare(f, sides[i]);
        struct span x = py_text(f, py_bare(f, sides[1 - i]));
        uint32_t of = applied_to(p, f, gate, "sigmoid");
        if (of != 0 && span_eq(py_text(f, of), x))
            return "silu";
        of = applied_to(p, f, gate, "tanh");
        uint32_t inner = of != 0 ? applied_to(p, f, py_bare(f, of), "softplus") : 0;
        if (inner != 0 && span_eq(py_text(f, inner), x))
            return "mish";
    }
    return NULL;
}

/* x * 0.5 * (1 + erf(x / …)): is what the curve is of a factor, too? 0.5 * (1 + erf(…)) alone is a probability. */
static bool is_gate_of_itself(const struct py_file *f, uint32_t whole, uint32_t curve)
{
    for (uint32_t n = whole; curve != 0 && n < f->nodes[whole].after; n++) {
        if (n == curve)
            n = f->nodes[curve].after - 1;
        else if (py_kind(f, n) == PY_IDENTIFIER && f->nodes[n].field != FIELD_ATTRIBUTE) {
            size_t uses = py_uses(f, f->nodes[n].sym, py_child(f, curve, FIELD_ARGUMENTS)).all;
            if (uses > 0 && py_kind(f, py_parent(f, n)) != PY_ATTRIBUTE)
                return true;
        }
    }
    return false;
}

/* --- where it is not a fault --- */

/* A function of autograd has its own backward pass, which saves memory; one that TorchScript compiles is fused. */
static bool is_made_so(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), class = py_up(f, n, PY_CLASS);
    uint32_t bases = class != 0 ? py_child(f, class, FIELD_SUPERCLASSES) : 0;

    if (function == ROOT || (bases != 0 && span_has(py_text(f, bases), "Function")))
        return true;
    for (uint32_t at = function; at > ROOT; at = py_function_of(f, at))
        if (py_decorated(f, at, "jit compile script fuse", true))
            return true;
    return false;
}

/* Does the text from the comment above its function or class to n speak of export, or of a release without the op? */
static bool says_why(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"export",     "Export",     "ONNX",     "onnx",
                                        "PyTorch 1.", "pytorch 1.", "torch 1.", "older"};
    uint32_t function = py_function_of(f, n), class = py_up(f, function, PY_CLASS);
    uint32_t first = py_line(f, f->nodes[class != 0 ? class : function].start), from = first;

    while (from > 1 && span_starts(span_trim(py_line_text(f, from - 1)), SPAN("#")))
        from--;
    return span_has_any((struct span){f->code.ptr + f->lines[from - 1], f->nodes[n].end - f->lines[from - 1]}, words,
                        ARRAY_LEN(words));
}

/* Does its class, or its function, call the op where it can: torch.nn.SiLU() in another branch? */
static bool has_op_besides(struct project *p, const struct py_file *f, uint32_t n, const char *what)
{
    uint32_t class = py_up(f, n, PY_CLASS), around = class != 0 ? class : py_function_of(f, n);

    for (uint32_t c = around; c < f->nodes[around].after; c++) {
        struct span name = py_kind(f, c) == PY_CALL ? fact_name(p, f, c) : (struct span){"", 0};
        if (span_starts(name, SPAN("torch.nn.")) && name.len > strlen(what) &&
            span_find_any_case(span_after(name, name.len - strlen(what)), span_of(what)) == 0)
            return true;
    }
    return false;
}

/* --- findings --- */

/* Is it spelled out in ops of TensorFlow? A file may speak of both frameworks. */
static bool is_of_tensorflow(struct project *p, const struct py_file *f, uint32_t whole)
{
    for (uint32_t n = whole; n < f->nodes[whole].after; n++) {
        struct span name = py_kind(f, n) == PY_CALL ? fact_name(p, f, n) : (struct span){"", 0};
        if (span_starts(name, SPAN("tf.")) || span_starts(name, SPAN("keras.")))
            return true;
    }
    return false;
}

static void report(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n, const char *what)
{
    bool torch = fact_mentions(p, f, "torch") && !is_of_tensorflow(p, f, n);
    bool mish = span_eq(span_of(what), SPAN("mish"));

    if (!rule_needs(r, n, n, !is_made_so(f, n), "it is compiled, has its own backward pass, or is at the top") ||
        !rule_needs(r, n, n, !torch || !has_op_besides(p, f, n, what), "the op is called besides, in another branch") ||
        !rule_needs(r, n, n, !says_why(f, n),
                    "a comment says that it is for export, or for a release without the op") ||
        !rule_needs(r, n, n, !torch || !fact_mentions(p, f, "autograd.Function"),
                    "the file has functions with their own backward pass: this form is the one that can be exported") ||
        (mish && !torch))
        return;
    rule_report(r, n, CHECK_MEDIUM, "%s is spelled out in small ops", what);
    rule_advice(r, "Call %s.%s(), which makes it in one op%s.", torch ? "torch.nn.functional" : "tf.nn", what,
                span_eq(span_of(what), SPAN("gelu")) ? "; approximate tells which of its two forms" : "");
    rule_unsure(r, !torch); /* a graph may be fused; old releases lack it */
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    static const char *const halves[] = {"sqrt(2", "1.41421", "0.7071", "2 ** 0.5", "2**0.5", "M_SQRT"};
    uint32_t last = 0; /* where the last finding ends */

    for (uint32_t n = 1; n < f->n_nodes; n++) {
        const char *what = n < last ? NULL : gate_of(p, f, n);
        uint32_t at = n;
        uint32_t curve = applied_to(p, f, n, "erf"); /* 0.5 * x * (1 + erf(x / sqrt(2))) */
        bool gelu = n >= last && ((py_kind(f, n) == PY_FLOAT &&
                                   span_is_word(py_text(f, n), "0.044715 0.044715000000000004 0.044714998453855515")) ||
                                  (py_kind(f, n) == PY_CALL && curve != 0 &&
                                   span_has_any(py_text(f, curve), halves, ARRAY_LEN(halves))));
        if (gelu) {
            at = whole_of(f, n);
            bool whole = py_kind(f, at) == PY_BINARY_OPERATOR && span_has(py_text(f, at), "0.5");
            uint32_t around = py_up(f, n, PY_CALL); /* the call of tanh() or erf() that n is in, or is */
            while (around != 0 && !span_is_word(py_called(f, around), "tanh erf"))
                around = py_up(f, py_parent(f, around), PY_CALL);
            what = whole && is_gate_of_itself(f, at, around) ? "gelu" : NULL;
            if (what == NULL)
                rule_lacks(r, n, at, "it is not seen to be half of x times one plus a curve of the same x");
        }
        if (what == NULL)
            continue;
        last = f->nodes[at].after;
        report(r, p, f, at, what);
    }
}

const struct rule_looks rule_PP626 = {.run = look};
